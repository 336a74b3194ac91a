// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Call.hpp"
#include "Tolerance.hpp"

#include <vector>

// The independent reference: plain loops over points and terms, in long double, with ghost cells filled
// outward from the View. Shares nothing with the library.

namespace KokkosStencil {
namespace Test {

/// What is read at index + offset along one axis.
struct Source {
  enum Kind { inside, constant, forbidden } kind = forbidden;
  std::int64_t index                             = 0;
  double value                                   = 0.0;
};

/// The sources of one axis for indices -below <= i < extent + above.
class AxisGhosts {
 public:
  AxisGhosts(std::int64_t extent, std::array<Face, 2> const& faces, std::int64_t below, std::int64_t above);
  Source const& operator[](std::int64_t i) const { return m_sources[static_cast<std::size_t>(i + m_below)]; }

 private:
  std::int64_t m_below;
  std::vector<Source> m_sources;
};

/// Reads a field with the boundary rules of a call.
class Ghosts {
 public:
  Ghosts(Call const& call, std::array<int, 3> const& lower, std::array<int, 3> const& upper, Rounding const& round);
  explicit Ghosts(Call const& call, Rounding const& round) : Ghosts(call, call.lower(), call.upper(), round) {}

  /// Sets `constant` and returns -1, or returns the position of the value that is read.
  std::int64_t find(Extents const& point, std::array<int, 3> const& offset, double& constant) const;
  double read(Field const& field, Extents const& point, std::array<int, 3> const& offset) const;

 private:
  Extents m_extent;
  AxisGhosts m_axis[3];
};

/// The points a call writes.
struct Range {
  Extents begin, end;
  bool contains(Extents const& i) const;
};
Range written_range(Call const& call);

/// Whether a mirror may throw an index past the ghost values of the other face, which is an error.
bool mirror_meets_halo(Call const& call);

/// A state with its exact values, a bound on how far the library may be from them, and which points of
/// the start were read.
struct Expected {
  Field shape;  ///< extents only
  std::vector<long double> values;
  std::vector<long double> errors;  ///< bound from the accuracy contract
  std::vector<char> written;
  std::vector<char> read;
};

/// `steps` sweeps from a field, each with the boundary rules applied.
Expected reference(Call const& call, Field const& input, std::int64_t steps, Tolerance const& tolerance,
                   Rounding const& round);

/// The bits promised by Accuracy::reproducible: fused multiply-adds in the canonical order, from -0.
/// `strides` are those of the output View. Points outside the range keep the input.
Field canonical(Call const& call, Field const& input, Extents const& strides, bool in_double, Rounding const& round);

}  // namespace Test
}  // namespace KokkosStencil
