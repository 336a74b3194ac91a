// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"

#include <cstddef>

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

struct Args : PlaneArgs<double> {
  void const* bands;  ///< the band matrices: [kernel row][step][lane] of two doubles
  bool aligned;       ///< pairs of outputs may be stored as 16 bytes
};

/// Launches a kernel of Tuning.hpp on a cudaStream_t; `anywhere`: the one for rows that begin anywhere
/// (reads_anywhere).
void launch(std::size_t kernel, bool anywhere, Args const& args, unsigned blocks, void* stream);

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
