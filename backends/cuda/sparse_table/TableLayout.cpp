// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_table/TableLayout.hpp"

#include "common/CudaModel.hpp"

#include <transform/Pack.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace KokkosStencil {
namespace CudaModel {

namespace {

constexpr std::int64_t far   = std::int64_t(1) << 30;
constexpr int block_overhead = 1024;  // shared memory that the system takes of every block

std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }
int round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

/// What TableLayout::clocks is made of: wavefronts of shared memory in the products, bytes copied into it, outputs
/// stored, products of second parts. Measured on an NVIDIA H200 for patterns of 7 to 225 terms, by resident warps of a
/// multiprocessor; mean errors 10, 7 and 6 %.
struct Clocks {
  int warps;
  double wavefront, copied_byte, output, second_part;
};
constexpr Clocks clocks_table[] = {{0, 1.61, 13.4 / 128, 287.0 / 2048, 0.27},
                                   {8, 1.20, 5.6 / 128, 325.0 / 2048, 0.21},
                                   {12, 1.16, 5.6 / 128, 241.0 / 2048, 0.10}};

Transform::Element element_of(ValueType type) {
  return type == ValueType::bfloat16 ? Transform::Element::bfloat : Transform::Element::half;
}

TableLayout::Kind kind_of(Problem const& p) {
  return p.extent[0] > 1 ? TableLayout::space : p.extent[1] > 1 ? TableLayout::plane : TableLayout::line;
}

/// Half of the banks from a row to the next, and from a plane to the next: pairs that lie an odd number apart in either
/// do not share a bank.
int half_banks(int words) { return words + ((16 - words) % 32 + 32) % 32; }

/// A ring of planes z[0] to z[1] and rows y[0] to y[1] from an output. One tile of planes is copied while the others
/// are used; an even number, so that turning keeps the banks.
TableRing make_ring(TableLayout const& l, std::array<int, 2> const& z, std::array<int, 2> const& y) {
  TableRing r;
  r.lower       = {{z[0], y[0]}};
  r.upper       = {{z[1], y[1]}};
  r.rows        = l.height + y[1] - y[0];
  r.plane_words = half_banks(r.rows * l.row_words);
  r.planes      = l.kind == TableLayout::line
                      ? 2
                      : round_up(2 * l.tile.z + z[1] - z[0], l.tile.z % 2 == 0 ? l.tile.z : 2 * l.tile.z);
  return r;
}

/// Rings for the planes with any terms: those near the output with all rows, all planes with the rows that the others
/// have terms in, wherever that takes the least memory.
void split_ring(TableLayout& l, std::vector<Impl::Term> const& terms) {
  struct Rows {
    int first = 0, last = 0;  // the tile's own in any case
  };
  int const planes = l.upper[0] - l.lower[0] + 1;
  std::vector<Rows> of_plane(static_cast<std::size_t>(planes));
  for (Impl::Term const& t : terms) {
    Rows& r = of_plane[static_cast<std::size_t>(t.offset[0] - l.lower[0])];
    r.first = std::min(r.first, t.offset[1]);
    r.last  = std::max(r.last, t.offset[1]);
  }
  auto const both = [](Rows const& a, Rows const& b) {
    return Rows{std::min(a.first, b.first), std::max(a.last, b.last)};
  };
  std::vector<Rows> below{Rows{}}, above{Rows{}};  // of so many planes at either end
  for (std::size_t i = 0; i < of_plane.size(); ++i) {
    below.push_back(both(below.back(), of_plane[i]));
    above.push_back(both(above.back(), of_plane[of_plane.size() - 1 - i]));
  }
  TableRing const all = l.ring;
  int least           = all.planes * all.plane_words;
  for (int first = 0; first < planes; ++first) {
    for (int last = first; last < planes; ++last) {
      Rows const r = both(below[static_cast<std::size_t>(first)], above[static_cast<std::size_t>(planes - 1 - last)]);
      TableRing const ring = make_ring(l, {{l.lower[0], l.upper[0]}}, {{r.first, r.last}});
      TableRing const wide = make_ring(l, {{l.lower[0] + first, l.lower[0] + last}}, {{l.lower[1], l.upper[1]}});
      int const words      = ring.planes * ring.plane_words + 16 + wide.planes * wide.plane_words;
      if (words >= least) continue;
      least  = words;
      l.ring = ring;
      l.wide = wide;
    }
  }
}

/// Everything that follows from tile, kernel, warps and steps.
bool lay_out(TableLayout& l, std::vector<Impl::Term> const& terms, int shared_bytes) {
  int const units = l.warps * l.kernel.units;
  l.units_x       = l.kind == TableLayout::space ? 1 : units;
  l.width         = l.units_x * table_across * table_tiles * l.tile.x;
  l.height        = units / l.units_x * l.tile.y;
  l.left          = round_up(-l.lower[2], 8);
  l.row_pieces    = (l.width + l.left + round_up(l.upper[2], 8)) / 8;
  l.row_words     = half_banks(4 * l.row_pieces);
  l.ring          = make_ring(l, {{l.lower[0], l.upper[0]}}, {{l.lower[1], l.upper[1]}});
  if (l.kernel.reaching) split_ring(l, terms);
  // The fewest turns of the copying loops.
  std::int64_t turns = far;
  for (int lanes = 16; lanes <= 32 * l.warps; lanes *= 2) {
    std::int64_t const here = divide_up(l.row_pieces, lanes) * divide_up(l.ring.rows, 32 * l.warps / lanes);
    if (here >= turns) continue;
    turns        = here;
    l.copy_lanes = lanes;
  }
  l.phases = (l.wide.planes > 0 ? std::lcm(l.ring.planes, l.wide.planes) : l.ring.planes) / l.tile.z;
  return l.set_steps(l.steps, shared_bytes);
}

}  // namespace

