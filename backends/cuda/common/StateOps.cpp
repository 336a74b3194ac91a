// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/Check.hpp"
#include "common/Device.hpp"
#include "common/GhostCopy.hpp"
#include "common/PaddedExecutable.hpp"
#include "common/RowCopy.hpp"
#include "common/UpdateNorm.hpp"

#include <impl/KokkosStencil_StateOps.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// What iterations on NVIDIA GPUs need besides sweeps, for all backends.

namespace KokkosStencil {
namespace Cuda {

namespace {

class CudaStateOps : public Impl::StateOps {
 public:
  CudaStateOps(Problem const& p, int device) : m_problem(p), m_device(device), m_ghosts(p, device) {}

  void copy_ghosts(Launch const& launch, void const* from, void* to, bool to_second) const override {
    m_ghosts.copy(launch, from, to, to_second);
  }

  /// One that no other iteration uses. They are kept for later, since allocating device memory takes long.
  std::shared_ptr<NormReducer> norm_reducer() const override {
    std::unique_ptr<UpdateNorm> one;
    {
      std::lock_guard<std::mutex> const lock(m_mutex);
      if (!m_free.empty()) {
        one = std::move(m_free.back());
        m_free.pop_back();
      }
    }
    if (!one) one = std::make_unique<UpdateNorm>(m_problem, m_device);
    return {one.release(), [this](UpdateNorm* used) {
              std::lock_guard<std::mutex> const lock(m_mutex);
              m_free.emplace_back(used);
            }};
  }

  std::size_t bytes() const override {
    std::lock_guard<std::mutex> const lock(m_mutex);
    std::size_t all = 0;
    for (auto const& one : m_free) all += one->bytes();
    return all;
  }

  std::string device_name(Launch const&) const override { return Cuda::device_name(m_device); }

  void* allocate(std::size_t bytes) const override {
    CurrentDevice const current(m_device);
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    return memory;
  }
  void release(void* memory) const override { cudaFree(memory); }
  void copy(Launch const& launch, void* to, void const* from, std::size_t bytes) const override {
    CurrentDevice const current(m_device);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(launch.stream)),
          "cudaMemcpyAsync");
  }
  void fence(Launch const& launch) const override {
    CurrentDevice const current(m_device);
    check(cudaStreamSynchronize(static_cast<cudaStream_t>(launch.stream)), "cudaStreamSynchronize");
  }

 private:
  Problem m_problem;
  int m_device;
  GhostCopy m_ghosts;
  mutable std::mutex m_mutex;
  mutable std::vector<std::unique_ptr<UpdateNorm>> m_free;
};

class CudaServices : public Impl::DeviceServices {
 public:
  std::unique_ptr<Impl::StateOps> state_ops(Problem const& p, SpaceInfo const& space) const override {
    if (!supported(space)) return nullptr;
    return std::make_unique<CudaStateOps>(p, space.device);
  }
  DeviceModel const* device_model(SpaceInfo const& space) const override {
    return space.device >= 0 ? &Cuda::device_model(space.device) : nullptr;
  }
  bool copy_rows(SpaceInfo const& space, Launch const& launch, Impl::RowCopy const& copy) const override {
    if (!supported(space)) return false;
    CurrentDevice const current(space.device);
    Cuda::copy_rows(launch, copy);
    return true;
  }
  bool room_for_copies(SpaceInfo const& space, std::int64_t bytes) const override {
    return supported(space) && room_for_padding(space.device, bytes);
  }
};

}  // namespace

std::unique_ptr<Impl::DeviceServices const> make_device_services() { return std::make_unique<CudaServices const>(); }

}  // namespace Cuda
}  // namespace KokkosStencil
