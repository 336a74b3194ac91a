// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"

#include <KokkosStencil_Problem.hpp>

#include <string>
#include <vector>

// How problems map to kernels that stream down planes.

namespace KokkosStencil {
namespace Cuda {

/// Blocks of a launch. Views whose planes are all the same memory may have more.
constexpr std::int64_t most_blocks = 0x7fffffff;

/// Why no such kernel can run a problem, whatever its arithmetic: strides, lines, a reach across planes, size. Empty if
/// one can.
std::string plane_refusal(Problem const& problem);

/// Fills in everything but the terms, for a kernel of so many rows; the points it computes, or none.
template <class T>
PointBox plane_args(Problem const& problem, void const* in, void* out, int rows, PlaneArgs<T>& args);

/// Cuts the rows into tiles: sets the height. `groups` are strips (of all planes) that go together, `slots` as many as
/// run at once; a tile costs `start` rows beside its own. The number of tiles of a group.
template <class T>
std::int64_t plane_tiles(PlaneArgs<T>& args, std::int64_t groups, std::int64_t slots, int start);

/// The plain formula.
template <class T>
std::vector<PlaneTerm<T>> plane_terms(Problem const& problem);

}  // namespace Cuda
}  // namespace KokkosStencil
