// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/Cost.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/Padding.hpp"
#include "direct/Covering.hpp"
#include "direct/Eligibility.hpp"
#include "direct/ListTuning.hpp"
#include "direct/TapTiles.hpp"
#include "direct/Tuning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

using Model::Kernel;

namespace {

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

}  // namespace

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

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
