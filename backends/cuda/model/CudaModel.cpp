// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaModel.hpp"

#include "Passes.hpp"
#include "TableLayout.hpp"

#include <KokkosStencil_Error.hpp>
#include <model/Choice.hpp>
#include <model/Estimate.hpp>
#include <transform/Fused.hpp>
#include <transform/Pack.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace KokkosStencil {
namespace CudaModel {

namespace {

using Model::Kernel;

/// The GPU whose runs the constants below come from.
DeviceModel const& fitted_on() {
  static DeviceModel const device = *find_device(known_devices(), "NVIDIA H200");
  return device;
}

// --- Shapes -------------------------------------------------------------------------------------

/// What the stencil is; rank 0: neither star nor box.
Shape shape_of(Problem const& p) {
  int const r = p.upper[2];
  Shape s;
  s.radius          = r;
  s.rank            = p.upper[0] > 0 ? 3 : p.upper[1] > 0 ? 2 : 1;
  std::size_t count = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    int const expected = static_cast<int>(a) >= 3 - s.rank ? r : 0;
    if (r == 0 || p.upper[a] != expected || p.lower[a] != -expected) return {};
    count *= 2 * static_cast<std::size_t>(expected) + 1;
  }
  if (s.rank > 1 && p.terms.size() == count) return s;
  s.star         = true;
  bool const all = std::all_of(p.terms.begin(), p.terms.end(), [](Impl::Term const& t) {
    return (t.offset[0] != 0) + (t.offset[1] != 0) + (t.offset[2] != 0) <= 1;
  });
  return all && p.terms.size() == static_cast<std::size_t>(2 * s.rank * r + 1) ? s : Shape{};
}

/// Fraction of the roofline that a kernel made for a shape reached: half and bhalf, float, double.
struct Fraction {
  bool star;
  int rank, radius;
  double half, single, full;
};

double look_up(Fraction const* from, Fraction const* to, Shape const& s, ValueType type) {
  for (; from != to; ++from) {
    if (from->star != s.star || from->rank != s.rank || from->radius != s.radius) continue;
    return type == ValueType::float64 ? from->full : type == ValueType::float32 ? from->single : from->half;
  }
  return 0.0;
}

// --- Constants, measured on an NVIDIA H200 ------------------------------------------------------
// By the benchmarks (suites targets, trend, catalogue; results in perf_tests/results/nvidia-h200), grids of 2^26 points
// and more. scripts/compare_model.py prints what each should be after a new run.

constexpr Fraction direct_fractions[] = {
    {true, 1, 1, 0.95, 0.95, 0.99},  {true, 1, 2, 0.93, 0.95, 0.99},  {true, 1, 3, 0.86, 0.95, 0.95},
    {true, 1, 4, 0.82, 0.95, 0.93},  {true, 1, 5, 0.71, 0.93, 0.95},  {true, 1, 6, 0.66, 0.9, 0.9},
    {true, 1, 7, 0.61, 0.86, 0.86},  {true, 1, 8, 0.58, 0.83, 0.85},  {true, 2, 1, 0.88, 0.98, 0.98},
    {true, 2, 2, 0.83, 0.98, 0.99},  {true, 2, 3, 0.84, 0.94, 0.94},  {true, 2, 4, 0.83, 0.92, 0.95},
    {true, 2, 5, 0, 0.84, 0.88},     {true, 2, 6, 0, 0.83, 0.86},     {true, 2, 7, 0, 0.76, 0.69},
    {true, 2, 8, 0, 0.73, 0.64},     {false, 2, 1, 0.88, 0.96, 0.99}, {false, 2, 2, 0.76, 0.92, 0.95},
    {false, 2, 3, 0.76, 0.83, 0.86}, {false, 2, 4, 0, 0.76, 0.7},     {false, 2, 5, 0, 0.75, 0.62},
    {false, 2, 6, 0, 0.8, 0.77},     {false, 2, 7, 0, 0.82, 0.82},    {true, 3, 1, 0.83, 0.91, 0.94},
    {true, 3, 2, 0.85, 0.87, 0.87},  {true, 3, 3, 0.63, 0.86, 0.83},  {true, 3, 4, 0.52, 0.86, 0.81},
    {true, 3, 5, 0.34, 0.66, 0.61},  {true, 3, 6, 0.36, 0.6, 0.56},   {true, 3, 7, 0.375, 0.53, 0.47},
    {true, 3, 8, 0.39, 0.52, 0.45},  {false, 3, 1, 0.68, 0.86, 0.84}, {false, 3, 2, 0, 0.77, 0.82},
};

/// Kernels for parts of a shape, cheapest first, from how many terms on a list is slower, and the fraction of a copy
/// they reach.
struct Part {
  bool star;
  int rank, radius;
  std::size_t least_terms;
  double half, single, full;
  bool alone = false;  ///< for grids of a single row
};
constexpr Part parts[] = {
    {true, 1, 4, 2, 0.75, 0.90, 0.96, true}, {true, 1, 6, 4, 0.65, 0.85, 0.95, true},
    {true, 1, 8, 6, 0.55, 0.80, 0.87, true}, {true, 1, 4, 2, 0.69, 0.88, 0.83},
    {true, 1, 8, 6, 0.52, 0.70, 0.61},       {false, 2, 1, 3, 0.73, 0.91, 0.94},
    {true, 2, 4, 5, 0.56, 0.79, 0.80},       {false, 2, 2, 5, 0.43, 0.72, 0.72},
    {true, 2, 8, 9, 0.22, 0.44, 0.47},       {false, 2, 3, 9, 0.24, 0.52, 0.52},
    {false, 2, 4, 12, 0, 0.34, 0},           {false, 3, 1, 4, 0.36, 0.71, 0.63},
    {true, 3, 4, 6, 0, 0.50, 0.58},          {true, 3, 8, 13, 0.06, 0.28, 0.28},
};

/// Blocks that march along y (planes) or z: bytes of a row of a tile, its rows, what a march is long (0: what gives one
/// wave of blocks), blocks that a multiprocessor holds. Half, float, double; width 0: there is none.
struct March {
  bool star;
  int rank, radius;
  int width[3], height[3], length[3], blocks[3];
};
constexpr March marches[] = {
    {true, 2, 3, {2048, 4096, 4096}, {1, 1, 1}, {24, 16, 16}, {4, 2, 2}},
    {true, 2, 4, {2048, 4096, 4096}, {1, 1, 1}, {64, 24, 24}, {4, 2, 2}},
    {true, 2, 5, {2048, 4096, 4096}, {1, 1, 1}, {64, 32, 32}, {2, 2, 2}},
    {true, 2, 6, {2048, 4096, 4096}, {1, 1, 1}, {64, 32, 32}, {2, 2, 2}},
    {true, 2, 7, {2048, 4096, 4096}, {1, 1, 1}, {64, 32, 32}, {2, 2, 2}},
    {true, 2, 8, {2048, 4096, 4096}, {1, 1, 1}, {64, 32, 32}, {2, 2, 2}},
    {false, 2, 2, {4096, 4096, 4096}, {1, 1, 1}, {0, 24, 16}, {2, 2, 2}},
    {false, 2, 3, {2048, 2048, 2048}, {1, 1, 1}, {0, 0, 200}, {4, 6, 4}},
    {false, 2, 4, {0, 4096, 4096}, {0, 1, 1}, {0, 0, 0}, {0, 2, 2}},
    {false, 2, 5, {0, 2048, 2048}, {0, 1, 1}, {0, 0, 0}, {0, 4, 4}},
    {false, 2, 6, {0, 2048, 2048}, {0, 1, 1}, {0, 0, 0}, {0, 4, 4}},
    {false, 2, 7, {0, 2048, 2048}, {0, 1, 1}, {0, 0, 0}, {0, 4, 4}},
    {true, 3, 1, {512, 0, 0}, {8, 0, 0}, {8, 0, 0}, {3, 0, 0}},
    {true, 3, 2, {512, 512, 512}, {16, 32, 32}, {43, 32, 32}, {2, 1, 1}},
    {true, 3, 3, {512, 512, 512}, {8, 32, 32}, {256, 64, 64}, {2, 1, 1}},
    {true, 3, 4, {512, 512, 512}, {8, 32, 16}, {256, 64, 64}, {2, 1, 2}},
    {true, 3, 5, {512, 512, 512}, {8, 16, 16}, {256, 128, 128}, {1, 1, 1}},
    {true, 3, 6, {512, 512, 512}, {8, 16, 16}, {256, 128, 128}, {1, 1, 1}},
    {true, 3, 7, {512, 512, 512}, {8, 16, 16}, {256, 128, 128}, {1, 1, 1}},
    {true, 3, 8, {512, 512, 512}, {8, 16, 16}, {256, 128, 128}, {1, 1, 1}},
    {false, 3, 1, {512, 512, 512}, {8, 16, 16}, {85, 32, 64}, {4, 4, 4}},
    {false, 3, 2, {0, 512, 512}, {0, 32, 16}, {0, 256, 256}, {0, 1, 2}},
};
/// A block alone on a multiprocessor: its time for a step over that which the step takes of a full one, for kernels of
/// a whole shape and for parts of one; in planes with eight warps a block.
constexpr double march_alone = 0.7, part_alone = 1.3;

constexpr Fraction sparse_fractions[] = {
    {true, 1, 1, 0.82, 0, 0},  {true, 1, 2, 0.82, 0, 0},  {true, 2, 1, 0.94, 0, 0},  {true, 2, 2, 0.90, 0, 0},
    {true, 2, 3, 0.79, 0, 0},  {true, 2, 4, 0.73, 0, 0},  {false, 2, 1, 0.94, 0, 0}, {false, 2, 2, 0.90, 0, 0},
    {false, 2, 3, 0.79, 0, 0}, {false, 2, 7, 0.74, 0, 0}, {true, 3, 1, 0.75, 0, 0},  {false, 3, 1, 0.71, 0, 0},
};

/// Several sweeps as one: planes, by the rows of the composed stencil (9 to 15), and lines, by its windows (1 to 5).
/// Points near faces are done beside the rest and take so long at least; on lines a last wave of tiles adds to it.
constexpr double fused_planes = 0.7, fused_lines[] = {0.73, 0.58, 0.45, 0.35, 0.28}, step_strips_seconds = 9e-6,
                 line_wave_seconds = 12e-6;

/// The dense twin of the kernels of 3, 5, 7 and up to 15 rows.
constexpr double dense_fractions[] = {0.87, 0.75, 0.61, 0.83};

/// Pipelines of several sweeps: strips of `width` columns, one for each of eight warps a multiprocessor. Depth, and
/// points and sweeps a second with strips of any length: half, float, double.
struct Pipeline {
  bool star;
  int radius;
  int width[3], depth[3];
  double rate[3];
};
constexpr Pipeline pipelines[] = {
    {true, 1, {256, 256, 128}, {8, 12, 12}, {4400e9, 3980e9, 1780e9}},
    {false, 1, {256, 256, 128}, {8, 12, 8}, {2770e9, 2620e9, 1310e9}},
    {true, 2, {256, 256, 128}, {4, 6, 6}, {2330e9, 2090e9, 885e9}},
    {false, 2, {256, 256, 128}, {4, 4, 4}, {1046e9, 1020e9, 509e9}},
    {true, 3, {256, 256, 128}, {4, 4, 4}, {1600e9, 1365e9, 620e9}},
    {true, 4, {256, 256, 128}, {3, 3, 3}, {1200e9, 1015e9, 480e9}},
};
constexpr int pipeline_warps = 8;
/// A pass over fewer sweeps than the pipeline is deep takes the general path: its time over that of a full pass is
/// this, times 0.6 and 0.4 of the share of the sweeps. Half, float, double.
constexpr double shallow_pass[] = {2.05, 2.4, 1.95};
/// Time where points near faces that are not periodic take another path, beside the others.
constexpr double framed = 1.04;

/// Pipelines for lines, radius 1 to 4: a warp holds a segment and takes as many sweeps as pay. Points and sweeps a
/// second without overlap: half, float, double.
constexpr double line_rate[4][3] = {
    {9600e9, 9500e9, 4700e9}, {5800e9, 5700e9, 2650e9}, {4200e9, 4100e9, 1880e9}, {3200e9, 3150e9, 1600e9}};
constexpr int line_width[3] = {1024, 1024, 512};

/// The same in 3-D: a block for each multiprocessor owns a tile of 512 bytes by `rows`, and a chunk of planes
/// with `warm` more. Seconds a plane where all points change and where some do not: float, double; half in its own
/// line.
struct SpacePipeline {
  std::size_t terms;
  int radius, depth, rows, warm;
  double plane[2], masked[2];
};
constexpr SpacePipeline space_pipelines[] = {
    {7, 1, 4, 40, 8, {1.21e-6, 1.17e-6}, {1.56e-6, 1.66e-6}},
    {13, 2, 2, 40, 8, {1.16e-6, 1.25e-6}, {1.42e-6, 1.8e-6}},
    {17, 1, 2, 64, 5, {2.2e-6, 2.2e-6}, {2.75e-6, 3.0e-6}},
    {27, 1, 2, 64, 5, {2.75e-6, 2.75e-6}, {3.3e-6, 3.4e-6}},
};
constexpr SpacePipeline half_star{7, 1, 2, 32, 4, {1.16e-6, 0.0}, {1.6e-6, 0.0}};

/// What a host takes for a launch, a raw one and one through Kokkos: a virtual machine beside an H200.
constexpr double host_launch = 4.0e-6, host_kokkos = 5.3e-6;
/// Four kilobytes of arguments.
constexpr double long_arguments = 0.3e-6;
/// A second launch behind the first one, from its end to the own end but for the work.
constexpr double next_launch = 1.5e-6;
/// Of a thread near a face, for four terms: expected, from 0.3 us for each when they came one at a time.
constexpr double strip_latency = 0.35e-6;

constexpr double h200_float_rate = 65.0e12;
/// Kernels that go through a list of terms are limited by issuing loads: seconds a point = base + load * (values that
/// a thread loads for a point). Mean error of the fit 4 %. Picoseconds, ranks 1 to 3.
struct TermList {
  double base[3], load[3];
  double most   = 1.0;  ///< of the roofline
  double hidden = 0.0;  ///< part of the work during which latency does not count
};
constexpr TermList generic_half{{2.48, 1.25, 1.86}, {0.332, 0.444, 0.610}, 0.87},
    generic_single{{2.71, 1.52, 2.21}, {0.262, 0.402, 0.532}, 0.87},
    generic_full{{4.23, 2.92, 4.03}, {0.188, 0.505, 0.830}, 0.87};
/// The generic kernel where it has a point a thread.
constexpr TermList generic_few_half{{8.6, 8.7, 8.7}, {0.60, 0.73, 0.70}},
    generic_few_single{{8.5, 8.7, 8.9}, {0.555, 0.63, 0.595}}, generic_few_full{{8.6, 8.4, 9.1}, {0.70, 0.78, 0.715}};
constexpr TermList taps_half{{1.65, 0.9, 0.9}, {0.330, 0.440, 0.64}, 0.93, 0.6},
    taps_single{{1.85, 1.28, 1.35}, {0.258, 0.345, 0.48}, 0.93, 0.6},
    taps_full{{3.4, 2.8, 2.5}, {0.222, 0.43, 0.70}, 0.93, 0.6};

/// The same with a point a thread, eight loads in flight; seconds of eight.
constexpr TermList points_half{{5.0, 4.6, 5.0}, {0.28, 0.345, 0.29}},
    points_single{{4.9, 4.5, 5.0}, {0.26, 0.325, 0.27}}, points_full{{5.2, 4.4, 5.0}, {0.33, 0.42, 0.345}};
constexpr double points_latency        = 0.5e-6;
constexpr double fast_arguments        = 530.0;  ///< bytes
constexpr std::size_t most_point_terms = 256;

// --- Parts of the estimates ---------------------------------------------------------------------

/// Values a thread loads for a point if it computes `rows` adjacent rows: each value counts once for all of them.
double loads_a_point(Problem const& p, int rows) {
  auto const width = static_cast<std::size_t>(p.upper[2] - p.lower[2] + 1);
  // Terms are sorted by plane, row, column. A term's values are rows dy to dy + rows - 1 of its column; those that the
  // term before it in the column brought count only once.
  constexpr int never = -(1 << 30);
  std::vector<int> last(width, never);
  int plane             = never;
  std::int64_t distinct = 0;
  for (Impl::Term const& t : p.terms) {
    if (t.offset[0] != plane) std::fill(last.begin(), last.end(), never);
    plane       = t.offset[0];
    int& before = last[static_cast<std::size_t>(t.offset[2] - p.lower[2])];
    distinct += std::min(rows, t.offset[1] - before);
    before = t.offset[1];
  }
  return static_cast<double>(distinct) / rows;
}

int used_rank(Problem const& p) { return p.extent[0] > 1 ? 3 : p.extent[1] > 1 ? 2 : 1; }

double points_of(Problem const& p) { return static_cast<double>(p.points()); }

/// Points with a face within the stencil's reach.
double near_faces(Problem const& p) { return points_of(p) - static_cast<double>(interior(p).size()); }

/// Points near faces, nearer than the kernel reaches: the plain formula, about 20 instructions a value, four loads in
/// flight at a time, in a launch of its own.
double strip_seconds(Problem const& p, DeviceModel const& device, Shape const& kernel = {}) {
  Problem wide = p;
  for (std::size_t a = 0; a < 3 && kernel.rank > 0; ++a) {
    int const r   = static_cast<int>(a) >= 3 - kernel.rank ? kernel.radius : 0;
    wide.lower[a] = -r;
    wide.upper[a] = r;
  }
  double const outside = near_faces(wide);
  if (outside <= 0.0) return 0.0;
  auto const terms = static_cast<double>(p.terms.size());
  return next_launch + strip_latency * std::ceil(terms / 4.0) + 40.0 * outside * terms / device.float_rate;
}

Problem single_sweep(Problem p) {
  p.steps = 1;
  return p;
}

Kernel one_sweep(Problem const& p) {
  Kernel k;
  k.operand = p.value_type == ValueType::float64 ? ValueType::float64 : ValueType::float32;
  k.work    = Model::one_sweep(static_cast<double>(p.terms.size()), size_of(p.value_type));
  return k;
}

/// Seconds of a point by the roofline, as `finish` takes it.
double roofline(Kernel const& k, Problem const& p, DeviceModel const& device) {
  double const bytes = 2.0 * points_of(p) * size_of(p.value_type);
  return Model::Roofline{device.rate(k.unit, k.operand), Model::bandwidth(device, bytes)}.seconds(k.work);
}

Estimate finish(Kernel const& k, Problem const& p, DeviceModel const& device) {
  return Model::estimate(k, device, points_of(p), size_of(p.value_type), p.steps);
}

/// For a kernel that goes through a list of terms, `rows` rows a thread: the fraction of its roofline, and the latency
/// of one thread's loads, of which small grids have too few to hide it.
void use_term_list(Kernel& k, Problem const& p, DeviceModel const& device, TermList const& list, int rows) {
  constexpr double h200_bandwidth = 4.21e12, load_latency = 0.30e-6, list_latency = 1.3e-6;
  auto const axis      = static_cast<std::size_t>(used_rank(p) - 1);
  double const loads   = loads_a_point(p, rows);
  double const seconds = 1e-12 * (list.base[axis] * h200_bandwidth / device.bandwidth +
                                  list.load[axis] * loads * h200_float_rate / device.float_rate);
  double const all     = Model::Roofline{device.rate(k.unit, k.operand), device.bandwidth}.seconds(k.work);
  k.fraction           = std::min(list.most, all / seconds);
  k.extra_seconds +=
      std::max(0.0, list_latency + load_latency * loads * rows - list.hidden * points_of(p) * all / k.fraction);
}

/// The same for one point a thread; returns the seconds of a point.
double use_points(Kernel& k, Problem const& p, DeviceModel const& device, TermList const& list, double slower = 1.0) {
  auto const axis    = static_cast<std::size_t>(used_rank(p) - 1);
  double const picos = list.base[axis] + list.load[axis] * static_cast<double>(p.terms.size());
  double const issue = slower * 1e-12 * picos * h200_float_rate / device.float_rate;
  k.fraction         = std::min(1.0, roofline(k, p, device) / issue);
  return issue;
}

std::size_t type_index(ValueType type) { return type == ValueType::float64 ? 2 : type == ValueType::float32 ? 1 : 0; }

/// What marching adds to a kernel for a shape: steps before a block's first output, multiprocessors that wait for
/// those with a block more, tiles that reach past the ends of short rows; and how long a block takes at least.
void use_march(Kernel& k, Shape const& s, bool part, Problem const& p, DeviceModel const& device) {
  std::size_t const type = type_index(p.value_type);
  auto const up          = [](std::int64_t n, std::int64_t d) { return (n + d - 1) / std::max<std::int64_t>(d, 1); };
  std::array<std::int64_t, 3> n;
  for (std::size_t a = 0; a < 3; ++a) n[a] = std::max<std::int64_t>(1, p.end[a] - p.begin[a]);
  for (March const& m : marches) {
    if (m.star != s.star || m.rank != s.rank || m.radius != s.radius || m.width[type] == 0) continue;
    int const size           = size_of(p.value_type);
    std::int64_t const count = s.rank == 3 ? n[0] : n[1];
    std::int64_t const wide = m.width[type] / size, high = m.height[type];
    std::int64_t const tiles   = up(n[2], wide) * (s.rank == 3 ? up(n[1], high) : n[0]);
    std::int64_t const slots   = static_cast<std::int64_t>(device.multiprocessors) * m.blocks[type];
    std::int64_t const least   = std::max<std::int64_t>(4, s.radius);
    std::int64_t const a_wave  = up(count, std::max<std::int64_t>(1, slots / tiles));
    std::int64_t const nominal = m.length[type] > 0 ? m.length[type] : std::max<std::int64_t>(a_wave, 128);
    std::int64_t const wanted  = std::min(m.length[type] > 0 ? nominal : a_wave, std::max(least, a_wave));
    std::int64_t const length  = up(count, up(count, wanted));
    double const blocks        = static_cast<double>(tiles * up(count, length));
    double const lead          = 2.0 * s.radius;
    auto const overlap         = [&](std::int64_t of) { return 1.0 + lead / static_cast<double>(of); };
    double const across        = static_cast<double>(tiles * wide * (s.rank == 3 ? high : 1)) /
                          static_cast<double>(n[2] * (s.rank == 3 ? n[1] : n[0]));
    k.redundancy = across * Model::wave_redundancy(blocks, device.multiprocessors) * overlap(length) /
                   std::min(overlap(length), overlap(nominal));
    // A step of a block, were the GPU full of them.
    double const a_point = roofline(k, p, device) / k.fraction;
    double const step    = a_point * static_cast<double>(wide * high) * device.multiprocessors;
    double const alone   = (part ? part_alone : march_alone) * (s.rank == 2 ? 4096.0 / m.width[type] : 1.0);
    double const block   = alone * step * (static_cast<double>(length) + lead);
    double const busy    = a_point * k.redundancy * points_of(p);
    k.extra_seconds += std::max(0.0, block - busy);
    return;
  }
  // Tiles of a warp's width, but for a line that is folded.
  if (p.points() == n[2]) return;
  std::int64_t const wide = 512 / size_of(p.value_type);
  k.redundancy            = static_cast<double>(up(n[2], wide) * wide) / static_cast<double>(n[2]);
}

template <class T>
T const& by_type(ValueType type, T const& half, T const& single, T const& full) {
  return type == ValueType::float64 ? full : type == ValueType::float32 ? single : half;
}

std::string nothing(Problem const&, DeviceModel const&) { return ""; }

std::string no_cuda(Problem const&, DeviceModel const& device) {
  if (device.compute_capability >= 80) return "";
  return "needs an NVIDIA GPU of compute capability 8.0 or later";
}

Pipeline const* find_pipeline(Problem const& p) {
  Shape const s = shape_of(p);
  if (s.rank != 2 || p.rank != 2) return nullptr;
  for (Pipeline const& k : pipelines) {
    if (k.star == s.star && k.radius == s.radius) return &k;
  }
  return nullptr;
}

/// The star, the box, or its middle plane and the corners of its neighbours.
SpacePipeline const* find_space(Problem const& p) {
  if (p.rank != 3 || p.value_type == ValueType::bfloat16) return nullptr;
  int const radius = p.upper[0];
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.lower[a] != -radius || p.upper[a] != radius) return nullptr;
  }
  Shape const s      = shape_of(p);
  bool const corners = std::all_of(p.terms.begin(), p.terms.end(), [](Impl::Term const& t) {
    return t.offset[0] == 0 || (t.offset[1] != 0 && t.offset[2] != 0);
  });
  if (s.rank != 3 && !corners) return nullptr;
  auto const suits = [&](SpacePipeline const& k) { return k.radius == radius && k.terms == p.terms.size(); };
  if (p.value_type == ValueType::float16) return suits(half_star) ? &half_star : nullptr;
  for (SpacePipeline const& k : space_pipelines) {
    if (suits(k)) return &k;
  }
  return nullptr;
}

