// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EngineOf.hpp"

namespace KokkosStencil {
namespace Fuzz {

// Where Kokkos has no half_t of its own it is float, which has its engines.
#ifdef KOKKOSSTENCIL_IMPL_HAS_HALF
void add_half_engines(Engines& all) { add_engines<Kokkos::Experimental::half_t, true>(all); }
#else
void add_half_engines(Engines&) {}
#endif

}  // namespace Fuzz
}  // namespace KokkosStencil
