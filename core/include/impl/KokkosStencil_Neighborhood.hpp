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

/// Where a kernel reads whole aligned vectors along an axis and the compiler keeps those that several points share.
/// Literals once a kernel is inlined.
struct VectorPlace {
  int width = 1;  ///< values in a vector
  int lane  = 0;  ///< place of the point in its vector
  int axis  = 0;
  bool only = false;  ///< nobody writes to the field
};

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#define KOKKOSSTENCIL_IMPL_VECTORS 1

// The pass for the host does not know the pragma.
#ifdef __CUDA_ARCH__
#define KOKKOSSTENCIL_IMPL_UNROLL _Pragma("unroll")
#else
#define KOKKOSSTENCIL_IMPL_UNROLL
#endif

template <int Bytes>
struct RawVector;
template <>
struct RawVector<16> {
  using type = uint4;
};
template <>
struct RawVector<8> {
  using type = uint2;
};
template <>
struct RawVector<4> {
  using type = unsigned int;
};
template <>
struct RawVector<2> {
  using type = unsigned short;
};
template <>
struct RawVector<1> {
  using type = unsigned char;
};

/// Values that lie in memory together, aligned to their size.
template <class T, int Width>
struct Vector {
  using Raw = typename RawVector<Width* int(sizeof(T))>::type;
  union {
    Raw raw;
    T value[Width];
  };

  KOKKOS_FORCEINLINE_FUNCTION Vector() : raw() {}
  /// `only`: nobody writes there as long as the kernel runs.
  KOKKOS_FORCEINLINE_FUNCTION void load(T const* at, bool only) {
#ifdef __CUDA_ARCH__
    raw = only ? __ldg(reinterpret_cast<Raw const*>(at)) : *reinterpret_cast<Raw const*>(at);
#else
    static_cast<void>(only);
    raw = *reinterpret_cast<Raw const*>(at);
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* at) const { *reinterpret_cast<Raw*>(at) = raw; }
  /// Without an index into registers, should `k` be no literal.
  KOKKOS_FORCEINLINE_FUNCTION T get(int k) const {
    T v = value[0];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int i = 1; i < Width; ++i) v = k == i ? value[i] : v;
    return v;
  }
};
#endif

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

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
  /// The same, read by vectors: `point` is where that of the point begins.
  KOKKOS_FORCEINLINE_FUNCTION
  BasicNeighborhood(T const* point, ViewIndex<Rank> const& stride, ViewIndex<Rank> const& index,
                    VectorPlace const& place)
      : BasicNeighborhood(point, stride, index) {
    m_place = place;
  }
#endif

  /// Value at an offset from the point, one integer per axis.
  template <class... D>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(D... d) const {
    static_assert(sizeof...(D) == Rank, "KokkosStencil: a Neighborhood takes one offset per axis.");
    ViewIndex<Rank> const offset = {static_cast<std::int64_t>(d)...};
#ifdef KOKKOSSTENCIL_IMPL_VECTORS
    if (m_place.width == 2) return read_vector<2>(offset);
    if (m_place.width == 4) return read_vector<4>(offset);
    if (m_place.width == 8) return read_vector<8>(offset);
#endif
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

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION T read_vector(ViewIndex<Rank> const& offset) const {
    if constexpr (Width * sizeof(T) <= 16) {
      std::int64_t at = 0;
      int lane        = m_place.lane;
      for (int a = 0; a < Rank; ++a) {
        if (a == m_place.axis) {
          lane += static_cast<int>(offset[a]);
        } else {
          at += offset[a] * m_stride[a];
        }
      }
      Vector<T, Width> v;
      v.load(m_point + at + (lane & ~(Width - 1)), m_place.only);
      return v.get(lane & (Width - 1));
    } else {
      return *m_point;
    }
  }

  VectorPlace m_place;
#endif
  T const* m_origin;
  T const* m_point;
  FieldGeometry const* m_geometry;
  ViewIndex<Rank> m_stride;
  ViewIndex<Rank> m_index;
};

}  // namespace Impl
}  // namespace KokkosStencil
