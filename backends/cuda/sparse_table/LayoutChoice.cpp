// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_table/Layout.hpp"

#include "common/Alignment.hpp"
#include "common/TensorPlan.hpp"

#include <transform/Pack.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

// The cheapest layout for a problem, by counted clocks.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

namespace {

Layout::Kind kind_of(Problem const& p) {
  return p.extent[0] > 1 ? Layout::space : p.extent[1] > 1 ? Layout::plane : Layout::line;
}

/// What a block costs in addition to its planes, in planes.
std::int64_t start_planes(Layout const& l) { return (l.upper[0] - l.lower[0]) / 2 + l.tile.z; }

/// A lower bound on the turns of any cut: as if all multiprocessors ended at the same time.
double least_turns(Layout const& l, Problem const& p, int multiprocessors) {
  double n[3];
  for (std::size_t a = 0; a < 3; ++a) n[a] = static_cast<double>(p.end[a] - p.begin[a]);
  auto const start = static_cast<double>(start_planes(l));
  double const all = l.kind == Layout::space   ? (n[0] + start) * n[1] * n[2]
                     : l.kind == Layout::plane ? (n[1] + start) * n[0] * n[2]
                                               : n[2];
  return 0.999 * all * l.warps / (static_cast<double>(l.width) * l.height * l.tile.z * multiprocessors);
}

std::vector<Transform::Tile> tiles_of(Layout::Kind kind) {
  if (kind == Layout::line) return {{1, 1, line_tile_columns}};
  std::vector<Transform::Tile> tiles;
  for (int const rows : tile_rows) {
    for (int z = 1; z <= rows; z *= 2) {
      if (kind == Layout::space || z == rows) tiles.push_back({z, rows / z, tile_columns});
    }
  }
  return tiles;
}

/// The cheapest layout with tables in shared memory, or with tables in global memory, if every pair of columns finds
/// another pair to share a group with. Terms are on the kernel's axes.
Layout cheapest(Problem const& p, Layout const& base, std::vector<Term> const& terms, Transform::PairRows const& pairs,
                bool tables_in_global, int multiprocessors, int shared_bytes) {
  Layout best;
  double least = std::numeric_limits<double>::max();
  for (Transform::Tile const& tile : tiles_of(base.kind)) {
    int steps = 0;
    for (std::size_t k = 0; k < std::size(kernels); ++k) {
      if (kernels[k].tables_in_global != tables_in_global || kernels[k].columns != tile.x ||
          kernels[k].blocks != (tile.outputs() + 15) / 16) {
        continue;
      }
      if (steps == 0) steps = pairs.least_steps(tile.z, tile.y);
      for (int const warps : block_warps) {
        Layout l = base;
        l.tile   = tile;
        l.kernel = k;
        l.warps  = warps;
        l.steps  = steps;
        if (!lay_out(l, terms, shared_bytes) || least_turns(l, p, multiprocessors) * l.clocks >= least) continue;
        double const all = cut_planes(l, p, multiprocessors).turns * l.clocks;
        if (all >= least) continue;
        least = all;
        best  = l;
      }
    }
  }
  return best;
}

Layout search(Problem const& p, int multiprocessors, int shared_bytes) {
  Layout base;
  base.kind                     = kind_of(p);
  std::vector<Term> const terms = kernel_terms(p);
  for (Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) {
      base.lower[a] = std::min(base.lower[a], t.offset[a]);
      base.upper[a] = std::max(base.upper[a], t.offset[a]);
    }
  }
  base.splits = Transform::exact_in(p.terms, element_of(p.value_type)) ? 1 : 2;
  Transform::PairRows const pairs(terms, base.kind == Layout::line ? line_tile_columns : tile_columns);
  // Where both fit, tables in global memory are slower.
  Layout const in_shared = cheapest(p, base, terms, pairs, false, multiprocessors, shared_bytes);
  return in_shared ? in_shared : cheapest(p, base, terms, pairs, true, multiprocessors, shared_bytes);
}

/// All that the result of a search depends on.
struct Searched {
  std::vector<Term> terms;
  std::array<std::int64_t, 3> extent, begin, end;
  ValueType type;
  int multiprocessors, shared_bytes;

