// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace CudaTemporal {

/// How long to look for a plan: for one that runs, or to know about how long it would.
enum class Effort { fine, rough };

/// Cuts the range into tiles and chunks of planes, so that the multiprocessors are busy to the end. Returns the seconds
/// that takes at the rates of the kernel.
double plan_space(Problem const& problem, SpaceKernel const& kernel, std::int64_t multiprocessors, bool vectors,
                  Effort effort, SpaceArgs& args);

}  // namespace CudaTemporal
}  // namespace KokkosStencil
