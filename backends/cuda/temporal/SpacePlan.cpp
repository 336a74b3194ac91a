// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpacePlan.hpp"

#include "Plan.hpp"
#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/PassRange.hpp"

#include <model/SweepCost.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

/// The largest multiple of `to` that is at most `a`, which may be negative.
std::int64_t round_down(std::int64_t a, std::int64_t to) { return (a < 0 ? a - to + 1 : a) / to * to; }

/// Simulates a launch: each multiprocessor takes the next block of a list as soon as it is free.
class Schedule {
 public:
  explicit Schedule(std::int64_t multiprocessors) { m_free.push_back({0.0, multiprocessors}); }

  void add(std::int64_t blocks, double seconds) {
    while (blocks > 0) {
      // The list is sorted by time.
      auto const first        = m_free.front();
      std::int64_t const some = std::min(blocks, first.count);
      double const end        = first.time + seconds;
      m_last                  = std::max(m_last, end);
      blocks -= some;
      m_free.front().count -= some;
      if (m_free.front().count == 0) m_free.erase(m_free.begin());
      auto const at =
          std::lower_bound(m_free.begin(), m_free.end(), end, [](Free const& f, double time) { return f.time < time; });
      if (at != m_free.end() && at->time <= end) {
        at->count += some;
      } else {
        m_free.insert(at, {end, some});
      }
    }
  }

  double end() const { return m_last; }

 private:
  struct Free {
    double time;
    std::int64_t count;
  };
  std::vector<Free> m_free;
  double m_last = 0.0;
};

}  // namespace

double slower_memory_seconds(Problem const& p, SpaceTuning const& k, DeviceModel const& device) {
  auto const& waits = k.stencil == SpaceStencil::box ? box_space_waits : star_space_waits;
  return Cuda::slower_memory_seconds(p, device, waits[Model::type_index(p.value_type)]);
}

SpaceArgs space_args(Problem const& p, SpaceTuning const& k, bool aligned) {
  SpaceLayout const layout = k.layout(size_of(p.value_type));
  PassRange const range    = pass_range(p, k.depth);
  SpaceArgs g{};
  g.aligned = aligned;
  for (std::size_t a = 0; a < 3; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a]);
    g.begin[a]     = static_cast<std::int32_t>(range.changing.begin[a]);
    g.end[a]       = static_cast<std::int32_t>(range.changing.end[a]);
    g.user_axis[a] = p.user_axis[a];
    for (std::size_t side = 0; side < 2; ++side) {
      Face const face  = p.faces[a][side];
      g.faces[a][side] = face.kind == BoundaryKind::edge ? Face::mirror() : face;
    }
  }
  g.in_stride[0]  = p.in_stride[0];
  g.in_stride[1]  = p.in_stride[1];
  g.out_stride[0] = p.out_stride[0];
  g.out_stride[1] = p.out_stride[1];

  std::int64_t const vector = layout.vector_values;
  for (std::size_t a = 0; a < 2; ++a) {
    std::int64_t const begin = range.stored.begin[a + 1], end = range.stored.end[a + 1], extent = g.extent[a + 1],
                       interior = layout.interior[a], halo = layout.halo[a];
    std::int64_t const beyond[2] = {begin, extent - end};
    std::int64_t lost[2];  // points at the first tile's begin and the last one's end that are not its results
    for (std::size_t side = 0; side < 2; ++side) {
      BoundaryKind const kind = g.faces[a + 1][side].kind;
      bool const constant     = kind == BoundaryKind::halo || kind == BoundaryKind::value || beyond[side] >= k.radius;
      g.fixed[a][side]        = constant && !p.used_up[a + 1][side];
      lost[side]              = g.fixed[a][side] ? k.radius : halo;
    }
    // Tiles end at whole sectors of memory where two tiles that store parts of one sector would take longer
    // (SpaceTuning::whole_sectors).
    std::int64_t const unit  = a == 0 ? 1 : k.whole_sectors ? 2 * vector : vector;
    std::int64_t const first = round_down(begin - lost[0] + halo, unit) - halo;
    std::int64_t const size  = interior + 2 * halo;
    std::int64_t const tiles = 1 + std::max<std::int64_t>(0, divide_up(end - (first + size - lost[1]), interior));
    g.first[a]               = static_cast<std::int32_t>(first);
    g.tiles[a]               = static_cast<std::int32_t>(tiles);
    bool const full          = beyond[0] == 0 && beyond[1] == 0 && (a == 0 || end % vector == 0);
    for (std::size_t side = 0; side < 2; ++side) {
      BoundaryKind const kind = g.faces[a + 1][side].kind;
      if (full && (kind == BoundaryKind::periodic || (a == 0 && kind == BoundaryKind::mirror))) continue;
      bool const within = side == 0 ? first >= 0 : first + (tiles - 1) * interior + size <= extent;
      if (p.used_up[a + 1][side] && within) continue;
      // Tiles that reach beyond the face.
      std::int64_t const reaching =
          side == 0 ? divide_up(begin - first, interior) : tiles - (end - size - first) / interior - 1;
      std::int64_t const others = side == 1 ? g.frame[a][0] : 0;
      g.frame[a][side] = static_cast<std::int32_t>(std::min(std::max<std::int64_t>(1, reaching), tiles - others));
    }
  }
  if (!aligned) {
    g.frame[0][0] = g.tiles[0];
    g.frame[0][1] = 0;
  }

  g.whole_vectors = k.whole_vector_seconds > 0.0 && aligned && divide_up(g.end[2], vector) * vector <= g.extent[2];
  return g;
}

