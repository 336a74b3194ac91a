// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>

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

// A functor has many reads, and the rules are long: nvcc would spend most of its time on copies of them.
#ifdef __CUDACC__
#define KOKKOSSTENCIL_IMPL_NOINLINE __noinline__
#else
#define KOKKOSSTENCIL_IMPL_NOINLINE
#endif

/// Whether values of a type can be made from the constant of a face. Aggregates can from C++20 on, but as their first
/// member only.
template <class T>
struct HasConstants {
  static constexpr bool value = std::is_constructible<T, double>::value && !std::is_aggregate<T>::value;
};
/// The constant of a face as a value; of other types there are none (check_constants_of).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T constant_as(double constant) {
  if constexpr (HasConstants<T>::value) {
    return static_cast<T>(constant);
  } else {
    static_cast<void>(constant);
    return T{};
  }
}

/// What is read for an index outside of a View: another index, or -1 - side if the constant of that face. By value: the
/// address of an argument of a kernel would make a copy of all of them.
KOKKOSSTENCIL_IMPL_NOINLINE KOKKOS_FUNCTION inline std::int64_t index_outside(std::int64_t index, std::int64_t extent,
                                                                              BoundaryKind lower, BoundaryKind upper) {
  int side = 0;
  Face faces[2];
  faces[0].kind        = lower;
  faces[1].kind        = upper;
  std::int64_t const i = map_index(index, extent, faces, side);
  return i < 0 ? -1 - side : i;
}

/// What an offset reads that leads beyond a face, seen from a point: the value `add + times * index + slope * offset`
/// points further along the axis, or a constant.
struct FaceStep {
  std::int64_t add = 0;
  int times = 0, slope = 0;
  bool ruled    = false;
  bool constant = false;
  double value  = 0;
};

/// How far away a neighbour is along an axis. Fields of several axes with longer ones are left to other kernels.
template <int Rank>
using StepDistance = std::conditional_t<Rank == 1, std::int64_t, int>;

/// The rules for reads that pass a face by no more points than there are between the two. Without a branch, so that the
/// many reads of a point do not wait for each other.
struct FaceSteps {
  std::int64_t extent[3] = {1, 1, 1};
  FaceStep faces[3][2];

  FaceSteps() = default;
  explicit FaceSteps(FieldGeometry const& geometry) {
    for (int a = 0; a < 3; ++a) {
      std::int64_t const n = extent[a] = geometry.extent[a];
      for (int side = 0; side < 2; ++side) {
        FaceStep& to     = faces[a][side];
        Face const& from = geometry.faces[a][side];
        to.ruled         = true;
        switch (from.kind) {
          case BoundaryKind::halo:
          case BoundaryKind::shared: to.ruled = false; break;
          case BoundaryKind::value:
            to.constant = true;
            to.value    = from.constant;
            break;
          case BoundaryKind::periodic:
            to.add   = side == 0 ? n : -n;
            to.slope = 1;
            break;
          case BoundaryKind::mirror:
            to.add   = side == 0 ? -1 : 2 * n - 1;
            to.times = -2;
            to.slope = -1;
            break;
          case BoundaryKind::edge:
            to.add   = side == 0 ? 0 : n - 1;
            to.times = -1;
            break;
        }
      }
    }
  }
};

/// Where a kernel reads whole aligned vectors along an axis and the compiler keeps those that several points share.
/// Literals once a kernel is inlined.
struct VectorPlace {
  int width = 1;      ///< values in a vector
  int lane  = 0;      ///< place of the point in its vector
  int axis  = 0;      ///< -1: points of a cell lie a warp apart
  bool only = false;  ///< nobody writes to the field
  /// Whether no vectors are read further before and behind the point's own than this, in values: others lie outside the
  /// row, and no point that counts needs them.
  bool limited = false;
  int first    = 0;
  int last     = 0;
  /// What is held in registers: the vectors of the point's own column from `held` planes behind to `ahead` planes
  /// ahead; or nothing.
  int plane_axis = 0;
  int held       = -1;
  int ahead      = -1;
  /// Or rows that are held with their neighbours, one after the other: their number, 2 reach + 1, and the values on
  /// either side of a vector.
  int rows = 0;
  int halo = 0;
  /// Or several such planes; and which of their rows is that of the point, if it is not the middle one.
  int planes = 1;
  int row    = -1;
};

