// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelTest.hpp"
#include "common/BoundaryTiles.hpp"
#include "common/KernelTime.hpp"
#include "direct/Plan.hpp"
#include "direct/ShapeCut.hpp"
#include "temporal/StripPlan.hpp"
#include "tensor_float/Plan.hpp"

#include <model/Choice.hpp>
#include <model/GridProblem.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// What the model chooses on GPUs that need not be there.

namespace KokkosStencil {
namespace Cuda {
namespace {

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
    TermList const terms   = star ? Model::star(rank, r) : Model::box(rank, r);
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
H100 float 24  ttttddddd  ttttddddd  ttttfffdd  tttdd  tdt
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
