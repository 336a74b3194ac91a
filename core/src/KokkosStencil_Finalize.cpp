// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_Finalize.hpp>

#include <Kokkos_Core.hpp>

#include <mutex>
#include <utility>

namespace KokkosStencil {
namespace Impl {

void at_finalize(std::function<void()> f) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> const lock(mutex);
  Kokkos::push_finalize_hook(std::move(f));
}

}  // namespace Impl
}  // namespace KokkosStencil
