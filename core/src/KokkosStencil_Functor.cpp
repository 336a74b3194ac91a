// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_FunctorPlan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace KokkosStencil {
namespace Impl {

namespace {

using Radius = std::array<int, 3>;

void check_radius(std::string const& label, Radius const& radius, int rank) {
  for (int a = 0; a < rank; ++a) {
    if (radius[static_cast<std::size_t>(a)] < 0) {
      fail(label,
           "a functor stencil needs the distance it reads: add .radius(r) to the policy, 0 if the point only is read, "
           "or name it for each field, as in KokkosStencil::reach<1>(u).");
    }
  }
}

bool same_points(ViewInfo const& a, ViewInfo const& b) {
  if (a.data != b.data || a.value_size != b.value_size) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (a.extent[k] > 1 && a.stride[k] != b.stride[k]) return false;
  }
  return true;
}

FunctorRange range_of(std::string const& label, PolicyInfo const& policy, ViewInfo const& shape,
                      FieldReach const& reach) {
  Radius lower{{0, 0, 0}};
  for (std::size_t a = 0; a < 3; ++a) lower[a] = -reach.before[a];
  FunctorRange r;
  r.reach  = reach;
  r.range  = resolve_range(label, policy, shape, lower, reach.behind,
                           " The reach is the farthest of all inputs: that of reach<R>(view), or else the policy's "
                            "radius. One that is read on one side only may say so, as in reach<sides(1, 0)>(view).");
  r.inside = r.range;
  for (std::size_t a = 0; a < 3; ++a) {
    r.inside.begin[a] = std::max<std::int64_t>(r.inside.begin[a], reach.before[a]);
    r.inside.end[a]   = std::max(r.inside.begin[a], std::min(r.inside.end[a], shape.extent[a] - reach.behind[a]));
  }
  return r;
}

/// Where there is no output to compare with.
void check_input(std::string const& label, ViewInfo const& first, ViewInfo const& view, std::size_t i) {
  auto const empty = [](ViewInfo const& v) { return v.extent[0] == 0 || v.extent[1] == 0 || v.extent[2] == 0; };
  if (view.data == nullptr && !(empty(view) && empty(first))) {
    fail(label, "input " + std::to_string(i) +
                    " has no memory (its data is null). Allocate the View, or give its pointer to it.");
  }
  if (view.extent != first.extent) {
    fail(label, "inputs 0 and " + std::to_string(i) +
                    " differ in their extents; they must agree. Take subviews of the same shape, whose edges then "
                    "count as faces.");
  }
}

void check_place(std::string const& label, FieldInfo const& in, std::size_t i, ViewInfo const& out, std::size_t o,
                 FieldReach const& reach, ViewNames const& names) {
  // An output by itself was looked at with the first input.
  if (i == 0) {
    check_shapes(label, in.view, out, names);
  } else {
    check_extents(label, in.view, out, names);
  }
  if (!overlap(in.view, out)) return;
  int const most = std::max({reach[0], reach[1], reach[2]});
  if (!same_points(in.view, out)) {
    fail(label, "input " + std::to_string(i) + " and output " + std::to_string(o) +
                    " overlap without being the same points: what is read could have been overwritten before. Use a "
                    "second View.");
  }
  if (most > 0) {
    fail(label, "input " + std::to_string(i) + " is output " + std::to_string(o) +
                    " as well (they overlap) but is read " + std::to_string(most) +
                    " points away, where it could have been overwritten before. Use a second View or, if it is read at "
                    "the point only, say so with KokkosStencil::reach<0>(view).");
  }
}

}  // namespace