// The pass for the host does not know the pragma.
#ifdef __CUDA_ARCH__
#define KOKKOSSTENCIL_IMPL_UNROLL _Pragma("unroll")
#define KOKKOSSTENCIL_IMPL_NO_UNROLL _Pragma("unroll 1")
#else
#define KOKKOSSTENCIL_IMPL_UNROLL
#define KOKKOSSTENCIL_IMPL_NO_UNROLL
#endif

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#define KOKKOSSTENCIL_IMPL_VECTORS 1

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

#ifdef __CUDA_ARCH__
/// Reads what nobody writes. Whole vectors by assembly: of __ldg the compiler would make a read of each part.
__device__ __forceinline__ void read_only(uint4& raw, void const* at) {
  asm("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(raw.x), "=r"(raw.y), "=r"(raw.z), "=r"(raw.w) : "l"(at));
}
template <class Raw>
__device__ __forceinline__ void read_only(Raw& raw, void const* at) {
  raw = __ldg(static_cast<Raw const*>(at));
}
#endif

/// Has the second-level cache fetch a line of memory.
KOKKOS_FORCEINLINE_FUNCTION void prefetch(void const* at) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
  static_cast<void>(at);
#endif
}

/// Planes of a field of three axes in memory, rows along the middle one; with two axes rows in their place. Each has a
/// slot, the next one after the last being the first.
template <class T>
struct PlaneRing {
  T const* at            = nullptr;  ///< the point, or where its vector begins, in the first slot; none: no ring
  std::int64_t slot_size = 0;        ///< values from one plane to the next
  std::int64_t row_size  = 0;        ///< and from one row to the next
  int slots              = 0;
  int slot               = 0;  ///< of the plane of the point
  int behind             = 0;  ///< how many planes behind it are there
  /// Rows of so many phases begin where they do in memory modulo that: values which the row of the point lies further
  /// than `at` says, and what a row and a plane add.
  int phases      = 1;
  int phase       = 0;
  int row_phase   = 0;
  int plane_phase = 0;
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
    if (only) {
      read_only(raw, at);
      return;
    }
#endif
    static_cast<void>(only);
    raw = *reinterpret_cast<Raw const*>(at);
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

/// How a neighbourhood may read, one bit each. A functor has many reads, and the compiler makes every read in every way
/// before it sees which one is taken: kernels that say theirs compile several times as fast.
namespace Ways {
constexpr unsigned plain = 1, mapped = 2, stepped = 4, rows = 8, column = 16, ring = 32, vector_2 = 64, vector_4 = 128,
                   vector_8 = 256, all = 511;
/// By vectors of this width.
template <int Width>
constexpr unsigned vectors = Width == 2   ? vector_2
                             : Width == 4 ? vector_4
                             : Width == 8 ? vector_8
                                          : plain;
/// Where nothing is known but that a boundary rule may be needed.
#ifdef KOKKOSSTENCIL_IMPL_VECTORS
constexpr unsigned by_rules = plain | mapped;
#else
constexpr unsigned by_rules = all;  // which is little more, and the type that functors name
#endif
}  // namespace Ways

/// Reads one input around one point (see KokkosStencil::Neighborhood). Without a geometry every offset is
/// read straight from memory; with one, each index goes through the boundary rules first. Each becomes one with all
/// ways, the only type that a functor can name.
template <class T, int Rank, unsigned How = Ways::all>
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

