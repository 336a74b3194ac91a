// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"

#include "common/Alignment.hpp"
#include "common/BoundaryTiles.hpp"
#include "model/Estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Cuda {

std::string shape_name(Shape const& shape) {
  std::string const name =
      (shape.star ? "star-" : "box-") + std::to_string(shape.rank) + "d" + std::to_string(shape.radius) + "r";
  return name + (shape.terms == Terms::all ? "" : shape.terms == Terms::some ? "-pattern" : "-no-centre");
}

double multiprocessor_speed(DeviceModel const& device, ValueType type) {
  auto const rate = [&](DeviceModel const& d) { return d.rate(ComputeUnit::cores, type) / d.multiprocessors; };
  return rate(device) / rate(Model::reference_device());
}

double slower_memory_seconds(Problem const& p, DeviceModel const& device, double waits) {
  double const bytes = 2.0 * Cuda::points_of(p) * size_of(p.value_type);
  return waits * bytes *
         (1.0 / Model::bandwidth(device, bytes) - 1.0 / Model::bandwidth(Model::reference_device(), bytes));
}

bool on_axes(Problem const& p) {
  return std::all_of(p.terms.begin(), p.terms.end(),
                     [](Term const& t) { return (t.offset[0] != 0) + (t.offset[1] != 0) + (t.offset[2] != 0) <= 1; });
}

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
  s.star = true;
  return p.terms.size() == static_cast<std::size_t>(2 * s.rank * r + 1) && on_axes(p) ? s : Shape{};
}

Shape enclosing_shape(Problem const& p) {
  if (Shape const whole = shape_of(p); whole.rank == p.rank) return whole;
  Shape s;
  std::size_t const first = static_cast<std::size_t>(3 - p.rank);
  for (std::size_t a = first; a < 3; ++a) s.radius = std::max(s.radius, reach_of(p, a));
  if (s.radius == 0 || s.radius > farthest_enclosed) return {};
  s.rank = p.rank;
  s.star = on_axes(p);
  // All terms but one, which is the centre.
  bool no_centre = p.terms.size() + 1 == static_cast<std::size_t>(term_count(s));
  for (std::size_t a = first; a < 3; ++a) no_centre = no_centre && -p.lower[a] == s.radius && p.upper[a] == s.radius;
  for (Term const& t : p.terms) no_centre = no_centre && t.offset != std::array<int, 3>();
  s.terms = no_centre ? Terms::but_centre : Terms::some;
  return s;
}

std::vector<double> coefficients_of(Problem const& p, Shape const& shape) {
  int const r = shape.radius, ry = shape.rank > 1 ? r : 0, rz = shape.rank > 2 ? r : 0;
  std::vector<double> all(static_cast<std::size_t>(term_count(shape)));
  for (Term const& t : p.terms) {
    int const place                      = term_index(shape.star, rz, ry, r, t.offset[0], t.offset[1], t.offset[2]);
    all[static_cast<std::size_t>(place)] = t.coefficient;
  }
  return all;
}

bool is_line(Problem const& p) { return p.extent[0] == 1 && p.extent[1] == 1; }

namespace {

bool wraps(Problem const& p) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > 1 && p.faces[a][0].kind == BoundaryKind::periodic) return true;
  }
  return false;
}

}  // namespace

double beyond_cache(Problem const& p, DeviceModel const& device) {
  double const bytes = 2.0 * points_of(p) * size_of(p.value_type);
  return std::max(0.0, 1.0 - static_cast<double>(device.l2_bytes) / bytes);
}

int columns_left(Problem const& p) {
  std::int64_t const vector = 16 / size_of(p.value_type), first = modulo(-p.in_phase / size_of(p.value_type), vector);
  return static_cast<int>(p.extent[2] < first ? p.extent[2] : first + (p.extent[2] - first) % vector);
}

