// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

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
/// Tiles times terms from which on tiles are faster than a thread a point, of which there are more at once.
constexpr std::int64_t boundary_tile_work = 8192;
/// Terms and points from which on they are faster near slow faces, where a thread a point applies the boundary rules of
/// all axes. Several lanes share a point where there are fewer.
constexpr int boundary_edge_terms           = 100;
constexpr std::int64_t boundary_edge_points = 12'000;

/// A tile with all columns of an end. No rows: there are none.
struct BoundaryTileCut {
  int rows, pitch;     ///< of a tile; elements from row to row in shared memory
  std::int64_t bytes;  ///< of shared memory
};

/// Cuts ends of rows: so many columns, rows and planes of values of so many bytes, by terms that reach across `span`
/// points along planes, rows and columns. A point a thread is as fast for stars, of whose tiles most values serve few
/// points. `edge`: the ends are near the slow face that the planes are parallel to.
inline BoundaryTileCut cut_into_tiles(std::int64_t columns, std::int64_t rows, std::int64_t planes, int bytes,
                                      std::array<std::int64_t, 3> const& span, int terms, bool star, bool edge) {
  auto const size = static_cast<std::size_t>(bytes);
  int const high  = boundary_tile_planes(size);
  // Of fewer planes a thread would compute little that counts.
  if (star || planes < (edge ? 1 : high / 2) || columns + span[2] > boundary_threads || columns < 1) return {};
  // An odd number of banks from row to row, so that the rows of a warp are in different ones.
  auto const width = static_cast<int>(columns + span[2]);
  int const pitch  = bytes == 2 ? ((width + 1) / 2 | 1) * 2 : width | 1;
  std::int64_t const most =
      std::min<std::int64_t>(boundary_tile_points(size) / pitch - span[1], boundary_threads / columns);
  // Blocks with few threads at work are slow.
  if (most < 1 || std::min(most, rows) * columns < boundary_threads / 4) return {};
  std::int64_t const tiles = (rows + most - 1) / most, tile_rows = (rows + tiles - 1) / tiles,
                     read_planes = high + span[0], term_bytes = 2 * std::max(bytes, 4);
  if (edge ? terms < boundary_edge_terms : tiles * ((planes + high - 1) / high) * terms < boundary_tile_work) return {};
  std::int64_t const shared = terms * term_bytes +
                              std::int64_t(sizeof(std::int64_t)) * (read_planes + tile_rows + span[1]) +
                              read_planes * boundary_tile_points(size) * bytes;
  if (shared > boundary_tile_bytes) return {};
  return {static_cast<int>(tile_rows), pitch, shared};
}

}  // namespace Cuda
}  // namespace KokkosStencil
