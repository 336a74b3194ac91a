// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

#include <array>
#include <vector>

namespace KokkosStencil {
namespace Model {

/// A stencil on every inner point of contiguous row-major Views; unused trailing extents 1. Throws Error.
Problem grid_problem(std::vector<Term> const& terms, int rank, std::array<std::int64_t, 3> const& extents,
                     ValueType type, Accuracy accuracy, std::int64_t steps);

/// Stars and boxes whose coefficients are powers of two.
std::vector<Term> star(int rank, int radius);
std::vector<Term> box(int rank, int radius);

}  // namespace Model
}  // namespace KokkosStencil