bool all_periodic(Problem const& p) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > 1 && p.faces[a][0].kind != BoundaryKind::periodic) return false;
  }
  return true;
}

/// Seconds of one pass of a 3-D pipeline. Chunks of planes keep the multiprocessors busy to the end, but for 5 %.
double space_pass(SpacePipeline const& k, Problem const& p, DeviceModel const& device) {
  std::size_t const type = p.value_type == ValueType::float64 ? 1 : 0;
  double const piece     = 16.0 / size_of(p.value_type);
  double const reach     = k.depth * k.radius;
  double const own[2] = {k.rows - 2.0 * reach, 512.0 / size_of(p.value_type) - 2.0 * piece * std::ceil(reach / piece)};
  double all = 1.0, inside = 1.0;
  for (std::size_t a = 0; a < 2; ++a) {
    double const tiles = std::ceil(static_cast<double>(p.end[a + 1] - p.begin[a + 1]) / own[a]);
    all *= tiles;
    inside *= p.faces[a + 1][0].kind == BoundaryKind::periodic ? tiles : std::max(0.0, tiles - 2.0);
  }
  auto const planes   = static_cast<double>(p.end[0] - p.begin[0]);
  double const chunks = std::min(planes, std::max(2.0, std::ceil(2.0 * device.multiprocessors / all)));
  double const mean   = (inside * k.plane[type] + (all - inside) * k.masked[type]) / all;
  double const steps =
      std::max(planes / chunks + k.warm, 1.05 * all * (planes + k.warm * chunks) / device.multiprocessors);
  double const h200 = fitted_on().rate(Unit::cores, p.value_type) / 132.0;
  return steps * mean * h200 * device.multiprocessors / device.rate(Unit::cores, p.value_type);
}

