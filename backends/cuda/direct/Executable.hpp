// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Makes the plan of plan_sweep for the device of the space ready to run. Views that begin at addresses with which the
/// chosen kernel cannot run get the list of terms.
std::unique_ptr<Executable> make_executable(Problem const& problem, SpaceInfo const& space, Launch const& launch);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
