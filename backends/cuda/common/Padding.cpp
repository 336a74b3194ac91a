// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/Padding.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"

#include <model/Estimate.hpp>

#include <algorithm>
#include <limits>

namespace KokkosStencil {
namespace Cuda {

namespace {

constexpr std::int64_t vector_bytes = 16, line_bytes = 128;

std::int64_t row_elements(Problem const& p) {
  std::int64_t const line = line_bytes / size_of(p.value_type);
  return divide_up(p.extent[2], line) * line;
}

double least_seconds(std::vector<Estimate> const& estimates) {
  double least = std::numeric_limits<double>::infinity();
  for (Estimate const& e : estimates) least = std::min(least, e.seconds);
  return least;
}

}  // namespace

bool aligned_pitch(Problem const& p) {
  std::int64_t const vector = vector_bytes / size_of(p.value_type);
  for (std::size_t a = 0; a < 2; ++a) {
    if (p.extent[a] > 1 && (p.in_stride[a] % vector != 0 || p.out_stride[a] % vector != 0)) return false;
  }
  return true;
}

bool aligned_rows(Problem const& p) { return aligned_pitch(p) && p.in_phase == 0 && p.out_phase == 0; }

bool may_pad(Problem const& p) {
  return !p.updates && p.in_stride[2] == 1 && p.out_stride[2] == 1 && p.points() > 0 && !aligned_rows(p);
}

Problem padded(Problem const& p) {
  Problem on    = p;
  on.in_stride  = {{p.extent[1] * row_elements(p), row_elements(p), 1}};
  on.out_stride = on.in_stride;
  on.in_phase = on.out_phase = 0;
  // Where rows end with ghost values, padding may count as more of them, so that rows have whole vectors.
  std::int64_t const vector = vector_bytes / size_of(p.value_type);
  if (p.faces[2][1].kind == BoundaryKind::halo) on.extent[2] = divide_up(p.extent[2], vector) * vector;
  return on;
}

Problem from_view(Problem const& p) {
  Problem first    = p;
  first.out_stride = padded(p).out_stride;
  first.out_phase  = 0;
  return first;
}

Problem to_view(Problem const& p) {
  // What pads the rows of a copy may be read.
  Problem last    = padded(p);
  last.out_stride = p.out_stride;
  last.out_phase  = p.out_phase;
  return last;
}

std::int64_t padding_bytes(Problem const& p) {
  return 2 * p.extent[0] * p.extent[1] * row_elements(p) * size_of(p.value_type);
}

double padding_seconds(Problem const& p, DeviceModel const& device) {
  // Bytes that one copy reads and writes.
  auto const bytes     = static_cast<double>(padding_bytes(p));
  double const seconds = bytes / (row_copy_efficiency * Model::bandwidth(device, 2.0 * bytes));
  return 2.0 * (padding_start + seconds) + next_launch;
}

double ghost_seconds(Problem const& p, DeviceModel const& device) {
  auto const outside = static_cast<double>(p.extent[0] * p.extent[1] * p.extent[2] - p.points());
  // At the ends of rows each point is part of another sector.
  double const bytes = outside * size_of(p.value_type) + 4.0 * 32.0 * static_cast<double>(p.extent[0] * p.extent[1]);
  return next_launch + bytes / (row_copy_efficiency * Model::bandwidth(device, 2.0 * bytes));
}

PaddingChoice choose_padding(Answers const& family, Problem const& p, DeviceModel const& device, bool room) {
  PaddingChoice choice;
  choice.reason = family.unsupported_reason(p, device);
  if (choice.reason.empty()) choice.estimates = family.cost(p, device);
  if (!room || !may_pad(p)) return choice;
  Problem const on = padded(p);
  if (!family.unsupported_reason(on, device).empty()) return choice;
  std::vector<Estimate> estimates = family.cost(on, device);
  for (Estimate& e : estimates) {
    e.host_seconds += padding_launches * host_launch_seconds(device);
    e.seconds = std::max(e.seconds + padding_seconds(p, device), e.host_seconds);
    if (e.device_seconds > 0.0) e.device_seconds += padding_seconds(p, device);
    e.padded = true;
  }
  EndPasses const ends = family.ends != nullptr ? family.ends(p, device) : EndPasses();
  if (ends.depth > 0 && ends.seconds < least_seconds(estimates)) {
    choice.ends = ends.depth;
    for (Estimate& e : estimates) {
      e.seconds        = ends.seconds;
      e.device_seconds = 0.0;
    }
  }
  choice.pads = !choice.reason.empty() || least_seconds(estimates) < least_seconds(choice.estimates);
  if (!choice.pads) choice.ends = 0;
  if (!choice.pads) return choice;
  choice.reason.clear();
  choice.estimates = std::move(estimates);
  return choice;
}

}  // namespace Cuda
}  // namespace KokkosStencil