FunctorRange functor_range(std::string const& label, PolicyInfo const& policy, Radius const& radius,
                           ListOf<FieldInfo> in, ListOf<ViewInfo> out) {
  bool const declared = std::any_of(in.begin(), in.end(), [](FieldInfo const& f) { return f.reach[0] >= 0; });
  bool const given    = std::any_of(radius.begin(), radius.end(), [](int r) { return r != -1; });
  // Without a radius what was not declared is read at the point.
  Radius others{{0, 0, 0}};
  if (given || !declared) {
    check_radius(label, radius, policy.rank);
    for (std::size_t a = 0; a < std::size_t(policy.rank); ++a) others[a] = radius[a];
  }
  FieldReach largest{{{0, 0, 0}}, {{0, 0, 0}}};
  for (std::size_t i = 0; i < in.size(); ++i) {
    FieldReach const reach = in[i].reach[0] < 0 ? FieldReach{others, others} : in[i].reach;
    for (std::size_t a = 0; a < 3; ++a) {
      largest.before[a] = std::max(largest.before[a], reach.before[a]);
      largest.behind[a] = std::max(largest.behind[a], reach.behind[a]);
    }
    for (std::size_t o = 0; o < out.size(); ++o) {
      ViewNames names;
      if (in.size() > 1) names.in = "input " + std::to_string(i);
      if (out.size() > 1) names.out = "output " + std::to_string(o);
      check_place(label, in[i], i, out[o], o, reach, names);
    }
    if (out.empty()) check_input(label, in.front().view, in[i].view, i);
  }
  for (std::size_t o = 0; o < out.size(); ++o) {
    for (std::size_t p = 0; p < o; ++p) {
      if (overlap(out[p], out[o])) {
        fail(label, "outputs " + std::to_string(p) + " and " + std::to_string(o) +
                        " overlap; give each field a View of its own.");
      }
    }
  }
  return range_of(label, policy, in.front().view, largest);
}

FieldReach farthest(std::vector<FieldReach> const& fields, Radius const& radius) {
  FieldReach most{{{0, 0, 0}}, {{0, 0, 0}}};
  for (FieldReach const& f : fields) {
    for (std::size_t a = 0; a < 3; ++a) {
      bool const declared = f[0] >= 0;
      most.before[a]      = std::max(most.before[a], declared ? f.before[a] : radius[a]);
      most.behind[a]      = std::max(most.behind[a], declared ? f.behind[a] : radius[a]);
    }
  }
  return most;
}

namespace {

void tell_once(std::string const& text) {
  static std::mutex mutex;
  static std::set<std::string> told;
  std::lock_guard<std::mutex> const lock(mutex);
  constexpr std::size_t most = 10000;
  if (told.size() < most && told.insert(text).second) std::fputs(text.c_str(), stderr);
}

}  // namespace

void note_functor(std::string const& label, std::string_view backend, PointBox const& range) {
  note_backend(backend);
  // Asked once: a call takes a microsecond or two.
  static bool const tells = verbose();
  if (!tells) return;
  std::ostringstream text;
  text << "KokkosStencil: \"" << label << "\" (functor, " << range.end[0] - range.begin[0];
  for (std::size_t a = 1; a < 3; ++a) {
    if (range.end[a] - range.begin[a] > 1) text << " x " << range.end[a] - range.begin[a];
  }
  text << " points) runs on " << backend << "\n";
  tell_once(text.str());
}

void note_local_memory(std::string const& label, std::size_t bytes) {
  if (bytes < few_local_bytes) return;
  tell_once("KokkosStencil: \"" + label + "\" keeps " + std::to_string(bytes) +
            " bytes of each thread in local memory, which is slow. If it reads neighbours in a loop, put "
            "KOKKOSSTENCIL_UNROLL in front of the loop; if it is large, make it a KOKKOS_FORCEINLINE_FUNCTION.\n");
}

void fail_forced_passes(std::string const& label, std::string const& forced, std::string const& reason) {
  fail(label, "the forced backend \"" + forced + "\" cannot run these sweeps: " + reason + ". Force none.");
}

void fail_forced_cells(std::string const& label, std::string const& forced) {
  if (forced == "functor_temporal" || forced == "functor_patches") {
    fail_forced_passes(label, forced, "it makes many sweeps, by iterate, and this is one");
  }
  bool const streaming = forced == "functor_streaming", ring = forced == "functor_ring",
             points = forced == "functor_points";
  fail(label,
       "the forced backend \"" + forced + "\" cannot run this sweep: it needs CUDA, " +
           (ring        ? "a GPU of compute capability 9.0 to 11.x and code for it, fields of float or of double, few "
                          "enough for its shared memory, of which one says its reach, as in "
                          "KokkosStencil::reach<4>(u) (with three axes 3 or more, and no results of a reduction; with two "
                          "axes 2 or more, or four fields, or results and no capture under way), "
            : points    ? "no results of a reduction, "
            : streaming ? "three axes and a field with its reach, as in KokkosStencil::reach<1>(u), "
                        : "with three axes the reach as the policy's radius and not with the fields, ") +
           "Views whose contiguous axis is the first or the last of each, and more points away from the faces "
           "than near them. Force none.");
}

