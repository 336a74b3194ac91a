// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Candidate.hpp"

#include <Kokkos_Core.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

// The ladders of hand optimization as textbooks climb them, for float: a value a load, one output or a few a thread.

namespace perf {

namespace {

/// A star of radius R in a plane, or in space if Rz is not 0.
template <int Rz, int R>
struct Star {
  static constexpr int rz = Rz, r = R, count = 2 * (Rz + 2 * R) + 1;
  KOKKOS_FUNCTION static constexpr bool has(int dz, int dy) { return dz == 0 || dy == 0; }
  KOKKOS_FUNCTION static constexpr bool wide(int dz, int dy) { return dz == 0 && dy == 0; }
  /// Place of a term in the order of its offsets.
  KOKKOS_FUNCTION static constexpr int index(int dz, int dy, int dx) {
    if (dz != 0) return dz < 0 ? dz + Rz : Rz + 4 * R + dz;
    if (dy != 0) return Rz + (dy < 0 ? dy + R : 3 * R + dy);
    return Rz + R + dx + R;
  }
};

template <class S>
struct Weights {
  float value[S::count];
};

/// Points that are written, of fields with these strides of planes and rows.
struct Grid {
  std::int64_t plane, row, begin[3], end[3];
  int tiles_x, tiles_y, length;  ///< planes a block, for kernels that go along z
};

/// The sum of the terms in order; value(dz, dy, dx) with constants.
template <class S, class Value>
__device__ __forceinline__ float sum(Weights<S> const& w, Value const& value) {
  float acc = 0.0f;
#pragma unroll
  for (int dz = -S::rz; dz <= S::rz; ++dz) {
#pragma unroll
    for (int dy = -S::r; dy <= S::r; ++dy) {
      if (!S::has(dz, dy)) continue;
#pragma unroll
      for (int dx = -S::r; dx <= S::r; ++dx) {
        if (dx == 0 || S::wide(dz, dy)) acc = fmaf(w.value[S::index(dz, dy, dx)], value(dz, dy, dx), acc);
      }
    }
  }
  return acc;
}

/// Where a block's first output lies; a tile of Wx x Wy x Wz outputs. Rows begin at a cache line.
template <int Wx, int Wy, int Wz>
struct Tile {
  std::int64_t x, y, z;
  __device__ explicit Tile(Grid const& g) {
    unsigned const yz = blockIdx.x / unsigned(g.tiles_x);
    x                 = std::int64_t(blockIdx.x % unsigned(g.tiles_x)) * Wx;
    y                 = g.begin[1] + std::int64_t(yz % unsigned(g.tiles_y)) * Wy;
    z                 = g.begin[0] + std::int64_t(yz / unsigned(g.tiles_y)) * Wz;
  }
};

__device__ __forceinline__ bool wanted(Grid const& g, std::int64_t z, std::int64_t y, std::int64_t x) {
  return x >= g.begin[2] && x < g.end[2] && y < g.end[1] && z < g.end[0];
}

/// Whether an input of the outputs at hand may be there to be read.
template <class S>
__device__ __forceinline__ bool readable(Grid const& g, std::int64_t z, std::int64_t y, std::int64_t x) {
  return x >= g.begin[2] - S::r && x < g.end[2] + S::r && y < g.end[1] + S::r && z < g.end[0] + S::rz;
}

/// One output a thread, or `Factor` of a column, one below the other, whose common inputs stay in registers; every
/// value from global memory.
template <class S, int Wx, int Wy, int Wz, int Factor>
__global__ void __launch_bounds__(Wx* Wy* Wz)
    direct(Weights<S> const w, Grid const g, float const* __restrict__ in, float* __restrict__ out) {
  Tile<Wx, Wy * Factor, Wz> const tile(g);
  std::int64_t const x = tile.x + threadIdx.x, z = tile.z + threadIdx.z;
#pragma unroll
  for (int i = 0; i < Factor; ++i) {
    std::int64_t const y = tile.y + threadIdx.y * Factor + i;
    if (!wanted(g, z, y, x)) return;
    float const* const at = in + z * g.plane + y * g.row + x;
    out[z * g.plane + y * g.row + x] =
        sum<S>(w, [&](int dz, int dy, int dx) { return at[dz * g.plane + dy * g.row + dx]; });
  }
}

/// A tile and what surrounds it in shared memory, a thread for `Factor` of its values, one below the other; threads at
/// its rim only load.
template <class S, int Wx, int Wy, int Wz, int Factor>
__global__ void __launch_bounds__((Wx + 2 * S::r) * ((Wy + 2 * S::r + Factor - 1) / Factor) * (Wz + 2 * S::rz))
    tiled(Weights<S> const w, Grid const g, float const* __restrict__ in, float* __restrict__ out) {
  constexpr int rows = (Wy + 2 * S::r + Factor - 1) / Factor;  // of threads
  __shared__ float values[Wz + 2 * S::rz][rows * Factor][Wx + 2 * S::r];
  Tile<Wx, Wy, Wz> const tile(g);
  int const i = threadIdx.x, k = threadIdx.z;
  std::int64_t const x = tile.x + i - S::r, z = tile.z + k - S::rz;
#pragma unroll
  for (int n = 0; n < Factor; ++n) {
    int const j          = threadIdx.y * Factor + n;
    std::int64_t const y = tile.y + j - S::r;
    if (readable<S>(g, z, y, x)) values[k][j][i] = in[z * g.plane + y * g.row + x];
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < Factor; ++n) {
    int const j          = threadIdx.y * Factor + n;
    std::int64_t const y = tile.y + j - S::r;
    bool const inner     = i >= S::r && i < Wx + S::r && j >= S::r && j < Wy + S::r && k >= S::rz && k < Wz + S::rz;
    if (inner && wanted(g, z, y, x)) {
      out[z * g.plane + y * g.row + x] =
          sum<S>(w, [&](int dz, int dy, int dx) { return values[k + dz][j + dy][i + dx]; });
    }
  }
}

/// 2.5-D: a block goes along z with 2 rz + 1 planes of its tile in shared memory; if Registers, with one, and each
/// thread keeps its own column's values.
template <class S, int Wx, int Wy, bool Registers>
__global__ void __launch_bounds__((Wx + 2 * S::r) * (Wy + 2 * S::r))
    sliced(Weights<S> const w, Grid const g, float const* __restrict__ in, float* __restrict__ out) {
  constexpr int R = S::rz, kept = 2 * R + 1;
  __shared__ float values[Registers ? 1 : kept][Wy + 2 * S::r][Wx + 2 * S::r];
  unsigned const yz = blockIdx.x / unsigned(g.tiles_x);
  Tile<Wx, Wy, 1> const tile(g);
  std::int64_t const z0 = g.begin[0] + std::int64_t(yz / unsigned(g.tiles_y)) * g.length;
  std::int64_t const z1 = z0 + g.length < g.end[0] ? z0 + g.length : g.end[0];
  int const i = threadIdx.x, j = threadIdx.y;
  std::int64_t const x = tile.x + i - S::r, y = tile.y + j - S::r;
  bool const loads   = readable<S>(g, z0, y, x);
  bool const outputs = i >= S::r && i < Wx + S::r && j >= S::r && j < Wy + S::r && wanted(g, z0, y, x);
  auto const load    = [&](std::int64_t z) { return loads ? in[z * g.plane + y * g.row + x] : 0.0f; };
  float column[kept];
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
      out[z * g.plane + y * g.row + x] = sum<S>(w, [&](int dz, int dy, int dx) {
        if (Registers) return dz == 0 ? values[0][j + dy][i + dx] : column[R + dz];
        return values[Registers ? 0 : R + dz][j + dy][i + dx];
      });
    }
    __syncthreads();
  }
}

