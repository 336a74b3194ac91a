// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resident/VolumePlan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/Padding.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

namespace {

constexpr char const* too_large   = "the field does not fit on the chip";
constexpr char const* uneven_rows = "rows that end at a mirror, an edge or a periodic face are no whole vectors";

bool suits(VolumeTuning const& k, Problem const& p) { return p.rank == 3 && shape_of(p) == k.shape; }

VolumeTuning calibrated(VolumeTuning k, ValueType type, DeviceModel const& device) {
  auto const name = [&](char const* what) {
    return std::string("cuda_resident/") + Model::type_name(type) + "/" + shape_name(k.shape) + "/" +
           std::to_string(k.columns_per_lane) + "x" + std::to_string(k.rows[0]) + "x" + std::to_string(k.rows[1]) +
           "/" + what;
  };
  k.run_seconds   = tuned(device, k.run_seconds, [&] { return name("run_seconds"); });
  k.sweep_seconds = tuned(device, k.sweep_seconds, [&] { return name("sweep_seconds"); });
  k.edges         = tuned(device, k.edges, [&] { return name("edges"); });
  return k;
}

/// What lies beyond the range along an axis.
Beyond beyond(VolumeArgs const& g, std::size_t axis, std::size_t side) {
  bool const ends_inside = side == 0 ? g.begin[axis] > 0 : g.end[axis] < g.extent[axis];
  bool const whole       = g.begin[axis] == 0 && g.end[axis] == g.extent[axis];
  switch (g.faces[axis][side].kind) {
    case BoundaryKind::periodic: return whole ? Beyond::other_end : Beyond::nothing_changes;
    case BoundaryKind::mirror:
    case BoundaryKind::edge: return ends_inside ? Beyond::nothing_changes : Beyond::itself;
    default: return Beyond::nothing_changes;
  }
}

/// Whether constants beyond rows differ from those above and below them: sums that need both take the latter there.
bool constants_meet(Problem const& p) {
  auto const is_value = [](Face const& f) { return f.kind == BoundaryKind::value; };
  for (Face const& of_rows : p.faces[2]) {
    if (!is_value(of_rows)) continue;
    for (std::size_t a = 0; a < 2; ++a) {
      for (Face const& f : p.faces[a]) {
        if (is_value(f) && f.constant != of_rows.constant) return true;
      }
    }
  }
  return false;
}

}  // namespace

VolumePlan::VolumePlan(Problem const& p, DeviceModel const& device) {
  m_reason = no_cuda(p, device);
  if (!m_reason.empty()) return;
  m_reason         = "keeps no stencil of this shape and value type on the chip";
  auto const table = volume_table(p.value_type);
  if (std::none_of(table.begin(), table.end(), [&](VolumeTuning const& k) { return suits(k, p); })) return;
  m_reason = "volumes stay on the chip from compute capability 9.0 on";
  if (device.compute_capability < least_volume_capability) return;
  m_reason = too_large;
  // What cannot fit, however it is cut: every point takes a register.
  if (p.points() > std::int64_t(device.multiprocessors) * (256 * 1024 / size_of(p.value_type))) return;
  double least = std::numeric_limits<double>::max();
  for (int kernel = 0; kernel < table.count; ++kernel) {
    VolumeTuning const& k = table.rows[kernel];
    if (!suits(k, p)) continue;
    for (int along_z = 1; along_z <= k.warps; ++along_z) {
      if (k.warps % along_z != 0) continue;
      VolumePlan its(p, device, static_cast<std::size_t>(kernel), along_z);
      if (!its.m_reason.empty()) {
        // Of what hinders several kernels, rather what the user can mend.
        if (!m_reason.empty() && its.m_reason != too_large) m_reason = its.m_reason;
        continue;
      }
      double const seconds = its.seconds(std::max<std::int64_t>(2, p.steps));
      // Of two that receive as many lines the one with more bundles along z is faster, by up to 5 %.
      if (seconds > least) continue;
      least = seconds;
      *this = std::move(its);
    }
  }
}

