// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

// Single sweeps next to faces: every pair of rules along x, past which kernels of cuda_direct make columns themselves,
// on rows that end anywhere in a tile, on every backend that can.

namespace KokkosStencil {
namespace Test {
namespace {

class FacesOfRows : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda") GTEST_SKIP() << "CUDA only";
    if (runner().rank() == 1) GTEST_SKIP() << "a line is not cut into rows";
    // On grids as small as these cuda_direct would not use its kernels for shapes, which are the ones to be tested.
    setenv("KOKKOSSTENCIL_CUDA_DIRECT", "shape", 1);
  }
  void TearDown() override { unsetenv("KOKKOSSTENCIL_CUDA_DIRECT"); }

  /// One call for each pair of rules along x. Widths, layouts and the rules of the other axes take turns.
  void every_pair(std::vector<Term> const& terms, bool symmetric) {
    // The last tile has a vector of columns, some, or all of them; rows of some types are no whole vectors.
    constexpr std::array<std::int64_t, 4> in_space{{132, 66, 264, 144}}, in_planes{{1032, 520, 264, 2064}};
    constexpr std::array<Layout, 3> layouts{{Layout::right, Layout::padded, Layout::right}};
    int const rank = runner().rank(), x = rank - 1;
    for (FacePair const& pair : face_pairs(x)) {
      std::size_t const turn   = m_turn++;
      std::int64_t const width = (rank == 2 ? in_planes : in_space)[turn % 4];
      Call c                   = call(rank == 2 ? Extents{{21, width, 1}} : Extents{{10, 19, width}}, terms);
      c.symmetric              = symmetric;
      c.bounded                = true;
      c.in = c.out = layouts[turn % layouts.size()];
      for (int axis = 0; axis < x; ++axis) {
        std::vector<FacePair> const others = face_pairs(axis);
        FacePair const& other              = others[(turn + static_cast<std::size_t>(axis)) % others.size()];
        for (int side = 0; side < 2; ++side) c.face(axis, side, other[static_cast<std::size_t>(side)]);
      }
      for (int side = 0; side < 2; ++side) c.face(x, side, pair[static_cast<std::size_t>(side)]);
      verify_sweep(runner(), c, Data::integer);
    }
  }

 private:
  std::size_t m_turn = 0;
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(FacesOfRows);

TEST_P(FacesOfRows, Shapes) {
  int const rank = runner().rank();
  for (int radius = 1; radius <= (rank == 2 ? 8 : 4); ++radius) every_pair(star_offsets(rank, radius), true);
  for (int radius = 1; radius <= (rank == 2 ? 4 : 2); ++radius) every_pair(box_offsets(rank, radius), true);
}

/// Without some terms: kernels for the shapes around them.
TEST_P(FacesOfRows, Patterns) {
  int const rank = runner().rank();
  for (int radius = 1; radius <= (rank == 2 ? 3 : 2); ++radius) {
    for (bool const star : {true, false}) {
      auto terms = star ? star_offsets(rank, radius) : box_offsets(rank, radius);
      terms.erase(terms.begin());
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2 + 1));
      every_pair(terms, false);
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
