// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/Plan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/Padding.hpp"
#include "direct/TapTiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

using Model::Kernel;

namespace {

/// The kernel asked for by the environment, or empty.
std::string wanted_algorithm() {
  char const* const value = std::getenv("KOKKOSSTENCIL_CUDA_DIRECT");
  return value != nullptr ? value : "";
}

/// Whether a kernel serves stencils inside its shape and grids of that size, and this one faster than a list.
bool serves_pattern(ShapeTuning const& k, Problem const& p) {
  if (!k.masked || p.terms.size() < k.least_terms || (k.shape.star && !Cuda::on_axes(p))) return false;
  for (int a = 0; a < 3; ++a) {
    auto const axis = static_cast<std::size_t>(a);
    int const r     = k.reach(a);
    if (p.lower[axis] < -r || p.upper[axis] > r || p.extent[axis] <= 2 * r) return false;
  }
  return true;
}

/// Whether past several faces of constants the first of these axes counts, as in kernels: it is the View's lowest one,
/// or all constants are the same.
bool corners_in_order(Problem const& p) {
  bool ordered           = true;
  double const* constant = nullptr;
  bool same              = true;
  int before             = -1;
  for (std::size_t a = 0; a < 3; ++a) {
    for (Face const& face : p.faces[a]) {
      if (face.kind != BoundaryKind::value) continue;
      ordered  = ordered && p.user_axis[a] >= before;
      before   = p.user_axis[a];
      same     = same && (constant == nullptr || face.constant == *constant);
      constant = &face.constant;
    }
  }
  return ordered || same;
}

/// Whether rows that all begin at the same place within a vector are left to the kernel for those that begin anywhere:
/// others leave their first and last columns to the boundary kernel, which are dear in space.
bool prefers_anywhere(ShapeTuning const& k, int value_bytes) {
  return k.anywhere() && k.for_anywhere(value_bytes).fits_rows();
}

/// Whether planes are taken as lines, of which `columns` a row are written.
bool joins_rows(ShapeTuning const& k, int value_bytes, std::int64_t in_pitch, std::int64_t out_pitch,
                std::int64_t columns) {
  return k.has_joined(value_bytes) && in_pitch == out_pitch && in_pitch <= joined_pitch &&
         static_cast<double>(columns) >= joined_wanted * static_cast<double>(in_pitch);
}

/// How a plane is cut into other rows (an index into row_cuts), if input and output begin at these places in 16 bytes,
/// in values; -1 if it is not.
int cut_of(ShapeTuning const& k, int value_bytes, std::array<std::int64_t, 3> const& extent,
           std::array<std::int64_t, 3> const& in_stride, std::array<std::int64_t, 3> const& out_stride,
           std::int64_t in_place, std::int64_t out_place) {
  std::int64_t const pitch = in_stride[1], vector = 16 / value_bytes;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 4;
  if (extent[0] > 1 || extent[1] == 1 || out_stride[1] != pitch || pitch > most ||
      pitch < std::max<std::int64_t>(extent[2], least_cut_pitch)) {
    return -1;
  }
  int const cut = row_cut(static_cast<int>(pitch % (2 * vector)),
                          static_cast<int>(modulo(in_place - out_place, vector)), static_cast<int>(vector));
  return cut >= 0 && k.has_cut(cut, value_bytes) ? cut : -1;
}

/// The faces past which a kernel finds or makes what it needs, by axis, as far as addresses do not matter.
/// `second`: whether the second kernel may run that is made for them, where that is another. `in_order`: corners are.
std::array<std::array<bool, 2>, 3> passed_faces(ShapeTuning const& k, std::array<std::int64_t, 3> const& extent,
                                                std::array<std::array<Face, 2>, 3> const& faces, int value_bytes,
                                                bool anywhere, bool second, bool in_order) {
  std::array<std::array<bool, 2>, 3> passed{};
  if (!anywhere && !second) return passed;
  for (std::size_t a = 0; a < 3; ++a) {
    int const reach = k.reach(static_cast<int>(a));
    if (reach == 0 || extent[a] < 2 * reach || !k.passes(static_cast<int>(a), value_bytes, anywhere)) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      BoundaryKind const kind = faces[a][side].kind;
      passed[a][side]         = kind == BoundaryKind::mirror || kind == BoundaryKind::edge ||
                        (kind == BoundaryKind::periodic && a < 2) ||
                        (kind == BoundaryKind::value && (a == 2 || (k.makes_constants() && in_order)));
    }
  }
  return passed;
}

/// Whether a point's inputs are within 32 bits of it, and all in few enough terms.
bool points_fit(Problem const& p) {
  if (p.terms.size() > most_point_terms) return false;
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  double reach          = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > Cuda::index_limit) return false;
    reach += static_cast<double>(std::max(-p.lower[a], p.upper[a])) * std::abs(static_cast<double>(p.in_stride[a]));
  }
  return reach < most;
}

/// What a column costs by tiles of so many lanes.
double cost_of(ColumnCosts const& costs, int lanes) {
  return lanes == 32 ? 1.0 : costs.narrow[lanes == short_row_lanes[0] ? 0 : 1];
}

/// Columns of wide tiles that take as long as the tiles that cover so many.
double covered_columns(ShapeTuning const& k, ColumnCosts const& costs, Across across, std::int64_t columns,
                       int value_bytes) {
  auto const by = [&](int lanes, std::int64_t n) {
    std::int64_t const width = (lanes == 32 ? k : k.with_lanes(lanes)).width(value_bytes);
    return cost_of(costs, lanes) * static_cast<double>(divide_up(n, width) * width);
  };
  if (across.tail == 0) return by(across.lanes, columns);
  std::int64_t const rest = columns % k.width(value_bytes);
  return by(across.lanes, columns - rest) + by(across.tail, rest) +
         (value_bytes == 2 ? tail_half_columns : tail_columns);
}

/// Columns from the beginning of the line of memory in which [begin, end) begins, in an array that begins at
/// `element` of a line.
std::int64_t columns_from_line(std::int64_t begin, std::int64_t end, std::int64_t element, int value_bytes) {
  return end - begin + modulo(element + begin, 128 / value_bytes);
}

