// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_tensor/Plan.hpp"
#include "sparse_tensor/ShearedLayout.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/TensorPlan.hpp"

#include <transform/BandWords.hpp>
#include <transform/FoldPack.hpp>
#include <transform/Pack.hpp>
#include <transform/RowPairPack.hpp>
#include <transform/Rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

constexpr std::int64_t lead   = Transform::window_lead;
constexpr std::int64_t vector = Transform::vector_elements;  // elements of 16 bytes

static_assert(wgmma_pairs == Transform::row_pairs && wgmma_products == Transform::row_pair_products, "");
static_assert(plane_wgmma().rows == Transform::row_pair_rows, "");

#ifdef KOKKOSSTENCIL_CUDA_WITHOUT_WGMMA
constexpr bool has_wgmma = false;
#else
constexpr bool has_wgmma = true;
#endif

constexpr int most_rows() {
  int most = 0;
  for (KernelTuning const& k : kernels) most = k.rows > most ? k.rows : most;
  return most;
}

/// Why no kernel can run a problem, whatever the size of its grid; empty if one may.
std::string stencil_unsupported_reason(Problem const& p) {
  if (std::string const no = half_product_unsupported_reason(p); !no.empty()) return no;
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1;
  bool const line = Cuda::is_line(p);
  if (line && (ny > 1 || nz > 1)) return "reaches across axes of one point";
  if (std::string no = line ? "" : window_unsupported_reason(p); !no.empty()) return no;
  bool const flat   = nz == 1 && ny <= most_rows(),
             around = p.lower[0] >= -1 && p.upper[0] <= 1 && p.lower[1] >= -1 && p.upper[1] <= 1;
  if (!flat && !around) {
    return "has no kernel for a reach of " + std::to_string(nz) + " planes by " + std::to_string(ny) + " rows";
  }
  if (!Transform::exact_in(p.terms, element_of(p.value_type)) &&
      !Transform::holds_split(p.terms, element_of(p.value_type))) {
    return std::string("a coefficient is too large or too small to be split into two ") + to_string(p.value_type);
  }
  return "";
}

/// How a kernel by wgmma cuts rows: the height of its tiles, how many lie one below the other, and the time of all
/// waves in rows. Height 0: there are too few rows.
struct WgmmaCut {
  std::int64_t height, chunks;
  double rows;
};

/// The greatest height of a tile that is at most so many rows, and the smallest that is at least so many.
std::int64_t wgmma_height_below(KernelTuning const& k, std::int64_t rows) {
  std::int64_t const more = k.height - wgmma_tile_unit;
  return (rows - more) / wgmma_tile_unit * wgmma_tile_unit + more;
}
std::int64_t wgmma_height_above(KernelTuning const& k, std::int64_t rows) {
  return wgmma_height_below(k, rows + wgmma_tile_unit - 1);
}

WgmmaCut cut_wgmma_tiles(KernelTuning const& k, std::int64_t strips, std::int64_t rows, int multiprocessors) {
  WgmmaCut best{0, 0, std::numeric_limits<double>::max()};
  std::int64_t const slots = std::int64_t(multiprocessors) * k.blocks_per_sm;
  int const start          = k.anywhere ? wgmma_anywhere_start_rows : wgmma_start_rows;
  auto const offer         = [&](std::int64_t height) {
    if (height < k.height || height > rows) return;
    std::int64_t const chunks = divide_up(rows, height);
    double const time = static_cast<double>(divide_up(strips * chunks, slots)) * static_cast<double>(height + start);
    if (time < best.rows) best = {height, chunks, time};
  };
  offer(wgmma_height_below(k, rows));
  for (std::int64_t waves = divide_up(strips, slots), last = waves + 3; waves < last; ++waves) {
    offer(wgmma_height_above(k, divide_up(rows, waves * slots / strips)));
  }
  return best;
}

