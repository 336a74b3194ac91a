// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

struct Args : PlaneArgs<float> {
  void const* matrices;  ///< [split][kernel row][lane] of 16 bytes
  std::uint32_t const* metadata;
  std::int32_t scale_log2;  ///< the matrices hold the coefficients times 2^scale_log2
  float least;              ///< sums below this are not exact enough where inputs are too small for their splits
};

/// Launches a kernel of Tuning.hpp on a cudaStream_t; `anywhere`: that for rows that begin anywhere (reads_anywhere).
void launch(std::size_t kernel, bool anywhere, Args const& args, unsigned blocks, void* stream);

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