/// The fastest way to cover the columns [begin, end) of `rows` rows, in an array that begins at `element` of a line.
Across across_of(ShapeTuning const& k, std::int64_t begin, std::int64_t end, std::int64_t rows, std::int64_t element,
                 int value_bytes, std::int64_t cache_bytes) {
  std::int64_t const vector = 16 / value_bytes;
  return across_rows(k, columns_from_line(begin, end, element, value_bytes), rows, value_bytes,
                     begin % vector == 0 && end % vector == 0, cache_bytes);
}

/// The same for a problem, as far as it is known where the Views begin.
std::int64_t columns_of_tiles(Problem const& p) {
  int const bytes = size_of(p.value_type);
  return columns_from_line(p.begin[2], p.end[2], p.in_phase / bytes, bytes);
}
Across across_of(ShapeTuning const& k, Problem const& p, DeviceModel const& device) {
  int const bytes         = size_of(p.value_type);
  std::int64_t const rows = (p.end[0] - p.begin[0]) * (p.end[1] - p.begin[1]);
  return across_of(k, p.begin[2], p.end[2], rows, p.in_phase / bytes, bytes, device.l2_bytes);
}

/// How tiles of rows that are put in phase cover so many columns.
struct TilesInPhase {
  std::int64_t wide, narrow;
};
TilesInPhase tiles_in_phase(std::int64_t columns, int value_bytes) {
  std::int64_t const vector = 16 / value_bytes, tile = 32 * vector;
  std::int64_t const narrow = divide_up(columns % tile, narrow_lanes * vector);
  return narrow * narrow_counts < 32 ? TilesInPhase{columns / tile, narrow} : TilesInPhase{columns / tile + 1, 0};
}

/// Rows or planes a block, of `count`, with which blocks for so many tiles fill the GPU once.
std::int64_t wave_length(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, int multiprocessors) {
  std::int64_t const slots = static_cast<std::int64_t>(multiprocessors) * k.blocks;
  return divide_up(count, std::max<std::int64_t>(1, slots / tiles));
}

/// Planes a block, near those that are fastest on large grids, with which blocks fill all waves but little of the last.
std::int64_t planes_of_full_waves(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, int multiprocessors) {
  std::int64_t const slots = static_cast<std::int64_t>(multiprocessors) * k.blocks, usual = k.stream_length;
  std::int64_t best = usual;
  double most       = 0.0;
  for (std::int64_t n = std::max<std::int64_t>(least_stream, usual * 7 / 10); n <= usual * 3 / 2; ++n) {
    std::int64_t const blocks = tiles * divide_up(count, n), waves = divide_up(blocks, slots);
    double const full  = static_cast<double>(blocks) / static_cast<double>(waves * slots),
                 far   = std::abs(std::log(static_cast<double>(n) / static_cast<double>(usual)));
    double const merit = full - length_slope * far;
    if (merit <= most) continue;
    most = merit;
    best = n;
  }
  return best;
}

/// Steps that multiprocessors take one after another, if blocks of so many rows or planes go over `count` of them. Many
/// waves need not be whole.
double steps_of_waves(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, std::int64_t length,
                      int multiprocessors) {
  double const waves = static_cast<double>(tiles * divide_up(count, length)) / (multiprocessors * k.blocks);
  double const whole = waves < free_waves ? std::ceil(waves) : waves + 0.5;
  return whole * static_cast<double>(length + 2 * k.shape.radius);
}

/// Those that a block streams over. Small problems: enough blocks for the whole GPU, but none much shorter than its
/// overlap.
std::int64_t stream_length(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, int multiprocessors,
                           int value_bytes) {
  std::int64_t const wave  = wave_length(k, count, tiles, multiprocessors);
  std::int64_t const least = std::max(least_stream, k.shape.radius);
  std::int64_t usual       = k.stream_length > 0 ? k.stream_length : wave;
  if (k.is_short) {
    double const part  = static_cast<double>(tiles * divide_up(count, wave)) / (multiprocessors * k.blocks);
    int const lengths  = k.has_bands(value_bytes) ? one_wave_lengths : one_wave_lengths_without_bands;
    bool const at_once = wave <= lengths * usual && part >= one_wave_part && part <= 1.0;
    usual              = at_once ? std::max(least, wave) : planes_of_full_waves(k, count, tiles, multiprocessors);
  }
  std::int64_t const most = std::min(usual, std::max(least, wave));
  std::int64_t best       = divide_up(count, divide_up(count, most));
  // In space, shorter ones where waves of blocks are filled better.
  if (k.shape.rank < 3 || k.is_short) return best;
  double fewest = fewer_steps * steps_of_waves(k, count, tiles, best, multiprocessors);
  for (int waves = 1; waves <= free_waves; ++waves) {
    // As many blocks a tile as fill them. Every launch asks, so no others are tried.
    std::int64_t const blocks = std::max<std::int64_t>(1, waves * std::int64_t(multiprocessors) * k.blocks / tiles);
    std::int64_t const length = divide_up(count, blocks);
    if (length < shortest_stream) break;
    double const steps = steps_of_waves(k, count, tiles, length, multiprocessors);
    if (length >= most || steps >= fewest) continue;
    best   = length;
    fewest = steps;
  }
  return best;
}

/// What the efficiencies of a device call a kernel.
std::string name_of(ShapeTuning const& k, ValueType type) {
  constexpr char const* structures[] = {"rows", "lines", "stream-rows", "stream-columns", "stream-planes"};
  return std::string("cuda_direct/") + Model::type_name(type) + "/" + structures[static_cast<int>(k.structure)] +
         (k.masked ? "/in-" : "/") + shape_name(k.shape);
}

/// How many rows, columns or planes of the range lie inside the faces.
std::int64_t inside(ShapeTuning const& k, Problem const& p, int axis) {
  auto const a             = static_cast<std::size_t>(axis);
  std::int64_t const reach = k.reach(axis);
  return std::max<std::int64_t>(1, std::min(p.end[a], p.extent[a] - reach) - std::max(p.begin[a], reach));
}