/// Whether the wgmma kernel is faster than `ring`, which it is on planes that fill the GPU.
bool wgmma_pays(KernelTuning const& k, Request const& request, Problem const& p, DeviceModel const& device) {
  if (!has_wgmma || device.compute_capability != k.compute_capability || request.splits != 1 || request.loads != 1 ||
      Cuda::is_line(p) || request.rows < wgmma_least_rows || request.rows > k.rows) {
    return false;
  }
  PointBox const box        = interior(p);
  std::int64_t const planes = box.end[0] - box.begin[0], x = box.end[2] - box.begin[2];
  std::int64_t const y = box.end[1] - box.begin[1] - (k.rows - request.rows);
  if (box.empty() || y < k.height) return false;
  WgmmaCut const cut = cut_wgmma_tiles(k, divide_up(x, wgmma_columns) * planes, y, device.multiprocessors);
  double const by_ring =
      static_cast<double>(planes * x) / wgmma_columns * static_cast<double>(y) / device.multiprocessors;
  return wgmma_time_over_ring(request.rows, request.several) * cut.rows <= by_ring;
}

/// Whether a kernel by wgmma for rows that begin anywhere can compute a problem.
bool wgmma_fits_anywhere(KernelTuning const& k, Request const& request, Problem const& p, DeviceModel const& device) {
  if (!has_wgmma || device.compute_capability != k.compute_capability || request.splits != k.splits ||
      request.loads != 1 || Cuda::is_line(p) || request.rows < wgmma_anywhere_least_rows || request.rows > k.rows ||
      p.lower[2] < -k.reach || p.upper[2] > k.reach) {
    return false;
  }
  PointBox const box = interior(p);
  return !box.empty() && box.end[1] - box.begin[1] >= k.height && box.end[2] - box.begin[2] >= wgmma_columns;
}

/// Whether `sheared` can compute a problem.
bool fits_sheared(KernelTuning const& k, Problem const& p) {
  ShearedLayout const layout = sheared_layout(p);
  PointBox const box         = interior(p);
  if (!layout || box.empty() || layout.rows(p, box, 1) < k.block_rows()) return false;
  std::int64_t const columns = box.end[2] - box.begin[2], rows = box.end[1] - box.begin[1];
  return static_cast<double>(columns * rows) >=
         sheared_least_part * static_cast<double>(p.in_stride[1]) * static_cast<double>(rows);
}

}  // namespace

PointBox wgmma_anywhere_box(KernelTuning const& k, Problem const& p) {
  PointBox box             = interior(p);
  std::int64_t const width = box.end[2] - box.begin[2], past = width % wgmma_columns;
  if (!k.several && width > wgmma_columns && past <= wgmma_spare_columns) box.end[2] -= past;
  return box;
}

double wgmma_redundancy(KernelTuning const& k, Problem const& p, DeviceModel const& device) {
  PointBox const box = wgmma_anywhere_box(k, p);
  auto const size    = [&](std::size_t a) { return box.end[a] - box.begin[a]; };
  WgmmaCut const cut = cut_wgmma_tiles(k, divide_up(size(2), wgmma_columns) * size(0), size(1), device.multiprocessors);
  double const columns = static_cast<double>(size(0) * size(2)) / wgmma_columns;
  return cut.rows * device.multiprocessors * k.blocks_per_sm / (columns * static_cast<double>(size(1)));
}

bool reads_anywhere(Problem const& p) {
  // Kernels load 16 bytes and store 8.
  for (std::size_t a = 0; a < 2; ++a) {
    if (p.extent[a] > 1 && (p.in_stride[a] % vector != 0 || p.out_stride[a] % (vector / 2) != 0)) return true;
  }
  return (p.in_phase - p.out_phase) % 8 != 0;
}

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  return Plan(p, device).unsupported_reason();
}