  bool is(Problem const& p, int sms, int room) const {
    auto const equal = [](Term const& t, Term const& u) {
      return t.offset == u.offset && t.coefficient == u.coefficient;
    };
    return type == p.value_type && multiprocessors == sms && shared_bytes == room && extent == p.extent &&
           begin == p.begin && end == p.end &&
           std::equal(terms.begin(), terms.end(), p.terms.begin(), p.terms.end(), equal);
  }
};

}  // namespace

std::int64_t first_column(std::int64_t begin, std::int64_t in_phase, std::int64_t out_phase) {
  std::int64_t const column = aligned_down(begin, out_phase, line_elements);
  return modulo(column + in_phase, vector_elements) == 0 ? column : aligned_down(begin, in_phase, vector_elements);
}

std::vector<Term> kernel_terms(Problem const& p) {
  std::vector<Term> terms = p.terms;
  if (kind_of(p) != Layout::plane) return terms;
  for (Term& t : terms) std::swap(t.offset[0], t.offset[1]);
  return terms;
}

Layout choose_layout(Problem const& p, int multiprocessors, int shared_bytes) {
  // Kept, since the dispatcher asks for the same layout several times.
  thread_local Searched newest{};
  thread_local Layout found;
  if (newest.terms.empty() || !newest.is(p, multiprocessors, shared_bytes)) {
    found  = search(p, multiprocessors, shared_bytes);
    newest = {p.terms, p.extent, p.begin, p.end, p.value_type, multiprocessors, shared_bytes};
  }
  return found;
}

Chunks cut_planes(Layout const& l, std::int64_t planes, std::int64_t columns, int multiprocessors) {
  std::int64_t const slots = static_cast<std::int64_t>(multiprocessors) * l.blocks_per_sm;
  std::int64_t const start = start_planes(l);
  std::int64_t best        = std::numeric_limits<std::int64_t>::max();
  Chunks cut;
  // Tries as many chunks as fit in one wave, in two, and so on.
  std::int64_t before = 0;
  for (std::int64_t waves = 1; waves <= most_waves; ++waves) {
    std::int64_t const most = std::min(planes, std::max<std::int64_t>(1, waves * slots / columns));
    if (most == before) continue;
    before                    = most;
    std::int64_t const length = divide_up(divide_up(planes, most), l.tile.z) * l.tile.z;
    std::int64_t const count  = divide_up(planes, length);
    std::int64_t const cost   = divide_up(columns * count, slots) * (length + start);
    if (cost < best) {
      best = cost;
      cut  = {length, count, static_cast<double>(cost) / l.tile.z * l.blocks_per_sm * l.warps};
    }
    // Even without idle multiprocessors more chunks would take longer than the best cut, for their starts.
    if (length == l.tile.z || columns * (planes + count * start) > (best - 1) * slots) break;
  }
  std::int64_t const blocks = columns * cut.count;
  auto const resident       = static_cast<double>(divide_up(blocks, multiprocessors));
  auto const length         = static_cast<double>(cut.length);
  double const room         = static_cast<double>(l.blocks_per_sm) * l.warps;
  cut.warps                 = std::min(1.0, resident * l.warps / room);
  cut.filled                = std::min(1.0, std::max(resident * l.warps, least_warps) / room);
  if (blocks <= slots) {
    cut.start = (length + first_start * static_cast<double>(start)) / (length + static_cast<double>(start));
  }
  return cut;
}

Chunks cut_planes(Layout const& l, Problem const& p, int multiprocessors) {
  std::array<std::int64_t, 3> n;
  for (std::size_t a = 0; a < 3; ++a) n[a] = p.end[a] - p.begin[a];
  std::int64_t planes = n[0], rows = n[1], columns = n[2];
  if (l.kind == Layout::plane) std::swap(planes, rows);
  if (l.kind == Layout::line) {
    planes  = divide_up(columns, l.width);
    columns = l.width;
  } else if (PointBox const inside = interior(p); !inside.empty()) {
    // As if lines of memory began where the first vector does.
    columns = std::max(columns, inside.end[2] - first_column(inside.begin[2], p.in_phase / 2, p.out_phase / 2));
  }
  return cut_planes(l, planes, divide_up(rows, l.height) * divide_up(columns, l.width), multiprocessors);
}

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