bool has_line_pipeline(Problem const& p) {
  Shape const s = shape_of(p);
  return p.rank == 1 && s.rank == 1 && s.radius >= 1 && s.radius <= 4;
}

std::string temporal_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  if (!has_line_pipeline(p) && find_space(p) == nullptr &&
      (find_pipeline(p) == nullptr || p.value_type == ValueType::bfloat16)) {
    return "no pipeline for this shape and value type";
  }
  if (p.in_stride != p.out_stride) return "the strides of the two Views differ";
  if (p.in_stride[2] != 1) return "no axis of the Views is contiguous";
  if (p.accuracy == Accuracy::reproducible && size_of(p.value_type) == 2) {
    return "fused sweeps do not keep the canonical bits of half_t and bhalf_t";
  }
  return "";
}

std::string sparse_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  if (p.value_type != ValueType::float16 && p.value_type != ValueType::bfloat16) {
    return std::string("multiplies half_t and bhalf_t, not ") + to_string(p.value_type);
  }
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  bool aligned = p.in_stride[2] == 1 && p.out_stride[2] == 1;
  for (std::size_t a = 0; a < 2; ++a) {
    aligned = aligned && (p.extent[a] <= 1 || (p.in_stride[a] % 8 == 0 && p.out_stride[a] % 4 == 0));
  }
  if (!aligned) return "rows are not contiguous or not 16-byte aligned";
  bool const line = p.extent[0] == 1 && p.extent[1] == 1;
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1;
  if (!line && (p.lower[2] < -8 || p.upper[2] > 7)) {
    return "reaches farther along the contiguous axis than one window: from -8 to 7";
  }
  if ((nz > 1 && (nz > 3 || ny > 3)) || ny > 15) {
    return "has no kernel for a reach of " + std::to_string(nz) + " planes by " + std::to_string(ny) + " rows";
  }
  return "";
}

