// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/GhostsInPass.hpp"

#include <KokkosStencil_Boundary.hpp>

#include <cstdint>

// The arguments of kernels: written by plans, read by kernels. Axes z, y, x.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// One pass over a line.
struct LineArgs {
  std::int32_t extent, begin, end;
  Face faces[2];
  std::int32_t depth;         ///< sweeps
  std::int32_t halo;          ///< points at either end of a segment that belong to the neighbours
  std::int32_t first, tasks;  ///< where the first segment begins; segments
  bool wraps;                 ///< segments may reach around to the other end in whole vectors
};

/// Points that are cut into tasks: strips of columns, chunks of rows. Axis 0 is y, axis 1 is x.
struct StripRegion {
  bool fast;  ///< takes the fast path
  std::int32_t begin[2], end[2];
  std::int32_t strips, rows;  ///< rows of a chunk
  std::int32_t first_task;
};

/// One pass over a plane.
struct StripArgs {
  std::int64_t in_pitch, out_pitch;
  std::int32_t extent[2], begin[2], end[2];
  Face faces[2][2];  ///< an edge is given as a mirror, which is the same for radius 1
  std::int32_t user_axis[2];
  std::int32_t depth;  ///< sweeps, at most the kernel's
  bool aligned;        ///< rows may be read and written 16 bytes at a time
  std::int32_t regions, tasks;
  /// Some take the fast path: all that their points depend on changes in every sweep, or is periodic. The others take
  /// the general path, whose strips may be narrower.
  StripRegion region[12];
  std::int32_t early_tasks;  ///< of these, the first ones: each adds one to the counter when it has stored its results
  std::uint32_t* early_count;  ///< where `early_tasks` is not zero
};

/// One pass over a plane by patches in registers.
struct PatchArgs {
  std::int64_t in_pitch, out_pitch;
  std::int32_t extent[2], begin[2], end[2];
  Face faces[2][2];  ///< an edge is given as a mirror, which is the same for radius 1
  std::int32_t user_axis[2];
  std::int32_t depth;       ///< sweeps
  bool aligned;             ///< rows may be read and written 16 bytes at a time
  std::int32_t patches[2];  ///< along y and x
  std::int32_t first[2];    ///< where the first of them begins
  std::int32_t step[2];     ///< from one to the next
  std::int32_t halo[2];     ///< rows and columns at either side that belong to the neighbours
  GhostsInPass ghosts;
};

/// One pass over a small volume by bricks in shared memory.
struct BrickArgs {
  std::int64_t in_stride[2], out_stride[2];
  std::int32_t extent[3], begin[3], end[3];
  Face faces[3][2];  ///< an edge is given as a mirror, which is the same for radius 1
  std::int32_t user_axis[3];
  std::int32_t depth;                ///< sweeps
  bool aligned;                      ///< rows may be read and written 16 bytes at a time
  bool fixed[2];                     ///< nothing changes beyond the range, in planes below and above
  std::int32_t points[3];            ///< planes, rows and columns of all bricks together
  std::int32_t size[3];              ///< of one of them
  std::int32_t bricks[3];            ///< along z, y and x
  std::int32_t first[3];             ///< where the first of them begins
  std::int32_t step[3];              ///< from one to the next
  std::int32_t halo[3];              ///< planes, rows and columns at either side that belong to the neighbours
  std::int32_t lanes_log;            ///< of two: the lanes that hold a row
  std::int32_t team_threads, teams;  ///< threads that take a plane
  std::int32_t teams_inverse;        ///< 2^16 over `teams`, rounded up
  std::int32_t shared_bytes;
  GhostsInPass ghosts;
};

/// Some tiles, and their planes, which are cut into chunks. Tiles of the frame, which reach beyond a face, are numbered
/// from 0, and so are the others.
struct SpaceGroup {
  bool frame;
  std::int32_t first_tile, tiles;
  std::int32_t begin, end, planes;  ///< planes of a chunk
  std::int32_t first_task;
};

/// One pass over a volume.
struct SpaceArgs {
  std::int64_t in_stride[2], out_stride[2];
  std::int32_t extent[3], begin[3], end[3];
  Face faces[3][2];  ///< an edge is given as a mirror
  std::int32_t user_axis[3];
  bool aligned;  ///< rows may be read and written 16 bytes at a time
  /// Rows of the input, or of the output, begin anywhere, and there is a kernel for that; the others are aligned.
  bool in_anywhere, out_anywhere;
  /// Of what lies outside the range, the points that others may read are stored, too, and with them, where vectors
  /// reach farther, values that no sweep reads. Only with whole_vectors.
  bool stores_ghosts;
  bool whole_vectors;     ///< vectors that reach beyond the range are stored whole: both Views hold the same there
  std::int32_t tiles[2];  ///< along y and x
  std::int32_t first[2];  ///< where the first of them begins
  bool fixed[2][2];       ///< nothing changes beyond the range: the results of the first or last tile reach its end
  /// Tiles at either end that reach beyond a face, where some points do not change.
  std::int32_t frame[2][2];
  std::int32_t groups, tasks;
  SpaceGroup group[12];
  std::int32_t early_tasks;  ///< of these, the first ones: each adds one to the counter when it has stored its results
  std::uint32_t* early_count;  ///< where `early_tasks` is not zero
};

/// One pass over a plane or a volume by tiles in shared memory.
struct TileArgs {
  std::int64_t in_stride[2], out_stride[2];
  std::int32_t extent[3], begin[3], end[3];
  Face faces[3][2];
  std::int32_t user_axis[3];
  std::int32_t depth;                  ///< sweeps
  bool flat;                           ///< a plane: nothing reaches along z
  bool aligned;                        ///< rows may be read and written 16 bytes at a time
  std::int32_t row_vectors;            ///< 16-byte vectors of a tile's row; 0 if no tile fits
  std::int32_t rows;                   ///< of a tile
  std::int32_t interior[3];            ///< planes, rows and columns of a tile's results
  std::int32_t tiles[3];               ///< along z, y and x
  std::int32_t threads, shared_bytes;  ///< of a block
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