void check_forced_sweeps(std::string const& label, std::string const& forced, Swept swept, int rank, bool host,
                         bool measured) {
  bool const passes = forced == "functor_temporal" || forced == "functor_patches";
  bool const single = !forced.empty() && forced != "generic" && forced != "host_temporal" && !passes;
  if (passes && swept == Swept::levels) {
    fail_forced_passes(label, forced, "the two levels change places after each");
  }
  if (passes && host) fail_forced_passes(label, forced, "it needs CUDA");
  bool const reduces = forced != "functor_points" && !(forced == "functor_ring" && rank == 3);
  if (single && (host || (measured && !reduces))) fail_forced_cells(label, forced);
}

void check_results(std::string const& label, ListOf<ViewInfo> results, ListOf<ViewInfo> out) {
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (results[r].data == nullptr) fail(label, "a View for a result has no memory. Allocate it before the call.");
    for (std::size_t o = 0; o < out.size(); ++o) {
      if (!overlap(results[r], out[o])) continue;
      fail(label, "result " + std::to_string(r) + " lies in output " + std::to_string(o) +
                      ", so that one would overwrite the other. Give it memory of its own.");
    }
    for (std::size_t q = 0; q < r; ++q) {
      if (!overlap(results[r], results[q])) continue;
      fail(label,
           "results " + std::to_string(q) + " and " + std::to_string(r) +
               " lie in the same memory, so that one would overwrite the other. Give each a variable of its own.");
    }
  }
}

void check_states_apart(std::string const& label, ListOf<ViewInfo> first, ListOf<ViewInfo> second) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i].extent != first[0].extent) {
      check_extents(label, first[i], first[0], {"state " + std::to_string(i), "state 0"});
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (overlap(first[i], first[j]) || overlap(first[i], second[j]) || overlap(second[i], first[j]) ||
          overlap(second[i], second[j])) {
        fail(label, "states " + std::to_string(j) + " and " + std::to_string(i) +
                        " overlap; give each one two Views of its own.");
      }
    }
  }
}

void check_constant_fields(std::string const& label, Swept what, ListOf<FieldInfo> constants, ListOf<ViewInfo> first,
                           ListOf<ViewInfo> second) {
  for (std::size_t c = 0; c < constants.size(); ++c) {
    if (constants[c].view.extent != first[0].extent) {
      check_extents(label, constants[c].view, first[0],
                    {"constant field " + std::to_string(c), what == Swept::levels ? "the newest level" : "state 0"});
    }
    for (std::size_t s = 0; s < first.size(); ++s) {
      bool const in_second = overlap(constants[c].view, second[s]);
      if (!in_second && !overlap(constants[c].view, first[s])) continue;
      fail(label,
           "constant field " + std::to_string(c) + " overlaps " +
               (what == Swept::levels ? std::string(in_second ? "the older level" : "the newest level")
                                      : (in_second ? "the second View of state " : "state ") + std::to_string(s)) +
               ", which the sweeps write, so that it would change between them. Copy it to a View of its own, or "
               "read the values of the sweep from the neighborhood of the " +
               (what == Swept::levels ? "level." : "state."));
    }
  }
}