VolumePlan::VolumePlan(Problem const& p, DeviceModel const& device, std::size_t kernel, int along_z)
    : m_kernel(kernel), m_reason("the strides of the two Views differ") {
  VolumeTuning const k = calibrated(volume_table(p.value_type).rows[kernel], p.value_type, device);
  VolumeLayout const l = k.layout(size_of(p.value_type));
  if (p.in_stride != p.out_stride) return;
  m_reason = "no axis of the Views is contiguous";
  if (p.in_stride[2] != 1) return;
  m_reason = too_large;
  if (*std::max_element(p.extent.begin(), p.extent.end()) > index_limit) return;
  VolumeArgs& g = m_args;
  for (std::size_t a = 0; a < 3; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a]);
    g.begin[a]     = static_cast<std::int32_t>(p.begin[a]);
    g.end[a]       = static_cast<std::int32_t>(p.end[a]);
    g.user_axis[a] = p.user_axis[a];
    for (std::size_t side = 0; side < 2; ++side) g.faces[a][side] = p.faces[a][side];
  }
  g.aligned = aligned_rows(p);
  if (m_reason = cut_rows(k); !m_reason.empty()) return;
  m_reason = "constants of two faces meet in a stencil that reaches across corners";
  if (!k.shape.star && constants_meet(p)) return;
  m_reason = "the range has fewer rows than a warp takes";
  for (std::size_t a = 0; a < 2; ++a) {
    g.in_stride[a]  = p.in_stride[a];
    g.out_stride[a] = p.out_stride[a];
    int const rows  = g.end[a] - g.begin[a];
    for (std::size_t side = 0; side < 2; ++side) g.beyond[a][side] = beyond(g, a, side);
    if (rows < k.rows[a] && g.beyond[a][1] != Beyond::nothing_changes) return;
    g.bundles[a]   = static_cast<std::int32_t>(divide_up(rows, k.rows[a]));
    g.per_block[a] = a == 0 ? along_z : k.warps / along_z;
    g.blocks[a]    = static_cast<std::int32_t>(divide_up(g.bundles[a], g.per_block[a]));
  }
  g.inverse = (65536 + g.per_block[1] - 1) / g.per_block[1];
  m_reason  = too_large;
  if (std::int64_t(g.blocks[0]) * g.blocks[1] > device.multiprocessors) return;
  // Warps of a block, at most, that show rows to each other in a direction; those of an inner block that send them.
  int lines      = 0;
  m_shared_bytes = k.warps * l.entries() * static_cast<int>(sizeof(VolumeEntry));
  for (int d = 0; d < l.directions(); ++d) {
    auto const beside = [&](std::size_t axis, int side, bool most) {
      bool const reflects = g.beyond[axis][0] == Beyond::itself || g.beyond[axis][1] == Beyond::itself;
      int const all       = g.per_block[axis];
      return side == 0 || g.blocks[axis] == 1 || (most && (!l.star || reflects)) ? all : all - 1;
    };
    auto const pairs = [&](bool most) { return beside(0, l.along_z(d), most) * beside(1, l.along_y(d), most); };
    m_shared_bytes += (k.warps + pairs(true)) * l.shown(d) * l.row_bytes();
    lines += (k.warps - pairs(false)) * l.lines(d);
  }
  if (m_shared_bytes > shared_bytes_of(device.compute_capability)) return;
  m_bytes_of_lines = std::size_t(2) * 32 * 16 * static_cast<std::size_t>(g.bundles[0] * g.bundles[1] * l.all_lines());
  bool const wraps = p.faces[2][0].kind == BoundaryKind::periodic;
  m_run_seconds    = k.run_seconds * (g.aligned ? 1.0 : tuned(device, volume_unaligned, "cuda_resident/unaligned"));
  m_sweep_seconds  = (wraps ? 1.0 : k.edges) * k.sweep_seconds / multiprocessor_speed(device, p.value_type) +
                    lines * tuned(device, volume_line_seconds, "cuda_resident/line_seconds");
  m_reason.clear();
}

std::string VolumePlan::cut_rows(VolumeTuning const& k) {
  VolumeArgs& g    = m_args;
  int const vector = k.columns_per_lane, extent = g.extent[2];
  // Columns that are read, at the ends of the range and beyond periodic faces.
  bool const low = g.begin[2] == 0, high = g.end[2] == extent;
  bool const wraps =
      (low && g.faces[2][0].kind == BoundaryKind::periodic) || (high && g.faces[2][1].kind == BoundaryKind::periodic);
  g.first = low || wraps ? 0 : (g.begin[2] - 1) / vector * vector;
  int end = wraps ? extent : std::min(g.end[2] + 1, extent);
  if ((wraps || high) && (extent - g.first) % vector != 0) {
    if (wraps || g.faces[2][1].kind != BoundaryKind::value) return uneven_rows;
    // A constant takes a place behind the last column.
    end = extent + 1;
  }
  // Columns of all lanes, those behind the end as well.
  g.masked              = g.first < g.begin[2] || g.first + vector * Temporal::warp_lanes > g.end[2];
  bool const periodic[] = {g.faces[2][0].kind == BoundaryKind::periodic, g.faces[2][1].kind == BoundaryKind::periodic};
  for (std::size_t side = 0; side < 2; ++side) {
    Face const& face             = g.faces[2][side];
    g.beyond_rows[side]          = face.kind == BoundaryKind::value ? face.constant : 0.0;
    g.beyond_rows_in_float[side] = static_cast<float>(g.beyond_rows[side]);
  }
  g.ends = (low && !periodic[0]) || (high && !periodic[1] && (extent - g.first) % vector == 0);
  return end - g.first > vector * Temporal::warp_lanes ? "rows are too long" : "";
}