bool TableLayout::set_steps(int count, int shared_bytes) {
  steps       = count;
  metadata_at = steps * parts * kernel.blocks * 512;
  offsets_at  = metadata_at + steps * kernel.blocks * 128;
  ring.at     = round_up((kernel.reaching ? 0 : offsets_at + phases * steps * 32) + 8, 128);
  bytes       = ring.at + ring.planes * ring.plane_words * 4;
  if (wide.planes > 0) {
    // A plane and a row are as many half banks from the first ring's as they are apart.
    int const apart = wide.lower[0] + wide.lower[1] - ring.lower[0] - ring.lower[1];
    wide.at         = bytes + (apart & 1) * 64;
    bytes           = wide.at + wide.planes * wide.plane_words * 4;
  }
  per_sm = std::min(kernel.resident / warps, (shared_bytes + block_overhead) / (bytes + block_overhead));
  // Offsets count words in 16 bits.
  if (bytes > shared_bytes || bytes - ring.at > 4 * 65536) return false;

  double const outputs = 16.0 * kernel.blocks * kernel.units * table_across * table_tiles;
  // Tiles of 16 columns share banks with their next but three.
  double const loads    = (tile.x > 4 ? 1.5 : 1.0) * 4.0 * table_across * kernel.units;
  double const copied   = 16.0 * row_pieces * (ring.rows + wide.rows) * tile.z / warps;
  double const products = 2.0 * steps * kernel.blocks * kernel.units * table_across * parts;
  double const shared   = steps * (4.0 * kernel.blocks * parts + kernel.blocks + 2.0 + loads);
  Clocks c              = clocks_table[0];
  for (Clocks const& each : clocks_table) {
    if (warps * per_sm >= each.warps) c = each;
  }
  // Tables of reaching kernels come from L2, one step ahead; a step takes its latency, for all warps at once. Within 10
  // % of what was measured.
  constexpr double latency = 360.0;
  double const product     = std::max(c.wavefront * shared, kernel.reaching ? latency * steps / (warps * per_sm) : 0.0);
  clocks = product + c.copied_byte * copied + c.output * outputs + c.second_part * (parts - 1) * products;
  return true;
}

int TableLayout::word(std::array<int, 3> const& input, int phase) const {
  bool const in_ring = wide.planes == 0 || (input[1] >= ring.lower[1] && input[1] < ring.upper[1] + tile.y);
  TableRing const& r = in_ring ? ring : wide;
  int const slot     = (phase * tile.z + input[0] - r.lower[0]) % r.planes;
  return (r.at - ring.at) / 4 + slot * r.plane_words + (input[1] - r.lower[1]) * row_words + (input[2] + left) / 2;
}

std::vector<Impl::Term> table_terms(Problem const& p) {
  std::vector<Impl::Term> terms = p.terms;
  if (kind_of(p) != TableLayout::plane) return terms;
  for (Impl::Term& t : terms) std::swap(t.offset[0], t.offset[1]);
  return terms;
}