SpaceTiles tiles_of(SpaceArgs const& g) {
  return {std::int64_t(g.tiles[0]) * g.tiles[1],
          std::int64_t(g.tiles[0] - g.frame[0][0] - g.frame[0][1]) * (g.tiles[1] - g.frame[1][0] - g.frame[1][1])};
}

int early_sides(Problem const& p, SpaceTuning const& k) {
  PointBox const stored = pass_range(p, k.depth).stored;
  if (p.early[0][0] + p.early[0][1] >= stored.end[0] - stored.begin[0]) return 0;
  return (p.early[0][0] > 0 ? 1 : 0) + (p.early[0][1] > 0 ? 1 : 0);
}

namespace {

/// Seconds of a plane of a tile at the frame.
double frame_seconds(Problem const& p, SpaceArgs const& g, SpaceTuning const& k, Effort effort) {
  // cp.async copies no values of two bytes: a block waits for vectors that are gathered.
  int const vector = vector_bytes / size_of(p.value_type);
  if (size_of(p.value_type) == 2 && (!g.aligned || ends_apart(p, vector) > 0)) {
    return predicted_apart[Model::type_index(p.value_type)] * k.frame_seconds;
  }
  // Constants and reflections at the ends of a row are read value by value.
  auto const by_vectors = [](Face const& face) {
    return face.kind == BoundaryKind::halo || face.kind == BoundaryKind::periodic;
  };
  // Rough plans are for comparing kernels. For that whole_vector_seconds are too short.
  double const frame = g.whole_vectors && effort == Effort::fine ? k.whole_vector_seconds : k.frame_seconds;
  return g.aligned && by_vectors(g.faces[2][0]) && by_vectors(g.faces[2][1]) ? frame : value_by_value * frame;
}

}  // namespace

