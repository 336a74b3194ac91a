// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpModel.hpp"

#include "MmaModel.hpp"

#include <transform/StridedSwap.hpp>

#include <algorithm>
#include <stdexcept>

namespace KokkosStencil {
namespace Transform {
namespace Model {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Fragment<4> load_b(ChunkKey const& chunk, Field const& in, int z, int y, int x0) {
  Fragment<4> b{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    int const x             = x0 + block_outputs * (lane / 4) - window_lead + chunk.shift + lane_vector(lane % 4);
    std::size_t const first = in.index(z + chunk.dz, y + chunk.dy, x);
    if (first % vector_elements != 0) throw std::invalid_argument("a lane's vector is not aligned");
    for (std::size_t e = 0; e < vector_elements; ++e) {
      b[at(lane)][e / 2] |= std::uint32_t{in.storage.at(first + e)} << (16 * (e % 2));
    }
  }
  return b;
}

Fragment<4> load_a(Pack const& pack, int split, int chunk, int step) {
  Fragment<4> a{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    std::size_t const first = pack.index(split, chunk, step, lane);
    for (std::size_t r = 0; r < 4; ++r) a[at(lane)][r] = pack.a.at(first + r);
  }
  return a;
}

Accumulators product(Pack const& pack, int split, int chunk, Fragment<4> const& b, Accumulators c, int selector) {
  if (pack.sparse) {
    return mma_sp_m16n8k32(pack.element, load_a(pack, split, chunk, 0), b, c, pack.metadata, selector);
  }
  for (int step = 0; step < 2; ++step) {
    Fragment<2> half{};
    for (int lane = 0; lane < warp_lanes; ++lane) {
      half[at(lane)] = {{b[at(lane)][at(2 * step)], b[at(lane)][at(2 * step + 1)]}};
    }
    c = mma_m16n8k16(pack.element, load_a(pack, split, chunk, step), half, c);
  }
  return c;
}

WarpResult store(Pack const& pack, Accumulators const& sums) {
  WarpResult result{};
  LaneWords packed[2] = {};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (int i = 0; i < 4; ++i) {
      float const value                                                = sums[at(lane)][at(i)];
      int const row                                                    = lane / 4 + (i < 2 ? 0 : 8);
      int const block                                                  = 2 * (lane % 4) + i % 2;
      result.sums[at(block_outputs * block + output_order()[at(row)])] = value;
      packed[i / 2][at(lane)] |= std::uint32_t{to_bits(static_cast<double>(value), pack.element)} << (16 * (i % 2));
    }
  }
  for (int half = 0; half < 2; ++half) {
    LaneWords const moved = movmatrix(packed[half]);
    for (int lane = 0; lane < warp_lanes; ++lane) {
      result.bits[at(4 * lane + 2 * half)]     = static_cast<std::uint16_t>(moved[at(lane)] & 0xffffu);
      result.bits[at(4 * lane + 2 * half + 1)] = static_cast<std::uint16_t>(moved[at(lane)] >> 16);
    }
  }
  return result;
}

}  // namespace

Field::Field(int z, int y, int x, int pitch_in, int start_in)
    : nz(z), ny(y), nx(x), pitch(pitch_in), start(start_in), storage(at(z * y * pitch_in + start_in)) {}

std::size_t Field::index(int z, int y, int x) const {
  if (z < 0 || z >= nz || y < 0 || y >= ny) throw std::invalid_argument("row outside the field");
  return at(start + (z * ny + y) * pitch + x);
}

WarpResult run_warp(Pack const& pack, Field const& in, int z, int y, int x0, int selector) {
  Accumulators sums{};
  for (std::size_t p = 0; p < pack.chunks.size(); ++p) {
    Fragment<4> const b = load_b(pack.chunks[p], in, z, y, x0);
    for (int split = 0; split < pack.splits; ++split) {
      sums = product(pack, split, static_cast<int>(p), b, sums, selector);
    }
  }
  return store(pack, sums);
}

}  // namespace Model
}  // namespace Transform
}  // namespace KokkosStencil
