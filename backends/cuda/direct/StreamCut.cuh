// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "StreamAnywhere.cuh"
#include "Window.cuh"
#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <type_traits>

// Streaming over a plane that is cut into other rows (RowCuts.hpp), which all begin with a vector. The window of a lane
// is wider by what lies aside, and all else is done as for aligned rows.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// The ring of such rows. Sizes are in vectors.
template <class T, class S, class K, int Cut>
struct CutRing {
  static constexpr int reach   = reach_in_cut(S::star, S::ry, S::rx, row_cuts[Cut]);
  static constexpr int side    = Vec<T>::beside(reach);
  static constexpr int padding = Vec<T>::padding(reach);
  static constexpr int row     = K::tuning.threads() + 2 * padding;
  static constexpr int stage   = K::tuning.rows_a_stage * row;
  static constexpr int ring    = stage * K::tuning.ring_stages;
};

/// Stores a lane's vectors, one in each row. Where the lane comes upon the end of a row of the View, it stores for some
/// rows only the values that are wanted.
template <class T, int Shear>
class CutStore {
  static constexpr int V = Vec<T>::size;

 public:
  /// `at`: the vector's place in the View's line, in the first row of the stream. `wanted`: whether any of it is.
  __device__ __forceinline__ CutStore(Geometry const& g, std::int64_t at, bool wanted) {
    // Counted from the first column that is written, and at most a pitch (or from less than a vector in front of it):
    // what of the vector is past the end of a row is in the row that it drifts to.
    constexpr int before = Shear > 0 ? V - 1 : 0;
    m_column             = wanted ? int((at + g.pitch - g.begin[2] + before) % g.pitch) - before : none;
  }
  /// Values [first, last) of the vector, as far as they are wanted.
  __device__ __forceinline__ void run(Geometry const& g, T* to, Accumulator<T> const (&a)[V], int first = 0,
                                      int last = V) {
    if (unsigned(m_column) <= unsigned(g.wide - V) && first <= 0 && last >= V) {
      *reinterpret_cast<uint4*>(to) = pack<T>(a);
      return;
    }
    // Counted in the row that the vector drifts to.
    int const other = m_column + (Shear > 0 ? g.pitch : -g.pitch);
#pragma unroll
    for (int v = 0; v < V; ++v) {
      bool const wanted = unsigned(m_column + v) < unsigned(g.wide) || unsigned(other + v) < unsigned(g.wide);
      if (wanted && v >= first && v < last) to[v] = Value<T>::store(a[v]);
    }
    if (unsigned(other) <= unsigned(g.wide - V)) m_column = other;
  }
  __device__ __forceinline__ void advance() { m_column -= Shear; }

 private:
  static constexpr int none = -(1 << 30);
  int m_column;
};

