// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorPlan.hpp"

#include "common/CudaModel.hpp"
#include "common/Alignment.hpp"

#include <transform/FoldPack.hpp>
#include <transform/Pack.hpp>
#include <transform/RowPairPack.hpp>
#include <transform/Rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

constexpr std::int64_t warp_outputs = 128;
constexpr std::int64_t lead         = Transform::window_lead;
constexpr std::int64_t piece        = Transform::piece_elements;
constexpr std::int64_t far          = std::int64_t(1) << 30;
constexpr std::int64_t slab_planes = 10, slab_planes_of_two = 16;  // with one matrix, with hi and lo

std::vector<Kernel> const& kernels() {
  static std::vector<Kernel> const all = [] {
    std::vector<Kernel> k;
    for (auto const& source :
         {plane_tiles(), plane_streams(), line_tiles(), space_tiles(), space_slabs(), dense_planes()}) {
      k.insert(k.end(), source.begin(), source.end());
    }
    return k;
  }();
  return all;
}

static_assert(wide_rows == Transform::row_pair_rows && wide_pairs == Transform::row_pairs &&
                  wide_products == Transform::row_pair_products,
              "");

std::vector<Kernel> const& wide_kernels() {
#ifdef KOKKOSSTENCIL_CUDA_WGMMA
  static std::vector<Kernel> const all = wide_planes();
#else
  static std::vector<Kernel> const all;
#endif
  return all;
}

constexpr std::int64_t wide_least = 20;  // rows of a tile of the kernel `wide`

/// Its tiles: their height, how many lie one below the other, and the time in rows of a wave. None: too few rows.
struct WideCut {
  std::int64_t height, chunks;
  double rows;
};

WideCut cut_wide_tiles(std::int64_t strips, std::int64_t rows, int sm_count) {
  // A tile takes so many rows longer than it has.
  constexpr double start = 20.0;
  WideCut best{0, 0, std::numeric_limits<double>::max()};
  auto const offer = [&](std::int64_t height) {
    if (height < wide_least || height > rows) return;
    std::int64_t const chunks = divide_up(rows, height);
    double const time =
        static_cast<double>(divide_up(strips * chunks, sm_count)) * (static_cast<double>(height) + start);
    if (time < best.rows) best = {height, chunks, time};
  };
  offer((rows + 12) / 16 * 16 - 12);
  for (std::int64_t waves = divide_up(strips, sm_count), last = waves + 3; waves < last; ++waves) {
    offer(divide_up(divide_up(rows, waves * sm_count / strips) + 12, 16) * 16 - 12);
  }
  return best;
}

Transform::Element element_of(Problem const& p) {
  return p.value_type == ValueType::float16 ? Transform::Element::half : Transform::Element::bfloat;
}

std::int64_t phase_of(void const* data) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data) % 128) / 2;
}

}  // namespace

TensorPlan::TensorPlan(Problem const& problem, DeviceFacts const& device, bool sparse, bool several)
    : m_device(device), m_sparse(sparse), m_several(several), m_reason(CudaModel::tensor_refusal(problem, sparse)) {
  if (!m_reason.empty()) return;
  m_problem = problem;
  choose();
}

void TensorPlan::choose() {
  Problem const& p   = m_problem;
  m_parts            = !m_sparse || Transform::exact_in(p.terms, element_of(p)) ? 1 : 2;
  bool const is_line = p.extent[0] == 1 && p.extent[1] == 1;
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1;
  if (is_line) {
    for (Transform::Piece const& each : Transform::split_rows(Transform::kernel_rows(p.terms))) {
      m_shifts.push_back(each.shift);
    }
    m_kernel = find(static_cast<int>(m_shifts.size()), 1, false);
  } else if (nz == 1) {
    m_kernel = find_wide(ny);
    if (m_kernel == nullptr) m_kernel = find(1, ny, false);
  } else {
    m_kernel = find(3, 3, std::all_of(p.terms.begin(), p.terms.end(), [](Impl::Term const& t) {
                      return t.offset[0] == 0 || t.offset[1] == 0;
                    }));
  }
  if (m_kernel == nullptr) {
    m_reason = is_line ? "has no kernel for " + std::to_string(m_shifts.size()) + " windows"
                       : "has no kernel for a grid of so few rows";
    return;
  }
  // Pieces are counted in 32 bits.
  std::int64_t const pieces = (p.extent[0] * p.in_stride[0] + p.extent[1] * p.in_stride[1]) / piece;
  if (p.extent[2] > far || p.points() / warp_outputs > far || (!is_line && pieces > 2 * far)) {
    m_kernel = nullptr;
    m_reason = "more tiles than a launch has";
    return;
  }
  // An alignment that suits: does anything remain inside?
  if (work(nullptr, nullptr).blocks == 0) {
    m_reason = "the interior has fewer than " + std::to_string(m_kernel->height) + " rows or no whole piece of 8";
    m_kernel = nullptr;
  }
}

