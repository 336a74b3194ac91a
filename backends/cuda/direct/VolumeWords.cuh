// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "VolumeAnywhere.cuh"

#include <cstdint>
#include <cstring>
#include <type_traits>

// Volumes of 16-bit values whose rows begin anywhere, for small reaches. As volume_anywhere_kernel, but a lane has a
// word of two values in each group of 32 words. A value that a row begins with may be the second one of a word: then
// words are put together from two as they are read, and again as they are stored.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Stores the words of a warp's lanes in a row, of which `wide` columns are wanted. Where a lane's two values are no
/// aligned word, it stores the word that ends with its first one. Values at both ends of a row are stored alone.
template <class T, int G>
class WordStore {
 public:
  __device__ __forceinline__ explicit WordStore(int wide)
      : m_whole(wide == 64 * G), m_last_group((wide - 1) / 64), m_wide(wide) {
    int const lane = int(threadIdx.x) % 32;
    m_mask         = 0;
#pragma unroll
    for (int g = 0; g < G; ++g) {
      int const column = 64 * g + 2 * lane;
      m_mask |= (column + 1 < wide ? 1u << g : 0u) | (column < wide && (g > 0 || lane > 0) ? odd_word << g : 0u);
    }
    m_mask |= lane == (wide - 1) % 64 / 2 ? last : 0u;
    // Otherwise the compiler compares the columns anew at every store.
    asm volatile("" : "+r"(m_mask));
  }

  /// `at`: the lane's first column of the row.
  __device__ __forceinline__ void run(T* at, std::uint32_t const (&w)[G]) const {
    int const lane = int(threadIdx.x) % 32;
    bool const odd = (reinterpret_cast<std::uintptr_t>(at) & 2u) != 0;
    if (odd) {
      std::uint32_t word[G], prior = 0;
#pragma unroll
      for (int g = 0; g < G; ++g) {
        std::uint32_t const before = __shfl_sync(0xffffffffu, w[g], (lane - 1) & 31);
        word[g]                    = __byte_perm(lane == 0 ? prior : before, w[g], 0x5432);
        prior                      = before;
      }
      T* const to = at - 1;
      if (m_whole) {
        store<0>(to, word[0], m_mask & odd_word);
        unrolled<G - 1>([&](auto g) { store<32 * (g + 1)>(to, word[g + 1]); });
        T* const end = lane == 0 ? at : at + 64 * G - 63;
        store_value(end, lane == 0 ? w[0] : w[G - 1] >> 16, lane == 0 || lane == 31);
      } else {
        unrolled<G>([&](auto g) { store<32 * g>(to, word[g], m_mask & odd_word << g); });
        store_value(at, w[0], lane == 0);
        if (m_wide % 2 == 0) store_value(at + 64 * m_last_group + 1, last_word(w) >> 16, m_mask & last);
      }
    } else {
      if (m_whole) {
        unrolled<G>([&](auto g) { store<32 * g>(at, w[g]); });
      } else {
        unrolled<G>([&](auto g) { store<32 * g>(at, w[g], m_mask & 1u << g); });
        if (m_wide % 2 != 0) store_value(at + 64 * m_last_group, last_word(w), m_mask & last);
      }
    }
  }

 private:
  static constexpr std::uint32_t odd_word = 1u << 8, last = 1u << 16;
  static_assert(G <= 8, "bits of the mask");
  bool m_whole;
  int m_last_group, m_wide;
  std::uint32_t m_mask;

  __device__ __forceinline__ std::uint32_t last_word(std::uint32_t const (&w)[G]) const {
    std::uint32_t word = w[0];
#pragma unroll
    for (int g = 1; g < G; ++g) word = g == m_last_group ? w[g] : word;
    return word;
  }
  template <int Words>
  static __device__ __forceinline__ void store(T* to, std::uint32_t word) {
    reinterpret_cast<float*>(to)[Words] = __uint_as_float(word);
  }
  template <int Words>
  static __device__ __forceinline__ void store(T* to, std::uint32_t word, std::uint32_t wanted) {
    Ptx::StoreValueIf<float, Words>::run(reinterpret_cast<float*>(to), __uint_as_float(word), wanted);
  }
  static __device__ __forceinline__ void store_value(T* to, std::uint32_t word, std::uint32_t wanted) {
    auto const low = static_cast<std::uint16_t>(word);
    T value;
    memcpy(&value, &low, 2);
    Ptx::StoreValueIf<T>::run(to, value, wanted);
  }
};

/// A lane's two results as they are stored.
template <class T>
__device__ __forceinline__ std::uint32_t word_of(float low, float high) {
  std::uint32_t word = 0;
  if constexpr (std::is_same_v<T, __half>) {
    __half2 const pair = __floats2half2_rn(low, high);
    memcpy(&word, &pair, 4);
  } else {
    __nv_bfloat162 const pair = __floats2bfloat162_rn(low, high);
    memcpy(&word, &pair, 4);
  }
  return word;
}

