// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "temporal/Plan.hpp"

#include "common/PaddedExecutable.hpp"

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// Makes an executable that runs the passes of a plan; `single` runs its single sweeps.
std::unique_ptr<Executable> make_executable(Problem const& problem, PassPlan const& plan, Gpu const& gpu, int device,
                                            void* stream, std::unique_ptr<Executable> single);

/// Makes those that begin, go on with and end the sweeps on padded copies, by the kernels that find_end finds.
Cuda::EndExecutables make_ends(Problem const& problem, SpaceTuning const& kernel, Gpu const& gpu, int device);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
