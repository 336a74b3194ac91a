// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "RowSweep.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Generic {

/// Updates by rows: sums of a part of a tile, which stays in the first cache, then v = alpha sum + beta v.
template <class T>
class RowUpdate {
 public:
  RowUpdate(HostForm const& form, int stack, bool from_memory)
      : m_part(part_of(form.problem)),
        m_out_stride(form.problem.out_stride),
        m_combine(row_kernels<T>(form.problem.accuracy == Accuracy::reproducible).combine),
        m_rows(on_part(form, m_part), stack, from_memory, true, form.problem.out_stride[2] != 1) {}

  void tile(T const* in, T* out, PointBox const& box, T alpha, T beta) const {
    alignas(64) T sums[values];
    PointBox part;
    for (std::int64_t z = box.begin[0]; z < box.end[0]; z += m_part[0]) {
      for (std::int64_t y = box.begin[1]; y < box.end[1]; y += m_part[1]) {
        for (std::int64_t x = box.begin[2]; x < box.end[2]; x += m_part[2]) {
          part.begin = {z, y, x};
          for (std::size_t a = 0; a < 3; ++a) part.end[a] = std::min(part.begin[a] + m_part[a], box.end[a]);
          // Counted from the first point of the View, which the part has no room for.
          std::int64_t const before = (z * m_part[1] + y) * m_part[2] + x;
          m_rows.tile(
              in, reinterpret_cast<T*>(reinterpret_cast<std::intptr_t>(sums) - before * std::int64_t(sizeof(T))), part);
          combine(sums, out, part, alpha, beta);
        }
      }
    }
  }

  std::size_t bytes() const { return m_rows.bytes(); }

 private:
  static constexpr int values = 32768 / int(sizeof(T));
  using Sizes                 = std::array<std::int64_t, 3>;

  static Sizes part_of(Problem const& p) {
    Sizes part{};
    part[2] = std::clamp<std::int64_t>(p.end[2] - p.begin[2], 1, values);
    part[0] = p.end[0] - p.begin[0] > 1 ? 2 : 1;
    if (part[0] * part[2] > values) part[0] = 1;
    part[1] = values / (part[0] * part[2]);
    return part;
  }
  static HostForm on_part(HostForm form, Sizes const& part) {
    form.problem.out_stride = {part[1] * part[2], part[2], 1};
    return form;
  }

  void combine(T const* sums, T* out, PointBox const& part, T alpha, T beta) const {
    std::int64_t const count = part.end[2] - part.begin[2], step = m_out_stride[2];
    for (std::int64_t z = part.begin[0]; z < part.end[0]; ++z) {
      for (std::int64_t y = part.begin[1]; y < part.end[1]; ++y) {
        T const* const from = sums + ((z - part.begin[0]) * m_part[1] + y - part.begin[1]) * m_part[2];
        T* const to         = out + z * m_out_stride[0] + y * m_out_stride[1] + part.begin[2] * step;
        if (beta != T(0)) {
          m_combine(alpha, from, beta, to, step, count);
        } else {
          for (std::int64_t x = 0; x < count; ++x) to[x * step] = alpha * from[x];
        }
      }
    }
  }

  Sizes m_part, m_out_stride;
  void (*m_combine)(T, T const*, T, T*, std::int64_t, std::int64_t);
  RowSweep<T> m_rows;
};

}  // namespace Generic
}  // namespace KokkosStencil
