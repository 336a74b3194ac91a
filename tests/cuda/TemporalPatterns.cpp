// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Many sweeps of stencils that are a star or a box but for some terms. What they do not reach is NaN.

namespace KokkosStencil {
namespace Test {
namespace {

using Offsets = std::vector<std::array<int, 3>>;

class TemporalPatterns : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda") GTEST_SKIP() << "CUDA only";
  }

  /// Offsets whose last axes are the View's.
  std::vector<Term> terms(Offsets const& offsets) const {
    std::vector<Term> all;
    for (auto const& o : offsets) {
      Term t{};
      for (int a = 0; a < runner().rank(); ++a) t.offset[static_cast<std::size_t>(a)] = o[static_cast<std::size_t>(a)];
      all.push_back(t);
    }
    return all;
  }
  std::vector<Term> without_centre(std::vector<Term> all) const {
    std::vector<Term> some;
    for (Term const& t : all) {
      if (t.offset != std::array<int, 3>()) some.push_back(t);
    }
    return some;
  }
  std::vector<std::vector<Term>> patterns() const {
    int const rank = runner().rank();
    std::vector<std::vector<Term>> all;
    for (int radius = 1; radius <= 2; ++radius) {
      all.push_back(without_centre(star_offsets(rank, radius)));
      if (rank == 2) all.push_back(without_centre(box_offsets(rank, radius)));
    }
    if (rank == 3) {
      // All points around one but the corners.
      std::vector<Term> edges;
      for (Term const& t : box_offsets(rank, 1)) {
        if (t.offset[0] * t.offset[1] * t.offset[2] == 0) edges.push_back(t);
      }
      all.push_back(edges);
    }
    switch (rank) {
      case 1:
        all.push_back(terms({{0}, {-1}}));
        all.push_back(terms({{-2}, {-1}, {0}}));
        all.push_back(terms({{2}, {-1}}));
        break;
      case 2:
        all.push_back(terms({{0, 0}, {-1, 0}, {0, -1}}));  // upwind
        all.push_back(terms({{0, 0}, {1, 0}, {0, 1}}));
        all.push_back(terms({{0, 0}, {-1, 0}, {-2, 0}, {0, -1}, {0, -2}}));  // of second order
        all.push_back(terms({{0, 0}, {0, 1}, {1, 0}, {1, 1}}));              // the corners of a cell
        all.push_back(terms({{-1, 0}}));
        all.push_back(terms({{-1, -2}, {0, 0}, {2, 1}, {2, 2}}));
        break;
      default:
        all.push_back(terms({{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}));  // upwind
        all.push_back(terms({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}));
        all.push_back(terms({{0, -1, 0}, {0, 1, 0}}));
    }
    return all;
  }
  Extents wide() const {
    switch (runner().rank()) {
      case 1: return {{9001, 1, 1}};
      case 2: return {{211, 613, 1}};
      default: return {{21, 43, 147}};
    }
  }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(TemporalPatterns);

TEST_P(TemporalPatterns, ManySweeps) {
  std::array<Face, 5> const faces{{Face::halo(), Face::periodic(), Face::value(0.5), Face::mirror(), Face::edge()}};
  std::array<Layout, 2> const layouts{{Layout::padded, Layout::right}};
  std::size_t turn = 0;
  for (auto const& pattern : patterns()) {
    for (Face const& face : faces) {
      Call c    = call(turn % 3 == 0 ? wide() : Extents{{33, 47, 39}}, pattern);
      c.bounded = true;
      c.in = c.out = layouts[turn++ % layouts.size()];
      verify_iterate(runner(), c.face(face), 23, Data::random);
    }
  }
}

/// Where some kernels reach farther than the stencil: up to the ends of the View, and within it.
TEST_P(TemporalPatterns, Subranges) {
  for (auto const& pattern : patterns()) {
    Call c    = call(wide(), pattern);
    c.bounded = true;
    Extents begin{}, end{{1, 1, 1}};
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.rank); ++a) {
      begin[a] = -c.lower()[a];
      end[a]   = c.extent[a] - c.upper()[a] - (a == 0 ? 3 : 0);
    }
    verify_iterate(runner(), c.range(begin, end), 17, Data::random);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
