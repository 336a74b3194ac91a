// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace CudaTemporal {

/// Sweeps a pass can take: segments keep at least half of their points to themselves.
int most_levels(LineKernel const& kernel);

/// Cuts the range into segments, a warp each.
void plan_line(Problem const& problem, LineKernel const& kernel, int levels, bool vectors, LineArgs& args);

/// Time of such a pass. Speed: multiply-adds a second as a fraction of the GPU the rates are of.
double line_seconds(Problem const& problem, LineKernel const& kernel, LineArgs const& args,
                    std::int64_t multiprocessors, double speed, double bandwidth);

}  // namespace CudaTemporal
}  // namespace KokkosStencil
