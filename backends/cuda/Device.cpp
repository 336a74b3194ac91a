// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Device.hpp"

#include "Check.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace KokkosStencil {
namespace Cuda {

namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

DeviceFacts ask(int device) {
  DeviceFacts f;
  f.compute_capability =
      10 * attribute(cudaDevAttrComputeCapabilityMajor, device) + attribute(cudaDevAttrComputeCapabilityMinor, device);
  f.sm_count               = attribute(cudaDevAttrMultiProcessorCount, device);
  f.l2_bytes               = attribute(cudaDevAttrL2CacheSize, device);
  f.shared_bytes_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  double const clock       = 1e3 * attribute(cudaDevAttrClockRate, device);
  double const peak =
      2e3 * attribute(cudaDevAttrMemoryClockRate, device) * attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8;
  // A large copy reached 0.87 of the peak on an H200.
  f.copy_bandwidth = peak > 0.0 ? 0.87 * peak : 1.3e12;
  // Lanes a multiprocessor and cycle, by compute capability.
  int const cc          = f.compute_capability;
  double const lanes    = cc == 80 ? 64 : 128;
  double const lanes_64 = cc == 80 ? 32 : cc == 90 || cc == 100 ? 64 : 2;
  f.fma_rate_float      = lanes * f.sm_count * clock;
  f.fma_rate_double     = lanes_64 * f.sm_count * clock;
  return f;
}

}  // namespace

DeviceFacts const& device_facts(int device) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<DeviceFacts const>> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto& facts = known[device];
  if (facts == nullptr) facts = std::make_unique<DeviceFacts const>(ask(device));
  return *facts;
}

Verdict supported(SpaceInfo const& space) {
  if (space.compute_capability == 0 || space.device < 0) {
    return Verdict::cannot("the execution space " + space.name + " is not CUDA");
  }
  auto const text = [](int cc) { return std::to_string(cc / 10) + "." + std::to_string(cc % 10); };
  int const least = KOKKOSSTENCIL_CUDA_LOWEST < 80 ? 80 : KOKKOSSTENCIL_CUDA_LOWEST;
  if (space.compute_capability < least) {
    return Verdict::cannot("the GPU has compute capability " + text(space.compute_capability) +
                           ", the kernels of this build need " + text(least));
  }
  return Verdict::can();
}

CurrentDevice::CurrentDevice(int device) {
  int now = -1;
  check(cudaGetDevice(&now), "cudaGetDevice");
  if (now == device) return;
  check(cudaSetDevice(device), "cudaSetDevice");
  m_before = now;
}

CurrentDevice::~CurrentDevice() {
  if (m_before >= 0) cudaSetDevice(m_before);
}

DeviceBuffer::~DeviceBuffer() {
  if (m_data != nullptr) cudaFree(m_data);
}

void DeviceBuffer::allocate(int device, std::size_t bytes) {
  if (bytes == 0) return;
  CurrentDevice const current(device);
  check(cudaMalloc(&m_data, bytes), "cudaMalloc");
  m_bytes  = bytes;
  m_device = device;
}

void DeviceBuffer::fill(int device, void const* from, std::size_t bytes, void* stream) {
  if (bytes == 0) return;
  allocate(device, bytes);
  CurrentDevice const current(device);
  auto const s = static_cast<cudaStream_t>(stream);
  check(cudaMemcpyAsync(m_data, from, bytes, cudaMemcpyHostToDevice, s), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(s), "cudaStreamSynchronize");
}

}  // namespace Cuda
}  // namespace KokkosStencil
