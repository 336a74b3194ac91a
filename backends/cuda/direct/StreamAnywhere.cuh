// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Window.cuh"
#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"
#include "common/Shifted.cuh"

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <type_traits>

// Streaming over rows that begin anywhere. A ring in shared memory holds them as they lie in device memory: each from
// the sector on in which its first column lies, so that whole vectors are copied wherever it begins. Where in the
// sector that is (the row's phase) is the same for all threads. Values of 4 and 8 bytes: adjacent lanes have adjacent
// columns, read and stored one by one. Values of 2 bytes: a lane has a vector of columns, put in phase as it is read,
// and again as it is stored.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// A row of the ring.
template <class T, class S, class K>
struct RowAnywhere {
  static constexpr bool narrow      = sizeof(T) == 2;
  static constexpr int V            = Vec<T>::size;
  static constexpr int size         = int(sizeof(T));
  static constexpr int left         = K::tuning.anywhere_left(size);  ///< columns copied left of the tile
  static constexpr int warp_columns = K::tuning.anywhere_columns(size);
  static constexpr int columns      = K::tuning.anywhere_width(size);
  /// With those that two tiles have in common.
  static constexpr int most_columns = columns + (narrow ? V : 0);
  static constexpr int vectors      = K::tuning.anywhere_row_vectors(size);
  static constexpr int bytes        = 16 * vectors;
  /// From a lane's first column to that of the next lane.
  static constexpr int lane_step = narrow ? V : 1;

  static __device__ __forceinline__ std::uintptr_t sector(std::uintptr_t address) {
    return address & ~std::uintptr_t(sector_bytes - 1);
  }
  static __device__ __forceinline__ std::uint32_t phase(std::uint32_t address) {
    return address & std::uint32_t(sector_bytes - 1);
  }
  /// The tile's first column in row `row` of a stage; `address`: where the row's first column that is copied lies.
  static __device__ __forceinline__ T* column(uint4* stage, int row, std::uint32_t address) {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(stage + row * vectors) + phase(address)) + left;
  }
  /// Vectors from the sector of the row's first column on, for columns of a tile that begins at x0.
  static __device__ __forceinline__ int wanted(std::int64_t x0, std::int64_t end) {
    int const wide = end - x0 < most_columns ? int(end - x0) : most_columns;
    return (sector_bytes - size + (wide + 2 * left) * size + 15) / 16;
  }
};

/// Where the View lies: nothing else may be read.
struct Within {
  std::uintptr_t begin, end;

  template <class T>
  __device__ __forceinline__ Within(T const* in, Geometry const& g)
      : begin(reinterpret_cast<std::uintptr_t>(in + g.low)), end(reinterpret_cast<std::uintptr_t>(in + g.high)) {}

  /// Copies a vector, or the values of it that are inside. Only vectors at the View's ends need to be Careful.
  template <class T, bool Careful>
  __device__ __forceinline__ void copy(uint4* to, std::uintptr_t from, bool wanted) const {
    bool const whole = !Careful || (from >= begin && from + 16 <= end);
    Ptx::CopyAsyncIf::run(to, reinterpret_cast<void const*>(from), wanted && whole);
    if constexpr (Careful) {
      if (whole || !wanted) return;
#pragma unroll 1
      for (int i = 0; i < Vec<T>::size; ++i) {
        std::uintptr_t const at = from + i * sizeof(T);
        if (at >= begin && at < end) reinterpret_cast<T*>(to)[i] = *reinterpret_cast<T const*>(at);
      }
    }
  }
};

