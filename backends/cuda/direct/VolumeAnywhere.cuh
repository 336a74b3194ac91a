// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "StreamAnywhere.cuh"

#include <type_traits>

// Volumes whose rows begin anywhere, for small reaches. As stream_planes_anywhere_kernel, but a lane's columns lie in
// groups of 32 values of 4 or 8 bytes, so that a warp reads and stores adjacent values whatever the phase. Groups past
// the end of a row are left out, and sums stay in their registers from plane to plane.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// A row of the ring.
template <class T, class S, class K>
struct GroupedRow {
  static constexpr int size    = int(sizeof(T));
  static constexpr int group   = K::tuning.group_columns(size);
  static constexpr int left    = K::tuning.anywhere_left(size);
  static constexpr int columns = K::tuning.anywhere_width(size), warp_columns = K::tuning.anywhere_columns(size);
  static constexpr int more    = K::tuning.takes_more ? more_columns : 0;  ///< of the last tile of a row
  static constexpr int vectors = K::tuning.anywhere_row_vectors(size);
  static constexpr int bytes   = 16 * vectors;
  static constexpr int stage   = K::tuning.stage_rows() * vectors;

  static __device__ __forceinline__ std::uintptr_t sector(std::uintptr_t address) {
    return address & ~std::uintptr_t(sector_bytes - 1);
  }
  static __device__ __forceinline__ std::uint32_t phase(std::uint32_t address) {
    return address & std::uint32_t(sector_bytes - 1);
  }
  /// Vectors from the sector of the row's first copied column on, for columns of a tile that begins at x0.
  static __device__ __forceinline__ int wanted(std::int64_t x0, std::int64_t end) {
    int const wide = end - x0 <= columns + more ? int(end - x0) : columns;
    return (sector_bytes - size + (wide + 2 * left) * size + 15) / 16;
  }
};

/// What a lane reads of a row in a group: its point, and Reach on each side of it. `at`: its point's address in shared
/// memory.
template <class T, int Reach, int Group, int N>
__device__ __forceinline__ void read_group(Accumulator<T> (&value)[N], std::uint32_t at) {
  constexpr int size = int(sizeof(T));
  unrolled<N>([&](auto i) {
    constexpr int offset = size * (32 * Group + i - Reach);
    if constexpr (size == 4) {
      value[i] = __uint_as_float(Ptx::LoadSharedWord<offset>::run(at));
    } else {
      uint2 const v = Ptx::LoadSharedPair::run(at + static_cast<std::uint32_t>(offset));
      value[i]      = __hiloint2double(int(v.y), int(v.x));
    }
  });
}

template <class T, class S, class K>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    volume_anywhere_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                           T const* __restrict__ in, T* __restrict__ out) {
  static_assert(!S::masked && sizeof(T) > 2, "all terms are there");
  Cuda::Ptx::GridDependency::signal();
  using L         = GroupedRow<T, S, K>;
  using A         = Accumulator<T>;
  constexpr int H = K::tuning.rows_a_lane, G = K::tuning.groups_a_lane;
  constexpr int Stages = K::tuning.ring_stages, threads = K::tuning.threads(), height = K::tuning.height();
  constexpr int R = S::rz, planes_of_sums = 2 * R + 1, each = (L::stage + threads - 1) / threads;
  extern __shared__ uint4 ring[];

  int const t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  int const warp_x = warp % K::tuning.warps_across, warp_y = warp / K::tuning.warps_across;
  Tile const tile       = tile_of(g, blockIdx.x);
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
    place[i] = n < L::stage && n % L::vectors < vectors && y <= last_row ? (y << 16) | (n % L::vectors) : -1;
  }
  Within const within(in, g);
  std::int64_t const pitch = g.in_stride[1] * L::size, a_plane = g.in_stride[0] * L::size;
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
      fill = fill + L::stage == L::stage * Stages ? 0 : fill + L::stage;
    }
    __pipeline_commit();
  };
