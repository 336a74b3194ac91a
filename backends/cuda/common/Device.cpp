// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/Device.hpp"

#include "common/Check.hpp"
#include "common/Tuning.hpp"

#include <impl/KokkosStencil_HeldBytes.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>

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
  DeviceModel const model  = device_from_properties("", f.compute_capability, f.sm_count, f.l2_bytes, clock, 0.0);
  f.fma_rate_float         = model.float_rate / 2.0;
  f.fma_rate_double        = model.double_rate / 2.0;
  return f;
}

/// Bytes a second, read plus write; 0 if it could not be measured.
double timed_copy(int device) {
  CurrentDevice const current(device);
  std::size_t free_bytes = 0, all = 0;
  if (cudaMemGetInfo(&free_bytes, &all) != cudaSuccess) return 0.0;
  std::size_t const bytes = std::min<std::size_t>(free_bytes / 8, std::size_t(512) << 20);
  void *from = nullptr, *to = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t events[2]{};
  double best = 0.0;
  bool ok     = cudaMalloc(&from, bytes) == cudaSuccess && cudaMalloc(&to, bytes) == cudaSuccess &&
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
            cudaEventCreate(&events[0]) == cudaSuccess && cudaEventCreate(&events[1]) == cudaSuccess;
  for (int k = 0; ok && k < 4; ++k) {
    float ms = 0.0f;
    ok       = cudaEventRecord(events[0], stream) == cudaSuccess &&
         cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream) == cudaSuccess &&
         cudaEventRecord(events[1], stream) == cudaSuccess && cudaEventSynchronize(events[1]) == cudaSuccess &&
         cudaEventElapsedTime(&ms, events[0], events[1]) == cudaSuccess;
    // The first one warms up.
    if (ok && k > 0 && ms > 0.0f) best = std::max(best, 2e3 * static_cast<double>(bytes) / ms);
  }
  for (cudaEvent_t event : events) {
    if (event != nullptr) cudaEventDestroy(event);
  }
  if (stream != nullptr) cudaStreamDestroy(stream);
  cudaFree(from);
  cudaFree(to);
  if (!ok) cudaGetLastError();
  return best;
}

}  // namespace

std::string const& device_name(int device) {
  static std::mutex mutex;
  static std::map<int, std::string> known;
  std::lock_guard<std::mutex> lock(mutex);
  std::string& name = known[device];
  if (name.empty()) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    name = properties.name;
  }
  return name;
}

DeviceModel measured_model(int device) {
  DeviceFacts const& facts = device_facts(device);
  double const memory =
      2e3 * attribute(cudaDevAttrMemoryClockRate, device) * attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8;
  DeviceModel model =
      device_from_properties(device_name(device), facts.compute_capability, facts.sm_count, facts.l2_bytes,
                             1e3 * attribute(cudaDevAttrClockRate, device), memory > 0.0 ? memory : 1.5e12);
  if (double const rate = timed_copy(device); rate > 0.0) {
    model.l2_bandwidth *= rate / model.bandwidth;
    model.bandwidth = rate;
    model.source    = "properties of the device, a timed copy";
  }
  return model;
}

DeviceModel const& device_model(int device) {
  if (DeviceModel const* const described = described_device(device_name(device))) return *described;
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<DeviceModel const>> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto& measured = known[device];
  if (measured == nullptr) measured = std::make_unique<DeviceModel const>(measured_model(device));
  return *measured;
}

DeviceModel launch_model(int device) {
  DeviceFacts const& facts = device_facts(device);
  DeviceModel model        = device_model(device);
  model.compute_capability = facts.compute_capability;
  model.multiprocessors    = facts.sm_count;
  return model;
}

DeviceFacts const& device_facts(int device) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<DeviceFacts const>> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto& facts = known[device];
  if (facts == nullptr) facts = std::make_unique<DeviceFacts const>(ask(device));
  return *facts;
}

Status supported(SpaceInfo const& space) {
  if (space.compute_capability == 0 || space.device < 0) {
    return Status::cannot("the execution space " + space.name + " is not CUDA");
  }
  auto const text = [](int cc) { return std::to_string(cc / 10) + "." + std::to_string(cc % 10); };
  int const least = std::max(least_compute_capability, KOKKOSSTENCIL_CUDA_LOWEST);
  if (space.compute_capability < least) {
    return Status::cannot("the GPU has compute capability " + text(space.compute_capability) +
                          ", the kernels of this build need " + text(least));
  }
  return Status::can();
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
  if (m_data == nullptr) return;
  cudaFree(m_data);
  Impl::device_bytes() -= static_cast<std::int64_t>(m_bytes);
}

void DeviceBuffer::allocate(int device, std::size_t bytes) {
  if (bytes == 0) return;
  CurrentDevice const current(device);
  check(cudaMalloc(&m_data, bytes), "cudaMalloc");
  m_bytes  = bytes;
  m_device = device;
  Impl::device_bytes() += static_cast<std::int64_t>(bytes);
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