Problem composed_problem(Problem const& problem, int depth, std::vector<Term> terms) {
  Problem p = problem;
  p.terms   = std::move(terms);
  for (std::size_t a = 1; a < 3; ++a) {
    int const reach = Cuda::reach_of(problem, a);
    if (p.faces[a][0].kind != BoundaryKind::periodic || p.begin[a] != 0 || p.end[a] != p.extent[a]) {
      p.begin[a] += (depth - 1) * reach;
      p.end[a] -= (depth - 1) * reach;
    }
    p.lower[a] = -depth * reach;
    p.upper[a] = depth * reach;
  }
  return p;
}

KernelTuning const* choose_kernel(Request const& request, Problem const& p, DeviceModel const& device) {
  std::int64_t const points = p.points();
  KernelTuning const* best  = nullptr;
  KernelTuning const* tall  = nullptr;  // wgmma_anywhere
  // Aligned rows for which that may be the best kernel, too: of many rows with coefficients in two parts; and off the
  // start of a vector, since it leaves no columns at the ends to the boundary kernel.
  bool const in_parts = request.splits == 2 && request.rows >= wgmma_least_rows_in_parts;
  bool const off      = p.in_phase != 0 && !request.several && request.rows >= wgmma_least_rows;
  for (KernelTuning const& k : kernels) {
    if (request.several ? !k.several : !k.single) continue;
    if (k.anywhere != request.anywhere && !(k.anywhere && k.algorithm == Algorithm::wgmma && (in_parts || off)))
      continue;
    if (k.algorithm == Algorithm::wgmma) {
      if (k.anywhere) {
        if (tall == nullptr && wgmma_fits_anywhere(k, request, p, device)) tall = &k;
        continue;
      }
      if (wgmma_pays(k, request, p, device)) best = &k;
      continue;
    }
    bool const slab = k.algorithm == Algorithm::slab;
    if (k.loads < request.loads || k.rows < request.rows || k.splits != request.splits) continue;
    if (k.cross != request.cross && !slab) continue;
    if ((k.loads == 1) != (request.loads == 1) || (k.rows == 1) != (request.rows == 1)) continue;
    std::int64_t const y = p.end[1] - p.begin[1];
    if (request.loads == 1 && request.rows > 1 && y < k.height) continue;
    if (slab && (y < k.block_rows() + 2 || p.lower[2] < -1 || p.upper[2] > 1)) continue;
    if (k.algorithm == Algorithm::sheared && !fits_sheared(k, p)) continue;
    if (best == nullptr || k.rows < best->rows || k.loads < best->loads) {
      best = &k;
      continue;
    }
    if (k.rows > best->rows || k.loads > best->loads) continue;
    // Of two kernels for the same stencils the one with taller tiles is better only if these fill the GPU.
    bool const fills = points / (warp_outputs * std::max(k.height, best->height)) >=
                       std::int64_t(tiles_that_fill) * device.multiprocessors;
    bool const taller = k.tall() != best->tall() ? k.tall() : k.height > best->height;
    if (taller == fills) best = &k;
  }
  if (tall == nullptr) return best;
  if (off && best != nullptr && best->algorithm == Algorithm::wgmma) return tall;
  bool const pays =
      best == nullptr || wgmma_redundancy(*tall, p, device) * best->efficiency * best->split_speed <= tall->efficiency;
  return pays ? tall : best;
}

Plan::Plan(Problem const& problem, DeviceModel const& device, bool several)
    : m_multiprocessors(device.multiprocessors), m_several(several), m_reason(Cuda::no_cuda(problem, device)) {
  if (m_reason.empty()) m_reason = stencil_unsupported_reason(problem);
  if (!m_reason.empty()) return;
  m_problem = problem;
  m_reason  = choose(device);
}

Plan::Plan(Problem const& problem, DeviceModel const& device, KernelTuning const& kernel)
    : m_multiprocessors(device.multiprocessors),
      m_splits(kernel.splits),
      m_reason(stencil_unsupported_reason(problem)),
      m_kernel(&kernel) {
  if (!m_reason.empty()) return;
  m_problem = problem;
  m_reason  = does_not_fit();
}