/// What streaming adds to a kernel: steps before a block's first output, multiprocessors that wait for those with a
/// block more, tiles that reach past the ends of short rows; and how long a block takes at least.
void add_streams(Kernel& cost, ShapeTuning const& k, bool anywhere, bool joined, bool cut, bool more, Across across,
                 Problem const& p, DeviceModel const& device) {
  std::array<std::int64_t, 3> n{};
  for (std::size_t a = 0; a < 3; ++a) n[a] = std::max<std::int64_t>(1, p.end[a] - p.begin[a]);
  bool const in_plane      = k.structure == Structure::stream_rows;
  std::int64_t const count = in_plane ? n[1] : n[0];
  int const bytes          = size_of(p.value_type);
  std::int64_t const wide  = joined     ? k.joined_columns()
                             : anywhere ? k.anywhere_width(bytes)
                                        : k.width(bytes),
                     high  = joined ? 1 : k.height();
  // Such tiles begin with the first point inside the faces; warps leave groups out that are past the end.
  bool const fits      = anywhere && k.fits_rows();
  std::int64_t columns = fits ? inside(k, p, 2) : n[2], rows = fits       ? inside(k, p, in_plane ? 0 : 1)
                                                               : in_plane ? n[0]
                                                                          : n[1];
  auto const wanted = static_cast<double>(columns * rows);
  if (joined) {
    columns += (rows - 1) * p.in_stride[1];
    rows = 1;
  }
  std::int64_t const group = joined                     ? k.group_columns(bytes)
                             : fits && !k.puts_in_phase ? k.anywhere_columns(bytes) / k.groups_a_lane
                                                        : wide;
  // Where all tiles lack some, their multiprocessors wait. Of cut planes the last tile copies what it needs, and
  // 11 tiles of 1024 columns take no longer than 10 for rows of 10248.
  std::int64_t covered = columns < wide ? wide
                         : cut          ? columns
                                        : divide_up(columns, group) * group,
               tiles   = (more ? columns / wide : divide_up(columns, wide)) * divide_up(rows, high);
  if (anywhere && k.puts_in_phase) {
    TilesInPhase const of_row = tiles_in_phase(columns, bytes);
    covered                   = of_row.wide * wide + of_row.narrow * (narrow_counts * wide / 32);
    tiles = of_row.wide * divide_up(rows, high) + of_row.narrow * divide_up(rows, high * 32 / narrow_lanes);
  }
  std::int64_t const length = stream_length(k, count, tiles, device.multiprocessors, bytes);
  std::int64_t const wave   = wave_length(k, count, tiles, device.multiprocessors);
  // With which the efficiency was measured.
  std::int64_t const whole = k.stream_length > 0 ? k.stream_length : std::max<std::int64_t>(wave, whole_stream);
  double const blocks      = static_cast<double>(tiles * divide_up(count, length));
  double const prologue    = 2.0 * k.shape.radius;
  auto const overlap       = [&](std::int64_t of) { return 1.0 + prologue / static_cast<double>(of); };
  double const of_tiles  = across.tail > 0 ? covered_columns(k, k.modelled_costs(), across, columns_of_tiles(p), bytes)
                                           : static_cast<double>(covered);
  double const past_ends = of_tiles * static_cast<double>(divide_up(rows, high) * high) / wanted;
  cost.redundancy        = past_ends * Model::wave_redundancy(blocks, device.multiprocessors) * overlap(length) /
                    std::min(overlap(length), overlap(whole));
  // A step of a block, were the GPU full of them.
  double const a_point = Model::roofline_seconds(cost, p, device) / cost.fraction;
  double const step    = a_point * static_cast<double>(wide * high) * device.multiprocessors;
  double const shared  = !k.masked      ? tuned(device, stream_alone, "cuda_direct/stream_alone")
                         : k.blocks > 1 ? tuned(device, masked_stream_alone, "cuda_direct/masked_stream_alone")
                                        : 1.0;
  double const alone   = shared * (in_plane ? 8.0 / k.warps_a_block : 1.0);
  double const block   = alone * step * (static_cast<double>(length) + prologue);
  double const busy    = a_point * cost.redundancy * Model::points_of(p);
  cost.extra_seconds += std::max(0.0, block - busy);
}

/// The fraction of the roofline that a kernel reaches on the reference device.
double efficiency(ShapeTuning const& k, Problem const& p, DeviceModel const& device) {
  double const fraction = tuned(device, k.fraction, [&] { return name_of(k, p.value_type); });
  if (!k.masked || size_of(p.value_type) != 2) return fraction;
  Kernel const one       = Model::sweep_kernel(p);
  DeviceModel const& gpu = Model::reference_device();
  double const memory    = one.work.bytes / gpu.bandwidth;
  double const terms =
      tuned(device, half_term_seconds, "cuda_direct/half_term_seconds") * static_cast<double>(p.terms.size());
  return std::max(memory, one.work.operations / gpu.float_rate) / (memory / fraction + terms);
}

/// The faces that a kernel passes, by axis.
std::array<std::array<bool, 2>, 3> passed_faces(ShapeTuning const& k, Problem const& p, bool anywhere) {
  if (is_line(p)) return {};
  auto passed = passed_faces(k, p.extent, p.faces, size_of(p.value_type), anywhere, !p.updates, corners_in_order(p));
  // Faces of x that are passed stand between whole vectors of a row.
  bool const first = anywhere || p.in_phase == 0, last = anywhere || (first && columns_left(p) == 0);
  bool const torus = p.faces[2][0].kind == BoundaryKind::periodic && !anywhere && first && last;
  passed[2]        = {{torus || (first && passed[2][0]), torus || (last && passed[2][1])}};
  return passed;
}

