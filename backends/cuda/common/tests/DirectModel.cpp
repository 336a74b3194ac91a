// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelTest.hpp"
#include "direct/Covering.hpp"
#include "direct/ListTuning.hpp"
#include "direct/Plan.hpp"
#include "direct/ShapeCut.hpp"
#include "direct/TapTiles.hpp"

#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

// What the model and the plans of cuda_direct choose: kernels, tiles, lists of terms.

namespace KokkosStencil {
namespace Cuda {
namespace {

TEST(CudaModel, APatternRunsOnTheSmallestShapeAround) {
  auto const shape = [](TermList const& t, int rank, ValueType type = ValueType::float32) {
    Problem const p                          = problem(t, rank, type);
    Cuda::Direct::ShapeTuning const* const k = Cuda::Direct::find_kernel(p);
    if (k == nullptr) return std::string("none");
    EXPECT_TRUE(k->masked);
    return (k->shape.star ? "star" : "box") + std::to_string(k->shape.rank) + std::to_string(k->shape.radius);
  };
  using Offsets    = std::vector<std::array<int, 3>>;
  auto const terms = [](Offsets const& offsets) {
    TermList t;
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

TEST(CudaModel, OneSweepOnPaddedCopies) {
  // Short rows of halves that begin anywhere: worth two copies at radius 3, if the grid hides what copies take to
  // start.
  auto const pads = [](int radius, std::int64_t planes, std::int64_t rows) {
    Problem p =
        Model::grid_problem(Model::star(3, radius), 3, {{planes, rows, 56}}, ValueType::float16, Accuracy::native, 1);
    p.in_stride[1] = 63;
    p.in_stride[0] = rows * 63;
    p.out_stride   = p.in_stride;
    return of("cuda_direct", p, device("H200")).padded;
  };
  EXPECT_TRUE(pads(3, 480, 492));
  EXPECT_FALSE(pads(3, 240, 246));
  EXPECT_FALSE(pads(1, 480, 492));
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

TEST(CudaModel, TheLastTileOfARowThatBeginsAnywhereTakesAFewColumnsMore) {
  DeviceModel const& h200 = device("H200");
  int more                = 0;
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    int const bytes = size_of(type);
    for (Direct::ShapeTuning const& k : Direct::shape_tunings(type)) {
      if (k.masked || k.shape.rank != 3 || !k.anywhere()) continue;
      int const r = k.shape.radius;
      for (std::int64_t n = 501; n < 660; n += 2) {
        Problem p      = problem(k.shape.star ? Model::star(3, r) : Model::box(3, r), 3, type, 1, n);
        p.in_stride    = {{n * n, n, 1}};
        p.out_stride   = p.in_stride;
        auto const cut = Direct::ShapeCut(k, p, h200.multiprocessors, 1 << 25)
                             .launch(1 << 20, std::uintptr_t(1) << 40, Direct::Variant::plain);
        ASSERT_TRUE(cut.has_value());
        Direct::Geometry const& g = cut->geometry;
        EXPECT_TRUE(cut->anywhere);
        EXPECT_EQ(cut->tail_blocks, 0u);
        EXPECT_EQ(g.end[2], cut->done.end[2]);
        if (!cut->more) continue;
        ++more;
        ASSERT_TRUE(k.has_more_anywhere(bytes));
        std::int64_t const rest = g.end[2] - g.begin[2] - g.tiles_x * k.for_anywhere(bytes).anywhere_width(bytes);
        EXPECT_EQ(g.first_vector, cut->done.begin[2]);
        EXPECT_GT(rest, 0);
        EXPECT_LE(rest, Direct::more_columns);
        // A thread for each, and a multiprocessor of 99 kB has room for the ring.
        Direct::ShapeTuning const here = k.for_more_anywhere(bytes);
        EXPECT_LE(here.height() * Direct::more_columns, here.threads());
        EXPECT_LE(here.anywhere_ring_bytes(bytes), 99 * 1024);
      }
    }
  }
  EXPECT_GT(more, 40);
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
  auto const tiles        = [&](TermList const& t, int rank, ValueType type, std::array<std::int64_t, 3> const& n) {
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
    TermList const far = {{{{0, -9, -7}}, 0.25}, {{{0, 3, 11}}, 0.125}};
    Problem p          = Model::grid_problem(far, 2, {{2048, 2048, 1}}, type, Accuracy::native, 1);
    auto const come    = [&] { return Direct::tap_tiles(p, interior(p), h200).in_arguments; };
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
    TermList const plane = {{{{0, -3, -11}}, 0.25}, {{{0, 7, 7}}, 0.125}},
                   space = {{{{-2, -3, -11}}, 0.25}, {{{2, 7, 7}}, 0.125}};
    p                    = Model::grid_problem(plane, 2, {{710, 658, 1}}, type, Accuracy::native, 1);
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
  auto const chosen_algorithm = [&](TermList const& t, int rank, ValueType type, std::int64_t side) {
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
        TermList const terms           = k.shape.star ? Model::star(3, k.shape.radius) : Model::box(3, k.shape.radius);
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

}  // namespace
}  // namespace Cuda
}  // namespace KokkosStencil