struct Textbook {
  char const* name;
  int rank, radius;
  void (*launch)(Case const& c, std::vector<float> const& weights, float const* in, float* out, cudaStream_t stream);
};

int divide_up(std::int64_t n, int d) { return static_cast<int>((n + d - 1) / d); }

/// A kernel K with tiles of Wx x Wy x Wz outputs and Tx x Ty x Tz threads; a tile is `length` planes deep if it goes
/// along z.
template <class S, auto K, int Wx, int Wy, int Wz, int Tx, int Ty, int Tz, int Length = 0>
void launch(Case const& c, std::vector<float> const& weights, float const* in, float* out, cudaStream_t stream) {
  bool const space = S::rz > 0;
  Grid g{};
  std::int64_t const nz = space ? c.extents[0] : 1, ny = c.extents[space ? 1 : 0], nx = c.extents[space ? 2 : 1];
  g.row      = nx;
  g.plane    = ny * nx;
  g.begin[0] = S::rz;
  g.begin[1] = g.begin[2] = S::r;
  g.end[0]                = nz - S::rz;
  g.end[1]                = ny - S::r;
  g.end[2]                = nx - S::r;
  g.tiles_x               = divide_up(g.end[2], Wx);
  g.tiles_y               = divide_up(g.end[1] - g.begin[1], Wy);
  g.length                = Length;
  int const tiles_z       = divide_up(g.end[0] - g.begin[0], Length > 0 ? Length : Wz);
  Weights<S> w{};
  std::copy_n(weights.begin(), S::count, w.value);
  K<<<static_cast<unsigned>(g.tiles_x * g.tiles_y * tiles_z), dim3(Tx, Ty, Tz), 0, stream>>>(w, g, in, out);
}