Kernel const* TensorPlan::find(int loads, int rows, bool cross) const {
  std::int64_t const points = m_problem.points();
  Kernel const* best        = nullptr;
  for (Kernel const& k : kernels()) {
    bool const slab = k.kind == Kernel::slab;
    if (k.key.loads < loads || k.key.rows < rows || k.key.parts != m_parts) continue;
    if (k.key.cross != cross && !slab) continue;
    if (m_several ? !k.several : !k.one) continue;
    if ((k.key.loads == 1) != (loads == 1) || (k.key.rows == 1) != (rows == 1)) continue;
    if (k.key.sparse != m_sparse || k.key.bfloat != (element_of(m_problem) == Transform::Element::bfloat)) continue;
    std::int64_t const y = m_problem.end[1] - m_problem.begin[1];
    if (loads == 1 && rows > 1 && y < k.height) continue;
    if (slab && (y < k.deep + 2 || m_problem.lower[2] < -1 || m_problem.upper[2] > 1)) continue;
    if (best == nullptr || k.key.rows < best->key.rows || k.key.loads < best->key.loads) {
      best = &k;
      continue;
    }
    if (k.key.rows > best->key.rows || k.key.loads > best->key.loads) continue;
    // The same matrices twice: tall tiles want enough of them to fill the card.
    bool const fills =
        points / (warp_outputs * std::max(k.height, best->height)) >= std::int64_t(32) * m_device.sm_count;
    bool const k_tall = k.kind != Kernel::tiles, best_tall = best->kind != Kernel::tiles;
    bool const taller = k_tall != best_tall ? k_tall : k.height > best->height;
    if (taller == fills) best = &k;
  }
  return best;
}

/// Where the kernel by wgmma is there and is the faster one: on planes that fill the card.
Kernel const* TensorPlan::find_wide(int rows) const {
  constexpr int least_rows = 9;
  // Of the time that mma.sp takes for as many points.
  constexpr double faster = 0.8;
  Problem const& p        = m_problem;
  if (m_device.compute_capability != 90 || !m_sparse || m_parts != 1 || rows < least_rows || rows > wide_rows) {
    return nullptr;
  }
  PointBox const box        = interior(p);
  std::int64_t const planes = box.end[0] - box.begin[0], x = box.end[2] - box.begin[2];
  std::int64_t const y = box.end[1] - box.begin[1] - (wide_rows - rows);
  if (box.empty() || y < wide_least) return nullptr;
  WideCut const cut    = cut_wide_tiles(divide_up(x, wide_outputs) * planes, y, m_device.sm_count);
  double const by_ring = static_cast<double>(planes * x) / wide_outputs * static_cast<double>(y) / m_device.sm_count;
  if (faster * cut.rows > by_ring) return nullptr;
  for (Kernel const& k : wide_kernels()) {
    if (k.key.bfloat == (element_of(p) == Transform::Element::bfloat) && k.several == m_several) return &k;
  }
  return nullptr;
}

