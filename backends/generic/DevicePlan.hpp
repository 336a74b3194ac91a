// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "DeviceTuning.hpp"

#include <KokkosStencil_Backend.hpp>

#include <cstdint>
#include <vector>

// How the device kernels cut a range, and what they take on GPUs that predictions know. Plain C++: no Kokkos.

namespace KokkosStencil {
namespace Generic {

/// Team tiles of threads_x by threads_y threads, each with several columns of a stack of rows.
struct DeviceTiling {
  static constexpr int team = DeviceTuning::team;
  int threads_x_log2        = 6;
  std::uint32_t tiles_x = 1, tiles_y = 1, tiles = 1;
};

/// Points near faces, computed apart: boxes of rows, of which every thread has several columns, and boxes of the ends
/// of rows, a point a thread.
struct DeviceFaces {
  static constexpr int lanes = 32, columns = DeviceTuning::columns, part = lanes * columns;
  static constexpr int most = 6;
  struct Box {
    std::int64_t begin[3];
    std::int64_t size[3];
    std::uint32_t first_team, rows;
    std::uint32_t parts;  ///< of a row; 0: a point a thread
  };
  int count           = 0;
  std::uint32_t teams = 0;
  Box boxes[most]{};
};

struct DevicePlan {
  int columns = 1, stack = 1;  ///< of a thread
  PointBox range;              ///< of the kernel by tiles: all points, or those far from faces
  DeviceTiling tiling;
  DeviceFaces faces;  ///< the others
};

/// For a device that runs so many threads at once.
DevicePlan plan_device(Problem const& problem, std::int64_t threads);

std::vector<Estimate> device_cost(Problem const& problem, DeviceModel const& device);

}  // namespace Generic
}  // namespace KokkosStencil