/// Of outputs at the ends of rows.
double sectors_in_part_seconds(ShapeTuning const& k, Problem const& p, DeviceModel const& device) {
  std::int64_t const bytes = size_of(p.value_type);
  auto const in_part       = [&](std::int64_t column) { return (p.out_phase + column * bytes) % sector_bytes != 0; };
  int const ends           = in_part(p.begin[2]) + in_part(p.end[2]);
  bool const at_once       = size_of(p.value_type) == 2 && k.lanes_across == 32;
  double const one         = at_once ? tuned(device, sector_in_part_at_once, "cuda_direct/sector_in_part_at_once")
                                     : tuned(device, sector_in_part, "cuda_direct/sector_in_part");
  auto const rows          = static_cast<double>(p.end[0] - p.begin[0]) * static_cast<double>(p.end[1] - p.begin[1]);
  // Efficiencies were measured with two of them a row.
  double const more = std::max(0.0, ends - 2.0 * static_cast<double>(p.extent[2]) / measured_row);
  return one * more * rows * Cuda::beyond_cache(p, device);
}

/// What the ends of short rows in half take beside that, as far as measured: small shapes, halo faces.
double narrow_half_seconds(ShapeTuning const& k, Problem const& p, DeviceModel const& device) {
  bool const is_small = k.shape.radius == 1 || (k.shape.radius == 2 && k.shape.star);
  if (p.extent[0] == 1 || size_of(p.value_type) != 2 || !is_small) return 0.0;
  double const one    = p.extent[2] % (16 / size_of(p.value_type)) == 0
                            ? tuned(device, half_row_ends, "cuda_direct/half_row_ends")
                            : tuned(device, half_row_ends_in_vector, "cuda_direct/half_row_ends_in_vector");
  auto const columns  = static_cast<double>(p.extent[2]);
  double const narrow = std::clamp((half_row_wide - columns) / (half_row_wide - half_row_narrow), 0.0, 1.0);
  auto const rows     = static_cast<double>(p.end[0] - p.begin[0]) * static_cast<double>(p.end[1] - p.begin[1]);
  return one * narrow * rows;
}

Kernel shape_cost(ShapeTuning const& aligned, Problem const& p, DeviceModel const& device) {
  Kernel cost     = Model::sweep_kernel(p);
  double fraction = efficiency(aligned, p, device);
  bool const alike =
      p.in_phase == p.out_phase && (p.in_phase == 0 || !prefers_anywhere(aligned, size_of(p.value_type)));
  bool const anywhere    = !p.updates && aligned.anywhere() && (!Cuda::aligned_pitch(p) || !alike);
  ShapeTuning const here = on_device(aligned, device);
  Across const across    = p.updates || anywhere ? Across{32, 0} : across_of(here, p, device);
  ShapeTuning k          = anywhere            ? aligned.for_anywhere(size_of(p.value_type))
                           : across.lanes < 32 ? here.with_lanes(across.lanes)
                                               : here;
  auto const passed      = passed_faces(k, p, anywhere);
  bool const joined      = anywhere && !passed[2][0] && !passed[2][1] &&
                      joins_rows(aligned, size_of(p.value_type), p.in_stride[1], p.out_stride[1], inside(k, p, 2));
  if (joined) k = aligned.for_joined();
  int const bytes = size_of(p.value_type);
  bool const cut  = anywhere && cut_of(aligned, bytes, p.extent, p.in_stride, p.out_stride, p.in_phase / bytes,
                                       p.out_phase / bytes) >= 0;
  if (cut) {
    k = aligned.for_cuts(bytes);
    fraction *= tuned(device, aligned.part_cut, [&] { return name_of(aligned, p.value_type) + "/cut"; });
  } else if (joined) {
    fraction *= tuned(device, part_joined, [&] { return name_of(aligned, p.value_type) + "/joined"; });
  } else if (anywhere) {
    fraction *= tuned(device, aligned.part_anywhere, [&] { return name_of(aligned, p.value_type) + "/anywhere"; });
  } else {
    fraction /= cost_of(k.modelled_costs(), k.lanes_across);
  }
  bool const passes = std::any_of(passed.begin(), passed.end(), [](auto const& axis) { return axis[0] || axis[1]; });
  if (passes && p.extent[0] > 1 && size_of(p.value_type) == 2) {
    bool const near = k.shape.radius <= 2;
    fraction *= !anywhere ? half_passing : near ? near_half_passing_anywhere : half_passing_anywhere;
  }
  if (anywhere && passed[2][0] && passed[2][1] && p.extent[0] > 1 && size_of(p.value_type) == 4) {
    auto const tiles = static_cast<double>(divide_up(p.end[2] - p.begin[2], k.anywhere_width(size_of(p.value_type))));
    fraction /= 1.0 + (float_passing_anywhere - 1.0) / tiles;
  }
  // What is left over of a line that is folded into rows takes a launch, too.
  bool const folded = k.shape.rank == 1 && p.points() == p.end[2] - p.begin[2];
  if (folded && size_of(p.value_type) == 2 && p.in_phase != p.out_phase) {
    fraction *= k.has_shift() ? tuned(device, half_line_shifted, "cuda_direct/half_line_shifted")
                              : tuned(device, half_line_apart, "cuda_direct/half_line_apart");
  }
  use_efficiency(cost, device, fraction);
  cost.extra_seconds = folded ? Cuda::next_launch_seconds(device) : 0.0;
  cost.extra_seconds = std::max(cost.extra_seconds, Cuda::boundary_seconds(p, device, k.shape, passed, !anywhere));
  cost.least_seconds = (cost.extra_seconds > 0.0 ? 2.0 : 1.0) * Cuda::host_launch_seconds(device);
  if (!anywhere && p.extent[0] > 1) cost.extra_seconds += sectors_in_part_seconds(k, p, device);
  if (!anywhere && !passes) cost.extra_seconds += narrow_half_seconds(k, p, device);
  if (anywhere && k.shape.rank == 2 && k.shape.radius <= farther_radius) {
    std::size_t const type = Model::type_index(p.value_type);
    double const near      = tuned(device, near_plane_anywhere[type], [&] {
      return std::string("cuda_direct/near_plane_anywhere/") + Model::type_name(p.value_type);
    });
    double const farther   = tuned(device, farther_plane_anywhere, "cuda_direct/farther_plane_anywhere");
    // Points near faces are computed meanwhile.
    cost.extra_seconds = std::max(cost.extra_seconds, k.shape.radius <= near_radius ? near : farther);
  }
  if (!anywhere && k.shape.rank == 2 && k.shape.radius == 1 && size_of(p.value_type) == 2) {
    double const busy = Model::roofline_seconds(cost, p, device) * Model::points_of(p) / cost.fraction;
    cost.extra_seconds =
        std::max(cost.extra_seconds, tuned(device, half_start, "cuda_direct/half_start") - half_start_hides * busy);
  }
  if (k.streams()) {
    bool const more = anywhere && !cut && aligned.takes_more_columns(bytes, inside(k, p, 2));
    add_streams(cost, k, anywhere && !cut, joined, cut, more, across, p, device);
  } else if (std::int64_t const columns = std::max<std::int64_t>(1, p.end[2] - p.begin[2]); p.points() != columns) {
    std::int64_t const wide = k.width(size_of(p.value_type));
    double const covered =
        across.tail > 0 ? covered_columns(k, k.modelled_costs(), across, columns_of_tiles(p), size_of(p.value_type))
                        : static_cast<double>(divide_up(columns, wide) * wide);
    // Lanes past the ends of rows wait for nothing.
    cost.redundancy = 1.0 + idle_row_column_cost * (covered / static_cast<double>(columns) - 1.0);
  }
  return cost;
}