Operand TensorPlan::operand() const {
  if (m_kernel->kind == Kernel::wide) {
    return {Transform::pack_row_pairs(m_problem.terms, element_of(m_problem), m_problem.lower[1]).a, {}};
  }
  if (m_kernel->kind == Kernel::slab) {
    Transform::FoldPack fold = Transform::pack_fold(m_problem.terms, element_of(m_problem), m_parts);
    return {std::move(fold.a), fold.metadata};
  }
  Transform::PackOptions options;
  options.element = element_of(m_problem);
  Transform::Pack const full =
      m_sparse ? Transform::pack_sparse(m_problem.terms, options) : Transform::pack_dense(m_problem.terms, options);
  std::size_t const words = static_cast<std::size_t>(full.steps) * Transform::warp_lanes * 4;
  auto const pieces       = static_cast<std::size_t>(m_kernel->pieces);
  std::vector<std::uint32_t> all(static_cast<std::size_t>(full.parts) * pieces * words, 0u);
  bool const is_space = m_kernel->key.loads > 1 && m_kernel->key.rows > 1;
  for (std::size_t p = 0; p < full.pieces.size(); ++p) {
    Transform::PieceKey const& k = full.pieces[p];
    int load = 0, row = 0;
    if (is_space) {
      load = k.dz + 1;
      row  = k.dy + 1;
    } else if (m_kernel->key.loads > 1) {
      load = static_cast<int>(std::find(m_shifts.begin(), m_shifts.end(), k.shift) - m_shifts.begin());
    } else {
      row = k.dy - m_problem.lower[1];
    }
    auto const to = static_cast<std::size_t>(m_kernel->piece(load, row));
    for (int part = 0; part < full.parts; ++part) {
      auto const from = full.a.begin() + static_cast<std::ptrdiff_t>(full.index(part, static_cast<int>(p), 0, 0));
      std::copy(from, from + static_cast<std::ptrdiff_t>(words),
                all.begin() + static_cast<std::ptrdiff_t>((static_cast<std::size_t>(part) * pieces + to) * words));
    }
  }
  return {std::move(all), full.metadata};
}

std::vector<PlainTerm> TensorPlan::terms() const {
  std::vector<PlainTerm> all;
  for (Impl::Term const& t : m_problem.terms) {
    all.push_back({t.offset[0] * m_problem.in_stride[0] + t.offset[1] * m_problem.in_stride[1] + t.offset[2],
                   static_cast<float>(t.coefficient)});
  }
  return all;
}

bool TensorPlan::cut_wide(Work& work, std::int64_t rows) const {
  TensorArgs& a             = work.args;
  std::int64_t const strips = static_cast<std::int64_t>(a.strips) * a.planes;
  if (strips == 0 || rows < wide_least) return false;
  WideCut const cut = cut_wide_tiles(strips, rows, m_device.sm_count);
  if (strips * cut.chunks > far) return false;
  a.height    = static_cast<std::uint32_t>(cut.height);
  a.chunks    = static_cast<std::uint32_t>(cut.chunks);
  work.blocks = static_cast<unsigned>(strips * cut.chunks);
  return true;
}