namespace {

std::int64_t remainder(std::int64_t n, std::int64_t by) { return (n % by + by) % by; }

/// Planes that a block goes along, where so many blocks do each of them, so that the last wave waits least.
int depth_of_full_waves(std::int64_t planes, std::int64_t blocks, CellShape const& shape) {
  int best           = 1;
  std::int64_t least = -1;
  for (int depth = static_cast<int>(std::min<std::int64_t>(shape.depth, planes)); depth > 0; --depth) {
    std::int64_t const all   = blocks * ((planes + depth - 1) / depth);
    std::int64_t const waves = (all + shape.slots - 1) / shape.slots, time = waves * (depth + shape.begins);
    if (least >= 0 && time >= least) continue;
    least = time;
    best  = depth;
  }
  return best;
}

/// Whether the second-level cache has the planes between two blocks one behind the other when the second one reads
/// them: if need be of bands of `rows` rows of tiles. Narrow bands would have more rows between them than that saves.
bool use_cache(CellTiles& tiles, CellShape const& shape, std::int64_t rows, ListOf<ViewInfo> views) {
  if (shape.cached_depth == 0) return false;
  constexpr double share            = 0.5;  // of the cache, measured
  constexpr std::int64_t least_band = 3;
  std::int64_t values               = 0;
  for (ViewInfo const& v : views) values += v.value_size;
  std::int64_t const planes = std::min(shape.cached_depth, least_cached_depth);
  auto const row = static_cast<double>(tiles.cells[0] * shape.width * values * planes) * shape.columns * tiles.tall;
  auto const fit = static_cast<std::int64_t>(std::min(share * static_cast<double>(shape.cache) / row, 1e9));
  if (fit >= rows) return true;
  if (fit < least_band) return false;
  std::int64_t const bands = (rows + fit - 1) / fit;
  tiles.band               = static_cast<std::uint32_t>((rows + bands - 1) / bands);
  return true;
}

/// Makes the points beside the cells of a row cells of their own, of which not all points are computed: as far as all
/// that is read for the others lies in the row.
void add_parts(PointBox& cells, CellTiles& tiles, CellShape const& shape, std::size_t fast, FunctorRange const& where,
               ListOf<ViewInfo> views) {
  if (cells.empty()) return;
  std::int64_t const wide = shape.width, reach = where.reach[fast];
  std::int64_t extent = views.front().extent[fast];
  for (ViewInfo const& v : views) extent = std::min(extent, v.extent[fast]);
  auto const tiles_of   = [&](std::int64_t n) { return (n + shape.lanes - 1) / shape.lanes; };
  auto const worthwhile = [&] {
    return tiles_of(tiles.cells[0] + 1) == tiles_of(tiles.cells[0]) || tiles.cells[0] > 8 * shape.lanes;
  };
  // Vectors of the row before and behind, and the value that is needed furthest away.
  std::int64_t const begin = cells.begin[fast] - wide, lowest = where.inside.begin[fast];
  std::int64_t const before = remainder(begin, wide);
  if (lowest < cells.begin[fast] && lowest >= begin && begin >= 0 && lowest - reach >= before && worthwhile()) {
    tiles.not_first     = static_cast<int>(lowest - begin);
    tiles.values_before = static_cast<int>(std::min<std::int64_t>(begin - before, whole_row));
    cells.begin[fast]   = begin;
    ++tiles.cells[0];
  }
  std::int64_t const end = cells.end[fast] + wide, highest = where.inside.end[fast];
  std::int64_t const behind = remainder(extent - end, wide);
  if (highest > cells.end[fast] && highest <= end && end <= extent && highest + reach <= extent - behind &&
      worthwhile()) {
    tiles.not_last      = static_cast<int>(end - highest);
    tiles.values_behind = static_cast<int>(std::min<std::int64_t>(extent - behind - end, whole_row));
    cells.end[fast]     = end;
    ++tiles.cells[0];
  }
}

}  // namespace

std::int64_t vector_phase(int width, int rank, std::size_t fast, ListOf<ViewInfo> views) {
  std::int64_t phase = -1;
  for (ViewInfo const& v : views) {
    auto const address = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(v.data));
    if (v.stride[fast] != 1 || address % v.value_size != 0) return -1;
    for (std::size_t a = 0; a < std::size_t(rank); ++a) {
      if (a != fast && v.extent[a] > 1 && v.stride[a] % width != 0) return -1;
    }
    std::int64_t const mine = remainder(-(address / v.value_size), width);
    if (phase >= 0 && mine != phase) return -1;
    phase = mine;
  }
  return phase;
}