/// `boundary`: what points near faces take beside either list of terms.
Kernel taps_cost(Problem const& p, DeviceModel const& device, double boundary) {
  Kernel cost           = Model::sweep_kernel(p);
  cost.extra_seconds    = boundary;
  cost.least_seconds    = (boundary > 0.0 ? 2.0 : 1.0) * Cuda::host_launch_seconds(device);
  PointBox const inside = interior(p);
  if (inside.empty()) return cost;
  TapTiles const tiles = tap_tiles(p, inside, device);
  double const few     = std::clamp(2.0 - static_cast<double>(p.terms.size()) / few_taps, 0.0, 1.0);
  bool const narrow    = Model::used_rank(p) == 3 && inside.end[2] - inside.begin[2] <= few_taps_columns;
  double const slower  = narrow ? few_taps_beyond_cache * few * beyond_cache(p, device) : 0.0;
  double const seconds = (1.0 + slower) * tiles.seconds;
  cost.fraction        = std::min(1.0, Model::roofline_seconds(cost, p, device) * points_of(p) / seconds);
  // Points near faces are computed meanwhile, those of planes where threads wait anyway.
  double const hidden = Model::used_rank(p) < 3 ? boundary_beside_list * tiles.idle : 0.0;
  cost.extra_seconds  = std::max(boundary - hidden, tiles.in_arguments ? few_terms_first_load : first_load);
  return cost;
}

Kernel points_cost(Problem const& p, DeviceModel const& device, double boundary) {
  Kernel cost           = Model::sweep_kernel(p);
  PointList const& list = point_lists[Model::type_index(p.value_type)];
  auto const axis       = static_cast<std::size_t>(Model::used_rank(p) - 1);
  auto const terms      = static_cast<double>(p.terms.size());
  // Offset and coefficient of a term are arguments, and many of these come slowly.
  double const slower    = std::max(1.0, std::pow(terms / fast_arguments, slow_arguments));
  auto const picoseconds = [&](double value, char const* part) {
    return tuned(device, value, [&] {
      return std::string("cuda_direct/") + Model::type_name(p.value_type) + "/points/" + part + "/" +
             std::to_string(axis + 1) + "d";
    });
  };
  double const picos =
      picoseconds(list.base_picoseconds[axis], "base") + picoseconds(list.load_picoseconds[axis], "load") * terms;
  double const issue   = slower * 1e-12 * picos * Model::reference_device().float_rate / device.float_rate;
  cost.fraction        = std::min(1.0, Model::roofline_seconds(cost, p, device) / issue);
  double const latency = tuned(device, point_latency, "cuda_direct/point_latency") * std::ceil(terms / point_loads);
  cost.extra_seconds   = latency - tuned(device, short_launch, "cuda_direct/short_launch");
  // Points near faces are beside the others, but slower.
  cost.extra_seconds     = std::max(cost.extra_seconds, boundary - 0.5 * Cuda::next_launch_seconds(device));
  bool const long_launch = p.terms.size() > few_point_terms || boundary > 0.0;
  cost.least_seconds     = Cuda::host_launch_seconds(device) + (long_launch ? long_arguments : 0.0);
  return cost;
}

}  // namespace

ShapeTunings shape_tunings(ValueType type) {
  switch (type) {
    case ValueType::float64: return {double_kernels, std::size(double_kernels)};
    case ValueType::float32: return {float_kernels, std::size(float_kernels)};
    default: return {half_kernels, std::size(half_kernels)};
  }
}

Across across_rows(ShapeTuning const& k, std::int64_t columns, std::int64_t rows, int value_bytes, bool whole_vectors,
                   std::int64_t cache_bytes) {
  // Where half_t ends with a whole vector wide tiles lose less.
  std::int64_t const rest = columns % k.width(value_bytes);
  if (rest > 0 && columns >= tail_least_columns && rows >= tail_least_rows && !(value_bytes == 2 && whole_vectors)) {
    constexpr int lanes = short_row_lanes[1];
    if (rest <= k.tail_tiles(value_bytes) * k.with_lanes(lanes).width(value_bytes)) return {32, lanes};
  }
  double const both       = 2.0 * static_cast<double>(columns) * static_cast<double>(rows) * value_bytes;
  bool const in_cache     = both <= cached_part * static_cast<double>(cache_bytes);
  ColumnCosts const costs = k.column_costs(value_bytes, whole_vectors, in_cache);
  Across best{32, 0};
  double least = costs.idle * covered_columns(k, costs, best, columns, value_bytes) +
                 (1.0 - costs.idle) * static_cast<double>(columns);
  for (int const lanes : short_row_lanes) {
    if (!k.has_lanes(lanes, value_bytes)) continue;
    double const cost = covered_columns(k, costs, {lanes, 0}, columns, value_bytes);
    if (cost >= least) continue;
    best  = {lanes, 0};
    least = cost;
  }
  return best;
}