std::string table_refusal(Problem const& p) {
  if (std::string const no = distant_refusal(p); !no.empty()) return no;
  if (p.value_type != ValueType::float16 && p.value_type != ValueType::bfloat16) {
    return std::string("multiplies half_t and bhalf_t, not ") + to_string(p.value_type);
  }
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  if (p.terms.empty() || p.points() == 0) return "nothing to multiply";
  if (!Transform::pairs_hold(p.terms, element_of(p.value_type))) {
    return std::string("a coefficient is too large or too small to be split into two ") + to_string(p.value_type);
  }
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1) {
    return "the fastest axis is not contiguous (stride " + std::to_string(p.in_stride[2]) + " and " +
           std::to_string(p.out_stride[2]) + ")";
  }
  for (std::size_t a = 0; a < 2; ++a) {
    if (p.extent[a] == 1 && (p.lower[a] < 0 || p.upper[a] > 0)) return "reaches across axes of one point";
    if (p.extent[a] == 1) continue;
    if (p.in_stride[a] % 8 != 0) {
      return "rows are not 16-byte aligned: a pitch of " + std::to_string(p.in_stride[a]) +
             " elements is not a multiple of 8; pad the rows of the View";
    }
    if (p.in_stride[a] >= 2 * far || p.out_stride[a] >= 2 * far || p.extent[a] >= far) return "the View is too large";
    if (p.in_stride[a] < 0 || p.out_stride[a] < 0) return "a stride is negative";
  }
  bool const is_line = p.extent[0] == 1 && p.extent[1] == 1;
  return p.extent[2] >= (is_line ? 1024 * far : far) ? "the View is too large" : "";
}

TableCut cut_table(TableLayout const& l, std::int64_t planes, std::int64_t columns, int multiprocessors) {
  std::int64_t const slots = static_cast<std::int64_t>(multiprocessors) * l.per_sm;
  std::int64_t const start = (l.upper[0] - l.lower[0]) / 2 + l.tile.z;  // what a block costs beside its planes
  std::int64_t best        = std::numeric_limits<std::int64_t>::max();
  TableCut cut;
  // As many chunks as some number of waves has room for.
  std::int64_t before = 0;
  for (std::int64_t waves = 1; waves <= 16; ++waves) {
    std::int64_t const most = std::min(planes, std::max<std::int64_t>(1, waves * slots / columns));
    if (most == before) continue;
    before                    = most;
    std::int64_t const length = divide_up(divide_up(planes, most), l.tile.z) * l.tile.z;
    std::int64_t const count  = divide_up(planes, length);
    std::int64_t const cost   = divide_up(columns * count, slots) * (length + start);
    if (cost < best) {
      best = cost;
      cut  = {length, count, static_cast<double>(cost) / l.tile.z * l.per_sm * l.warps};
    }
    // More chunks start more often, which whole waves cannot make up for.
    if (length == l.tile.z || columns * (planes + count * start) > (best - 1) * slots) break;
  }
  // Fewer warps than this take as long for their latencies; and a single wave of blocks starts faster than those
  // between others.
  constexpr double least_warps = 8.0, first_start = 0.2;
  std::int64_t const blocks = columns * cut.chunks;
  auto const resident       = static_cast<double>(divide_up(blocks, multiprocessors));
  auto const length         = static_cast<double>(cut.length);
  cut.filled = std::min(1.0, std::max(resident * l.warps, least_warps) / (static_cast<double>(l.per_sm) * l.warps));
  if (blocks <= slots) {
    cut.filled *= (length + first_start * static_cast<double>(start)) / (length + static_cast<double>(start));
  }
  return cut;
}

