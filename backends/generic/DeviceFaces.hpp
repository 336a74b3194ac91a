// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "DevicePlan.hpp"
#include "PointSweep.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

// Points near faces of large grids, apart from the others, which then branch nowhere. Rows near the faces of the slow
// axes: a thread has several columns and finds where a term's row lies once for all of them. Ends of rows: a point a
// thread.

namespace KokkosStencil {
namespace Generic {

template <class T, class Member>
struct DeviceFacesSweep {
  using A = Accumulator<T>;

  PointSweep<T> point;
  DeviceFaces faces;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const team = static_cast<std::uint32_t>(member.league_rank());
    int b           = 0;
    while (b + 1 < faces.count && team >= faces.boxes[b + 1].first_team) ++b;
    DeviceFaces::Box const& box = faces.boxes[b];
    if (box.rows == 0) return;
    auto const item =
        (team - box.first_team) * std::uint32_t(DeviceTiling::team) + static_cast<std::uint32_t>(member.team_rank());
    auto const ny = static_cast<std::uint32_t>(box.size[1]);
    if (box.parts == 0) {
      auto const nx           = static_cast<std::uint32_t>(box.size[2]);
      std::uint32_t const row = item / nx;
      if (row < box.rows) {
        point.template at<together>(box.begin[0] + row / ny, box.begin[1] + row % ny, box.begin[2] + item % nx);
      }
      return;
    }
    // The threads of a team have the same columns of adjacent rows, which read from each other's.
    std::uint32_t const group = item / DeviceFaces::lanes, row = group % box.rows, part = group / box.rows;
    if (part < box.parts) {
      columns(box.begin[0] + row / ny, box.begin[1] + row % ny,
              box.begin[2] + std::int64_t(part) * DeviceFaces::part + item % DeviceFaces::lanes,
              box.begin[2] + box.size[2] - 1);
    }
  }

 private:
  static constexpr int together = 4, some = sizeof(A) == 8 ? 2 : 4;

  /// Every lanes-th column from x on up to `last`, all of whose windows lie inside along x.
  KOKKOS_FORCEINLINE_FUNCTION void columns(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t last) const {
    constexpr int count     = DeviceFaces::columns;
    std::int64_t const i[2] = {z, y};
    // Columns past the last one read it once more.
    std::int64_t at[count];
    for (int c = 0; c < count; ++c) {
      std::int64_t const column = x + c * DeviceFaces::lanes;
      at[c]                     = (column < last ? column : last) * point.in_stride[2];
    }
    A acc[count];
    for (int c = 0; c < count; ++c) acc[c] = -A(0);
    // Terms are sorted by rows.
    std::int32_t dz = 0, dy = 0;
    T const* row = nullptr;
    A constant   = A(0);
    for (int first = 0; first < point.term_count; first += some) {
      A value[some][count];
      for (int n = 0; n < some; ++n) {
        if (first + n >= point.term_count) continue;
        PointTerm<A> const& term = point.terms[first + n];
        if (first + n == 0 || term.offset[0] != dz || term.offset[1] != dy) {
          dz = term.offset[0];
          dy = term.offset[1];
          find_row(i, dz, dy, row, constant);
        }
        for (int c = 0; c < count; ++c) {
          value[n][c] = row != nullptr ? static_cast<A>(row[at[c] + term.offset[2] * point.in_stride[2]]) : constant;
        }
      }
      for (int n = 0; n < some; ++n) {
        if (first + n >= point.term_count) continue;
        A const coefficient = point.terms[first + n].coefficient;
        for (int c = 0; c < count; ++c) acc[c] = PointSweep<T>::fused(coefficient, value[n][c], acc[c]);
      }
    }
    T* const out = point.out + z * point.out_stride[0] + y * point.out_stride[1];
    for (int c = 0; c < count; ++c) {
      std::int64_t const column = x + c * DeviceFaces::lanes;
      if (column <= last) point.put(out[column * point.out_stride[2]], acc[c]);
    }
  }

  /// The row that a term reads: its column 0, or null and the constant past a face.
  KOKKOS_FORCEINLINE_FUNCTION void find_row(std::int64_t const (&i)[2], std::int32_t dz, std::int32_t dy, T const*& row,
                                            A& constant) const {
    std::int32_t const offset[2] = {dz, dy};
    std::int64_t at              = 0;
    int axis = -1, face = 0;
    for (int a = 0; a < 2; ++a) {
      int side             = 0;
      std::int64_t const k = Impl::map_index(i[a] + offset[a], point.extent[a], point.faces[a], side);
      if (k >= 0) {
        at += k * point.in_stride[a];
      } else if (axis < 0 || point.user_axis[a] < point.user_axis[axis]) {
        axis = a;
        face = side;
      }
    }
    row = axis < 0 ? point.in + at : nullptr;
    if (axis >= 0) constant = static_cast<A>(static_cast<T>(static_cast<A>(point.faces[axis][face].constant)));
  }
};

}  // namespace Generic
}  // namespace KokkosStencil
