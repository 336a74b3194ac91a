// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "VolumeWords.cuh"

#include <cstdint>
#include <type_traits>

// Stars in volumes of 16-bit values whose rows begin anywhere and follow each other with few values between them. A
// plane is taken as one line, from its first point wanted to its last one, so that it does not matter where rows begin:
// a block takes a part of that line, in one plane after another, and finds neighbours along y a pitch to the left and
// right. What lies between rows is computed as well, and not stored. As in volume_words_kernel a lane has words of two
// values, here those that are aligned in the output: in which a part may begin one column further left.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Stores a lane's words of a part: aligned ones as such, those at the ends of rows value by value.
template <class T, int G>
class JoinedStore {
 public:
  /// `wanted(f)`: whether column f of the part is. The lane's first word begins at column `first`, or one before.
  template <class Wanted>
  __device__ __forceinline__ JoinedStore(int first, Wanted const& wanted) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      std::uint32_t whole = 0, low = 0, high = 0;
#pragma unroll 1
      for (int g = 0; g < G; ++g) {
        int const f     = first + 64 * g - odd;
        bool const here = wanted(f), next = wanted(f + 1);
        whole |= (here && next ? 1u : 0u) << g;
        low |= (here && !next ? 1u : 0u) << g;
        high |= (next && !here ? 1u : 0u) << g;
      }
      m_mask[odd] = whole | low << low_bits | high << high_bits;
      // Groups in which a lane of the warp has no whole word but a value.
      m_parts[odd] = __reduce_or_sync(0xffffffffu, low | high);
    }
  }
  /// `at`: column `first`. Words begin there, or one before if `odd`.
  __device__ __forceinline__ void run(T* at, bool odd, std::uint32_t const (&w)[G]) const {
    std::uint32_t const mask = odd ? m_mask[1] : m_mask[0], parts = odd ? m_parts[1] : m_parts[0];
    T* const to = at - (odd ? 1 : 0);
    unrolled<G>([&](auto g) {
      Ptx::StoreValueIf<float, 32 * g>::run(reinterpret_cast<float*>(to), __uint_as_float(w[g]), mask & 1u << g);
      if ((parts & 1u << g) != 0) {
        T value[2];
        memcpy(value, &w[g], 4);
        Ptx::StoreValueIf<T, 64 * g>::run(to, value[0], mask & 1u << (g + low_bits));
        Ptx::StoreValueIf<T, 64 * g + 1>::run(to, value[1], mask & 1u << (g + high_bits));
      }
    });
  }

 private:
  static constexpr int low_bits = 8, high_bits = 16;
  static_assert(G <= 8, "bits of the mask");
  std::uint32_t m_mask[2], m_parts[2];
};

/// OddPlanes: planes of the output are an odd number of values apart, so that words begin elsewhere in every other one.
template <bool OddPlanes, class T, class S, class K>
__device__ __forceinline__ void volume_joined(Table<T, S> const& c, Geometry const& g, T const* in, T* out) {
  constexpr int size = int(sizeof(T)), G = K::tuning.groups_a_lane, group_columns = K::tuning.group_columns(size);
  constexpr int columns = K::tuning.joined_columns(), stage = K::tuning.joined_stage();
  constexpr int Stages = K::tuning.ring_stages, threads = K::tuning.threads(), R = S::rz, Y = S::ry;
  constexpr int rows_read = 2 * Y + 1, each = (stage + threads - 1) / threads, beside = K::tuning.joined_beside();
  extern __shared__ uint4 ring[];

  int const t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  unsigned const part = blockIdx.x % unsigned(g.tiles_x), tile_z = blockIdx.x / unsigned(g.tiles_x);
  std::int64_t const z0 = g.begin[0] + std::int64_t(tile_z) * g.length;
  std::int64_t const z1 = z0 + g.length < g.end[0] ? z0 + g.length : g.end[0];
  int const planes = int(z1 - z0), pitch = int(g.in_stride[1]), wide = int(g.end[2] - g.begin[2]);
  int const all  = int(g.end[1] - g.begin[1] - 1) * pitch + wide;  // columns of the line
  int const f0   = int(part) * columns;
  int const here = all - f0 < columns ? all - f0 : columns;

  // Copies: from the sector on in which the first column lies.
  std::uintptr_t source = reinterpret_cast<std::uintptr_t>(in + (z0 - R) * g.in_stride[0] + (g.begin[1] - Y) * pitch +
                                                           g.begin[2] + f0 - beside);
  std::int64_t const stride = g.in_stride[0] * size;
  int const vectors         = (sector_bytes - size + (here + 2 * Y * pitch + 2 * beside) * size + 15) / 16;
  auto const sector         = [](std::uintptr_t address) { return address & ~std::uintptr_t(sector_bytes - 1); };
  Within const within(in, g);
  bool const careful = sector(source) < within.begin ||
                       sector(source + (planes + 2 * R - 1) * stride) + 16 * std::uintptr_t(vectors) > within.end;
  auto at         = static_cast<std::uint32_t>(source);
  int planes_left = planes + 2 * R, fill = 0;
  auto const copy_plane = [&](auto is_careful) {
    constexpr bool here_careful = decltype(is_careful)::value;
    std::uintptr_t const from   = sector(source) + 16 * t;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      int const n = t + i * threads;
      within.template copy<T, here_careful>(ring + fill + n, from + 16 * i * threads, n < vectors);
    }
  };
  auto const copy = [&] {
    if (planes_left > 0) {
      if (careful) {
        copy_plane(std::true_type());
      } else {
        copy_plane(std::false_type());
      }
      source += stride;
      --planes_left;
      fill = fill + stage == stage * Stages ? 0 : fill + stage;
    }
    __pipeline_commit();
  };