std::string sparse_table_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  if (std::string const no = table_refusal(p); !no.empty()) return no;
  bool const fits =
      static_cast<bool>(choose_table(p, device.multiprocessors, shared_bytes_of(device.compute_capability)));
  return fits ? "" : "reaches too far for a block's shared memory";
}

std::string dense_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = sparse_refusal(p, device); !no.empty()) return no;
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1;
  if (p.value_type != ValueType::float16 || nz > 1 || ny == 1) return "is there for planes of half_t";
  return "";
}

/// Of the kernels that stream down planes.
std::string plane_refusal(Problem const& p, DeviceModel const& device, ValueType type) {
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  if (p.value_type != type) return std::string("multiplies ") + to_string(type) + ", not " + to_string(p.value_type);
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  bool aligned = p.in_stride[2] == 1 && p.out_stride[2] == 1;
  for (std::size_t a = 0; a < 2; ++a) {
    aligned = aligned && (p.extent[a] <= 1 || p.in_stride[a] % (16 / size_of(type)) == 0);
  }
  if (!aligned) return "rows are not contiguous or not 16-byte aligned";
  if ((p.extent[0] == 1 && p.extent[1] == 1) || p.upper[0] > 0 || p.lower[0] < 0) return "has no kernel for this reach";
  return p.upper[1] - p.lower[1] > 14 || p.lower[2] < -8 ? "reaches too far" : "";
}

