// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TablePlan.hpp"

#include "common/Alignment.hpp"

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace KokkosStencil {
namespace Cuda {
namespace Table {

namespace {

constexpr std::int64_t piece = 8;
constexpr std::int64_t far   = std::int64_t(1) << 30;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<Kernel> const& kernels() {
  static std::vector<Kernel> const all = table_kernels();
  return all;
}

Ring ring_args(CudaModel::TableRing const& r) {
  return {r.lower[0], r.lower[1], r.upper[0] - r.lower[0], r.rows, r.plane_words, r.planes, r.at};
}

std::int64_t phase_of(void const* data) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data) % 128) / 2;
}

}  // namespace

TablePlan::TablePlan(Problem const& problem, int sm_count, int shared_bytes, CudaModel::TableChoice const& only)
    : m_sm_count(sm_count), m_shared_bytes(shared_bytes), m_only(only), m_reason(CudaModel::table_refusal(problem)) {
  if (!m_reason.empty()) return;
  m_problem = problem;
  m_reason  = choose();
  if (m_reason.empty() && work(nullptr, nullptr).blocks == 0) m_reason = "no tile has its whole window inside";
}

std::string TablePlan::choose() {
  m_layout = CudaModel::choose_table(m_problem, m_sm_count, m_shared_bytes, m_only);
  if (!m_layout) return CudaModel::table_too_far;
  m_kernel = find_kernel();
  return m_kernel != nullptr ? "" : "has no kernel for this tile";
}

Kernel const* TablePlan::find_kernel() const {
  CudaModel::TableKernel const& k = m_layout.kernel;
  bool const bfloat               = m_problem.value_type == ValueType::bfloat16;
  auto const& all                 = kernels();
  auto const found                = std::find_if(all.begin(), all.end(), [&](Kernel const& each) {
    return each.bfloat == bfloat && each.parts == m_layout.parts && each.kind.tile_x == k.tile_x &&
           each.kind.blocks == k.blocks && each.kind.units == k.units && each.kind.reaching == k.reaching;
  });
  return found == all.end() ? nullptr : &*found;
}

void TablePlan::pack() {
  auto const element =
      m_problem.value_type == ValueType::bfloat16 ? Transform::Element::bfloat : Transform::Element::half;
  std::vector<Impl::Term> const terms = CudaModel::table_terms(m_problem);
  // Less room finds other layouts, with smaller tiles in the end.
  for (int room = m_shared_bytes; m_layout && m_kernel != nullptr; m_kernel = find_kernel()) {
    m_pack = Transform::pack_pairs(terms, m_layout.tile, m_layout.banks(), element);
    if (m_layout.set_steps(m_pack.steps, m_shared_bytes)) return;
    room -= std::max(1024, m_layout.bytes - m_shared_bytes);
    m_layout = CudaModel::choose_table(m_problem, m_sm_count, room, m_only);
    if (!m_layout) break;
  }
  m_layout = {};
}

std::vector<std::uint32_t> TablePlan::tables() const {
  if (!m_layout) return {};
  if (m_pack.steps != m_layout.steps) throw Error("cuda_sparse_table: tables are asked for before anything is packed.");
  // Kernels read offsets a step ahead.
  std::vector<std::uint32_t> all(at((m_layout.offsets_at + (m_layout.phases * m_pack.steps + 1) * 32) / 4), 0u);
  std::size_t to = 0;
  for (int s = 0; s < m_pack.steps; ++s) {
    for (int part = 0; part < m_pack.parts; ++part) {
      for (int b = 0; b < m_pack.blocks; ++b, to += 128) {
        auto const from = m_pack.a.begin() + static_cast<std::ptrdiff_t>(m_pack.index(part, b, s, 0));
        std::copy(from, from + 128, all.begin() + static_cast<std::ptrdiff_t>(to));
      }
    }
  }
  // Two steps share a register in the pack, by selectors; here all have selector 0.
  for (int s = 0; s < m_pack.steps; ++s) {
    for (int b = 0; b < m_pack.blocks; ++b) {
      for (int lane = 0; lane < Transform::warp_lanes; ++lane) {
        all[to++] = m_pack.metadata[m_pack.metadata_index(b, s, lane / 4 * 4 + s % 2 * 2 + lane % 2)];
      }
    }
  }
  std::vector<std::uint16_t> offsets;
  for (int phase = 0; phase < m_layout.phases; ++phase) {
    for (int s = 0; s < m_pack.steps; ++s) {
      for (int q = 0; q < 4; ++q) {
        for (int j = 0; j < 4; ++j) {
          auto const& input = m_pack.inputs[at(32 * s + 8 * j + 2 * q)];
          offsets.push_back(static_cast<std::uint16_t>(m_layout.word(input, phase)));
        }
      }
    }
  }
  std::memcpy(&all[to], offsets.data(), offsets.size() * sizeof(offsets[0]));
  return all;
}

