// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Geometry.hpp"
#include "ShapeTuning.hpp"
#include "common/Value.cuh"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// The tile of a block. Bands: whether blocks may be dealt out by bands of rows, for which some kernels have no
/// registers.
struct Tile {
  unsigned x, y, z;
};
template <bool Bands = true>
__device__ __forceinline__ Tile tile_of(Geometry const& g, unsigned block) {
  Tile tile;
  tile.x            = block % unsigned(g.tiles_x);
  unsigned const yz = block / unsigned(g.tiles_x);
  if (!Bands || g.band == 0) {
    tile.y = yz % unsigned(g.tiles_y);
    tile.z = yz / unsigned(g.tiles_y);
  } else {
    unsigned const a_band = unsigned(g.band) * unsigned(g.tiles_z), rest = yz % a_band;
    unsigned const first = yz / a_band * unsigned(g.band), high = min(unsigned(g.band), unsigned(g.tiles_y) - first);
    tile.y = first + rest % high;
    tile.z = rest / high;
  }
  return tile;
}

/// 16 bytes of a row, what a lane loads and stores at once.
template <class T>
struct Vec {
  static constexpr int size = 16 / int(sizeof(T));
  /// Whole vectors to the left (and right) that a reach of r points needs.
  static __host__ __device__ constexpr int beside(int r) { return vectors_beside(r, int(sizeof(T))); }
  /// The same as room in shared memory.
  static __host__ __device__ constexpr int padding(int r) { return padding_beside(r, int(sizeof(T))); }
  /// 32-bit words of them that it touches.
  static __host__ __device__ constexpr int words(int r) { return (r * int(sizeof(T)) + 3) / 4; }
};

/// Where the vector of column `at` is read: across a periodic face on the other side; other columns outside stand for
/// what no stored output needs, and get something readable.
template <class T>
__device__ __forceinline__ std::int64_t readable(Geometry const& g, std::int64_t at) {
  constexpr int V = Vec<T>::size;
  if (g.wrap != 0) at += at < 0 ? g.wrap : at >= g.wrap ? -g.wrap : 0;
  return at < g.low ? g.low : at > g.high - V ? g.high - V : at;
}