namespace {

double by_rule(Problem const& p, DeviceModel const& device, double fixed, char const* name, double periodic,
               char const* periodic_name) {
  return wraps(p) ? tuned(device, periodic, periodic_name) : tuned(device, fixed, name);
}

double slower_cores(DeviceModel const& device) { return Model::reference_device().float_rate / device.float_rate; }

/// A thread a point.
double point_a_thread_seconds(NearFaces const& near, Problem const& p, DeviceModel const& device) {
  auto const terms     = static_cast<double>(p.terms.size());
  double const latency = by_rule(p, device, boundary_latency, "cuda/boundary_latency", boundary_periodic_latency,
                                 "cuda/boundary_periodic_latency");
  double const work    = tuned(device, boundary_term, "cuda/boundary_term") * near.points * terms +
                      tuned(device, boundary_row_end, "cuda/boundary_row_end") * near.row_ends;
  return next_launch_seconds(device) + terms * latency + work * slower_cores(device);
}

/// The least seconds that a point at the end of a row takes for a term, by the banks that the rows of a warp are in.
double banks_seconds(Problem const& p, DeviceModel const& device) {
  std::int64_t const pitch = p.in_stride[1] * size_of(p.value_type);
  if (pitch % 128 == 0) return tuned(device, boundary_same_banks, "cuda/boundary_same_banks");
  return pitch % 64 == 0 ? tuned(device, boundary_two_banks, "cuda/boundary_two_banks") : 0.0;
}

/// What a point at the end of a row takes where blocks compute tiles (BoundaryTile.cuh) of so many columns, rows and
/// planes: the terms, and the values that are brought into shared memory. `axis`: of the planes. 0 where they do not.
double tile_seconds(Problem const& p, DeviceModel const& device, std::int64_t columns, std::int64_t rows,
                    std::int64_t planes, std::size_t axis, bool edge) {
  auto const span = [&](std::size_t a) -> std::int64_t { return p.upper[a] - p.lower[a]; };
  bool const star =
      std::all_of(p.terms.begin(), p.terms.end(), [](Term const& t) { return t.offset[0] == 0 || t.offset[1] == 0; });
  BoundaryTileCut const cut =
      cut_into_tiles(columns, rows, planes, size_of(p.value_type), {{span(axis), span(1 - axis), span(2)}},
                     static_cast<int>(p.terms.size()), star, edge);
  if (cut.rows == 0) return 0.0;
  double const most = boundary_tile_planes(static_cast<std::size_t>(size_of(p.value_type))),
               all = static_cast<double>(planes), high = std::min(most, all),
               values = (1.0 + static_cast<double>(span(axis)) / high) *
                        (1.0 + static_cast<double>(span(1 - axis)) / cut.rows) *
                        (1.0 + static_cast<double>(span(2)) / static_cast<double>(columns));
  return std::ceil(all / most) * most / all * tuned(device, boundary_tile_term, "cuda/boundary_tile_term") *
             static_cast<double>(p.terms.size()) +
         tuned(device, boundary_tile_value, "cuda/boundary_tile_value") * values;
}

/// The same for the ends of rows far from slow faces.
double tile_at_end_seconds(NearFaces const& near, Problem const& p, DeviceModel const& device) {
  if (near.row_ends <= 0.0 || p.in_stride[2] != 1) return 0.0;
  std::int64_t const columns = std::max<std::int64_t>(1, std::lround((near.at_ends + near.edges) / near.row_ends));
  return tile_seconds(p, device, columns, p.end[1] - p.begin[1], p.end[0] - p.begin[0], 0, false);
}

/// The same near slow faces: the mean over the axes.
double tile_at_edge_seconds(NearFaces const& near, Problem const& p, DeviceModel const& device) {
  std::int64_t const columns = std::max(-p.lower[2], p.upper[2]);
  if (columns == 0 || p.in_stride[2] != 1 || near.edges < static_cast<double>(boundary_edge_points)) return 0.0;
  double sum = 0.0;
  int axes   = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    std::int64_t const planes = std::max(-p.lower[a], p.upper[a]);
    if (planes == 0) continue;
    double const one = tile_seconds(p, device, columns, p.end[1 - a] - p.begin[1 - a], planes, a, true);
    if (!(one > 0.0)) return 0.0;
    sum += one;
    ++axes;
  }
  return axes > 0 ? sum / axes : 0.0;
}

/// Parts of rows, their ends, and the points of these that are near slow faces.
double rows_and_ends_seconds(NearFaces const& near, Problem const& p, DeviceModel const& device) {
  auto const terms      = static_cast<double>(p.terms.size());
  double const row      = tuned(device, boundary_row_term, "cuda/boundary_row_term");
  double const end      = tuned(device, boundary_end_term, "cuda/boundary_end_term");
  double const one_type = p.value_type == ValueType::float64 ? boundary_double : 1.0;
  // Ends of rows lie in pieces of memory of their own, which fields larger than the cache bring once more.
  double const pieces =
      tuned(device, boundary_row_end, "cuda/boundary_row_end") * near.row_ends * beyond_cache(p, device);
  double const by_tile = tile_at_end_seconds(near, p, device), edge_by_tile = tile_at_edge_seconds(near, p, device),
               at_end  = by_tile > 0.0 ? by_tile
                                       : std::max(end * (terms + boundary_end_row * Model::rows_of(p)),
                                                  banks_seconds(p, device) * terms),
               at_edge = edge_by_tile > 0.0 ? edge_by_tile
                                            : (wraps(p) ? boundary_periodic_edge_term : boundary_edge_term) * terms;
  return pieces + one_type * (row * (near.points - near.at_ends - near.edges) * (terms + boundary_row_fixed) +
                              at_end * near.at_ends + at_edge * near.edges);
}

}  // namespace

