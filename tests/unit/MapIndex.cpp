// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Reference.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <gtest/gtest.h>

namespace KokkosStencil {
namespace Test {
namespace {

TEST(MapIndex, AgreesWithGhostCellsFilledOutward) {
  for (std::int64_t n : {1, 2, 3, 5, 8}) {
    for (Face const& lower : all_faces()) {
      for (Face const& upper : all_faces()) {
        if ((lower.kind == BoundaryKind::periodic) != (upper.kind == BoundaryKind::periodic)) continue;
        Face const faces[2] = {lower, upper};
        AxisGhosts const ghosts(n, {{lower, upper}}, 4 * n + 3, 4 * n + 3);
        for (std::int64_t i = -4 * n - 3; i < 5 * n + 3; ++i) {
          SCOPED_TRACE(std::string(to_string(lower.kind)) + " " + to_string(upper.kind) + ", extent " +
                       std::to_string(n) + ", index " + std::to_string(i));
          int side              = -1;
          std::int64_t const at = Impl::map_index(i, n, faces, side);
          Source const& source  = ghosts[i];
          switch (source.kind) {
            case Source::inside: EXPECT_EQ(at, source.index); break;
            case Source::constant:
              EXPECT_EQ(at, -1);
              ASSERT_TRUE(side == 0 || side == 1);
              EXPECT_EQ(faces[side].kind, BoundaryKind::value);
              EXPECT_EQ(faces[side].constant, source.value);
              break;
            // A halo is never reached in a checked range; the mapping leaves it outside.
            case Source::forbidden: EXPECT_TRUE(at < 0 || at >= n); break;
          }
        }
      }
    }
  }
}

TEST(MapIndex, InsideNothingChanges) {
  for (Face const& face : all_faces()) {
    Face const faces[2] = {face, face};
    for (std::int64_t i = 0; i < 7; ++i) {
      int side = -1;
      EXPECT_EQ(Impl::map_index(i, 7, faces, side), i);
      EXPECT_EQ(side, -1);
    }
  }
}

TEST(MapIndex, FarAway) {
  std::int64_t const far = (std::int64_t(1) << 40) + 3;
  Face const periodic[2] = {Face::periodic(), Face::periodic()};
  Face const edge[2]     = {Face::edge(), Face::edge()};
  int side               = -1;
  EXPECT_EQ(Impl::map_index(far, 10, periodic, side), far % 10);
  EXPECT_EQ(Impl::map_index(-far, 10, periodic, side), 10 - far % 10);
  EXPECT_EQ(Impl::map_index(far, 10, edge, side), 9);
  EXPECT_EQ(Impl::map_index(-far, 10, edge, side), 0);
  // Between two mirrors everything repeats after 20; folding at one face at a time would take hours.
  Face const mirror[2] = {Face::mirror(), Face::mirror()};
  for (std::int64_t i = -45; i < 45; ++i) {
    EXPECT_EQ(Impl::map_index(20 * far + i, 10, mirror, side), Impl::map_index(i, 10, mirror, side)) << i;
    EXPECT_EQ(Impl::map_index(-20 * far + i, 10, mirror, side), Impl::map_index(i, 10, mirror, side)) << i;
  }
}

TEST(BoundaryRules, SettersChangeOneFace) {
  auto const b = Boundary<3>::mirror().lower(1, Face::value(4)).axis(2, Face::periodic()).upper(0, Face::edge());
  EXPECT_EQ(b.face(0, 0), Face::mirror());
  EXPECT_EQ(b.face(0, 1), Face::edge());
  EXPECT_EQ(b.face(1, 0), Face::value(4));
  EXPECT_EQ(b.face(1, 1), Face::mirror());
  EXPECT_EQ(b.face(2, 0), Face::periodic());
  EXPECT_EQ(b.face(2, 1), Face::periodic());
  EXPECT_EQ(Boundary<1>().face(0, 0), Face::halo());
  EXPECT_NE(Face::value(1), Face::value(2));
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
