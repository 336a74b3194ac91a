// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "HostForm.hpp"
#include "HostRows.hpp"
#include "HostTiling.hpp"
#include "PointSweep.hpp"

#include <KokkosStencil_Backend.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Generic {

/// Planes (axis 0) or rows (axis 1) of a buffer that holds so many of the newest ones, in turns; 0 on the axes and for
/// the fields that hold all.
struct Rings {
  std::array<std::int64_t, 2> in{{0, 0}}, out{{0, 0}};
};

/// Rows in float or double: the fast path, above all where their stride is 1.
template <class T>
class RowSweep {
 public:
  static constexpr int max_rows = 512;
  /// Bytes ahead of its use that a row is fetched at least: two pages, which the hardware's own prefetching
  /// does not look across.
  static constexpr std::int64_t least_ahead = 8192;
  /// Bytes of a row from which on its stores bypass the cache.
  static constexpr std::int64_t least_streamed = 512;
  /// Bytes of a row from which on the kernels made for a shape take several. Up to there rows have a kernel of their
  /// own.
  static constexpr std::int64_t least_made = 256;
  /// Planes of short rows in one call: their ends are computed behind them, while they are in the caches.
  static constexpr std::int64_t most_planes = 8;

  static bool fits(Problem const& p) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (p.lower[a] < -16000 || p.upper[a] > 16000) return false;
    }
    return make_ordered_schedule(p.terms).rows.size() <= std::size_t(max_rows);
  }

  /// From memory: what is read is not in a cache yet, and what is written need not be, unless it is `kept`. Strided:
  /// term by term, as a form asks for whose axes are turned, whatever the strides. With rings all windows must lie
  /// inside.
  RowSweep(HostForm const& form, int stack, bool from_memory, bool kept = false, bool strided = false,
           Rings const& rings = {})
      : m_problem(form.problem),
        m_rings(rings),
        m_ringed(rings.in[0] + rings.in[1] + rings.out[0] + rings.out[1] > 0),
        m_group(form.group),
        m_strided(strided || form.problem.in_stride[2] != 1 || form.problem.out_stride[2] != 1),
        m_stack(m_strided ? 1 : stack),
        m_inside(interior(form.problem)) {
    Problem const& p             = m_problem;
    RowKernels<T> const& kernels = row_kernels<T>(p.accuracy == Accuracy::reproducible);
    m_fence                      = kernels.fence;
    m_fused                      = kernels.fused;
    for (Term const& t : p.terms) m_coefficients.push_back(static_cast<T>(t.coefficient));
    // Rows outside a face with a constant are read from here. A mirror throws rows past the other face, so that a
    // stencil may get there without reaching that way.
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t side = 0; side < 2; ++side) {
        if (p.faces[a][side].kind == BoundaryKind::value && (p.lower[a] != 0 || p.upper[a] != 0)) {
          m_constant_row[a][side].assign(m_strided ? 1 : static_cast<std::size_t>(p.extent[2]),
                                         static_cast<T>(p.faces[a][side].constant));
        }
      }
    }
    if (m_strided) {
      m_pass[0].schedule = make_ordered_schedule(p.terms);
      m_pass[0].kernel   = kernels.strided;
      add_offsets(m_pass[0]);
      return;
    }
    for (int i = 0; i < 4; ++i) {
      if (i == 1 && m_pass[0].made) {
        // In space no branch between terms gains more than loads shared by rows; in planes, where more rows come from
        // memory at a time, it does not, unless registers are few.
        bool const in_space = p.upper[0] > p.lower[0];
        if (in_space || (kernels.registers <= few_registers && p.terms.size() < many_terms)) m_stack = 1;
      }
      int k         = i == 1 ? m_stack : i == 2 ? 2 : 1;
      Pass& pass    = m_pass[i];
      pass.planes   = i == 2;
      pass.schedule = make_row_schedule(p.terms, k, pass.planes);
      if (pass.schedule.rows.size() > std::size_t(max_rows)) {
        // Rows far apart, which a stack does not share.
        if (i == 1) m_stack = 1;
        k             = 1;
        pass.planes   = false;
        pass.schedule = make_row_schedule(p.terms, 1, false);
      }
      if (k == 1 || pass.planes) {
        auto const& segments = pass.schedule.segments;
        auto const count     = static_cast<int>(segments.size());
        pass.kernel = i == 3 ? kernels.brief(segments.data(), count) : kernels.shape(segments.data(), count, k);
      }
      pass.made = pass.kernel != nullptr;
      if (!pass.made) pass.kernel = kernels.stacked[k - 1];
      add_offsets(pass);
    }
    m_stream                 = from_memory && !kept && p.extent[2] * std::int64_t(sizeof(T)) >= least_streamed;
    std::int64_t const pitch = std::max<std::int64_t>(1, p.in_stride[1] * std::int64_t(sizeof(T)));
    for (Pass& pass : m_pass) {
      pass.ahead = (pass.planes ? 1 : pass.schedule.stack) * pitch;
      if (pass.ahead < least_ahead) pass.ahead *= (least_ahead + pass.ahead - 1) / pass.ahead;
      for (Row const& r : pass.schedule.rows) {
        if (from_memory && (pass.planes || r.dz == pass.schedule.rows.back().dz)) {
          if (rings.in[0] + rings.in[1] == 0) pass.fetch = std::min(pass.fetch + 1, pass.schedule.stack);
        }
      }
    }
    m_pairs = m_pass[2].planes && m_pass[2].made && pairs_pay(from_memory, kernels.registers);
  }

  void tile(T const* in, T* out, PointBox const& whole) const {
    PointBox box       = whole;
    bool const margins = m_pass[3].made;
    if (margins) {
      box.begin[2] = std::clamp(m_inside.begin[2], whole.begin[2], whole.end[2]);
      box.end[2]   = std::clamp(m_inside.end[2], box.begin[2], whole.end[2]);
    }
    bool const short_rows = brief(box);
    std::int64_t const lo = std::clamp(m_inside.begin[1], box.begin[1], box.end[1]);
    std::int64_t const hi = std::clamp(m_inside.end[1], lo, box.end[1]);
    for (std::int64_t z = box.begin[0], done = z; z < box.end[0]; done = z) {
      std::int64_t const inside = z < m_inside.begin[0] ? 0 : std::min(m_inside.end[0], box.end[0]) - z;
      // In one call: rows of two planes as they are computed together, or short rows of several.
      std::int64_t planes = 1;
      if (short_rows && !m_ringed) planes = std::clamp<std::int64_t>(inside, 1, most_planes);
      if (m_pairs && !short_rows && inside >= 2) planes = 2;
      z += planes;
      if (box.begin[2] == box.end[2]) {
        // Nothing but ends of rows.
      } else if (planes > 1) {
        for (std::int64_t at = done; at < z; ++at) {
          plane(in, out, at, box.begin[1], lo, box);  // rows whose windows reach outside
          plane(in, out, at, hi, box.end[1], box);
        }
        Pass const& pass = m_pass[short_rows ? 3 : 2];
        for (std::int64_t y = lo; y < hi;) y += rows<false>(pass, in, out, done, y, hi, box, short_rows ? planes : 1);
      } else {
        plane(in, out, done, box.begin[1], box.end[1], box);
      }
      for (; margins && done < z; ++done) {
        if (whole.begin[2] < box.begin[2]) margin(in, out, done, whole, whole.begin[2], box.begin[2]);
        if (box.end[2] < whole.end[2]) margin(in, out, done, whole, box.end[2], whole.end[2]);
      }
    }
    if (m_stream) m_fence();
  }

  std::size_t bytes() const {
    std::size_t all = m_problem.terms.size() * sizeof(Term) + m_coefficients.size() * sizeof(T);
    for (Pass const& pass : m_pass) {
      all += pass.schedule.rows.size() * (sizeof(Row) + sizeof(std::int64_t)) +
             pass.schedule.segments.size() * sizeof(Segment);
    }
    for (auto const& axis : m_constant_row) {
      for (auto const& row : axis) all += row.size() * sizeof(T);
    }
    return all;
  }

 private:
  struct Pass {
    RowSchedule schedule;
    bool planes = false;                     ///< the rows of a stack are of as many planes
    bool made   = false;                     ///< the kernel is made for the shape
    std::vector<std::int64_t> offset;        ///< of each input row from the first output row
    std::vector<std::pair<int, int>> reach;  ///< the first and the last column that is read of each input row
    RowFunction<T> kernel = nullptr;
    int fetch             = 0;  ///< the last so many rows come from memory, the others were read before
    std::int64_t ahead    = 0;  ///< bytes to the rows that are computed next, which are fetched meanwhile
  };

  /// Whether two planes are computed together, a row of each at a time, where that has a kernel.
  bool pairs_pay(bool from_memory, int registers) const {
    std::int64_t const apart = m_problem.out_stride[0] * std::int64_t(sizeof(T));
    // To be streamed, the rows of both planes must begin at the same place of a cache line.
    if (m_stream && apart % line_bytes != 0) return false;
    if (registers > few_registers || !from_memory) return true;
    // By measurement (docs/experiments/2026-11-30-hosts-with-avx2.md): not for streaming stores to two places that
    // differ in no bit below the page, nor for more than nine input rows.
    return (!m_stream || apart % page_bytes != 0) && m_pass[0].schedule.rows.size() <= 9;
  }

  void add_offsets(Pass& pass) const {
    for (Row const& r : pass.schedule.rows) {
      pass.offset.push_back(r.dz * m_problem.in_stride[0] + r.dy * m_problem.in_stride[1]);
    }
    for (Segment const& s : pass.schedule.segments) {
      int const last = s.first + s.length - 1;
      if (static_cast<std::size_t>(s.row) == pass.reach.size()) pass.reach.emplace_back(s.first, last);
      pass.reach[static_cast<std::size_t>(s.row)].second = last;
    }
  }

  /// Rows [y, end) of a plane.
  void plane(T const* in, T* out, std::int64_t z, std::int64_t y, std::int64_t end, PointBox const& box) const {
    if (m_strided) {
      while (y < end) y += rows<true>(m_pass[0], in, out, z, y, end, box);
    } else {
      bool const short_rows = brief(box);
      while (y < end) y += rows<false>(m_pass[short_rows ? 3 : y + m_stack <= end ? 1 : 0], in, out, z, y, end, box);
    }
  }

  /// Whether the rows of a tile take the kernel for short ones.
  bool brief(PointBox const& box) const {
    std::int64_t const lo = std::max(m_inside.begin[2], box.begin[2]), hi = std::min(m_inside.end[2], box.end[2]);
    return m_pass[3].made && (hi - lo) * std::int64_t(sizeof(T)) <= least_made;
  }

  /// A stack of rows, or as many stacks one below the other as go in one call; returns how far down that is.
  template <bool Strided>
  std::int64_t rows(Pass const& pass, T const* in, T* out, std::int64_t z, std::int64_t y, std::int64_t end,
                    PointBox const& box, std::int64_t planes = 1) const {
    T const* row[max_rows];
    signed char constant_axis[max_rows];  // axis whose constant the row holds, or -1
    std::int64_t steps[Strided ? max_rows : 1];
    T* target[max_stack];
    int const stack           = pass.schedule.stack;
    std::int64_t const height = pass.planes ? 1 : stack;
    auto const count          = static_cast<int>(pass.schedule.rows.size());
    bool const straight =
        z >= m_inside.begin[0] && z < m_inside.end[0] && y >= m_inside.begin[1] && y + height <= m_inside.end[1];
    std::int64_t const lo = std::clamp(m_inside.begin[2], box.begin[2], box.end[2]);
    std::int64_t const hi = std::clamp(m_inside.end[2], lo, box.end[2]);
    // Rows point at x = lo, where the row kernel starts.
    std::int64_t const in_step  = Strided ? m_problem.in_stride[2] : 1;
    std::int64_t const out_step = Strided ? m_problem.out_stride[2] : 1;
    if (m_ringed) {
      for (int r = 0; r < count; ++r) {
        Row const& d = pass.schedule.rows[static_cast<std::size_t>(r)];
        row[r]       = in + place(m_rings.in, m_problem.in_stride, z + d.dz, y + d.dy) + lo * in_step;
      }
    } else if (straight) {
      T const* const base             = in + z * m_problem.in_stride[0] + y * m_problem.in_stride[1] + lo * in_step;
      std::int64_t const* const apart = pass.offset.data();
      for (int r = 0; r < count; ++r) row[r] = base + apart[r];
    } else {
      for (int r = 0; r < count; ++r) {
        Row const& d = pass.schedule.rows[static_cast<std::size_t>(r)];
        row[r]       = mapped_row(in, z + d.dz, y + d.dy, constant_axis[r]);
        row[r] += Strided && constant_axis[r] >= 0 ? 0 : lo * in_step;
      }
    }
    if (Strided) {
      for (int r = 0; r < count; ++r) steps[r] = straight || constant_axis[r] < 0 ? in_step : 0;
    }
    for (int j = 0; j < stack; ++j) {
      target[j] = out + place(m_rings.out, m_problem.out_stride, z + (pass.planes ? j : 0), y + (pass.planes ? 0 : j)) +
                  lo * out_step;
    }
    std::int64_t lines = 1;
    if (pass.made && straight && lo == box.begin[2] && hi == box.end[2] &&
        (&pass == &m_pass[3] || (hi - lo) * std::int64_t(sizeof(T)) >= least_made)) {
      lines = std::min(end, m_inside.end[1]) - y;
      if (m_ringed) lines = std::min(lines, until_turn(pass, y));
    }
    if (lo < hi) {
      RowWork<T> work{target,
                      row,
                      row + count - pass.fetch,
                      pass.fetch,
                      pass.ahead,
                      pass.schedule.segments.data(),
                      static_cast<int>(pass.schedule.segments.size()),
                      m_coefficients.data(),
                      m_stream};
      work.out_ahead = 2 * height * m_problem.out_stride[1];
      work.lines     = lines;
      work.in_pitch  = m_problem.in_stride[1];
      work.out_pitch = m_problem.out_stride[1];
      work.steps     = steps;
      work.out_step  = out_step;
      work.planes    = planes;
      work.in_plane  = m_problem.in_stride[0];
      work.out_plane = m_problem.out_stride[0];
      pass.kernel(work, hi - lo);
    }
    signed char const* const constants = straight ? nullptr : constant_axis;
    for (std::int64_t x = box.begin[2]; x < lo; ++x) ends<Strided>(pass, target, row, constants, x, lo);
    for (std::int64_t x = hi; x < box.end[2]; ++x) ends<Strided>(pass, target, row, constants, x, lo);
    return lines * height;
  }

  /// Where a row lies.
  static std::int64_t place(std::array<std::int64_t, 2> const& ring, std::array<std::int64_t, 3> const& stride,
                            std::int64_t z, std::int64_t y) {
    return (ring[0] > 0 ? z % ring[0] : z) * stride[0] + (ring[1] > 0 ? y % ring[1] : y) * stride[1];
  }

  /// Rows from y on before any ring starts anew.
  std::int64_t until_turn(Pass const& pass, std::int64_t y) const {
    std::int64_t lines = std::numeric_limits<std::int64_t>::max();
    if (m_rings.out[1] > 0) lines = m_rings.out[1] - y % m_rings.out[1];
    if (m_rings.in[1] > 0) {
      for (Row const& r : pass.schedule.rows) lines = std::min(lines, m_rings.in[1] - (y + r.dy) % m_rings.in[1]);
    }
    return lines;
  }

  /// The row that is read at (z, y), which may lie outside.
  T const* mapped_row(T const* in, std::int64_t z, std::int64_t y, signed char& constant_axis) const {
    int side[2]             = {0, 0};
    std::int64_t const k[2] = {Impl::map_index(z, m_problem.extent[0], m_problem.faces[0].data(), side[0]),
                               Impl::map_index(y, m_problem.extent[1], m_problem.faces[1].data(), side[1])};
    constant_axis           = -1;
    for (int a = 0; a < 2; ++a) {
      auto const u = static_cast<std::size_t>(a);
      if (k[a] < 0 && (constant_axis < 0 || m_problem.user_axis[u] < m_problem.user_axis[0])) {
        constant_axis = static_cast<signed char>(a);
      }
    }
    if (constant_axis < 0) return in + k[0] * m_problem.in_stride[0] + k[1] * m_problem.in_stride[1];
    return m_constant_row[static_cast<std::size_t>(constant_axis)][static_cast<std::size_t>(side[constant_axis])]
        .data();
  }

  /// A point whose window reaches past the ends of the rows, which point at x = lo.
  template <bool Strided>
  void ends(Pass const& pass, T* const* target, T const* const* row, signed char const* constant_axis, std::int64_t x,
            std::int64_t lo) const {
    std::int64_t const extent = m_problem.extent[2], in_step = Strided ? m_problem.in_stride[2] : 1;
    std::int64_t const out_step = Strided ? m_problem.out_stride[2] : 1;
    for (int j = 0; j < pass.schedule.stack; ++j) {
      T acc = -T(0);
      for (Segment const& s : pass.schedule.segments) {
        if (!(s.mask >> j & 1u)) continue;
        int const fixed = constant_axis == nullptr ? -1 : constant_axis[s.row];
        for (int i = 0; i < s.length; ++i) {
          std::int64_t at = x + s.first + i;
          T value;
          int side = 0;
          if (at < 0 || at >= extent) at = mapped_point(at, side);
          if (at >= 0) {
            value = row[s.row][Strided && fixed >= 0 ? 0 : (at - lo) * in_step];
          } else if (fixed >= 0 && m_problem.user_axis[static_cast<std::size_t>(fixed)] < m_problem.user_axis[2]) {
            value = row[s.row][Strided ? 0 : -lo];
          } else {
            value = static_cast<T>(m_problem.faces[2][static_cast<std::size_t>(side)].constant);
          }
          // As the kernel that does the rest of the row, or another way to cut rows would give other bits.
          T const coefficient = m_coefficients[static_cast<std::size_t>(s.coefficient[j] + i)];
          acc                 = m_fused ? PointSweep<T>::fused(coefficient, value, acc) : coefficient * value + acc;
        }
      }
      target[j][(x - lo) * out_step] = acc;
    }
  }

  /// Points [from, to) of the rows of a plane of a tile, whose windows reach past the ends of the rows. What they read
  /// is copied, with what the rules give, so that the kernel for short rows runs along the copies.
  void margin(T const* in, T* out, std::int64_t z, PointBox const& box, std::int64_t from, std::int64_t to) const {
    constexpr std::int64_t most_copied = 2048, most_columns = 256;
    Pass const& pass = m_pass[3];
    T copies[most_copied];
    T const* row[max_rows];
    std::int64_t column[most_columns];  // where it is read, or -1 - side
    auto const count = pass.schedule.rows.size();
    for (std::int64_t width; from < to; from += width) {
      width               = std::min<std::int64_t>(to - from, 16);
      std::int64_t copied = 0;
      for (std::size_t r = 0; r < count; ++r) {
        row[r] = copies + copied - pass.reach[r].first;
        copied += width + pass.reach[r].second - pass.reach[r].first;
      }
      std::int64_t const columns = width + m_problem.upper[2] - m_problem.lower[2];
      if (copied > most_copied || columns > most_columns) {
        point_by_point(in, out, z, box, from, from + width);
        continue;
      }
      for (std::int64_t c = 0; c < columns; ++c) {
        std::int64_t const x = from + m_problem.lower[2] + c;
        int side             = 0;
        column[c]            = x < 0 || x >= m_problem.extent[2] ? mapped_point(x, side) : x;
        if (column[c] < 0) column[c] = -1 - side;
      }
      std::int64_t lines = 1;
      for (std::int64_t y = box.begin[1]; y < box.end[1]; y += lines) {
        bool const straight =
            z >= m_inside.begin[0] && z < m_inside.end[0] && y >= m_inside.begin[1] && y < m_inside.end[1];
        lines      = straight ? std::min(most_copied / copied, std::min(box.end[1], m_inside.end[1]) - y) : 1;
        T* to_copy = copies;
        for (std::int64_t line = 0; line < lines; ++line) {
          T const* const base = in + z * m_problem.in_stride[0] + (y + line) * m_problem.in_stride[1];
          for (std::size_t r = 0; r < count; ++r) {
            Row const& d      = pass.schedule.rows[r];
            signed char fixed = -1;
            T const* const at = straight ? base + pass.offset[r] : mapped_row(in, z + d.dz, y + d.dy, fixed);
            bool const counts =
                fixed >= 0 && m_problem.user_axis[static_cast<std::size_t>(fixed)] < m_problem.user_axis[2];
            std::int64_t const first = pass.reach[r].first - m_problem.lower[2];
            std::int64_t const last  = pass.reach[r].second - m_problem.lower[2] + width;
            for (std::int64_t c = first; c < last; ++c) {
              std::int64_t const x = column[c];
              *to_copy++           = x >= 0   ? at[x]
                                     : counts ? at[0]
                                              : static_cast<T>(m_problem.faces[2][static_cast<std::size_t>(-1 - x)].constant);
            }
          }
        }
        T* target = out + z * m_problem.out_stride[0] + y * m_problem.out_stride[1] + from;
        RowWork<T> work{&target,
                        row,
                        nullptr,
                        0,
                        0,
                        pass.schedule.segments.data(),
                        static_cast<int>(pass.schedule.segments.size()),
                        m_coefficients.data(),
                        false};
        work.lines     = lines;
        work.in_pitch  = copied;
        work.out_pitch = m_problem.out_stride[1];
        pass.kernel(work, width);
      }
    }
  }

  /// The same where the copies would be large.
  void point_by_point(T const* in, T* out, std::int64_t z, PointBox const& box, std::int64_t from,
                      std::int64_t to) const {
    Pass const& pass = m_pass[3];
    T const* row[max_rows];
    signed char constant_axis[max_rows];
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y) {
      for (std::size_t r = 0; r < pass.schedule.rows.size(); ++r) {
        Row const& d = pass.schedule.rows[r];
        row[r]       = mapped_row(in, z + d.dz, y + d.dy, constant_axis[r]);
      }
      T* target = out + z * m_problem.out_stride[0] + y * m_problem.out_stride[1];
      for (std::int64_t x = from; x < to; ++x) ends<false>(pass, &target, row, constant_axis, x, 0);
    }
  }

  /// The point of a row that is read at x, which lies outside, or -1.
  std::int64_t mapped_point(std::int64_t x, int& side) const {
    Face const* const faces = m_problem.faces[2].data();
    if (m_group == 1) return Impl::map_index(x, m_problem.extent[2], faces, side);
    std::int64_t const within = (x % m_group + m_group) % m_group;
    std::int64_t const at     = Impl::map_index((x - within) / m_group, m_problem.extent[2] / m_group, faces, side);
    return at < 0 ? at : at * m_group + within;
  }

  Problem m_problem;
  Rings m_rings;
  bool m_ringed;
  std::int64_t m_group;
  bool m_strided;       ///< points of rows are not neighbours in memory
  bool m_fused = true;  ///< products and sums are rounded once
  int m_stack;
  PointBox m_inside;
  bool m_stream = false;
  bool m_pairs  = false;  ///< two planes at once
  void (*m_fence)();
  Pass m_pass[4];  // single rows, stacks of rows, rows of two planes, short rows
  std::vector<T> m_coefficients;
  std::vector<T> m_constant_row[2][2];
};

}  // namespace Generic
}  // namespace KokkosStencil