std::string Plan::choose(DeviceModel const& device) {
  Problem const& p   = m_problem;
  bool const is_line = Cuda::is_line(p);
  Request request;
  request.splits = m_splits = Transform::exact_in(p.terms, element_of(p.value_type)) ? 1 : 2;
  request.several           = m_several;
  request.anywhere          = reads_anywhere(p);
  if (is_line) {
    for (Transform::Chunk const& each : Transform::split_rows(Transform::kernel_rows(p.terms))) {
      m_shifts.push_back(each.shift);
    }
    request.loads = static_cast<int>(m_shifts.size());
  } else if (p.upper[0] == p.lower[0]) {
    request.rows = p.upper[1] - p.lower[1] + 1;
  } else {
    request.loads = request.rows = 3;
    request.cross =
        std::all_of(p.terms.begin(), p.terms.end(), [](Term const& t) { return t.offset[0] == 0 || t.offset[1] == 0; });
  }
  m_kernel = choose_kernel(request, p, device);
  if (m_kernel == nullptr && request.anywhere) {
    return "rows are not 16-byte aligned: a pitch of " + std::to_string(p.in_stride[1]) +
           " elements is not a multiple of 8, or the Views do not begin alike; pad the rows of the View";
  }
  if (m_kernel == nullptr) {
    return is_line ? "has no kernel for " + std::to_string(m_shifts.size()) + " windows"
                   : "has no kernel for a grid of so few rows";
  }
  return does_not_fit();
}

std::string Plan::does_not_fit() const {
  Problem const& p = m_problem;
  // Kernels count vectors in 32 bits.
  std::int64_t const vectors = (p.extent[0] * p.in_stride[0] + p.extent[1] * p.in_stride[1]) / vector;
  if (p.extent[2] > index_limit || p.points() / warp_outputs > index_limit ||
      (!Cuda::is_line(p) && vectors > 2 * index_limit)) {
    return "more tiles than a launch has";
  }
  // With null pointers, which are aligned: does the kernel get any points?
  if (work(nullptr, nullptr).blocks > 0) return "";
  return "the interior has fewer than " + std::to_string(m_kernel->height) + " rows or no whole vector of 16 bytes";
}

Plan::Operands Plan::operands() const {
  if (m_kernel->algorithm == Algorithm::wgmma && m_kernel->anywhere) {
    return {Transform::pack_band_words(m_problem.terms, element_of(m_problem.value_type), m_problem.lower[1],
                                       m_kernel->rows, m_splits),
            {}};
  }
  if (m_kernel->algorithm == Algorithm::wgmma) {
    return {Transform::pack_row_pairs(m_problem.terms, element_of(m_problem.value_type), m_problem.lower[1]).a, {}};
  }
  if (m_kernel->algorithm == Algorithm::slab) {
    Transform::FoldPack fold = Transform::pack_fold(m_problem.terms, element_of(m_problem.value_type), m_splits);
    return {std::move(fold.a), fold.metadata};
  }
  bool const sheared = m_kernel->algorithm == Algorithm::sheared;
  Transform::PackOptions options;
  options.element      = element_of(m_problem.value_type);
  options.coefficients = m_splits == 2 ? Transform::Coefficients::split : Transform::Coefficients::rounded;
  Transform::Pack const full =
      Transform::pack_sparse(sheared ? sheared_layout(m_problem).terms(m_problem) : m_problem.terms, options);
  std::size_t const words = static_cast<std::size_t>(full.steps) * Transform::warp_lanes * 4;
  auto const matrices     = static_cast<std::size_t>(m_kernel->matrices());
  std::vector<std::uint32_t> all(static_cast<std::size_t>(full.splits) * matrices * words, 0u);
  bool const is_space = m_kernel->loads > 1 && m_kernel->rows > 1;
  for (std::size_t p = 0; p < full.chunks.size(); ++p) {
    Transform::ChunkKey const& key = full.chunks[p];
    int load = 0, row = 0;
    if (is_space) {
      load = key.dz + 1;
      row  = key.dy + 1;
    } else if (m_kernel->loads > 1) {
      load = static_cast<int>(std::find(m_shifts.begin(), m_shifts.end(), key.shift) - m_shifts.begin());
    } else {
      row = key.dy - m_problem.lower[1];
    }
    auto const to = static_cast<std::size_t>(matrix_index(m_kernel->loads, m_kernel->rows, m_kernel->cross, load, row));
    for (int split = 0; split < full.splits; ++split) {
      auto const from = full.a.begin() + static_cast<std::ptrdiff_t>(full.index(split, static_cast<int>(p), 0, 0));
      std::copy(from, from + static_cast<std::ptrdiff_t>(words),
                all.begin() + static_cast<std::ptrdiff_t>((static_cast<std::size_t>(split) * matrices + to) * words));
    }
  }
  return {std::move(all), full.metadata};
}

