// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Term.hpp>

#include <cstddef>
#include <vector>

namespace KokkosStencil {
namespace Impl {

/// Sorts by offset (first axis slowest), adds up the coefficients of equal offsets and drops the terms
/// whose coefficient is zero: they are not part of the stencil's reach.
void normalize(std::vector<Term>& terms);

/// The terms of one stencil applied to the result of another: coefficients are convolved in extended
/// precision and rounded once, to float if `single`, else to double.
std::vector<Term> compose(std::vector<Term> const& outer, std::vector<Term> const& inner, bool single);

/// The `times`-fold composition of a stencil with itself, rounded once.
std::vector<Term> power(std::vector<Term> const& terms, int times, bool single);

/// Terms of a star: `count` is radius + 1 (by distance) or 2 rank radius + 1 (per direction: the centre,
/// then for each axis the distances 1 to radius downwards, then upwards).
std::vector<Term> star_terms(int rank, int radius, double const* coefficients, std::size_t count);

/// Terms of a box: (2 radius + 1)^rank weights, row-major.
std::vector<Term> box_terms(int rank, int radius, double const* weights, std::size_t count);

}  // namespace Impl
}  // namespace KokkosStencil
