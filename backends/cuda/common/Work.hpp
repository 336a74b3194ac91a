// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace Cuda {

/// One launch of a kernel: its arguments, the points that it computes, and the blocks.
template <class Args>
struct Work {
  Args args{};
  PointBox done{};
  unsigned blocks = 0;  ///< 0: nothing
};

}  // namespace Cuda
}  // namespace KokkosStencil
