// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace Cuda {

/// Calls f with a value of the type that kernels use for `type`.
template <class F>
auto with_type(ValueType type, F const& f) {
  switch (type) {
    case ValueType::float16: return f(__half());
    case ValueType::bfloat16: return f(__nv_bfloat16());
    case ValueType::float64: return f(double());
    default: return f(float());
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
