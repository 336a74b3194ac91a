// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DevicePlan.hpp"

#include <transform/RowSchedule.hpp>

#include <algorithm>
#include <string>

namespace KokkosStencil {
namespace Generic {

namespace {

std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

/// Teams with a point a thread come in waves. One wave takes as long as its multiprocessors need to issue its
/// instructions, but no less than a thread waits for its values, one term after another.
double few_points_seconds(Problem const& p, DeviceModel const& device, DevicePlan const& plan) {
  using namespace DeviceTuning;
  std::int64_t const teams    = plan.tiling.tiles;
  std::int64_t const wave     = static_cast<std::int64_t>(few_teams) * device.multiprocessors;
  DeviceModel const& measured = Model::reference_device();
  auto const terms            = static_cast<double>(p.terms.size());
  double const rows           = Model::rows_of(p);
  double const latency        = rows * Model::tuned(device, few_row_latency, "generic/few_row_latency") +
                         (terms - rows) * Model::tuned(device, few_term_latency, "generic/few_term_latency");
  double const rate  = measured.float_rate / measured.multiprocessors * device.multiprocessors / device.float_rate;
  double const term  = Model::tuned(device, few_term[Model::type_index(p.value_type)],
                                    [&] { return std::string("generic/few_term/") + Model::type_name(p.value_type); });
  double const team  = Model::tuned(device, few_team, "generic/few_team");
  double const issue = rate * terms * term;
  auto const seconds = [&](std::int64_t resident) {
    return std::max(static_cast<double>(resident) * (team + issue), team + latency);
  };
  double const full = static_cast<double>(teams / wave) * seconds(few_teams);
  return full + (teams % wave > 0 ? seconds(divide_up(teams % wave, device.multiprocessors)) : 0.0);
}

/// What threads with several columns of a row's end do one column after another, as a factor on the time of the whole
/// row of so many columns.
double column_redundancy(std::int64_t row, DevicePlan const& plan) {
  if (row <= 0) return 1.0;
  constexpr std::int64_t lanes = 32;
  std::int64_t const width = std::int64_t(1) << plan.tiling.threads_x_log2, columns = plan.columns;
  std::int64_t const tile = columns * width, left = row % tile;
  auto work = static_cast<double>(row / tile);
  for (std::int64_t first = 0; first < width; first += lanes) {
    auto const count = [&](std::int64_t lane) { return std::max<std::int64_t>(0, (left - lane + width - 1) / width); };
    std::int64_t const most = count(first), least = count(first + lanes - 1);
    if (most == 0) continue;
    double const one_by_one = DeviceTuning::lone_column * static_cast<double>(most == columns ? columns - 1 : most);
    work += (least == columns ? 1.0 : most == columns ? 1.0 + one_by_one : one_by_one) * lanes / width;
  }
  return work * tile / static_cast<double>(row);
}

}  // namespace

namespace {

DeviceTiling tiling_of(DevicePlan const& plan) {
  std::int64_t const nx = plan.range.end[2] - plan.range.begin[2], ny = plan.range.end[1] - plan.range.begin[1],
                     nz = plan.range.end[0] - plan.range.begin[0];
  DeviceTiling t;
  t.threads_x_log2          = ny < DeviceTuning::least_rows ? 8 : nx <= DeviceTuning::narrow ? 5 : 6;
  std::int64_t const tile_x = static_cast<std::int64_t>(plan.columns) << t.threads_x_log2;
  std::int64_t const tile_y = static_cast<std::int64_t>(DeviceTiling::team >> t.threads_x_log2) * plan.stack;
  t.tiles_x                 = static_cast<std::uint32_t>(divide_up(nx, tile_x));
  t.tiles_y                 = static_cast<std::uint32_t>(divide_up(ny, tile_y));
  t.tiles                   = static_cast<std::uint32_t>(t.tiles_x * t.tiles_y * nz);
  return t;
}

/// The points of the range outside of `inside`. None where they are too many to be counted in 32 bits.
DeviceFaces faces_of(Problem const& p, PointBox const& inside) {
  DeviceFaces faces;
  std::int64_t teams = 0, most = 0;
  auto const add = [&](PointBox const& points, bool ends) {
    if (points.empty()) return;
    DeviceFaces::Box& box = faces.boxes[faces.count++];
    for (std::size_t a = 0; a < 3; ++a) {
      box.begin[a] = points.begin[a];
      box.size[a]  = points.end[a] - points.begin[a];
    }
    std::int64_t const rows = box.size[0] * box.size[1], parts = ends ? 0 : divide_up(box.size[2], DeviceFaces::part);
    std::int64_t const threads = ends ? points.size() : rows * parts * DeviceFaces::lanes;
    box.first_team             = static_cast<std::uint32_t>(teams);
    box.rows                   = static_cast<std::uint32_t>(rows);
    box.parts                  = static_cast<std::uint32_t>(parts);
    most                       = std::max(most, threads);
    teams += divide_up(threads, DeviceTiling::team);
  };
  PointBox rows{p.begin, p.end};
  rows.begin[2] = inside.begin[2];
  rows.end[2]   = inside.end[2];
  for (PointBox const& box : difference(rows, inside)) add(box, false);
  PointBox ends = {p.begin, p.end};
  ends.end[2]   = inside.begin[2];
  add(ends, true);
  ends.begin[2] = inside.end[2];
  ends.end[2]   = p.end[2];
  add(ends, true);
  if (most > DeviceTuning::most_face_threads || teams > DeviceTuning::most_face_threads) return {};
  faces.teams = static_cast<std::uint32_t>(teams);
  return faces;
}

}  // namespace

DevicePlan plan_device(Problem const& p, std::int64_t threads) {
  bool const large = p.points() >= DeviceTuning::points_a_thread * threads;
  DevicePlan plan;
  plan.columns = large ? DeviceTuning::columns : 1;
  plan.range   = {p.begin, p.end};
  if (PointBox const inside = interior(p); large && !inside.empty() && inside.size() < p.points()) {
    plan.faces = faces_of(p, inside);
    if (plan.faces.teams > 0) plan.range = inside;
  }
  plan.stack  = large && plan.range.end[1] - plan.range.begin[1] >= Transform::max_stack ? Transform::max_stack : 1;
  plan.tiling = tiling_of(plan);
  return plan;
}

namespace {

/// Boundary rules term by term, in the kernel of all points.
void add_faces(Model::Kernel& k, Problem const& p, DeviceModel const& device, Model::NearFaces const& near,
               double a_point) {
  double const others = near.points - near.row_ends * std::max(-p.lower[2], p.upper[2]);
  double const work   = Model::tuned(device, DeviceTuning::row_end, "generic/row_end") * near.row_ends +
                      Model::tuned(device, DeviceTuning::face_point, "generic/face_point") * std::max(0.0, others);
  double const faces =
      1e-12 * work * static_cast<double>(p.terms.size()) * Model::reference_device().float_rate / device.float_rate;
  k.redundancy += faces * k.fraction / a_point;
  bool const wraps =
      std::any_of(p.faces.begin(), p.faces.end(), [](auto const& f) { return f[0].kind == BoundaryKind::periodic; });
  double const latency = wraps ? Model::tuned(device, DeviceTuning::periodic_latency, "generic/periodic_latency")
                               : Model::tuned(device, DeviceTuning::face_latency, "generic/face_latency");
  k.extra_seconds += latency * static_cast<double>(p.terms.size());
}

/// A kernel of their own for the points near faces.
double faces_apart_seconds(Problem const& p, DeviceModel const& device, DevicePlan const& plan) {
  double rows = 0.0, ends = 0.0;
  for (int b = 0; b < plan.faces.count; ++b) {
    DeviceFaces::Box const& box = plan.faces.boxes[b];
    double const points         = static_cast<double>(box.rows) * static_cast<double>(box.size[2]);
    (box.parts > 0 ? rows : ends) += points;
  }
  auto const terms  = static_cast<double>(p.terms.size());
  double const work = 1e-12 * terms *
                      (Model::tuned(device, DeviceTuning::apart_row_point, "generic/apart_row_point") * rows +
                       Model::tuned(device, DeviceTuning::apart_end_point, "generic/apart_end_point") * ends);
  return Model::tuned(device, DeviceTuning::apart_launch, "generic/apart_launch") +
         Model::tuned(device, DeviceTuning::apart_latency, "generic/apart_latency") * terms +
         work * Model::reference_device().float_rate / device.float_rate;
}

}  // namespace

std::vector<Estimate> device_cost(Problem const& p, DeviceModel const& device) {
  Model::Kernel k       = Model::sweep_kernel(p);
  k.least_seconds       = Model::tuned(device, DeviceTuning::host_launch, "generic/host_launch");
  DevicePlan const plan = plan_device(p, std::int64_t(DeviceTuning::threads_a_multiprocessor) * device.multiprocessors);
  auto const a_point    = [&] { return Model::roofline_seconds(k, p, device) * Model::points_of(p); };
  if (plan.columns == 1) {
    k.extra_seconds = Model::tuned(device, DeviceTuning::few_launch, "generic/few_launch") - device.launch_seconds;
    k.fraction      = std::min(1.0, a_point() / few_points_seconds(p, device, plan));
  } else {
    Model::TermList const list = Model::tuned(device, DeviceTuning::list[Model::type_index(p.value_type)],
                                              std::string("generic/") + Model::type_name(p.value_type));
    Model::use_term_list(k, p, device, list, plan.stack, Model::points_of(p) / list.block_points);
    if (plan.stack > 1) k.redundancy *= column_redundancy(plan.range.end[2] - plan.range.begin[2], plan);
  }
  if (Model::NearFaces const near = Model::near_faces(p, p.lower, p.upper); near.points > 0.0) {
    if (plan.faces.teams > 0) {
      k.extra_seconds += faces_apart_seconds(p, device, plan);
    } else {
      add_faces(k, p, device, near, a_point());
    }
  }
  return {Model::estimate(k, p, device, p.steps)};
}

}  // namespace Generic
}  // namespace KokkosStencil
