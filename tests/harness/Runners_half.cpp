// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerOf.hpp"

namespace KokkosStencil {
namespace Test {

// Where Kokkos has no half_t of its own it is float, which has its runners.
#ifdef KOKKOSSTENCIL_IMPL_HAS_HALF
void add_half_runners(Runners& all) { add_runners<Kokkos::Experimental::half_t>(all); }
#else
void add_half_runners(Runners&) {}
#endif

}  // namespace Test
}  // namespace KokkosStencil