namespace {

/// What no cut goes below: multiprocessors that all end together.
double least_marches(TableLayout const& l, Problem const& p, int multiprocessors) {
  double n[3];
  for (std::size_t a = 0; a < 3; ++a) n[a] = static_cast<double>(p.end[a] - p.begin[a]);
  double const start = (l.upper[0] - l.lower[0]) / 2 + l.tile.z;
  double const all   = l.kind == TableLayout::space   ? (n[0] + start) * n[1] * n[2]
                       : l.kind == TableLayout::plane ? (n[1] + start) * n[0] * n[2]
                                                      : n[2];
  return 0.999 * all * l.warps / (static_cast<double>(l.width) * l.height * l.tile.z * multiprocessors);
}

/// The cheapest of those that would be if every pair of columns found another; terms on the kernel's axes.
TableLayout cheapest_table(Problem const& p, TableLayout const& base, std::vector<Impl::Term> const& terms,
                           Transform::PairRows const& pairs, std::vector<Transform::Tile> const& tiles, bool reaching,
                           int multiprocessors, int shared_bytes, TableChoice const& only) {
  TableLayout best;
  double least = std::numeric_limits<double>::max();
  for (Transform::Tile const& tile : tiles) {
    if ((tile.y & (tile.y - 1)) != 0) continue;
    int steps = 0;
    for (TableKernel const& k : table_kernels) {
      if (k.reaching != reaching || k.tile_x != tile.x || k.blocks != (tile.outputs() + 15) / 16) continue;
      if (only.units != 0 && k.units != only.units) continue;
      if (steps == 0) steps = pairs.least_steps(tile.z, tile.y);
      for (int const warps : {4, 8}) {
        if (only.warps != 0 && warps != only.warps) continue;
        TableLayout l = base;
        l.tile        = tile;
        l.kernel      = k;
        l.warps       = warps;
        l.steps       = steps;
        if (!lay_out(l, terms, shared_bytes) || least_marches(l, p, multiprocessors) * l.clocks >= least) continue;
        double const seconds = cut_table(l, p, multiprocessors).marches * l.clocks;
        if (seconds >= least) continue;
        least = seconds;
        best  = l;
      }
    }
  }
  return best;
}

TableLayout search_table(Problem const& p, int multiprocessors, int shared_bytes, TableChoice const& only) {
  TableLayout base;
  base.kind                           = kind_of(p);
  std::vector<Impl::Term> const terms = table_terms(p);
  for (Impl::Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) {
      base.lower[a] = std::min(base.lower[a], t.offset[a]);
      base.upper[a] = std::max(base.upper[a], t.offset[a]);
    }
  }
  base.parts = Transform::exact_in(p.terms, element_of(p.value_type)) ? 1 : 2;

  std::vector<Transform::Tile> tiles;
  if (only.tile.outputs() > 0) {
    tiles = {only.tile};
  } else if (base.kind == TableLayout::line) {
    tiles = {{1, 1, 16}};
  } else {
    for (int const rows : {4, 8, 16}) {
      for (int z = 1; z <= rows; z *= 2) {
        if (base.kind == TableLayout::space || z == rows) tiles.push_back({z, rows / z, 4});
      }
    }
  }
  Transform::PairRows const pairs(terms, tiles.front().x);
  TableLayout best;
  for (bool const reaching : {false, true}) {
    if (!best) best = cheapest_table(p, base, terms, pairs, tiles, reaching, multiprocessors, shared_bytes, only);
  }
  return best;
}

/// What a search depends on.
struct Searched {
  std::vector<Impl::Term> terms;
  std::array<std::int64_t, 3> extent, begin, end;
  ValueType type;
  int multiprocessors, shared_bytes;

  bool is(Problem const& p, int sms, int room) const {
    auto const equal = [](Impl::Term const& t, Impl::Term const& u) {
      return t.offset[0] == u.offset[0] && t.offset[1] == u.offset[1] && t.offset[2] == u.offset[2] &&
             t.coefficient == u.coefficient;
    };
    return type == p.value_type && multiprocessors == sms && shared_bytes == room && extent == p.extent &&
           begin == p.begin && end == p.end &&
           std::equal(terms.begin(), terms.end(), p.terms.begin(), p.terms.end(), equal);
  }
};

}  // namespace

TableLayout choose_table(Problem const& p, int multiprocessors, int shared_bytes, TableChoice const& only) {
  if (only.tile.outputs() > 0 || only.units != 0 || only.warps != 0) {
    return search_table(p, multiprocessors, shared_bytes, only);
  }
  // A decision asks several times.
  thread_local Searched newest{};
  thread_local TableLayout found;
  if (newest.terms.empty() || !newest.is(p, multiprocessors, shared_bytes)) {
    found  = search_table(p, multiprocessors, shared_bytes, only);
    newest = {p.terms, p.extent, p.begin, p.end, p.value_type, multiprocessors, shared_bytes};
  }
  return found;
}

TableCut cut_table(TableLayout const& l, Problem const& p, int multiprocessors) {
  std::array<std::int64_t, 3> n;
  for (std::size_t a = 0; a < 3; ++a) n[a] = p.end[a] - p.begin[a];
  std::int64_t planes = n[0], rows = n[1], columns = n[2];
  if (l.kind == TableLayout::plane) std::swap(planes, rows);
  if (l.kind == TableLayout::line) {
    planes  = divide_up(columns, l.width);
    columns = l.width;
  }
  return cut_table(l, planes, divide_up(rows, l.height) * divide_up(columns, l.width), multiprocessors);
}

}  // namespace CudaModel
}  // namespace KokkosStencil
