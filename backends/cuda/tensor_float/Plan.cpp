// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace CudaModel {

std::string float_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_refusal(p, device, ValueType::float32); !no.empty()) return no;
  if (p.accuracy == Accuracy::native && p.terms.size() < 16) return "has too few terms for split values";
  return p.upper[2] > 7 ? "reaches too far" : "";
}

std::vector<Estimate> tensor_float(Problem const& p, DeviceModel const& device) {
  // Kernels exist for 5, 7, ... 15 rows of the stencil (split: not 13, which would spill). Fractions of the roofline
  // with split values, that is with three products a row.
  constexpr double split_fractions[] = {0.70, 0.60, 0.48, 0.51, 0.56, 0.56};
  bool const split                   = p.accuracy != Accuracy::relaxed;
  int const odd_rows                 = plane_rows(p, 5);
  int const ny                       = split && odd_rows == 13 ? 15 : odd_rows;
  auto const at                      = static_cast<std::size_t>(std::min(ny - 5, 10) / 2);
  Kernel k                           = one_sweep(p);
  k.unit                             = ComputeUnit::sparse_tensor_cores;
  k.operand                          = ValueType::float16;
  k.work.operations                  = 64.0 * (split ? 3 : 1) * ny;
  k.fraction                         = split ? split_fractions[at] : 0.84;
  k.extra_seconds                    = 0.2e-6 + 0.3e-6 * ny + 0.033e-6 * ny * ny;
  add_strips(k, p, device, ny, 1);
  return {finish(k, p, device)};
}

}  // namespace CudaModel
}  // namespace KokkosStencil