/// The plane (Axis 0) or row (Axis 1) that is read for index i. For those that no stored output needs it is any.
template <int Axis>
__device__ __forceinline__ std::int64_t read_for(Geometry const& g, std::int64_t i) {
  std::int64_t const n = g.extent[Axis];
  if (i < 0) {
    BoundaryKind const kind = g.faces[Axis][0].kind;
    i                       = kind == BoundaryKind::mirror ? -1 - i : kind == BoundaryKind::periodic ? i + n : 0;
  } else if (i >= n) {
    BoundaryKind const kind = g.faces[Axis][1].kind;
    i = kind == BoundaryKind::mirror ? 2 * n - 1 - i : kind == BoundaryKind::periodic ? i - n : n - 1;
  }
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/// Whether plane (Axis 0) or row (Axis 1) i lies past a face of constants, and of which one.
template <int Axis>
__device__ __forceinline__ bool constant_past(Geometry const& g, std::int64_t i) {
  return (i < 0 && g.faces[Axis][0].kind == BoundaryKind::value) ||
         (i >= g.extent[Axis] && g.faces[Axis][1].kind == BoundaryKind::value);
}
template <int Axis>
__device__ __forceinline__ double constant_of(Geometry const& g, std::int64_t i) {
  return g.faces[Axis][i < 0 ? 0 : 1].constant;
}
/// How many of the planes or rows [begin, begin + count) lie past the first face, or the last, if that has a constant.
template <int Axis>
__device__ __forceinline__ int rows_before(Geometry const& g, std::int64_t begin, int count) {
  if (begin >= 0 || g.faces[Axis][0].kind != BoundaryKind::value) return 0;
  return -begin < count ? int(-begin) : count;
}
template <int Axis>
__device__ __forceinline__ int rows_after(Geometry const& g, std::int64_t begin, int count) {
  std::int64_t const past = begin + count - g.extent[Axis];
  if (past <= 0 || g.faces[Axis][1].kind != BoundaryKind::value) return 0;
  return past < count ? int(past) : count;
}

/// Fills `count` vectors in shared memory with a constant, by all threads of a block.
template <class T, int Threads>
__device__ __forceinline__ void fill_vectors(uint4* to, int count, double constant) {
  T const value = Value<T>::store(static_cast<Accumulator<T>>(constant));
  T values[Vec<T>::size];
#pragma unroll
  for (int i = 0; i < Vec<T>::size; ++i) values[i] = value;
  uint4 vector;
  memcpy(&vector, values, sizeof vector);
#pragma unroll 1
  for (int i = int(threadIdx.x); i < count; i += Threads) to[i] = vector;
}

/// Whether a tile's windows reach past a face of x where columns have to be made: of columns [begin, end).
template <int Reach>
__device__ __forceinline__ bool reaches_past(Geometry const& g, std::int64_t begin, std::int64_t end) {
  return (g.faces[2][0].kind != BoundaryKind::halo && begin < Reach) ||
         (g.faces[2][1].kind != BoundaryKind::halo && end + Reach > g.extent[2]);
}

/// Makes columns past the faces of x in rows that are in shared memory, by all threads of a block: in rows
/// [first, last) of `Rows`. `row(j)`: where row j has the column x0; it holds columns [x0 - low, x0 + high).
template <class T, int Reach, int Threads, int Rows, class Row>
__device__ __forceinline__ void make_columns(Geometry const& g, std::int64_t x0, int low, int high, int first, int last,
                                             Row const& row) {
#pragma unroll 1
  for (int i = int(threadIdx.x); i < 2 * Reach * Rows; i += Threads) {
    int const side = i & 1, j = i / (2 * Reach), k = i / 2 % Reach;
    Face const& face = g.faces[2][side];
    if (face.kind == BoundaryKind::halo) continue;
    // Of the column k + 1 past the face, and of the one that stands for it.
    std::int64_t const to   = (side == 0 ? -1 - k : g.extent[2] + k) - x0;
    int const inside        = face.kind == BoundaryKind::mirror ? k : 0;
    std::int64_t const from = (side == 0 ? inside : g.extent[2] - 1 - inside) - x0;
    if (to < -low || to >= high || j < first || j >= last) continue;
    row(j)[to] =
        face.kind == BoundaryKind::value ? Value<T>::store(static_cast<Accumulator<T>>(face.constant)) : row(j)[from];
  }
}

/// Beside which faces of x the vector of column x lies, if columns past them have to be made: bit 0 and bit 1.
template <class T>
__device__ __forceinline__ std::uint32_t at_faces(Geometry const& g, std::int64_t x) {
  std::uint32_t const first = x == 0 && g.faces[2][0].kind != BoundaryKind::halo ? 1 : 0,
                      last  = x + Vec<T>::size == g.extent[2] && g.faces[2][1].kind != BoundaryKind::halo ? 2 : 0;
  std::uint32_t faces       = first | last;
  // Otherwise the compiler compares the columns anew.
  asm volatile("" : "+r"(faces));
  return faces;
}

/// The same in the window of a lane's vector, which lies beside `faces`, for reaches within a vector.
template <class T, int Left>
__device__ __forceinline__ void make_columns(std::uint32_t (&w)[4 + 2 * Left], Geometry const& g, std::uint32_t faces) {
  constexpr int a_value = int(sizeof(T)) / 4;
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    if ((faces & (1u << side)) == 0) continue;
    Face const& face = g.faces[2][side];
    auto const value = Value<T>::store(static_cast<Accumulator<T>>(face.constant));
    std::uint32_t constant[2]{};
    memcpy(constant, &value, sizeof value);
    if constexpr (sizeof(T) == 2) constant[0] |= constant[0] << 16;
    std::uint32_t const end = w[Left + (side == 0 ? 0 : 3)];
#pragma unroll
    for (int i = 0; i < Left; ++i) {
      // Word i past the face, and its mirror image.
      std::uint32_t& to    = w[side == 0 ? Left - 1 - i : Left + 4 + i];
      std::uint32_t mirror = 0, edge = 0;
      if constexpr (sizeof(T) == 2) {
        std::uint32_t const word = w[side == 0 ? Left + i : Left + 3 - i];
        mirror                   = __byte_perm(word, word, 0x1032);
        edge                     = __byte_perm(end, end, side == 0 ? 0x1010 : 0x3232);
      } else {
        // Words of a value keep their order.
        int const value_of = i / a_value, part = side == 0 ? a_value - 1 - i % a_value : i % a_value;
        mirror = w[side == 0 ? Left + value_of * a_value + part : Left + 4 - (value_of + 1) * a_value + part];
        edge   = w[side == 0 ? Left + part : Left + 4 - a_value + part];
      }
      std::uint32_t const other = constant[sizeof(T) == 8 ? (side == 0 ? 1 - i % 2 : i % 2) : 0];
      to = face.kind == BoundaryKind::mirror ? mirror : face.kind == BoundaryKind::edge ? edge : other;
    }
  }
}

