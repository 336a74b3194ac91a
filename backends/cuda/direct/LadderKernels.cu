// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShapeKernels.cuh"

// The ladders of hand optimization, as textbooks climb them, to compare with: a value a load, one output or a few
// a thread. Chosen only by name.

namespace KokkosStencil {
namespace CudaDirect {

namespace {

using T = float;

/// The sum of a shape's terms in canonical order; value(dz, dy, dx) with constants.
template <class S, class Value>
__device__ __forceinline__ T sum(Table<T, S> const& c, Value const& value) {
  T acc = -T(0);
#pragma unroll
  for (int dz = -S::rz; dz <= S::rz; ++dz) {
#pragma unroll
    for (int dy = -S::ry; dy <= S::ry; ++dy) {
      if (!S::has(dz, dy)) continue;
#pragma unroll
      for (int dx = -S::rx; dx <= S::rx; ++dx) {
        if (dx == 0 || S::wide(dz, dy)) acc = fused(c.value[S::index(dz, dy, dx)], value(dz, dy, dx), acc);
      }
    }
  }
  return acc;
}

/// Where a block's first output lies; a tile of Wx x Wy x Wz outputs.
template <int Wx, int Wy, int Wz>
struct Tile {
  std::int64_t x, y, z;
  __device__ explicit Tile(Geometry const& g) {
    unsigned const yz = blockIdx.x / unsigned(g.tiles_x);
    x                 = g.first_vector + std::int64_t(blockIdx.x % unsigned(g.tiles_x)) * Wx;
    y                 = g.begin[1] + std::int64_t(yz % unsigned(g.tiles_y)) * Wy;
    z                 = g.begin[0] + std::int64_t(yz / unsigned(g.tiles_y)) * Wz;
  }
};

__device__ __forceinline__ bool wanted(Geometry const& g, std::int64_t z, std::int64_t y, std::int64_t x) {
  return x >= g.begin[2] && x < g.end[2] && y < g.end[1] && z < g.end[0];
}

/// Whether an input of the outputs at hand may be there to be read.
template <class S>
__device__ __forceinline__ bool readable(Geometry const& g, std::int64_t z, std::int64_t y, std::int64_t x) {
  return x >= g.begin[2] - S::rx && x < g.end[2] + S::rx && y < g.end[1] + S::ry && z < g.end[0] + S::rz;
}

/// One output a thread, or `Factor` of a column, one below the other, whose common inputs stay in registers; every
/// value from global memory.
template <class S, int Wx, int Wy, int Wz, int Factor>
__global__ void __launch_bounds__(Wx* Wy* Wz)
    direct(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g, T const* __restrict__ in,
           T* __restrict__ out) {
  Tile<Wx, Wy * Factor, Wz> const tile(g);
  std::int64_t const x = tile.x + threadIdx.x, z = tile.z + threadIdx.z;
#pragma unroll
  for (int i = 0; i < Factor; ++i) {
    std::int64_t const y = tile.y + threadIdx.y * Factor + i;
    if (!wanted(g, z, y, x)) return;
    T const* const at = in + z * g.in_stride[0] + y * g.in_stride[1] + x;
    out[z * g.out_stride[0] + y * g.out_stride[1] + x] =
        sum<S>(c, [&](int dz, int dy, int dx) { return at[dz * g.in_stride[0] + dy * g.in_stride[1] + dx]; });
  }
}

/// A tile and what surrounds it in shared memory, a thread for `Factor` of its values, one below the other; threads at
/// its rim only load.
template <class S, int Wx, int Wy, int Wz, int Factor>
__global__ void __launch_bounds__((Wx + 2 * S::rx) * ((Wy + 2 * S::ry + Factor - 1) / Factor) * (Wz + 2 * S::rz))
    tiled(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g, T const* __restrict__ in,
          T* __restrict__ out) {
  constexpr int rows = (Wy + 2 * S::ry + Factor - 1) / Factor;  // of threads
  __shared__ T values[Wz + 2 * S::rz][rows * Factor][Wx + 2 * S::rx];
  Tile<Wx, Wy, Wz> const tile(g);
  int const i = threadIdx.x, k = threadIdx.z;
  std::int64_t const x = tile.x + i - S::rx, z = tile.z + k - S::rz;
#pragma unroll
  for (int n = 0; n < Factor; ++n) {
    int const j          = threadIdx.y * Factor + n;
    std::int64_t const y = tile.y + j - S::ry;
    if (readable<S>(g, z, y, x)) values[k][j][i] = in[z * g.in_stride[0] + y * g.in_stride[1] + x];
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < Factor; ++n) {
    int const j          = threadIdx.y * Factor + n;
    std::int64_t const y = tile.y + j - S::ry;
    bool const inner     = i >= S::rx && i < Wx + S::rx && j >= S::ry && j < Wy + S::ry && k >= S::rz && k < Wz + S::rz;
    if (inner && wanted(g, z, y, x)) {
      out[z * g.out_stride[0] + y * g.out_stride[1] + x] =
          sum<S>(c, [&](int dz, int dy, int dx) { return values[k + dz][j + dy][i + dx]; });
    }
  }
}

/// 2.5-D: a block marches along z with 2 rz + 1 planes of its tile in shared memory; if Registers, with one, and each
/// thread keeps its own column's values.
template <class S, int Wx, int Wy, bool Registers>
__global__ void __launch_bounds__((Wx + 2 * S::rx) * (Wy + 2 * S::ry))
    sliced(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g, T const* __restrict__ in,
           T* __restrict__ out) {
  static_assert(S::star || !Registers, "only a star reads nothing but its own column in other planes");
  constexpr int R = S::rz, kept = 2 * R + 1;
  __shared__ T values[Registers ? 1 : kept][Wy + 2 * S::ry][Wx + 2 * S::rx];
  unsigned const yz = blockIdx.x / unsigned(g.tiles_x);
  Tile<Wx, Wy, 1> const tile(g);
  std::int64_t const z0 = g.begin[0] + std::int64_t(yz / unsigned(g.tiles_y)) * g.march;
  std::int64_t const z1 = z0 + g.march < g.end[0] ? z0 + g.march : g.end[0];
  int const i = threadIdx.x, j = threadIdx.y;
  std::int64_t const x = tile.x + i - S::rx, y = tile.y + j - S::ry;
  bool const loads   = readable<S>(g, z0, y, x);
  bool const outputs = i >= S::rx && i < Wx + S::rx && j >= S::ry && j < Wy + S::ry && wanted(g, z0, y, x);
  auto const load    = [&](std::int64_t z) { return loads ? in[z * g.in_stride[0] + y * g.in_stride[1] + x] : T(0); };
  T column[kept];
#pragma unroll
  for (int n = 1; n < kept; ++n) column[n] = load(z0 - R + n - 1);
  if (!Registers) {
#pragma unroll
    for (int n = 1; n < kept; ++n) values[n][j][i] = column[n];
  }
  for (std::int64_t z = z0; z < z1; ++z) {
    // Each thread moves its own values, and nobody else reads them before the barrier.
    if (Registers) {
#pragma unroll
      for (int n = 0; n + 1 < kept; ++n) column[n] = column[n + 1];
      column[kept - 1] = load(z + R);
      values[0][j][i]  = column[R];
    } else {
#pragma unroll
      for (int n = 0; n + 1 < kept; ++n) values[n][j][i] = values[n + 1][j][i];
      values[kept - 1][j][i] = load(z + R);
    }
    __syncthreads();
    if (outputs) {
      out[z * g.out_stride[0] + y * g.out_stride[1] + x] = sum<S>(c, [&](int dz, int dy, int dx) {
        if (Registers) return dz == 0 ? values[0][j + dy][i + dx] : column[R + dz];
        return values[Registers ? 0 : R + dz][j + dy][i + dx];
      });
    }
    __syncthreads();
  }
}

/// width, height, depth: outputs a tile; tx, ty, tz: threads.
template <class S, auto K, int Width, int Height, int Depth, int Tx, int Ty, int Tz>
Rung rung(char const* name, int length = 0) {
  return {name,
          {S::star, S::masked, S::rz, S::ry, S::rx, length > 0 ? March::planes : March::none, Width, Height, Depth, 1,
           1, length, 1, [] { return cudaSuccess; }, S::index,
           [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
             Cuda::launch_kernel(K, blocks, dim3(Tx, Ty, Tz), 0, stream, coefficients<T, S>(c), g,
                                 static_cast<T const*>(in), static_cast<T*>(out));
           }}};
}

}  // namespace

template <int R>
using Plane = Star2<R>;
using Space = Star3<1>;

Rung const* rungs() {
  static Rung const all[] = {rung<Plane<1>, direct<Plane<1>, 16, 16, 1, 1>, 16, 16, 1, 16, 16, 1>("naive"),
                             rung<Plane<2>, direct<Plane<2>, 16, 16, 1, 1>, 16, 16, 1, 16, 16, 1>("naive"),
                             rung<Space, direct<Space, 8, 8, 8, 1>, 8, 8, 8, 8, 8, 8>("naive"),
                             rung<Plane<1>, tiled<Plane<1>, 16, 16, 1, 1>, 16, 16, 1, 18, 18, 1>("tiled"),
                             rung<Plane<2>, tiled<Plane<2>, 16, 16, 1, 1>, 16, 16, 1, 20, 20, 1>("tiled"),
                             rung<Space, tiled<Space, 8, 8, 8, 1>, 8, 8, 8, 10, 10, 10>("tiled"),
                             rung<Plane<1>, direct<Plane<1>, 32, 8, 1, 4>, 32, 32, 1, 32, 8, 1>("coarsened"),
                             rung<Plane<2>, direct<Plane<2>, 32, 8, 1, 4>, 32, 32, 1, 32, 8, 1>("coarsened"),
                             rung<Plane<1>, tiled<Plane<1>, 32, 32, 1, 4>, 32, 32, 1, 34, 9, 1>("hybrid"),
                             rung<Plane<2>, tiled<Plane<2>, 32, 32, 1, 4>, 32, 32, 1, 36, 9, 1>("hybrid"),
                             rung<Space, sliced<Space, 30, 30, false>, 30, 30, 1, 32, 32, 1>("sliced", 64),
                             rung<Space, sliced<Space, 30, 30, true>, 30, 30, 1, 32, 32, 1>("register", 64),
                             {}};
  return all;
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
