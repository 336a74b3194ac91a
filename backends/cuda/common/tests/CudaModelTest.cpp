// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Families.hpp"
#include "common/BoundaryTiles.hpp"
#include "common/KernelTime.hpp"
#include "common/Passes.hpp"
#include "direct/Plan.hpp"
#include "direct/TapTiles.hpp"
#include "resident/Plan.hpp"
#include "resident/VolumePlan.hpp"
#include "sparse_table/Layout.hpp"
#include "sparse_tensor/Plan.hpp"
#include "temporal/Plan.hpp"
#include "temporal/StripPlan.hpp"
#include "tensor_float/Plan.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>
#include <model/Choice.hpp>
#include <model/GridProblem.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

// What the model chooses on GPUs that need not be there.

namespace KokkosStencil {
namespace Cuda {
namespace {

using Terms = std::vector<Term>;

DeviceModel const& device(char const* name) { return *find_device(known_devices(), name); }

Problem problem(Terms const& terms, int rank, ValueType type, std::int64_t steps = 1, std::int64_t side = 0,
                Accuracy accuracy = Accuracy::native) {
  std::int64_t const n = side > 0 ? side : rank == 1 ? 1 << 26 : rank == 2 ? 10240 : 512;
  return Model::grid_problem(terms, rank, {{n, rank > 1 ? n : 1, rank > 2 ? n : 1}}, type, accuracy, steps);
}

Candidate chosen(Problem const& p, DeviceModel const& d) {
  auto const all = candidates(p, d);
  return *std::find_if(all.begin(), all.end(), [](Candidate const& c) { return c.chosen; });
}

Estimate of(std::string const& backend, Problem const& p, DeviceModel const& d) {
  auto const all = candidates(p, d);
  return std::find_if(all.begin(), all.end(), [&](Candidate const& c) { return c.backend == backend; })->estimate;
}

TEST(CudaModel, EndsOfRowsInTilesThatFit) {
  for (int const bytes : {2, 4, 8}) {
    for (int radius = 1; radius <= 7; ++radius) {
      std::int64_t const span = 2 * radius, edge = span + 1;
      int const terms = static_cast<int>(edge * edge * edge);
      for (std::int64_t columns = 1; columns <= 2 * radius + 8; ++columns) {
        Cuda::BoundaryTileCut const cut =
            Cuda::cut_into_tiles(columns, 1000, 1000, bytes, {{span, span, span}}, terms, false, columns % 2 == 0);
        if (cut.rows == 0) continue;
        EXPECT_LE(cut.rows * columns, Cuda::boundary_threads);
        EXPECT_GE(cut.pitch, columns + span);
        EXPECT_EQ(cut.pitch * bytes / std::max(bytes, 4) % 2, 1) << "banks from row to row";
        EXPECT_LE((cut.rows + span) * cut.pitch, Cuda::boundary_tile_points(static_cast<std::size_t>(bytes)));
        EXPECT_LE(cut.bytes, Cuda::boundary_tile_bytes);
      }
    }
    // Radius 3 has tiles in every type; stars, few planes and little work have none.
    auto const rows = [&](std::int64_t high, std::int64_t planes, bool star, bool edge = false, int terms = 343) {
      return Cuda::cut_into_tiles(6, high, planes, bytes, {{6, 6, 6}}, terms, star, edge).rows;
    };
    EXPECT_GT(rows(1000, 1000, false), 0);
    EXPECT_EQ(rows(1000, 1000, true), 0);
    EXPECT_EQ(rows(1000, 1, false), 0);
    EXPECT_EQ(rows(50, 40, false), 0);
    // Near slow faces few planes and little work have, few terms have none.
    EXPECT_GT(rows(50, 1, false, true), 0);
    EXPECT_EQ(rows(50, 1, true, true), 0);
    EXPECT_EQ(rows(50, 1, false, true, 27), 0);
  }
}

TEST(CudaModel, OperationsAndBytesAreThePapers) {
  DeviceModel const& h200 = device("H200");
  // Table 2 of the paper: rows 2 and 4 on cores, row 10 on sparse tensor cores (there with 4 bytes a value).
  Problem const r3 = problem(Model::box(2, 3), 2, ValueType::float64),
                r7 = problem(Model::box(2, 7), 2, ValueType::float16);
  EXPECT_EQ(of("cuda_direct", r3, h200).operations, 98);
  EXPECT_EQ(of("cuda_direct", r3, h200).bytes, 16);
  EXPECT_EQ(of("cuda_direct", r7, h200).operations, 450);
  EXPECT_EQ(of("cuda_sparse_tensor", r7, h200).operations, 960);
  EXPECT_EQ(of("cuda_sparse_tensor", r7, h200).bytes, 4);
  EXPECT_EQ(of("cuda_sparse_tensor", r7, h200).unit, ComputeUnit::sparse_tensor_cores);
}

TEST(CudaModel, APatternRunsOnTheSmallestShapeAround) {
  auto const shape = [](Terms const& t, int rank, ValueType type = ValueType::float32) {
    Problem const p                          = problem(t, rank, type);
    Cuda::Direct::ShapeTuning const* const k = Cuda::Direct::find_kernel(p);
    if (k == nullptr) return std::string("none");
    EXPECT_TRUE(k->masked);
    return (k->shape.star ? "star" : "box") + std::to_string(k->shape.rank) + std::to_string(k->shape.radius);
  };
  using Offsets    = std::vector<std::array<int, 3>>;
  auto const terms = [](Offsets const& offsets) {
    Terms t;
    for (auto const& o : offsets) t.push_back({o, 1.0});
    return t;
  };
  EXPECT_EQ(shape(terms({{{-3}}, {{0}}}), 1), "star14");
  EXPECT_EQ(shape(terms({{{-1, 0}}, {{0, -1}}, {{0, 1}}, {{1, 0}}}), 2), "box21");
  EXPECT_EQ(shape(terms({{{-3, 0}}, {{-2, 0}}, {{-1, 0}}, {{0, -3}}, {{0, 0}}}), 2), "star24");
  EXPECT_EQ(shape(terms({{{-1, -1, -1}}, {{-1, 0, 0}}, {{0, 0, 0}}, {{1, 1, 1}}}), 3), "box31");
  // A list is faster: few terms, far away, no kernel for the type.
  EXPECT_EQ(shape(terms({{{-3, -3}}, {{0, 0}}, {{3, 3}}}), 2), "none");
  EXPECT_EQ(shape(terms({{{-9}}, {{0}}, {{9}}}), 1), "none");
  auto upwind = Model::star(3, 3);
  upwind.pop_back();
  EXPECT_EQ(shape(upwind, 3), "star34");
  EXPECT_EQ(shape(upwind, 3, ValueType::float16), "star38");
  EXPECT_EQ(shape(upwind, 3, ValueType::bfloat16), "star38");
}

TEST(CudaModel, KernelsInSpaceGoOnToFaces) {
  DeviceModel const& h200 = device("H200");
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    for (Direct::ShapeTuning const& k : Direct::shape_tunings(type)) {
      if (k.masked || k.shape.rank != 3) continue;
      int const r = k.shape.radius;
      Problem p   = problem(k.shape.star ? Model::star(3, r) : Model::box(3, r), 3, type, 1, 128);
      p.begin     = {{0, 0, 0}};
      p.end       = p.extent;
      for (Face const& face : {Face::mirror(), Face::edge(), Face::value(1.0), Face::periodic()}) {
        for (auto& axis : p.faces) axis = {{face, face}};
        bool const wraps = face.kind == BoundaryKind::periodic, constant = face.kind == BoundaryKind::value;
        auto const cut = [&](std::uintptr_t first) {
          auto const l =
              Direct::ShapeCut(k, p, h200.multiprocessors, 1 << 25).launch(first, 1 << 20, Direct::Variant::plain);
          EXPECT_TRUE(l.has_value());
          return l->done;
        };
        PointBox const done = cut(4096), shifted = cut(4096 + static_cast<std::uintptr_t>(size_of(type)));
        for (std::size_t a = 0; a < 3; ++a) {
          bool const passes =
              a == 2 ? k.passes(2, size_of(type), false) || wraps
                     : k.passes(static_cast<int>(a), size_of(type), false) && (!constant || k.makes_constants());
          EXPECT_EQ(done.begin[a], passes ? 0 : r) << a;
          EXPECT_EQ(done.end[a], 128 - (passes ? 0 : r)) << a;
          bool const anywhere = a == 2 && k.anywhere() && !wraps;
          EXPECT_EQ(shifted.begin[a] == 0, anywhere) << a;
          EXPECT_EQ(shifted.end[a] == 128, anywhere) << a;
        }
      }
    }
  }
}

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

TEST(CudaModel, TilesAtTheEndsOfRowsGoOnWhereWideOnesEnd) {
  DeviceModel const& h200 = device("H200");
  int tails               = 0;
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    for (Direct::ShapeTuning const& k : Direct::shape_tunings(type)) {
      if (k.masked || k.shape.rank != 3 || k.only_row) continue;
      int const r = k.shape.radius, wide = k.width(size_of(type));
      for (std::int64_t n = 500; n < 560; ++n) {
        Problem p      = problem(k.shape.star ? Model::star(3, r) : Model::box(3, r), 3, type, 1, n);
        p.in_stride    = {{n * 576, 576, 1}};
        p.out_stride   = p.in_stride;
        auto const cut = Direct::ShapeCut(k, p, h200.multiprocessors, 1 << 25)
                             .launch(1 << 20, std::uintptr_t(1) << 40, Direct::Variant::plain);
        ASSERT_TRUE(cut.has_value());
        Direct::Geometry const &g = cut->geometry, &t = cut->tail;
        EXPECT_EQ(g.begin[2], cut->done.begin[2]);
        if (cut->tail_blocks == 0) {
          EXPECT_EQ(g.end[2], cut->done.end[2]);
          continue;
        }
        ++tails;
        EXPECT_EQ((g.end[2] - g.first_vector) % wide, 0);
        EXPECT_EQ(g.tiles_x, (g.end[2] - g.first_vector) / wide);
        EXPECT_EQ(t.begin[2], g.end[2]);
        EXPECT_EQ(t.first_vector, t.begin[2]);
        EXPECT_EQ(t.end[2], cut->done.end[2]);
        Direct::ShapeTuning const narrow = k.with_lanes(Direct::short_row_lanes[1]);
        EXPECT_GE(t.tiles_x * narrow.width(size_of(type)), t.end[2] - t.begin[2]);
        for (std::size_t a = 0; a < 2; ++a) {
          EXPECT_EQ(t.begin[a], g.begin[a]);
          EXPECT_EQ(t.end[a], g.end[a]);
        }
      }
    }
  }
  EXPECT_GT(tails, 30);
}

TEST(CudaModel, TheEnvironmentChoosesAKernelOfDirect) {
  DeviceModel const& h200 = device("H200");
  Problem const p         = problem(Model::star(2, 1), 2, ValueType::float32);
  auto const with         = [&](char const* value, auto const& f) {
    setenv("KOKKOSSTENCIL_CUDA_DIRECT", value, 1);
    auto const result = f();
    unsetenv("KOKKOSSTENCIL_CUDA_DIRECT");
    return result;
  };
  auto const algorithm = [&] { return Cuda::Direct::plan_sweep(p, h200).algorithm; };
  auto const reason    = [&] { return Cuda::Direct::unsupported_reason(p, h200); };
  EXPECT_EQ(with("shape", algorithm), Cuda::Direct::Algorithm::shape);
  EXPECT_EQ(with("taps", algorithm), Cuda::Direct::Algorithm::taps);
  EXPECT_EQ(with("points", algorithm), Cuda::Direct::Algorithm::points);
  EXPECT_EQ(with("taps", reason), "");
  EXPECT_EQ(with("fire_escape", reason),
            "\"fire_escape\" (KOKKOSSTENCIL_CUDA_DIRECT) is no kernel of cuda_direct; there are shape, taps, points");
}

TEST(CudaModel, TilesOfListsFitTheirRows) {
  DeviceModel const& h200 = device("H200");
  auto const tiles        = [&](Terms const& t, int rank, ValueType type, std::array<std::int64_t, 3> const& n) {
    Problem const p = Model::grid_problem(t, rank, n, type, Accuracy::native, 1);
    return Direct::tap_tiles(p, interior(p), h200);
  };
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    for (std::int64_t const columns : {1, 7, 20, 33, 64, 81, 96, 130, 300, 2000}) {
      for (std::int64_t const rows : {2, 4, 30, 1000, 100000}) {
        Direct::TapTiles const t = tiles(Model::box(2, 2), 2, type, {{rows + 4, columns + 4, 1}});
        EXPECT_GE(t.across_x * t.width(), columns);
        EXPECT_LT((t.across_x - 1) * t.width(), columns) << "a tile is past the end of rows";
        EXPECT_LE(t.rows, rows) << "threads move back into the range by less than their rows";
        EXPECT_EQ(t.count, t.across_x * t.across_y);
        EXPECT_GT(t.seconds, 0.0);
      }
    }
    // Narrow rows: few columns past their ends.
    Direct::TapTiles const narrow = tiles(Model::box(2, 7), 2, type, {{11422, 95, 1}});
    EXPECT_EQ(narrow.across_x * narrow.width(), 96);
    // A thread with several rows loads a value of a box once for all of them, of a star in space hardly ever.
    EXPECT_EQ(tiles(Model::box(2, 5), 2, type, {{4096, 4096, 1}}).rows, Direct::tap_rows);
    EXPECT_EQ(tiles(Model::star(3, 9), 3, type, {{256, 256, 256}}).rows, 1);
    // Few points: more threads with fewer of them.
    auto const threads_points = [](Direct::TapTiles const& t) { return t.rows * t.columns; };
    EXPECT_LT(threads_points(tiles(Model::box(3, 3), 3, type, {{30, 30, 30}})),
              threads_points(tiles(Model::box(3, 3), 3, type, {{300, 300, 300}})));
    // Lines have one row.
    EXPECT_EQ(tiles(Model::star(1, 3), 1, type, {{100000, 1, 1}}).threads_x_log2, 8);
  }
}