/// The same by a few instructions a word, with what the faces ask for found before: columns past faces come from the
/// lane's own, by a permutation of bytes with a constant.
template <class T>
class PastFaces {
  static constexpr int a_value = (int(sizeof(T)) + 3) / 4;

 public:
  __device__ __forceinline__ PastFaces(Geometry const& g, std::int64_t x) : m_faces(at_faces<T>(g, x)) {
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      Face const& face    = g.faces[2][side];
      bool const constant = face.kind == BoundaryKind::value, mirror = face.kind == BoundaryKind::mirror;
      std::uint32_t const own = sizeof(T) > 2 ? 0x3210 : mirror ? 0x1032 : side == 0 ? 0x1010 : 0x3232;
      m_edge[side]            = face.kind == BoundaryKind::edge;
      m_selector[side]        = constant ? 0x7654 : own;
      auto const value        = Value<T>::store(static_cast<Accumulator<T>>(face.constant));
      memcpy(m_constant[side], &value, sizeof value);
      if constexpr (sizeof(T) == 2) m_constant[side][0] = (m_constant[side][0] & 0xffffu) * 0x10001u;
    }
  }
  __device__ __forceinline__ bool beside() const { return m_faces != 0; }
  /// In a window whose lane's vector begins at word Left.
  template <int Left>
  __device__ __forceinline__ void make(std::uint32_t (&w)[4 + 2 * Left]) const {
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      bool const here = (m_faces & (1u << side)) != 0;
#pragma unroll
      for (int i = 0; i < Left; ++i) {
        // Word i past the face; words of a value keep their order.
        int const part = side == 0 ? a_value - 1 - i % a_value : i % a_value, first = i / a_value * a_value;
        int const mirrored     = side == 0 ? Left + first + part : Left + 4 - first - a_value + part;
        int const edge         = side == 0 ? Left + part : Left + 4 - a_value + part;
        std::uint32_t const of = m_edge[side] ? w[edge] : w[mirrored];
        std::uint32_t& to      = w[side == 0 ? Left - 1 - i : Left + 4 + i];
        to                     = here ? __byte_perm(of, m_constant[side][part], m_selector[side]) : to;
      }
    }
  }

 private:
  std::uint32_t m_faces, m_selector[2], m_constant[2][a_value] = {};
  bool m_edge[2];
};

/// Element e of a window of 32-bit words whose element 0 is the first of the lane's vector. The words left
/// of it number Left.
template <class T, int Left>
struct Element;
template <int Left>
struct Element<float, Left> {
  static __device__ __forceinline__ float get(std::uint32_t const* w, int e) { return __uint_as_float(w[Left + e]); }
};
template <int Left>
struct Element<double, Left> {
  static __device__ __forceinline__ double get(std::uint32_t const* w, int e) {
    return __hiloint2double(int(w[Left + 2 * e + 1]), int(w[Left + 2 * e]));
  }
};
template <int Left>
struct Element<__half, Left> {
  static __device__ __forceinline__ float get(std::uint32_t const* w, int e) {
    std::uint32_t const word = w[(2 * Left + e) / 2];
    auto const bits          = static_cast<unsigned short>((2 * Left + e) % 2 ? word >> 16 : word & 0xffffu);
    return __half2float(__ushort_as_half(bits));
  }
};
template <int Left>
struct Element<__nv_bfloat16, Left> {
  static __device__ __forceinline__ float get(std::uint32_t const* w, int e) {
    std::uint32_t const word = w[(2 * Left + e) / 2];
    return __uint_as_float((2 * Left + e) % 2 ? word & 0xffff0000u : word << 16);
  }
};

