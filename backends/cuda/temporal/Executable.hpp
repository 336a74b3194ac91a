// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "temporal/Plan.hpp"

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// Makes an executable that runs the passes of a plan; `single` runs its single sweeps.
std::unique_ptr<Executable> make_executable(Problem const& problem, PassPlan const& plan, Gpu const& gpu, int device,
                                            void* stream, std::unique_ptr<Executable> single);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
