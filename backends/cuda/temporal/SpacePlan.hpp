// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace CudaTemporal {

/// Cuts the range into tiles and chunks of planes, so that the multiprocessors are busy to the end. Returns the time
/// that takes, in planes of a tile.
std::int64_t plan_space(Problem const& problem, SpaceKernel const& kernel, std::int64_t multiprocessors, bool vectors,
                        SpaceArgs& args);

}  // namespace CudaTemporal
}  // namespace KokkosStencil
