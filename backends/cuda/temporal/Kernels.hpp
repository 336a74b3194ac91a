// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Boundary.hpp>

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace CudaTemporal {

/// One pass of several sweeps over a line.
struct LineArgs {
  std::int32_t extent, begin, end;
  Face faces[2];
  std::int32_t levels;
  std::int32_t margin;        ///< points at either end of a segment that others own, in whole 16-byte pieces
  std::int32_t first, tasks;  ///< where the first segment begins; segments
  bool vectors;               ///< the line may be read and written 16 bytes at a time
  bool wraps;                 ///< segments may reach around to the other end in whole pieces
};

/// A pipeline for lines: a warp holds a segment in registers.
struct LineKernel {
  int radius;
  int width;    ///< points of a segment
  double rate;  ///< points and sweeps a second, without overlap, NVIDIA H200
  void (*launch)(void const* coefficients, LineArgs const& args, void const* in, void* out, cudaStream_t stream);
};

/// The kernels compiled for a value type; the last has width 0.
template <class T>
LineKernel const* line_kernels();

/// Points that are cut into tasks: strips of columns, chunks of rows. Axis 0 is y, axis 1 is x.
struct StripBox {
  std::int32_t begin[2], end[2];
  std::int32_t strips, rows;  ///< rows of a chunk
  std::int32_t first_task;
};

/// One pass of several sweeps over a plane.
struct StripArgs {
  std::int64_t in_pitch, out_pitch;
  std::int32_t extent[2], begin[2], end[2];
  Face faces[2][2];  ///< no edge: a mirror does the same where edges are taken
  std::int32_t user_axis[2];
  std::int32_t levels;  ///< sweeps, at most the kernel's depth
  bool vectors;         ///< rows may be read and written 16 bytes at a time
  std::int32_t boxes, tasks;
  /// Box 0 is on the fast path: what its points depend on lies in the range or is wrapped around. The others
  /// are on the general path, whose strips are narrower.
  StripBox box[5];
};

/// A pipeline compiled for a shape.
struct StripKernel {
  bool star;
  int radius;
  int width;           ///< columns of a warp's strip
  int narrow;          ///< the same on the general path
  int margin;          ///< columns by which strips overlap, in whole 16-byte pieces
  int depth;           ///< sweeps a pass
  int shared;          ///< bytes of a block
  double rate;         ///< points and sweeps a second, NVIDIA H200
  double narrow_cost;  ///< time of a row on the general path, in rows on the fast one
  /// Once per device, before the first launch.
  cudaError_t (*prepare)();
  /// Coefficients: accumulators in canonical order.
  void (*launch)(void const* coefficients, StripArgs const& args, void const* in, void* out, cudaStream_t stream);
};

/// Tasks of a block, a warp each; a multiprocessor holds one block.
constexpr int strip_warps = 8;

/// The kernels compiled for a value type, of a shape the deepest first; the last has width 0.
template <class T>
StripKernel const* strip_kernels();

/// Tiles of the frame or of the inside, each numbered on its own, and planes of them, cut into chunks.
struct SpaceGroup {
  bool frame;
  std::int32_t first_tile, tiles;
  std::int32_t begin, end, planes;  ///< planes of a chunk
  std::int32_t first_task;
};

/// One pass of several sweeps over a volume. Axes z, y, x.
struct SpaceArgs {
  std::int64_t in_stride[2], out_stride[2];
  std::int32_t extent[3], begin[3], end[3];
  Face faces[3][2];  ///< no edge
  std::int32_t user_axis[3];
  bool vectors;
  bool whole;             ///< pieces that reach beyond the range are stored whole, with what both Views hold there
  std::int32_t tiles[2];  ///< along y and x
  std::int32_t first[2];  ///< where the first of them begins
  bool fixed[2][2];       ///< nothing changes beyond the range: the first, last tile owns all up to there
  std::int32_t frame[2]
                    [2];  ///< of these, tiles at either end that reach beyond a face, where some points do not change
  std::int32_t groups, tasks;
  SpaceGroup group[8];
};

/// A pipeline for 3-D stencils.
struct SpaceKernel {
  int terms;             ///< 7, 13: stars; 27: the box; 17: the middle plane and the corners of its neighbours
  int depth;             ///< sweeps a pass
  int own[2];            ///< rows and columns of a tile's results
  int margin[2];         ///< rows and columns around them, at either side
  int warm;              ///< planes that a chunk takes beyond its own
  int shared;            ///< bytes of a block
  double plane, masked;  ///< seconds a plane of a tile where all points change, where some do not, NVIDIA H200
  cudaError_t (*prepare)();
  void (*launch)(void const* coefficients, SpaceArgs const& args, void const* in, void* out, cudaStream_t stream);
  int radius   = 1;
  bool sectors = true;  ///< tiles are laid such that their results begin and end with sectors of memory
  double whole = 0.0;   ///< as masked, where pieces are stored whole; 0: they never are
};

/// The kernels compiled for a value type, of a shape the deepest first; the last has no terms.
template <class T>
SpaceKernel const* space_kernels();

/// One pass of several sweeps over a plane or a volume, by tiles in shared memory. Axes z, y, x.
struct TileArgs {
  std::int64_t in_stride[2], out_stride[2];
  std::int32_t extent[3], begin[3], end[3];
  Face faces[3][2];
  std::int32_t user_axis[3];
  std::int32_t levels;
  bool flat;                     ///< a plane: nothing reaches along z
  bool vectors;                  ///< rows may be read and written 16 bytes at a time
  std::int32_t pieces;           ///< of 16 bytes, of a tile's row
  std::int32_t rows;             ///< of a tile
  std::int32_t own[3];           ///< planes, rows and columns of a tile's results
  std::int32_t tiles[3];         ///< along z, y and x
  std::int32_t threads, shared;  ///< of a block; bytes
};

/// Tiles in shared memory for the star or the box of a radius, in 2-D and 3-D, with any boundary.
struct TileKernel {
  bool star;
  int radius;
  /// Once per device, before the first launch: bytes of a block at most.
  cudaError_t (*prepare)(int shared);
  void (*launch)(void const* coefficients, TileArgs const& args, void const* in, void* out, cudaStream_t stream);
};

/// Rows that a thread does at a time; a tile has as many, or a multiple, for each part of a warp that does a row.
constexpr int tile_rows = 4;

/// The kernels compiled for a value type; the last has radius 0.
template <class T>
TileKernel const* tile_kernels();

}  // namespace CudaTemporal
}  // namespace KokkosStencil
