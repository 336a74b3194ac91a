// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matrix.hpp>
#include <transform/Rows.hpp>

#include <vector>

namespace KokkosStencil {
namespace Transform {

/// The matrix that applies a 1-D kernel: row i holds each weight in column i + lead + dx, so that
/// matrix * window = outputs (SPIDER section 3.1.1).
///
/// @return outputs x columns
/// @throws Error if a weight falls outside the matrix
Matrix band_matrix(std::vector<Weight> const& weights, int outputs, int columns, int lead);

/// The matrix of one chunk in the layout of the kernels: 16 outputs x 32 window columns, in natural order.
Matrix window_band(Chunk const& chunk);

}  // namespace Transform
}  // namespace KokkosStencil
