// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/BandMatrix.hpp>

#include <KokkosStencil_Error.hpp>

#include <string>

namespace KokkosStencil {
namespace Transform {

Matrix band_matrix(std::vector<Weight> const& weights, int outputs, int columns, int lead) {
  Matrix band(outputs, columns);
  for (Weight const& w : weights) {
    if (lead + w.dx < 0 || outputs - 1 + lead + w.dx >= columns) {
      throw Error("Transform::band_matrix: offset " + std::to_string(w.dx) + " does not fit a window of " +
                  std::to_string(columns) + " columns; split the row first");
    }
    for (int i = 0; i < outputs; ++i) band(i, i + lead + w.dx) = w.coefficient;
  }
  return band;
}

Matrix window_band(Chunk const& chunk) {
  return band_matrix(chunk.weights, block_outputs, window_columns, window_lead - chunk.shift);
}

}  // namespace Transform
}  // namespace KokkosStencil
