// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StripPlan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/PassRange.hpp"
#include "temporal/Plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

/// Seconds of a row of a warp on the fast path of the reference device, where all multiprocessors are full.
double row_seconds(StripTuning const& k, int value_bytes) {
  StripLayout const layout = k.layout(value_bytes);
  return strip_warps * Model::reference_device().multiprocessors * (layout.width - 2.0 * layout.halo) * k.depth /
         k.rate;
}

/// The time of a row of a pass of so many sweeps on the fast path, in rows of the deepest pass.
double shallow_cost(StripTuning const& k, int depth) {
  return depth == k.depth ? 1.0 : shallow_base + shallow_share * depth / k.depth;
}

/// The time of a row on the general path, in rows of the fast path.
double general_cost(Problem const& p, StripTuning const& k, int depth, bool aligned) {
  int const bytes    = size_of(p.value_type);
  bool const apart   = bytes < 4 && (!aligned || ends_apart(p, vector_bytes / bytes) > 0);
  double const waits = apart ? strip_apart_seconds / row_seconds(k, bytes) : 0.0;
  double const cost  = depth == k.depth ? 1.0 : general_shallow_base + general_shallow_share * depth / k.depth;
  return (k.general_row_cost + waits) * cost / shallow_cost(k, depth);
}

}  // namespace

Face folded(Face face) { return face.kind == BoundaryKind::edge ? Face::mirror() : face; }

