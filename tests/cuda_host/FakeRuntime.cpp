// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

namespace {

constexpr std::size_t shared_by_default = 48 << 10;

int g_device = 0;

/// Dynamic shared memory that kernels asked for on the current device.
std::map<void const*, std::size_t>& shared_of() {
  static std::map<void const*, std::size_t> bytes[std::size(FakeRuntime::gpus)];
  return bytes[g_device];
}

/// `marks`: as launch_overlapping sets them: 0, 1 or 2 for kernels that wait at their end, first, before they signal.
cudaError_t note_launch(void const* kernel, dim3 grid, dim3 block, std::size_t shared, bool beside = false,
                        int marks = 0) {
  FakeRuntime::Log& log = FakeRuntime::log();
  if (log.launch_result != cudaSuccess) {
    log.last_error = log.launch_result;
    return static_cast<cudaError_t>(log.launch_result);
  }
  ++log.launches;
  // A kernel beside another one depends on what came before that one.
  if (beside && marks == 0 && log.alone && log.wrong.empty())
    log.wrong = "a kernel that may begin before what it reads is written";
  // One that waits at its end begins behind one that began when all before it had ended.
  log.alone                 = beside && marks == 1;
  auto const asked          = shared_of().find(kernel);
  std::size_t const allowed = asked == shared_of().end() ? shared_by_default : asked->second;
  bool const good           = grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x < 1u << 31 && grid.y < 1u << 16 &&
                    grid.z < 1u << 16 && block.x > 0 && std::uint64_t{block.x} * block.y * block.z <= 1024 &&
                    block.y > 0 && block.z > 0 && shared <= allowed;
  if (good || !log.wrong.empty()) return cudaSuccess;
  log.wrong = "grid " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " + std::to_string(grid.z) +
              ", block " + std::to_string(block.x) + " x " + std::to_string(block.y) + " x " + std::to_string(block.z) +
              ", shared memory " + std::to_string(shared) + " of " + std::to_string(allowed);
  return cudaSuccess;
}

}  // namespace

FakeRuntime::Log& FakeRuntime::log() {
  static Log log;
  return log;
}

extern "C" {

cudaError_t cudaGetDevice(int* device) {
  *device = g_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  g_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return static_cast<cudaError_t>(std::exchange(FakeRuntime::log().last_error, cudaSuccess));
}
cudaError_t cudaPeekAtLastError() { return static_cast<cudaError_t>(FakeRuntime::log().last_error); }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  FakeRuntime::Gpu const& gpu = FakeRuntime::gpus[device];
  switch (which) {
    case cudaDevAttrComputeCapabilityMajor: *value = gpu.compute_capability / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = gpu.compute_capability % 10; break;
    case cudaDevAttrMultiProcessorCount: *value = gpu.multiprocessors; break;
    case cudaDevAttrL2CacheSize: *value = gpu.l2_bytes; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = gpu.shared_bytes; break;
    case cudaDevAttrClockRate: *value = 1980000; break;
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  *properties = {};
  std::strcpy(properties->name, FakeRuntime::gpus[device].name);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (FakeRuntime::log().full) {
    FakeRuntime::log().last_error = cudaErrorMemoryAllocation;
    return cudaErrorMemoryAllocation;
  }
  *memory = std::malloc(bytes < std::size_t(1) << 30 ? bytes : 1);  // what is large is never read
  ++FakeRuntime::log().made;
  ++FakeRuntime::log().kept;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all) {
  *all        = std::size_t(1) << 46;  // no problem of a test is too large
  *free_bytes = FakeRuntime::log().full ? 0 : *all;
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  if (memory != nullptr) --FakeRuntime::log().kept;
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void*, int, std::size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  ++FakeRuntime::log().waits;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  ++FakeRuntime::log().waits;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  ++FakeRuntime::log().waits;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute which, int value) {
  if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > FakeRuntime::gpus[g_device].shared_bytes) {
    ++FakeRuntime::log().refused;
    return cudaErrorInvalidValue;
  }
  shared_of()[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
  *attributes            = {};
  attributes->ptxVersion = 90;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void**, std::size_t shared, cudaStream_t) {
  return note_launch(kernel, grid, block, shared);
}
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void**) {
  bool beside = false;
  int marks   = 0;
  for (unsigned k = 0; k < config->numAttrs; ++k) {
    beside = beside || config->attrs[k].id == cudaLaunchAttributeProgrammaticStreamSerialization;
    if (config->attrs[k].id == cudaLaunchAttributeIgnore) ++marks;
  }
  return note_launch(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes, beside, marks);
}
#if CUDART_VERSION >= 12050
cudaError_t cudaGetDriverEntryPointByVersion(char const*, void** entry, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  *entry = nullptr;
  *found = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
#endif

cudaError_t cudaLaunchCooperativeKernel(void const* kernel, dim3 grid, dim3 block, void**, std::size_t shared,
                                        cudaStream_t) {
  // One block of the kernels that there are takes a multiprocessor.
  if (grid.x * grid.y * grid.z > static_cast<unsigned>(FakeRuntime::gpus[g_device].multiprocessors) &&
      FakeRuntime::log().wrong.empty()) {
    FakeRuntime::log().wrong = "more blocks of a cooperative launch than multiprocessors";
  }
  return note_launch(kernel, grid, block, shared);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void const*, int, std::size_t,
                                                                   unsigned) {
  *blocks = 1;
  return cudaSuccess;
}
// What <<<>>> becomes from CUDA 12.8 on, and with it what it returns is lost.
cudaError_t __cudaGetKernel(cudaKernel_t* handle, void const* kernel) {
  *handle = reinterpret_cast<cudaKernel_t>(const_cast<void*>(kernel));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) {
  FakeRuntime::log().wrong = "a launch by <<<>>>, not by launch_kernel";
  return cudaSuccess;
}
}
