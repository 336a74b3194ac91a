// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_table/Layout.hpp"

#include "common/Alignment.hpp"
#include "common/CudaModel.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

// What follows from a tile and a kernel: rings of planes, tables, clocks.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

namespace {

int round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

/// At least so many words, such that a row or plane begins 16 of the 32 banks after the one before. Pairs of inputs an
/// odd number of rows or planes apart do not share a bank then.
int half_banks(int words) { return words + ((16 - words) % 32 + 32) % 32; }

/// A ring for the planes from z[0] to z[1] and the rows from y[0] to y[1] around an output. It has room for one more
/// tile of planes, which is copied while the others are used. The number of planes is even, so that banks stay the same
/// when the ring turns.
PlaneRing make_ring(Layout const& l, std::array<int, 2> const& z, std::array<int, 2> const& y) {
  PlaneRing r;
  r.lower       = {{z[0], y[0]}};
  r.upper       = {{z[1], y[1]}};
  r.rows        = l.height + y[1] - y[0];
  r.plane_words = half_banks(r.rows * l.row_words);
  r.planes =
      l.kind == Layout::line ? 2 : round_up(2 * l.tile.z + z[1] - z[0], l.tile.z % 2 == 0 ? l.tile.z : 2 * l.tile.z);
  return r;
}

/// Takes two rings where that needs less memory than one: one for all rows of the planes near the output, and one for
/// all planes, with the rows in which the far planes have terms. A star has few rows in its far planes.
void split_ring(Layout& l, std::vector<Term> const& terms) {
  struct Rows {
    int first = 0, last = 0;  // at least those of the outputs
  };
  int const planes = l.upper[0] - l.lower[0] + 1;
  std::vector<Rows> of_plane(static_cast<std::size_t>(planes));
  for (Term const& t : terms) {
    Rows& r = of_plane[static_cast<std::size_t>(t.offset[0] - l.lower[0])];
    r.first = std::min(r.first, t.offset[1]);
    r.last  = std::max(r.last, t.offset[1]);
  }
  auto const both = [](Rows const& a, Rows const& b) {
    return Rows{std::min(a.first, b.first), std::max(a.last, b.last)};
  };
  std::vector<Rows> below{Rows{}}, above{Rows{}};  // rows of the first 0, 1, 2, ... planes at either end
  for (std::size_t i = 0; i < of_plane.size(); ++i) {
    below.push_back(both(below.back(), of_plane[i]));
    above.push_back(both(above.back(), of_plane[of_plane.size() - 1 - i]));
  }
  PlaneRing const all = l.ring;
  int least           = all.planes * all.plane_words;
  // The planes from `first` to `last` are near.
  for (int first = 0; first < planes; ++first) {
    for (int last = first; last < planes; ++last) {
      Rows const far_rows =
          both(below[static_cast<std::size_t>(first)], above[static_cast<std::size_t>(planes - 1 - last)]);
      PlaneRing const ring      = make_ring(l, {{l.lower[0], l.upper[0]}}, {{far_rows.first, far_rows.last}});
      PlaneRing const near_ring = make_ring(l, {{l.lower[0] + first, l.lower[0] + last}}, {{l.lower[1], l.upper[1]}});
      int const words           = ring.planes * ring.plane_words + 16 + near_ring.planes * near_ring.plane_words;
      if (words >= least) continue;
      least       = words;
      l.ring      = ring;
      l.near_ring = near_ring;
    }
  }
}

/// Threads for each row, such that the loops that copy take the fewest turns.
int choose_row_threads(Layout const& l) {
  int best           = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int threads = 16; threads <= 32 * l.warps; threads *= 2) {
    std::int64_t const turns = divide_up(l.row_vectors, threads) * divide_up(l.ring.rows, 32 * l.warps / threads);
    if (turns >= least) continue;
    least = turns;
    best  = threads;
  }
  return best;
}

