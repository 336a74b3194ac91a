// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// How the kernel `sheared` cuts the memory of a volume whose rows begin anywhere into rows that begin with vectors
/// (ShearedKernel.cuh).
struct ShearedLayout {
  std::int64_t row = 0, plane = 0;  ///< elements from one to the next, multiples of 8; 0: the stencil does not fit

  explicit operator bool() const { return row > 0; }
  /// Strips of columns, each as wide as the outputs of a warp.
  std::int64_t strips() const;
  /// Rows with the outputs of a box in so many planes.
  std::int64_t rows(Problem const& problem, PointBox const& box, std::int64_t planes) const;
  /// The terms as these rows and planes have them.
  std::vector<Term> terms(Problem const& problem) const;
};

/// The best one: with as few strips as can be, and terms near their outputs.
ShearedLayout sheared_layout(Problem const& problem);

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
