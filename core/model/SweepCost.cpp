// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/SweepCost.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace KokkosStencil {
namespace Model {

DeviceModel const& reference_device() {
  static DeviceModel const device = *find_device(known_devices(), "NVIDIA H200");
  return device;
}

std::size_t type_index(ValueType type) { return by_type<std::size_t>(type, 0, 1, 2); }

char const* type_name(ValueType type) { return by_type<char const*>(type, "half", "float", "double"); }

double points_of(Problem const& p) { return static_cast<double>(p.points()); }

int used_rank(Problem const& p) { return p.extent[0] > 1 ? 3 : p.extent[1] > 1 ? 2 : 1; }

int rows_of(Problem const& p) {
  int rows       = 0;
  Term const* at = nullptr;
  for (Term const& t : p.terms) {
    if (at == nullptr || t.offset[0] != at->offset[0] || t.offset[1] != at->offset[1]) ++rows;
    at = &t;
  }
  return rows;
}

double loads_a_point(Problem const& p, int rows) {
  // Columns so far apart share next to nothing.
  constexpr std::int64_t widest = 1 << 12;
  if (std::int64_t(p.upper[2]) - p.lower[2] >= widest) return static_cast<double>(p.terms.size());
  auto const width = static_cast<std::size_t>(p.upper[2] - p.lower[2] + 1);
  // Terms are sorted by plane, row, column. A term's values are rows dy to dy + rows - 1 of its column; those that the
  // term before it in the column brought count only once.
  constexpr std::int64_t never = -(std::int64_t(1) << 40);
  std::vector<std::int64_t> last(width, never);
  std::int64_t plane = never, distinct = 0;
  for (Term const& t : p.terms) {
    if (t.offset[0] != plane) std::fill(last.begin(), last.end(), never);
    plane                = t.offset[0];
    std::int64_t& before = last[static_cast<std::size_t>(t.offset[2] - p.lower[2])];
    distinct += std::min<std::int64_t>(rows, t.offset[1] - before);
    before = t.offset[1];
  }
  return static_cast<double>(distinct) / rows;
}

NearFaces near_faces(Problem const& p, std::array<int, 3> const& lower, std::array<int, 3> const& upper) {
  PointBox const inside = interior(p, lower, upper);
  NearFaces near;
  near.points       = points_of(p) - static_cast<double>(inside.size());
  int const ends    = (inside.begin[2] > p.begin[2] ? 1 : 0) + (inside.end[2] < p.end[2] ? 1 : 0);
  double const rows = static_cast<double>(p.end[0] - p.begin[0]) * static_cast<double>(p.end[1] - p.begin[1]);
  // The kernel for the others may pass the slow faces, which then are near to the ends of rows all the same.
  PointBox const far    = common(inside, interior(p));
  double const far_rows = static_cast<double>(std::max<std::int64_t>(0, far.end[0] - far.begin[0])) *
                          static_cast<double>(std::max<std::int64_t>(0, far.end[1] - far.begin[1]));
  auto const columns = static_cast<double>(p.end[2] - p.begin[2] - (inside.end[2] - inside.begin[2]));
  near.row_ends      = ends * rows;
  near.at_ends       = columns * far_rows;
  near.edges         = columns * (rows - far_rows);
  return near;
}

Kernel sweep_kernel(Problem const& p) {
  Kernel k;
  k.operand = p.value_type == ValueType::float64 ? ValueType::float64 : ValueType::float32;
  k.work    = one_sweep(static_cast<double>(p.terms.size()), size_of(p.value_type));
  if (p.updates) k.work = with_update(k.work, size_of(p.value_type));
  return k;
}

Roofline roofline_of(Kernel const& k, Problem const& p, DeviceModel const& device) {
  double const bytes = (p.updates ? 3.0 : 2.0) * points_of(p) * size_of(p.value_type);
  return {device.rate(k.unit, k.operand), bandwidth(device, bytes)};
}

double roofline_seconds(Kernel const& k, Problem const& p, DeviceModel const& device) {
  return roofline_of(k, p, device).seconds(k.work);
}

Estimate estimate(Kernel const& k, Problem const& p, DeviceModel const& device, std::int64_t steps) {
  return estimate(k, device, points_of(p), size_of(p.value_type), steps);
}

TermList tuned(DeviceModel const& device, TermList const& list, std::string const& name) {
  TermList own = list;
  for (std::size_t k = 0; k < 3; ++k) {
    std::string const axes  = std::to_string(k + 1) + "d";
    own.base_picoseconds[k] = tuned(device, list.base_picoseconds[k], [&] { return name + "/base/" + axes; });
    own.load_picoseconds[k] = tuned(device, list.load_picoseconds[k], [&] { return name + "/load/" + axes; });
  }
  own.bandwidth = tuned(device, list.bandwidth, [&] { return name + "/bandwidth"; });
  return own;
}

double issue_rate(DeviceModel const& device) {
  // The A100's and A30's multiprocessors have half the units for float of all others.
  return device.float_rate / (device.compute_capability == 80 ? 64.0 : 128.0);
}

double seconds_elsewhere(double reference, double reference_memory, double memory, double slower) {
  double const cores = std::pow(reference, 4.0) - std::pow(std::min(reference, reference_memory), 4.0);
  return std::pow(std::pow(slower, 4.0) * cores + std::pow(memory, 4.0), 0.25);
}

void use_efficiency(Kernel& k, DeviceModel const& device, double on_reference) {
  DeviceModel const& reference = reference_device();
  k.fraction                   = on_reference;
  double const here = device.rate(k.unit, k.operand), there = reference.rate(k.unit, k.operand);
  if (here <= 0.0 || there <= 0.0) return;  // the device has no such unit
  bool const same = device.bandwidth == reference.bandwidth && issue_rate(device) == issue_rate(reference);
  if (same && here == there) return;  // to the last digit
  double const memory = k.work.bytes / reference.bandwidth;
  double const known  = Roofline{there, reference.bandwidth}.seconds(k.work) / on_reference;
  double const slower = k.unit == ComputeUnit::cores ? issue_rate(reference) / issue_rate(device) : there / here;
  double const least  = Roofline{here, device.bandwidth}.seconds(k.work);
  double const other  = seconds_elsewhere(known, memory, k.work.bytes / device.bandwidth, slower);
  // No kernel is known to reach more of a ceiling that it was kept from; those that do stay in their order.
  double const most = 0.94 + 0.02 * on_reference;
  k.fraction        = std::min(least / std::max(least, other), std::max(most, on_reference));
}

void use_term_list(Kernel& k, Problem const& p, DeviceModel const& device, TermList const& list, int rows,
                   double blocks) {
  constexpr double load_latency = 0.22e-6, list_latency = 1.3e-6;
  auto const kind     = static_cast<std::size_t>(rows > 1 ? used_rank(p) - 1 : 0);
  double const loads  = loads_a_point(p, rows);
  double const picos  = list.base_picoseconds[kind] + list.load_picoseconds[kind] * loads;
  bool const is_long  = kind == 2 && p.terms.size() > list.long_list;
  double const slower = (is_long ? list.of_long_list : 1.0) * reference_device().float_rate / device.float_rate;
  double const issue  = 1e-12 * picos * slower;
  double const memory = k.work.bytes / (list.bandwidth * device.bandwidth);
  // Where both take alike, each waits for the other now and then.
  double const seconds = std::pow(std::pow(issue, 4.0) + std::pow(memory, 4.0), 0.25);
  double const all     = Roofline{device.rate(k.unit, k.operand), device.bandwidth}.seconds(k.work);
  k.fraction           = all / seconds;
  if (rows > 1) {
    k.redundancy =
        wave_redundancy(blocks, list.blocks * device.multiprocessors) * blocks * list.block_points / points_of(p);
  }
  k.extra_seconds += std::max(0.0, list_latency + load_latency * loads * rows - list.hidden * points_of(p) * seconds);
}

}  // namespace Model
}  // namespace KokkosStencil
