// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstdint>
#include <string>
#include <vector>

// How volumes are dealt out to blocks that do several sweeps of a functor (KokkosStencil_FunctorTiles.hpp).

namespace KokkosStencil {
namespace Impl {

/// What the blocks of a pass do. A block goes along the slowest axis with a tile of the other two. The planes of all
/// tiles, one tile after the other, are dealt out evenly. Axes are counted from the contiguous one on: columns, rows,
/// planes.
struct TileTasks {
  std::int32_t lanes    = 1;          ///< vectors of a row of a tile
  std::int32_t teams    = 1;          ///< threads of a column of a tile
  std::int32_t tiles[2] = {1, 1};     ///< along columns and rows
  std::int32_t first[2] = {0, 0};     ///< the first column and row that a tile owns
  std::int32_t owned[2] = {1, 1};     ///< columns and rows of a tile
  std::int32_t share    = 1;          ///< planes of a block, of one tile or of several
  std::int32_t begin[3] = {0, 0, 0};  ///< the range
  std::int32_t stop[3]  = {0, 0, 0};
  /// The planes at the faces, if what is read beyond is a reflection of them, or -1.
  std::int32_t reflecting[2] = {-1, -1};
  bool follows               = false;  ///< what is read beyond a face of rows or columns is a reflection
  bool aligned               = false;  ///< vectors of tiles are aligned in all Views
  std::int32_t shift         = 0;      ///< columns that copies have before the first one of the Views

  /// Planes of all tiles.
  std::int64_t planes() const { return std::int64_t(tiles[0]) * tiles[1] * (stop[2] - begin[2]); }
  /// Blocks.
  std::uint32_t count() const { return static_cast<std::uint32_t>((planes() + share - 1) / share); }
};

/// A kernel for tiles.
struct TileKernelInfo {
  int width;     ///< values of a vector
  int rows;      ///< of a thread
  int threads;   ///< of a block
  int depth;     ///< sweeps of a pass
  int reach[3];  ///< of the functor, in columns, rows and planes
  int states, constants;
  int value_size;
  int resident;         ///< blocks of a multiprocessor
  int multiprocessors;  ///< of the GPU
};

/// The problem, in the axes of the Views.
struct TileProblem {
  int axis[3];  ///< which axis columns, rows and planes are counted along
  FunctorRange where;
  FieldGeometry const* geometry;
  std::vector<ViewInfo> views;  ///< all that are read or written
};

/// Why tiles cannot do it, or nothing.
std::string tiles_unsupported(TileKernelInfo const& kernel, TileProblem const& problem);

/// Copies of all fields whose rows begin at lines of memory, for passes of Views whose rows begin anywhere. Where rows
/// end with ghost values, there may be columns beside those of the Views, so that the range begins with a vector and
/// rows have whole ones.
struct PaddedRows {
  std::int64_t columns = 0;  ///< of a row; 0: there are no copies
  std::int64_t lead    = 0;  ///< values from a line of memory to the first column
  std::int64_t pitch   = 0;  ///< values from a row to the next
  std::int64_t bytes   = 0;  ///< of all copies
  double seconds       = 0;  ///< predicted: until all fields are copied, and the result back
};

/// Bytes of copies whose memory is kept from one iteration to the next.
constexpr std::int64_t kept_copies = std::int64_t(256) << 20;

/// How many sweeps are cut into passes.
struct TileSchedule {
  std::int64_t passes = 0;
  bool fills          = false;  ///< a pass has work for the whole GPU
  TileTasks tasks;
  double pass_seconds = 0.0, sweep_seconds = 0.0;  ///< predicted: a pass, one sweep
  PaddedRows padded;

  bool empty() const { return passes == 0; }
  /// The sweeps of the next pass, when so many are left; 0 for one without a pass.
  int next(std::int64_t left, int depth) const { return passes > 0 && left >= depth ? depth : 0; }
};

/// For explain(): what is predicted of passes.
std::string schedule_text(TileSchedule const& schedule, int depth);

/// What is predicted to be fastest; `forced`: passes as long as there are sweeps for them.
TileSchedule tile_schedule(TileKernelInfo const& kernel, TileProblem const& problem, std::int64_t steps, bool forced,
                           DeviceModel const* device);
/// The same on copies of the fields, if that is predicted to be faster than `plain`; else it has no passes.
TileSchedule padded_tile_schedule(TileKernelInfo const& kernel, TileProblem const& problem, std::int64_t steps,
                                  TileSchedule const& plain, DeviceModel const* device);
/// For tests: whether copies are made whatever they cost.
void set_padded_tiles(bool always);

}  // namespace Impl
}  // namespace KokkosStencil
