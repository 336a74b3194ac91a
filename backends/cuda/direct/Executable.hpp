// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// A sweep as plan_sweep has it for the device of the space. Where a kernel made for a shape cannot run, on Views that
/// begin at odd addresses, the list of terms does.
std::unique_ptr<Executable> make_executable(Problem const& problem, SpaceInfo const& space, Launch const& launch);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
