// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"
#include "common/PlaneCut.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace CudaModel {

std::string double_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_refusal(p, device, ValueType::float64); !no.empty()) return no;
  if (device.double_tensor <= 0.0) return "the GPU has no matrix products in double";
  return p.upper[2] > 8 ? "reaches too far" : "";
}

std::vector<Estimate> tensor_double(Problem const& p, DeviceModel const& device) {
  // Bands of 8 outputs by 16 or 24 inputs, in two or three steps.
  int const ny      = plane_rows(p, 7);
  int const steps   = std::max(-p.lower[2], p.upper[2]) > 4 ? 3 : 2;
  Kernel k          = one_sweep(p);
  k.unit            = ComputeUnit::tensor_cores;
  k.work.operations = 16.0 * steps * ny;
  k.fraction        = double_fraction;
  // As DoublePlan cuts planes: strips of 128 columns for each of a block's four warps.
  auto const columns       = static_cast<double>(p.end[2] - p.begin[2]);
  auto const groups        = static_cast<std::int64_t>(std::ceil(columns / 512.0)) * (p.end[0] - p.begin[0]);
  std::int64_t const rows  = p.end[1] - p.begin[1];
  std::int64_t const slots = (ny == 7 || (ny == 9 && steps == 2) ? 3 : 2) * device.multiprocessors;
  PlaneCut const cut       = cut_plane(rows, groups, slots, ny * 3 / 2 + 3);
  // Warps without a strip; the others are faster if there are many.
  double const idle = std::min(1.5, std::ceil(columns / 512.0) * 512.0 / columns);
  k.redundancy      = idle * static_cast<double>(cut.waves * cut.height * slots) / static_cast<double>(rows * groups);
  // Strips are done beside it.
  add_strips(k, p, device, ny, 1);
  double const busy = roofline(k, p, device) * points_of(p) * k.redundancy / k.fraction;
  double const fill = double_fill * static_cast<double>(cut.waves * steps * ny * ny);
  // The longer of the two, and a little of the other.
  k.extra_seconds = std::max(k.extra_seconds, double_start + std::max(0.05 * fill, fill - 0.95 * busy));
  return {finish(k, p, device)};
}

}  // namespace CudaModel
}  // namespace KokkosStencil
