// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace KokkosStencil {
namespace HostTemporal {

/// The backend under another name, with another size of the cache and another limit of make_schedule: for tests, whose
/// fields are in the caches anyway.
std::unique_ptr<Backend const> make_backend(std::string const& name, std::int64_t cache_bytes, double most_share);

}  // namespace HostTemporal
}  // namespace KokkosStencil