  /// The same for windows that are narrower than the View.
  KOKKOS_FORCEINLINE_FUNCTION
  BasicNeighborhood(T const* origin, ViewIndex<Rank> const& stride, ViewIndex<Rank> const& index,
                    FaceSteps const* steps)
      : BasicNeighborhood(origin, stride, index, static_cast<FieldGeometry const*>(nullptr)) {
    m_steps = steps;
    for (int a = 0; a < Rank; ++a) {
      auto const i        = static_cast<Distance>(index[a]);
      FaceStep const& low = steps->faces[a][0];
      FaceStep const& up  = steps->faces[a][1];
      m_least[a]          = low.ruled ? -i : lowest;
      m_most[a]           = up.ruled ? static_cast<Distance>(steps->extent[a]) - 1 - i : highest;
      m_beyond[a][0]      = static_cast<Distance>(low.add) + low.times * i;
      m_beyond[a][1]      = static_cast<Distance>(up.add) + up.times * i;
    }
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
  /// The same with the values of the planes around, in registers: 2 held + 1 vectors; or with those of rows.
  KOKKOS_FORCEINLINE_FUNCTION
  BasicNeighborhood(T const* point, ViewIndex<Rank> const& stride, ViewIndex<Rank> const& index,
                    VectorPlace const& place, T const* planes)
      : BasicNeighborhood(point, stride, index, place) {
    m_planes = planes;
  }
  /// The same with a ring of planes for what is not held.
  KOKKOS_FORCEINLINE_FUNCTION
  BasicNeighborhood(T const* point, ViewIndex<Rank> const& stride, ViewIndex<Rank> const& index,
                    VectorPlace const& place, T const* planes, PlaneRing<T> const& ring)
      : BasicNeighborhood(point, stride, index, place, planes) {
    m_ring = ring;
  }
#endif

  /// The type that functors name, from one with fewer ways.
  template <unsigned Fewer, std::enable_if_t<How == Ways::all && Fewer != Ways::all, int> = 0>
  KOKKOS_FORCEINLINE_FUNCTION BasicNeighborhood(BasicNeighborhood<T, Rank, Fewer> const& n)
      : BasicNeighborhood(n.m_point, n.m_stride, n.m_index) {
    m_origin   = n.m_origin;
    m_geometry = n.m_geometry;
    m_steps    = n.m_steps;
    if constexpr ((Fewer & Ways::stepped) != 0) {
      for (int a = 0; a < Rank; ++a) {
        m_least[a]     = n.m_least[a];
        m_most[a]      = n.m_most[a];
        m_beyond[a][0] = n.m_beyond[a][0];
        m_beyond[a][1] = n.m_beyond[a][1];
      }
    }
#ifdef KOKKOSSTENCIL_IMPL_VECTORS
    m_place  = n.m_place;
    m_ring   = n.m_ring;
    m_planes = n.m_planes;
#endif
  }

  /// Value at an offset from the point, one integer per axis.
  template <class... D>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(D... d) const {
    static_assert(sizeof...(D) == Rank, "KokkosStencil: a Neighborhood takes one offset per axis.");
    static_assert(((std::is_integral<D>::value || std::is_enum<D>::value) && ...),
                  "KokkosStencil: the offsets of a Neighborhood are integers.");
    ViewIndex<Rank> const offset = {static_cast<std::int64_t>(d)...};
#ifdef KOKKOSSTENCIL_CHECK_READS
    if (m_field >= 0) check_read(offset);
#endif
    if constexpr (How == Ways::stepped) return read_stepped(offset);
#ifdef KOKKOSSTENCIL_IMPL_VECTORS
    if constexpr (How == Ways::rows) return read_row(offset);
    if constexpr (may<Ways::rows>) {
      if (m_place.rows > 0) return read_row(offset);
    }
    if constexpr (may<Ways::column>) {
      if (m_place.held >= 0 && in_column(offset)) return read_column(offset);
    }
    if constexpr (may<Ways::ring> && (sizeof(T) == 4 || sizeof(T) == 8)) {
      if (m_ring.slots > 0 && offset[m_place.plane_axis] >= -m_ring.behind) {
        constexpr int width = 16 / int(sizeof(T));
        if constexpr (may<Ways::vectors<width>>) {
          if (reads_vectors(width)) return read_ring<width>(offset);
        }
        return read_ring<1>(offset);
      }
    }
    if constexpr (may<Ways::vector_2>) {
      if (reads_vectors(2)) return read_vector<2>(offset);
    }
    if constexpr (may<Ways::vector_4>) {
      if (reads_vectors(4)) return read_vector<4>(offset);
    }
    if constexpr (may<Ways::vector_8>) {
      if (reads_vectors(8)) return read_vector<8>(offset);
    }
#endif
    if constexpr (may<Ways::stepped>) {
      if (m_steps != nullptr) return read_stepped(offset);
    }
    if constexpr (may<Ways::mapped>) {
      if (m_geometry != nullptr) return read_mapped(offset);
    }
    std::int64_t at = 0;
    for (int a = 0; a < Rank; ++a) at += offset[a] * m_stride[a];
    return m_point[at];
  }

  /// Index of the point along an axis.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(int axis) const {
    assert(axis >= 0 && axis < Rank && "KokkosStencil: a Neighborhood has an index for each axis");
#ifdef KOKKOSSTENCIL_CHECK_READS
    if (axis < 0 || axis >= Rank) Kokkos::abort("KokkosStencil: a functor asks for the index of an axis there is not");
#endif
    return m_index[axis];
  }

#ifdef KOKKOSSTENCIL_CHECK_READS
  /// For the library: input `field` may be read so far along each axis.
  KOKKOS_FORCEINLINE_FUNCTION void impl_limit(int field, int const* before, int const* behind) {
    m_field = field;
    for (int a = 0; a < Rank; ++a) {
      m_before[a] = before[a];
      m_behind[a] = behind[a];
    }
  }
#endif