template <int R>
using Plane = Star<0, R>;
using Space = Star<1, 1>;

Textbook const textbooks[] = {
    {"naive", 2, 1, launch<Plane<1>, direct<Plane<1>, 16, 16, 1, 1>, 16, 16, 1, 16, 16, 1>},
    {"naive", 2, 2, launch<Plane<2>, direct<Plane<2>, 16, 16, 1, 1>, 16, 16, 1, 16, 16, 1>},
    {"naive", 3, 1, launch<Space, direct<Space, 8, 8, 8, 1>, 8, 8, 8, 8, 8, 8>},
    {"tiled", 2, 1, launch<Plane<1>, tiled<Plane<1>, 16, 16, 1, 1>, 16, 16, 1, 18, 18, 1>},
    {"tiled", 2, 2, launch<Plane<2>, tiled<Plane<2>, 16, 16, 1, 1>, 16, 16, 1, 20, 20, 1>},
    {"tiled", 3, 1, launch<Space, tiled<Space, 8, 8, 8, 1>, 8, 8, 8, 10, 10, 10>},
    {"coarsened", 2, 1, launch<Plane<1>, direct<Plane<1>, 32, 8, 1, 4>, 32, 32, 1, 32, 8, 1>},
    {"coarsened", 2, 2, launch<Plane<2>, direct<Plane<2>, 32, 8, 1, 4>, 32, 32, 1, 32, 8, 1>},
    {"hybrid", 2, 1, launch<Plane<1>, tiled<Plane<1>, 32, 32, 1, 4>, 32, 32, 1, 34, 9, 1>},
    {"hybrid", 2, 2, launch<Plane<2>, tiled<Plane<2>, 32, 32, 1, 4>, 32, 32, 1, 36, 9, 1>},
    {"sliced", 3, 1, launch<Space, sliced<Space, 30, 30, false>, 30, 30, 1, 32, 32, 1, 64>},
    {"register", 3, 1, launch<Space, sliced<Space, 30, 30, true>, 30, 30, 1, 32, 32, 1, 64>},
};

bool is_for(Textbook const& t, Case const& c) {
  return c.kernel.family == Family::star && c.kernel.rank == t.rank && c.kernel.radius() == t.radius;
}

class TextbookCandidate : public Candidate {
 public:
  TextbookCandidate(Case const& c, Fields fields, Textbook const& t) : m_case(c), m_fields(fields), m_textbook(t) {
    std::vector<Term> terms = c.kernel.terms;
    std::sort(terms.begin(), terms.end(), [](Term const& a, Term const& b) { return a.offset < b.offset; });
    for (Term const& term : terms) m_weights.push_back(static_cast<float>(term.coefficient));
  }

  void* run() override {
    auto* const out = static_cast<float*>(m_fields.v);
    m_textbook.launch(m_case, m_weights, static_cast<float const*>(m_fields.u), out, Device().cuda_stream());
    if (cudaError_t const error = cudaGetLastError(); error != cudaSuccess) {
      throw std::runtime_error(std::string("a textbook's kernel: ") + cudaGetErrorString(error));
    }
    return out;
  }
  std::string label() const override { return std::string("textbook ") + m_textbook.name; }

 private:
  Case m_case;
  Fields m_fields;
  Textbook const& m_textbook;
  std::vector<float> m_weights;
};

}  // namespace

std::vector<std::string> textbooks_of(Case const& c) {
  std::vector<std::string> names;
  if (!c.textbooks || c.type != Type::single || c.steps != 1 || c.faces != Faces::halo || !c.contiguous()) return names;
  for (Textbook const& t : textbooks) {
    if (is_for(t, c)) names.push_back(std::string("textbook_") + t.name);
  }
  return names;
}

std::unique_ptr<Candidate> make_textbook(Case const& c, Fields fields, std::string const& name) {
  for (Textbook const& t : textbooks) {
    if (is_for(t, c) && name == std::string("textbook_") + t.name) {
      return std::make_unique<TextbookCandidate>(c, fields, t);
    }
  }
  throw Unavailable("no kernel \"" + name + "\" for this stencil");
}

}  // namespace perf
