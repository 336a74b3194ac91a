// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Engine.hpp"

namespace KokkosStencil {
namespace Fuzz {

Engines engines() {
  Engines all;
  add_double_engines(all);
  add_float_engines(all);
  add_half_engines(all);
  add_bhalf_engines(all);
  return all;
}

}  // namespace Fuzz
}  // namespace KokkosStencil