bool reads_anywhere(Problem const& p) {
  std::int64_t const vector = 16 / size_of(p.value_type);
  return (p.extent[0] > 1 && p.in_stride[0] % vector != 0) || (p.extent[1] > 1 && p.in_stride[1] % vector != 0);
}

ShapeTuning const* find_kernel(Problem const& p) {
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1) return nullptr;
  bool const anywhere = reads_anywhere(p);
  Shape const shape   = Cuda::shape_of(p);
  for (ShapeTuning const& k : shape_tunings(p.value_type)) {
    if (k.only_row && !is_line(p)) continue;
    if (anywhere && (p.updates || !k.anywhere())) continue;
    if (p.updates && !k.has_update(size_of(p.value_type))) continue;
    if (k.masked ? serves_pattern(k, p) : shape.rank > 0 && k.shape == shape) return &k;
  }
  return nullptr;
}

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  std::string const wanted = wanted_algorithm();
  if (!wanted.empty() && wanted != "shape" && wanted != "taps" && wanted != "points") {
    return "\"" + wanted + "\" (KOKKOSSTENCIL_CUDA_DIRECT) is no kernel of cuda_direct; there are shape, taps, points";
  }
  return Cuda::no_cuda(p, device);
}

SweepPlan plan_sweep(Problem const& p, DeviceModel const& device) {
  std::string const wanted = wanted_algorithm();
  double const boundary    = Cuda::boundary_seconds(p, device);
  SweepPlan best{Algorithm::taps, nullptr, taps_cost(p, device, boundary)};
  double least         = Model::estimate(best.cost, p, device, 1).seconds;
  auto const candidate = [&](SweepPlan const& plan, char const* name) {
    double const seconds = Model::estimate(plan.cost, p, device, 1).seconds;
    if (wanted != name && (!wanted.empty() || seconds >= least)) return;
    least = seconds;
    best  = plan;
  };
  if (points_fit(p))
    candidate({Algorithm::points, nullptr, points_cost(p, device, Cuda::boundary_points_seconds(p, device))}, "points");
  if (auto const* const k = find_kernel(p)) candidate({Algorithm::shape, k, shape_cost(*k, p, device)}, "shape");
  return best;
}

Estimate cost_of_sweeps(Problem const& p, DeviceModel const& device, std::int64_t steps) {
  return Model::estimate(plan_sweep(p, device).cost, p, device, steps);
}

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) { return {cost_of_sweeps(p, device, p.steps)}; }

ShapeTuning on_device(ShapeTuning const& kernel, DeviceModel const& device) {
  auto const ratio = [](DeviceModel const& d) { return d.bandwidth / Model::issue_rate(d); };
  bool const slow  = ratio(device) < slow_memory * ratio(Model::reference_device());
  return slow ? kernel.for_slow_memory() : kernel;
}

ShapeCut::ShapeCut(ShapeTuning const& kernel, Problem const& p, int multiprocessors, std::int64_t cache_bytes)
    : m_kernel(kernel),
      m_extent(p.extent),
      m_in_stride(p.in_stride),
      m_out_stride(p.out_stride),
      m_value_bytes(size_of(p.value_type)),
      m_faces(p.faces),
      m_corners_in_order(corners_in_order(p)),
      m_reads_anywhere(reads_anywhere(p)),
      m_multiprocessors(multiprocessors),
      m_cache_bytes(cache_bytes),
      m_range{p.begin, p.end} {}