std::vector<PlainTerm> Plan::terms() const {
  std::vector<PlainTerm> all;
  for (Term const& t : m_problem.terms) {
    all.push_back({t.offset[0] * m_problem.in_stride[0] + t.offset[1] * m_problem.in_stride[1] + t.offset[2],
                   static_cast<float>(t.coefficient)});
  }
  return all;
}

bool Plan::cut_wgmma(Work& work, std::int64_t rows) const {
  Args& a                   = work.args;
  std::int64_t const strips = static_cast<std::int64_t>(a.strips) * a.planes;
  if (strips == 0 || rows < m_kernel->height) return false;
  WgmmaCut const cut = cut_wgmma_tiles(*m_kernel, strips, rows, m_multiprocessors);
  if (strips * cut.chunks > index_limit) return false;
  a.height    = static_cast<std::uint32_t>(cut.height);
  a.chunks    = static_cast<std::uint32_t>(cut.chunks);
  work.blocks = static_cast<unsigned>(strips * cut.chunks);
  return true;
}

/// Cuts the rows into tiles and counts the blocks.
bool Plan::cut(Work& work, std::int64_t rows) const {
  KernelTuning const& k = *m_kernel;
  if (k.algorithm == Algorithm::wgmma) return cut_wgmma(work, rows);
  Args& a                  = work.args;
  std::int64_t const strip = static_cast<std::int64_t>(a.strips) * a.planes;
  std::int64_t height      = k.height;
  if (rows < height || strip == 0) return false;
  std::int64_t const slots = static_cast<std::int64_t>(m_multiprocessors) * k.blocks_per_sm;
  a.low_height             = static_cast<std::uint32_t>(height);
  a.tall_chunks            = static_cast<std::uint32_t>(index_limit);
  std::int64_t chunks      = 0;
  bool const slab          = k.by_planes();
  if (k.algorithm == Algorithm::ring && strip <= slots) {
    // One wave of tall tiles takes most rows. Low tiles, which take the others, even out the ends of the tall ones.
    std::int64_t const low  = ring_low_units * k.height;
    std::int64_t const wave = slots / strip;
    std::int64_t const tall = rows * ring_tall_fifths / 5 / wave / k.height * k.height;
    if (tall >= ring_tall_over_low * low) {
      height        = tall;
      a.low_height  = static_cast<std::uint32_t>(low);
      a.tall_chunks = static_cast<std::uint32_t>(wave);
      chunks        = wave + divide_up(rows - wave * tall, low);
    }
  }
  if (k.tall() && chunks == 0) {
    // The time is that of the warp with most rows, so waves count as whole ones, and each tile costs a few rows to
    // start. With many waves of slabs blocks begin and end at any time, so that parts of a wave count as parts.
    std::int64_t const most    = k.algorithm == Algorithm::ring      ? index_limit
                                 : k.algorithm == Algorithm::sheared ? sheared_planes
                                                                     : slab_planes[slab && k.splits == 1 ? 0 : 1];
    std::int64_t const start   = slab ? slab_start_rows : tall_start_rows;
    std::int64_t const highest = std::min(rows / k.height, most);
    double best                = std::numeric_limits<double>::max();
    for (std::int64_t m = 1; m <= highest; m += std::max<std::int64_t>(1, m / 16)) {
      // The fewest units that give this number of chunks.
      std::int64_t const parts = divide_up(rows, m * k.height);
      std::int64_t const least = divide_up(divide_up(rows, parts), k.height);
      if (least > highest) continue;
      double waves = static_cast<double>(strip * parts) / static_cast<double>(slots);
      if (!slab || waves < slab_free_waves) waves = std::ceil(waves);
      double const cost = waves * static_cast<double>(least * k.height + start);
      if (cost < best) {
        best   = cost;
        height = least * k.height;
      }
    }
  }
  if (chunks == 0) chunks = divide_up(rows, height);
  if (strip * chunks > index_limit) return false;
  a.height = static_cast<std::uint32_t>(height);
  a.chunks = static_cast<std::uint32_t>(chunks);
  if (k.algorithm == Algorithm::tiles) {
    work.blocks = static_cast<unsigned>(divide_up(a.strips, k.warps[0]) * divide_up(chunks, k.warps[1]) *
                                        divide_up(a.planes, k.warps[2]));
  } else {
    bool const persistent = k.algorithm == Algorithm::stream;
    work.blocks           = static_cast<unsigned>(persistent ? std::min(slots, strip * chunks) : strip * chunks);
  }
  return true;
}

