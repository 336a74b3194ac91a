// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil_Version.hpp>

namespace KokkosStencil {

int version() noexcept { return KOKKOSSTENCIL_VERSION; }

char const* version_string() noexcept { return KOKKOSSTENCIL_VERSION_STRING; }

}  // namespace KokkosStencil
