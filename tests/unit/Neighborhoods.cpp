// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Reference.hpp"

#include <impl/KokkosStencil_Neighborhood.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

// What a neighbourhood reads without branches is what the rules say, for windows narrower than the View.

namespace KokkosStencil {
namespace Impl {
namespace {

template <class N>
double read(N const& u, std::array<std::int64_t, 3> const& o, std::integral_constant<int, 1>) {
  return u(o[0]);
}
template <class N>
double read(N const& u, std::array<std::int64_t, 3> const& o, std::integral_constant<int, 2>) {
  return u(o[0], o[1]);
}
template <class N>
double read(N const& u, std::array<std::int64_t, 3> const& o, std::integral_constant<int, 3>) {
  return u(o[0], o[1], o[2]);
}

template <int Rank>
void compare(std::uint32_t seed) {
  std::integral_constant<int, Rank> const rank;
  std::mt19937 random(seed);
  auto const pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  auto const rules     = Test::all_faces();
  std::int64_t outside = 0;
  for (int trial = 0; trial < 400; ++trial) {
    FieldGeometry geometry;
    ViewIndex<Rank> stride = {}, i = {};
    std::array<std::int64_t, 3> reach{{0, 0, 0}};
    std::int64_t size = 1;
    for (int a = 0; a < Rank; ++a) {
      auto const axis       = static_cast<std::size_t>(a);
      std::int64_t const n  = pick(1, 9);
      geometry.extent[axis] = n;
      stride[a]             = size;
      size *= n;
      i[a]        = pick(0, n - 1);
      reach[axis] = n;
      for (auto& face : geometry.faces[axis])
        face = rules[static_cast<std::size_t>(pick(0, std::int64_t(rules.size()) - 1))];
      // A range leaves out what is read beyond a halo.
      if (geometry.faces[axis][0].kind == BoundaryKind::periodic ||
          geometry.faces[axis][1].kind == BoundaryKind::periodic) {
        geometry.faces[axis][0] = geometry.faces[axis][1] = Face::periodic();
      }
    }
    std::vector<double> values(static_cast<std::size_t>(size));
    std::iota(values.begin(), values.end(), 1000.0);
    FaceSteps const steps(geometry);
    BasicNeighborhood<double, Rank> const ruled(values.data(), stride, i, &geometry);
    BasicNeighborhood<double, Rank> const stepped(values.data(), stride, i, &steps);
    for (int time = 0; time < 60; ++time) {
      std::array<std::int64_t, 3> o{{0, 0, 0}};
      bool beyond = false, halo = false;
      for (int a = 0; a < Rank; ++a) {
        auto const axis = static_cast<std::size_t>(a);
        o[axis]         = pick(-reach[axis], reach[axis]);
        for (std::size_t side = 0; side < 2; ++side) {
          std::int64_t const at = i[a] + o[axis];
          if (side == 0 ? at >= 0 : at < geometry.extent[axis]) continue;
          beyond = true;
          halo   = halo || geometry.faces[axis][side].kind == BoundaryKind::halo;
        }
      }
      if (halo) continue;
      if (beyond) ++outside;
      EXPECT_EQ(read(stepped, o, rank), read(ruled, o, rank));
    }
  }
  EXPECT_GT(outside, 1000);
}

TEST(Neighborhoods, WithoutBranchesTheSame) {
  compare<1>(31);
  compare<2>(32);
  compare<3>(33);
}

}  // namespace
}  // namespace Impl
}  // namespace KokkosStencil
