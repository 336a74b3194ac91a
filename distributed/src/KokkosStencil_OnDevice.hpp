// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_CudaLaunch.hpp>

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
#include <optional>
#endif

namespace KokkosStencil {
namespace Impl {

/// Makes the device of SpaceInfo the current one for a while, if there is one: streams, events, launches and NCCL take
/// the current one.
class OnDevice {
 public:
#ifdef KOKKOSSTENCIL_IMPL_VECTORS
  explicit OnDevice(int device) {
    if (device >= 0) m_current.emplace(device);
  }

 private:
  std::optional<CurrentDevice> m_current;
#else
  explicit OnDevice(int /*device*/) {}
#endif
};

}  // namespace Impl
}  // namespace KokkosStencil
