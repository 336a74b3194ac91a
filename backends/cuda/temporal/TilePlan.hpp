// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace CudaModel {
struct TileCut;
}
namespace CudaTemporal {

/// One pass of `levels` sweeps in tiles that are cut so.
void plan_tiles(Problem const& p, CudaModel::TileCut const& cut, int levels, bool vectors, TileArgs& args);

}  // namespace CudaTemporal
}  // namespace KokkosStencil
