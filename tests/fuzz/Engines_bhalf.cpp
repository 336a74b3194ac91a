// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EngineOf.hpp"

namespace KokkosStencil {
namespace Fuzz {

#ifdef KOKKOSSTENCIL_IMPL_HAS_BHALF
void add_bhalf_engines(Engines& all) { add_engines<Kokkos::Experimental::bhalf_t, false>(all); }
#else
void add_bhalf_engines(Engines&) {}
#endif

}  // namespace Fuzz
}  // namespace KokkosStencil