std::optional<ShapeCut::Launch> ShapeCut::launch(std::uintptr_t in, std::uintptr_t out, Variant variant) const {
  bool const plain = variant == Variant::plain;
  auto const bytes = static_cast<std::uintptr_t>(m_value_bytes);
  if (m_range.empty() || in % bytes != 0 || out % bytes != 0) return std::nullopt;
  ShapeTuning const usual = plain ? m_kernel : variant == Variant::norm ? m_kernel.with_norm() : m_kernel.with_update();
  int const rx            = usual.shape.radius;
  std::int64_t const vector = 16 / m_value_bytes, cache_line = 128 / m_value_bytes;
  Launch l{};
  Geometry& g = l.geometry;
  // Whole vectors of a row: [low, high).
  auto const element       = static_cast<std::int64_t>(in / bytes);
  std::int64_t const width = m_extent[2];
  g.aligned_out            = (static_cast<std::int64_t>(out / bytes) - element) % vector == 0;
  for (std::size_t a = 0; a < 2; ++a) {
    g.in_stride[a]  = m_in_stride[a];
    g.out_stride[a] = m_out_stride[a];
    if (m_extent[a] > 1 && g.out_stride[a] % vector != 0) g.aligned_out = false;
  }
  bool const misplaced = !g.aligned_out || (modulo(element, vector) != 0 && prefers_anywhere(usual, m_value_bytes));
  l.anywhere           = m_reads_anywhere || (misplaced && plain && usual.anywhere() && m_extent[1] > 1);
  if (l.anywhere && !plain) return std::nullopt;
  bool const wide                = !plain || l.anywhere;
  std::int64_t const rows_in_all = (m_range.end[0] - m_range.begin[0]) * (m_range.end[1] - m_range.begin[1]);
  Across const across =
      wide ? Across{32, 0}
           : across_of(usual, m_range.begin[2], m_range.end[2], rows_in_all, element, m_value_bytes, m_cache_bytes);
  l.lanes       = across.lanes;
  ShapeTuning k = l.anywhere ? usual.for_anywhere(m_value_bytes) : l.lanes < 32 ? usual.with_lanes(l.lanes) : usual;
  std::int64_t const tile = (l.anywhere ? usual : k).width(m_value_bytes);
  if (l.anywhere) {
    // Elements of the whole View.
    g.high = (m_extent[0] - 1) * m_in_stride[0] + (m_extent[1] - 1) * m_in_stride[1] + width;
  } else {
    g.low  = (vector - element % vector) % vector;
    g.high = g.low + (width - g.low) / vector * vector;
  }
  if (g.high <= g.low) return std::nullopt;
  bool const folded =
      k.shape.rank == 1 && m_range.end[0] - m_range.begin[0] == 1 && m_range.end[1] - m_range.begin[1] == 1;
  auto passed = passed_faces(k, m_extent, m_faces, m_value_bytes, l.anywhere, plain, m_corners_in_order);
  // Kernels that pass faces count the vectors of a plane in 32 bits.
  if (folded || m_extent[1] * m_in_stride[1] / vector > std::numeric_limits<std::int32_t>::max()) passed = {};
  // Faces of x are passed if they stand between whole vectors of a row.
  if (!l.anywhere) passed[2] = {{passed[2][0] && g.low == 0, passed[2][1] && g.high == width}};
  // Whole rows of vectors on a torus: across x the kernel reads the other side.
  bool const torus =
      !l.anywhere && !folded && m_faces[2][0].kind == BoundaryKind::periodic && g.low == 0 && g.high == width;
  g.wrap       = torus ? width : 0;
  PointBox box = m_range;
  for (std::size_t a = 0; a < 3; ++a) {
    std::int64_t const reach = torus && a == 2 ? 0 : k.reach(static_cast<int>(a));
    g.extent[a]              = m_extent[a];
    for (std::size_t side = 0; side < 2; ++side) {
      if (passed[a][side]) {
        g.faces[a][side] = m_faces[a][side];
        l.past_faces     = true;
      } else if (side == 0) {
        box.begin[a] = std::max(box.begin[a], reach);
      } else {
        box.end[a] = std::min(box.end[a], m_extent[a] - reach);
      }
    }
  }
  // Outputs that need no part of a broken vector.
  if (!l.anywhere) {
    if (g.low > 0) box.begin[2] = std::max(box.begin[2], g.low + rx);
    if (g.high < width) box.end[2] = std::min(box.end[2], g.high - rx);
  }
  if (box.empty()) return std::nullopt;
  std::int64_t const columns = box.end[2] - box.begin[2];
  l.more                     = l.anywhere && usual.takes_more_columns(m_value_bytes, columns);
  l.joined                   = l.anywhere && !passed[2][0] && !passed[2][1] &&
             joins_rows(usual, m_value_bytes, g.in_stride[1], g.out_stride[1], columns);
  if (l.joined) k = usual.for_joined();
  std::int64_t const out_place = modulo(static_cast<std::int64_t>(out / bytes), vector);
  l.cut                        = l.anywhere && !folded && columns >= vector
                                     ? cut_of(usual, m_value_bytes, m_extent, m_in_stride, m_out_stride, element, out_place)
                                     : -1;
  if (l.cut >= 0) {
    k = usual.for_cuts(m_value_bytes);
    // The plane as one line, from the vector on in which its first output lies.
    RowCut const& cut        = row_cuts[l.cut];
    std::int64_t const pitch = m_in_stride[1], row = pitch - cut.shear;
    auto const place = [&](std::int64_t y, std::int64_t x) { return y * pitch + x + out_place; };
    l.first_out      = -out_place;
    l.first_in       = -out_place - cut.offset;
    g.low            = -l.first_in;
    g.high -= l.first_in;
    g.in_stride[1] = g.out_stride[1] = row;
    g.before                         = static_cast<std::int32_t>(out_place);
    g.pitch                          = static_cast<std::int32_t>(pitch);
    g.wide                           = static_cast<std::int32_t>(columns);
    g.line_begin                     = box.begin[1] * pitch;
    g.line_end                       = box.end[1] * pitch;
    g.begin[1]                       = place(box.begin[1], box.begin[2]) / row;
    g.end[1]                         = place(box.end[1] - 1, box.end[2] - 1) / row + 1;
    g.begin[2]                       = box.begin[2];
    g.end[2]                         = row;
    g.end[0]                         = 1;
  } else if (folded) {
    // A single row is folded into rows of one tile's width; their neighbours follow in memory.
    std::int64_t const side = divide_up(rx, vector) * vector;
    std::int64_t first      = std::max(box.begin[2], g.low + side);
    first += (cache_line - (element + first) % cache_line) % cache_line;
    // Outputs that begin elsewhere in a vector are computed from there on.
    bool const apart           = plain && k.has_shift() && !g.aligned_out;
    std::int64_t const row_out = box.begin[0] * g.out_stride[0] + box.begin[1] * g.out_stride[1];
    std::int64_t const at_out  = static_cast<std::int64_t>(out / bytes) + row_out + first;
    if (apart) g.shift = static_cast<std::int32_t>(modulo(-at_out, vector));
    std::int64_t const more = apart ? vector : 0;
    std::int64_t const rows = (std::min(box.end[2] - g.shift, g.high - side - more) - first) / tile;
    if (rows < k.least_rows()) return std::nullopt;
    l.first_in     = box.begin[0] * g.in_stride[0] + box.begin[1] * g.in_stride[1] + first;
    l.first_out    = row_out + first + g.shift;
    box.begin[2]   = first + g.shift;
    box.end[2]     = box.begin[2] + rows * tile;
    g.in_stride[1] = g.out_stride[1] = tile;
    g.low                            = -side;
    g.high                           = tile + side + more;
    g.aligned_out                    = g.aligned_out || apart;
    l.anywhere                       = g.shift != 0;
    g.end[0]                         = 1;
    g.end[1]                         = rows;
    g.end[2]                         = tile;
  } else {
    std::int64_t from = element;
    if (l.anywhere) {
      // Tiles begin with lines of the output, as far as these are at the same place in all rows.
      from = modulo(
          static_cast<std::int64_t>(out / bytes) + box.begin[0] * g.out_stride[0] + box.begin[1] * g.out_stride[1],
          cache_line);
    }
    g.first_vector = box.begin[2] - (from + box.begin[2]) % cache_line;
    if (l.anywhere) {
      // Unless that takes a tile more, or lanes have words, which hold wanted values only.
      auto const tiles = [&](std::int64_t first) {
        return divide_up(box.end[2] - first, k.anywhere_width(m_value_bytes));
      };
      bool const words = k.groups_a_lane > 0 && m_value_bytes == 2;
      if (words || k.puts_in_phase || l.more || tiles(g.first_vector) > tiles(box.begin[2])) {
        g.first_vector = box.begin[2];
      }
      // The first lane's outputs are stored by nobody.
      if (k.shifts_stores(m_value_bytes)) g.first_vector = box.begin[2] - vector;
    }
    std::copy(box.begin.begin(), box.begin.end(), g.begin);
    std::copy(box.end.begin(), box.end.end(), g.end);
    g.last_row = m_extent[1] - 1;
  }
  std::int64_t const rows = g.end[1] - g.begin[1], planes = g.end[0] - g.begin[0];
  if (rows < k.least_rows() || planes < k.least_planes()) return std::nullopt;
  std::int64_t tiles_x = divide_up(g.end[2] - g.first_vector, l.cut >= 0              ? k.width(m_value_bytes)
                                                              : l.anywhere && !folded ? k.anywhere_width(m_value_bytes)
                                                                                      : tile);
  std::int64_t tiles_y = divide_up(rows, k.height()), tiles_z = divide_up(planes, k.depth()), narrow_tiles = 0;
  if (l.anywhere && k.puts_in_phase) {
    TilesInPhase const of_row = tiles_in_phase(g.end[2] - g.first_vector, m_value_bytes);
    tiles_x                   = of_row.wide;
    g.narrow_tiles_x          = static_cast<std::int32_t>(of_row.narrow);
    g.narrow_tiles_y          = static_cast<std::int32_t>(divide_up(rows, k.height() * 32 / narrow_lanes));
    narrow_tiles              = of_row.narrow * g.narrow_tiles_y;
    // It counts the bytes of a plane of its tile in 32 bits.
    std::int64_t const most_bytes = std::numeric_limits<std::int32_t>::max() / k.in_phase_rows(narrow_lanes);
    if (g.in_stride[1] * m_value_bytes > most_bytes) return std::nullopt;
  }
  if (l.joined) {
    // Parts may begin a column further left, and columns of a plane are counted in 32 bits.
    std::int64_t const line = (rows - 1) * g.in_stride[1] + columns;
    if (line > std::numeric_limits<std::int32_t>::max() / 4) return std::nullopt;
    tiles_x = divide_up(line + 1, k.joined_columns());
    tiles_y = 1;
  }
  if (l.anywhere && !l.joined && k.groups_a_lane > 0 && m_value_bytes == 2) {
    // It counts the bytes of a plane of its tile in 32 bits.
    std::int64_t const most_bytes = std::numeric_limits<std::int32_t>::max() / k.stage_rows();
    if (g.in_stride[1] * m_value_bytes > most_bytes) return std::nullopt;
  }
  bool const has_tail =
      across.tail > 0 && !folded &&
      across_of(usual, g.begin[2], g.end[2], rows * planes, element, m_value_bytes, m_cache_bytes).tail == across.tail;
  if (has_tail) {
    // Wide tiles end before the last columns.
    std::int64_t const whole = g.first_vector + (g.end[2] - g.first_vector) / tile * tile;
    if (whole > g.begin[2] && whole < g.end[2]) {
      ShapeTuning const narrow = usual.with_lanes(across.tail);
      l.tail                   = g;
      l.tail.first_vector = l.tail.begin[2] = whole;
      g.end[2]                              = whole;
      Tiles const tail{divide_up(l.tail.end[2] - whole, narrow.width(m_value_bytes)), divide_up(rows, narrow.height()),
                       tiles_z, 0};
      l.tail_blocks = deal(narrow, tail, l.tail);
      if (l.tail_blocks == 0) return std::nullopt;
      tiles_x = (whole - g.first_vector) / tile;
    }
  }
  if (l.more) --tiles_x;
  l.blocks = deal(k, {tiles_x, tiles_y, tiles_z, narrow_tiles}, g);
  if (l.blocks == 0) return std::nullopt;
  l.done = box;
  return l;
}