TEST(CudaModel, FewTermsComeWithTheArguments) {
  DeviceModel const& h200 = device("H200");
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    Terms const far = {{{{0, -9, -7}}, 0.25}, {{{0, 3, 11}}, 0.125}};
    Problem p       = Model::grid_problem(far, 2, {{2048, 2048, 1}}, type, Accuracy::native, 1);
    auto const come = [&] { return Direct::tap_tiles(p, interior(p), h200).in_arguments; };
    EXPECT_TRUE(come());
    p.updates = true;
    EXPECT_FALSE(come());
    p.updates      = false;
    p.in_stride[2] = 2;
    EXPECT_FALSE(come()) << "a warp's points do not follow each other";
    p.in_stride = {{0, std::int64_t(1) << 31, 1}};
    EXPECT_FALSE(come()) << "distances within a tile need more than 32 bits";
    p = Model::grid_problem(Model::box(3, 2), 3, {{256, 256, 256}}, type, Accuracy::native, 1);
    EXPECT_FALSE(come()) << "125 terms";
    p = Model::grid_problem(far, 2, {{2048, 46, 1}}, type, Accuracy::native, 1);
    EXPECT_FALSE(come()) << "28 columns, less than a warp";
    // The largest ranges of Taps.FewTerms, whose terms reach as far as these.
    Terms const plane = {{{{0, -3, -11}}, 0.25}, {{{0, 7, 7}}, 0.125}},
                space = {{{{-2, -3, -11}}, 0.25}, {{{2, 7, 7}}, 0.125}};
    p                 = Model::grid_problem(plane, 2, {{710, 658, 1}}, type, Accuracy::native, 1);
    EXPECT_TRUE(come());
    p = Model::grid_problem(space, 3, {{5, 710, 658}}, type, Accuracy::native, 1);
    EXPECT_TRUE(come());
    // Planes that leave the cache before they are read again cost more.
    p                 = Model::grid_problem(Model::star(3, 2), 3, {{64, 512, 512}}, type, Accuracy::native, 1);
    double const near = Direct::tap_tiles(p, interior(p), h200).seconds;
    p                 = Model::grid_problem(Model::star(3, 2), 3, {{64, 4096, 4096}}, type, Accuracy::native, 1);
    EXPECT_GT(Direct::tap_tiles(p, interior(p), h200).seconds, 1.1 * 64.0 * near);
  }
}