Work Plan::work(void const* in, void* out) const {
  Work w;
  w.args.in                    = in;
  w.args.out                   = out;
  w.args.unscale               = 1.0f;
  w.args.sweeps                = 1;
  w.done                       = {m_problem.begin, m_problem.begin};
  std::int64_t const in_phase  = phase_of(in, 2);
  std::int64_t const out_phase = phase_of(out, 2);
  // Kernels store 8 bytes of every 16 that they load, so input and output have to share their offset in 8 bytes.
  if (!m_kernel->anywhere && modulo(in_phase - out_phase, vector / 2) != 0) return w;
  if (Cuda::is_line(m_problem)) return line(w, in_phase);
  if (m_kernel->algorithm == Algorithm::sheared) return space_anywhere(w, in_phase, out_phase);
  return m_kernel->algorithm == Algorithm::wgmma && m_kernel->anywhere ? plane_anywhere(w)
                                                                       : plane(w, in_phase, out_phase);
}

/// A line is cut into rows of 128 points, one below the other.
Work Plan::line(Work w, std::int64_t in_phase) const {
  Problem const& p      = m_problem;
  PointBox const inside = interior(p);
  // The first and the last window have to lie in the View, whatever their matrices use of it.
  std::int64_t const first = std::max(inside.begin[2], lead - m_shifts.front());
  std::int64_t const start = aligned_up(first, in_phase, vector);
  std::int64_t const end   = std::min(inside.end[2], p.extent[2] - lead - m_shifts.back());
  std::int64_t const rows  = (end - start) / warp_outputs;
  if (end <= start || rows < m_kernel->height) return w;

  Args& a  = w.args;
  a.in     = static_cast<std::uint16_t const*>(w.args.in) + start;
  a.out    = static_cast<std::uint16_t*>(w.args.out) + start;
  a.window = static_cast<std::uint16_t const*>(a.in) + m_shifts.front();
  a.in_y = a.out_y = warp_outputs;
  // Where the line has fewer windows than the kernel has loads, the others read the last window, for zero matrices.
  for (int l = 0; l < m_kernel->loads; ++l) {
    auto const s     = std::min(static_cast<std::size_t>(l), m_shifts.size() - 1);
    a.load_offset[l] = m_shifts[s] - m_shifts.front();
  }
  // All vectors that the kernel reads lie in the View.
  a.vector_first = -8 * warp_outputs;
  a.vector_last  = 8 * warp_outputs;
  a.lead         = static_cast<std::int32_t>(lead);
  a.x_end        = warp_outputs;
  a.y_end        = rows;
  a.z_end        = 1;
  a.strips = a.planes = 1;
  a.term_count        = static_cast<std::int32_t>(p.terms.size());
  if (!cut(w, rows)) return w;
  w.done.begin[2] = start;
  w.done.end      = p.end;
  w.done.end[2]   = start + rows * warp_outputs;
  return w;
}

