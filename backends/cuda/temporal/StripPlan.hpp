// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace CudaTemporal {

/// Cuts the range into tasks, such that all multiprocessors end together. Returns the time that takes, in rows of the
/// fast path.
std::int64_t plan_strips(Problem const& problem, StripKernel const& kernel, std::int64_t multiprocessors, int levels,
                         bool vectors, StripArgs& args);

}  // namespace CudaTemporal
}  // namespace KokkosStencil