TEST(CudaModel, UpdatesReadTheOutput) {
  DeviceModel const& h200 = device("H200");
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    Problem p                     = problem(Model::star(2, 1), 2, type, 1, 8192);
    Direct::SweepPlan const plain = Direct::plan_sweep(p, h200);
    p.updates                     = true;
    Direct::SweepPlan const plan  = Direct::plan_sweep(p, h200);
    ASSERT_EQ(plan.algorithm, Direct::Algorithm::shape);
    EXPECT_EQ(plan.kernel, plain.kernel);
    EXPECT_EQ(plan.cost.work.bytes, 1.5 * plain.cost.work.bytes);
    double const seconds = Direct::cost_of_sweeps(p, h200, 1).seconds;
    p.updates            = false;
    EXPECT_NEAR(seconds / Direct::cost_of_sweeps(p, h200, 1).seconds, 1.5, 0.02);
    // A kernel that has no such instance, and rows that begin anywhere, leave it to the list of terms.
    p         = problem(Model::box(2, 3), 2, type, 1, 8192);
    p.updates = true;
    EXPECT_NE(Direct::plan_sweep(p, h200).algorithm, Direct::Algorithm::shape);
    p         = problem(Model::star(2, 1), 2, type, 1, 8191);
    p.updates = true;
    EXPECT_NE(Direct::plan_sweep(p, h200).algorithm, Direct::Algorithm::shape);
  }
}

TEST(CudaModel, NarrowVolumesGetTheKernelOfTheirShape) {
  // Lists of terms take 1.2 to 1.45 times as long (docs/experiments/2026-12-01-narrow-tiles.md).
  DeviceModel const& h200 = device("H200");
  for (ValueType const type : {ValueType::float32, ValueType::float64}) {
    for (std::int64_t const columns : {64, 80, 96, 128}) {
      Problem const p = Model::grid_problem(Model::star(3, 1), 3, {{256, (std::int64_t(1) << 17) / columns, columns}},
                                            type, Accuracy::native, 1);
      EXPECT_EQ(Direct::plan_sweep(p, h200).algorithm, Direct::Algorithm::shape) << columns;
    }
  }
}

TEST(CudaModel, LanesOfNarrowVolumes) {
  // In cache narrow tiles gain most, beyond it idle lanes of wide ones cost little.
  int kernels = 0;
  for (Direct::ShapeTuning const& k : Direct::shape_tunings(ValueType::float32)) {
    if (k.masked || !k.shape.star || k.shape.rank != 3 || k.shape.radius != 2) continue;
    auto const lanes = [&](std::int64_t columns, std::int64_t rows) {
      return Direct::across_rows(k, columns, rows, 4, false, std::int64_t(60) << 20).lanes;
    };
    EXPECT_EQ(lanes(128, 108 * 108), 16);
    EXPECT_EQ(lanes(88, 953 * 953), 32);
    EXPECT_EQ(lanes(64, 612 * 612), 16);
    EXPECT_EQ(lanes(240, 577 * 577), 32);
    ++kernels;
  }
  EXPECT_EQ(kernels, 1);
}

TEST(CudaModel, SmallGridsGetAListOfTerms) {
  DeviceModel const& h200     = device("H200");
  auto const chosen_algorithm = [&](Terms const& t, int rank, ValueType type, std::int64_t side) {
    return Cuda::Direct::plan_sweep(problem(t, rank, type, 1, side), h200).algorithm;
  };
  // Streaming kernels take long to start, and kernels for lines need a second launch.
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    for (int r = 2; r <= 8; ++r) {
      EXPECT_NE(chosen_algorithm(Model::star(3, r), 3, type, 64), Cuda::Direct::Algorithm::shape) << r;
      EXPECT_EQ(chosen_algorithm(Model::star(3, r), 3, type, 512), Cuda::Direct::Algorithm::shape) << r;
      EXPECT_NE(chosen_algorithm(Model::star(1, r), 1, type, 1 << 18), Cuda::Direct::Algorithm::shape) << r;
      EXPECT_EQ(chosen_algorithm(Model::star(1, r), 1, type, 1 << 26), Cuda::Direct::Algorithm::shape) << r;
    }
  }
  // A kernel that starts quickly.
  EXPECT_EQ(chosen_algorithm(Model::box(2, 1), 2, ValueType::float32, 512), Cuda::Direct::Algorithm::shape);
  // No kernel is made for this shape.
  EXPECT_EQ(chosen_algorithm(Model::box(2, 9), 2, ValueType::float32, 10240), Cuda::Direct::Algorithm::taps);
  // On small grids the generic kernel is never chosen, up to as many terms as the arguments of a launch hold.
  for (int rank = 1; rank <= 3; ++rank) {
    for (int r = 1; r <= 2; ++r) {
      for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
        std::int64_t const side = rank == 1 ? 1 << 18 : rank == 2 ? 512 : 64;
        EXPECT_NE(chosen(problem(Model::star(rank, r), rank, type, 1, side), h200).backend, "generic");
        EXPECT_NE(chosen(problem(Model::box(rank, r), rank, type, 1, side), h200).backend, "generic");
      }
    }
  }
}

TEST(CudaModel, PointsNearFacesByAxis) {
  Problem const p = Model::grid_problem(Model::box(3, 1), 3, {{10, 12, 14}}, ValueType::float32, Accuracy::native, 1);
  Problem all     = p;
  all.begin       = {{0, 0, 0}};
  all.end         = all.extent;
  Model::NearFaces const near = Model::near_faces(all, p.lower, p.upper);
  EXPECT_EQ(near.points, 10.0 * 12 * 14 - 8.0 * 10 * 12);
  EXPECT_EQ(near.row_ends, 2.0 * 10 * 12);
  EXPECT_EQ(near.at_ends, 2.0 * 8 * 10);
  EXPECT_EQ(near.edges, 2.0 * (10 * 12 - 8 * 10));
  // Where the kernel for the others passes the slow faces too.
  Model::NearFaces const only_x = Model::near_faces(all, {{0, 0, -1}}, {{0, 0, 1}});
  EXPECT_EQ(only_x.points, 2.0 * 10 * 12);
  EXPECT_EQ(only_x.at_ends, near.at_ends);
  EXPECT_EQ(only_x.edges, near.edges);
}

