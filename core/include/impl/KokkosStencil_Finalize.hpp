// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>

namespace KokkosStencil {
namespace Impl {

/// Calls a function when Kokkos is finalized. Safe to call from several threads, which Kokkos' own hooks are not.
void at_finalize(std::function<void()> f);

}  // namespace Impl
}  // namespace KokkosStencil
