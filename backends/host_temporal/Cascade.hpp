// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "CascadeShape.hpp"
#include "generic/RowSweep.hpp"

#include <KokkosStencil_Problem.hpp>
#include <impl/KokkosStencil_MapIndex.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// Several sweeps of a tile, each of which follows the one before at a distance of a few rows or planes along the
// slowest axis. What lies between two sweeps is in buffers of a thread, which hold no more rows than the next sweep
// needs, so that memory is read and written once. Neighbouring tiles compute what they share twice, but know nothing of
// each other: no barrier, and threads that help each other.

namespace KokkosStencil {
namespace HostTemporal {

template <class T>
class Cascade {
 public:
  Cascade(Generic::HostForm const& form, CascadeShape const& shape, bool fetched, bool streamed)
      : m_problem(form.problem),
        m_shape(shape),
        m_slow(cascade_axis(form.problem)),
        m_ring(cascade_ring(form.problem, shape.step)),
        m_stride(strides()),
        m_first(rows(form, false, true, fetched, true)),
        m_between(rows(form, true, true, false, true)),
        m_last(rows(form, true, false, streamed, !streamed)) {
    m_problem.terms = {};
    for (std::size_t a = 0; a < 3; ++a) {
      std::int64_t const n = m_problem.end[a] - m_problem.begin[a];
      m_cut                = n > m_shape.tile[a];
      m_count[a]           = (n + m_shape.tile[a] - 1 + (a == 2 && m_cut ? line - 1 : 0)) / m_shape.tile[a];
      m_wraps[a]           = cascade_wraps(m_problem, a);
    }
  }

  std::int64_t tiles() const { return m_count[0] * m_count[1] * m_count[2]; }

  /// Elements of what a thread needs.
  std::size_t buffer_size() const { return static_cast<std::size_t>(m_stride[3] * m_shape.depth + line); }

  std::size_t bytes() const { return m_first.bytes() + m_between.bytes() + m_last.bytes(); }

  /// `depth` sweeps (2 or more) of a tile from in to out.
  void tile(T const* in, T* out, int depth, std::int64_t index, T* buffer) const {
    PointBox const own = tile_box(out, index);
    if (own.empty()) return;
    Level level[most_cascade_depth + 1]{};
    level[depth].box = own;
    bool outside     = false;
    for (int t = depth - 1; t >= 0; --t) {
      Level &now = level[t], &next = level[t + 1];
      for (std::size_t a = 0; a < 3; ++a) {
        now.read.begin[a] = next.box.begin[a] + m_problem.lower[a];
        now.read.end[a]   = next.box.end[a] + m_problem.upper[a];
        bool const all    = t == 0 || m_wraps[a];
        now.box.begin[a]  = all ? now.read.begin[a] : std::max(m_problem.begin[a], now.read.begin[a]);
        now.box.end[a]    = all ? now.read.end[a] : std::min(m_problem.end[a], now.read.end[a]);
        if (t == 0) outside = outside || now.read.begin[a] < 0 || now.read.end[a] > m_problem.extent[a];
      }
    }
    // Where the first sweep reads beyond the View, that comes from a buffer, too.
    Run run{in, out, depth, outside ? 0 : 1, buffer, {{0, 0, 0}}, {{0, 0, 0}}};
    for (int t = 0; t <= depth; ++t) level[t].done = level[t].box.begin[m_slow];
    // Buffers begin at the same place of a cache line as the rows of the tile that they lead to.
    for (std::size_t a = m_slow + 1; a < 3; ++a) run.origin[a] = own.begin[a] + depth * m_problem.lower[a];
    run.origin[2]        = own.begin[2] - (line - 1 - depth * m_problem.lower[2]) / line * line;
    auto const misplaced = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(buffer) / sizeof(T)) % line;
    if (misplaced != 0) run.buffer += line - misplaced;
    for (std::size_t a = m_slow; a < 3; ++a) run.shift[a] = shift(a);

    for (int t = 1; t < depth; ++t) lower_ghosts(run, level[t], t);
    while (level[depth].done < level[depth].box.end[m_slow]) {
      for (int t = run.first; t <= depth; ++t) advance(run, level, t);
    }
  }

