// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {
namespace CudaModel {

/// How kernels that stream down planes cut the rows of one: as plan and model have it.
struct PlaneCut {
  std::int64_t height = 0, waves = 1;  ///< rows of a tile; how many tiles run one after another
};

/// `groups` are strips (of all planes) that go together, `slots` as many as run at once; a tile costs `start` rows
/// beside its own.
PlaneCut cut_plane(std::int64_t rows, std::int64_t groups, std::int64_t slots, int start);

}  // namespace CudaModel
}  // namespace KokkosStencil
