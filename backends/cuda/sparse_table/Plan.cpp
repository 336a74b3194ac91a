// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_table/Plan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/TensorPlan.hpp"

#include <transform/Pack.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Ring ring_args(PlaneRing const& r) {
  return {r.lower[0], r.lower[1], r.upper[0] - r.lower[0], r.rows, r.plane_words, r.planes, r.at};
}

/// Why no layout can run a problem, whatever its reach; empty if one may.
std::string pattern_unsupported_reason(Problem const& p) {
  if (std::string const no = half_product_unsupported_reason(p); !no.empty()) return no;
  if (!Transform::pairs_hold(p.terms, element_of(p.value_type))) {
    return std::string("a coefficient is too large or too small to be split into two ") + to_string(p.value_type);
  }
  for (std::size_t a = 0; a < 2; ++a) {
    if (p.extent[a] == 1 && (p.lower[a] < 0 || p.upper[a] > 0)) return "reaches across axes of one point";
    if (p.extent[a] == 1) continue;
    if (p.in_stride[a] % 8 != 0) {
      return "rows are not 16-byte aligned: a pitch of " + std::to_string(p.in_stride[a]) +
             " elements is not a multiple of 8; pad the rows of the View";
    }
    if (p.in_stride[a] >= 2 * index_limit || p.out_stride[a] >= 2 * index_limit || p.extent[a] >= index_limit)
      return "the View is too large";
    if (p.in_stride[a] < 0 || p.out_stride[a] < 0) return "a stride is negative";
  }
  return p.extent[2] >= (Cuda::is_line(p) ? 1024 * index_limit : index_limit) ? "the View is too large" : "";
}

/// Whether outputs are stored four at a time, as long as the Views begin as the problem says.
bool stores_vectors(Problem const& p) {
  for (std::size_t a = 0; a < 2; ++a) {
    if (p.extent[a] > 1 && p.out_stride[a] % 4 != 0) return false;
  }
  return (p.in_phase - p.out_phase) % 8 == 0;  // bytes
}

}  // namespace

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  return Plan(p, device).unsupported_reason();
}

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  // Clocks were counted on this one.
  DeviceModel const& h200  = Model::reference_device();
  double const rate        = tuned(device, clock_rate, "cuda_sparse_table/clock_rate");
  double const clock       = rate * device.float_rate / device.multiprocessors * h200.multiprocessors / h200.float_rate;
  Cuda::Kernel k           = Cuda::one_sweep(p);
  k.unit                   = ComputeUnit::sparse_tensor_cores;
  k.operand                = p.value_type;
  bool const line          = Cuda::is_line(p);
  std::array<int, 3> upper = p.upper;
  upper[2] += columns_left(p);
  double const boundary =
      std::max(Cuda::boundary_seconds(p, device, p.lower, upper), line ? Cuda::next_launch_seconds(device) : 0.0);
  double const tables = tuned(device, table_seconds, "cuda_sparse_table/table_seconds");
  double const beside = tuned(device, boundary_beside, "cuda_sparse_table/boundary_beside");
  k.least_seconds     = (boundary > 0.0 ? 2.0 : 1.0) * Cuda::host_launch_seconds(device) + tables;
  k.extra_seconds     = boundary > 0.0 ? std::max(boundary - beside, Cuda::next_launch_seconds(device)) : 0.0;
  k.extra_seconds += tables;
  int const shared_bytes = Cuda::shared_bytes_of(device.compute_capability);
  Layout const layout    = choose_layout(p, device.multiprocessors, shared_bytes);
  if (!layout) return {Cuda::finish(k, p, device)};
  Chunks const cut      = cut_planes(layout, p, device.multiprocessors);
  double const points   = Cuda::points_of(p),
               unhidden = tuned(device, unhidden_memory, "cuda_sparse_table/unhidden_memory");
  double const single   = stores_vectors(p) ? 0.0
                                            : tuned(device, single_store_seconds[line ? 1 : 0],
                                                  line ? "cuda_sparse_table/line_single_store_seconds"
                                                         : "cuda_sparse_table/single_store_seconds");
  double const bytes    = points * k.work.bytes;
  double const memory   = bytes / h200.bandwidth;
  double least          = 0.0;
  double step_clocks    = layout.clocks;
  if (layout.kind == Layout::space) {
    if (Cuda::on_axes(p)) step_clocks *= Cuda::reach_of(p, 2) == 1 ? near_star_clocks : far_star_clocks;
    // Blocks at the ends of rows and planes have fewer outputs.
    std::int64_t const rows = p.end[1] - p.begin[1], columns = p.end[2] - p.begin[2];
    double const outputs =
        static_cast<double>(rows * columns) / static_cast<double>(divide_up(rows, layout.height) * layout.height *
                                                                  divide_up(columns, layout.width) * layout.width);
    least = tuned(device, volume_output_clocks, "cuda_sparse_table/volume_output_clocks") * outputs *
            layout.tuning().warp_outputs();
  }
  double const busy     = cut.turns * std::max(cut.filled * cut.start * step_clocks, cut.warps * least);
  double const there    = busy / clock + unhidden * memory + single * points;
  double const seconds  = Model::seconds_elsewhere(there, memory, bytes / device.bandwidth, 1.0);
  k.work.operations     = band_operations * layout.steps * layout.splits;
  double const roofline = Model::Roofline{device.rate(k.unit, k.operand), device.bandwidth}.seconds(k.work);
  k.fraction            = std::min(most_efficiency, roofline * points / seconds);
  return {Cuda::finish(k, p, device)};
}

