// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelTest.hpp"
#include "common/Passes.hpp"
#include "direct/Plan.hpp"
#include "sparse_tensor/Plan.hpp"
#include "temporal/Plan.hpp"

#include <model/Choice.hpp>
#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// Passes of several sweeps: how they are cut, and what they take.

namespace KokkosStencil {
namespace Cuda {
namespace {

TEST(CudaModel, PatchesTakeLongerOnSlowerMultiprocessors) {
  DeviceModel slow = device("H200");
  slow.float_rate *= 0.5;
  // Planes that patches take, as no other kernel of cuda_temporal does so fast.
  for (std::int64_t const n : {256, 512}) {
    Problem const p     = problem(Model::star(2, 1), 2, ValueType::float32, 100, n);
    double const before = of("cuda_temporal", p, device("H200")).seconds, after = of("cuda_temporal", p, slow).seconds;
    EXPECT_GT(after, 1.2 * before) << n;
    EXPECT_LT(after, 2.0 * before) << n;
  }
}

TEST(CudaModel, PipelinesNeedSharedMemory) {
  auto const pipeline = [](TermList const& t, int rank, ValueType type, char const* gpu) {
    Problem const p = problem(t, rank, type, 24);
    return Cuda::Temporal::unsupported_reason(p, device(gpu)).empty()
               ? Cuda::Temporal::cost(p, device(gpu)).front().depth
               : 0;
  };
  // Blocks of 8.6 and 8.9 may have 99 KB: enough for half, for lines, which need no shared memory, and for tiles.
  for (char const* gpu : {"L40S", "A10"}) {
    for (ValueType const type : {ValueType::float32, ValueType::float64}) {
      EXPECT_GT(pipeline(Model::star(1, 1), 1, type, gpu), 1) << gpu;
      EXPECT_GE(pipeline(Model::star(2, 1), 2, type, gpu), 1) << gpu;
      EXPECT_GE(pipeline(Model::box(2, 2), 2, type, gpu), 1) << gpu;
      EXPECT_GE(pipeline(Model::star(3, 1), 3, type, gpu), 1) << gpu;
    }
    EXPECT_EQ(pipeline(Model::star(2, 1), 2, ValueType::float16, gpu), 8) << gpu;
    EXPECT_EQ(pipeline(Model::star(3, 1), 3, ValueType::float16, gpu), 2) << gpu;
  }
  // Blocks of 8.0 may have 163 KB: in double a kernel of less temporal depth, where there is one.
  EXPECT_EQ(pipeline(Model::star(2, 1), 2, ValueType::float32, "A100"), 12);
  EXPECT_EQ(pipeline(Model::star(2, 1), 2, ValueType::float64, "A100"), 8);
  EXPECT_EQ(pipeline(Model::star(2, 1), 2, ValueType::float64, "H200"), 12);
  EXPECT_EQ(pipeline(Model::star(2, 3), 2, ValueType::float64, "H200"), 4);
  EXPECT_EQ(pipeline(Model::star(3, 1), 3, ValueType::float64, "A100"), 4);
}

TEST(CudaModel, MirrorsAreForSymmetricStencils) {
  for (int rank : {2, 3}) {
    Problem p = problem(Model::box(rank, 2), rank, ValueType::float32, 24);
    for (auto& faces : p.faces) faces = {{Face::mirror(), Face::mirror()}};
    for (Term& t : p.terms) t.coefficient = 0.125;
    EXPECT_EQ(Cuda::Temporal::extension_unsupported_reason(p), "");
    for (Term& t : p.terms) t.coefficient = t.offset[1] == 0 ? 0.25 : 0.125;
    EXPECT_EQ(Cuda::Temporal::extension_unsupported_reason(p), "");
    for (Term& t : p.terms) t.coefficient = t.offset[1] > 0 ? 0.25 : 0.125;
    EXPECT_NE(Cuda::Temporal::extension_unsupported_reason(p), "");
    p.faces[1] = {{Face::periodic(), Face::periodic()}};
    EXPECT_EQ(Cuda::Temporal::extension_unsupported_reason(p), "");
    // Without its last term the stencil is not symmetric.
    p.terms.pop_back();
    EXPECT_NE(Cuda::Temporal::extension_unsupported_reason(p), "");
  }
}

TEST(CudaModel, TilesPayWhereMemoryIsSlow) {
  for (char const* gpu : {"L40S", "RTX 4090"}) {
    for (auto const& [terms, rank] : {std::pair(Model::star(2, 1), 2), std::pair(Model::star(2, 2), 2),
                                      std::pair(Model::box(2, 1), 2), std::pair(Model::star(3, 1), 3)}) {
      Problem const p = problem(terms, rank, ValueType::float32, 24);
      EXPECT_EQ(chosen(p, device(gpu)).backend, "cuda_temporal") << gpu << ", " << terms.size() << " terms";
      EXPECT_LT(1.1 * of("cuda_temporal", p, device(gpu)).seconds, of("cuda_direct", p, device(gpu)).seconds) << gpu;
    }
  }
}

TEST(CudaModel, TilesLoadSchedulersAlike) {
  // Nine warps with work take as long as twelve.
  using namespace Cuda::Temporal;
  DeviceModel const& h200 = device("H200");
  for (std::array<std::int64_t, 3> const& extents : {std::array<std::int64_t, 3>{{91, 943, 792}}, {{73, 336, 2320}}}) {
    Problem const p        = Model::grid_problem(Model::box(3, 4), 3, extents, ValueType::float16, Accuracy::native, 1);
    TileArgs const c       = plan_tiles(p, *find_kernels(p, h200).tiles, h200, 1, true).args;
    int const rows_of_warp = 32 / c.row_vectors * tile_rows;
    int const warps        = (c.rows - 4 + rows_of_warp - 1) / rows_of_warp - 4 / rows_of_warp;
    EXPECT_GT(warps, 0.85 * schedulers * ((warps + schedulers - 1) / schedulers))
        << c.rows << " rows, " << warps << " warps";
  }
}

TEST(CudaModel, TilesCoverTheRange) {
  using namespace Cuda::Temporal;
  for (int rank : {2, 3}) {
    for (int radius = 1; radius <= 5; ++radius) {
      for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
        for (std::int64_t const side : {17, 100, 1030}) {
          Problem p = problem(Model::star(rank, radius), rank, type, 8, side);
          // No kernel but tiles mirrors stencils that are not symmetric.
          p.faces[2][0] = Face::mirror();
          for (Term& t : p.terms) t.coefficient = t.offset[2] > 0 ? 0.25 : 0.125;
          for (auto const& [gpu, kilobytes] : {std::pair("L40S", 99), std::pair("A100", 163), std::pair("H200", 227)}) {
            TileTuning const* const tiles = find_kernels(p, device(gpu)).tiles;
            ASSERT_EQ(tiles != nullptr, radius <= 4);
            for (int depth = 1; radius <= 4 && depth <= most_tile_depth(rank, radius); ++depth) {
              TileArgs const c = plan_tiles(p, *tiles, device(gpu), depth, true).args;
              if (c.row_vectors == 0) {
                EXPECT_EQ(rank, 3);
                EXPECT_GT(depth, 1);
                EXPECT_LT(kilobytes, radius == 4 ? 163 : 99) << radius << ", depth " << depth;
                continue;
              }
              // Two blocks on a multiprocessor, or one; the system reserves a kilobyte for each.
              EXPECT_LE((c.shared_bytes + 1024) * (c.threads == 256 ? 2 : 1), 1024 * (kilobytes + 1));
              EXPECT_GE(c.rows, c.interior[1] + 2 * depth * radius);
              EXPECT_GE(16 / size_of(type) * c.row_vectors, c.interior[2] + 2 * depth * radius);
              for (std::size_t a = 0; a < 3; ++a) {
                std::int64_t const points = p.end[a] - p.begin[a];
                EXPECT_GE(c.interior[a] * c.tiles[a], points);
                // The first tile may begin before the range, with a whole vector.
                EXPECT_LT(c.interior[a] * (c.tiles[a] - 1), points + 8);
              }
            }
          }
        }
      }
    }
  }
}

/// Stars and boxes without some of their terms make several sweeps in a pass as well, unless ghost values are used up.
TEST(CudaModel, PatternsOfStarsHaveDeepPasses) {
  DeviceModel const& h200 = device("H200");
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    for (int rank = 1; rank <= 3; ++rank) {
      SCOPED_TRACE(std::string(to_string(type)) + ", " + std::to_string(rank) + "-D");
      std::array<std::int64_t, 3> const extent = rank == 1   ? std::array<std::int64_t, 3>{{1 << 26, 1, 1}}
                                                 : rank == 2 ? std::array<std::int64_t, 3>{{8192, 8192, 1}}
                                                             : std::array<std::int64_t, 3>{{400, 400, 400}};
      auto const make                          = [&](auto const& left_out) {
        std::vector<Term> some;
        for (Term const& t : Model::star(rank, 1)) {
          if (!left_out(t)) some.push_back(t);
        }
        return Model::grid_problem(some, rank, extent, type, Accuracy::native, 12);
      };
      auto const centre    = [](Term const& t) { return t.offset == std::array<int, 3>(); };
      auto const downwind  = [](Term const& t) { return t.offset[0] + t.offset[1] + t.offset[2] > 0; };
      Problem const hollow = make(centre), upwind = make(downwind);
      std::vector<Problem> served{hollow};
      if (type != ValueType::float16 || rank < 3) served.push_back(upwind);
      for (Problem const& p : served) {
        ASSERT_EQ(Cuda::Temporal::unsupported_reason(p, h200), "");
        Estimate const e = Cuda::Temporal::cost(p, h200).front();
        EXPECT_GT(e.depth, 1);
        EXPECT_LT(e.seconds, 8.0 * Cuda::Direct::cost_of_sweeps(p, h200, 1).seconds);
      }
      Problem shared       = upwind;
      shared.used_up[2][0] = shared.used_up[2][1] = true;
      EXPECT_NE(Cuda::Temporal::unsupported_reason(shared, h200), "");
    }
  }
}

TEST(CudaModel, PassesWaitForSlowerMemory) {
  // How many times as long passes of cuda_temporal take on an H100 as on an H200, which differ in memory only: as
  // measured (full.json of both), 24 sweeps of planes and 12 of volumes.
  struct Case {
    TermList terms;
    int rank;
    ValueType type;
    double measured;
  };
  for (Case const& c : {Case{Model::star(3, 1), 3, ValueType::float32, 1273.0 / 885.0},
                        Case{Model::star(3, 1), 3, ValueType::float64, 749.0 / 557.0},
                        Case{Model::star(2, 1), 2, ValueType::float32, 3481.0 / 2852.0},
                        Case{Model::star(2, 1), 2, ValueType::float64, 1654.0 / 1446.0},
                        Case{Model::box(2, 1), 2, ValueType::float64, 1199.0 / 1005.0},
                        Case{Model::star(2, 1), 2, ValueType::float16, 3788.0 / 3850.0}}) {
    Problem const p = problem(c.terms, c.rank, c.type, c.rank == 2 ? 24 : 12);
    double const times =
        of("cuda_temporal", p, device("H100")).seconds / of("cuda_temporal", p, device("H200")).seconds;
    EXPECT_NEAR(times / c.measured, 1.0, 0.1) << to_string(c.type) << ", " << c.rank << "-D";
  }
}

TEST(CudaModel, PlansMakeThePassesThatWereCounted) {
  DeviceModel const& h200 = device("H200");
  int passes              = 0;
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    for (std::int64_t side = 64; side <= 256; side += 32) {
      Problem const p       = problem(Model::star(3, 1), 3, type, 16, side);
      Estimate const passed = Temporal::cost(p, h200).front();
      double const single   = Direct::cost_of_sweeps(p, h200, 1).seconds;
      if (passed.depth == 1 || passed.seconds > 0.95 * 16 * single) continue;
      ++passes;
      Temporal::Gpu gpu{{}, h200};
      gpu.facts.sm_count = h200.multiprocessors;
      Temporal::PassPlan const plan(p, Temporal::find_kernels(p, h200), gpu, single, 1.0);
      EXPECT_GT(plan.passes()[plan.next(16)].depth, 1) << to_string(type) << ", " << side;
    }
  }
  EXPECT_GT(passes, 10);
}

