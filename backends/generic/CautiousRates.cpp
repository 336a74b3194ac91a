// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CautiousRates.hpp"

#include <algorithm>

namespace KokkosStencil {
namespace Generic {

DeviceModel cautious_rates(SpaceInfo const& space) {
  double const threads = space.concurrency;
  DeviceModel rates;
  rates.bandwidth      = space.host ? 10e9 * std::min(threads, 16.0) : 1.0e12;
  rates.float_rate     = space.host ? 8e9 * threads : 6.0e12;
  rates.double_rate    = rates.float_rate;
  rates.launch_seconds = space.host ? 1e-6 : 5e-6;
  return rates;
}

}  // namespace Generic
}  // namespace KokkosStencil