/// What a lane reads of a row in a group: its two columns, and Reach on each side of them. `at`: the word in shared
/// memory in which the first of them lies. `shift`: 0 or 16 modulo 32, bits before it in that word.
template <class T, int Reach, int Group>
__device__ __forceinline__ void read_words_of_group(float (&value)[2 * Reach + 2], std::uint32_t at,
                                                    std::uint32_t shift) {
  std::uint32_t word[Reach + 2];
  unrolled<Reach + 2>([&](auto i) { word[i] = Ptx::LoadSharedWord<128 * Group + 4 * i>::run(at); });
#pragma unroll
  for (int i = 0; i <= Reach; ++i) {
    std::uint32_t const pair = __funnelshift_r(word[i], word[i + 1], shift);
    value[2 * i]             = Element<T, 0>::get(&pair, 0);
    value[2 * i + 1]         = Element<T, 0>::get(&pair, 1);
  }
}

template <class T, class S, class K>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    volume_words_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                        T const* __restrict__ in, T* __restrict__ out) {
  static_assert(!S::masked && sizeof(T) == 2 && K::tuning.warps_across == 1, "");
  Cuda::Ptx::GridDependency::signal();
  using L         = GroupedRow<T, S, K>;
  constexpr int H = K::tuning.rows_a_lane, G = K::tuning.groups_a_lane;
  constexpr int Stages = K::tuning.ring_stages, threads = K::tuning.threads(), height = K::tuning.height();
  constexpr int R = S::rz, rows_read = H + 2 * S::ry, each = (L::stage + threads - 1) / threads;
  extern __shared__ uint4 ring[];

  int const t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  Tile const tile = tile_of<false>(g, blockIdx.x);
  // Tiles of a row have as many groups, but for the last one.
  int const of_row      = int((g.end[2] - g.first_vector - 1) / L::group) + 1;
  int const a_tile      = L::group * ((of_row + g.tiles_x - 1) / g.tiles_x);
  std::int64_t const x0 = g.first_vector + std::int64_t(tile.x) * a_tile;
  std::int64_t const y0 = g.begin[1] + std::int64_t(tile.y) * height;
  std::int64_t const z0 = g.begin[0] + std::int64_t(tile.z) * g.length;
  std::int64_t const z1 = z0 + g.length < g.end[0] ? z0 + g.length : g.end[0];
  if (x0 >= g.end[2]) return;
  int const wide = g.end[2] - x0 < a_tile ? int(g.end[2] - x0) : a_tile;

  auto const first =
      reinterpret_cast<std::uintptr_t>(in + (z0 - R) * g.in_stride[0] + (y0 - S::ry) * g.in_stride[1] + x0 - L::left);
  int const vectors        = (sector_bytes - L::size + (wide + 2 * L::left) * L::size + 15) / 16;
  std::int64_t const below = g.last_row - (y0 - S::ry);
  int const last_row       = below < height + 2 * S::ry - 1 ? int(below) : height + 2 * S::ry - 1;
  std::int64_t const pitch = g.in_stride[1] * L::size, a_plane = g.in_stride[0] * L::size;
  auto const step = static_cast<std::uint32_t>(pitch);
  // Of the vectors that this thread copies of each plane: how far their sectors are from the first one, and which are
  // wanted.
  std::uint32_t from[each], wanted = 0;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    int const n = t + i * threads, row = n / L::vectors, vector = n % L::vectors;
    from[i] = std::uint32_t(row) * step + vector / 2 * sector_bytes;
    wanted |= n < L::stage && vector < vectors && row <= last_row ? 1u << i : 0u;
  }
  static_assert(threads % 2 == 0 && L::vectors % 2 == 0, "a thread has the same half of all sectors");
  std::uint32_t const half = t % 2 * 16;
  Within const within(in, g);
  std::int64_t const last = (z1 - z0 + 2 * R - 1) * a_plane + last_row * pitch;
  bool const careful =
      L::sector(first) < within.begin || L::sector(first + last) + 16 * std::uintptr_t(vectors) > within.end;
  std::uintptr_t source = first;
  int const planes      = int(z1 - z0);
  int planes_left = planes + 2 * R, fill = 0;
  auto const copy_plane = [&](auto is_careful) {
    constexpr bool here_careful = decltype(is_careful)::value;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      within.template copy<T, here_careful>(ring + fill + t + i * threads, L::sector(source + from[i]) | half,
                                            wanted & 1u << i);
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
      fill = fill + L::stage == L::stage * Stages ? 0 : fill + L::stage;
    }
    __pipeline_commit();
  };