TEST(CudaModel, PassesAddUpToTheLeast) {
  Passes const passes({{1, 10.0}, {4, 13.0}, {5, 13.5}, {7, 15.0}});
  for (std::int64_t steps = 0; steps < 100; ++steps) {
    // The passes that are taken add up to the time that is promised, and no other first pass leads to less.
    double seconds = 0.0;
    for (std::int64_t left = steps; left > 0; left -= passes.next(left)) {
      int const depth = passes.next(left);
      ASSERT_LE(depth, left);
      seconds += depth == 1 ? 10.0 : depth == 4 ? 13.0 : depth == 5 ? 13.5 : 15.0;
    }
    EXPECT_DOUBLE_EQ(passes.seconds(steps), seconds) << steps;
    if (steps >= 1) {
      EXPECT_LE(passes.seconds(steps), 10.0 + passes.seconds(steps - 1)) << steps;
    }
    if (steps >= 4) {
      EXPECT_LE(passes.seconds(steps), 13.0 + passes.seconds(steps - 4)) << steps;
    }
  }
  EXPECT_DOUBLE_EQ(passes.seconds(8), 25.0);   // 7, 1
  EXPECT_DOUBLE_EQ(passes.seconds(24), 57.0);  // 7, 7, 5, 5
  EXPECT_DOUBLE_EQ(Passes({{1, 2.0}}).seconds(1000), 2000.0);
}

