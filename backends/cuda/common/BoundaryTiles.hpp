// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>

// The tiles in which BoundaryKernel computes the ends of rows of volumes (BoundaryTile.cuh).

namespace KokkosStencil {
namespace Cuda {

constexpr int boundary_threads = 256;

/// Planes of points that a tile has, and elements of a plane with all that its points read, by the bytes of a value. A
/// thread has a point in each of the planes.
constexpr int boundary_tile_planes(std::size_t bytes) { return bytes == 2 ? 8 : 4; }
constexpr int boundary_tile_points(std::size_t bytes) { return bytes == 8 ? 512 : 1024; }
/// Bytes of shared memory that a tile may take: what every GPU of compute capability 8.0 and later has, less what the
/// kernel has beside.
constexpr int boundary_tile_bytes = 90 * 1024;

}  // namespace Cuda
}  // namespace KokkosStencil