/// Cuts the rows into tiles and counts the blocks.
bool TensorPlan::cut(Work& work, std::int64_t rows) const {
  if (m_kernel->kind == Kernel::wide) return cut_wide(work, rows);
  Kernel const& k          = *m_kernel;
  TensorArgs& a            = work.args;
  std::int64_t const strip = static_cast<std::int64_t>(a.strips) * a.planes;
  std::int64_t height      = k.height;
  if (rows < height || strip == 0) return false;
  std::int64_t const slots = static_cast<std::int64_t>(m_device.sm_count) * k.blocks_per_sm;
  a.low_height             = static_cast<std::uint32_t>(height);
  a.tall_chunks            = static_cast<std::uint32_t>(far);
  std::int64_t chunks      = 0;
  if (k.kind == Kernel::ring && strip <= slots) {
    // One wave of tall tiles for most rows, and low ones that even out what that leaves.
    std::int64_t const low  = 6 * k.height;
    std::int64_t const wave = slots / strip;
    std::int64_t const tall = rows * 4 / 5 / wave / k.height * k.height;
    if (tall >= 3 * low) {
      height        = tall;
      a.low_height  = static_cast<std::uint32_t>(low);
      a.tall_chunks = static_cast<std::uint32_t>(wave);
      chunks        = wave + divide_up(rows - wave * tall, low);
    }
  }
  if (k.kind != Kernel::tiles && chunks == 0) {
    // Whole waves: the time is that of the warp with most rows, and each tile costs a few rows to start. Blocks of many
    // waves of slabs begin and end at any time.
    bool const slab            = k.kind == Kernel::slab;
    std::int64_t const most    = k.kind == Kernel::ring     ? far
                                 : slab && k.key.parts == 1 ? slab_planes
                                                            : slab_planes_of_two;
    std::int64_t const start   = slab ? 4 : 16;
    std::int64_t const highest = std::min(rows / k.height, most);
    double best                = std::numeric_limits<double>::max();
    for (std::int64_t m = 1; m <= highest; m += std::max<std::int64_t>(1, m / 16)) {
      // The fewest units that give this number of chunks.
      std::int64_t const parts = divide_up(rows, m * k.height);
      std::int64_t const least = divide_up(divide_up(rows, parts), k.height);
      if (least > highest) continue;
      double waves = static_cast<double>(strip * parts) / static_cast<double>(slots);
      if (!slab || waves < 6.0) waves = std::ceil(waves);
      double const cost = waves * static_cast<double>(least * k.height + start);
      if (cost < best) {
        best   = cost;
        height = least * k.height;
      }
    }
  }
  if (chunks == 0) chunks = divide_up(rows, height);
  if (strip * chunks > far) return false;
  a.height = static_cast<std::uint32_t>(height);
  a.chunks = static_cast<std::uint32_t>(chunks);
  switch (k.kind) {
    case Kernel::tiles:
      work.blocks = static_cast<unsigned>(divide_up(a.strips, k.warps[0]) * divide_up(chunks, k.warps[1]) *
                                          divide_up(a.planes, k.warps[2]));
      break;
    case Kernel::stream: work.blocks = static_cast<unsigned>(std::min(slots, strip * chunks)); break;
    case Kernel::ring:
    case Kernel::wide:
    case Kernel::slab: work.blocks = static_cast<unsigned>(strip * chunks); break;
  }
  return true;
}

Work TensorPlan::work(void const* in, void* out) const {
  Work w;
  w.args.in                    = in;
  w.args.out                   = out;
  w.args.unscale               = 1.0f;
  w.args.sweeps                = 1;
  w.done                       = {m_problem.begin, m_problem.begin};
  bool const is_line           = m_problem.extent[0] == 1 && m_problem.extent[1] == 1;
  std::int64_t const in_phase  = phase_of(in);
  std::int64_t const out_phase = phase_of(out);
  // Stores are 8 bytes where loads are 16.
  if (modulo(in_phase - out_phase, piece / 2) != 0) return w;
  return is_line ? line(w, in_phase, out_phase) : plane(w, in_phase, out_phase);
}

/// A line is cut into rows of 128 points, one below the other.
Work TensorPlan::line(Work w, std::int64_t in_phase, std::int64_t /*out_phase*/) const {
  Problem const& p      = m_problem;
  PointBox const inside = interior(p);
  // The first and the last window have to lie in the View, whatever their matrices use of it.
  std::int64_t const first = std::max(inside.begin[2], lead - m_shifts.front());
  std::int64_t const start = aligned_up(first, in_phase, piece);
  std::int64_t const end   = std::min(inside.end[2], p.extent[2] - lead - m_shifts.back());
  std::int64_t const rows  = (end - start) / warp_outputs;
  if (end <= start || rows < m_kernel->height) return w;

  TensorArgs& a = w.args;
  a.in          = static_cast<std::uint16_t const*>(w.args.in) + start;
  a.out         = static_cast<std::uint16_t*>(w.args.out) + start;
  a.window      = static_cast<std::uint16_t const*>(a.in) + m_shifts.front();
  a.in_y = a.out_y = warp_outputs;
  // A missing load reads what the last one does, with zero matrices.
  for (int l = 0; l < m_kernel->key.loads; ++l) {
    auto const s     = std::min(static_cast<std::size_t>(l), m_shifts.size() - 1);
    a.load_offset[l] = m_shifts[s] - m_shifts.front();
  }
  a.piece_first = -1024;
  a.piece_last  = 1024;
  a.lead        = static_cast<std::int32_t>(lead);
  a.x_end       = static_cast<std::int32_t>(warp_outputs);
  a.y_end       = rows;
  a.z_end       = 1;
  a.strips = a.planes = 1;
  a.term_count        = static_cast<std::int32_t>(p.terms.size());
  if (!cut(w, rows)) return w;
  w.done.begin[2] = start;
  w.done.end      = p.end;
  w.done.end[2]   = start + rows * warp_outputs;
  return w;
}

