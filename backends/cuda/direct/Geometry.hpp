// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Boundary.hpp>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// What kernels made for a shape are told of Views and range. Columns count from the first one of the View. The first
/// tile begins at column `first_vector`, which is aligned to vectors and may be negative. Only whole vectors in
/// [low, high) are read. For rows that begin anywhere `first_vector` is any column, and [low, high) are the View's
/// elements, counted from its first one.
struct Geometry {
  std::int64_t in_stride[2], out_stride[2];  ///< planes, rows
  std::int64_t first_vector;
  std::int64_t low, high;
  std::int64_t wrap;              ///< if x is periodic and read across its faces: columns of a row; else 0
  std::int64_t begin[3], end[3];  ///< points written
  std::int64_t last_row;          ///< last row of a plane that may be read
  std::int32_t tiles_x, tiles_y;
  std::int32_t tiles_z;
  std::int32_t band;    ///< rows of tiles that are launched for all z before the next ones; 0: all of a plane
  std::int32_t length;  ///< planes or rows that a block streams over
  bool aligned_out;
  std::int32_t shift;  ///< of a line folded into rows: columns from a vector of inputs to the outputs of its lane
  /// The faces past which the kernel finds what it needs: along z and y planes and rows that mirrors, edges and
  /// periodic faces show; along x it makes the columns past mirrors, edges and constants, as it makes planes and rows
  /// of constants where it has them in shared memory. Other faces are halos here.
  Face faces[3][2];
  std::int64_t extent[3];                       ///< of the View, between these
  std::int32_t narrow_tiles_x, narrow_tiles_y;  ///< of narrower tiles at the ends of rows; 0: none
  /// Of a plane that is cut into other rows: the pitch of the View's rows, how many columns of each are written, how
  /// many values lie before the View's first in its vector, and the first element of the rows that are written and of
  /// the next one.
  std::int32_t pitch, wide, before;
  std::int64_t line_begin, line_end;
};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