Plan::Plan(Problem const& problem, DeviceModel const& device)
    : m_multiprocessors(device.multiprocessors),
      m_shared_bytes(Cuda::shared_bytes_of(device.compute_capability)),
      m_reason(Cuda::no_cuda(problem, device)) {
  if (m_reason.empty()) choose(problem);
}

Plan::Plan(Problem const& problem, int multiprocessors, int shared_bytes)
    : m_multiprocessors(multiprocessors), m_shared_bytes(shared_bytes) {
  choose(problem);
}

void Plan::choose(Problem const& problem) {
  m_reason = pattern_unsupported_reason(problem);
  if (!m_reason.empty()) return;
  m_problem = problem;
  m_layout  = choose_layout(problem, m_multiprocessors, m_shared_bytes);
  if (!m_layout) {
    m_reason =
        "reaches too far for a block's shared memory (in 3-D 227 KiB, as of an H200, do for boxes of radius 10 and "
        "stars of radius 18, 163 KiB, as of an A100, for 8 and 16)";
  } else if (work(nullptr, nullptr).blocks == 0) {
    m_reason = "no tile has its whole window inside";
  }
}

void Plan::pack() {
  std::vector<Term> const terms = kernel_terms(m_problem);
  // With less room the search finds other layouts, in the end with smaller tiles.
  for (int room = m_shared_bytes; m_layout;) {
    m_pack = Transform::pack_pairs(terms, m_layout.tile, m_layout.banks(), element_of(m_problem.value_type));
    if (m_layout.set_steps(m_pack.steps, m_shared_bytes)) return;
    room -= std::max(1024, m_layout.bytes - m_shared_bytes);
    m_layout = choose_layout(m_problem, m_multiprocessors, room);
  }
}

