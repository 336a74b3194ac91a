// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/RowSchedule.hpp>

#include <algorithm>
#include <map>

namespace KokkosStencil {
namespace Transform {

RowSchedule make_row_schedule(std::vector<Term> const& terms, int stack, bool planes) {
  // Index of each term by (z and y of the input row relative to the stack, dx, output row).
  std::map<std::array<int, 2>, std::map<int, std::array<int, max_stack>>> rows;
  std::array<int, max_stack> none{};
  none.fill(-1);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    auto const& o = terms[k].offset;
    for (int j = 0; j < stack; ++j) {
      auto& columns                           = rows[{o[0] + (planes ? j : 0), o[1] + (planes ? 0 : j)}];
      auto const at                           = columns.emplace(o[2], none).first;
      at->second[static_cast<std::size_t>(j)] = static_cast<int>(k);
    }
  }
  RowSchedule schedule;
  schedule.stack = stack;
  for (auto const& row : rows) {
    auto const index = static_cast<std::int32_t>(schedule.rows.size());
    schedule.rows.push_back({row.first[0], row.first[1]});
    int last = 0;
    bool any = false;
    for (auto const& column : row.second) {
      std::uint32_t mask = 0;
      for (int j = 0; j < stack; ++j) mask |= column.second[static_cast<std::size_t>(j)] >= 0 ? 1u << j : 0u;
      // Terms are sorted, so a run of offsets is a run of coefficients too.
      if (any && column.first == last + 1 && schedule.segments.back().mask == mask) {
        ++schedule.segments.back().length;
      } else {
        Segment s{};
        s.row    = index;
        s.first  = static_cast<std::int16_t>(column.first);
        s.length = 1;
        s.mask   = mask;
        std::copy(column.second.begin(), column.second.end(), s.coefficient);
        schedule.segments.push_back(s);
      }
      any  = true;
      last = column.first;
    }
  }
  return schedule;
}

RowSchedule make_ordered_schedule(std::vector<Term> const& terms) {
  std::map<std::array<int, 2>, std::int32_t> indices;
  RowSchedule schedule;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    auto const& o     = terms[k].offset;
    auto const result = indices.emplace(std::array<int, 2>{{o[0], o[1]}}, static_cast<std::int32_t>(indices.size()));
    std::int32_t const row = result.first->second;
    if (result.second) schedule.rows.push_back({o[0], o[1]});
    if (!schedule.segments.empty()) {
      Segment& last = schedule.segments.back();
      if (last.row == row && last.first + last.length == o[2]) {
        ++last.length;
        continue;
      }
    }
    Segment s{};
    s.row            = row;
    s.first          = static_cast<std::int16_t>(o[2]);
    s.length         = 1;
    s.mask           = 1;
    s.coefficient[0] = static_cast<std::int32_t>(k);
    schedule.segments.push_back(s);
  }
  return schedule;
}

}  // namespace Transform
}  // namespace KokkosStencil