 private:
  static constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));

  /// A sweep of a tile.
  struct Level {
    PointBox box;        ///< its points
    PointBox read;       ///< what the next sweep reads of it, ghosts included
    std::int64_t done;   ///< where it is on the slowest axis
    bool begun = false;  ///< the ghosts before its points are there
  };
  struct Run {
    T const* in;
    T* out;
    int depth;
    int first;  ///< the first sweep, or 0 if the input is copied before
    T* buffer;
    std::array<std::int64_t, 3> origin;  ///< of the buffers
    std::array<std::int64_t, 3> shift;   ///< added to all indices, so that none is negative
  };

  /// As far as a sweep can reach beyond the range.
  std::int64_t shift(std::size_t a) const {
    return (most_cascade_depth + 1) * std::max(-m_problem.lower[a], m_problem.upper[a]);
  }

  void advance(Run const& run, Level* level, int t) const {
    Level& now               = level[t];
    std::int64_t const first = now.done, last = now.box.end[m_slow];
    std::int64_t to = std::min(last, first + m_shape.step);
    if (t > run.first && level[t - 1].done < level[t - 1].box.end[m_slow]) {
      to = std::min(to, level[t - 1].done - m_problem.upper[m_slow]);
    }
    if (t < run.depth) {
      // What the next sweep still needs stays.
      std::int64_t const room = level[t + 1].done + m_problem.lower[m_slow] + m_ring;
      to                      = std::min(to, room);
      if (to == last && now.read.end[m_slow] > room) --to;
    }
    if (to <= first) return;
    now.done = to;
    if (t == 0) {
      fill(run, t, now.read, first, to);
      return;
    }
    PointBox box = now.box;
    for (std::size_t a = m_slow; a < 3; ++a) {
      box.begin[a] += run.shift[a];
      box.end[a] += run.shift[a];
    }
    box.begin[m_slow]    = first + run.shift[m_slow];
    box.end[m_slow]      = to + run.shift[m_slow];
    bool const from_view = t == 1 && run.first == 1, to_view = t == run.depth;
    T const* const from = from_view ? shifted(run, run.in, m_problem.in_stride) : level_origin(run, t - 1);
    T* const target     = to_view ? shifted(run, run.out, m_problem.out_stride) : level_origin(run, t);
    (to_view ? m_last : from_view ? m_first : m_between).tile(from, target, box);
    if (to_view) return;
    borders(run, now, t, first, to);
    lower_ghosts(run, now, t);
    if (to == last) fill(run, t, now.read, last, now.read.end[m_slow]);
  }

  /// What lies before the points of a sweep, as soon as that is known: a mirror shows points.
  void lower_ghosts(Run const& run, Level& now, int t) const {
    if (now.begun) return;
    std::int64_t const begin = now.box.begin[m_slow], ghosts = begin - now.read.begin[m_slow];
    BoundaryKind const kind = m_problem.faces[m_slow][0].kind;
    // Points of the View before the range stay as they are, whatever the rule.
    bool const rule          = now.read.begin[m_slow] < 0;
    std::int64_t const shown = !rule ? 0 : kind == BoundaryKind::mirror ? ghosts : kind == BoundaryKind::edge ? 1 : 0;
    if (now.done < std::min(begin + (ghosts > 0 ? shown : 0), now.box.end[m_slow])) return;
    now.begun = true;
    fill(run, t, now.read, now.read.begin[m_slow], begin);
  }

  /// What lies beyond the points on both sides of rows, and before and after those of a plane.
  void borders(Run const& run, Level const& now, int t, std::int64_t begin, std::int64_t end) const {
    PointBox rest = now.read;
    for (std::size_t a = m_slow + 1; a < 3; ++a) {
      PointBox part = rest;
      part.end[a]   = now.box.begin[a];
      fill(run, t, part, begin, end);
      part          = rest;
      part.begin[a] = now.box.end[a];
      fill(run, t, part, begin, end);
      rest.begin[a] = now.box.begin[a];
      rest.end[a]   = now.box.end[a];
    }
  }

  /// Fills a part of a buffer, from `begin` to `end` on the slowest axis, with what is no point of the sweep.
  void fill(Run const& run, int t, PointBox box, std::int64_t begin, std::int64_t end) const {
    box.begin[m_slow] = begin;
    box.end[m_slow]   = end;
    if (box.empty()) return;
    for (std::int64_t z = box.begin[0]; z < box.end[0]; ++z) {
      for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y) fill_row(run, t, z, y, box.begin[2], box.end[2]);
    }
  }

  /// Where an index leads: to itself where a sweep goes on beyond a periodic face.
  std::int64_t mapped(int t, std::size_t a, std::int64_t index, int& side) const {
    if (t > 0 && m_wraps[a]) return index;
    return Impl::map_index(index, m_problem.extent[a], m_problem.faces[a].data(), side);
  }
  /// Whether a sweep computes that index.
  bool computed(int t, std::size_t a, std::int64_t index) const {
    return t > 0 && (m_wraps[a] || (index >= m_problem.begin[a] && index < m_problem.end[a]));
  }
  std::int64_t in_view(std::size_t a, std::int64_t index) const {
    std::int64_t const n = m_problem.extent[a];
    return m_wraps[a] ? (index % n + n) % n : index;
  }

  void fill_row(Run const& run, int t, std::int64_t z, std::int64_t y, std::int64_t begin, std::int64_t end) const {
    T* const to             = level_row(run, t, z, y);
    int side[3]             = {0, 0, 0};
    std::int64_t const k[2] = {mapped(t, 0, z, side[0]), mapped(t, 1, y, side[1])};
    bool const inside       = (k[0] >= 0 || (t > 0 && m_wraps[0])) && (k[1] >= 0 || (t > 0 && m_wraps[1]));
    bool const points       = inside && computed(t, 0, k[0]) && computed(t, 1, k[1]);
    T const* const newest   = points ? level_row(run, t, k[0], k[1]) : nullptr;
    T const* const view =
        inside ? run.in + in_view(0, k[0]) * m_problem.in_stride[0] + in_view(1, k[1]) * m_problem.in_stride[1]
               : nullptr;
    for (std::int64_t x = begin; x < end;) {
      std::int64_t const at = mapped(t, 2, x, side[2]);
      bool const found      = at >= 0 || (t > 0 && m_wraps[2]);
      if (inside && found) {
        bool const point = points && computed(t, 2, at);
        // As long as neighbours lead to neighbours of the same kind.
        std::int64_t const real  = point ? at : in_view(2, at);
        std::int64_t const stop  = point ? (m_wraps[2] ? at + end - x : m_problem.end[2])
                                   : points && real < m_problem.begin[2] ? m_problem.begin[2]
                                                                         : m_problem.extent[2];
        std::int64_t const most  = std::min(end - x, stop - real);
        std::int64_t const count = at == x ? most : run_on(t, x, at, most);
        T const* const from      = (point ? newest : view) + real;
        std::copy(from, from + count, to + x);
        x += count;
        continue;
      }
      // The constant of the user's lowest axis.
      int axis           = -1;
      bool const here[3] = {!(k[0] >= 0 || (t > 0 && m_wraps[0])), !(k[1] >= 0 || (t > 0 && m_wraps[1])), !found};
      for (int a = 0; a < 3; ++a) {
        auto const u = static_cast<std::size_t>(a);
        if (here[a] && (axis < 0 || m_problem.user_axis[u] < m_problem.user_axis[static_cast<std::size_t>(axis)]))
          axis = a;
      }
      to[x++] = static_cast<T>(
          m_problem.faces[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side[axis])].constant);
    }
  }

  /// Points from x on, at most so many, that are read one after the other from `at` on.
  std::int64_t run_on(int t, std::int64_t x, std::int64_t at, std::int64_t most) const {
    std::int64_t count = 1;
    int side           = 0;
    while (count < most && mapped(t, 2, x + count, side) == at + count) ++count;
    return count;
  }

  /// A row of a buffer; the pointer is at x = 0.
  T* level_row(Run const& run, int t, std::int64_t z, std::int64_t y) const {
    T* const base = level_origin(run, t);
    z += run.shift[0];
    y += run.shift[1];
    return moved(base, (m_slow == 0 ? z % m_ring * m_stride[0] : 0) + (m_slow == 1 ? y % m_ring : y) * m_stride[1] +
                           run.shift[2]);
  }

  /// Where the point (0, 0, 0) of the shifted indices of a sweep would be.
  T* level_origin(Run const& run, int t) const {
    std::int64_t at = t * m_stride[3] - run.origin[2] - run.shift[2];
    if (m_slow == 0) at -= (run.origin[1] + run.shift[1]) * m_stride[1];
    return moved(run.buffer, at);
  }

  template <class P>
  P* shifted(Run const& run, P* p, std::array<std::int64_t, 3> const& stride) const {
    return moved(p, -(run.shift[0] * stride[0] + run.shift[1] * stride[1] + run.shift[2]));
  }

  /// p + elements, which may be no element of its array.
  template <class P>
  static P* moved(P* p, std::int64_t elements) {
    return reinterpret_cast<P*>(reinterpret_cast<std::intptr_t>(p) + elements * static_cast<std::int64_t>(sizeof(T)));
  }

  PointBox tile_box(T const* out, std::int64_t index) const {
    PointBox box{};
    T const* const start =
        out + m_problem.begin[0] * m_problem.out_stride[0] + m_problem.begin[1] * m_problem.out_stride[1];
    std::int64_t const behind =
        m_cut ? (static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(start) / sizeof(T)) + m_problem.begin[2]) %
                    line
              : 0;
    for (int k = 2; k >= 0; --k) {
      auto const a         = static_cast<std::size_t>(k);
      std::int64_t const i = index % m_count[a];
      index /= m_count[a];
      std::int64_t const at = m_problem.begin[a] + i * m_shape.tile[a] - (a == 2 ? behind : 0);
      box.begin[a]          = std::max(at, m_problem.begin[a]);
      box.end[a]            = std::min(at + m_shape.tile[a], m_problem.end[a]);
    }
    return box;
  }

  /// Of a buffer: from plane to plane, row to row, point to point, and sweep to sweep.
  std::array<std::int64_t, 4> strides() const {
    auto const odd   = [](std::int64_t lines) { return lines % 2 == 0 ? lines + 1 : lines; };
    auto const width = [&](std::size_t a) {
      return m_shape.tile[a] + m_shape.depth * (m_problem.upper[a] - m_problem.lower[a]);
    };
    std::int64_t const pitch = odd((width(2) + 2 * line - 1) / line) * line;
    if (m_slow == 1) return {0, pitch, 1, pitch * m_ring};
    return {pitch * width(1), pitch, 1, pitch * width(1) * m_ring};
  }

  /// Rows from the View or a buffer to the View or a buffer. All that they read is there.
  Generic::RowSweep<T> rows(Generic::HostForm form, bool in, bool out, bool from_memory, bool kept) const {
    Problem& p = form.problem;
    std::array<std::int64_t, 3> const stride{{m_stride[0], m_stride[1], 1}};
    Generic::Rings rings;
    int const stack = Generic::row_stack(p);
    if (in) p.in_stride = stride, rings.in[m_slow] = m_ring;
    if (out) p.out_stride = stride, rings.out[m_slow] = m_ring;
    for (std::size_t a = 0; a < 3; ++a) {
      p.faces[a] = {{Face::halo(), Face::halo()}};
      if (a < m_slow) continue;
      p.begin[a] = 0;
      p.extent[a] += 2 * shift(a);
      p.end[a] = p.extent[a];
    }
    return Generic::RowSweep<T>(form, stack, from_memory, kept, false, rings);
  }

  Problem m_problem;
  CascadeShape m_shape;
  std::size_t m_slow;
  std::int64_t m_ring;
  std::array<std::int64_t, 4> m_stride;
  Generic::RowSweep<T> m_first, m_between, m_last;
  std::array<std::int64_t, 3> m_count{};
  std::array<bool, 3> m_wraps{};
  bool m_cut = false;  ///< along rows
};

}  // namespace HostTemporal
}  // namespace KokkosStencil