std::string float_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_refusal(p, device, ValueType::float32); !no.empty()) return no;
  if (p.accuracy == Accuracy::native && p.terms.size() < 16) return "has too few terms for split values";
  return p.upper[2] > 7 ? "reaches too far" : "";
}

std::string double_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_refusal(p, device, ValueType::float64); !no.empty()) return no;
  if (device.double_tensor <= 0.0) return "the GPU has no matrix products in double";
  return p.upper[2] > 8 ? "reaches too far" : "";
}

/// Kernel rows of the instance for a stencil: `least`, ... 13, 15.
int plane_rows(Problem const& p, int least) { return std::max(least, (p.upper[1] - p.lower[1] + 1) / 2 * 2 + 1); }

}  // namespace

namespace {

bool is_line(Problem const& p) { return p.extent[0] == 1 && p.extent[1] == 1; }

double part_fraction(Shape const& s, Problem const& p) {
  for (Part const& k : parts) {
    if (k.alone && !is_line(p)) continue;
    if (k.star == s.star && k.rank == s.rank && k.radius == s.radius) {
      return by_type(p.value_type, k.half, k.single, k.full);
    }
  }
  return 0.0;
}

}  // namespace

Shape enclosing_shape(Problem const& p) {
  bool const on_axes = std::all_of(p.terms.begin(), p.terms.end(), [](Impl::Term const& t) {
    return (t.offset[0] != 0) + (t.offset[1] != 0) + (t.offset[2] != 0) <= 1;
  });
  for (Part const& k : parts) {
    bool fits = (is_line(p) || !k.alone) && p.terms.size() >= k.least_terms && (on_axes || !k.star) &&
                by_type(p.value_type, k.half, k.single, k.full) > 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      int const r = static_cast<int>(a) >= 3 - k.rank ? k.radius : 0;
      fits        = fits && p.lower[a] >= -r && p.upper[a] <= r && p.extent[a] > 2 * r;
    }
    if (fits) return {k.star, k.rank, k.radius};
  }
  return {};
}

// --- The backends -------------------------------------------------------------------------------

std::vector<Estimate> generic(Problem const& p, DeviceModel const& device) {
  Kernel k        = one_sweep(p);
  k.least_seconds = host_kokkos;
  // As Generic::DeviceExecutable decides.
  if (p.points() < std::int64_t(8) * 2048 * device.multiprocessors) {
    use_points(k, p, device, by_type(p.value_type, generic_few_half, generic_few_single, generic_few_full));
    k.extra_seconds += 0.5e-6;
  } else {
    int const rows = p.end[1] - p.begin[1] >= 4 ? 4 : 1;
    use_term_list(k, p, device, by_type(p.value_type, generic_half, generic_single, generic_full), rows);
  }
  // Boundary rules term by term: seconds a term.
  double const face_term = by_type(p.value_type, 85e-12, 85e-12, 110e-12) * h200_float_rate / device.float_rate;
  k.extra_seconds += face_term * near_faces(p) * static_cast<double>(p.terms.size());
  return {finish(k, p, device)};
}

