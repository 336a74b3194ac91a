// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <utility>

// Errors are found by what our own calls return, never by cudaGetLastError: what that reports may come from a call of
// the application, which shall find it there.

namespace KokkosStencil {
namespace Cuda {

/// Name, number and meaning.
inline std::string error_text(cudaError_t code) {
  return std::string(cudaGetErrorName(code)) + " (" + std::to_string(static_cast<int>(code)) +
         "): " + cudaGetErrorString(code);
}

/// Whether every later CUDA call of the process fails, too. Kernels that crash leave such an error.
inline bool is_lasting(cudaError_t code) {
  switch (code) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure: return true;
    default: return false;
  }
}

/// Throws for an error of one of our calls, and removes it from cudaGetLastError.
[[noreturn]] inline void fail(std::string const& what, cudaError_t code) {
  cudaGetLastError();
  if (is_lasting(code)) {
    throw std::runtime_error("KokkosStencil: " + what + ": an earlier kernel of this process has failed, after which " +
                             "CUDA does nothing more: " + error_text(code) + ".");
  }
  throw std::runtime_error("KokkosStencil: " + what + " failed: " + error_text(code) + ".");
}

/// Throws unless a call of the CUDA runtime succeeded; for plan time.
inline void check(cudaError_t code, char const* what) {
  if (code != cudaSuccess) fail(what, code);
}

/// The error of the first launch of this thread that failed since the last check_launch.
inline thread_local cudaError_t failed_launch = cudaSuccess;

/// Keeps the error of a launch for check_launch.
inline void note_launch(cudaError_t code) {
  if (code != cudaSuccess && failed_launch == cudaSuccess) failed_launch = code;
}

/// Throws if a launch of this thread has failed since the last time.
inline void check_launch(std::string const& label) {
  if (failed_launch == cudaSuccess) return;
  fail("\"" + label + "\": a CUDA launch", std::exchange(failed_launch, cudaSuccess));
}

}  // namespace Cuda
}  // namespace KokkosStencil