StripPlan plan_strips(Problem const& p, StripTuning const& k, std::int64_t multiprocessors, int depth, bool aligned) {
  StripLayout const layout  = k.layout(size_of(p.value_type));
  std::int64_t const vector = layout.vector_values, reach = std::int64_t(depth) * k.shape.radius;
  // A strip fills in 2 * depth * radius rows. Sweeps join in one after the other: the time of so many full rows. In
  // float branches take on the general path what that saves.
  std::int64_t const prologue         = (depth + 1) * k.shape.radius,
                     general_prologue = size_of(p.value_type) == 4 ? 2 * reach : prologue;
  std::int64_t const halo = layout.halo, interior = layout.width - 2 * halo,
                     general_interior = k.general_layout(size_of(p.value_type)).width - 2 * halo;
  double const general_row            = general_cost(p, k, depth, aligned);
  PassRange const range               = pass_range(p, depth);
  auto const begin                    = [&](std::size_t a) { return range.stored.begin[a + 1]; };
  auto const end                      = [&](std::size_t a) { return range.stored.end[a + 1]; };
  StripPlan plan{};
  StripArgs& g = plan.args;
  g.in_pitch   = p.in_stride[1];
  g.out_pitch  = p.out_stride[1];
  g.depth      = depth;
  g.aligned    = aligned;
  bool wraps[2];
  for (std::size_t a = 0; a < 2; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a + 1]);
    g.begin[a]     = static_cast<std::int32_t>(range.changing.begin[a + 1]);
    g.end[a]       = static_cast<std::int32_t>(range.changing.end[a + 1]);
    g.user_axis[a] = p.user_axis[a + 1];
    for (std::size_t side = 0; side < 2; ++side) g.faces[a][side] = folded(p.faces[a + 1][side]);
    wraps[a] = g.faces[a][0].kind == BoundaryKind::periodic && g.begin[a] == 0 && g.end[a] == g.extent[a];
  }
  wraps[0]            = wraps[0] && reach <= g.extent[0];
  bool const anywhere = !aligned && k.anywhere(size_of(p.value_type));
  // Rows that are copied value by value wrap around on the general path only.
  wraps[1] = wraps[1] && !anywhere && g.extent[1] % vector == 0 && layout.width <= g.extent[1];

  // Columns of the fast path, unless they wrap around: whole strips, as few as leave no more columns at either side
  // than one strip of the general path has.
  std::int64_t x0 = begin(1), x1 = end(1);
  if (!wraps[1]) {
    std::int64_t const first = divide_up(std::max(x0, g.begin[1] + halo), vector) * vector,
                       last  = std::min(x1, g.end[1] - halo) / vector * vector;
    auto const lowest        = [&](std::int64_t strips) {
      return std::max(first, divide_up(x1 - general_interior - strips * interior, vector) * vector);
    };
    auto const highest = [&](std::int64_t strips) {
      return std::min(last - strips * interior, x0 / vector * vector + general_interior);
    };
    std::int64_t strips = std::max<std::int64_t>(0, last - first) / interior;
    std::int64_t at     = first + (last - first - strips * interior) / 2 / vector * vector;
    while (strips > 1 && lowest(strips - 1) <= highest(strips - 1)) {
      --strips;
      at = (lowest(strips) + highest(strips)) / 2 / vector * vector;
    }
    x0 = at;
    x1 = x0 + strips * interior;
  }
  // Rows of the fast path: all but those that depend on points that do not change.
  std::int64_t const y0 = wraps[0] ? begin(0) : std::max(begin(0), g.begin[0] + reach),
                     y1 = wraps[0] ? end(0) : std::min(end(0), g.end[0] - reach);
  bool const fast       = (aligned || anywhere) && x1 > x0 && y1 > y0;
  auto const general    = [&](std::int64_t rows) {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(rows + general_prologue) * general_row));
  };

  // Rows that come first, above and below the others.
  std::int64_t const wanted = p.early[1][0] + p.early[1][1];
  bool const some_early     = fast && strip_has_early(k.shape, size_of(p.value_type)) &&
                          (aligned || !strip_early_apart(size_of(p.value_type))) && wanted > 0 &&
                          3 * wanted < end(0) - begin(0) && (p.early[1][0] == 0 || y0 == begin(0)) &&
                          (p.early[1][1] == 0 || y1 == end(0));
  std::int64_t const early[2] = {some_early ? p.early[1][0] : 0, some_early ? p.early[1][1] : 0};

  // Cuts the range into tasks that take at most `time`, in rows of the fast path. Returns how many multiprocessors
  // these keep busy. First come early rows, then the blocks of the fast path, then long tasks at the sides, then those
  // at top and bottom, which are so short that a multiprocessor takes several of them one after the other.
  // `room`: time that multiprocessors with early rows have left for short tasks.
  auto const cut_leaving = [&](std::int64_t time, std::int64_t room) {
    std::int64_t const most[2] = {
        std::max(time - prologue, least_strip_rows),
        std::max(static_cast<std::int64_t>(static_cast<double>(time) / general_row) - general_prologue,
                 least_strip_rows)};
    std::int64_t tasks = 0;
    auto const blocks  = [&] { return divide_up(tasks, strip_warps); };
    g.regions          = 0;
    auto const add     = [&](bool first, std::int64_t by, std::int64_t ey, std::int64_t bx, std::int64_t ex) {
      if (ey <= by || ex <= bx) return std::int64_t(0);
      StripRegion& b = g.region[g.regions++];
      b.fast         = first;
      b.first_task   = static_cast<std::int32_t>(tasks);
      b.begin[0]     = static_cast<std::int32_t>(by);
      b.begin[1]     = static_cast<std::int32_t>(bx);
      b.end[0]       = static_cast<std::int32_t>(ey);
      b.end[1]       = static_cast<std::int32_t>(ex);
      b.strips = static_cast<std::int32_t>(divide_up(ex - bx / vector * vector, first ? interior : general_interior));
      // Chunks of equal height.
      std::int64_t const chunks = divide_up(ey - by, most[first ? 0 : 1]);
      b.rows                    = static_cast<std::int32_t>(divide_up(ey - by, chunks));
      tasks += b.strips * divide_up(ey - by, b.rows);
      return std::int64_t(b.rows);
    };
    // Without early rows region 0 is the fast one, even if empty.
    if (!fast) g.region[g.regions++] = {};
    // Warps of a block take the same path.
    auto const whole_blocks       = [&] { tasks = strip_warps * blocks(); };
    std::int64_t const ends[2][2] = {{y0, y0 + early[0]}, {y1 - early[1], y1}};
    for (auto const& end_rows : ends) add(true, end_rows[0], end_rows[1], x0, x1);
    whole_blocks();
    std::int64_t const first = blocks();
    for (auto const& end_rows : ends) {
      add(false, end_rows[0], end_rows[1], begin(1), x0);
      add(false, end_rows[0], end_rows[1], x1, end(1));
    }
    g.early_tasks       = static_cast<std::int32_t>(tasks);
    std::int64_t second = 0;
    if (fast) {
      // Multiprocessors that have done early rows go on with as many rows as the others have more.
      std::int64_t const low = ends[0][1], high = ends[1][0];
      std::int64_t more[2];
      for (std::size_t side = 0; side < 2; ++side) {
        std::int64_t const rows = std::min(time - room - early[side] - 2 * prologue, (high - low) / 2);
        more[side]              = early[side] > 0 && rows >= prologue ? rows : 0;
      }
      auto const sides = [&] {
        add(false, low, high, begin(1), x0);
        add(false, low, high, x1, end(1));
      };
      // Beside early rows of the general path.
      if (some_early) {
        sides();
        whole_blocks();
      }
      add(true, low + more[0], high - more[1], x0, x1);
      whole_blocks();
      second = blocks();
      add(true, low, low + more[0], x0, x1);
      add(true, high - more[1], high, x0, x1);
      whole_blocks();
      second = blocks() - second;
      if (!some_early) sides();
    } else {
      add(false, begin(0), end(0), begin(1), end(1));
    }
    std::int64_t const busy = blocks() - std::min(first, second);
    std::int64_t const all  = blocks();
    std::int64_t rows       = 0;
    if (fast) {
      rows = add(false, begin(0), y0, begin(1), end(1));
      rows = std::max(rows, add(false, y1, end(0), begin(1), end(1)));
    }
    if (g.regions == 1) g.region[1].first_task = static_cast<std::int32_t>(tasks);
    g.tasks = static_cast<std::int32_t>(tasks);
    // Multiprocessors with early rows take some of the short tasks.
    std::int64_t const left  = std::max<std::int64_t>(0, time - general(std::max(early[0], early[1])));
    std::int64_t const taken = std::max<std::int64_t>(0, first - second) * (left / general(rows)) +
                               std::min(first, second) * (room / general(rows));
    std::int64_t const more = std::max<std::int64_t>(0, blocks() - all - taken);
    return busy + divide_up(more, std::max<std::int64_t>(1, time / general(rows)));
  };
  auto const cut = [&](std::int64_t time) {
    std::int64_t const room   = some_early ? general(std::max(y0 - begin(0), end(0) - y1)) : 0;
    std::int64_t const before = some_early ? cut_leaving(time, 0) : 0, busy = cut_leaving(time, room);
    return some_early && before <= busy ? cut_leaving(time, 0) : busy;
  };
  std::int64_t low  = fast && wraps[0] && wraps[1] ? prologue + least_strip_rows : general(least_strip_rows);
  std::int64_t high = std::max(low, general(end(0) - begin(0)));
  // Where there are more strips than warps, multiprocessors take several rounds of blocks.
  std::int64_t const rounds = divide_up(cut(high), multiprocessors);
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    if (cut(middle) <= rounds * multiprocessors) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  cut(high);
  plan.rows = high * rounds;
  return plan;
}

