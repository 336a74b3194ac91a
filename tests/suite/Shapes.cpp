// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

// Shapes and radii: which points a stencil reads.

namespace KokkosStencil {
namespace Test {
namespace {

class Shapes : public OnEveryRunner {
 protected:
  /// Largest radius of a box that stays cheap for the reference.
  int box_radius() const { return runner().rank() == 3 ? 4 : 8; }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Shapes);

TEST_P(Shapes, StarsOfEveryRadius) {
  for (int r = 0; r <= 8; ++r) {
    verify_sweep(runner(), call(star_offsets(runner().rank(), r)), Data::integer);
    verify_sweep(runner(), call(star_offsets(runner().rank(), r)).face(Face::periodic()), Data::random);
  }
}

TEST_P(Shapes, BoxesOfEveryRadius) {
  for (int r = 0; r <= box_radius(); ++r) {
    verify_sweep(runner(), call(box_offsets(runner().rank(), r)), Data::integer);
    verify_sweep(runner(), call(box_offsets(runner().rank(), r)), Data::random);
  }
}

TEST_P(Shapes, WidestBox) { verify_sweep(runner(), call(box_offsets(runner().rank(), 8)), Data::random); }

TEST_P(Shapes, ScatteredOffsets) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    auto const terms = scattered_offsets(runner().rank(), 3, runner().rank() == 1 ? 4 : 9, seed);
    verify_sweep(runner(), call(terms), Data::integer, seed);
    verify_sweep(runner(), call(terms).face(Face::mirror()), Data::random, seed);
  }
}

TEST_P(Shapes, OneSided) {
  // Everything upwind: the window does not contain the point itself.
  std::vector<Term> terms;
  for (int d = 2; d <= 5; ++d) {
    Term t{{{0, 0, 0}}, 1.0};
    for (std::size_t a = 0; a < static_cast<std::size_t>(runner().rank()); ++a) t.offset[a] = -d;
    terms.push_back(t);
  }
  verify_sweep(runner(), call(terms), Data::integer);
  verify_sweep(runner(), call(terms).face(Face::edge()), Data::integer);
}

TEST_P(Shapes, NoTerms) {
  verify_sweep(runner(), call(odd_extents(runner().rank(), 1), {}), Data::integer);
  verify_sweep(runner(), call(odd_extents(runner().rank(), 1), {}).face(Face::value(3)), Data::integer);
}

TEST_P(Shapes, OneTerm) {
  verify_sweep(runner(), call({{{{0, 0, 0}}, 1.0}}), Data::random);
  verify_sweep(runner(), call({{{{1, 0, 0}}, 1.0}}), Data::random);
}

TEST_P(Shapes, FarOffsets) {
  // Farther than 16 bits hold, along the last axis, and from a View that is just large enough.
  int const last = runner().rank() - 1;
  Term far{{{0, 0, 0}}, 1.0};
  far.offset[static_cast<std::size_t>(last)] = 40000;
  Extents extent{{2, 2, 2}};
  extent[static_cast<std::size_t>(last)] = 40009;
  verify_sweep(runner(), call(extent, {{{{0, 0, 0}}, 1.0}, far}), Data::integer);
}

TEST_P(Shapes, ManyRowsApart) {
  if (runner().rank() != 2) GTEST_SKIP() << "rank 2 puts them at the same distance";
  // As many as the fast host path keeps pointers for, but not if several rows of points are computed at once.
  std::vector<Term> terms;
  for (int y = -300; y <= 300; y += 4) terms.push_back({{{y, 0, 0}}, 1.0});
  verify_sweep(runner(), call({{640, 70, 1}}, terms), Data::integer);
  verify_sweep(runner(), call({{70, 640, 1}}, terms).face(Face::periodic()), Data::integer);
  verify_iterate(runner(), call({{640, 70, 1}}, terms).face(Face::value(2)), 3, Data::integer);
}

TEST_P(Shapes, ManyRows) {
  if (runner().rank() < 3) GTEST_SKIP() << "only rank 3 has this many rows in a small View";
  // More rows than the fast host path keeps pointers for.
  std::vector<Term> terms;
  for (int i = -12; i <= 12; ++i) {
    for (int j = -12; j <= 12; ++j) terms.push_back({{{i, j, (i * j) % 3}}, 1.0});
  }
  verify_sweep(runner(), call({{27, 30, 21}}, terms), Data::random);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
