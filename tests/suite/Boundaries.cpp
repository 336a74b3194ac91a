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

TEST_P(Boundaries, FarAway) {
  // Every rule reads the same point at some smaller distance, and finds it as fast.
  constexpr int far = 2000000000;
  for (std::int64_t n : {1, 2, 9}) {
    auto const extent = static_cast<int>(n);
    struct Rule {
      Face face;
      int below, above;  // where -far and far lead
    };
    for (Rule const& rule : {Rule{Face::value(3), -extent, extent}, Rule{Face::edge(), -extent, extent},
                             Rule{Face::periodic(), -(far % extent), far % extent},
                             Rule{Face::mirror(), -(far % (2 * extent)), far % (2 * extent)}}) {
      auto const with = [&](int below, int above) {
        return call({{n, n + 1, n + 2}}, {{{{below, 0, 0}}, 2.0}, {{{above, 0, 0}}, 3.0}}).face(rule.face);
      };
      if (rule.below == rule.above) continue;
      Call const distant = with(-far, far), near = with(rule.below, rule.above);
      Field const u = filled(distant.rank, distant.extent, Data::integer, 4, runner().rounding());
      for (BackendChoice const& choice : sweep_choices(runner(), distant)) {
        SCOPED_TRACE(distant.text() + " on " + choice.force);
        Outcome const o = runner().sweep(distant, u, choice.force);
        EXPECT_TRUE(choice.ran(o.backend));
        EXPECT_TRUE(same_bits(o.newest, runner().sweep(near, u, "generic").newest));
      }
    }
  }
}

TEST_P(Boundaries, ConstantsAreRoundedToTheValueType) {
  verify_sweep(runner(), call(star_offsets(runner().rank(), 1)).face(Face::value(0.1)), Data::random);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
