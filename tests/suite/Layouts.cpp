// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

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

TEST_P(Layouts, DoubleCoefficients) {
  Call s                = call(star_offsets(runner().rank(), 2));
  s.double_coefficients = true;
  verify_sweep(runner(), s, Data::random);
  verify_sweep(runner(), Call(s).face(Face::value(0.5)), Data::integer);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
