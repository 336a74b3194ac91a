// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "skeleton/Tuning.hpp"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {

/// What the kernel is told: plain C++, so that a plan can fill it in where there is no CUDA.
struct Args {
  float const* in;
  float* out;
  std::int64_t in_y, in_z, out_y, out_z;  ///< strides in elements
  std::int64_t begin[3], end[3];          ///< points that the kernel computes: planes, rows, columns
  std::uint32_t tiles_x, tiles_y;
  float coefficients[most_terms];  ///< in canonical order
};

/// Launches a kernel of Tuning.hpp on a cudaStream_t.
void launch(std::size_t kernel, Args const& args, unsigned blocks, void* stream);

}  // namespace Skeleton
}  // namespace Cuda
}  // namespace KokkosStencil
