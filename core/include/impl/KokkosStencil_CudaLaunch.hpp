// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Launches of kernels that are not Kokkos'.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// Makes the device of an execution space the current one for a while.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    cudaGetDevice(&m_before);
    if (m_before == device) m_before = -1;
    if (m_before >= 0) cudaSetDevice(device);
  }
  ~CurrentDevice() {
    if (m_before >= 0) cudaSetDevice(m_before);
  }
  CurrentDevice(CurrentDevice const&)            = delete;
  CurrentDevice& operator=(CurrentDevice const&) = delete;

 private:
  int m_before = -1;
};

/// Whether calls for a stream go to a graph instead of the device.
inline bool captures(cudaStream_t stream) {
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &capturing);
  return capturing != cudaStreamCaptureStatusNone;
}

/// Allows this thread to allocate, to create and to wait while another one captures in global mode, which would fail
/// both its calls and the capture. What is done meanwhile must not belong to a capture.
class RelaxedCapture {
 public:
  RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&m_mode); }
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&m_mode); }
  RelaxedCapture(RelaxedCapture const&)            = delete;
  RelaxedCapture& operator=(RelaxedCapture const&) = delete;

 private:
  cudaStreamCaptureMode m_mode = cudaStreamCaptureModeRelaxed;
};

/// What kernels may carry that are launched like this; larger ones are launched by Kokkos.
constexpr std::size_t most_arguments = 4000;

/// Launches on the instance's current device. cudaGetLastError is not asked: an error that it reports may be the
/// application's.
template <class Kernel>
void launch_kernel(std::string const& label, void (*function)(Kernel), Kernel const& kernel, std::uint32_t blocks,
                   int threads, std::size_t shared_bytes, Kokkos::Cuda const& space) {
  void* arguments[] = {const_cast<Kernel*>(&kernel)};
  cudaError_t const error =
      cudaLaunchKernel(reinterpret_cast<void const*>(function), dim3(blocks), dim3(static_cast<unsigned>(threads)),
                       arguments, shared_bytes, space.cuda_stream());
  if (error != cudaSuccess) {
    cudaGetLastError();
    fail(label, std::string("a kernel could not be launched: ") + cudaGetErrorString(error));
  }
  static bool const tells = verbose();
  if (!tells) return;
  cudaFuncAttributes of{};
  if (cudaFuncGetAttributes(&of, function) == cudaSuccess) note_local_memory(label, of.localSizeBytes);
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
