// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

// Which points are written, and Views of every size.

namespace KokkosStencil {
namespace Test {
namespace {

class Ranges : public OnEveryRunner {};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Ranges);

TEST_P(Ranges, PartialAndOdd) {
  Extents const extent = {{19, 23, 27}};
  auto const terms     = star_offsets(runner().rank(), 2);
  for (Face const& face : all_faces()) {
    Call s = call(extent, terms).face(face);
    verify_sweep(runner(), Call(s).range({{2, 3, 4}}, {{17, 18, 23}}), Data::integer);
    verify_sweep(runner(), Call(s).range({{7, 9, 11}}, {{8, 10, 12}}), Data::integer);
    verify_sweep(runner(), Call(s).range({{5, 2, 2}}, {{6, 21, 25}}), Data::integer);
    if (face.kind == BoundaryKind::halo) continue;
    verify_sweep(runner(), Call(s).range({{0, 0, 0}}, {{1, 1, 1}}), Data::integer);
    verify_sweep(runner(), Call(s).range({{18, 22, 26}}, {{19, 23, 27}}), Data::integer);
    verify_sweep(runner(), Call(s).range({{0, 20, 1}}, {{19, 23, 26}}), Data::integer);
  }
}

TEST_P(Ranges, EmptyRangesWriteNothing) {
  auto const terms = star_offsets(runner().rank(), 2);
  for (Face const& face : all_faces()) {
    Call s = call(terms).face(face);
    verify_sweep(runner(), Call(s).range({{4, 4, 4}}, {{4, 9, 9}}), Data::integer);
    // Empty is empty, however far outside.
    verify_sweep(runner(), Call(s).range({{-100, 900, 5}}, {{-100, 901, 6}}), Data::integer);
    if (runner().rank() > 1) verify_sweep(runner(), Call(s).range({{4, 5, 4}}, {{6, 5, 9}}), Data::integer);
  }
}

TEST_P(Ranges, ViewsWithoutPoints) {
  for (Face const& face : all_faces()) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(runner().rank()); ++axis) {
      Extents extent = {{6, 7, 8}};
      extent[axis]   = 0;
      verify_sweep(runner(), call(extent, star_offsets(runner().rank(), 1)).face(face), Data::integer);
    }
  }
}

TEST_P(Ranges, ViewsOfTheSizeOfTheWindow) {
  // 2r has no interior point, 2r + 1 has one.
  for (int r : {1, 3}) {
    for (std::int64_t n : {2 * r, 2 * r + 1, 2 * r + 2}) {
      for (Face const& face : all_faces()) {
        verify_sweep(runner(), call({{n, n, n}}, star_offsets(runner().rank(), r)).face(face), Data::integer);
      }
    }
  }
}

TEST_P(Ranges, RowsOfEveryLength) {
  // Every remainder of the vector lengths and of small tiles.
  int const last = runner().rank() - 1;
  for (std::int64_t n = 1; n <= 70; n += runner().rank() == 1 ? 1 : 3) {
    Extents extent = {{5, 6, 1}};
    if (runner().rank() == 1) extent = {{1, 1, 1}};
    extent[static_cast<std::size_t>(last)] = n;
    verify_sweep(runner(), call(extent, star_offsets(runner().rank(), 1)).face(Face::periodic()), Data::integer);
  }
}

TEST_P(Ranges, StacksOfRows) {
  if (runner().rank() == 1) GTEST_SKIP() << "one row only";
  for (std::int64_t n = 1; n <= 11; ++n) {
    verify_sweep(runner(), call({{n, n, 33}}, star_offsets(runner().rank(), 1)).face(Face::mirror()), Data::integer);
    verify_sweep(runner(), call({{n, 33, n}}, box_offsets(runner().rank(), 1)).face(Face::value(1)), Data::integer);
  }
}

TEST_P(Ranges, LargerThanATile) {
  int const rank = runner().rank();
  if (rank == 1) verify_sweep(runner(), call({{300007, 1, 1}}, star_offsets(1, 2)), Data::integer);
  if (rank == 2) {
    verify_sweep(runner(), call({{9, 40009, 1}}, star_offsets(2, 2)).face(Face::periodic()), Data::integer);
    verify_sweep(runner(), call({{20011, 9, 1}}, star_offsets(2, 2)), Data::integer);
  }
  if (rank == 3) {
    verify_sweep(runner(), call({{5, 101, 801}}, star_offsets(3, 1)).face(Face::edge()), Data::integer);
    verify_sweep(runner(), call({{301, 51, 17}}, star_offsets(3, 1)), Data::integer);
  }
}

TEST_P(Ranges, LargerThanTheCache) {
  // Large sweeps may store past the cache, through other instructions.
  int const rank       = runner().rank();
  Extents const extent = rank == 1   ? Extents{{9000011, 1, 1}}
                         : rank == 2 ? Extents{{3001, 3003, 1}}
                                     : Extents{{61, 301, 491}};
  Call s               = call(extent, {{{{0, 0, 0}}, 1.0}, {{{1, 0, 0}}, 1.0}});
  s.shift              = 1;
  verify_sweep(runner(), s, Data::integer);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