/// Words from any even address in shared memory on, which is at the same place in 16 bytes for all lanes. Wide: read as
/// vectors, with fewer conflicts between banks but more instructions.
template <int Words, bool Wide>
__device__ __forceinline__ void read_words(std::uint32_t* w, unsigned char const* at) {
  auto const address        = static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
  std::uint32_t const shift = (address & 2u) * 8u;
  if constexpr (Wide) {
    constexpr int vectors  = (Words + 7) / 4;
    auto const* const from = reinterpret_cast<uint4 const*>(at - (address & 15u));
    std::uint32_t a[4 * vectors];
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      uint4 const v = from[i];
      a[4 * i] = v.x, a[4 * i + 1] = v.y, a[4 * i + 2] = v.z, a[4 * i + 3] = v.w;
    }
    bool const two = (address & 8u) != 0, one = (address & 4u) != 0;
#pragma unroll
    for (int i = 0; i < Words + 2; ++i) a[i] = two ? a[i + 2] : a[i];
#pragma unroll
    for (int i = 0; i < Words + 1; ++i) a[i] = one ? a[i + 1] : a[i];
#pragma unroll
    for (int i = 0; i < Words; ++i) w[i] = __funnelshift_r(a[i], a[i + 1], shift);
  } else {
    auto const* const from = reinterpret_cast<std::uint32_t const*>(at - (address & 2u));
    std::uint32_t low      = from[0];
#pragma unroll
    for (int i = 0; i < Words; ++i) {
      std::uint32_t const high = from[i + 1];
      w[i]                     = __funnelshift_r(low, high, shift);
      low                      = high;
    }
  }
}

/// Adds row `j` of inputs to the sums of H rows of outputs: of a plane (then sums are of rows, and H is 1), or in
/// space. `at`: the lane's first column in the ring, less `left` of them.
template <class T, class S, class K, bool Plane, int R, int H, class M>
__device__ __forceinline__ void add_anywhere(PartialSums<T, R, H>& sums, unsigned char const* at, Table<T, S> const& c,
                                             M const& mask, int j) {
  using L = RowAnywhere<T, S, K>;
  // Of a star, rows have neighbours along x where they are in the middle.
  bool const wide = !S::star || Plane || (j >= S::ry && j < S::ry + H);
  if constexpr (L::narrow) {
    constexpr int left = L::left / 2;
    std::uint32_t w[4 + 2 * left];
    if (wide) {
      read_words<4 + 2 * left, !Plane>(w, at);
    } else {
      read_words<4, !Plane>(w + left, at + L::left * L::size);
    }
    if constexpr (Plane) {
#pragma unroll
      for (int i = 0; i <= 2 * R; ++i) {
        if (S::has(0, R - i)) add_row<T, S, left>(sums.plane[i][0], w, c, mask, 0, R - i);
      }
    } else {
      sums.template add<S, left>(w, c, mask, j);
    }
  } else {
    T const* const first = reinterpret_cast<T const*>(at) + L::left;
#pragma unroll
    for (int v = 0; v < L::V; ++v) {
#pragma unroll
      for (int dx = -S::rx; dx <= S::rx; ++dx) {
        if (dx != 0 && !wide) continue;
        T const value = first[32 * v + dx];
#pragma unroll
        for (int k = 0; k < H; ++k) {
#pragma unroll
          for (int i = 0; i <= 2 * R; ++i) {
            int const dz = Plane ? 0 : R - i, dy = Plane ? R - i : j - S::ry - k;
            if (dy < -S::ry || dy > S::ry || !S::has(dz, dy) || (dx != 0 && !S::wide(dz, dy))) continue;
            int const term = S::index(dz, dy, dx);
            if (mask.has(term)) sums.plane[i][k][v] = fused(c.value[term], value, sums.plane[i][k][v]);
          }
        }
      }
    }
  }
}

/// Stores a lane's columns x, x + 32 and so on, of each of G groups, of which [begin, end) are wanted.
template <class T, int G>
class GroupStore {
 public:
  __device__ __forceinline__ GroupStore(std::int64_t x, std::int64_t begin, std::int64_t end) {
    m_mask = 0;
#pragma unroll
    for (int g = 0; g < G; ++g) m_mask |= x + 32 * g >= begin && x + 32 * g < end ? 1u << g : 0u;
    // Otherwise the compiler compares the columns anew at every store.
    asm volatile("" : "+r"(m_mask));
  }
  __device__ __forceinline__ void run(T* at, Accumulator<T> const (&a)[G]) const {
    unrolled<G>([&](auto g) { Ptx::StoreValueIf<T, 32 * g>::run(at, Value<T>::store(a[g]), m_mask & 1u << g); });
  }