/// Rounds accumulators to the value type, as one vector.
template <class T>
__device__ __forceinline__ uint4 pack(Accumulator<T> const (&a)[Vec<T>::size]) {
  uint4 v;
  if constexpr (sizeof(T) == 8) {
    v = make_uint4(unsigned(__double2loint(a[0])), unsigned(__double2hiint(a[0])), unsigned(__double2loint(a[1])),
                   unsigned(__double2hiint(a[1])));
  } else if constexpr (sizeof(T) == 4) {
    v = make_uint4(__float_as_uint(a[0]), __float_as_uint(a[1]), __float_as_uint(a[2]), __float_as_uint(a[3]));
  } else {
    std::uint32_t w[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      T const pair[2] = {Value<T>::store(a[2 * i]), Value<T>::store(a[2 * i + 1])};
      unsigned short low, high;
      memcpy(&low, &pair[0], 2);
      memcpy(&high, &pair[1], 2);
      w[i] = std::uint32_t(low) | std::uint32_t(high) << 16;
    }
    v = make_uint4(w[0], w[1], w[2], w[3]);
  }
  return v;
}

/// Stores a lane's vector at columns x and on, of which [begin, end) are wanted.
template <class T>
class Store {
  static constexpr int V = Vec<T>::size;

 public:
  __device__ __forceinline__ Store(std::int64_t x, std::int64_t begin, std::int64_t end, bool aligned) {
    std::uint32_t mask = 0;
#pragma unroll
    for (int v = 0; v < V; ++v) mask |= x + v >= begin && x + v < end ? 1u << v : 0u;
    m_mask = mask == (1u << V) - 1 && aligned ? whole : mask;
    // Otherwise the compiler compares the columns anew at every store.
    asm volatile("" : "+r"(m_mask));
  }
  __device__ __forceinline__ void run(T* at, Accumulator<T> const (&a)[V]) const {
    if (m_mask == whole) {
      *reinterpret_cast<uint4*>(at) = pack<T>(a);
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (m_mask >> v & 1u) at[v] = Value<T>::store(a[v]);
      }
    }
  }
  __device__ __forceinline__ bool wants(int v) const { return m_mask == whole || (m_mask >> v & 1u) != 0; }
  __device__ __forceinline__ bool whole_vector() const { return m_mask == whole; }

 private:
  static constexpr std::uint32_t whole = 1u << 31;
  std::uint32_t m_mask;
};

/// The same for values of 16 bits, called by whole warps: of a sector in part each lane stores an element at once,
/// lanes 0 to 15 those of the first such sector, the others those of the last. Every store to a sector counts at the
/// second cache. Worth its shuffles where rows are short, that is, in space.
template <class T>
class SectorStore {
  static constexpr int V = Vec<T>::size, sector = 2 * V;
  static_assert(sizeof(T) == 2, "half a warp is a sector");

 public:
  __device__ __forceinline__ SectorStore(std::int64_t x, std::int64_t begin, std::int64_t end, bool aligned) {
    int const lane          = int(threadIdx.x % 32);
    std::int64_t const tile = x - lane * V;
    auto const in_tile = [&](std::int64_t at) { return at < tile ? 0 : at - tile > 32 * V ? 32 * V : int(at - tile); };
    int const first = in_tile(begin), last = in_tile(end);
    bool const has_first = first % sector != 0 && first < last, has_last = last % sector != 0 && first < last;
    bool const both   = has_first && has_last && first / sector == last / sector;
    int const mine    = sector * (lane < 16 ? first / sector : last / sector) + lane % 16;
    bool const single = (lane < 16 ? has_first : has_last && !both) && mine >= first && mine < last;
    bool const vector = lane * V >= first && lane * V + V <= last && !(has_first && lane / 2 == first / sector) &&
                        !(has_last && lane / 2 == last / sector);
    m_lane  = std::uint32_t(mine / V);
    m_word  = mine % V / 2;
    m_shift = mine % 2 * 16;
    m_away  = mine - lane * V;
    m_first = first - lane * V;
    m_last  = last - lane * V;
    m_flags = (vector ? whole : 0) | (single ? alone : 0) | (has_first || has_last ? ends : 0) | (aligned ? 0 : apart);
    // Otherwise the compiler compares the columns anew at every store.
    asm volatile("" : "+r"(m_flags));
  }
  __device__ __forceinline__ void run(T* at, Accumulator<T> const (&a)[V]) const {
    if (m_flags & apart) {
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (v >= m_first && v < m_last) at[v] = Value<T>::store(a[v]);
      }
      return;
    }
    uint4 const p = pack<T>(a);
    if (m_flags & whole) *reinterpret_cast<uint4*>(at) = p;
    if (m_flags & ends) {
      std::uint32_t const x = __shfl_sync(0xffffffffu, p.x, m_lane), y = __shfl_sync(0xffffffffu, p.y, m_lane),
                          z = __shfl_sync(0xffffffffu, p.z, m_lane), w = __shfl_sync(0xffffffffu, p.w, m_lane);
      std::uint32_t const low = m_word & 1 ? y : x, high = m_word & 1 ? w : z, word = m_word & 2 ? high : low;
      if (m_flags & alone) reinterpret_cast<unsigned short*>(at)[m_away] = static_cast<unsigned short>(word >> m_shift);
    }
  }
  __device__ __forceinline__ bool wants(int v) const { return v >= m_first && v < m_last; }
  __device__ __forceinline__ bool whole_vector() const { return (m_flags & whole) != 0 && (m_flags & apart) == 0; }

 private:
  static constexpr std::uint32_t whole = 1, alone = 2, ends = 4, apart = 8;
  std::uint32_t m_lane, m_flags;
  int m_word, m_shift, m_away, m_first, m_last;
};

