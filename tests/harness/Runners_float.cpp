// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerOf.hpp"

namespace KokkosStencil {
namespace Test {

void add_float_runners(Runners& all) { add_runners<float>(all); }

}  // namespace Test
}  // namespace KokkosStencil
