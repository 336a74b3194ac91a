// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Half.hpp>

#include <impl/KokkosStencil_Terms.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// A coefficient of several sweeps as one, and what the magnitudes of the coefficients of one sweep give there: at
/// least its own magnitude, more where terms cancel.
struct FusedTerm {
  std::array<int, 3> offset;
  double coefficient, magnitude;
};

/// The stencil applied once, twice, ...: convolved in double.
class Fusion {
 public:
  explicit Fusion(std::vector<Term> const& terms);

  int depth() const { return m_depth; }
  /// Applies it once more.
  void next();
  /// Sorted by offset; points that no chain of steps reaches are left out.
  std::vector<FusedTerm> terms() const;

 private:
  struct Box {
    std::array<int, 3> low{{0, 0, 0}}, high{{0, 0, 0}};

    std::size_t size(std::size_t axis) const { return static_cast<std::size_t>(high[axis] - low[axis] + 1); }
  };

  void convolve(std::vector<double>& values, Box const& to, bool magnitudes);

  std::vector<Term> m_terms;
  Box m_one, m_box;  ///< that one sweep reaches, that all of them do
  int m_depth = 0;
  bool m_cancels =
      false;  ///< whether terms of either sign meet: only then magnitudes are not those of the coefficients
  std::vector<double> m_coefficients{1.0}, m_magnitudes{1.0}, m_sum;
};

/// Of 1, 2, ... `deepest` times.
std::vector<std::vector<FusedTerm>> fused_terms(std::vector<Term> const& terms, int deepest);

/// Coefficients that are elements: the true ones times a factor that brings the largest near the end of the range,
/// rounded. A sum has to be multiplied by `unscale`.
struct RoundedTerms {
  std::vector<Term> terms;
  double unscale = 1.0;
  /// Largest |stored * unscale - true| as a multiple of the magnitude, over the coefficients that are not too small to
  /// count (see `rounds`).
  double error = 0.0;
};

/// Whether rounding several sweeps' coefficients to elements stays inside what single sweeps may lose: each is then off
/// by at most one rounding of the value type, as a multiple of its magnitude, and that is what the first of the sweeps
/// may lose by rounding its results. Coefficients so small that all of their errors together stay below the smallest
/// element on any data do not count.
bool rounds(std::vector<FusedTerm> const& terms, Element element);

/// Whether that is so of the composition of `steps` sweeps for either element, known without composing: for
/// coefficients of one sign that are not too different. False says nothing.
bool rounds_surely(std::vector<Term> const& terms, int steps);

/// Rounds them, for terms of which `rounds` is true. Of several factors the one with the smallest error is taken; where
/// the sum of the coefficients is not small beside their magnitudes, `unscale` keeps it exactly, so that the mean of a
/// field does not drift.
RoundedTerms round_terms(std::vector<FusedTerm> const& terms, Element element);

}  // namespace Transform
}  // namespace KokkosStencil