std::vector<PlainTerm> TablePlan::terms() const {
  std::vector<PlainTerm> all;
  for (Impl::Term const& t : m_problem.terms) {
    all.push_back({t.offset[0] * m_problem.in_stride[0] + t.offset[1] * m_problem.in_stride[1] + t.offset[2],
                   static_cast<float>(t.coefficient)});
  }
  return all;
}

/// Cuts the planes into chunks and counts the blocks.
bool TablePlan::cut(Work& work) const {
  TableArgs& a                  = work.args;
  std::int64_t const columns    = static_cast<std::int64_t>(a.blocks_x) * a.blocks_y;
  CudaModel::TableCut const cut = CudaModel::cut_table(m_layout, a.z_end - a.z0, columns, m_sm_count);
  if (cut.chunks == 0 || columns * cut.chunks > far) return false;
  a.length    = static_cast<std::int32_t>(cut.length);
  work.blocks = static_cast<unsigned>(columns * cut.chunks);
  return true;
}

Work TablePlan::work(void const* in, void* out) const {
  CudaModel::TableLayout const& l = m_layout;
  Work w;
  w.done = {m_problem.begin, m_problem.begin};
  if (!l) return w;
  TableArgs& a = w.args;
  a.in         = in;
  a.out        = out;
  a.warps      = l.warps;
  a.tile_z     = l.tile.z;
  a.tile_y     = l.tile.y;
  while ((1 << a.tile_y_log2) < l.tile.y) ++a.tile_y_log2;
  a.units_x      = l.units_x;
  a.lower_x      = -l.left;
  a.row_pieces   = l.row_pieces;
  a.copy_lanes   = l.copy_lanes;
  a.row_words    = l.row_words;
  a.ring         = ring_args(l.ring);
  a.wide         = ring_args(l.wide);
  a.steps        = l.steps;
  a.metadata_at  = l.metadata_at;
  a.offsets_at   = l.offsets_at;
  a.phases_bytes = static_cast<std::uint32_t>(l.phases * l.steps * 32);
  a.table_pieces = l.kernel.reaching ? 0 : l.offsets_at / 16 + static_cast<std::int32_t>(a.phases_bytes / 16);
  a.unscale      = static_cast<float>(std::ldexp(1.0, -m_pack.scale_log2));
  a.term_count   = static_cast<std::int32_t>(m_problem.terms.size());
  std::int64_t const in_phase = phase_of(in), out_phase = phase_of(out);
  return l.kind == CudaModel::TableLayout::line ? line(w, in_phase, out_phase) : space(w, in_phase, out_phase);
}