/// By wgmma, with tiles that begin at any column. The kernel knows where memory that it may read ends.
Work Plan::plane_anywhere(Work w) const {
  Problem const& p   = m_problem;
  PointBox const box = wgmma_anywhere_box(*m_kernel, p);
  if (box.empty() || box.end[2] - box.begin[2] < wgmma_columns) return w;
  Args& a      = w.args;
  a.window     = static_cast<std::uint16_t const*>(w.args.in) + p.lower[1] * p.in_stride[1];
  a.x_begin    = static_cast<std::int32_t>(box.begin[2]);
  a.x_end      = static_cast<std::int32_t>(box.end[2]);
  a.y_begin    = box.begin[1];
  a.y_end      = box.end[1];
  a.z_begin    = box.begin[0];
  a.z_end      = box.end[0];
  a.in_y       = p.in_stride[1];
  a.in_z       = p.in_stride[0];
  a.out_y      = p.out_stride[1];
  a.out_z      = p.out_stride[0];
  a.strips     = static_cast<std::uint32_t>(divide_up(box.end[2] - box.begin[2], wgmma_columns));
  a.planes     = static_cast<std::uint32_t>(box.end[0] - box.begin[0]);
  a.columns    = static_cast<std::int32_t>(p.extent[2]);
  a.rows       = p.extent[1] - p.lower[1];
  a.elements   = (p.extent[0] - 1) * p.in_stride[0] + (p.extent[1] - 1) * p.in_stride[1] + p.extent[2];
  a.term_count = static_cast<std::int32_t>(p.terms.size());
  if (cut(w, box.end[1] - box.begin[1])) w.done = box;
  return w;
}

/// By `sheared`: positions are counted from the line of memory in which the output begins.
Work Plan::space_anywhere(Work w, std::int64_t in_phase, std::int64_t out_phase) const {
  Problem const& p           = m_problem;
  ShearedLayout const layout = sheared_layout(p);
  PointBox const box         = interior(p);
  if (!layout || box.empty() || modulo(in_phase - out_phase, vector) != 0) return w;
  std::int64_t const rows = layout.rows(p, box, sheared_planes), planes = box.end[0] - box.begin[0];
  if (rows < m_kernel->block_rows()) return w;
  Args& a   = w.args;
  a.in      = static_cast<std::uint16_t const*>(w.args.in) - out_phase;
  a.out     = static_cast<std::uint16_t*>(w.args.out) - out_phase;
  a.in_y    = layout.row;
  a.in_z    = layout.plane;
  a.out_y   = p.out_stride[1];
  a.out_z   = p.out_stride[0];
  a.low     = out_phase;
  a.high    = out_phase + (p.extent[0] - 1) * p.in_stride[0] + (p.extent[1] - 1) * p.in_stride[1] + p.extent[2];
  a.first   = out_phase + box.begin[0] * p.in_stride[0] + box.begin[1] * p.in_stride[1] + box.begin[2];
  a.columns = static_cast<std::int32_t>(box.end[2] - box.begin[2]);
  a.rows    = box.end[1] - box.begin[1];
  // Slabs stream along the slowest axis, which kernels call y.
  a.y_end      = planes;
  a.z_end      = rows;
  a.strips     = static_cast<std::uint32_t>(layout.strips());
  a.planes     = static_cast<std::uint32_t>(divide_up(rows, m_kernel->block_rows()));
  a.term_count = static_cast<std::int32_t>(p.terms.size());
  if (cut(w, planes)) w.done = box;
  return w;
}

