// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {
namespace Impl {

/// Bytes of device memory that buffers of backends got in this host thread, less what they gave back. How much that
/// grows while an executable is prepared is what it holds.
std::int64_t& device_bytes() noexcept;

}  // namespace Impl
}  // namespace KokkosStencil