 private:
  std::uint32_t m_mask;
};

/// Stores vectors of 16-bit values that begin at x, called by whole warps. A lane stores the aligned vector that begins
/// in the one of the lane before it: so the first lane has none, and tiles overlap by a lane.
template <class T>
class ShiftedStore {
  static constexpr int V = Vec<T>::size, size = int(sizeof(T));

 public:
  __device__ __forceinline__ ShiftedStore(std::int64_t x, std::int64_t begin, std::int64_t end) {
    int const lane          = int(threadIdx.x % 32);
    std::int64_t const tile = x - lane * V;
    auto const from_x       = [&](std::int64_t at) { return at < x - far ? -far : at > x + far ? far : int(at - x); };
    m_ends                  = ((lane == 0 ? far : from_x(begin)) & 0xffff) | (from_x(end) * 0x10000);
    if (tile >= begin && tile + 32 * V <= end) m_ends = inside;
    // One register; otherwise the compiler keeps what it was made of.
    asm volatile("" : "+r"(m_ends));
  }
  __device__ __forceinline__ void run(T* at, Accumulator<T> const (&a)[V]) const {
    uint4 const own    = pack<T>(a);
    uint4 const before = make_uint4(__shfl_up_sync(0xffffffffu, own.x, 1), __shfl_up_sync(0xffffffffu, own.y, 1),
                                    __shfl_up_sync(0xffffffffu, own.z, 1), __shfl_up_sync(0xffffffffu, own.w, 1));
    // Bytes of it that are of the lane before: 1 value to all.
    auto const back =
        static_cast<int>((static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at)) - size) & 15u) + size;
    uint4 const v = shifted<size>(before, own, 16 - back);
    T* const to   = at - back / size;
    if (m_ends == inside) {
      Ptx::StoreIf::run(to, v, threadIdx.x % 32);
      return;
    }
    int const first = static_cast<short>(m_ends & 0xffff) + back / size, last = (m_ends >> 16) + back / size;
    if (first <= 0 && last >= V) {
      *reinterpret_cast<uint4*>(to) = v;
    } else if (first < V && last > 0) {
      T each[V];
      memcpy(each, &v, 16);
#pragma unroll
      for (int i = 0; i < V; ++i) {
        if (i >= first && i < last) to[i] = each[i];
      }
    }
  }

 private:
  static constexpr int far = 1 << 14, inside = 1 << 31;
  int m_ends;  ///< columns wanted, from the lane's own first, in 16 bits each; or all of the warp's
};

template <class T>
using StoreAnywhere = std::conditional_t<sizeof(T) == 2, ShiftedStore<T>, GroupStore<T, Vec<T>::size>>;

