// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <functional>

namespace KokkosStencil {
namespace Impl {

/// Bytes of device memory that buffers of backends got in this host thread, less what they gave back. How much that
/// grows while an executable is prepared is what it holds.
std::int64_t& device_bytes() noexcept;

/// Drops plans of the cache that no call has used for a while, the one not used for longest first, until `enough` says
/// that their memory suffices.
void drop_unused_plans(std::function<bool()> const& enough);

}  // namespace Impl
}  // namespace KokkosStencil
