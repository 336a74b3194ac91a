// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_tensor/Plan.hpp"
#include "sparse_tensor/ShearedLayout.hpp"

#include <model/GridProblem.hpp>
#include <model/SweepCost.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// Memory whose rows begin anywhere, cut into rows that begin with vectors: the same neighbours, every output once.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {
namespace {

Problem volume(std::vector<Term> const& terms, std::array<std::int64_t, 3> const& extent, std::int64_t pitch,
               std::int64_t rows_between = 0) {
  Problem p      = Model::grid_problem(terms, 3, extent, ValueType::float16, Accuracy::native, 1);
  p.in_stride[1] = pitch;
  p.in_stride[0] = (extent[1] + rows_between) * pitch;
  p.out_stride   = p.in_stride;
  return p;
}

TEST(ShearedRows, NeighboursAreTheSame) {
  std::mt19937 random(7);
  auto const between = [&](std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(hi - lo + 1));
  };
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::int64_t const columns = between(190, 1100), pitch = columns + between(3, 9);
    Problem const p = volume(Model::box(3, 1), {{between(8, 90), between(30, 90), columns}}, pitch, between(0, 2));
    ShearedLayout const layout = sheared_layout(p);
    if (!layout) continue;
    ++found;
    EXPECT_EQ(layout.row % 8, 0);
    EXPECT_EQ(layout.plane % 8, 0);
    std::vector<Term> const sheared = layout.terms(p);
    for (std::size_t t = 0; t < p.terms.size(); ++t) {
      auto const& a = p.terms[t].offset;
      auto const& b = sheared[t].offset;
      EXPECT_EQ(a[0] * p.in_stride[0] + a[1] * pitch + a[2], b[0] * layout.plane + b[1] * layout.row + b[2]);
      EXPECT_GE(b[2], -8);
      EXPECT_LT(b[2], 8);
    }
    // Every output of each plane lies in the rows of its tile, and none before them by a pitch or more.
    auto const work = [&] {
      for (KernelTuning const& k : kernels) {
        if (k.algorithm == Algorithm::sheared) return Plan(p, Model::reference_device(), k).work(nullptr, nullptr);
      }
      return Work();
    }();
    if (work.blocks == 0) continue;
    Args const& a = work.args;
    EXPECT_EQ(work.blocks, a.strips * a.planes * a.chunks);
    for (std::int64_t plane = 0; plane < a.y_end; ++plane) {
      std::int64_t const first  = plane / a.height * a.height;
      std::int64_t const height = std::min<std::int64_t>(a.height, a.y_end - first);
      std::int64_t const drift  = (a.out_z - a.in_z) * (height - 1);
      std::int64_t home         = a.first + first * a.out_z + std::min<std::int64_t>(drift, 0);
      home -= home % sheared_line;
      std::int64_t const from = a.first + plane * a.out_z - home - (plane - first) * a.in_z;
      EXPECT_GE(from, 0);
      EXPECT_LT(from, pitch);
      EXPECT_LE(from + (a.rows - 1) * pitch + a.columns, a.z_end * a.in_y);
    }
  }
  EXPECT_GT(found, 150);
}

TEST(ShearedRows, ForWhichTheyAre) {
  auto const kernel = [](Problem const& p) {
    Plan const plan(p, Model::reference_device());
    return plan ? static_cast<int>(plan.kernel().algorithm) : -1;
  };
  EXPECT_EQ(kernel(volume(Model::box(3, 1), {{513, 513, 513}}, 513)), static_cast<int>(Algorithm::sheared));
  EXPECT_EQ(kernel(volume(Model::box(3, 1), {{512, 512, 512}}, 512)), static_cast<int>(Algorithm::slab));
  // Stars are left to others, and so are Views that begin or go on differently.
  EXPECT_EQ(kernel(volume(Model::star(3, 1), {{513, 513, 513}}, 513)), -1);
  Problem p   = volume(Model::box(3, 1), {{513, 513, 513}}, 513);
  p.out_phase = 1;
  EXPECT_EQ(kernel(p), -1);
  p               = volume(Model::box(3, 1), {{513, 513, 513}}, 513);
  p.out_stride[1] = 515;
  p.out_stride[0] = 513 * 515;
  EXPECT_EQ(kernel(p), -1);
  // Four columns and four more for the plane below: too far aside.
  EXPECT_EQ(kernel(volume(Model::box(3, 1), {{101, 101, 516}}, 516)), -1);
}

}  // namespace
}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
