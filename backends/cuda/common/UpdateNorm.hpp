// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/UpdateNormKernel.hpp"
#include "common/Device.hpp"

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Until.hpp>
#include <impl/KokkosStencil_StateOps.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace KokkosStencil {
namespace Cuda {

/// Finds update norms on the GPU, in the stream of the launch. Only the result is sent to the host.
class UpdateNorm : public NormReducer {
 public:
  UpdateNorm(Problem const& problem, int device);
  ~UpdateNorm() override;
  UpdateNorm(UpdateNorm const&)            = delete;
  UpdateNorm& operator=(UpdateNorm const&) = delete;

  double between(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second, Norm norm,
                 std::function<void()> const& ahead) override;
  double of_sweep(Launch const& launch, Norm norm, std::function<void()> const& ahead) override;

  /// Device memory for `count` numbers, in which a kernel that sweeps from in to out leaves its norm in parts: sums of
  /// squares, or largest changes. of_sweep() adds them up, and the points of the boxes of `rest`, which the kernel does
  /// not see.
  double* parts(std::int64_t count, BoundaryArgs const& rest, void const* in, void const* out);

  /// Bytes of device memory held.
  std::size_t bytes() const { return m_partial.bytes() + (m_parts ? m_parts->bytes() : 0); }

 private:
  /// Where kernels leave results. Allocated by the first call: few plans are for iterate_until.
  UpdateNormResult target(Launch const& launch);
  double wait(Launch const& launch, Norm norm, std::function<void()> const& ahead);

  struct State {
    void const* data;
    std::int64_t const* stride;
  };
  /// Enqueues the second look (launch_update_norm_again), which usually ends at once.
  void look_again(Launch const& launch, Norm norm, State const& newest, State const& oldest,
                  UpdateNormResult const& to) const;

  Problem m_problem;
  int m_device;
  DeviceBuffer m_partial;
  double* m_total     = nullptr;
  cudaEvent_t m_ready = nullptr;

  std::unique_ptr<DeviceBuffer> m_parts;
  std::int64_t m_count = 0;
  BoundaryArgs m_rest{};
  void const* m_in  = nullptr;
  void const* m_out = nullptr;
};

}  // namespace Cuda
}  // namespace KokkosStencil
