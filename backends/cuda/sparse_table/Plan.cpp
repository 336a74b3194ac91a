// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"
#include "sparse_table/TableLayout.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace CudaModel {

std::string sparse_table_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  if (std::string const no = table_refusal(p); !no.empty()) return no;
  bool const fits =
      static_cast<bool>(choose_table(p, device.multiprocessors, shared_bytes_of(device.compute_capability)));
  return fits ? "" : table_too_far;
}

std::vector<Estimate> sparse_table(Problem const& p, DeviceModel const& device) {
  // Clocks were counted on this one. Tables are copied before anything else.
  constexpr double h200_clock = 1.755e9, table_seconds = 1.1e-6;
  DeviceModel const& h200 = fitted_on();
  double const clock = h200_clock * device.float_rate / device.multiprocessors * h200.multiprocessors / h200.float_rate;
  Kernel k           = one_sweep(p);
  k.unit             = ComputeUnit::sparse_tensor_cores;
  k.operand          = p.value_type;
  bool const line    = is_line(p);
  k.extra_seconds    = std::max(strip_seconds(p, device), line ? next_launch : 0.0);
  k.least_seconds    = (k.extra_seconds > 0.0 ? 2.0 : 1.0) * host_launch + table_seconds;
  k.extra_seconds += table_seconds;
  TableLayout const layout = choose_table(p, device.multiprocessors, shared_bytes_of(device.compute_capability));
  if (!layout) return {finish(k, p, device)};
  TableCut const cut = cut_table(layout, p, device.multiprocessors);
  // Some of the memory's time is not hidden: the first planes of a chunk.
  double const seconds =
      cut.filled * cut.marches * layout.clocks / clock + 0.05 * points_of(p) * k.work.bytes / device.bandwidth;
  k.work.operations     = 64.0 * layout.steps * layout.parts;
  double const roofline = Model::Roofline{device.rate(k.unit, k.operand), device.bandwidth}.seconds(k.work);
  k.fraction            = std::min(0.9, roofline * points_of(p) / seconds);
  return {finish(k, p, device)};
}

}  // namespace CudaModel
}  // namespace KokkosStencil