TEST(CudaModel, TheHostLaunchesEachPass) {
  DeviceModel const& h200 = device("H200");
  Model::Kernel k;
  k.depth         = 2;
  k.least_seconds = 4e-6;
  k.fraction      = 1.0;
  EXPECT_DOUBLE_EQ(Model::estimate(k, h200, 1e4, 4, 5).host_seconds, 3 * 4e-6);
  // Copies to padded rows and back add to that: a small plane takes the host as long as these launches.
  Problem p        = problem(Model::box(2, 2), 2, ValueType::float16, 1, 104);
  double const own = of("cuda_sparse_table", p, h200).host_seconds;
  ++p.in_stride[1];
  p.out_stride          = p.in_stride;
  Estimate const padded = of("cuda_sparse_table", p, h200);
  EXPECT_GT(padded.host_seconds, own + 1.5 * Cuda::host_launch_seconds(h200));
  EXPECT_GE(padded.seconds, padded.host_seconds);
}

TEST(CudaModel, TheCeilingMoves) {
  DeviceModel const& h200 = device("H200");
  EXPECT_EQ(of("cuda_direct", problem(Model::star(2, 1), 2, ValueType::float32), h200).bottleneck, Bottleneck::memory);
  EXPECT_EQ(of("cuda_direct", problem(Model::box(2, 7), 2, ValueType::float32), h200).bottleneck,
            Bottleneck::arithmetic);
  EXPECT_EQ(of("cuda_direct", problem(Model::star(2, 1), 2, ValueType::float32, 1, 64), h200).bottleneck,
            Bottleneck::launch);
  // On a GPU that is slow in double even small stencils are bound by arithmetic.
  EXPECT_EQ(of("cuda_direct", problem(Model::box(2, 2), 2, ValueType::float64), device("L40S")).bottleneck,
            Bottleneck::arithmetic);
}

TEST(CudaModel, UnsupportedProblemsHaveReasons) {
  auto const reason_of = [](char const* backend, Problem const& p, DeviceModel const& d) {
    auto const all = candidates(p, d);
    return std::find_if(all.begin(), all.end(), [&](Candidate const& c) { return c.backend == backend; })->reason;
  };
  auto const reason = [&](Problem const& p, char const* d) {
    std::string const text = reason_of("cuda_sparse_tensor", p, device(d));
    return text.find("times the time") == std::string::npos ? text : "";
  };
  EXPECT_EQ(reason(problem(Model::box(2, 1), 2, ValueType::float16), "A100"), "");
  EXPECT_NE(reason(problem(Model::box(2, 1), 2, ValueType::float64), "A100"), "");
  EXPECT_NE(reason(problem(Model::box(2, 9), 2, ValueType::float16), "A100"), "");
  // Rows that are not aligned can be padded.
  EXPECT_EQ(reason(problem(Model::box(2, 1), 2, ValueType::float16, 1, 101), "A100"), "");
  EXPECT_NE(reason(problem(Model::box(2, 1), 2, ValueType::float16, 1, 0, Accuracy::reproducible), "A100"), "");
  // Two halves cannot hold such a coefficient.
  Problem wide              = problem(Model::box(2, 4), 2, ValueType::float32);
  wide.terms[0].coefficient = 1e-16;
  EXPECT_NE(reason_of("cuda_tensor_float", wide, device("H200")).find("too small beside the largest"),
            std::string::npos);
  // Grids in which no tile fits.
  EXPECT_NE(reason_of("cuda_tensor_double", problem(Model::box(2, 3), 2, ValueType::float64, 1, 6), device("H200")),
            "");
  EXPECT_NE(reason_of("cuda_sparse_table", problem(Model::box(2, 4), 2, ValueType::float16, 1, 8), device("H200")), "");
  DeviceModel old;
  EXPECT_NE(reason_of("cuda_direct", problem(Model::box(2, 1), 2, ValueType::float32), old), "");
  EXPECT_THROW(candidates(problem(Model::box(2, 1), 2, ValueType::float64), device("A100"), "cuda_sparse_tensor"),
               Error);
  EXPECT_THROW(candidates(problem(Model::box(2, 1), 2, ValueType::float64), device("A100"), "magic"), Error);
}

