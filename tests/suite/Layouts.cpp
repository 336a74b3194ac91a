// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <algorithm>

// Layouts, strides, alignment, and the two ways of calling the library. The harness lets const,
// Unmanaged and plain Views take turns.

namespace KokkosStencil {
namespace Test {
namespace {

class Layouts : public OnEveryRunner {};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Layouts);

Layout const every_layout[] = {Layout::right,       Layout::left,    Layout::padded, Layout::padded_more,
                               Layout::padded_left, Layout::strided, Layout::middle};

TEST_P(Layouts, EveryPair) {
  for (Layout in : every_layout) {
    for (Layout out : every_layout) {
      Call s = call(scattered_offsets(runner().rank(), 2, runner().rank() == 1 ? 4 : 9, 3));
      s.in   = in;
      s.out  = out;
      for (Via via : {Via::function, Via::plan}) {
        s.via = via;
        verify_sweep(runner(), s, Data::integer);
        verify_sweep(runner(), Call(s).face(Face::mirror()), Data::integer);
      }
    }
  }
}

TEST_P(Layouts, EveryAlignment) {
  for (int shift = 0; shift < 16; ++shift) {
    for (Layout layout : {Layout::right, Layout::padded}) {
      Call s = call(star_offsets(runner().rank(), 1)).face(Face::periodic());
      s.in = s.out = layout;
      s.shift      = shift;
      verify_sweep(runner(), s, Data::random);
    }
  }
}

TEST_P(Layouts, AxesOfOnePoint) {
  for (Layout layout : every_layout) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(runner().rank()); ++axis) {
      Extents extent = {{9, 10, 11}};
      extent[axis]   = 1;
      Call s         = call(extent, box_offsets(runner().rank(), 1)).face(Face::edge());
      s.in = s.out = layout;
      verify_sweep(runner(), s, Data::integer);
    }
  }
}

TEST_P(Layouts, ShortContiguousAxes) {
  // Components of a field, which the stencil reads one by one or mixes.
  if (runner().rank() == 1) GTEST_SKIP();
  auto const last = static_cast<std::size_t>(runner().rank() - 1);
  for (std::int64_t components : {2, 3, 5, 18}) {
    for (int reach : {0, 1, 4}) {
      Extents extent  = {{11, 43, 1}};
      extent[last]    = components;
      Call s          = call(extent, scattered_offsets(runner().rank(), 2, 9, 3));
      std::size_t own = 0;
      for (Term& t : s.terms) t.offset[last] = static_cast<int>(own++ % 3 - 1) * reach;
      std::sort(s.terms.begin(), s.terms.end(), [](Term const& a, Term const& b) { return a.offset < b.offset; });
      s.terms.erase(std::unique(s.terms.begin(), s.terms.end(),
                                [](Term const& a, Term const& b) { return a.offset == b.offset; }),
                    s.terms.end());
      for (Face const& face : all_faces()) {
        s.face(face);
        if (reach > 0 && face.kind == BoundaryKind::halo) s.face(runner().rank() - 1, 0, Face::mirror());
        for (Layout layout : {Layout::right, Layout::padded, Layout::strided}) {
          s.in = s.out = layout;
          if (!mirror_meets_halo(s)) verify_sweep(runner(), s, Data::integer);
        }
      }
      // Ranges that leave out components, and points of the axis before.
      s.face(Face::value(3)).face(0, 1, Face::edge()).range({{1, 2, 0}}, {{10, 41, 1}});
      s.begin[last] = 1;
      s.end[last]   = components;
      for (Layout layout : {Layout::right, Layout::padded}) {
        s.in = s.out = layout;
        verify_sweep(runner(), s, Data::integer);
      }
      s.begin[last] = 0;
      verify_sweep(runner(), s, Data::integer);
    }
  }
}

TEST_P(Layouts, DoubleCoefficients) {
  Call s                = call(star_offsets(runner().rank(), 2));
  s.double_coefficients = true;
  verify_sweep(runner(), s, Data::random);
  verify_sweep(runner(), Call(s).face(Face::value(0.5)), Data::integer);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
