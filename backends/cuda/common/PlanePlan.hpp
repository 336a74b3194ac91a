// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

// How problems map to kernels that stream down planes.

namespace KokkosStencil {
namespace Cuda {

/// Blocks of a launch. Views whose planes are all the same memory may have more.
constexpr std::int64_t most_blocks = 0x7fffffff;

/// Why no such kernel that multiplies values of `type` can run a problem, however large its matrices are: device, type,
/// accuracy, lines, a reach across planes, size. Empty if one can.
std::string plane_unsupported_reason(Problem const& problem, DeviceModel const& device, ValueType type);

/// Whether rows of the input do not begin alike in 16 bytes: a kernel then copies element by element, and what it is
/// told of vectors is of elements.
bool reads_anywhere(Problem const& problem);

/// Fills in everything but the terms, for a kernel of so many rows; the points it computes, or none.
template <class T>
PointBox plane_args(Problem const& problem, void const* in, void* out, int rows, PlaneArgs<T>& args);

/// How the rows of a plane are cut into tiles.
struct PlaneCut {
  std::int64_t height = 0, waves = 1;  ///< rows of a tile; how many tiles run one after another
};

/// `groups` are strips (of all planes) that go together, `slots` as many as run at once; a tile costs `start` rows
/// beside its own.
PlaneCut cut_plane(std::int64_t rows, std::int64_t groups, std::int64_t slots, int start);

/// Cuts the rows so: sets the height. The number of tiles of a group.
template <class T>
std::int64_t plane_tiles(PlaneArgs<T>& args, std::int64_t groups, std::int64_t slots, int start);

/// The plain formula.
template <class T>
std::vector<PlaneTerm<T>> plane_terms(Problem const& problem);

}  // namespace Cuda
}  // namespace KokkosStencil