CellPlan cell_plan(CellShape const& shape, int rank, int fast_axis, FunctorRange const& where, ListOf<ViewInfo> views) {
  CellPlan plan;
  if (where.inside.empty()) return plan;
  // Points near faces reckon with StepDistance.
  auto const far = [rank](ViewInfo const& v) {
    std::int64_t longest = 0;
    for (std::size_t a = 0; a < std::size_t(rank); ++a) longest = std::max({longest, 2 * v.extent[a], v.stride[a]});
    return longest > std::numeric_limits<int>::max();
  };
  if (rank > 1 && std::any_of(views.begin(), views.end(), far)) return plan;
  auto const fast         = static_cast<std::size_t>(fast_axis);
  std::int64_t const wide = shape.width;
  // The axes from the contiguous one on.
  std::size_t const axis[3]  = {fast, std::size_t(rank == 3 ? 1 : 1 - std::min(fast_axis, 1)),
                                std::size_t(2 - fast_axis)};
  std::int64_t const size[3] = {wide, shape.rows, shape.planes};
  // Kernels load as many values on either side, whether the functor reads them or not.
  PointBox cells = where.inside;
  for (std::size_t a = 0; a < 3; ++a) {
    cells.begin[a] = std::max<std::int64_t>(cells.begin[a], where.reach[a]);
    cells.end[a]   = std::min(cells.end[a], views.front().extent[a] - where.reach[a]);
  }
  if (shape.spare_rows > 0) {
    std::size_t const down = axis[1];
    cells.begin[down]      = std::max(cells.begin[down], where.reach[down] + std::int64_t(shape.spare_rows));
    for (ViewInfo const& v : views) {
      if (v.stride[down] < v.extent[fast]) return plan;
      cells.end[down] = std::min(cells.end[down], v.extent[down] - where.reach[down] - shape.spare_rows);
    }
  }
  if (wide > 1) {
    std::int64_t const phase = vector_phase(shape.width, rank, fast, views);
    if (phase < 0) return plan;
    // Vectors that hold what the outermost points of a cell read stay inside the Views.
    std::int64_t const margin = (where.reach[fast] + wide - 1) / wide * wide;
    std::int64_t const least  = std::max(cells.begin[fast], margin);
    cells.begin[fast]         = least + remainder(phase - least, wide);
    cells.end[fast]           = std::min(cells.end[fast], views.front().extent[fast] - margin);
  }
  CellTiles& tiles = plan.tiles;
  for (int k = 0; k < rank; ++k) {
    std::size_t const a  = axis[k];
    std::int64_t const n = std::max<std::int64_t>(0, (cells.end[a] - cells.begin[a]) / size[k]);
    cells.end[a]         = cells.begin[a] + n * size[k];
    tiles.cells[k]       = n;
  }
  if (shape.parts && wide > 1 && !shape.reduces) add_parts(cells, tiles, shape, fast, where, views);
  if (cells.size() < where.range.size() / 2 || cells.empty()) return plan;
  auto const over = [](std::int64_t n, std::int64_t by) { return (n + by - 1) / by; };
  // As many blocks as could run at the same time.
  std::int64_t const least = over(shape.concurrency, shape.threads);
  // The ends of rows are a good part of their lines: done beside them, while those are at hand. Where few blocks run
  // all of them would wait, so that they come first, and a kernel that reduces has no registers for a way without
  // rules.
  PointBox near = cells, rows = cells;
  bool const few = over(tiles.cells[0], shape.lanes) * over(tiles.cells[1], shape.columns) < least;
  if (wide > 1 && !shape.reduces && !(shape.ends_beside && few && rank < 3)) {
    near.begin[fast] = where.inside.begin[fast];
    near.end[fast]   = where.inside.end[fast];
  }
  if (rank == 3 && shape.points) {
    rows.begin[fast] = where.range.begin[fast];
    rows.end[fast]   = where.range.end[fast];
  } else {
    rows.begin[fast] = near.begin[fast];
    rows.end[fast]   = near.end[fast];
  }
  auto const of = [fast](PointBox const& in, PointBox const& all) {
    // Cells may have points beyond, which are not computed.
    auto const positive = [](std::int64_t n) { return static_cast<std::uint32_t>(std::max<std::int64_t>(0, n)); };
    RowEnds e;
    e.before = positive(in.begin[fast] - all.begin[fast]);
    e.count  = e.before + positive(all.end[fast] - in.end[fast]);
    e.begin  = all.begin[fast];
    e.behind = in.end[fast];
    return e;
  };
  tiles.beside = of(cells, near);
  tiles.apart  = of(near, rows);
  plan.list    = PointList(std::array<int, 3>{{int(axis[2]), int(axis[1]), int(axis[0])}});
  for (PointBox const& box : difference(where.range, rows)) plan.list.add(box);
  // Warps that begin with a line of memory touch one line less.
  if (wide > 1 && !shape.reduces) {
    int const line           = shape.width * 8;
    std::int64_t const phase = vector_phase(line, rank, fast, views);
    std::int64_t const skip  = phase < 0 ? 0 : remainder(cells.begin[fast] - phase, line) / wide;
    if (over(tiles.cells[0] + skip, shape.lanes) == over(tiles.cells[0], shape.lanes) ||
        tiles.cells[0] > 8 * shape.lanes) {
      tiles.skip = skip;
      tiles.cells[0] += skip;
    }
  }
  std::int64_t const alone = shape.points ? over(plan.list.points, shape.threads) : 0;
  std::int64_t const whole = over(tiles.cells[0], shape.lanes), by = over(tiles.cells[1], shape.columns);
  bool const ends       = tiles.apart.count > 0 || (tiles.beside.count > 0 && !shape.ends_beside);
  tiles.tall            = ends && tiles.apart.count == 0 ? 4 : 1;
  std::int64_t const bx = whole * tiles.tall + (ends ? 1 : 0), groups = over(by, tiles.tall);
  std::int64_t const deep = std::max<std::int64_t>(2, tiles.cells[2] * whole * by / std::max<std::int64_t>(least, 1));
  tiles.band              = static_cast<std::uint32_t>(groups);
  // Few blocks go less far, so that their waves end together.
  std::int64_t const short_way = std::max<std::int64_t>(least_cached_depth, deep / 3);
  std::int64_t const most =
      use_cache(tiles, shape, groups, views) ? std::min<std::int64_t>(shape.cached_depth, short_way) : shape.depth;
  tiles.depth = static_cast<int>(std::min(most, deep));
  if (shape.slots > 0) tiles.depth = depth_of_full_waves(tiles.cells[2], bx * groups, shape);
  std::int64_t const slabs = over(tiles.cells[2], tiles.depth), all = alone + bx * groups * slabs;
  if (all >= std::int64_t(1) << 31) return plan;
  for (std::size_t a = 0; a < 3; ++a) tiles.first[a] = cells.begin[a];
  tiles.first[fast] -= tiles.skip * wide;
  tiles.listed    = static_cast<std::uint32_t>(alone);
  tiles.blocks[0] = static_cast<std::uint32_t>(bx);
  tiles.whole     = static_cast<std::uint32_t>(whole);
  tiles.blocks[1] = static_cast<std::uint32_t>(groups);
  tiles.slabs     = static_cast<std::uint32_t>(slabs);
  plan.teams      = static_cast<std::uint32_t>(all);
  plan.any        = true;
  return plan;
}

