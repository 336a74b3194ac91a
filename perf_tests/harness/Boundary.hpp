// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <KokkosStencil.hpp>

namespace perf {

/// The rule of a case as the library takes it.
template <int Rank>
KokkosStencil::Boundary<Rank> boundary_of(Faces faces) {
  using Boundary = KokkosStencil::Boundary<Rank>;
  switch (faces) {
    case Faces::periodic: return Boundary::periodic();
    case Faces::mirror: return Boundary::mirror();
    case Faces::edge: return Boundary::edge();
    case Faces::constant: return Boundary::value(face_constant);
    case Faces::halo: break;
  }
  return Boundary::halo();
}

}  // namespace perf
