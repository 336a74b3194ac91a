// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Plan.hpp"
#include "resident/VolumePlan.hpp"

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// Makes an executable that runs a plan; `single` runs its single sweeps. Throws where the device does not hold all
/// blocks at once.
std::unique_ptr<Executable> make_executable(Problem const& problem, Plan const& plan, int device, Launch const& launch,
                                            std::unique_ptr<Executable> single);
std::unique_ptr<Executable> make_executable(Problem const& problem, VolumePlan const& plan, int device,
                                            Launch const& launch, std::unique_ptr<Executable> single);

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
