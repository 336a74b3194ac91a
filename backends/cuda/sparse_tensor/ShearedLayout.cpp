// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_tensor/ShearedLayout.hpp"

#include "common/Alignment.hpp"
#include "sparse_tensor/Tuning.hpp"

#include <transform/Rows.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

constexpr std::int64_t vector = Transform::vector_elements, lead = Transform::window_lead;

/// How far the farthest term reads aside of its output; too far for a window: -1.
std::int64_t aside(Problem const& p, std::int64_t row, std::int64_t plane) {
  std::int64_t most = 0;
  for (Term const& t : p.terms) {
    std::int64_t const x = t.offset[2] + t.offset[1] * (p.in_stride[1] - row) + t.offset[0] * (p.in_stride[0] - plane);
    if (x < -lead || x >= lead) return -1;
    most = std::max(most, std::abs(x));
  }
  return most;
}

}  // namespace

std::int64_t ShearedLayout::strips() const { return divide_up(row, warp_outputs); }

std::int64_t ShearedLayout::rows(Problem const& p, PointBox const& box, std::int64_t planes) const {
  // Tiles begin with a line of memory. The View's planes begin a little earlier or later in each of these.
  std::int64_t const pitch = p.in_stride[1], drift = std::abs(p.in_stride[0] - plane) * (planes - 1);
  std::int64_t const elements = (box.end[1] - box.begin[1] - 1) * pitch + box.end[2] - box.begin[2];
  return divide_up(elements + sheared_line - 1 + drift, row);
}

std::vector<Term> ShearedLayout::terms(Problem const& p) const {
  std::vector<Term> all = p.terms;
  for (Term& t : all) {
    t.offset[2] += static_cast<int>(t.offset[1] * (p.in_stride[1] - row) + t.offset[0] * (p.in_stride[0] - plane));
  }
  return all;
}

ShearedLayout sheared_layout(Problem const& p) {
  ShearedLayout best;
  std::int64_t const pitch = p.in_stride[1], a_plane = p.in_stride[0];
  // Views are read and written by the same layout, which sweeps to and fro keep.
  if (p.in_stride != p.out_stride || p.in_stride[2] != 1 || (p.in_phase - p.out_phase) % vector != 0) return best;
  // Columns and elements of a plane are counted in 32 bits, and so are vectors of the View.
  if (pitch < sheared_least_pitch || a_plane < p.extent[1] * pitch ||
      a_plane > std::numeric_limits<std::int32_t>::max() / 2 ||
      (p.extent[0] + 2) * (a_plane / vector + 1) > std::numeric_limits<std::int32_t>::max()) {
    return best;
  }
  std::int64_t best_aside = 0;
  for (std::int64_t const row : {aligned_down(pitch, 0, vector), aligned_up(pitch, 0, vector)}) {
    for (std::int64_t const plane : {aligned_down(a_plane, 0, vector), aligned_up(a_plane, 0, vector)}) {
      ShearedLayout const it{row, plane};
      std::int64_t const far = aside(p, row, plane);
      if (far < 0) continue;
      if (best && it.strips() > best.strips()) continue;
      if (best && it.strips() == best.strips() && far >= best_aside) continue;
      best       = it;
      best_aside = far;
    }
  }
  return best;
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
