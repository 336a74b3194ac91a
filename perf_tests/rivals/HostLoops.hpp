// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../harness/Kernel.hpp"

#include <cstdint>

namespace perf {

/// v = kernel(u), hand-written for the shape.
using HostLoop = void (*)(Kernel const& kernel, Extents const& extents, void const* u, void* v);

// The same loops compiled with the compiler's preferred vector width, and with the widest.
HostLoop host_loop_preferred(Case const& c);
HostLoop host_loop_wide(Case const& c);

}  // namespace perf