void refuse_shared(std::string const& label, PolicyInfo const& policy) {
  for (auto const& faces : policy.faces) {
    for (Face const& face : faces) {
      if (face.kind != BoundaryKind::shared) continue;
      fail(label,
           "an iterate of a stencil that is code takes no shared faces: give halo, and one exchange for every sweep.");
    }
  }
}

PointBox filled_from(std::string const& label, PolicyInfo const& policy, Radius const& radius, ViewInfo const& view) {
  check_shapes(label, view, view, {"the View", "the View"});
  PolicyInfo given = policy;
  if (policy.whole) {
    // Ghost points lie where there is a rule to fill them by.
    given.whole = false;
    for (std::size_t a = 0; a < std::size_t(policy.rank); ++a) {
      bool const lower = !has_ghosts(policy.faces[a][0]);
      bool const upper = !has_ghosts(policy.faces[a][1]);
      if ((lower || upper) && radius[a] < 0) {
        fail(label,
             "nothing says which points are ghost points: give the policy the range of the others, or .radius(r) for r "
             "layers at every face that has a rule.");
      }
      if (view.extent[a] == 0) return PointBox{{{0, 0, 0}}, {{0, 0, 0}}};
      given.begin[a] = lower ? radius[a] : 0;
      given.end[a]   = view.extent[a] - (upper ? radius[a] : 0);
      if (given.begin[a] > given.end[a]) {
        fail(label, std::to_string(given.begin[a] + view.extent[a] - given.end[a]) +
                        " layers of ghost points at the faces of axis " + std::to_string(a) + " are more than its " +
                        std::to_string(view.extent[a]) + " points. Take a smaller radius.");
      }
      // Layers of a neighbour are left alone as those of a halo are.
      for (Face& face : given.faces[a]) face = has_ghosts(face) ? Face::halo() : face;
    }
  }
  PointBox const box = resolve_range(label, given, view, {{0, 0, 0}}, {{0, 0, 0}});
  for (std::size_t a = 0; a < std::size_t(policy.rank) && !box.empty(); ++a) {
    // A reflection must not run out of the View on the side that has no rule.
    for (std::size_t side = 0; side < 2; ++side) {
      std::int64_t const layers = side == 0 ? box.begin[a] : view.extent[a] - box.end[a];
      if (policy.faces[a][side].kind != BoundaryKind::mirror || !has_ghosts(policy.faces[a][1 - side]) ||
          2 * layers <= view.extent[a]) {
        continue;
      }
      fail(label, "axis " + std::to_string(a) + " has a mirror on one face and a halo on the other; " +
                      std::to_string(layers) + " layers of ghost points are more than the " +
                      std::to_string(view.extent[a] - layers) +
                      " points that they mirror. Fill fewer, or choose the same rule for both faces.");
    }
  }
  return box;
}

}  // namespace Impl
}  // namespace KokkosStencil