#pragma unroll 1
  for (int s = 0; s < Stages - 1; ++s) copy();

  std::int64_t const y = y0 + warp * H;
  // Groups and rows of this warp in which anything is wanted.
  int const groups = y < g.end[1] ? (wide - 1) / L::group + 1 : 0, rows = g.end[1] - y < H ? int(g.end[1] - y) : H;
  T* target = out + z0 * g.out_stride[0] + y * g.out_stride[1] + x0 + 2 * lane;
  WordStore<T, G> const store(wide);
  // Where the first copied column of the warp's first row lies, for its phase; and in the ring.
  std::uint32_t at = static_cast<std::uint32_t>(first) + warp * H * step;
  std::uint32_t const mine =
      static_cast<std::uint32_t>(__cvta_generic_to_shared(ring)) + warp * H * L::bytes + 4 * lane;
  std::uint32_t slot = 0;
  bool const makes   = reaches_past<S::rx>(g, x0, x0 + wide);
  // The outputs of plane n have their sums in sum[n % (2 R)]: those that a plane completes leave them to those that it
  // is the first to reach.
  constexpr int planes_of_sums       = 2 * R;
  float sum[planes_of_sums][H][G][2] = {};

  int done   = -2 * R;
  bool going = true;
#pragma unroll 1
  while (going) {
    unrolled<planes_of_sums>([&](auto newest) {
      if (!going) return;
      __pipeline_wait_prior(Stages - 2);
      __syncthreads();
      copy();
      if (makes) {
        // Of a star, rows have neighbours along x where they are in the middle.
        constexpr int middle = S::star ? S::ry : 0, all = height + 2 * (S::ry - middle);
        auto const row = [&](int j) {
          std::uint32_t const phase = L::phase(at + (middle + j - warp * H) * step);
          return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(ring) + slot + (middle + j) * L::bytes + phase) +
                 L::left;
        };
        make_columns<T, S::rx, threads, all>(g, x0, L::left, L::columns + L::left, 0, all, row);
        __syncthreads();
      }
      std::uint32_t begin[rows_read], shift[rows_read], result[H][G];
      unrolled<rows_read>([&](auto index) {
        constexpr int j          = index;
        constexpr int reach      = !S::star || (j >= S::ry && j < S::ry + H) ? S::rx : 0;
        std::uint32_t const byte = L::phase(at + j * step) + (L::left - reach) * L::size;
        begin[j]                 = mine + slot + j * L::bytes + (byte & ~3u);
        shift[j]                 = byte * 8u;
      });
      auto const add = [&](auto group) {
        float complete[H][2];
        unrolled<rows_read>([&](auto index) {
          constexpr int j     = index;
          constexpr int reach = !S::star || (j >= S::ry && j < S::ry + H) ? S::rx : 0;
          float value[2 * reach + 2];
          read_words_of_group<T, reach, group>(value, begin[j], shift[j]);
#pragma unroll
          for (int i = 0; i <= 2 * R; ++i) {
#pragma unroll
            for (int k = 0; k < H; ++k) {
              int const dz = R - i, dy = j - S::ry - k;
              if (dy < -S::ry || dy > S::ry || !S::has(dz, dy)) continue;
              float(&s)[2]          = sum[(newest + 2 * planes_of_sums - dz) % planes_of_sums][k][group];
              constexpr int least_y = S::star ? 0 : -S::ry;
#pragma unroll
              for (int dx = -reach; dx <= reach; ++dx) {
                if (dx != 0 && !S::wide(dz, dy)) continue;
                bool const opens = dy == least_y && (dx == -S::rx || S::star);
                int const term   = S::index(dz, dy, dx);
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                  float const v = value[reach + dx + e];
                  if (dz == R) {
                    complete[k][e] = fused(c.value[term], v, opens ? s[e] : complete[k][e]);
                  } else {
                    s[e] = dz == -R && opens ? times(c.value[term], v) : fused(c.value[term], v, s[e]);
                  }
                }
              }
            }
          }
        });
#pragma unroll
        for (int k = 0; k < H; ++k) result[k][group] = word_of<T>(complete[k][0], complete[k][1]);
      };
      // Most warps have all groups, or all but one: without branches between them.
      if (groups == G) {
        unrolled<G>(add);
      } else if (groups == G - 1) {
        unrolled<G - 1>(add);
      } else {
        unrolled<G - 2>([&](auto group) {
          if (group < groups) add(group);
        });
      }
      if (done >= 0 && groups > 0) {
#pragma unroll
        for (int k = 0; k < H; ++k) {
          if (k < rows) store.run(target + k * g.out_stride[1], result[k]);
        }
        target += g.out_stride[0];
      }
      slot = slot + L::stage * 16 == L::stage * 16 * Stages ? 0 : slot + L::stage * 16;
      at += static_cast<std::uint32_t>(a_plane);
      going = ++done < planes;
    });
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
