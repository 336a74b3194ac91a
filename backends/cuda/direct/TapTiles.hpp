// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// How the list of terms covers a range: tiles of tap_threads threads, each of which does some rows of some columns.
/// In lines, which are so few rows, all threads are side by side.
struct TapTiles {
  int rows;                                ///< of a thread: one or tap_rows
  int columns;                             ///< of a thread, at most most_tap_columns
  int threads_x_log2;                      ///< threads side by side along x
  std::int64_t across_x, across_y, count;  ///< tiles
  bool in_arguments;                       ///< its terms come with the arguments: launch_few_terms
  double seconds;                          ///< that a sweep takes by instructions and memory, but for the launch
  double idle;                             ///< those of them in which neither instructions nor memory are busy

  /// Columns of a tile; rows of the range may have fewer.
  std::int64_t width() const { return static_cast<std::int64_t>(columns) << threads_x_log2; }
};

/// The fastest tiles of a box of points that is not empty.
TapTiles tap_tiles(Problem const& problem, PointBox const& box, DeviceModel const& device);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
