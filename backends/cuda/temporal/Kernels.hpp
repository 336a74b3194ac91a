// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Args.hpp"

#include <KokkosStencil_Accuracy.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// The value type of a kernel's T.
template <class T>
inline constexpr ValueType value_type = ValueType::float32;
template <>
inline constexpr ValueType value_type<double> = ValueType::float64;
template <>
inline constexpr ValueType value_type<__half> = ValueType::float16;
template <>
inline constexpr ValueType value_type<__nv_bfloat16> = ValueType::bfloat16;

/// The entry points of a compiled kernel.
template <class Args>
struct Kernel {
  /// Once per device, before the first launch: the most shared memory that a block will have.
  cudaError_t (*prepare)(int shared_bytes);
  /// `coefficients`: in canonical order, in the type that accumulates.
  void (*launch)(void const* coefficients, Args const& args, void const* in, void* out, cudaStream_t stream);
  /// Whether it can do what SpaceArgs::stores_ghosts asks for; null: it cannot.
  bool (*stores_ghosts)();
};

/// Lets the blocks of kernels have so many bytes of dynamic shared memory.
template <class... Function>
cudaError_t allow_shared_bytes(int bytes, Function*... kernels) {
  cudaError_t error = cudaSuccess;
  auto const allow  = [&](auto* kernel) {
    if (error == cudaSuccess) error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  (allow(kernels), ...);
  return error;
}

/// The kernels compiled for a value type, in the order of its table in Tuning.hpp.
template <class Args, class T>
Kernel<Args> const* kernels();

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