/// Clocks of a turn of a warp.
double clocks_of(Layout const& l) {
  KernelTuning const& k = l.tuning();
  ClockTuning c         = clocks[0];
  for (ClockTuning const& each : clocks) {
    if (l.warps * l.blocks_per_sm >= each.resident_warps) c = each;
  }
  // Loads of B by all units. Tiles of 16 columns share banks with those three tiles further on.
  double const loads = (l.tile.x > tile_columns ? 1.5 : 1.0) * 4.0 * products_of_unit * k.units;
  // A step also loads matrices, metadata and offsets.
  double const wavefronts = l.steps * (4.0 * k.blocks * l.splits + k.blocks + 2.0 + loads);
  double const copied     = 16.0 * l.row_vectors * (l.ring.rows + l.near_ring.rows) * l.tile.z / l.warps;
  double const products   = 2.0 * l.steps * k.blocks * k.units * products_of_unit * l.splits;
  double const latency    = k.tables_in_global ? global_table_clocks * l.steps / (l.warps * l.blocks_per_sm) : 0.0;
  return std::max(c.wavefront * wavefronts, latency) + c.copied_byte * copied + c.output * k.warp_outputs() +
         c.second_product * (l.splits - 1) * products;
}

}  // namespace

bool Layout::set_steps(int count, int shared_bytes) {
  KernelTuning const& k = tuning();
  steps                 = count;
  metadata_at           = steps * splits * k.blocks * 512;
  offsets_at            = metadata_at + steps * k.blocks * 128;
  ring.at               = round_up((k.tables_in_global ? 0 : offsets_at + phases * steps * 32) + 8, 128);
  bytes                 = ring.at + ring.planes * ring.plane_words * 4;
  if (near_ring.planes > 0) {
    // The second ring begins so that the banks of a row do not depend on the ring it is in.
    int const apart = near_ring.lower[0] + near_ring.lower[1] - ring.lower[0] - ring.lower[1];
    near_ring.at    = bytes + (apart & 1) * 64;
    bytes           = near_ring.at + near_ring.planes * near_ring.plane_words * 4;
  }
  blocks_per_sm = std::min(k.resident_warps / warps, Cuda::blocks_by_shared_memory(shared_bytes, bytes));
  // Offsets count words in 16 bits.
  if (bytes > shared_bytes || bytes - ring.at > 4 * 65536) return false;
  clocks = clocks_of(*this);
  return true;
}

int Layout::word(std::array<int, 3> const& input, int phase) const {
  bool const in_ring = near_ring.planes == 0 || (input[1] >= ring.lower[1] && input[1] < ring.upper[1] + tile.y);
  PlaneRing const& r = in_ring ? ring : near_ring;
  int const slot     = (phase * tile.z + input[0] - r.lower[0]) % r.planes;
  return (r.at - ring.at) / 4 + slot * r.plane_words + (input[1] - r.lower[1]) * row_words + (input[2] + left) / 2;
}

bool lay_out(Layout& l, std::vector<Term> const& terms, int shared_bytes) {
  int const units = l.warps * l.tuning().units;
  l.units_across  = l.kind == Layout::space ? 1 : units;
  l.width         = l.units_across * unit_tiles * l.tile.x;
  l.height        = units / l.units_across * l.tile.y;
  l.left          = round_up(-l.lower[2], 8);
  l.row_vectors   = (l.width + l.left + round_up(l.upper[2], 8)) / 8;
  l.row_words     = half_banks(4 * l.row_vectors);
  l.ring          = make_ring(l, {{l.lower[0], l.upper[0]}}, {{l.lower[1], l.upper[1]}});
  if (l.tuning().tables_in_global) split_ring(l, terms);
  l.row_threads = choose_row_threads(l);
  l.phases      = (l.near_ring.planes > 0 ? std::lcm(l.ring.planes, l.near_ring.planes) : l.ring.planes) / l.tile.z;
  return l.set_steps(l.steps, shared_bytes);
}

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