TEST(CudaModel, DepthsOfComposedStencils) {
  using Cuda::SparseTensor::depths;
  using Depths   = std::vector<int>;
  auto const box = [](int rank, int radius, std::int64_t steps, std::int64_t side = 0) {
    return problem(Model::box(rank, radius), rank, ValueType::float16, steps, side);
  };
  EXPECT_EQ(depths(box(2, 1, 7)), (Depths{1, 4, 5, 6, 7}));
  EXPECT_EQ(depths(box(2, 1, 1)), Depths{1});
  EXPECT_EQ(depths(box(2, 2, 7)), (Depths{1, 2, 3}));
  EXPECT_EQ(depths(box(2, 3, 7)), (Depths{1, 2}));
  EXPECT_EQ(depths(box(2, 4, 7)), Depths{1});
  EXPECT_EQ(depths(box(3, 1, 7)), Depths{1});
  EXPECT_EQ(depths(box(2, 1, 7, 16)), Depths{1}) << "no interior";
  EXPECT_EQ(depths(box(1, 1, 24)), (Depths{1, 2, 4, 8, 16, 24, 32}));
  // One-sided lines, too. The GPU test of them relies on these depths.
  TermList const averages{{{{0, 0, 0}}, 0.5}, {{{1, 0, 0}}, 0.5}};
  EXPECT_EQ(depths(problem(averages, 1, ValueType::float16, 10, 1 << 20)), (Depths{1, 2, 4, 8, 10, 16, 32}));
  // On a small grid too few points lie away from the faces for the larger depths.
  EXPECT_EQ(depths(box(2, 1, 7, 24)), (Depths{1, 4}));
  // Seven sweeps are taken in one pass.
  Candidate const c = chosen(box(2, 1, 7, 16384), device("H200"));
  EXPECT_EQ(c.backend, "cuda_sparse_tensor");
  EXPECT_EQ(c.estimate.depth, 7);
}

}  // namespace
}  // namespace Cuda
}  // namespace KokkosStencil