namespace {

/// The bundles of a block: where they lie, and what lies around them.
class BlockOfBundles {
 public:
  BlockOfBundles(VolumeArgs const& args, VolumeLayout const& layout, ValueType type, int block)
      : g(args),
        l(layout),
        m_type(type),
        m_first{block / g.blocks[1] * g.per_block[0], block % g.blocks[1] * g.per_block[1]},
        m_places(static_cast<std::size_t>(l.warps * l.directions())) {
    // In shared memory: entries, then rows around bundles, direction by direction. Of what warps of the block show to
    // each other there are two copies.
    int at = l.warps * l.entries() * static_cast<int>(sizeof(VolumeEntry));
    for (int d = 0; d < l.directions(); ++d) {
      for (int warp = 0; warp < l.warps; ++warp) {
        place(warp, d) = at;
        at += (exists(warp) && beside(warp, d).shown ? 2 : 1) * l.shown(d) * l.row_bytes();
      }
    }
  }

  /// What a warp has to know of its bundle.
  void tell(int warp, VolumeEntry* entry) {
    if (!exists(warp)) return;
    VolumePlace its = {};
    for (std::size_t a = 0; a < 2; ++a) {
      int const own = number(a, warp);
      if (row_shown(a, own, -1) != 0 || row_shown(a, own, 1) != l.rows[a] - 1) its.uneven = 1;
      if (rows_that_change(a, own) < l.rows[a]) its.partial = 1;
    }
    VolumeEntry* const links = entry + 1;
    VolumeEntry* const rows  = links + l.directions();
    for (int d = 0; d < l.directions(); ++d) {
      links[d].link = link(warp, d);
      // The others come from warps of the block.
      for (int i = 0; links[d].link.show < 0 && i < l.shown(d); ++i) {
        VolumeRow row = {};
        if (!find(warp, d, i, row)) continue;
        row.to               = links[d].link.from + i * l.row_bytes();
        rows[its.rows++].row = row;
      }
    }
    entry->place = its;
  }

 private:
  /// The bundle in a direction.
  struct Other {
    bool none;
    bool shown;  ///< it belongs to a warp of the block
    int number[2];
    int warp;
    int direction;  ///< in which it shows what is seen here
  };

  int& place(int warp, int d) { return m_places[static_cast<std::size_t>(d * l.warps + warp)]; }
  int number(std::size_t axis, int warp) const {
    return m_first[axis] + (axis == 0 ? warp / g.per_block[1] : warp % g.per_block[1]);
  }
  bool exists(int warp) const {
    return warp < g.per_block[0] * g.per_block[1] && number(0, warp) < g.bundles[0] && number(1, warp) < g.bundles[1];
  }
  bool begins_earlier(std::size_t axis) const { return g.beyond[axis][1] != Beyond::nothing_changes; }
  int first_row(std::size_t axis, int number) const {
    int const last = g.end[axis] - l.rows[axis], at = g.begin[axis] + number * l.rows[axis];
    return begins_earlier(axis) && at > last ? last : at;
  }
  int rows_that_change(std::size_t axis, int number) const {
    return std::min(l.rows[axis], g.end[axis] - first_row(axis, number));
  }
  /// As the kernel's Bundle::shown.
  int row_shown(std::size_t axis, int number, int side) const {
    int const size = l.rows[axis], bundles = g.bundles[axis];
    if (!begins_earlier(axis)) return side < 0 ? 0 : size - 1;
    int const twice = bundles * size - (g.end[axis] - g.begin[axis]);
    if (side < 0) return number == bundles - 1 && bundles > 1 ? twice : 0;
    return number == bundles - 2 ? size - 1 - twice : size - 1;
  }

