// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EngineOf.hpp"

namespace KokkosStencil {
namespace Fuzz {

void add_double_engines(Engines& all) { add_engines<double, true>(all); }

}  // namespace Fuzz
}  // namespace KokkosStencil