/// As stream_rows_kernel, for rows that begin anywhere.
template <class T, class S, class K>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    stream_rows_anywhere_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                                T const* __restrict__ in, T* __restrict__ out) {
  static_assert(S::rz == 0, "a stencil of one plane");
  Cuda::Ptx::GridDependency::signal();
  using L         = RowAnywhere<T, S, K>;
  constexpr int B = K::tuning.rows_a_stage, Stages = K::tuning.ring_stages, threads = K::tuning.threads();
  constexpr int R = S::ry, stage = B * L::vectors, each = (L::vectors + threads - 1) / threads;
  Mask<S, (S::count >= 25)> mask(c);
  extern __shared__ uint4 ring[];

  int const t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  Tile const tile       = tile_of<false>(g, blockIdx.x);
  std::int64_t const x0 = g.first_vector + std::int64_t(tile.x) * L::columns;
  std::int64_t const y0 = g.begin[1] + std::int64_t(tile.y) * g.length;
  std::int64_t const y1 = y0 + g.length < g.end[1] ? y0 + g.length : g.end[1];
  std::int64_t const z  = g.begin[0] + tile.z;

  std::int64_t const pitch = g.in_stride[1] * L::size;
  auto const first =
      reinterpret_cast<std::uintptr_t>(in + z * g.in_stride[0] + (y0 - R) * g.in_stride[1] + x0 - L::left);
  int const rows = int(y1 - y0), vectors = L::wanted(x0, g.end[2]);
  Within const within(in, g);
  bool const careful = L::sector(first) < within.begin ||
                       L::sector(first + (rows + 2 * R - 1) * pitch) + 16 * std::uintptr_t(vectors) > within.end;
  std::uintptr_t source = first;
  int rows_left = rows + 2 * R, fill = 0;
  auto const copy_rows = [&](auto is_careful) {
    constexpr bool here_careful = decltype(is_careful)::value;
#pragma unroll(here_careful ? 1 : B)
    for (int b = 0; b < B; ++b) {
      std::uintptr_t const from = L::sector(source) + 16 * t;
      uint4* const to           = ring + fill + b * L::vectors + t;
#pragma unroll(here_careful ? 1 : each)
      for (int i = 0; i < each; ++i) {
        within.template copy<T, here_careful>(to + i * threads, from + i * 16 * threads,
                                              t + i * threads < vectors && b < rows_left);
      }
      source += pitch;
    }
  };
  auto const copy = [&] {
    if (careful) {
      copy_rows(std::true_type());
    } else {
      copy_rows(std::false_type());
    }
    rows_left -= B;
    fill = fill + stage == stage * Stages ? 0 : fill + stage;
    __pipeline_commit();
  };
#pragma unroll 1
  for (int s = 0; s < Stages - 1; ++s) copy();

  int const column     = warp * L::warp_columns + lane * L::lane_step;
  std::int64_t const x = x0 + column;
  T* target            = out + z * g.out_stride[0] + (y0 - 2 * R) * g.out_stride[1] + x;
  StoreAnywhere<T> const store(x, g.begin[2], g.end[2]);
  auto const* const mine = reinterpret_cast<unsigned char const*>(ring) + column * L::size;
  auto at                = static_cast<std::uint32_t>(first);
  int slot               = 0;
  PartialSums<T, R, 1> sums;
#pragma unroll 1
  for (int done = -2 * R; done < rows; done += B) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    copy();
    unsigned char const* const from = mine + 16 * slot;
    slot                            = slot + stage == stage * Stages ? 0 : slot + stage;
    unrolled<B>([&](auto b) {
      mask.renew();
      add_anywhere<T, S, K, true>(sums, from + b * L::bytes + L::phase(at), c, mask, 0);
      at += static_cast<std::uint32_t>(pitch);
      if (unsigned(done + b) < unsigned(rows)) store.run(target, sums.plane[0][0]);
      target += g.out_stride[1];
      sums.advance();
    });
  }
}