SpacePlan plan_space(Problem const& p, SpaceTuning const& k, std::int64_t multiprocessors, bool aligned, Effort effort,
                     std::int64_t ghost_planes) {
  SpaceLayout const layout = k.layout(size_of(p.value_type));
  SpacePlan plan{space_args(p, k, aligned), 0.0};
  SpaceArgs& g = plan.args;

  // Some tiles are computed in one go. Each other tile is cut into a few long chunks and then shorter ones, which fill
  // the gaps at the end.
  PassRange const range     = pass_range(p, k.depth);
  std::int64_t const bottom = std::max<std::int64_t>(0, range.stored.begin[0] - ghost_planes);
  std::int64_t const planes = std::min(p.extent[0], range.stored.end[0] + ghost_planes) - bottom;
  // Planes that come first, below and above the others.
  bool const some_early       = early_sides(p, k) > 0;
  std::int64_t const early[2] = {some_early ? p.early[0][0] : 0, some_early ? p.early[0][1] : 0};
  std::int64_t const top = planes - early[1], late = top - early[0];
  auto const [all, inside]     = tiles_of(g);
  std::int64_t const count[2]  = {all - inside, inside};
  double const seconds[2]      = {frame_seconds(p, g, k, effort), k.plane_seconds};
  std::int64_t const in_one_go = all / multiprocessors * multiprocessors;
  double best                  = std::numeric_limits<double>::max();

  // A way to cut: a list of groups, early planes first.
  struct Trial {
    SpaceArgs args;
    Schedule schedule;
  };
  auto const add = [&](Trial& t, int kind, std::int64_t first, std::int64_t tiles, std::int64_t begin, std::int64_t end,
                       std::int64_t chunks) {
    if (tiles <= 0 || begin >= end) return;
    SpaceArgs& h              = t.args;
    std::int64_t const height = divide_up(end - begin, chunks);
    SpaceGroup& group         = h.group[h.groups++];
    group.frame               = kind == 0 ? 1 : 0;
    group.first_tile          = static_cast<std::int32_t>(first);
    group.tiles               = static_cast<std::int32_t>(tiles);
    group.begin               = static_cast<std::int32_t>(bottom + begin);
    group.end                 = static_cast<std::int32_t>(bottom + end);
    group.planes              = static_cast<std::int32_t>(height);
    group.first_task          = h.tasks;
    std::int64_t const blocks = tiles * divide_up(end - begin, height);
    h.tasks += static_cast<std::int32_t>(blocks);
    t.schedule.add(blocks, static_cast<double>(height + layout.prologue) * seconds[kind]);
  };
  auto const trial = [&] {
    Trial t{g, Schedule(multiprocessors)};
    t.args.groups = t.args.tasks = 0;
    for (int kind = 0; kind < 2; ++kind) {
      add(t, kind, 0, count[kind], 0, early[0], 1);
      add(t, kind, 0, count[kind], top, planes, 1);
    }
    t.args.early_tasks = t.args.tasks;
    return t;
  };
  auto const keep = [&](Trial const& t) {
    if (t.schedule.end() >= best) return;
    best = t.schedule.end();
    g    = t.args;
  };

  // Tries a way to cut, and keeps it if it is the fastest so far. `one`: tiles computed in one go; `share`: the part of
  // the planes of all other tiles that is cut into `longs` long chunks; `rest`: tiles whose last planes are one chunk;
  // `outer`, `inner`: chunks of the last planes of the others, at the frame and inside.
  auto const attempt = [&](std::int64_t one, double share, std::int64_t longs, std::int64_t rest, std::int64_t outer,
                           std::int64_t inner) {
    Trial t                     = trial();
    std::int64_t const whole[2] = {std::min(one, count[0]), one - std::min(one, count[0])};
    std::int64_t cut[2], done[2];
    for (int kind = 0; kind < 2; ++kind) {
      add(t, kind, 0, whole[kind], early[0], top, 1);
      // Long chunks of the frame and of the inside take the same time.
      double const height = share * static_cast<double>(late) * seconds[1] / seconds[kind];
      cut[kind]           = share >= 1.0 ? top : std::min(top, early[0] + static_cast<std::int64_t>(height));
    }
    for (int kind = 0; kind < 2; ++kind) {
      add(t, kind, whole[kind], count[kind] - whole[kind], early[0], cut[kind], longs);
    }
    for (int kind = 0; kind < 2; ++kind) {
      std::int64_t const some = std::min(rest - (kind == 0 ? 0 : done[0] - whole[0]), count[kind] - whole[kind]);
      done[kind]              = whole[kind] + some;
      add(t, kind, whole[kind], some, cut[kind], top, 1);
    }
    for (int kind = 0; kind < 2; ++kind) {
      std::int64_t const chunks = std::min(kind == 0 ? outer : inner, top - cut[kind]);
      add(t, kind, done[kind], count[kind] - done[kind], cut[kind], top, chunks);
    }
    keep(t);
  };
  // Where some multiprocessors have no early planes: so many tiles begin there with a chunk that takes `time`. The
  // other tiles begin behind early planes, and end at the same time. The last planes of the former are one chunk, those
  // of the latter `chunks`.
  std::int64_t const early_blocks = all * ((early[0] > 0 ? 1 : 0) + (early[1] > 0 ? 1 : 0));
  auto const attempt_beside       = [&](double time, std::int64_t chunks) {
    Trial t                       = trial();
    std::int64_t const beside     = multiprocessors - early_blocks;
    std::int64_t const at_once[2] = {std::min(beside, count[0]), beside - std::min(beside, count[0])};
    std::int64_t const most_early = std::max(early[0], early[1]) + layout.prologue;
    auto const cut                = [&](int kind, double left) {
      auto const height = static_cast<std::int64_t>(left / seconds[kind]) - layout.prologue;
      return early[0] + std::clamp<std::int64_t>(height, 1, late);
    };
    auto const cut_late = [&](int kind) {
      return cut(kind, time - static_cast<double>(most_early) * seconds[at_once[0] < count[0] ? 0 : 1]);
    };
    for (int kind = 0; kind < 2; ++kind) add(t, kind, 0, at_once[kind], early[0], cut(kind, time), 1);
    for (int kind = 0; kind < 2; ++kind) {
      add(t, kind, at_once[kind], count[kind] - at_once[kind], early[0], cut_late(kind), 1);
    }
    for (int kind = 0; kind < 2; ++kind) add(t, kind, 0, at_once[kind], cut(kind, time), top, 1);
    for (int kind = 0; kind < 2; ++kind) {
      std::int64_t const from = cut_late(kind);
      add(t, kind, at_once[kind], count[kind] - at_once[kind], from, top, std::min(chunks, top - from));
    }
    keep(t);
  };
  bool const fine               = effort == Effort::fine;
  int const steps               = fine ? 64 : 16;
  std::int64_t const most_short = fine ? 8 : 4;
  for (std::int64_t one = std::max<std::int64_t>(0, in_one_go - multiprocessors); one <= in_one_go;
       one += multiprocessors) {
    std::int64_t const others = all - one;
    std::int64_t const most   = others > 0 ? 1 + std::min<std::int64_t>(multiprocessors / others, fine ? 7 : 2) : 1;
    for (std::int64_t longs = 1; longs <= most; ++longs) {
      attempt(one, 1.0, longs, 0, 1, 1);
      // Multiprocessors that get no long chunk may each take the last planes of a tile. Not for stars of larger radius,
      // which depend most on memory: chunks that begin at different planes share less in the second-level cache.
      std::int64_t const over = multiprocessors - longs * others % multiprocessors;
      std::int64_t const rest = over < others && k.radius == 1 ? over : 0;
      for (int share = 1; share < steps; ++share) {
        for (std::int64_t chunks = 1; chunks <= most_short; ++chunks) {
          double const part = static_cast<double>(share) / steps;
          attempt(one, part, longs, 0, chunks, chunks);
          if (rest == 0) continue;
          attempt(one, part, longs, rest, chunks, chunks);
          std::int64_t const fine_chunks = rest / (others - rest) / chunks;
          if (fine_chunks > most_short) attempt(one, part, longs, rest, fine_chunks, fine_chunks);
        }
      }
    }
  }
  std::int64_t const few = std::min<std::int64_t>(late, most_chunks);
  for (std::int64_t outer = 1; outer <= (count[0] > 0 ? few : 1); ++outer) {
    bool const free = fine && inside > 0 && count[0] > 0;
    for (std::int64_t inner = free ? 1 : outer; inner <= (free || count[0] == 0 ? few : outer); ++inner) {
      attempt(0, 0.0, 1, 0, outer, inner);
    }
  }
  if (fine && early_blocks > 0 && early_blocks < multiprocessors && early_blocks + all > multiprocessors) {
    double const whole = static_cast<double>(late + layout.prologue) * std::max(seconds[0], seconds[1]);
    for (int share = 1; share <= 128; ++share) {
      for (std::int64_t chunks = 1; chunks <= most_chunks / 2; ++chunks) attempt_beside(whole * share / 128, chunks);
    }
  }
  plan.seconds = best;
  return plan;
}

SpaceTuning end_tuning(SpaceTuning k, End end, bool ghosts) {
  double const factor = end == End::first ? anywhere_in : end == End::last ? anywhere_out : 1.0;
  // Then vectors are stored whole, at faces as well.
  if (ghosts) k.frame_seconds = k.whole_vector_seconds > 0.0 ? k.whole_vector_seconds : whole_frame * k.frame_seconds;
  k.whole_vector_seconds = 0.0;
  k.plane_seconds *= factor;
  k.frame_seconds *= factor;
  return k;
}

SpacePlan plan_end(Problem const& p, SpaceTuning const& k, std::int64_t multiprocessors, End end, bool ghosts) {
  SpacePlan plan =
      plan_space(p, end_tuning(k, end, ghosts), multiprocessors, true, Effort::fine, ghosts ? k.radius : 0);
  plan.args.in_anywhere   = end == End::first;
  plan.args.out_anywhere  = end == End::last;
  plan.args.whole_vectors = plan.args.stores_ghosts = ghosts;
  return plan;
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
