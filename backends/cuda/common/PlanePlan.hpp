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

/// The most blocks of a launch. Only Views whose planes are all the same memory (a stride of 0) may need more.
constexpr std::int64_t most_blocks = 0x7fffffff;

/// Why no such kernel that multiplies values of `type` can run a problem, however large its matrices are: device, type,
/// accuracy, lines, a reach across planes, size. Empty if one can.
std::string plane_unsupported_reason(Problem const& problem, DeviceModel const& device, ValueType type);

/// Whether rows of the input lie at different offsets from multiples of 16 bytes. A kernel then copies element by
/// element, and what PlaneArgs says of vectors holds for elements.
bool reads_anywhere(Problem const& problem);

/// Fills in everything but the terms, for a kernel of so many rows. Returns the points that it computes, maybe none.
template <class T>
PointBox plane_args(Problem const& problem, void const* in, void* out, int rows, PlaneArgs<T>& args);

/// How the rows of a plane are cut into tiles.
struct PlaneCut {
  std::int64_t height = 0, waves = 1;  ///< rows of a tile; how many tiles run one after another
};

/// `groups`: how many groups of strips there are in all planes; a block takes a tile of each strip of a group. `slots`:
/// blocks that run at once. A tile costs `start` rows in addition to its own.
PlaneCut cut_plane(std::int64_t rows, std::int64_t groups, std::int64_t slots, int start);

/// Cuts the rows like that and sets the height. Returns the number of tiles of a group.
template <class T>
std::int64_t plane_tiles(PlaneArgs<T>& args, std::int64_t groups, std::int64_t slots, int start);

/// The terms of the plain formula, by which kernels compute results again that are not finite.
template <class T>
std::vector<PlaneTerm<T>> plane_terms(Problem const& problem);

}  // namespace Cuda
}  // namespace KokkosStencil