 private:
  template <class, int, unsigned>
  friend class BasicNeighborhood;

  using Distance                    = StepDistance<Rank>;
  static constexpr Distance lowest  = std::numeric_limits<Distance>::min();
  static constexpr Distance highest = std::numeric_limits<Distance>::max();

  template <unsigned Way>
  static constexpr bool may = (How & Way) != 0;

#ifdef KOKKOSSTENCIL_CHECK_READS
  KOKKOS_FUNCTION void check_read(ViewIndex<Rank> const& offset) const {
    for (int a = 0; a < Rank; ++a) {
      if (offset[a] >= -m_before[a] && offset[a] <= m_behind[a]) continue;
#ifndef __CUDA_ARCH__
      std::fprintf(stderr,
                   "KokkosStencil: input %d is read at an offset of %lld along axis %d; its reach is %d to %d\n",
                   m_field, static_cast<long long>(offset[a]), a, -m_before[a], m_behind[a]);
#endif
      Kokkos::abort("KokkosStencil: a functor reads farther than the reach of an input says");
    }
  }
#endif

  KOKKOS_FUNCTION T read_mapped(ViewIndex<Rank> const& offset) const {
    std::int64_t at = 0;
    for (int a = 0; a < Rank; ++a) {
      std::int64_t i = m_index[a] + offset[a];
      if (i < 0 || i >= m_geometry->extent[a]) {
        Face const* const faces = m_geometry->faces[a];
        i                       = index_outside(i, m_geometry->extent[a], faces[0].kind, faces[1].kind);
        if (i < 0) return constant_as<T>(faces[i == -1 ? 0 : 1].constant);
      }
      at += i * m_stride[a];
    }
    return m_origin[at];
  }

  /// The point lies inside, so that an offset can pass one face of an axis only.
  KOKKOS_FORCEINLINE_FUNCTION T read_stepped(ViewIndex<Rank> const& offset) const {
    std::int64_t at = 0;
    bool beyond[static_cast<std::size_t>(Rank)];
    for (int a = 0; a < Rank; ++a) {
      auto const o   = static_cast<Distance>(offset[a]);
      int const side = o < 0 ? 0 : 1;
      beyond[a]      = o != 0 && (o < 0 ? o < m_least[a] : o > m_most[a]);
      // No index by the side: where offsets are no literals all of this would lie in local memory.
      Distance const add = o < 0 ? m_beyond[a][0] : m_beyond[a][1];
      Distance const d   = beyond[a] ? static_cast<Distance>(add + m_steps->faces[a][side].slope * o) : o;
      at += static_cast<std::int64_t>(d) * static_cast<Distance>(m_stride[a]);
    }
    T read = m_point[at];
    // The first axis with a constant has the last word.
    for (int a = Rank - 1; a >= 0; --a) {
      FaceStep const& face = m_steps->faces[a][offset[a] < 0 ? 0 : 1];
      read                 = beyond[a] && face.constant ? constant_as<T>(face.value) : read;
    }
    return read;
  }

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
  /// Points of a cell that lie a warp apart have no axis along which vectors lie.
  KOKKOS_FORCEINLINE_FUNCTION bool reads_vectors(int width) const {
    return m_place.axis >= 0 && m_place.width == width;
  }
  /// Whether a value lies in the vectors of the point's own column that are held.
  KOKKOS_FORCEINLINE_FUNCTION bool in_column(ViewIndex<Rank> const& offset) const {
    bool own = true;
    for (int a = 0; a < Rank; ++a) {
      std::int64_t const o = offset[a];
      if (a == m_place.axis) {
        own = own && m_place.lane + o >= 0 && m_place.lane + o < m_place.width;
      } else if (a == m_place.plane_axis) {
        own = own && o >= -m_place.held && o <= m_place.ahead;
      } else {
        own = own && o == 0;
      }
    }
    return own;
  }
  KOKKOS_FORCEINLINE_FUNCTION T read_column(ViewIndex<Rank> const& offset) const {
    int at = 0;
    for (int a = 0; a < Rank; ++a) {
      if (a == m_place.axis) {
        at += m_place.lane + static_cast<int>(offset[a]);
      } else if (a == m_place.plane_axis) {
        at += (m_place.held + static_cast<int>(offset[a])) * m_place.width;
      }
    }
    return m_planes[at];
  }

