// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostForm.hpp"

#include "HostRows.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace KokkosStencil {
namespace Generic {

namespace {

/// Shorter rows are joined where they can be: from there on a row costs no more than its points.
constexpr std::int64_t short_row = 256;
/// Fewer points between the ends of a row are not worth a row: of any stencil, and of one that the kernel for short
/// rows takes.
constexpr std::int64_t least_inside = 16, least_brief = 3;
/// Offsets that the schedules of rows hold.
constexpr std::int64_t farthest = 16000;

bool unit_stride(Problem const& p) { return p.in_stride[2] == 1 && p.out_stride[2] == 1; }

/// Whether axis 2 follows on itself along axis 1, and each of its points only reads points like it.
bool joinable(Problem const& p) {
  std::int64_t const n = p.extent[2];
  return unit_stride(p) && p.extent[1] > 1 && p.lower[2] == 0 && p.upper[2] == 0 && p.in_stride[1] == n &&
         p.out_stride[1] == n && p.begin[2] == 0 && p.end[2] == n && n < short_row && -p.lower[1] * n <= farthest &&
         p.upper[1] * n <= farthest;
}

/// Axes 1 and 2 become axis 2, axis 0 becomes axis 1.
HostForm joined(Problem const& p) {
  HostForm form{p, p.extent[2]};
  Problem& q           = form.problem;
  std::int64_t const n = p.extent[2];
  auto const slow      = [](auto& array) { array[1] = array[0]; };
  slow(q.extent);
  slow(q.begin);
  slow(q.end);
  slow(q.in_stride);
  slow(q.out_stride);
  slow(q.lower);
  slow(q.upper);
  slow(q.faces);
  slow(q.borrowed);
  slow(q.used_up);
  slow(q.user_axis);
  q.extent[0] = q.end[0] = 1;
  q.begin[0] = q.lower[0] = q.upper[0] = 0;
  q.extent[2]                          = p.extent[1] * n;
  q.begin[2]                           = p.begin[1] * n;
  q.end[2]                             = p.end[1] * n;
  q.lower[2]                           = p.lower[1] * static_cast<int>(n);
  q.upper[2]                           = p.upper[1] * static_cast<int>(n);
  q.faces[2]                           = p.faces[1];
  q.borrowed[0]                        = {{0, 0}};
  q.borrowed[2]                        = {{p.borrowed[1][0] * n, p.borrowed[1][1] * n}};
  q.used_up[0]                         = {{false, false}};
  q.used_up[2]                         = p.used_up[1];
  q.user_axis[0]                       = p.user_axis[2];
  q.user_axis[2]                       = p.user_axis[1];
  q.rank                               = p.rank - 1;
  for (Term& t : q.terms) t.offset = {{0, t.offset[0], t.offset[1] * static_cast<int>(n)}};
  return form;
}

}  // namespace

HostForm host_form(Problem const& p) {
  if (joinable(p)) return joined(p);
  HostForm form{p, 1};
  bool const brief = unit_stride(p) && p.terms.size() <= std::size_t(most_listed);
  if (p.extent[2] + p.lower[2] - p.upper[2] >= (brief ? least_brief : least_inside)) return form;
  // The next axis that makes rows of some length.
  std::size_t const other = p.extent[1] >= 32 || p.extent[1] >= p.extent[0] ? 1 : 0;
  if (p.extent[other] <= p.extent[2]) return form;
  Problem& q      = form.problem;
  auto const turn = [&](auto& array) { std::swap(array[other], array[2]); };
  turn(q.extent);
  turn(q.begin);
  turn(q.end);
  turn(q.in_stride);
  turn(q.out_stride);
  turn(q.lower);
  turn(q.upper);
  turn(q.faces);
  turn(q.borrowed);
  turn(q.used_up);
  turn(q.user_axis);
  for (Term& t : q.terms) turn(t.offset);
  return form;
}

}  // namespace Generic
}  // namespace KokkosStencil