std::vector<std::uint32_t> Plan::tables() const {
  if (!m_layout) return {};
  if (m_pack.steps != m_layout.steps) throw Error("cuda_sparse_table: tables are asked for before anything is packed.");
  // Kernels read offsets one step ahead, hence one step more.
  std::vector<std::uint32_t> all(at((m_layout.offsets_at + (m_layout.phases * m_pack.steps + 1) * 32) / 4), 0u);
  std::size_t to = 0;
  for (int s = 0; s < m_pack.steps; ++s) {
    for (int split = 0; split < m_pack.splits; ++split) {
      for (int b = 0; b < m_pack.blocks; ++b, to += 128) {
        auto const from = m_pack.a.begin() + static_cast<std::ptrdiff_t>(m_pack.index(split, b, s, 0));
        std::copy(from, from + 128, all.begin() + static_cast<std::ptrdiff_t>(to));
      }
    }
  }
  // In the pack two steps share a register, by their selectors. The kernels use selector 0 for all.
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

/// Cuts the planes into chunks and counts the blocks.
bool Plan::cut(Work& work) const {
  Args& a                    = work.args;
  std::int64_t const columns = static_cast<std::int64_t>(a.blocks_x) * a.blocks_y;
  Chunks const cut           = cut_planes(m_layout, a.z_end - a.z0, columns, m_multiprocessors);
  if (cut.count == 0 || columns * cut.count > index_limit) return false;
  a.length    = static_cast<std::int32_t>(cut.length);
  work.blocks = static_cast<unsigned>(columns * cut.count);
  return true;
}

Work Plan::work(void const* in, void* out) const {
  Layout const& l = m_layout;
  Work w;
  w.done = {m_problem.begin, m_problem.begin};
  if (!l) return w;
  Args& a  = w.args;
  a.in     = in;
  a.out    = out;
  a.warps  = l.warps;
  a.tile_z = l.tile.z;
  a.tile_y = l.tile.y;
  while ((1 << a.tile_y_log2) < l.tile.y) ++a.tile_y_log2;
  a.units_across = l.units_across;
  a.lower_x      = -l.left;
  a.row_vectors  = l.row_vectors;
  a.row_threads  = l.row_threads;
  a.row_words    = l.row_words;
  a.ring         = ring_args(l.ring);
  a.near_ring    = ring_args(l.near_ring);
  a.steps        = l.steps;
  a.metadata_at  = l.metadata_at;
  a.offsets_at   = l.offsets_at;
  a.phases_bytes = static_cast<std::uint32_t>(l.phases * l.steps * 32);
  a.table_vectors =
      l.tuning().tables_in_global ? 0 : l.offsets_at / 16 + static_cast<std::int32_t>(a.phases_bytes / 16);
  a.unscale                   = static_cast<float>(std::ldexp(1.0, -m_pack.scale_log2));
  a.term_count                = static_cast<std::int32_t>(m_problem.terms.size());
  std::int64_t const in_phase = phase_of(in, 2), out_phase = phase_of(out, 2);
  return l.kind == Layout::line ? line(w, in_phase, out_phase) : space(w, in_phase, out_phase);
}

/// A line is cut into rows, one below the other.
Work Plan::line(Work w, std::int64_t in_phase, std::int64_t out_phase) const {
  Problem const& p         = m_problem;
  PointBox const inside    = interior(p);
  Args& a                  = w.args;
  std::int64_t const width = m_layout.width;
  std::int64_t const right = vector_elements * m_layout.row_vectors - width - m_layout.left;
  // All vectors that are copied have to lie in the View.
  std::int64_t const start =
      aligned_up(std::max<std::int64_t>(inside.begin[2], m_layout.left), in_phase, vector_elements);
  std::int64_t const end  = std::min(inside.end[2], p.extent[2] - right);
  std::int64_t const rows = (end - start) / width;
  if (end <= start || rows == 0 || rows >= index_limit) return w;
  a.in   = static_cast<std::uint16_t const*>(a.in) + start;
  a.out  = static_cast<std::uint16_t*>(a.out) + start;
  a.in_z = a.out_z = static_cast<std::int32_t>(width);
  a.y_extent       = 1;
  a.z_extent       = static_cast<std::int32_t>(rows);
  a.first_vector   = -static_cast<std::int32_t>(width);
  a.last_vector    = 2 * static_cast<std::int32_t>(width);
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

Work Plan::space(Work w, std::int64_t in_phase, std::int64_t out_phase) const {
  Problem const& p    = m_problem;
  Args& a             = w.args;
  PointBox box        = interior(p);
  std::size_t const z = m_layout.kind == Layout::plane ? 1 : 0, y = 1 - z;
  // Only whole aligned vectors inside the row are read.
  std::int64_t const first_vector = aligned_up(0, in_phase, vector_elements);
  std::int64_t const last_vector  = aligned_down(p.extent[2], in_phase, vector_elements) - vector_elements;
  box.begin[2]                    = std::max(box.begin[2], first_vector - p.lower[2]);
  box.end[2]                      = std::min(box.end[2], last_vector + vector_elements - p.upper[2]);
  if (box.empty() || last_vector < first_vector) return w;
  a.in_y                = static_cast<std::int32_t>(p.in_stride[y]);
  a.in_z                = static_cast<std::int32_t>(p.in_stride[z]);
  a.out_y               = static_cast<std::int32_t>(p.out_stride[y]);
  a.out_z               = static_cast<std::int32_t>(p.out_stride[z]);
  a.y_extent            = static_cast<std::int32_t>(p.extent[y]);
  a.z_extent            = static_cast<std::int32_t>(p.extent[z]);
  a.first_vector        = static_cast<std::int32_t>(first_vector);
  a.last_vector         = static_cast<std::int32_t>(last_vector);
  std::int64_t const x0 = first_column(box.begin[2], in_phase, out_phase);
  a.x0                  = static_cast<std::int32_t>(x0);
  a.y0                  = static_cast<std::int32_t>(box.begin[y]);
  a.z0                  = static_cast<std::int32_t>(box.begin[z]);
  a.x_begin             = static_cast<std::int32_t>(box.begin[2]);
  a.x_end               = static_cast<std::int32_t>(box.end[2]);
  a.y_end               = static_cast<std::int32_t>(box.end[y]);
  a.z_end               = static_cast<std::int32_t>(box.end[z]);
  a.aligned =
      modulo(x0 + out_phase, 4) == 0 && (a.y_extent == 1 || a.out_y % 4 == 0) && (a.z_extent == 1 || a.out_z % 4 == 0);

  a.blocks_x = static_cast<std::uint32_t>(divide_up(a.x_end - x0, m_layout.width));
  a.blocks_y = static_cast<std::uint32_t>(divide_up(a.y_end - a.y0, m_layout.height));
  if (cut(w)) w.done = box;
  return w;
}

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