namespace {

/// The kernel for the shape; fraction 0: none.
Kernel shape_kernel(Problem const& p, DeviceModel const& device) {
  Kernel k                  = one_sweep(p);
  Shape s                   = shape_of(p);
  bool part                 = false;
  std::int64_t const vector = 16 / size_of(p.value_type);
  bool aligned              = p.in_stride[2] == 1 && p.out_stride[2] == 1;
  for (std::size_t a = 0; a < 2; ++a) aligned = aligned && (p.extent[a] <= 1 || p.in_stride[a] % vector == 0);
  k.fraction = 0.0;
  if (!aligned) return k;
  if (s.rank > 0) k.fraction = look_up(std::begin(direct_fractions), std::end(direct_fractions), s, p.value_type);
  if (k.fraction == 0.0) {
    s = enclosing_shape(p);
    if (s.rank == 0) return k;
    k.fraction = part_fraction(s, p);
    part       = true;
  }
  // What is left over of a line that is folded into rows takes a launch, too.
  k.extra_seconds = s.rank == 1 && p.points() == p.end[2] - p.begin[2] ? next_launch : 0.0;
  k.extra_seconds = std::max(k.extra_seconds, strip_seconds(p, device, s));
  k.least_seconds = k.extra_seconds > 0.0 ? 2.0 * host_launch : host_launch;
  use_march(k, s, part, p, device);
  return k;
}

Kernel taps_kernel(Problem const& p, DeviceModel const& device) {
  Kernel k        = one_sweep(p);
  k.extra_seconds = strip_seconds(p, device);
  k.least_seconds = k.extra_seconds > 0.0 ? 2.0 * host_launch : host_launch;
  int const rows  = p.end[1] - p.begin[1] >= 4 && p.points() >= (std::int64_t(1) << 20) ? 4 : 1;
  use_term_list(k, p, device, by_type(p.value_type, taps_half, taps_single, taps_full), rows);
  return k;
}

Kernel points_kernel(Problem const& p, DeviceModel const& device) {
  Kernel k = one_sweep(p);
  // Offset and coefficient of a term are arguments; what is beyond half a kilobyte of them comes slowly.
  double const argument_bytes = static_cast<double>(p.terms.size()) * (p.value_type == ValueType::float64 ? 12.0 : 8.0);
  double const slower         = std::max(1.0, argument_bytes / fast_arguments);
  double const issue = use_points(k, p, device, by_type(p.value_type, points_half, points_single, points_full), slower);
  auto const batches = std::ceil(static_cast<double>(p.terms.size()) / 8.0);
  k.extra_seconds    = std::max(0.0, slower * points_latency * batches - 0.8 * issue * points_of(p));
  // Points near faces are beside the others, but slower.
  double const strips = strip_seconds(p, device);
  k.extra_seconds     = std::max(k.extra_seconds, strips - 0.5 * next_launch);
  k.least_seconds     = host_launch + (p.terms.size() > 32 || strips > 0.0 ? long_arguments : 0.0);
  return k;
}

/// The fastest kernel of cuda_direct for a sweep, or the one that the environment asks for.
std::pair<Way, Kernel> direct_kernel(Problem const& p, DeviceModel const& device) {
  char const* const wanted = std::getenv("KOKKOSSTENCIL_CUDA_DIRECT");
  auto const skip          = [&](char const* way) {
    std::string const name = wanted != nullptr ? wanted : "";
    return name != way && (name == "taps" || name == "points" || name == "shape");
  };
  Problem const one = single_sweep(p);
  std::pair<Way, Kernel> best{Way::taps, taps_kernel(p, device)};
  double least         = skip("taps") ? 1e30 : finish(best.second, one, device).seconds;
  auto const candidate = [&](Way way, Kernel const& k) {
    double const seconds = finish(k, one, device).seconds;
    if (seconds >= least) return;
    least = seconds;
    best  = {way, k};
  };
  if (p.terms.size() <= most_point_terms && !skip("points")) candidate(Way::points, points_kernel(p, device));
  Kernel const shape = skip("shape") ? Kernel{} : shape_kernel(p, device);
  if (!skip("shape") && shape.fraction > 0.0) candidate(Way::shape, shape);
  return best;
}

}  // namespace

Way direct_way(Problem const& p, DeviceModel const& device) { return direct_kernel(p, device).first; }

std::vector<Estimate> direct(Problem const& p, DeviceModel const& device) {
  return {finish(direct_kernel(p, device).second, p, device)};
}

std::vector<Estimate> temporal(Problem const& p, DeviceModel const& device) {
  Pipeline const* const pipeline      = find_pipeline(p);
  SpacePipeline const* const in_space = find_space(p);
  bool const line                     = has_line_pipeline(p);
  if (p.steps <= 1 || (pipeline == nullptr && in_space == nullptr && !line)) {
    // Single sweeps are cuda_direct's, by way of this backend.
    auto ways = direct(p, device);
    for (Estimate& e : ways) e.seconds *= 1.01;
    return ways;
  }
  auto const terms = static_cast<double>(p.terms.size());
  Kernel k         = one_sweep(p);
  k.least_seconds  = host_launch;
  if (in_space != nullptr) {
    int const deep    = in_space->depth;
    double const halo = 2.0 * deep * in_space->radius, columns = 512.0 / size_of(p.value_type);
    double const overlap = columns / (columns - halo) * in_space->rows / (in_space->rows - halo);
    double const pass    = space_pass(*in_space, p, device);
    k.depth              = deep;
    k.work               = Model::time_blocked(terms, size_of(p.value_type), deep);
    k.work.operations *= overlap;
    k.work.bytes *= (overlap + 1.0) / 2.0;
    Model::Roofline const roof{device.rate(k.unit, k.operand), device.bandwidth};
    k.fraction = std::min(1.0, roof.seconds(k.work) * points_of(p) / pass);
    // What is left over of the steps is a shallower pass, which takes about as long, or a single sweep.
    Problem whole = p, rest = p;
    rest.steps  = p.steps % deep;
    whole.steps = p.steps - rest.steps;
    Estimate e  = finish(k, whole, device);
    if (rest.steps == 1) e.seconds += direct(rest, device).front().seconds;
    if (rest.steps > 1) e.seconds += pass;
    return {e};
  }
  std::size_t const type  = type_index(p.value_type);
  DeviceModel const& h200 = fitted_on();
  Model::Roofline const measured_on{h200.rate(k.unit, k.operand), h200.bandwidth};
  if (line) {
    int const radius   = p.upper[2];
    double const width = line_width[type], rate = line_rate[radius - 1][type];
    double const copy = 2.0 * size_of(p.value_type) / (0.9 * h200.bandwidth);
    double best       = std::numeric_limits<double>::max();
    for (int depth = 2; depth <= std::min<std::int64_t>(p.steps, line_width[type] / 4 / radius); ++depth) {
      double const overlap = width / (width - 2.0 * depth * radius);
      double const seconds = std::max(depth * overlap / rate, copy);  // of a point and pass
      if (seconds / depth >= best) continue;
      best    = seconds / depth;
      k.depth = depth;
      k.work  = Model::time_blocked(terms, size_of(p.value_type), depth);
      k.work.operations *= overlap;
      k.fraction = std::min(1.0, measured_on.seconds(k.work) / seconds);
    }
    return {finish(k, p, device)};
  }
  int const depth   = pipeline->depth[type];
  double const halo = depth * pipeline->radius, own = pipeline->width[type] - 2.0 * halo;
  double const overlap = pipeline->width[type] / own;
  k.depth              = depth;
  k.work               = Model::time_blocked(terms, size_of(p.value_type), depth);
  k.work.operations *= overlap;
  k.work.bytes *= (overlap + 1.0) / 2.0;
  k.fraction = measured_on.seconds(k.work) * pipeline->rate[type] / depth;
  // A strip is cut into chunks, so that all warps have one; each begins and ends with rows that others own.
  auto const columns  = static_cast<double>(p.end[2] - p.begin[2]);
  auto const rows     = static_cast<double>(p.end[1] - p.begin[1]);
  double const strips = std::ceil(columns / own), warps = pipeline_warps * device.multiprocessors;
  double const chunk = std::max(4.0, strips < warps ? rows * strips / warps : rows);
  k.redundancy       = (chunk + 2.0 * halo) / chunk * strips * own / columns *
                 (strips < warps ? 1.0 : Model::wave_redundancy(strips, warps));
  if (!all_periodic(p)) k.redundancy *= framed;
  // What is left over of the steps.
  Problem full      = p;
  full.steps        = depth;
  Estimate e        = finish(k, full, device);
  double const pass = e.seconds, left = static_cast<double>(p.steps % depth);
  e.seconds *= static_cast<double>(p.steps / depth);
  if (left == 1.0) e.seconds += direct(single_sweep(p), device).front().seconds;
  if (left > 1.0) e.seconds += pass * shallow_pass[type] * (0.6 + 0.4 * left / depth);
  return {e};
}

