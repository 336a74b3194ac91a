// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/Roofline.hpp>

#include <KokkosStencil_Device.hpp>

#include <gtest/gtest.h>

// The tables of the paper, with the A100's numbers.

namespace KokkosStencil {
namespace Model {
namespace {

DeviceModel const& a100() { return *find_device(data_sheets(), "NVIDIA A100 80GB PCIe"); }
Roofline roofline(ComputeUnit unit, ValueType type) { return {a100().rate(unit, type), a100().bandwidth}; }

constexpr double conv_stencil = 0.5;          // S of ConvStencil
constexpr double spider       = 15.0 / 32.0;  // S of SPIDER at radius 7, 0.47 in the tables

std::vector<Term> ones(int rank, int radius, bool star) {
  if (star)
    return Impl::star_terms(rank, radius, std::vector<double>(99, 1.0).data(), static_cast<std::size_t>(radius) + 1);
  auto const count = static_cast<std::size_t>(box_points(rank, radius));
  return Impl::box_terms(rank, radius, std::vector<double>(count, 1.0).data(), count);
}

struct Row {
  int line;
  int radius, depth, bytes;
  double sparsity;  // 0: CUDA cores
  double alpha, operations, memory, intensity;
};

TEST(Paper, TableTwo) {
  // Rows 6, 8 and 10 of the table share the numbers of the rows before them.
  Row const rows[] = {{1, 1, 3, 8, 0, 1, 54, 16, 3.38},
                      {2, 3, 1, 8, 0, 1, 98, 16, 6.12},
                      {3, 1, 7, 4, 0, 1, 126, 8, 15.75},
                      {4, 7, 1, 4, 0, 1, 450, 8, 56.25},
                      {5, 1, 3, 8, conv_stencil, 1.81, 196, 16, 12.25},
                      {6, 3, 1, 8, conv_stencil, 1, 196, 16, 12.25},
                      {7, 1, 7, 4, conv_stencil, 3.57, 900, 8, 112.50},
                      {8, 7, 1, 4, conv_stencil, 1, 900, 8, 112.50},
                      {9, 1, 7, 4, spider, 3.57, 960, 8, 120.00},
                      {10, 7, 1, 4, spider, 1, 960, 8, 120.00}};
  for (Row const& row : rows) {
    SCOPED_TRACE(row.line);
    double const points = box_points(2, row.radius);
    double const alpha  = row.sparsity == 0 ? 1.0 : box_redundancy(2, row.radius, row.depth);
    Work const work     = row.sparsity == 0 ? time_blocked(points, row.bytes, row.depth)
                                            : kernel_fused(points, row.bytes, row.depth, alpha, row.sparsity);
    EXPECT_NEAR(alpha, row.alpha, 0.005);
    EXPECT_NEAR(work.operations, row.operations, 1e-9);
    EXPECT_NEAR(work.bytes, row.memory, 1e-9);
    EXPECT_NEAR(work.intensity(), row.intensity, 0.0051);
  }
}

TEST(Paper, RidgePointsOfTableThree) {
  EXPECT_NEAR(roofline(ComputeUnit::cores, ValueType::float64).ridge(), 5, 0.05);
  EXPECT_NEAR(roofline(ComputeUnit::cores, ValueType::float32).ridge(), 10, 0.1);
  EXPECT_NEAR(roofline(ComputeUnit::tensor_cores, ValueType::float64).ridge(), 10, 0.1);
  EXPECT_NEAR(roofline(ComputeUnit::tensor_cores, ValueType::float32).ridge(), 81, 0.5);
  EXPECT_NEAR(roofline(ComputeUnit::sparse_tensor_cores, ValueType::float32).ridge(), 161, 0.5);
}

struct Case {
  int number, rank, radius, depth;
  ValueType type;
  double sparsity;
  double on_cores, on_tensor;  // intensities
  Scenario expected;
  bool profitable;
};

TEST(Paper, ScenariosOfTableThree) {
  // The table gives 21.58 for case 4 on cores, where table 2 has the model's 56.25 for the same kernel.
  Case const cases[] = {{1, 2, 1, 3, ValueType::float64, conv_stencil, 3.38, 12.25, Scenario::memory_compute, false},
                        {2, 2, 3, 1, ValueType::float64, conv_stencil, 6.13, 12.25, Scenario::compute_compute, true},
                        {3, 2, 1, 7, ValueType::float32, spider, 15.75, 120.00, Scenario::compute_memory, true},
                        {4, 2, 7, 1, ValueType::float32, spider, 56.25, 120.00, Scenario::compute_memory, true},
                        {5, 3, 1, 3, ValueType::float64, conv_stencil, 10.13, 85.75, Scenario::compute_compute, false},
                        {6, 3, 1, 7, ValueType::float32, spider, 47.25, 1795.21, Scenario::compute_compute, false}};
  for (Case const& c : cases) {
    SCOPED_TRACE(c.number);
    bool const sparse     = c.sparsity != conv_stencil;
    Roofline const cores  = roofline(ComputeUnit::cores, c.type);
    Roofline const tensor = roofline(sparse ? ComputeUnit::sparse_tensor_cores : ComputeUnit::tensor_cores, c.type);
    double const points   = box_points(c.rank, c.radius);
    double const alpha    = box_redundancy(c.rank, c.radius, c.depth);
    Work const on_cores   = time_blocked(points, size_of(c.type), c.depth);
    Work const on_tensor  = kernel_fused(points, size_of(c.type), c.depth, alpha, c.sparsity);
    EXPECT_NEAR(on_cores.intensity(), c.on_cores, 0.006);
    EXPECT_NEAR(on_tensor.intensity(), c.on_tensor, 0.004 * c.on_tensor);
    EXPECT_EQ(scenario(cores, on_cores, tensor, on_tensor), c.expected);
    EXPECT_EQ(in_sweet_spot(cores, on_cores, tensor, on_tensor, alpha, c.sparsity), c.profitable);
    // Equations 14 to 19: never faster outside the sweet spot, faster inside.
    double const ratio = speedup(cores, on_cores, tensor, on_tensor);
    EXPECT_EQ(ratio > 1.0, c.profitable) << ratio;
    // Equation 13 is the ratio of the useful rates.
    EXPECT_NEAR(ratio, useful_rate(tensor, on_tensor, alpha, c.sparsity) / cores.attainable(on_cores.intensity()),
                1e-9);
  }
}

TEST(Paper, CaseTwoLiesAtTheBoundary) {
  Roofline const cores  = roofline(ComputeUnit::cores, ValueType::float64),
                 tensor = roofline(ComputeUnit::tensor_cores, ValueType::float64);
  double const points   = box_points(2, 3);
  EXPECT_NEAR(speedup(cores, one_sweep(points, 8), tensor, kernel_fused(points, 8, 1, 1.0, conv_stencil)), 1.0, 0.01);
}

TEST(Paper, SparsityMovesTheBottleneck) {
  // Table 4: the same work is compute-bound on dense and memory-bound on sparse tensor cores.
  Work const work = kernel_fused(9, 4, 7, box_redundancy(2, 1, 7), spider);
  EXPECT_FALSE(roofline(ComputeUnit::tensor_cores, ValueType::float32).memory_bound(work));
  EXPECT_TRUE(roofline(ComputeUnit::sparse_tensor_cores, ValueType::float32).memory_bound(work));
}

TEST(Paper, RedundancyOfFigureSix) {
  // Box-2D1R fused three times: 49 multiply-adds where three sweeps need 27.
  EXPECT_EQ(fused_points(ones(2, 1, false), 3), 49.0);
  EXPECT_NEAR(box_redundancy(2, 1, 3), 49.0 / 27.0, 1e-12);
}

TEST(Paper, TransitionsOfSectionFourTwo) {
  // Box stencils become compute-bound at a smaller depth than stars; Box-3D2R is so without fusion.
  auto const first = [](double points, ValueType type) {
    int depth = 1;
    while (roofline(ComputeUnit::cores, type).memory_bound(time_blocked(points, size_of(type), depth))) ++depth;
    return depth;
  };
  EXPECT_EQ(first(box_points(3, 2), ValueType::float32), 1);
  EXPECT_LT(first(box_points(2, 1), ValueType::float32), first(star_points(2, 1), ValueType::float32));
  EXPECT_EQ(first(box_points(2, 1), ValueType::float32), 5);
  EXPECT_EQ(first(star_points(2, 1), ValueType::float32), 9);
}

TEST(Model, FusedPointsOfAnyShape) {
  for (int depth = 1; depth <= 4; ++depth) {
    for (int rank = 1; rank <= 3; ++rank) {
      EXPECT_EQ(fused_points(ones(rank, 1, false), depth), box_points(rank, depth));
    }
    // A star composed with itself is a diamond.
    EXPECT_EQ(fused_points(ones(2, 1, true), depth), 2.0 * depth * depth + 2.0 * depth + 1.0);
  }
}

TEST(Model, BestDepth) {
  Roofline const cores = roofline(ComputeUnit::cores, ValueType::float32);
  // Without redundancy depth pays until the cores are busy: 5 for the box, 9 for the star.
  auto const box = [](int depth) { return time_blocked(9, 4, depth); };
  EXPECT_EQ(best_depth(cores, 16, box), 5);
  EXPECT_EQ(best_depth(cores, 3, box), 3);
  EXPECT_EQ(best_depth(cores, 16, [](int depth) { return time_blocked(5, 4, depth); }), 9);
  // Fused kernels stop where the product becomes compute-bound, and do not begin for radius 7 in three dimensions.
  Roofline const sparse = roofline(ComputeUnit::sparse_tensor_cores, ValueType::float32);
  auto const fused      = [](int rank, int radius) {
    return [=](int depth) {
      return kernel_fused(box_points(rank, radius), 4, depth, box_redundancy(rank, radius, depth), spider);
    };
  };
  EXPECT_EQ(best_depth(sparse, 16, fused(2, 1)), 8);
  EXPECT_EQ(best_depth(sparse, 16, fused(3, 7)), 1);
}

}  // namespace
}  // namespace Model
}  // namespace KokkosStencil