double boundary_seconds(Problem const& p, DeviceModel const& device, std::array<int, 3> const& lower,
                        std::array<int, 3> const& upper) {
  NearFaces const near = near_faces(p, lower, upper);
  if (near.points <= 0.0) return 0.0;
  auto const terms = static_cast<std::int64_t>(p.terms.size());
  bool const few   = near.points <= static_cast<double>(boundary_shared_points(terms));
  if (!few && near.points < static_cast<double>(boundary_many_points)) return point_a_thread_seconds(near, p, device);
  auto const rounds  = static_cast<double>(boundary_rounds(terms));
  double const round = by_rule(p, device, boundary_round, "cuda/boundary_round", boundary_periodic_round,
                               "cuda/boundary_periodic_round");
  double const work =
      few ? tuned(device, boundary_shared_seconds, "cuda/boundary_shared_seconds") * near.points * rounds
          : rows_and_ends_seconds(near, p, device);
  return next_launch_seconds(device) + rounds * round + work * slower_cores(device);
}

double boundary_points_seconds(Problem const& p, DeviceModel const& device) {
  NearFaces const near = near_faces(p, p.lower, p.upper);
  if (near.points <= 0.0) return 0.0;
  // At many ends of rows the lanes of a warp read from as many pieces of memory.
  double const ends = near.points < static_cast<double>(boundary_many_points) ? 0.0 : near.at_ends + near.edges;
  auto const terms  = static_cast<double>(p.terms.size());
  double const wait = wraps(p) ? 0.0 : tuned(device, boundary_points_latency, "cuda/boundary_points_latency");
  return point_a_thread_seconds(near, p, device) + wait * terms +
         tuned(device, boundary_many_ends, "cuda/boundary_many_ends") * ends * terms * slower_cores(device);
}

double boundary_seconds(Problem const& p, DeviceModel const& device) {
  return boundary_seconds(p, device, p.lower, p.upper);
}

double boundary_seconds(Problem const& p, DeviceModel const& device, Shape const& kernel,
                        std::array<std::array<bool, 2>, 3> const& passed, bool by_vectors) {
  std::array<int, 3> lower{}, upper{};
  for (std::size_t a = 0; a < 3; ++a) {
    int const reach = static_cast<int>(a) >= 3 - kernel.rank ? kernel.radius : 0;
    lower[a]        = passed[a][0] ? 0 : -reach;
    upper[a]        = passed[a][1] ? 0 : reach + (a == 2 && by_vectors ? columns_left(p) : 0);
  }
  return boundary_seconds(p, device, lower, upper);
}

void add_boundary(Kernel& k, Problem const& p, DeviceModel const& device, int rows, int planes, int end_rows) {
  std::array<int, 3> lower = p.lower, upper = p.upper;
  if (planes > 1) {
    lower[0] = lower[1] = -1;
    upper[0] = upper[1] = 1;
  } else {
    upper[1] = lower[1] + rows - 1;
  }
  lower[1] -= end_rows;
  upper[1] += end_rows;
  upper[2] += columns_left(p);
  double const extra =
      std::max(boundary_seconds(p, device, lower, upper), is_line(p) ? next_launch_seconds(device) : 0.0);
  k.extra_seconds += extra;
  k.least_seconds = (extra > 0.0 ? 2.0 : 1.0) * host_launch_seconds(device);
}

int shared_bytes_of(int compute_capability) {
  int const kilobytes = compute_capability == 80 || compute_capability == 87   ? 163
                        : compute_capability >= 90 && compute_capability < 120 ? 227
                                                                               : 99;
  return 1024 * kilobytes;
}

int blocks_by_shared_memory(int shared_bytes, int block_bytes) {
  return (shared_bytes + system_shared_bytes) / (block_bytes + system_shared_bytes);
}

int reach_of(Problem const& p, std::size_t axis) { return std::max(-p.lower[axis], p.upper[axis]); }

std::string distant_unsupported_reason(Problem const& p) {
  constexpr int most = 1 << 15;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.lower[a] < -most || p.upper[a] > most) return "reaches farther than 2^15 points";
  }
  return "";
}

std::string no_cuda(Problem const&, DeviceModel const& device) {
  if (device.compute_capability >= least_compute_capability) return "";
  return "needs an NVIDIA GPU of compute capability 8.0 or later";
}

}  // namespace Cuda
}  // namespace KokkosStencil
