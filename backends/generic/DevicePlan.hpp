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

struct DevicePlan {
  int columns = 1, stack = 1;  ///< of a thread
  DeviceTiling tiling;
};

/// For a device that runs so many threads at once.
DevicePlan plan_device(Problem const& problem, std::int64_t threads);

std::vector<Estimate> device_cost(Problem const& problem, DeviceModel const& device);

}  // namespace Generic
}  // namespace KokkosStencil
