// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"

#include <cuda_runtime.h>

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

struct FloatArgs : PlaneArgs<float> {
  uint4 const* a;  ///< [part][kernel row][lane]
  std::uint32_t const* metadata;
  std::int32_t scale_log2;  ///< the matrices hold the coefficients times 2^scale_log2
  float least;              ///< sums below this are not exact enough where inputs are too small for their parts
};

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
