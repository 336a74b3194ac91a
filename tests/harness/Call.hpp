// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Field.hpp"

#include <KokkosStencil_Accuracy.hpp>
#include <KokkosStencil_Boundary.hpp>

#include <array>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Test {

struct Term {
  std::array<int, 3> offset;
  double coefficient;
};

/// The lower and the upper face of an axis.
using FacePair = std::array<Face, 2>;
using Faces    = std::array<FacePair, 3>;

/// How the values of a View lie in memory.
enum class Layout {
  right,        ///< LayoutRight
  left,         ///< LayoutLeft
  padded,       ///< LayoutStride: rows of stride 1 with a pitch
  padded_more,  ///< the same with another pitch
  padded_left,  ///< LayoutStride: columns of stride 1 with a pitch
  strided,      ///< LayoutStride: every stride above 1
  middle        ///< LayoutStride: neither the first nor the last of three axes is contiguous
};

/// How the library is called.
enum class Via { function, plan };

/// One call of the library in plain data. Rank 1 to 3, axes as the user counts them.
struct Call {
  int rank = 1;
  Extents extent{{1, 1, 1}};
  std::vector<Term> terms;  ///< distinct offsets, no zero coefficients
  Faces faces{};
  bool whole = true;  ///< no explicit range
  Extents begin{{0, 0, 0}};
  Extents end{{0, 0, 0}};
  Accuracy accuracy        = Accuracy::native;
  Layout in                = Layout::right;
  Layout out               = Layout::right;
  int shift                = 0;      ///< misalignment of both Views, in elements
  bool symmetric           = false;  ///< coefficients depend on distances along the axes only
  bool bounded             = false;  ///< values do not grow, whatever the number of sweeps
  bool double_coefficients = false;  ///< Stencil<double> on narrower Views too
  Via via                  = Via::function;

  Call& face(Face const& f);  ///< the same rule everywhere
  Call& face(int axis, int side, Face const& f);
  Call& range(Extents const& first, Extents const& last);

  std::array<int, 3> lower() const;  ///< smallest offsets, at most 0
  std::array<int, 3> upper() const;  ///< largest offsets, at least 0
  std::string text() const;
};

std::vector<Term> star_offsets(int rank, int radius);
std::vector<Term> box_offsets(int rank, int radius);
/// Of a box of radius 1 in three dimensions the middle plane and the corners of its neighbours.
std::vector<Term> box17_offsets();
/// `count` distinct offsets without symmetry, each at most `reach` away along every axis.
std::vector<Term> scattered_offsets(int rank, int reach, int count, unsigned seed);

/// Gives every term a coefficient that suits the data. `round` rounds to the type of the coefficients.
void set_coefficients(std::vector<Term>& terms, Data data, unsigned seed, Rounding const& round);

/// Gives terms at equal distances along every axis the same coefficient.
void make_symmetric(std::vector<Term>& terms);

/// Scales coefficients so that their magnitudes add up to 1, but for rounding: nothing grows, however many the sweeps.
void make_bounded(std::vector<Term>& terms, Rounding const& round);

/// Extents that are odd, differ from axis to axis and leave some interior for a radius.
Extents odd_extents(int rank, int radius);

/// All five rules, by name.
std::vector<Face> all_faces();

/// Every pair of rules that an axis may have, with constants that differ from face to face and axis to axis.
std::vector<FacePair> face_pairs(int axis);

}  // namespace Test
}  // namespace KokkosStencil
