// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Impl {

/// An index of a View, or the like: a number for each axis.
template <int Rank>
using ViewIndex = std::int64_t[static_cast<std::size_t>(Rank)];

/// Extents and boundary rules of a View, in its own axes, as a functor carries them to the device.
struct FieldGeometry {
  std::int64_t extent[3] = {1, 1, 1};
  Face faces[3][2]       = {};
};

/// Reads one input around one point (see KokkosStencil::Neighborhood). Without a geometry every offset is
/// read straight from memory; with one, each index goes through the boundary rules first.
template <class T, int Rank>
class BasicNeighborhood {
 public:
  using value_type = T;

  KOKKOS_FORCEINLINE_FUNCTION
  BasicNeighborhood(T const* origin, ViewIndex<Rank> const& stride, ViewIndex<Rank> const& index,
                    FieldGeometry const* geometry)
      : m_origin(origin), m_geometry(geometry) {
    std::int64_t offset = 0;
    for (int a = 0; a < Rank; ++a) {
      m_stride[a] = stride[a];
      m_index[a]  = index[a];
      offset += index[a] * stride[a];
    }
    m_point = origin + offset;
  }

  /// Where `point` lies is known, and no rule is needed.
  KOKKOS_FORCEINLINE_FUNCTION
  BasicNeighborhood(T const* point, ViewIndex<Rank> const& stride, ViewIndex<Rank> const& index)
      : m_origin(point), m_point(point), m_geometry(nullptr) {
    for (int a = 0; a < Rank; ++a) {
      m_stride[a] = stride[a];
      m_index[a]  = index[a];
    }
  }

  /// Value at an offset from the point, one integer per axis.
  template <class... D>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(D... d) const {
    static_assert(sizeof...(D) == Rank, "KokkosStencil: a Neighborhood takes one offset per axis.");
    ViewIndex<Rank> const offset = {static_cast<std::int64_t>(d)...};
    if (m_geometry == nullptr) {
      std::int64_t at = 0;
      for (int a = 0; a < Rank; ++a) at += offset[a] * m_stride[a];
      return m_point[at];
    }
    return read_mapped(offset);
  }

  /// Index of the point along an axis.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(int axis) const { return m_index[axis]; }

 private:
  KOKKOS_FUNCTION T read_mapped(ViewIndex<Rank> const& offset) const {
    std::int64_t at = 0;
    for (int a = 0; a < Rank; ++a) {
      int side             = 0;
      std::int64_t const i = map_index(m_index[a] + offset[a], m_geometry->extent[a], m_geometry->faces[a], side);
      if (i < 0) return static_cast<T>(m_geometry->faces[a][side].constant);
      at += i * m_stride[a];
    }
    return m_origin[at];
  }

  T const* m_origin;
  T const* m_point;
  FieldGeometry const* m_geometry;
  ViewIndex<Rank> m_stride;
  ViewIndex<Rank> m_index;
};

}  // namespace Impl
}  // namespace KokkosStencil
