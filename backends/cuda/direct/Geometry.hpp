// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// What kernels made for a shape need of Views and range. Columns count from the View's first; `first_vector` is the
/// column (aligned as vectors are, may be negative) at which the first tile begins; only whole vectors in [low, high)
/// are read.
struct Geometry {
  std::int64_t in_stride[2], out_stride[2];  ///< planes, rows
  std::int64_t first_vector;
  std::int64_t low, high;
  std::int64_t wrap;              ///< columns of a torus across x, or 0: what lies outside is not needed
  std::int64_t begin[3], end[3];  ///< points written
  std::int64_t last_row;          ///< last row of a plane that may be read
  std::int32_t tiles_x, tiles_y;
  std::int32_t tiles_z;
  std::int32_t band;  ///< rows of tiles that are launched for all z before the next ones; 0: a plane of tiles at a time
  std::int32_t length;  ///< planes or rows that a block streams over
  bool aligned_out;
};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