std::uint32_t ShapeCut::deal(ShapeTuning const& k, Tiles tiles, Geometry& g) const {
  if (k.streams()) {
    bool const along_y            = k.structure == Structure::stream_rows;
    std::int64_t const count      = along_y ? g.end[1] - g.begin[1] : g.end[0] - g.begin[0];
    std::int64_t const across     = tiles.x * (along_y ? tiles.z : tiles.y) + tiles.narrow;
    std::int64_t const length     = stream_length(k, count, across, m_multiprocessors, m_value_bytes);
    g.length                      = static_cast<std::int32_t>(length);
    (along_y ? tiles.y : tiles.z) = divide_up(count, length);
  }
  constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();
  if (tiles.x > most_blocks / tiles.y || tiles.x * tiles.y + tiles.narrow > most_blocks / tiles.z) return 0;
  g.tiles_x = static_cast<std::int32_t>(tiles.x);
  g.tiles_y = static_cast<std::int32_t>(tiles.y);
  g.tiles_z = static_cast<std::int32_t>(tiles.z);
  if (k.has_bands(m_value_bytes) && tiles.narrow == 0) {
    std::int64_t const row = std::abs(m_in_stride[1]) * m_value_bytes * k.height();
    auto const at_once     = static_cast<std::int64_t>(k.band_waves * m_multiprocessors * k.blocks);
    std::int64_t const most =
        k.streams() ? at_once / tiles.x : m_cache_bytes / cache_a_band / std::max<std::int64_t>(1, row);
    std::int64_t const band = std::max<std::int64_t>(1, most);
    g.band                  = band < tiles.y ? static_cast<std::int32_t>(band) : 0;
  }
  return static_cast<std::uint32_t>((tiles.x * tiles.y + tiles.narrow) * tiles.z);
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
