// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_TensorCopies.hpp>

#include <atomic>

// Whether a kernel whose copies the GPU makes by itself can run.

#ifdef KOKKOSSTENCIL_IMPL_RINGS

namespace KokkosStencil {
namespace Impl {

/// What the code of a kernel on a device is: a ring, the streaming kernel in its place, or it cannot run.
enum class RingCode : char { unknown, ring, streaming, none };
/// Tag: the kernel, whose answer is kept. `bytes`: the shared memory that it asks for.
template <class Tag>
RingCode ring_code_of(void const* function, int bytes, int device) {
  constexpr int most = 64;
  static std::atomic<RingCode> known[most];
  // Errors that are about this kernel; another one is of what ran before, and stays for the next launch to report.
  auto const none = [](cudaError_t error) {
    if (error != cudaErrorInvalidDeviceFunction && error != cudaErrorNoKernelImageForDevice &&
        error != cudaErrorInvalidValue) {
      return RingCode::unknown;
    }
    cudaGetLastError();
    return RingCode::none;
  };
  auto const find = [none, function, bytes] {
    cudaFuncAttributes attributes{};
    if (cudaError_t const error = cudaFuncGetAttributes(&attributes, function); error != cudaSuccess) {
      return none(error);
    }
    if (attributes.ptxVersion < 90 || attributes.ptxVersion >= 120) return RingCode::streaming;
    cudaError_t const error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    return error == cudaSuccess ? RingCode::ring : none(error);
  };
  if (device >= most) return find();
  auto& code = known[device];
  if (code.load() == RingCode::unknown) code.store(find());
  return code.load();
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