TEST(CudaModel, PipelinesNeedSharedMemory) {
  auto const pipeline = [](Terms const& t, int rank, ValueType type, char const* gpu) {
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

TEST(CudaModel, StreamsFillWavesOfBlocks) {
  // Volumes that were cut into a little more blocks than run at once, so that these took two turns for one.
  DeviceModel const& h200 = device("H200");
  struct Volume {
    int radius;
    ValueType type;
    std::array<std::int64_t, 3> extents;
  };
  for (Volume const& v :
       {Volume{4, ValueType::float16, {{203, 1041, 544}}}, Volume{4, ValueType::float32, {{313, 389, 265}}},
        Volume{3, ValueType::float64, {{105, 321, 434}}}}) {
    Problem const p = Model::grid_problem(Model::star(3, v.radius), 3, v.extents, v.type, Accuracy::native, 1);
    Direct::SweepPlan const plan = Direct::plan_sweep(p, h200);
    ASSERT_EQ(plan.algorithm, Direct::Algorithm::shape);
    auto const cut = Direct::ShapeCut(*plan.kernel, p, h200.multiprocessors, 1 << 25)
                         .launch(1 << 20, 1 << 22, Direct::Variant::plain);
    ASSERT_TRUE(cut);
    double const waves = static_cast<double>(cut->blocks) / (h200.multiprocessors * plan.kernel->blocks);
    EXPECT_GT(waves / std::ceil(waves), 0.75) << v.extents[0] << ", radius " << v.radius;
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

/// Tasks next to faces run beside the others, so that on a large plane they cost at most a twelfth of the time.
TEST(CudaModel, FacesOfAPlaneCostLittle) {
  using namespace Cuda::Temporal;
  constexpr std::int64_t multiprocessors = 132, side = 10240;
  for (ValueType const type : {ValueType::float32, ValueType::float64}) {
    for (StripTuning const& k : strip_table(type)) {
      Problem p =
          problem(k.shape.star ? Model::star(2, k.shape.radius) : Model::box(2, k.shape.radius), 2, type, 1, side);
      auto const halo = plan_strips(p, k, multiprocessors, k.depth, true).rows;
      for (std::size_t a = 1; a < 3; ++a) {
        p.begin[a] = 0;
        p.end[a]   = side;
        p.faces[a] = {{Face::periodic(), Face::periodic()}};
      }
      auto const periodic = plan_strips(p, k, multiprocessors, k.depth, true).rows;
      EXPECT_LE(static_cast<double>(halo), 1.085 * static_cast<double>(periodic))
          << to_string(type) << ", radius " << k.shape.radius << (k.shape.star ? " star" : " box");
    }
  }
}

TEST(CudaModel, RowsThatBeginAnywhereCostLittle) {
  DeviceModel const& h200 = device("H200");
  for (ValueType const type : {ValueType::float64, ValueType::float32, ValueType::float16}) {
    for (Direct::ShapeTuning const& k : Direct::shape_tunings(type)) {
      if (!k.anywhere() || k.masked) continue;
      int const rank = k.shape.rank;
      Problem p =
          problem(k.shape.star ? Model::star(rank, k.shape.radius) : Model::box(rank, k.shape.radius), rank, type);
      double const aligned = Direct::cost_of_sweeps(p, h200, 1).seconds;
      for (auto* const stride : {&p.in_stride, &p.out_stride})
        *stride = {{p.extent[1] * (p.extent[2] + 1), p.extent[2] + 1, 1}};
      EXPECT_GT(Direct::cost_of_sweeps(p, h200, 1).seconds, aligned);
      EXPECT_LT(Direct::cost_of_sweeps(p, h200, 1).seconds, 3.0 * aligned);
      // A list of terms may be expected to be faster.
      setenv("KOKKOSSTENCIL_CUDA_DIRECT", "shape", 1);
      Direct::SweepPlan const plan = Direct::plan_sweep(p, h200);
      unsetenv("KOKKOSSTENCIL_CUDA_DIRECT");
      ASSERT_EQ(plan.algorithm, Direct::Algorithm::shape) << rank << "-D, " << k.shape.radius;
      EXPECT_EQ(plan.kernel, &k);
      // Its tiles cover the range, whatever the phases, and a ring fits wherever that for aligned rows does.
      int const bytes = size_of(type);
      for (std::uintptr_t phase = 0; phase < 16; phase += static_cast<std::uintptr_t>(bytes)) {
        auto const cut = Direct::ShapeCut(k, p, h200.multiprocessors, 1 << 25)
                             .launch(1024 + phase, 4096 + 2 * phase, Direct::Variant::plain);
        ASSERT_TRUE(cut && cut->anywhere);
        Direct::Geometry const& g = cut->geometry;
        // Planes whose rows begin alike in input and output are cut into other rows.
        std::int64_t const pitch = p.in_stride[1];
        EXPECT_EQ(cut->cut >= 0, rank == 2 && phase == 0 && k.has_cut(0, bytes));
        if (cut->cut >= 0) {
          std::int64_t const row = pitch - Direct::row_cuts[cut->cut].shear;
          EXPECT_EQ(row * bytes % 16, 0);
          EXPECT_GE(g.tiles_x * std::int64_t(k.for_cuts(bytes).width(bytes)), row);
          EXPECT_LE(g.begin[1] * row, g.line_begin + cut->done.begin[2]);
          EXPECT_GE(g.begin[1] + std::int64_t(g.tiles_y) * g.length, g.end[1]);
          EXPECT_GE(g.end[1] * row, g.line_end - pitch + cut->done.end[2]);
          EXPECT_LE(k.for_cuts(bytes).cut_ring_bytes(bytes, cut->cut), 99 << 10);
          continue;
        }
        EXPECT_LE(g.first_vector, g.begin[2]);
        std::int64_t const narrow = g.narrow_tiles_y > 0 ? Direct::narrow_lanes * 16 / bytes : 0;
        EXPECT_GE(g.first_vector + g.tiles_x * std::int64_t(k.for_anywhere(bytes).anywhere_width(bytes)) + narrow,
                  g.end[2]);
        EXPECT_EQ(g.high, (p.extent[0] - 1) * p.in_stride[0] + (p.extent[1] - 1) * p.in_stride[1] + p.extent[2]);
      }
      EXPECT_LE(k.for_anywhere(bytes).anywhere_ring_bytes(bytes), 99 << 10);
    }
  }
}

TEST(CudaModel, TilesCoverShortRows) {
  int narrow = 0, wide = 0;
  for (char const* gpu : {"H200", "H100"}) {
    for (ValueType const type : {ValueType::float64, ValueType::float32, ValueType::float16}) {
      int const bytes = size_of(type);
      for (Direct::ShapeTuning const& k : Direct::shape_tunings(type)) {
        for (int const lanes : Direct::short_row_lanes) {
          if (k.has_lanes(lanes, bytes)) {
            EXPECT_LE(k.with_lanes(lanes).ring_bytes(bytes), 99 << 10);
          }
        }
        if (k.masked || k.shape.rank != 3) continue;
        Direct::ShapeTuning const here = Direct::on_device(k, device(gpu));
        Terms const terms              = k.shape.star ? Model::star(3, k.shape.radius) : Model::box(3, k.shape.radius);
        for (std::int64_t const n : {24, 32, 64, 72, 96, 128, 136, 160, 192, 256, 320, 416, 544}) {
          for (Face const& face : {Face::halo(), Face::mirror()}) {
            Problem p = Model::grid_problem(terms, 3, {{40, 50, n}}, type, Accuracy::native, 1);
            if (face.kind == BoundaryKind::mirror) {
              for (auto& axis : p.faces) axis = {{face, face}};
              p.begin = {{0, 0, 0}};
              p.end   = p.extent;
            }
            auto const l = Direct::ShapeCut(here, p, device(gpu).multiprocessors, 1 << 25)
                               .launch(1 << 20, 1 << 21, Direct::Variant::plain);
            ASSERT_TRUE(l.has_value());
            Direct::ShapeTuning const tile = l->lanes < 32 ? here.with_lanes(l->lanes) : here;
            ++(l->lanes < 32 ? narrow : wide);
            Direct::Geometry const& g = l->geometry;
            EXPECT_LE(g.first_vector, g.begin[2]);
            EXPECT_GE(g.first_vector + std::int64_t(g.tiles_x) * tile.width(bytes), g.end[2]);
            EXPECT_GE(std::int64_t(g.tiles_y) * tile.height(), g.end[1] - g.begin[1]);
            // Rows that fill wide tiles keep them, but for fields in cache where narrow tiles are faster.
            bool const faster = here.column_costs(bytes, false, true).narrow[0] < 1.0;
            if (n % here.width(bytes) == 0 && !faster) {
              EXPECT_EQ(l->lanes, 32);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(narrow, 200);
  EXPECT_GT(wide, 200);
}

TEST(CudaModel, PassesWaitForSlowerMemory) {
  // How many times as long passes of cuda_temporal take on an H100 as on an H200, which differ in memory only: as
  // measured (full.json of both), 24 sweeps of planes and 12 of volumes.
  struct Case {
    Terms terms;
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

TEST(CudaModel, ForcingBeatsThePrediction) {
  auto const all = candidates(problem(Model::box(2, 1), 2, ValueType::float16), device("A100"), "generic");
  for (Candidate const& c : all) EXPECT_EQ(c.chosen, c.backend == "generic");
}

TEST(CudaModel, TimesGrowWithTheProblem) {
  for (DeviceModel const& d : known_devices()) {
    for (Entry const& entry : backends()) {
      double last = 0.0;
      for (std::int64_t const side : {64, 256, 1024, 4096, 16384}) {
        auto const estimates = entry.cost(problem(Model::box(2, 2), 2, ValueType::float16, 4, side), d);
        ASSERT_FALSE(estimates.empty()) << entry.backend;
        for (Estimate const& e : estimates) EXPECT_GT(e.seconds, 0.0);
        // All small grids for which a GPU needs one wave of blocks take the same time, patches of planes up to 1024.
        double const least = side > 1024 ? std::nextafter(last, 1.0) : last;
        EXPECT_GE(estimates.front().seconds, least) << entry.backend << " on " << d.name << " at " << side;
        last = estimates.front().seconds;
      }
    }
  }
}

/// The chosen backends for radius 1, 2, and so on, a letter each: g generic, d direct, t temporal, s sparse_tensor,
/// l sparse_table, f tensor_float, m tensor_double.
std::string winners(char const* gpu, bool star, int rank, int largest, ValueType type, std::int64_t steps) {
  std::string all;
  for (int r = 1; r <= largest; ++r) {
    Terms const terms      = star ? Model::star(rank, r) : Model::box(rank, r);
    std::string const name = chosen(problem(terms, rank, type, steps), device(gpu)).backend;
    all += name == "generic"              ? "g"
           : name == "cuda_tensor_float"  ? "f"
           : name == "cuda_tensor_double" ? "m"
           : name == "cuda_sparse_table"  ? "l"
                                          : name.substr(5, 1);
  }
  return all;
}

/// The choices for all shapes: a line for each GPU, type and number of sweeps.
std::string crossovers() {
  std::string text = "\n";
  for (char const* gpu : {"A100", "H100", "H200"}) {
    for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
      for (std::int64_t const steps : {1, 24}) {
        std::string line = std::string(gpu) + " " + to_string(type) + " " + std::to_string(steps);
        line.resize(15, ' ');
        line += winners(gpu, true, 1, 9, type, steps) + "  ";
        line += winners(gpu, true, 2, 9, type, steps) + "  " + winners(gpu, false, 2, 9, type, steps) + "  ";
        line += winners(gpu, true, 3, 5, type, steps) + "  " + winners(gpu, false, 3, 3, type, steps);
        text += line + "\n";
      }
    }
  }
  return text;
}

TEST(CudaModel, ColumnsThatAreNoWholeVector) {
  Problem p = problem(Model::star(2, 1), 2, ValueType::float16, 1, 103);
  EXPECT_EQ(Cuda::columns_left(p), 103 % 8);
  // Bytes, of which three values have six: rows begin five values before a vector.
  p.in_phase = 6;
  EXPECT_EQ(Cuda::columns_left(p), 5 + (103 - 5) % 8);
  p.in_phase = 8;
  EXPECT_EQ(Cuda::columns_left(p), 4 + (103 - 4) % 8);
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

TEST(CudaModel, Crossovers) {
  // Columns: 1-D star, 2-D star, 2-D box, 3-D star, 3-D box, on 2^26, 10240^2 and 512^3 points. What decides:
  // - One sweep in half: CUDA cores need an instruction for each term, while the product for a row costs tensor cores
  //   the same for every radius up to 7. So tensor cores win for all boxes, and for lines from radius 5 on, where CUDA
  //   cores need many shuffles. Stars in a plane have many rows with few terms: tensor cores win where there are few
  //   rows (radius 1, 2; on an H100, whose memory is slower, both take the same, as for boxes of radius 1), then CUDA
  //   cores as long as a kernel is made for the star (3, 4), then tensor cores, since kernels that read a list of terms
  //   are slower. Beyond 15 rows, two windows of a line or three planes only sparse_table has a kernel, and for stars
  //   of radius 5 in 3-D its tables are as fast as CUDA cores.
  // - One sweep in float: tensor cores need three products, so CUDA cores win up to boxes of radius 4 on the H200.
  //   Beyond 7 neither has a kernel made for the shape.
  // - In double tensor cores have twice the rate of CUDA cores and need no split: boxes of radius 4 and 7.
  // - For boxes of radius 3 in 3-D there are only the list of terms and the tiles of `temporal`.
  // - 24 sweeps: `temporal` wins up to radius 4, in 3-D up to 2, except where composed stencils in half need as few
  //   passes. Stencils that are bound by arithmetic gain nothing by it.
  // As measured on the H200 (full.json), only for 2-D stars of radius 3 in half with 24 sweeps another backend is
  // within 5 % of the chosen one. On the A100 nothing was measured.
  EXPECT_EQ(crossovers(), R"(
A100 half 1    ddddsssds  ddddsssll  dssssssll  ddddd  sll
A100 half 24   ssstsssds  sssdsssll  sssssssll  ddddd  sll
A100 float 1   ddddddddd  ddddddddd  dddffffdd  ddddd  ddd
A100 float 24  ttttddddd  ttttddddd  tttffffdd  tdddd  ddd
A100 double 1  ddddddddd  ddddddddd  ddddddmdd  ddddd  ddd
A100 double 24 ttttddddd  ttdtddddd  ttddddmdd  tdddd  ddd
H100 half 1    ddddsssll  ddddsssll  dssssssll  ddddl  sll
H100 half 24   ttttsssll  stttsssll  sssssssll  tdddl  sll
H100 float 1   ddddddddd  ddddddddd  ddddfffdd  ddddd  ddt
H100 float 24  ttttddddd  ttttddddd  ttttfffdd  ttddd  tdt
H100 double 1  ddddddddd  ddddddddd  dddmdmmdd  ddddd  ddd
H100 double 24 ttttddddd  ttttddddd  tttmdmmdd  ttddd  tdd
H200 half 1    ddddsssll  ssddsssll  sssssssll  ddddl  sll
H200 half 24   ttttsssll  ssstsssll  sssssssll  tdddl  sll
H200 float 1   ddddddddd  ddddddddd  ddddfffdd  ddddd  ddt
H200 float 24  ttttddddd  ttttddddd  tttdfffdd  ttddd  tdt
H200 double 1  ddddddddd  ddddddddd  dddmdmmdd  ddddd  ddd
H200 double 24 ttttddddd  ttttddddd  tttmdmmdd  ttddd  tdd
)");
}

TEST(CudaModel, LayoutsReachFar) {
  auto const reach = [](char const* gpu, bool star) {
    int r = 1;
    for (;; ++r) {
      Problem const p = problem(star ? Model::star(3, r) : Model::box(3, r), 3, ValueType::float16);
      if (!Cuda::SparseTable::choose_layout(p, device(gpu).multiprocessors,
                                            shared_bytes_of(device(gpu).compute_capability)))
        break;
    }
    return r - 1;
  };
  // The text of unsupported_reason names the same numbers.
  EXPECT_EQ(reach("H200", false), 10);
  EXPECT_EQ(reach("H200", true), 18);
  EXPECT_EQ(reach("A100", false), 8);
  EXPECT_EQ(reach("A100", true), 16);
}

/// Shared memory as the kernel's copies leave it: where each row of each plane begins.
class Rings {
 public:
  explicit Rings(Cuda::SparseTable::Layout const& layout) : m_layout(layout) {
    for (Ring& r : m_rings) r.next = r.of->lower[0];
    copy(true);
  }

  /// The next tile of planes, into the slots that follow.
  void copy(bool first = false) {
    for (Ring& r : m_rings) {
      int const count = m_layout.tile.z + (first ? r.of->upper[0] - r.of->lower[0] : 0);
      for (int i = 0; i < count && r.of->planes > 0; ++i, ++r.next) {
        for (int row = 0; row < r.of->rows; ++row) {
          int const word = r.of->at / 4 + r.slot * r.of->plane_words + row * m_layout.row_words;
          m_rows[word]   = {{r.next, r.of->lower[1] + row}};
        }
        r.slot = (r.slot + 1) % r.of->planes;
      }
    }
  }

  /// Plane and row that begin at a word.
  std::array<int, 2> at(int word) const {
    auto const found = m_rows.find(word);
    return found == m_rows.end() ? std::array<int, 2>{{1 << 20, 1 << 20}} : found->second;
  }

 private:
  struct Ring {
    Cuda::SparseTable::PlaneRing const* of;
    int next = 0, slot = 0;
  };
  Cuda::SparseTable::Layout const& m_layout;
  std::array<Ring, 2> m_rings{{{&m_layout.ring}, {&m_layout.near_ring}}};
  std::map<int, std::array<int, 2>> m_rows;
};

TEST(CudaModel, RingsHoldWhatTilesRead) {
  Terms lopsided;
  for (int z = -9; z <= 8; ++z) {
    for (int y = -10; y <= 9; ++y) {
      if (z >= 1 && z <= 4 ? y % 2 == 0 : y == -2 || y == 0) lopsided.push_back({{{z, y, y % 3}}, 1.0});
    }
  }
  for (char const* gpu : {"H200", "A100"}) {
    for (Terms const& terms : {Model::box(3, 2), Model::box(3, 7), Model::star(3, 4), Model::star(3, 12),
                               Model::star(3, 15), Model::star(3, 16), lopsided}) {
      Problem const p                   = problem(terms, 3, ValueType::float16);
      Cuda::SparseTable::Layout const l = Cuda::SparseTable::choose_layout(
          p, device(gpu).multiprocessors, shared_bytes_of(device(gpu).compute_capability));
      ASSERT_TRUE(l);
      SCOPED_TRACE(std::string(gpu) + ", " + std::to_string(terms.size()) + " terms, " + std::to_string(l.ring.planes) +
                   " and " + std::to_string(l.near_ring.planes) + " planes");
      if (terms == lopsided || terms == Model::star(3, 16)) {
        EXPECT_GT(l.near_ring.planes, 0);
      }
      Rings rings(l);
      for (int turn = 0; turn < l.phases + 2; ++turn) {
        rings.copy();
        for (int oz = 0; oz < l.tile.z; ++oz) {
          for (int oy = 0; oy < l.tile.y; ++oy) {
            for (Term const& t : Cuda::SparseTable::kernel_terms(p)) {
              int const z = oz + t.offset[0], y = oy + t.offset[1];
              int const row = l.word({{z, y, -l.left}}, turn % l.phases) + l.ring.at / 4;
              // The block's first and last tile.
              int const last = l.height - l.tile.y;
              ASSERT_EQ(rings.at(row), (std::array<int, 2>{{turn * l.tile.z + z, y}}));
              ASSERT_EQ(rings.at(row + last * l.row_words), (std::array<int, 2>{{turn * l.tile.z + z, y + last}}));
            }
          }
        }
      }
    }
  }
}

/// Blocks wait for those whose points are in their halo, and for those that have their points in theirs.
TEST(CudaModel, ResidentBlocksKnowTheirPeers) {
  using namespace Cuda::Resident;
  Face const faces[] = {Face::halo(), Face::periodic(), Face::mirror(), Face::value(1.0)};
  int most = 0, cuts = 0;
  for (int radius : {1, 2}) {
    for (Face const& face : faces) {
      for (std::int64_t const rows : {5, 37, 64, 131, 500, 777}) {
        for (std::int64_t const columns : {5, 97, 256, 640, 1023}) {
          for (int const trim : {0, 3}) {
            Problem p = Model::grid_problem(Model::star(2, radius), 2, {{rows, columns, 1}}, ValueType::float32,
                                            Accuracy::native, 100);
            for (std::size_t a = 1; a < 3; ++a) {
              p.faces[a] = {{face, face}};
              if (face.kind == BoundaryKind::halo) continue;
              p.begin[a] = trim < p.extent[a] / 2 ? trim : 0;
              p.end[a]   = p.extent[a] - p.begin[a];
            }
            for (int kernel = 0; kernel < kernel_table(p.value_type).count; ++kernel) {
              if (kernel_table(p.value_type).rows[kernel].shape.radius != radius) continue;
              if (!kernel_table(p.value_type).rows[kernel].shape.star) continue;
              for (int const depth : {1, 5, 12}) {
                Resident::Plan const plan(p, device("H200"), static_cast<std::size_t>(kernel), depth);
                if (!plan.unsupported_reason().empty()) continue;
                ++cuts;
                ASSERT_LE(plan.blocks(), device("H200").multiprocessors);
                Temporal::PatchArgs const& g          = plan.patches();
                std::vector<std::int32_t> const peers = plan.peers();
                ASSERT_EQ(peers.size(), static_cast<std::size_t>(g.patches[0] + g.patches[1]) * (most_peers + 1));
                for (std::size_t a = 0; a < 2; ++a) {
                  // [i][j]: i waits for j.
                  int const count = g.patches[a];
                  std::vector<std::vector<bool>> waits(static_cast<std::size_t>(count));
                  std::int32_t const* list = peers.data() + (a == 0 ? 0 : g.patches[0] * (most_peers + 1));
                  for (auto& its : waits) {
                    its.assign(static_cast<std::size_t>(count), false);
                    ASSERT_GE(list[0], 1);
                    ASSERT_LE(list[0], most_peers);
                    most = std::max(most, static_cast<int>(list[0]));
                    for (int k = 1; k <= list[0]; ++k) its[static_cast<std::size_t>(list[k])] = true;
                    list += most_peers + 1;
                  }
                  auto const low  = [&](int i) { return i == 0 ? g.begin[a] : g.first[a] + g.halo[a] + i * g.step[a]; };
                  auto const high = [&](int i) { return i + 1 == count ? g.end[a] : low(i + 1); };
                  for (int i = 0; i < count; ++i) {
                    for (int at = low(i) - depth * radius; at < high(i) + depth * radius; ++at) {
                      int side             = -1;
                      std::int64_t const m = Impl::map_near_index(at, g.extent[a], g.faces[a], side);
                      if (side >= 0 || m < g.begin[a] || m >= g.end[a]) continue;
                      int owner = 0;
                      while (m >= high(owner)) ++owner;
                      EXPECT_TRUE(waits[static_cast<std::size_t>(i)][static_cast<std::size_t>(owner)]);
                      EXPECT_TRUE(waits[static_cast<std::size_t>(owner)][static_cast<std::size_t>(i)]);
                      // It lies in the frame of its owner.
                      EXPECT_TRUE(owner == i || m < low(owner) + g.halo[a] || m >= high(owner) - g.halo[a]);
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cuts, 500);
  EXPECT_GT(most, 3);
}

/// What warps are told of their bundles: each line is sent by one and received by one, each row that is shown to a warp
/// of the block is read by one, all in the shared memory that there is, and rows to be read lie in the View.
void check_entries(Resident::VolumePlan const& plan, Problem const& p, Resident::VolumeTuning const& k) {
  using namespace Cuda::Resident;
  VolumeLayout const l               = k.layout(size_of(p.value_type));
  VolumeArgs const& g                = plan.args();
  std::vector<VolumeEntry> const all = plan.entries(p.value_type);
  std::int32_t const first           = l.warps * l.entries() * static_cast<std::int32_t>(sizeof(VolumeEntry));
  std::vector<std::int32_t> sent, received;
  ASSERT_EQ(all.size(), static_cast<std::size_t>(plan.blocks() * l.warps * l.entries()));
  for (int block = 0; block < plan.blocks(); ++block) {
    std::vector<std::int32_t> shown, read;
    for (int warp = 0; warp < l.warps; ++warp) {
      int const along_z = warp * g.inverse >> 16, along_y = warp - along_z * g.per_block[1];
      ASSERT_EQ(along_z, warp / g.per_block[1]);
      if (along_z >= g.per_block[0]) continue;
      if (block / g.blocks[1] * g.per_block[0] + along_z >= g.bundles[0]) continue;
      if (block % g.blocks[1] * g.per_block[1] + along_y >= g.bundles[1]) continue;
      VolumeEntry const* const entry = &all[static_cast<std::size_t>((block * l.warps + warp) * l.entries())];
      for (int d = 0; d < l.directions(); ++d) {
        VolumeLink const link = entry[1 + d].link;
        int const bytes       = l.shown(d) * l.row_bytes();
        ASSERT_EQ(link.send >= 0, link.receive >= 0);
        ASSERT_FALSE(link.send >= 0 && link.show >= 0);
        ASSERT_GE(link.from, first);
        ASSERT_LE(link.from + (link.show >= 0 ? 2 : 1) * bytes, plan.shared_bytes());
        if (link.send >= 0) {
          sent.push_back(link.send);
          received.push_back(link.receive);
          ASSERT_LE(std::size_t(2 * 16) * static_cast<std::size_t>(link.send + 32 * l.lines(d)), plan.bytes_of_lines());
        } else if (link.show >= 0) {
          shown.push_back(link.show);
          read.push_back(link.from);
          ASSERT_LE(link.show + 2 * bytes, plan.shared_bytes());
        }
      }
      ASSERT_LE(entry->place.rows, l.around());
      for (int r = 0; r < entry->place.rows; ++r) {
        VolumeRow const row = entry[1 + l.directions() + r].row;
        if (row.constant != 0) continue;
        ASSERT_GE(row.from, 0);
        ASSERT_LT(row.from, p.extent[0] * p.in_stride[0]);
      }
    }
    std::sort(shown.begin(), shown.end());
    std::sort(read.begin(), read.end());
    ASSERT_EQ(shown, read);
    ASSERT_EQ(std::adjacent_find(shown.begin(), shown.end()), shown.end());
  }
  std::sort(sent.begin(), sent.end());
  std::sort(received.begin(), received.end());
  ASSERT_EQ(sent, received);
  ASSERT_EQ(std::adjacent_find(sent.begin(), sent.end()), sent.end());
}

/// All rows are in some bundle, all bundles in some block, and each direction has one that leads back.
TEST(CudaModel, ResidentVolumesAreWhole) {
  using namespace Cuda::Resident;
  Face const faces[] = {Face::halo(), Face::periodic(), Face::mirror(), Face::value(1.0), Face::edge()};
  int cuts           = 0;
  for (ValueType const type : {ValueType::float32, ValueType::float64}) {
    for (int kernel = 0; kernel < volume_table(type).count; ++kernel) {
      VolumeTuning const& k = volume_table(type).rows[kernel];
      VolumeLayout const l  = k.layout(size_of(type));
      for (int d = 0; d < l.directions(); ++d) {
        EXPECT_EQ(l.direction(l.along_z(d), l.along_y(d)), d);
        int const back = l.direction(-l.along_z(d), -l.along_y(d));
        EXPECT_EQ(l.lines(back), l.lines(d));
        EXPECT_GE(3 * l.lines(d), l.shown(d) * l.row_words);
        EXPECT_LE(l.first_line(d) + l.lines(d), l.all_lines());
      }
      for (Face const& face : faces) {
        for (std::int64_t const rows : {2, 5, 31, 64, 97, 130}) {
          for (std::int64_t const columns : {3, 30, 64, 90, 96, 128, 155}) {
            Problem p = Model::grid_problem(k.shape.star ? Model::star(3, 1) : Model::box(3, 1), 3,
                                            {{rows, rows + 3, columns}}, type, Accuracy::native, 100);
            for (std::size_t a = 0; a < 3; ++a) {
              p.faces[a] = {{face, face}};
              if (face.kind == BoundaryKind::halo) continue;
              p.begin[a] = 0;
              p.end[a]   = p.extent[a];
            }
            for (int along_z = 1; along_z <= k.warps; along_z *= 2) {
              VolumePlan const plan(p, device("H200"), static_cast<std::size_t>(kernel), along_z);
              if (!plan.unsupported_reason().empty()) continue;
              ++cuts;
              EXPECT_LE(plan.blocks(), device("H200").multiprocessors);
              EXPECT_LE(plan.shared_bytes(), 227 * 1024);
              EXPECT_GT(plan.seconds(3), plan.seconds(2));
              VolumeArgs const& g = plan.args();
              for (std::size_t a = 0; a < 2; ++a) {
                EXPECT_TRUE(p.end[a] - p.begin[a] >= k.rows[a] || g.beyond[a][1] == Beyond::nothing_changes);
                EXPECT_GE(g.bundles[a] * k.rows[a], p.end[a] - p.begin[a]);
                EXPECT_LT((g.bundles[a] - 1) * k.rows[a], p.end[a] - p.begin[a]);
                EXPECT_GE(g.blocks[a] * g.per_block[a], g.bundles[a]);
              }
              EXPECT_EQ(g.first % k.columns_per_lane, 0);
              EXPECT_LE(g.first, p.begin[2]);
              EXPECT_GE(g.first + 32 * k.columns_per_lane, p.end[2]);
              check_entries(plan, p, k);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cuts, 500);
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
  Terms const averages{{{{0, 0, 0}}, 0.5}, {{{1, 0, 0}}, 0.5}};
  EXPECT_EQ(depths(problem(averages, 1, ValueType::float16, 10, 1 << 20)), (Depths{1, 2, 4, 8, 10, 16, 32}));
  // On a small grid too few points lie away from the faces for the larger depths.
  EXPECT_EQ(depths(box(2, 1, 7, 24)), (Depths{1, 4}));
  // Seven sweeps are taken in one pass.
  Candidate const c = chosen(box(2, 1, 7, 16384), device("H200"));
  EXPECT_EQ(c.backend, "cuda_sparse_tensor");
  EXPECT_EQ(c.estimate.depth, 7);
}

TEST(CudaModel, FloatOnTensorCoresKeepsTheAccuracy) {
  auto const winner = [](int radius, Accuracy accuracy) {
    return chosen(problem(Model::box(2, radius), 2, ValueType::float32, 1, 16384, accuracy), device("H200")).backend;
  };
  EXPECT_EQ(winner(4, Accuracy::relaxed), "cuda_tensor_float");
  EXPECT_EQ(winner(7, Accuracy::relaxed), "cuda_tensor_float");
  EXPECT_EQ(winner(7, Accuracy::native), "cuda_tensor_float");
  EXPECT_EQ(winner(7, Accuracy::reproducible), "cuda_direct");
  // With Accuracy::relaxed there is one product instead of three.
  DeviceModel const& h200 = device("H200");
  using Cuda::TensorFloat::cost;
  EXPECT_EQ(cost(problem(Model::box(2, 7), 2, ValueType::float32), h200).front().operations, 2880);
  EXPECT_EQ(cost(problem(Model::box(2, 7), 2, ValueType::float32, 1, 0, Accuracy::relaxed), h200).front().operations,
            960);
}

TEST(CudaModel, DoubleOnTensorCores) {
  EXPECT_EQ(chosen(problem(Model::box(2, 7), 2, ValueType::float64), device("H200")).backend, "cuda_tensor_double");
  // This GPU is slow at matrix products in double.
  EXPECT_NE(chosen(problem(Model::box(2, 7), 2, ValueType::float64), device("L40S")).backend, "cuda_tensor_double");
}

TEST(CudaModel, DecidingTakesLittle) {
  // A case with many terms.
  Problem const p = problem(Model::box(2, 7), 2, ValueType::float16);
  double best     = 1.0;
  for (int k = 0; k < 50; ++k) {
    auto const start = std::chrono::steady_clock::now();
    auto const all   = candidates(p, device("H200"));
    best             = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    EXPECT_FALSE(all.empty());
  }
  std::printf("deciding: %.1f us\n", 1e6 * best);
#ifdef NDEBUG
  EXPECT_LT(best, 50e-6);
#endif
}

}  // namespace
}  // namespace Cuda
}  // namespace KokkosStencil
