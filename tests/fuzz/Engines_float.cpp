// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EngineOf.hpp"

namespace KokkosStencil {
namespace Fuzz {

void add_float_engines(Engines& all) { add_engines<float, true>(all); }

}  // namespace Fuzz
}  // namespace KokkosStencil
