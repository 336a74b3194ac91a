// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Device.hpp"

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Until.hpp>

#include <cuda_runtime.h>

#include <functional>
#include <mutex>

namespace KokkosStencil {
namespace Cuda {

/// Measures the change between two states on the stream of the launch; only the result crosses to the host.
class Change {
 public:
  Change(Problem const& problem, int device);
  ~Change();
  Change(Change const&)            = delete;
  Change& operator=(Change const&) = delete;

  /// `newest_is_second`: newest has the strides of the problem's output, oldest those of its input, else the other
  /// way round. Calls `ahead` once the comparison is on the stream, then waits for its result.
  double measure(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second, Norm norm,
                 std::function<void()> const& ahead);

 private:
  Problem m_problem;
  int m_device;
  std::mutex m_mutex;
  DeviceBuffer m_partial;  ///< memory is taken at the first use: few plans are for iterate_until
  double* m_total     = nullptr;
  cudaEvent_t m_ready = nullptr;
};

}  // namespace Cuda
}  // namespace KokkosStencil