Work TensorPlan::plane(Work w, std::int64_t in_phase, std::int64_t out_phase) const {
  Problem const& p      = m_problem;
  KernelKey const& key  = m_kernel->key;
  bool const is_space   = key.loads > 1;
  int const first_plane = is_space ? -1 : 0, last_plane = is_space ? 1 : 0;
  int const first_row = is_space ? -1 : p.lower[1], last_row = first_row + key.rows - 1;
  // The kernel may read more rows than the stencil does.
  PointBox box = interior(p);
  box.begin[0] = std::max<std::int64_t>(box.begin[0], -first_plane);
  box.end[0]   = std::min(box.end[0], p.extent[0] - last_plane);
  box.begin[1] = std::max<std::int64_t>(box.begin[1], -first_row);
  box.end[1]   = std::min(box.end[1], p.extent[1] - last_row);
  // Only whole aligned pieces inside the row are read.
  std::int64_t const first_piece = aligned_up(0, in_phase, piece);
  std::int64_t const last_piece  = aligned_down(p.extent[2], in_phase, piece) - piece;
  box.begin[2]                   = std::max(box.begin[2], first_piece - p.lower[2]);
  box.end[2]                     = std::min(box.end[2], last_piece + piece - p.upper[2]);
  if (box.empty() || last_piece < first_piece) return w;

  TensorArgs& a = w.args;
  a.window = static_cast<std::uint16_t const*>(w.args.in) + first_plane * p.in_stride[0] + first_row * p.in_stride[1];
  a.pieces = static_cast<std::uint16_t const*>(a.window) + first_piece;
  for (int l = 0; l < key.loads; ++l) a.load_offset[l] = l * p.in_stride[0];
  a.piece_first = static_cast<std::int32_t>(first_piece);
  a.piece_last  = static_cast<std::int32_t>(last_piece);
  a.lead        = static_cast<std::int32_t>(lead);
  // Whole lines of the output a warp, if the input goes along with that.
  std::int64_t x0 = aligned_down(box.begin[2], out_phase, 64);
  if (modulo(x0 + in_phase, piece) != 0) x0 = aligned_down(box.begin[2], in_phase, piece);
  a.x0      = static_cast<std::int32_t>(x0);
  a.x_begin = static_cast<std::int32_t>(box.begin[2]);
  a.x_end   = static_cast<std::int32_t>(box.end[2]);
  a.strips  = static_cast<std::uint32_t>(
      divide_up(box.end[2] - x0, m_kernel->kind == Kernel::wide ? wide_outputs : warp_outputs));
  a.term_count = static_cast<std::int32_t>(p.terms.size());
  // Slabs take the slow axis for y.
  bool const through  = m_kernel->kind == Kernel::slab;
  std::size_t const y = through ? 0 : 1, z = through ? 1 : 0;
  std::int64_t const deep = std::max(m_kernel->deep, 1), planes = box.end[z] - box.begin[z];
  if (planes < deep) return w;
  a.in_y    = p.in_stride[y];
  a.in_z    = p.in_stride[z];
  a.out_y   = p.out_stride[y];
  a.out_z   = p.out_stride[z];
  a.y_begin = box.begin[y];
  a.y_end   = box.end[y];
  a.z_begin = box.begin[z];
  a.z_end   = box.end[z];
  a.planes  = static_cast<std::uint32_t>(divide_up(planes, deep));
  if (cut(w, box.end[y] - box.begin[y])) w.done = box;
  return w;
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