/// The same for lines of 8 lanes, of which a warp has four: of the first sector in part and of the last each lane
/// stores two adjacent values.
template <class T>
class SectorStoreOfLines {
  static constexpr int V = Vec<T>::size, lanes = 8, sector = 2 * V;
  static_assert(sizeof(T) == 2, "8 lanes have a pair each of a sector");

 public:
  __device__ __forceinline__ SectorStoreOfLines(std::int64_t x, std::int64_t begin, std::int64_t end, bool aligned) {
    int const lane          = int(threadIdx.x % lanes);
    std::int64_t const tile = x - lane * V;
    auto const in_tile      = [&](std::int64_t at) {
      return at < tile ? 0 : at - tile > lanes * V ? lanes * V : int(at - tile);
    };
    int const first = in_tile(begin), last = in_tile(end);
    bool const has_first = first % V != 0 && first < last;
    bool const has_last  = last % V != 0 && first < last && !(has_first && first / sector == last / sector);
    auto const is_in     = [&](int column) { return column >= first && column < last ? 1u : 0u; };
    // A bit for each value of a pair.
    auto const pair   = [&](int of) { return is_in(of * sector + 2 * lane) | is_in(of * sector + 2 * lane + 1) << 1; };
    bool const vector = lane * V >= first && lane * V + V <= last && !(has_first && lane / 2 == first / sector) &&
                        !(has_last && lane / 2 == last / sector);
    std::uint32_t own = 0;
#pragma unroll
    for (int v = 0; v < V; ++v) own |= is_in(lane * V + v) << v;
    m_flags = (vector ? whole : 0) | (has_first ? at_first : 0) | (has_last ? at_last : 0) | (aligned ? 0 : apart) |
              (has_first ? pair(first / sector) : 0) << first_pair | (has_last ? pair(last / sector) : 0) << last_pair |
              std::uint32_t(first / sector) << first_sector | std::uint32_t(last / sector) << last_sector |
              own << values;
    // Otherwise the compiler compares the columns anew at every store.
    asm volatile("" : "+r"(m_flags));
  }
  /// `wanted`: whether the line's row is.
  __device__ __forceinline__ void run(T* at, Accumulator<T> const (&a)[V], bool wanted) const {
    if ((m_flags & (at_first | at_last | apart)) == 0) {
      if (wanted && (m_flags & whole)) *reinterpret_cast<uint4*>(at) = pack<T>(a);
      return;
    }
    // What follows from these is found again at every store: there are no registers to keep it.
    std::uint32_t flags = m_flags;
    int lane            = int(threadIdx.x % lanes);
    asm volatile("" : "+r"(flags), "+r"(lane));
    if (flags & apart) {
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (wanted && (flags >> (values + v) & 1u)) at[v] = Value<T>::store(a[v]);
      }
      return;
    }
    uint4 const p = pack<T>(a);
    if (wanted && (flags & whole)) *reinterpret_cast<uint4*>(at) = p;
    if (flags & at_first) put_pair(at, p, lane, wanted ? flags >> first_pair & 3u : 0u, flags >> first_sector & 7u);
    if (flags & at_last) put_pair(at, p, lane, wanted ? flags >> last_pair & 3u : 0u, flags >> last_sector & 7u);
  }

 private:
  static constexpr std::uint32_t whole = 1, at_first = 2, at_last = 4, apart = 8;
  static constexpr int first_pair = 4, last_pair = 6, first_sector = 8, last_sector = 11, values = 16;
  std::uint32_t m_flags;

  static __device__ __forceinline__ void put_pair(T* at, uint4 const& p, int lane, std::uint32_t wanted,
                                                  std::uint32_t of) {
    int const from        = int(of) * 2 + lane / 4;
    auto const of_line    = [&](std::uint32_t word) { return __shfl_sync(0xffffffffu, word, from, lanes); };
    std::uint32_t const x = of_line(p.x), y = of_line(p.y), z = of_line(p.z), w = of_line(p.w);
    std::uint32_t const low = lane & 1 ? y : x, high = lane & 1 ? w : z, word = lane & 2 ? high : low;
    auto* const to = reinterpret_cast<std::uint32_t*>(at + (int(of) * sector - lane * (V - 2)));
    if (wanted == 3u) *to = word;
    auto* const half = reinterpret_cast<unsigned short*>(to) + (wanted >> 1);
    if (wanted == 1u || wanted == 2u) *half = static_cast<unsigned short>(word >> (wanted >> 1) * 16u);
  }
};