#pragma unroll 1
  for (int s = 0; s < Stages - 1; ++s) copy();

  int const first   = warp * G * group_columns + 2 * lane;
  auto const wanted = [&](int f) { return f0 + f >= 0 && f0 + f < all && (f0 + f) % pitch < wide; };
  JoinedStore<T, G> const store(first, wanted);
  T* target                = out + z0 * g.out_stride[0] + g.begin[1] * pitch + g.begin[2] + f0 + first;
  bool const makes         = warp * G * group_columns <= here;
  std::uint32_t const mine = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring)) + first * size;
  std::uint32_t slot       = 0;
  // Whether words begin a column further left, in the plane that is read: R planes before the first output.
  bool odd =
      (static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target)) / size + (OddPlanes ? R : 0)) % 2 != 0;
  // As in volume_words_kernel.
  constexpr int planes_of_sums    = 2 * R;
  float sum[planes_of_sums][G][2] = {};

  int done   = -2 * R;
  bool going = true;
#pragma unroll 1
  while (going) {
    unrolled<planes_of_sums>([&](auto newest) {
      if (!going) return;
      __pipeline_wait_prior(Stages - 2);
      __syncthreads();
      copy();
      std::uint32_t begin[rows_read], shift[rows_read], result[G];
      unrolled<rows_read>([&](auto row) {
        constexpr int reach = row == Y ? S::rx : 0;
        std::uint32_t const byte =
            at % sector_bytes + std::uint32_t((beside - reach - (odd ? 1 : 0) + row * pitch) * size);
        begin[row] = mine + slot + (byte & ~3u);
        shift[row] = byte * 8u;
      });
      if (makes) {
        unrolled<G>([&](auto group) {
          float complete[2];
          unrolled<rows_read>([&](auto row) {
            constexpr int dy = row - Y, reach    = dy == 0 ? S::rx : 0;
            float value[2 * reach + 2], other[2] = {};
            read_words_of_group<T, reach, group>(value, begin[row], shift[row]);
            if constexpr (OddPlanes && reach > 0) {
              // Of words that begin in the other column.
              other[0] = odd ? value[reach + 1] : value[reach - 1];
              other[1] = odd ? value[reach + 2] : value[reach];
            }
            unrolled<2 * R + 1>([&](auto plane) {
              constexpr int dz = R - plane;
              if constexpr (S::has(dz, dy)) {
                constexpr int r = S::wide(dz, dy) ? reach : 0;
                float(&s)[2]    = sum[(newest + 2 * planes_of_sums - dz) % planes_of_sums][group];
#pragma unroll
                for (int dx = -r; dx <= r; ++dx) {
                  int const term = S::index(dz, dy, dx);
#pragma unroll
                  for (int e = 0; e < 2; ++e) {
                    float const v = OddPlanes && dz % 2 != 0 ? other[e] : value[reach + dx + e];
                    if (dz == R) {
                      complete[e] = fused(c.value[term], v, s[e]);
                    } else {
                      s[e] = dz == -R ? times(c.value[term], v) : fused(c.value[term], v, s[e]);
                    }
                  }
                }
              }
            });
          });
          result[group] = word_of<T>(complete[0], complete[1]);
        });
        if (done >= 0) {
          // Of the plane that is complete, R before the one that was read.
          store.run(target, odd != (OddPlanes && R % 2 != 0), result);
        }
      }
      if (done >= 0) target += g.out_stride[0];
      odd  = odd != OddPlanes;
      slot = slot + stage * 16 == stage * 16 * Stages ? 0 : slot + stage * 16;
      at += static_cast<std::uint32_t>(stride);
      going = ++done < planes;
    });
  }
}

template <class T, class S, class K>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    volume_joined_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                         T const* __restrict__ in, T* __restrict__ out) {
  static_assert(!S::masked && S::star && sizeof(T) == 2, "all terms of a star are there");
  Cuda::Ptx::GridDependency::signal();
  if (g.out_stride[0] % 2 != 0) {
    volume_joined<true, T, S, K>(c, g, in, out);
  } else {
    volume_joined<false, T, S, K>(c, g, in, out);
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