/// As stream_planes_kernel, for rows that begin anywhere.
template <class T, class S, class K>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    stream_planes_anywhere_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                                  T const* __restrict__ in, T* __restrict__ out) {
  Cuda::Ptx::GridDependency::signal();
  using L         = RowAnywhere<T, S, K>;
  constexpr int H = K::tuning.rows_a_lane, Stages = K::tuning.ring_stages, threads = K::tuning.threads();
  constexpr int height = K::tuning.height(), stage = (height + 2 * S::ry) * L::vectors;
  constexpr int R = S::rz, each = (stage + threads - 1) / threads;
  Mask<S, false> mask(c);
  extern __shared__ uint4 ring[];

  int const t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  Tile const tile       = tile_of<(sizeof(T) > 2)>(g, blockIdx.x);
  std::int64_t const x0 = g.first_vector + std::int64_t(tile.x) * L::columns;
  std::int64_t const y0 = g.begin[1] + std::int64_t(tile.y) * height;
  std::int64_t const z0 = g.begin[0] + std::int64_t(tile.z) * g.length;
  std::int64_t const z1 = z0 + g.length < g.end[0] ? z0 + g.length : g.end[0];

  auto const first =
      reinterpret_cast<std::uintptr_t>(in + (z0 - R) * g.in_stride[0] + (y0 - S::ry) * g.in_stride[1] + x0 - L::left);
  int const vectors = L::wanted(x0, g.end[2]);
  // Rows of a plane, up to the last one that there is.
  std::int64_t const below = g.last_row - (y0 - S::ry);
  int const last_row       = below < height + 2 * S::ry - 1 ? int(below) : height + 2 * S::ry - 1;
  // The vectors that this thread copies of each plane: row and place in it, or nothing.
  int place[each];
#pragma unroll
  for (int i = 0; i < each; ++i) {
    int const n = t + i * threads, y = n / L::vectors;
    place[i] = n < stage && n % L::vectors < vectors ? ((y < last_row ? y : last_row) << 16) | (n % L::vectors) : -1;
  }
  Within const within(in, g);
  std::int64_t const pitch = g.in_stride[1] * L::size, a_plane = g.in_stride[0] * L::size;
  std::int64_t const last = (z1 - z0 + 2 * R - 1) * a_plane + last_row * pitch;
  bool const careful =
      L::sector(first) < within.begin || L::sector(first + last) + 16 * std::uintptr_t(vectors) > within.end;
  std::uintptr_t source = first;
  int planes_left = int(z1 - z0) + 2 * R, fill = 0;
  auto const copy_plane = [&](auto is_careful) {
    constexpr bool here_careful = decltype(is_careful)::value;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      within.template copy<T, here_careful>(ring + fill + t + i * threads,
                                            L::sector(source + (place[i] >> 16) * pitch) + 16 * (place[i] & 0xffff),
                                            place[i] >= 0);
    }
  };
  auto const copy = [&] {
    if (planes_left > 0) {
      if (careful) {
        copy_plane(std::true_type());
      } else {
        copy_plane(std::false_type());
      }
      source += a_plane;
      --planes_left;
      fill = fill + stage == stage * Stages ? 0 : fill + stage;
    }
    __pipeline_commit();
  };
#pragma unroll 1
  for (int s = 0; s < Stages - 1; ++s) copy();

  std::int64_t const x = x0 + lane * L::lane_step, y = y0 + warp * H;
  T* target = out + (z0 - 2 * R) * g.out_stride[0] + y * g.out_stride[1] + x;
  StoreAnywhere<T> const store(x, g.begin[2], g.end[2]);
  auto const* const mine =
      reinterpret_cast<unsigned char const*>(ring) + warp * H * L::bytes + lane * L::lane_step * L::size;
  auto const step  = static_cast<std::uint32_t>(pitch);
  std::uint32_t at = static_cast<std::uint32_t>(first) + warp * H * step;
  int slot         = 0;
  bool const makes = reaches_past<S::rx>(g, x0, x0 + L::most_columns);
  PartialSums<T, R, H> sums;
#pragma unroll 1
  for (std::int64_t p = z0 - R; p < z1 + R; ++p) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    copy();
    if (makes) {
      // Of a star, rows have neighbours along x where they are in the middle.
      constexpr int middle = S::star ? S::ry : 0, rows = height + 2 * (S::ry - middle);
      auto const row = [&](int j) {
        return L::column(ring + slot, middle + j, at + (middle + j - int(warp) * H) * step);
      };
      make_columns<T, S::rx, threads, rows>(g, x0, L::left, L::most_columns + L::left, 0, rows, row);
      __syncthreads();
    }
    unsigned char const* const plane = mine + 16 * slot;
    slot                             = slot + stage == stage * Stages ? 0 : slot + stage;
    unrolled<H + 2 * S::ry>([&](auto index) {
      constexpr int j = index;
      add_anywhere<T, S, K, false>(sums, plane + j * L::bytes + L::phase(at + j * step), c, mask, j);
    });
    at += static_cast<std::uint32_t>(a_plane);
    if (p >= z0 + R) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
        if (y + k < g.end[1]) store.run(target + k * g.out_stride[1], sums.plane[0][k]);
      }
    }
    target += g.out_stride[0];
    sums.advance();
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