/// f(0) to f(N - 1), each with its index as a constant: always unrolled, which long loops are not.
template <class F, int... Index>
__device__ __forceinline__ void unrolled(std::integer_sequence<int, Index...>, F const& f) {
  (f(std::integral_constant<int, Index>()), ...);
}
template <int N, class F>
__device__ __forceinline__ void unrolled(F const& f) {
  unrolled(std::make_integer_sequence<int, N>(), f);
}

template <class A, int N, bool Masked>
struct Coefficients {
  A value[N];
};
template <class A, int N>
struct Coefficients<A, N, true> {
  A value[N];
  std::uint32_t mask[(N + 31) / 32];
};

/// Shapes known when the kernels are compiled: reaches Rz, Ry, Rx; a star has terms on the axes only. Of a masked
/// shape any terms may be missing, as a mask says when it runs: they are left out, not added with a factor of zero,
/// which would spread infinities and NaN.
template <bool Star_, int Rz_, int Ry_, int Rx_, bool Masked_ = false>
struct KernelShape {
  static constexpr bool star = Star_, masked = Masked_;
  static constexpr int rz = Rz_, ry = Ry_, rx = Rx_;
  static constexpr int count = Star_ ? 2 * (Rz_ + Ry_ + Rx_) + 1 : (2 * Rz_ + 1) * (2 * Ry_ + 1) * (2 * Rx_ + 1);
  /// Whether row (dz, dy) has terms beside its centre.
  static __host__ __device__ constexpr bool wide(int dz, int dy) { return !Star_ || (dz == 0 && dy == 0); }
  static __host__ __device__ constexpr bool has(int dz, int dy) { return !Star_ || dz == 0 || dy == 0; }
  /// Place of a term in canonical order.
  static __host__ __device__ constexpr int index(int dz, int dy, int dx) {
    return term_index(Star_, Rz_, Ry_, Rx_, dz, dy, dx);
  }
};

template <class T, class S>
using Table = Coefficients<Accumulator<T>, S::count, S::masked>;