/// As stream_rows_kernel, for a plane that is cut into other rows. Rows and columns of the geometry are theirs, but for
/// the columns that are written, which are the View's.
template <class T, class S, class K, int Cut>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    stream_rows_cut_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                           T const* __restrict__ in, T* __restrict__ out) {
  static_assert(S::rz == 0 && !S::masked, "a whole shape in a plane");
  Cuda::Ptx::GridDependency::signal();
  using L             = CutRing<T, S, K, Cut>;
  constexpr int Shear = row_cuts[Cut].shear, Offset = row_cuts[Cut].offset;
  constexpr int B = K::tuning.rows_a_stage, Stages = K::tuning.ring_stages, threads = K::tuning.threads();
  constexpr int V = Vec<T>::size, R = S::ry, left = Vec<T>::words(L::reach), words = int(sizeof(T)) / 4;
  Mask<S, false> mask(c);
  extern __shared__ uint4 ring[];

  int const t           = int(threadIdx.x);
  Tile const tile       = tile_of<false>(g, blockIdx.x);
  std::int64_t const x0 = std::int64_t(tile.x) * (threads * V), x = x0 + t * V;
  std::int64_t const y0 = g.begin[1] + std::int64_t(tile.y) * g.length;
  std::int64_t const y1 = y0 + g.length < g.end[1] ? y0 + g.length : g.end[1];

  // The first threads also copy what lies beside the block's columns; nobody what lies beyond those of a row.
  std::int64_t const pitch = g.in_stride[1];
  int const place          = t < L::side ? t - L::side : threads - L::side + t;
  bool const copies = x < pitch + L::side * V, helps = t < 2 * L::side && x0 + place * V < pitch + L::side * V;
  auto source    = reinterpret_cast<std::uintptr_t>(in + (y0 - R) * pitch + x0);
  int const rows = int(y1 - y0);
  int rows_left = rows + 2 * R, fill = 0;
  Within const within(in, g);
  auto const copy = [&](auto at_ends) {
    constexpr bool careful = decltype(at_ends)::value;
#pragma unroll(careful ? 1 : B)
    for (int b = 0; b < B; ++b) {
      uint4* const to = ring + fill + b * L::row + L::padding;
      within.template copy<T, careful>(to + t, source + 16 * t, copies && b < rows_left);
      within.template copy<T, careful>(to + place, source + 16 * place, helps && b < rows_left);
      source += pitch * sizeof(T);
    }
    rows_left -= B;
    fill = fill + L::stage == L::ring ? 0 : fill + L::stage;
    __pipeline_commit();
  };

  T* target = out + (y0 - 2 * R) * pitch + x;
  CutStore<T, Shear> store(g, y0 * pitch + x - g.before, x < pitch);
  uint4 const* const mine = ring + L::padding + t;
  int slot                = 0;
  PartialSums<T, R, 1> sums;
  auto const add = [&](uint4 const* from) {
    std::uint32_t w[4 + 2 * left];
    read_window<T, L::reach>(w, from, true);
#pragma unroll
    for (int i = 0; i <= 2 * R; ++i) {
      if (S::has(0, R - i))
        add_row<T, S, left>(sums.plane[i][0], w + words * (Shear * (R - i) + Offset), c, mask, 0, R - i);
    }
  };
  auto const clamped = [](std::int64_t n) { return n < 0 ? 0 : n > V ? V : int(n); };
  auto const stream  = [&](auto at_ends) {
#pragma unroll 1
    for (int s = 0; s < Stages - 1; ++s) copy(at_ends);
#pragma unroll 1
    for (int done = -2 * R; done < rows; done += B) {
      __pipeline_wait_prior(Stages - 2);
      __syncthreads();
      copy(at_ends);
      uint4 const* const stage = mine + slot;
      slot                     = slot + L::stage == L::ring ? 0 : slot + L::stage;
      if constexpr (decltype(at_ends)::value) {
#pragma unroll 1
        for (int b = 0; b < B; ++b) {
          add(stage + b * L::row);
          if (unsigned(done + b) < unsigned(rows)) {
            // Of the line's values those in the View's rows that are written.
            std::int64_t const at = (y0 + done + b) * pitch + x - g.before;
            store.run(g, target, sums.plane[0][0], clamped(g.line_begin - at), clamped(g.line_end - at));
            store.advance();
          }
          target += pitch;
          sums.advance();
        }
      } else {
        unrolled<B>([&](auto b) {
          add(stage + b * L::row);
          if (unsigned(done + b) < unsigned(rows)) {
            store.run(g, target, sums.plane[0][0]);
            store.advance();
          }
          target += pitch;
          sums.advance();
        });
      }
    }
  };
  // Blocks with the first and the last values of the View look at each place; those tests would slow all others down if
  // they were in one loop.
  auto const end = source + (rows + 2 * R) * pitch * sizeof(T) + 16 * L::side;
  if (tile.y == 0 || tile.y + 1 == unsigned(g.tiles_y) || end > within.end) {
    stream(std::true_type());
  } else {
    stream(std::false_type());
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