int reach_of(Problem const& p, std::size_t axis) { return std::max(-p.lower[axis], p.upper[axis]); }

std::vector<int> sparse_depths(Problem const& p) {
  std::vector<int> depths{1};
  int const ry = reach_of(p, 1), rx = reach_of(p, 2);
  bool const line = p.extent[0] == 1 && p.extent[1] == 1;
  if (p.steps <= 1 || p.extent[0] != 1 || reach_of(p, 0) > 0 || rx == 0 || p.in_stride != p.out_stride ||
      p.accuracy == Accuracy::reproducible || std::max(rx, ry) > 3 || (line ? ry > 0 : ry == 0) ||
      p.extent[1] >= (1 << 30) || p.extent[2] >= (1 << 30)) {
    return depths;
  }
  // A plane's composed stencil has 9 to 15 rows; a line's takes up to five windows.
  int const deepest = line ? 39 / rx : 7 / std::max(rx, ry);
  if (deepest < 2) return depths;
  auto const element = p.value_type == ValueType::float16 ? Transform::Element::half : Transform::Element::bfloat;
  auto const fused   = Transform::fused_terms(p.terms, deepest);
  for (int depth = 2; depth <= deepest; ++depth) {
    bool const power = (depth & (depth - 1)) == 0;
    if (line ? !power && depth != p.steps : depth * ry < 4) continue;
    // What is left away from faces and from the ends of the range.
    bool wide = true;
    for (std::size_t a = 1; a < 3; ++a) {
      bool const wraps = p.faces[a][0].kind == BoundaryKind::periodic && p.begin[a] == 0 && p.end[a] == p.extent[a];
      std::int64_t const reach = depth * reach_of(p, a), inner = wraps ? 0 : reach - reach_of(p, a);
      std::int64_t const least = a == 1 ? 2 * reach + 1 : line ? 3 * 1024 : 16;
      wide = wide && std::min(p.end[a] - inner, p.extent[a] - reach) - std::max(p.begin[a] + inner, reach) >= least;
    }
    if (wide && Transform::rounds(fused[static_cast<std::size_t>(depth - 1)], element)) depths.push_back(depth);
  }
  return depths;
}

namespace {

/// Points that a kernel of so many rows and planes cannot do, and the launch that does them: tensor kernels may read
/// more rows than the stencil does. Lines always leave some.
void add_strips(Kernel& k, Problem const& p, DeviceModel const& device, int rows, int planes) {
  Problem wide = p;
  if (planes > 1) {
    wide.lower[0] = wide.lower[1] = -1;
    wide.upper[0] = wide.upper[1] = 1;
  } else {
    wide.upper[1] = wide.lower[1] + rows - 1;
  }
  bool const line    = p.extent[0] == 1 && p.extent[1] == 1;
  double const extra = std::max(strip_seconds(wide, device), line ? next_launch : 0.0);
  k.extra_seconds += extra;
  k.least_seconds = extra > 0.0 ? 2.0 * host_launch : host_launch;
}

/// One pass of `depth` sweeps.
Kernel sparse_kernel(Problem const& p, DeviceModel const& device, int depth) {
  bool const line = p.extent[0] == 1 && p.extent[1] == 1;
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1;
  // A row of the stencil is a band matrix of 16 x 32 for 128 outputs: 64 FLOP a point, 2 K / 64 of them useful. Slabs
  // take two such products a plane; grids too small for them take tiles.
  bool const slab = nz > 1 && reach_of(p, 2) <= 1 && points_of(p) > 4e6;
  int rows        = 0;
  if (depth > 1) {
    rows = line ? (2 * depth * reach_of(p, 2) + 16) / 16 : 2 * depth * reach_of(p, 1) + 1;
  } else if (line) {
    rows = (p.upper[2] - p.lower[2] + 16) / 16;
  } else if (slab) {
    rows = 6;
  } else {
    Impl::Term const* at = nullptr;
    for (Impl::Term const& t : p.terms) {
      if (at == nullptr || t.offset[0] != at->offset[0] || t.offset[1] != at->offset[1]) ++rows;
      at = &t;
    }
  }
  Kernel k          = one_sweep(p);
  k.unit            = Unit::sparse_tensor_cores;
  k.operand         = p.value_type;
  k.work.operations = 64.0 * rows;
  k.depth           = depth;
  if (depth > 1) {
    k.fraction      = line ? fused_lines[std::min(rows, 5) - 1] : fused_planes;
    k.extra_seconds = step_strips_seconds + (line ? line_wave_seconds : 0.0);
    k.least_seconds = 2.0 * host_launch;
    return k;
  }
  Shape const s = shape_of(p);
  k.fraction    = s.rank > 0 ? look_up(std::begin(sparse_fractions), std::end(sparse_fractions), s, p.value_type) : 0.0;
  if (slab) k.fraction = 0.81;
  if (k.fraction == 0.0)
    k.fraction = nz > 1    ? 0.67
                 : line    ? rows > 1 ? fused_lines[std::min(rows, 5) - 1] : 0.80
                 : ny == 1 ? 0.97
                 : ny <= 5 ? 0.92
                 : ny <= 7 ? 0.8
                 : ny <= 9 ? 0.74
                           : 0.72;
  auto const element = p.value_type == ValueType::bfloat16 ? Transform::Element::bfloat : Transform::Element::half;
  if (!Transform::exact_in(p.terms, element)) {
    // Two products a row.
    k.work.operations *= 2.0;
    k.fraction *= line      ? rows > 1 ? 0.76 : 0.95
                  : slab    ? 0.83
                  : nz > 1  ? rows > 5 ? 0.93 : 0.97
                  : ny == 1 ? 1.0
                  : ny <= 3 ? 0.87
                  : ny <= 5 ? 0.75
                  : ny == 9 ? 0.93
                            : 0.68;
  }
  k.extra_seconds = line ? 1.5e-6 : ny > 7 ? 2.0e-6 : 0.0;
  add_strips(k, p, device, ny / 2 * 2 + 1, nz);
  return k;
}

}  // namespace