double strips_seconds(StripPlan const& plan, Problem const& p, StripTuning const& k, DeviceModel const& device) {
  StripArgs const& g = plan.args;
  // Seconds of a row of a warp, where all multiprocessors are full.
  double const speed = Cuda::multiprocessor_speed(device, p.value_type);
  double const warps = static_cast<double>(std::int64_t(strip_warps) * device.multiprocessors);
  double const row   = row_seconds(k, size_of(p.value_type)) / speed;
  // The time of a row for a warp that is alone, over that for one of many.
  std::size_t const type = Model::type_index(p.value_type);
  double const alone     = Cuda::tuned(device, strip_alone[type], [&] {
    return std::string("cuda_temporal/strips/alone/") + Model::type_name(p.value_type);
  });
  double const load      = std::min(1.0, static_cast<double>(g.tasks) / warps);
  double const slower    = g.aligned ? 1.0
                           : k.anywhere(size_of(p.value_type))
                               ? Cuda::tuned(device, anywhere_cost, "cuda_temporal/strips/anywhere")
                               : Cuda::tuned(device, unaligned, "cuda_temporal/strips/unaligned");
  double const waits     = (k.shape.star ? star_strip_waits : box_strip_waits)[type] * g.depth / k.depth;
  double seconds         = slower * row * static_cast<double>(plan.rows) * (alone + (1.0 - alone) * load);
  if (g.depth < k.depth) {
    // Passes of few sweeps wait for memory.
    double const bytes  = 2.0 * Cuda::points_of(p) * size_of(p.value_type);
    double const memory = bytes / (shallow_bandwidth * Model::bandwidth(device, bytes));
    double const factor = Cuda::tuned(device, shallow[type], [&] {
      return std::string("cuda_temporal/strips/shallow/") + Model::type_name(p.value_type);
    });
    double const sweeps = factor * shallow_cost(k, g.depth) * seconds;
    seconds             = std::pow(std::pow(sweeps, 4.0) + std::pow(memory, 4.0), 0.25);
  }
  return Cuda::tuned(device, pass_seconds, "cuda_temporal/pass_seconds") +
         Cuda::slower_memory_seconds(p, device, waits) + seconds;
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
