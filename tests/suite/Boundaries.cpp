// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <random>

// Boundary rules: what is read past the faces.

namespace KokkosStencil {
namespace Test {
namespace {

class Boundaries : public OnEveryRunner {
 protected:
  std::vector<Term> shape() const { return scattered_offsets(runner().rank(), 2, runner().rank() == 1 ? 4 : 11, 5); }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Boundaries);

TEST_P(Boundaries, TheSameRuleEverywhere) {
  for (Face const& face : all_faces()) {
    verify_sweep(runner(), call(shape()).face(face), Data::integer);
    verify_sweep(runner(), call(box_offsets(runner().rank(), 2)).face(face), Data::random);
  }
}

TEST_P(Boundaries, EveryPairOfRulesOnEveryAxis) {
  for (int axis = 0; axis < runner().rank(); ++axis) {
    for (Face const& lower : all_faces()) {
      for (Face const& upper : all_faces()) {
        if ((lower.kind == BoundaryKind::periodic) != (upper.kind == BoundaryKind::periodic)) continue;
        Call s = call(shape()).face(Face::edge());
        s.face(axis, 0, lower).face(axis, 1, upper);
        verify_sweep(runner(), s, Data::integer);
      }
    }
  }
}

TEST_P(Boundaries, CornersFollowTheLowestAxisWithAConstant) {
  // A different constant at each face, in every layout: the answer must not depend on the axes' order in memory.
  for (Layout layout : {Layout::right, Layout::left, Layout::middle}) {
    Call s = call(box_offsets(runner().rank(), 2));
    s.in = s.out = layout;
    for (int axis = 0; axis < 3; ++axis) {
      s.face(axis, 0, Face::value(2 * axis + 1)).face(axis, 1, Face::value(-2 * axis - 2));
    }
    verify_sweep(runner(), s, Data::integer);
    // Constants on some axes only.
    for (int axis = 0; axis < runner().rank(); ++axis) {
      Call t = s;
      t.face(axis, 0, Face::mirror()).face(axis, 1, Face::edge());
      verify_sweep(runner(), t, Data::integer);
    }
  }
}

TEST_P(Boundaries, RandomMixtures) {
  std::mt19937 generator(11);
  auto const faces = all_faces();
  for (unsigned trial = 0; trial < 12; ++trial) {
    Call s = call(shape());
    for (int axis = 0; axis < runner().rank(); ++axis) {
      Face const lower = faces[generator() % faces.size()];
      Face upper       = faces[generator() % faces.size()];
      if ((lower.kind == BoundaryKind::periodic) != (upper.kind == BoundaryKind::periodic)) upper = lower;
      s.face(axis, 0, lower).face(axis, 1, upper);
    }
    s.in = s.out = trial % 2 == 0 ? Layout::right : Layout::left;
    verify_sweep(runner(), s, Data::integer, trial);
  }
}

TEST_P(Boundaries, WindowsWiderThanTheView) {
  for (Face const& face : all_faces()) {
    if (face.kind == BoundaryKind::halo) continue;
    for (std::int64_t n : {1, 2, 3}) {
      verify_sweep(runner(), call({{n, n, n}}, star_offsets(runner().rank(), 7)).face(face), Data::integer);
      verify_sweep(runner(), call({{n, 4 - n, n + 9}}, box_offsets(runner().rank(), 3)).face(face), Data::integer);
    }
  }
  // Different rules on both sides, so that a reflection meets the other one.
  Call s = call({{3, 2, 3}}, star_offsets(runner().rank(), 8)).face(Face::mirror());
  for (Face const& upper : {Face::value(5), Face::edge()}) {
    for (int axis = 0; axis < runner().rank(); ++axis) s.face(axis, 1, upper);
    verify_sweep(runner(), s, Data::integer);
  }
}

TEST_P(Boundaries, ConstantsAreRoundedToTheValueType) {
  verify_sweep(runner(), call(star_offsets(runner().rank(), 1)).face(Face::value(0.1)), Data::random);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