std::vector<std::pair<int, double>> sparse_passes(Problem const& p, DeviceModel const& device,
                                                  std::vector<int> const& depths) {
  std::vector<std::pair<int, double>> passes;
  for (int const depth : depths) {
    Problem one = p;
    one.steps   = depth;
    passes.emplace_back(depth, finish(sparse_kernel(p, device, depth), one, device).seconds);
  }
  return passes;
}

std::vector<Estimate> sparse_tensor(Problem const& p, DeviceModel const& device) {
  std::vector<int> const depths = sparse_depths(p);
  std::vector<Estimate> ways{finish(sparse_kernel(p, device, 1), p, device)};
  if (depths.size() == 1) return ways;
  auto const passes = sparse_passes(p, device, depths);
  for (std::size_t d = 1; d < depths.size(); ++d) {
    Estimate e = finish(sparse_kernel(p, device, depths[d]), p, device);
    e.seconds  = Passes({passes.begin(), passes.begin() + static_cast<std::ptrdiff_t>(d) + 1}).seconds(p.steps);
    ways.push_back(e);
  }
  return ways;
}

std::vector<Estimate> sparse_table(Problem const& p, DeviceModel const& device) {
  // Clocks were counted on this one. Tables are copied before anything else.
  constexpr double h200_clock = 1.755e9, table_seconds = 0.8e-6;
  DeviceModel const& h200 = fitted_on();
  double const clock = h200_clock * device.float_rate / device.multiprocessors * h200.multiprocessors / h200.float_rate;
  Kernel k           = one_sweep(p);
  k.unit             = Unit::sparse_tensor_cores;
  k.operand          = p.value_type;
  bool const line    = p.extent[0] == 1 && p.extent[1] == 1;
  k.extra_seconds    = std::max(strip_seconds(p, device), line ? next_launch : 0.0);
  k.least_seconds    = (k.extra_seconds > 0.0 ? 2.0 : 1.0) * host_launch + table_seconds;
  k.extra_seconds += table_seconds;
  TableLayout const layout = choose_table(p, device.multiprocessors, shared_bytes_of(device.compute_capability));
  if (!layout) return {finish(k, p, device)};
  TableCut const cut = cut_table(layout, p, device.multiprocessors);
  // Some of the memory's time is not hidden: the first planes of a chunk.
  double const seconds =
      cut.filled * cut.marches * layout.clocks / clock + 0.05 * points_of(p) * k.work.bytes / device.bandwidth;
  k.work.operations     = 64.0 * layout.steps * layout.parts;
  double const roofline = Model::Roofline{device.rate(k.unit, k.operand), device.bandwidth}.seconds(k.work);
  k.fraction            = std::min(0.9, roofline * points_of(p) / seconds);
  return {finish(k, p, device)};
}

std::vector<Estimate> tensor(Problem const& p, DeviceModel const& device) {
  constexpr int kernel_rows[] = {3, 5, 7, 15};
  std::size_t kernel          = 0;
  while (kernel < 3 && kernel_rows[kernel] < p.upper[1] - p.lower[1] + 1) ++kernel;
  Kernel k          = sparse_kernel(p, device, 1);
  k.unit            = Unit::tensor_cores;
  k.work.operations = 64.0 * kernel_rows[kernel];
  k.fraction        = dense_fractions[kernel];
  k.extra_seconds   = kernel_rows[kernel] > 7 ? 2.5e-6 : 0.0;
  add_strips(k, p, device, kernel_rows[kernel], 1);
  return {finish(k, p, device)};
}

std::vector<Estimate> tensor_float(Problem const& p, DeviceModel const& device) {
  // Kernels exist for 5, 7, ... 15 rows of the stencil. Fractions of the roofline with split values, that is with three
  // products a row.
  constexpr double split_fractions[] = {0.70, 0.60, 0.48, 0.51, 0.56, 0.56};
  int const ny                       = plane_rows(p, 5);
  bool const split                   = p.accuracy != Accuracy::relaxed;
  auto const at                      = static_cast<std::size_t>(std::min(ny - 5, 10) / 2);
  Kernel k                           = one_sweep(p);
  k.unit                             = Unit::sparse_tensor_cores;
  k.operand                          = ValueType::float16;
  k.work.operations                  = 64.0 * (split ? 3 : 1) * ny;
  k.fraction                         = split ? split_fractions[at] : 0.84;
  k.extra_seconds                    = 0.2e-6 + 0.3e-6 * ny + 0.033e-6 * ny * ny;
  add_strips(k, p, device, ny, 1);
  return {finish(k, p, device)};
}

std::vector<Estimate> tensor_double(Problem const& p, DeviceModel const& device) {
  // Bands of 8 outputs by 16 or 24 inputs.
  int const ny      = plane_rows(p, 7);
  int const reach   = std::max(-p.lower[2], p.upper[2]);
  Kernel k          = one_sweep(p);
  k.unit            = Unit::tensor_cores;
  k.work.operations = (reach > 4 ? 48.0 : 32.0) * ny;
  k.fraction        = 0.78;
  // Filling and emptying a pipeline of as many rows with as many matrices.
  k.extra_seconds = 0.2e-6 * ny * ny;
  add_strips(k, p, device, ny, 1);
  return {finish(k, p, device)};
}

std::vector<Entry> const& backends() {
  static std::vector<Entry> const all{{"generic", nothing, generic},
                                      {"cuda_direct", no_cuda, direct},
                                      {"cuda_temporal", temporal_refusal, temporal},
                                      {"cuda_sparse_table", sparse_table_refusal, sparse_table},
                                      {"cuda_sparse_tensor", sparse_refusal, sparse_tensor},
                                      {"cuda_tensor", dense_refusal, tensor},
                                      {"cuda_tensor_double", double_refusal, tensor_double},
                                      {"cuda_tensor_float", float_refusal, tensor_float}};
  return all;
}

std::vector<Candidate> candidates(Problem const& problem, DeviceModel const& device, std::string const& forced) {
  std::vector<Candidate> all;
  bool known = forced.empty();
  for (Entry const& entry : backends()) {
    Candidate c;
    c.backend  = entry.backend;
    c.reason   = entry.refusal(problem, device);
    c.runnable = c.reason.empty();
    known      = known || c.backend == forced;
    if (!c.runnable && c.backend == forced) throw Error("the backend \"" + forced + "\" cannot run this: " + c.reason);
    if (!c.runnable) {
      all.push_back(c);
      continue;
    }
    for (Estimate const& e : entry.ways(problem, device)) {
      c.estimate  = e;
      c.predicted = e.seconds;
      all.push_back(c);
    }
  }
  if (!known) throw Error("there is no backend \"" + forced + "\" for GPUs");
  Model::choose(all, forced);
  return all;
}

}  // namespace CudaModel
}  // namespace KokkosStencil