  KOKKOS_FORCEINLINE_FUNCTION T read_row(ViewIndex<Rank> const& offset) const {
    int row = m_place.row < 0 ? m_place.rows / 2 : m_place.row, at = m_place.halo + m_place.lane;
    int plane = m_place.planes / 2;
    for (int a = 0; a < Rank; ++a) {
      (a == m_place.axis ? at : Rank > 2 && a == m_place.plane_axis ? plane : row) += static_cast<int>(offset[a]);
    }
    return m_planes[(plane * m_place.rows + row) * (m_place.width + 2 * m_place.halo) + at];
  }

  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION T read_ring(ViewIndex<Rank> const& offset) const {
    std::int64_t at = 0;
    int lane = m_place.lane, phase = m_ring.phase;
    for (int a = 0; a < Rank; ++a) {
      auto const o = static_cast<int>(offset[a]);
      if (a == m_place.plane_axis) {
        phase += o * m_ring.plane_phase;
        int slot = m_ring.slot + o;
        if (o > 0) slot = slot >= m_ring.slots ? slot - m_ring.slots : slot;
        if (o < 0) slot = slot < 0 ? slot + m_ring.slots : slot;
        at += slot * m_ring.slot_size;
      } else if (Rank > 2 && a == 1) {
        phase += o * m_ring.row_phase;
        at += o * m_ring.row_size;
      } else {
        lane += o;
      }
    }
    if constexpr (Width == 1) lane += phase & (m_ring.phases - 1);
    Vector<T, Width> v;
    v.load(m_ring.at + at + (lane & ~(Width - 1)), false);
    return v.get(lane & (Width - 1));
  }

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
      int vector = lane & ~(Width - 1);
      if (m_place.limited) {
        if (vector < 0) vector = vector < m_place.first ? m_place.first : vector;
        if (vector > 0) vector = vector > m_place.last ? m_place.last : vector;
      }
      Vector<T, Width> v;
      v.load(m_point + at + vector, m_place.only);
      return v.get(lane & (Width - 1));
    } else {
      return *m_point;
    }
  }

  VectorPlace m_place;
  PlaneRing<T> m_ring;
  T const* m_planes = nullptr;
#endif
  T const* m_origin;
  T const* m_point;
  FieldGeometry const* m_geometry;
  FaceSteps const* m_steps = nullptr;
  /// With steps: the offsets that lead to no face along each axis, and the part of a step that no offset changes.
  Distance m_least[static_cast<std::size_t>(Rank)]     = {};
  Distance m_most[static_cast<std::size_t>(Rank)]      = {};
  Distance m_beyond[static_cast<std::size_t>(Rank)][2] = {};
  ViewIndex<Rank> m_stride;
  ViewIndex<Rank> m_index;
#ifdef KOKKOSSTENCIL_CHECK_READS
  int m_field                                  = -1;  ///< none: what is read is not checked
  int m_before[static_cast<std::size_t>(Rank)] = {};
  int m_behind[static_cast<std::size_t>(Rank)] = {};
#endif
};

}  // namespace Impl
}  // namespace KokkosStencil