/// Which terms there are, for whole boxes of them read anew (Shared) before the terms of every input row: the
/// compiler would otherwise test all bits once and pack the answers away, in more instructions than testing them again.
template <class S, bool Shared, bool Masked = S::masked>
struct Mask {
  template <class Table>
  explicit __device__ Mask(Table const&) {}
  __device__ __forceinline__ void renew() {}
  __device__ __forceinline__ bool has(int) const { return true; }
};
template <class S, bool Shared>
struct Mask<S, Shared, true> {
  static constexpr int words = (S::count + 31) / 32;
  template <class Table>
  explicit __device__ __forceinline__ Mask(Table const& c) {
    if constexpr (Shared) {
      __shared__ std::uint32_t copy[words];
      if (threadIdx.x < words) copy[threadIdx.x] = c.mask[threadIdx.x];
      __syncthreads();
      shared = copy;
    } else {
#pragma unroll
      for (int k = 0; k < words; ++k) word[k] = c.mask[k];
    }
  }
  __device__ __forceinline__ void renew() {
    if constexpr (Shared) {
#pragma unroll
      for (int k = 0; k < words; ++k) word[k] = shared[k];
    }
  }
  __device__ __forceinline__ bool has(int i) const { return (word[i / 32] >> (i % 32) & 1u) != 0; }

  std::uint32_t volatile const* shared;
  std::uint32_t word[words];
};

/// The window of a lane's vector at `at` in shared memory; without its sides if not wide.
template <class T, int R>
__device__ __forceinline__ void read_window(std::uint32_t (&w)[4 + 2 * Vec<T>::words(R)], uint4 const* at, bool wide) {
  constexpr int left = Vec<T>::words(R);
  uint4 const center = at[0];
  w[left + 0]        = center.x;
  w[left + 1]        = center.y;
  w[left + 2]        = center.z;
  w[left + 3]        = center.w;
  if (!wide) return;
#pragma unroll
  for (int q = 1; q <= Vec<T>::beside(R); ++q) {
    uint4 const low = at[-q], high = at[q];
    std::uint32_t const lows[4] = {low.x, low.y, low.z, low.w}, highs[4] = {high.x, high.y, high.z, high.w};
#pragma unroll
    for (int i = 4 * q - 3; i <= 4 * q && i <= left; ++i) {
      w[left - i]     = lows[q * 4 - i];
      w[left + 3 + i] = highs[(i - 1) % 4];
    }
  }
}

/// acc = the terms of row (dz, dy) added to acc, in order of x.
template <class T, class S, int Left, class M>
__device__ __forceinline__ void add_row(Accumulator<T> (&acc)[Vec<T>::size], std::uint32_t const* window,
                                        Table<T, S> const& c, M const& mask, int dz, int dy) {
#pragma unroll
  for (int dx = -S::rx; dx <= S::rx; ++dx) {
    if (dx != 0 && !S::wide(dz, dy)) continue;
    int const i = S::index(dz, dy, dx);
    if (!mask.has(i)) continue;
#pragma unroll
    for (int v = 0; v < Vec<T>::size; ++v) {
      acc[v] = fused(c.value[i], Element<T, Left>::get(window, v + dx), acc[v]);
    }
  }
}

/// What the inputs so far add to the 2 R + 1 planes (or rows) of outputs that they reach, H rows of a vector each, of a
/// kernel that streams: plane i is i behind the last one that the newest inputs reach.
template <class T, int R, int H>
struct PartialSums {
  Accumulator<T> plane[2 * R + 1][H][Vec<T>::size];

  __device__ __forceinline__ PartialSums() {
#pragma unroll
    for (int i = 0; i <= 2 * R; ++i) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
#pragma unroll
        for (int v = 0; v < Vec<T>::size; ++v) plane[i][k][v] = zero;
      }
    }
  }
  /// Adds row `j` of a plane of inputs, of those that H rows of outputs reach in it.
  template <class S, int Left, class M>
  __device__ __forceinline__ void add(std::uint32_t const* window, Table<T, S> const& c, M const& mask, int j) {
#pragma unroll
    for (int k = 0; k < H; ++k) {
      int const dy = j - S::ry - k;
      if (dy < -S::ry || dy > S::ry) continue;
#pragma unroll
      for (int i = 0; i <= 2 * R; ++i) {
        if (S::has(R - i, dy)) add_row<T, S, Left>(plane[i][k], window, c, mask, R - i, dy);
      }
    }
  }
  /// After plane 0 is stored.
  __device__ __forceinline__ void advance() {
#pragma unroll
    for (int i = 0; i <= 2 * R; ++i) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
#pragma unroll
        for (int v = 0; v < Vec<T>::size; ++v) plane[i][k][v] = i < 2 * R ? plane[i < 2 * R ? i + 1 : i][k][v] : zero;
      }
    }
  }

 private:
  static constexpr Accumulator<T> zero = -Accumulator<T>(0);
};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