#pragma unroll 1
  for (int s = 0; s < Stages - 1; ++s) copy();

  int const column     = warp_x * L::warp_columns;
  std::int64_t const x = x0 + column + lane, y = y0 + warp_y * H, wide = g.end[2] - (x0 + column);
  T* target = out + (z0 - 2 * R) * g.out_stride[0] + y * g.out_stride[1] + x;
  GroupStore<T, G> const store(x, g.begin[2], g.end[2]);
  // Groups and rows of this warp in which anything is wanted.
  int const groups = y >= g.end[1] || wide <= 0 ? 0 : wide >= L::warp_columns ? G : int((wide - 1) / L::group) + 1;
  int const rows   = g.end[1] - y < H ? int(g.end[1] - y) : H;
  auto const step  = static_cast<std::uint32_t>(pitch);
  // Where the first copied column of the warp's first row lies, for its phase.
  std::uint32_t at         = static_cast<std::uint32_t>(first) + warp_y * H * step;
  std::uint32_t const mine = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring)) + warp_y * H * L::bytes +
                             (L::left + column + lane) * L::size;
  std::uint32_t slot = 0;
  bool const makes   = reaches_past<S::rx>(g, x0, x0 + L::columns + L::more);
  // The plane of outputs that input plane n is the first to reach is in sum[n % planes_of_sums].
  A sum[planes_of_sums][H][G] = {};
  // A few columns past the last tile of a row: a point a thread, as far as there are.
  static_assert(L::more * height <= threads, "a thread has one of these points");
  int const more_x = t % more_columns, more_y = t / more_columns;
  bool const has_more = L::more > 0 && more_y < height && y0 + more_y < g.end[1] &&
                        g.end[2] - x0 <= L::columns + L::more && x0 + L::columns + more_x < g.end[2];
  std::uint32_t const more_at   = static_cast<std::uint32_t>(first) + more_y * step;
  std::uint32_t const more_mine = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring)) + more_y * L::bytes +
                                  (L::left + L::columns + more_x) * L::size;
  T* const more_target       = out + (y0 + more_y) * g.out_stride[1] + x0 + L::columns + more_x;
  A more_sum[planes_of_sums] = {};

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
        constexpr int middle = S::star ? S::ry : 0, rows = height + 2 * (S::ry - middle);
        auto const row = [&](int j) {
          std::uint32_t const phase = L::phase(at + (middle + j - warp_y * H) * step);
          return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(ring) + slot + (middle + j) * L::bytes + phase) +
                 L::left;
        };
        make_columns<T, S::rx, threads, rows>(g, x0, L::left, L::columns + L::more + L::left, 0, rows, row);
        __syncthreads();
      }
      // Adds a row of inputs to a group.
      auto const add = [&](auto index, auto group) {
        constexpr int j     = index;
        constexpr int reach = !S::star || (j >= S::ry && j < S::ry + H) ? S::rx : 0;
        A value[1 + 2 * reach];
        read_group<T, reach, group>(value, mine + slot + j * L::bytes + L::phase(at + j * step));
#pragma unroll
        for (int i = 0; i < planes_of_sums; ++i) {
#pragma unroll
          for (int k = 0; k < H; ++k) {
            int const dz = i - R, dy = j - S::ry - k;
            if (dy < -S::ry || dy > S::ry || !S::has(dz, dy)) continue;
#pragma unroll
            for (int dx = -reach; dx <= reach; ++dx) {
              if (dx != 0 && !S::wide(dz, dy)) continue;
              constexpr int zero = S::index(-R, S::star ? 0 : -S::ry, S::star ? 0 : -S::rx);
              int const term     = S::index(dz, dy, dx);
              A& s               = sum[(newest - i + planes_of_sums) % planes_of_sums][k][group];
              s = term == zero ? times(c.value[term], value[reach + dx]) : fused(c.value[term], value[reach + dx], s);
            }
          }
        }
      };
      if (groups == G) {
        unrolled<H + 2 * S::ry>([&](auto index) { unrolled<G>([&](auto group) { add(index, group); }); });
      } else {
        unrolled<G - 1>([&](auto group) {
          if (group < groups) unrolled<H + 2 * S::ry>([&](auto index) { add(index, group); });
        });
      }
      if (done >= 0 && groups > 0) {
#pragma unroll
        for (int k = 0; k < H; ++k) {
          if (k < rows) store.run(target + k * g.out_stride[1], sum[(newest + 1) % planes_of_sums][k]);
        }
      }
      if constexpr (L::more > 0) {
        if (has_more) {
          std::uint32_t const plane =
              more_at + static_cast<std::uint32_t>(done + 2 * R) * static_cast<std::uint32_t>(a_plane);
          unrolled<2 * S::ry + 1>([&](auto index) {
            constexpr int j = index, dy = j - S::ry, reach = !S::star || dy == 0 ? S::rx : 0;
            A value[1 + 2 * reach];
            read_group<T, reach, 0>(value, more_mine + slot + j * L::bytes + L::phase(plane + j * step));
#pragma unroll
            for (int i = 0; i < planes_of_sums; ++i) {
              int const dz = i - R;
              if (!S::has(dz, dy)) continue;
#pragma unroll
              for (int dx = -reach; dx <= reach; ++dx) {
                if (dx != 0 && !S::wide(dz, dy)) continue;
                constexpr int zero = S::index(-R, S::star ? 0 : -S::ry, S::star ? 0 : -S::rx);
                int const term     = S::index(dz, dy, dx);
                A& s               = more_sum[(newest - i + planes_of_sums) % planes_of_sums];
                s = term == zero ? times(c.value[term], value[reach + dx]) : fused(c.value[term], value[reach + dx], s);
              }
            }
          });
          if (done >= 0) {
            more_target[(z0 + done) * g.out_stride[0]] = Value<T>::store(more_sum[(newest + 1) % planes_of_sums]);
          }
        }
      }
      slot = slot + L::stage * 16 == L::stage * 16 * Stages ? 0 : slot + L::stage * 16;
      at += static_cast<std::uint32_t>(a_plane);
      target += g.out_stride[0];
      going = ++done < planes;
    });
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