Work Plan::plane(Work w, std::int64_t in_phase, std::int64_t out_phase) const {
  Problem const& p      = m_problem;
  KernelTuning const& k = *m_kernel;
  bool const is_space   = k.loads > 1;
  int const first_plane = is_space ? -1 : 0, last_plane = is_space ? 1 : 0;
  int const first_row = is_space ? -1 : p.lower[1], last_row = first_row + k.rows - 1;
  // The kernel may read more rows than the stencil does.
  PointBox box = interior(p);
  box.begin[0] = std::max<std::int64_t>(box.begin[0], -first_plane);
  box.end[0]   = std::min(box.end[0], p.extent[0] - last_plane);
  box.begin[1] = std::max<std::int64_t>(box.begin[1], -first_row);
  box.end[1]   = std::min(box.end[1], p.extent[1] - last_row);
  // Kernels for rows that begin anywhere read beyond both ends of a row. Beyond the first and the last row of the View
  // there may be no memory.
  if (k.anywhere) {
    if (p.in_stride[1] < 2 * vector || p.extent[2] < 2 * vector) return w;
    box.begin[1] = std::max<std::int64_t>(box.begin[1], 1 - first_row);
    box.end[1]   = std::min(box.end[1], p.extent[1] - 1 - last_row);
  }
  // Only whole aligned vectors inside the row are read. Where rows begin anywhere, vectors begin at every eighth
  // column, and the last one may reach beyond the row.
  std::int64_t const first_vector = k.anywhere ? 0 : aligned_up(0, in_phase, vector);
  std::int64_t const last_vector =
      k.anywhere ? aligned_down(p.extent[2] - 1, 0, vector) : aligned_down(p.extent[2], in_phase, vector) - vector;
  box.begin[2] = std::max(box.begin[2], first_vector - p.lower[2]);
  box.end[2]   = std::min(box.end[2], last_vector + vector - p.upper[2]);
  if (box.empty() || last_vector < first_vector) return w;

  Args& a   = w.args;
  a.window  = static_cast<std::uint16_t const*>(w.args.in) + first_plane * p.in_stride[0] + first_row * p.in_stride[1];
  a.vectors = static_cast<std::uint16_t const*>(a.window) + first_vector;
  for (int l = 0; l < k.loads; ++l) a.load_offset[l] = l * p.in_stride[0];
  a.vector_first = static_cast<std::int32_t>(first_vector);
  a.vector_last  = static_cast<std::int32_t>(last_vector);
  a.lead         = static_cast<std::int32_t>(lead);
  // Warps store whole lines of memory, if the alignment of the input allows that.
  std::int64_t x0 = aligned_down(box.begin[2], k.anywhere ? 0 : out_phase, 64);
  if (!k.anywhere && modulo(x0 + in_phase, vector) != 0) x0 = aligned_down(box.begin[2], in_phase, vector);
  a.x0      = static_cast<std::int32_t>(x0);
  a.x_begin = static_cast<std::int32_t>(box.begin[2]);
  a.x_end   = static_cast<std::int32_t>(box.end[2]);
  a.strips  = static_cast<std::uint32_t>(
      divide_up(box.end[2] - x0, k.algorithm == Algorithm::wgmma ? wgmma_columns : warp_outputs));
  a.term_count = static_cast<std::int32_t>(p.terms.size());
  // Slabs stream along the slowest axis, which kernels call y.
  bool const slab     = k.algorithm == Algorithm::slab;
  std::size_t const y = slab ? 0 : 1, z = slab ? 1 : 0;
  std::int64_t const planes = box.end[z] - box.begin[z];
  if (planes < k.block_rows()) return w;
  a.in_y    = p.in_stride[y];
  a.in_z    = p.in_stride[z];
  a.out_y   = p.out_stride[y];
  a.out_z   = p.out_stride[z];
  a.y_begin = box.begin[y];
  a.y_end   = box.end[y];
  a.z_begin = box.begin[z];
  a.z_end   = box.end[z];
  a.planes  = static_cast<std::uint32_t>(divide_up(planes, k.block_rows()));
  if (cut(w, box.end[y] - box.begin[y])) w.done = box;
  return w;
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
