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
  float least;              ///< where inputs are too small to be split, sums below this are too inexact
};

/// Launches a kernel of Tuning.hpp on a cudaStream_t; `anywhere`: the one for rows that begin anywhere
/// (reads_anywhere).
void launch(std::size_t kernel, bool anywhere, Args const& args, unsigned blocks, void* stream);

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
