// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Error.hpp>

#include <cstddef>
#include <string>

namespace KokkosStencil {

/// What a stencil reads where it reaches past a face of the View.
enum class BoundaryKind {
  halo,      ///< nothing special: the points near the face are ghost values, read as they are
  value,     ///< a constant
  periodic,  ///< the opposite side
  mirror,    ///< reflected about the face: index -1 reads 0, -2 reads 1
  edge,      ///< the nearest point of the View: -1 and -2 both read 0
  shared     ///< as halo, but the ghost values are those of a neighbour's points and are used up, see Face::shared
};

/// "halo", "value", "periodic", "mirror", "edge".
char const* to_string(BoundaryKind kind) noexcept;

/// The rule at one face.
struct Face {
  BoundaryKind kind = BoundaryKind::halo;
  int depth         = 0;    ///< layers of ghost values that are valid if kind is BoundaryKind::shared
  double constant   = 0.0;  ///< read outside the View if kind is BoundaryKind::value

  constexpr Face() = default;
  constexpr Face(BoundaryKind k, double c) : kind(k), constant(c) {}

  static constexpr Face halo() { return {BoundaryKind::halo, 0.0}; }
  static constexpr Face value(double c) { return {BoundaryKind::value, c}; }
  static constexpr Face periodic() { return {BoundaryKind::periodic, 0.0}; }
  static constexpr Face mirror() { return {BoundaryKind::mirror, 0.0}; }
  static constexpr Face edge() { return {BoundaryKind::edge, 0.0}; }
  /// The outermost `depth` layers are copies of points that a neighbour sweeps as well (another process, another View).
  /// They lie outside the default range. Each sweep of an iterate uses up as many of them as the stencil reaches that
  /// way, so that the points of the range become what one sweep after the other over both parts would make of them; an
  /// iterate of more sweeps than the layers feed is an error. Afterwards the layers hold unspecified values: exchange
  /// them before they are read again.
  static constexpr Face shared(int depth) {
    Face face(BoundaryKind::shared, 0.0);
    face.depth = depth;
    return face;
  }

  friend constexpr bool operator==(Face const& a, Face const& b) {
    return a.kind == b.kind && a.depth == b.depth && a.constant == b.constant;
  }
  friend constexpr bool operator!=(Face const& a, Face const& b) { return !(a == b); }
};

/// The rules at the 2 * Rank faces of a View. The default is halo everywhere.
///
/// Past several faces at once (a corner) each axis follows its own rule; if one of them is a constant,
/// the constant of the lowest such axis is read. A periodic axis needs periodic on both of its faces.
template <int Rank>
class Boundary {
  static_assert(Rank >= 1 && Rank <= 3, "KokkosStencil: a Boundary has rank 1, 2 or 3.");

 public:
  constexpr Boundary() = default;
  /// The same rule at every face.
  constexpr explicit Boundary(Face face) {
    for (int axis = 0; axis < Rank; ++axis) m_faces[axis][0] = m_faces[axis][1] = face;
  }

  static constexpr Boundary halo() { return Boundary(Face::halo()); }
  static constexpr Boundary value(double c) { return Boundary(Face::value(c)); }
  static constexpr Boundary periodic() { return Boundary(Face::periodic()); }
  static constexpr Boundary mirror() { return Boundary(Face::mirror()); }
  static constexpr Boundary edge() { return Boundary(Face::edge()); }

  /// A copy with another rule at the face where the index of `axis` is smallest. These throw Error if there is no such
  /// axis.
  constexpr Boundary lower(int axis, Face face) const { return with(axis, 0, face); }
  /// A copy with another rule at the face where the index of `axis` is largest.
  constexpr Boundary upper(int axis, Face face) const { return with(axis, 1, face); }
  /// A copy with another rule at both faces of `axis`.
  constexpr Boundary axis(int axis, Face face) const { return with(axis, 0, face).with(axis, 1, face); }

  /// The rule at the lower (side 0) or upper (side 1) face of an axis. Throws Error if there is no such face.
  constexpr Face const& face(int axis, int side) const {
    check(axis);
    if (side < 0 || side > 1) {
      throw Error("KokkosStencil::Boundary: no such side: " + std::to_string(side) + "; 0 is lower, 1 upper.");
    }
    return m_faces[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)];
  }

 private:
  constexpr static void check(int axis) {
    if (axis < 0 || axis >= Rank) {
      throw Error("KokkosStencil::Boundary: no such axis: " + std::to_string(axis) + "; those of a Boundary<" +
                  std::to_string(Rank) + "> are 0 to " + std::to_string(Rank - 1) + ".");
    }
  }
  constexpr Boundary with(int axis, int side, Face face) const {
    check(axis);
    Boundary copy            = *this;
    copy.m_faces[axis][side] = face;
    return copy;
  }

  Face m_faces[static_cast<std::size_t>(Rank)][2] = {};
};

}  // namespace KokkosStencil