  Other beside(int warp, int d) const {
    int const sides[] = {l.along_z(d), l.along_y(d)};
    int back[2];
    Other its = {};
    its.shown = true;
    for (std::size_t a = 0; a < 2; ++a) {
      int const own = number(a, warp), next = own + sides[a], last = g.bundles[a] - 1;
      bool const inside   = next >= 0 && next <= last;
      Beyond const beyond = inside ? Beyond::other_end : g.beyond[a][sides[a] < 0 ? 0 : 1];
      if (beyond == Beyond::nothing_changes) return {true, false, {}, 0, 0};
      its.number[a] = inside ? next : beyond == Beyond::itself ? own : sides[a] < 0 ? last : 0;
      back[a]       = beyond == Beyond::itself ? sides[a] : -sides[a];
      its.shown     = its.shown && its.number[a] >= m_first[a] && its.number[a] < m_first[a] + g.per_block[a];
    }
    its.direction = l.direction(back[0], back[1]);
    its.warp      = (its.number[0] - m_first[0]) * g.per_block[1] + its.number[1] - m_first[1];
    return its;
  }
  VolumeLink link(int warp, int d) {
    VolumeLink link   = {place(warp, d), -1, -1, -1};
    Other const other = beside(warp, d);
    if (other.none) return link;
    auto const line = [&](int z, int y, int of_d) {
      return ((z * g.bundles[1] + y) * l.all_lines() + l.first_line(of_d)) * 32;
    };
    if (other.shown) {
      link.show = link.from;
      link.from = place(other.warp, other.direction);
    } else {
      link.receive = line(other.number[0], other.number[1], other.direction);
      link.send    = line(number(0, warp), number(1, warp), d);
    }
    return link;
  }

  /// What is read for row i of those that are seen in a direction. False: nothing depends on it.
  bool find(int warp, int d, int i, VolumeRow& row) const {
    int const sides[] = {l.along_z(d), l.along_y(d)};
    int of_constant[] = {-1, -1};
    for (std::size_t a = 0; a < 2; ++a) {
      int const own = number(a, warp), first = first_row(a, own);
      int const at = sides[a] == 0 ? first + i : sides[a] < 0 ? first - 1 : first + rows_that_change(a, own);
      if (at > g.end[a]) return false;
      std::int64_t source = at;
      if (at < 0 || at >= g.extent[a]) {
        int const side          = at < 0 ? 0 : 1;
        BoundaryKind const kind = g.faces[a][side].kind;
        if (kind == BoundaryKind::value) of_constant[a] = side;
        source = (side == 0) == (kind == BoundaryKind::periodic) ? g.extent[a] - 1 : 0;
      }
      row.from += source * g.in_stride[a];
    }
    row.constant = of_constant[0] >= 0 || of_constant[1] >= 0 ? 1 : 0;
    if (row.constant == 0) return true;
    // Where there are two constants that of the lowest axis of the View counts.
    bool const by_z       = of_constant[0] >= 0 && (of_constant[1] < 0 || g.user_axis[0] < g.user_axis[1]);
    double const constant = by_z ? g.faces[0][of_constant[0]].constant : g.faces[1][of_constant[1]].constant;
    auto const narrow     = static_cast<float>(constant);
    if (m_type == ValueType::float64) {
      std::memcpy(&row.from, &constant, sizeof constant);
    } else {
      std::memcpy(&row.from, &narrow, sizeof narrow);
    }
    return true;
  }

  VolumeArgs const& g;
  VolumeLayout l;
  ValueType m_type;
  int m_first[2];  ///< bundle
  std::vector<int> m_places;
};

}  // namespace

std::vector<VolumeEntry> VolumePlan::entries(ValueType type) const {
  VolumeLayout const l  = volume_table(type).rows[m_kernel].layout(size_of(type));
  std::size_t const its = static_cast<std::size_t>(l.entries()), warps = static_cast<std::size_t>(l.warps);
  std::vector<VolumeEntry> all(static_cast<std::size_t>(blocks()) * warps * its, VolumeEntry{});
  VolumeEntry* entry = all.data();
  for (int block = 0; block < blocks(); ++block) {
    BlockOfBundles bundles(m_args, l, type, block);
    for (int warp = 0; warp < l.warps; ++warp, entry += its) bundles.tell(warp, entry);
  }
  return all;
}

double VolumePlan::seconds(std::int64_t sweeps) const {
  return volume_caution * (m_run_seconds + static_cast<double>(sweeps) * m_sweep_seconds);
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