/// A line is cut into rows, one below the other.
Work TablePlan::line(Work w, std::int64_t in_phase, std::int64_t out_phase) const {
  Problem const& p         = m_problem;
  PointBox const inside    = interior(p);
  TableArgs& a             = w.args;
  std::int64_t const width = m_layout.width;
  std::int64_t const right = 8 * m_layout.row_pieces - width - m_layout.left;
  // All pieces that are copied have to lie in the View.
  std::int64_t const start = aligned_up(std::max<std::int64_t>(inside.begin[2], m_layout.left), in_phase, piece);
  std::int64_t const end   = std::min(inside.end[2], p.extent[2] - right);
  std::int64_t const rows  = (end - start) / width;
  if (end <= start || rows == 0 || rows >= far) return w;
  a.in   = static_cast<std::uint16_t const*>(a.in) + start;
  a.out  = static_cast<std::uint16_t*>(a.out) + start;
  a.in_z = a.out_z = static_cast<std::int32_t>(width);
  a.y_extent       = 1;
  a.z_extent       = static_cast<std::int32_t>(rows);
  a.piece_first    = -static_cast<std::int32_t>(width);
  a.piece_last     = 2 * static_cast<std::int32_t>(width);
  a.x_end          = static_cast<std::int32_t>(width);
  a.y_end          = 1;
  a.z_end          = a.z_extent;
  a.aligned        = modulo(start + out_phase, 4) == 0;
  a.blocks_x = a.blocks_y = 1;
  if (!cut(w)) return w;
  w.done.begin[2] = start;
  w.done.end      = p.end;
  w.done.end[2]   = start + rows * width;
  return w;
}

Work TablePlan::space(Work w, std::int64_t in_phase, std::int64_t out_phase) const {
  Problem const& p    = m_problem;
  TableArgs& a        = w.args;
  PointBox box        = interior(p);
  std::size_t const z = m_layout.kind == CudaModel::TableLayout::plane ? 1 : 0, y = 1 - z;
  // Only whole aligned pieces inside the row are read.
  std::int64_t const first_piece = aligned_up(0, in_phase, piece);
  std::int64_t const last_piece  = aligned_down(p.extent[2], in_phase, piece) - piece;
  box.begin[2]                   = std::max(box.begin[2], first_piece - p.lower[2]);
  box.end[2]                     = std::min(box.end[2], last_piece + piece - p.upper[2]);
  if (box.empty() || last_piece < first_piece) return w;
  a.in_y        = static_cast<std::int32_t>(p.in_stride[y]);
  a.in_z        = static_cast<std::int32_t>(p.in_stride[z]);
  a.out_y       = static_cast<std::int32_t>(p.out_stride[y]);
  a.out_z       = static_cast<std::int32_t>(p.out_stride[z]);
  a.y_extent    = static_cast<std::int32_t>(p.extent[y]);
  a.z_extent    = static_cast<std::int32_t>(p.extent[z]);
  a.piece_first = static_cast<std::int32_t>(first_piece);
  a.piece_last  = static_cast<std::int32_t>(last_piece);
  // Whole lines of the output a block, if the input goes along with that.
  std::int64_t x0 = aligned_down(box.begin[2], out_phase, 64);
  if (modulo(x0 + in_phase, piece) != 0) x0 = aligned_down(box.begin[2], in_phase, piece);
  a.x0      = static_cast<std::int32_t>(x0);
  a.y0      = static_cast<std::int32_t>(box.begin[y]);
  a.z0      = static_cast<std::int32_t>(box.begin[z]);
  a.x_begin = static_cast<std::int32_t>(box.begin[2]);
  a.x_end   = static_cast<std::int32_t>(box.end[2]);
  a.y_end   = static_cast<std::int32_t>(box.end[y]);
  a.z_end   = static_cast<std::int32_t>(box.end[z]);
  a.aligned =
      modulo(x0 + out_phase, 4) == 0 && (a.y_extent == 1 || a.out_y % 4 == 0) && (a.z_extent == 1 || a.out_z % 4 == 0);

  a.blocks_x = static_cast<std::uint32_t>(divide_up(a.x_end - x0, m_layout.width));
  a.blocks_y = static_cast<std::uint32_t>(divide_up(a.y_end - a.y0, m_layout.height));
  if (cut(w)) w.done = box;
  return w;
}

}  // namespace Table
}  // namespace Cuda
}  // namespace KokkosStencil
