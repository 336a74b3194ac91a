// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Blocks.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

namespace KokkosStencil {
namespace Impl {

/// Sweeps between two exchanges, as predicted.
struct Period {
  double block = 0.0;    ///< seconds of all sweeps of a block
  double bands = 0.0;    ///< seconds of those of its bands, which leave first if there is overlap
  double bytes = 0.0;    ///< that a process sends
  double last  = 0.0;    ///< seconds of the last pass, which hides the exchange if there is overlap
  bool early   = false;  ///< that pass computes the bands first, by itself: `bands` are what this costs
};

/// Seconds that bands cost beside their sweeps: copies, kernels that wait for a stream, and the others' slower start.
/// Measured on two H200s. Of early layers: a kernel and a stream that wait.
constexpr double band_overhead = 2e-5, early_overhead = 4e-6;

/// Of a pass over so many layers that computes those at `sides` ends first: blocks begin anew behind them, and not all
/// multiprocessors have a part in that.
inline double early_seconds(double pass, int sides, std::int64_t reach, std::int64_t layers) {
  return 1.5 * pass * 2.0 * sides * static_cast<double>(reach) / static_cast<double>(std::max<std::int64_t>(1, layers));
}

/// Seconds of a period without and with overlap.
inline double plain_seconds(Period const& p, double exchange) { return p.block + exchange; }
inline double overlapped_seconds(Period const& p, double exchange) {
  return p.bands + std::max(p.block, p.block - p.last + exchange) + (p.early ? early_overhead : band_overhead);
}

struct PeriodChoice {
  int sweeps   = 1;
  bool overlap = false;
};

/// The number of sweeps that takes the least time a sweep, up to `most`. `overlap` as in RanksSettings.
inline PeriodChoice choose_period(std::int64_t most, int overlap, NetworkInfo const& network,
                                  std::function<Period(int)> const& predict) {
  PeriodChoice best;
  double least = std::numeric_limits<double>::max();
  // Multiples of what kernels do in one pass are among them.
  for (int k = 1; k <= most; k += k < 8 ? 1 : k < 32 ? 2 : 4) {
    Period const p        = predict(k);
    double const exchange = exchange_seconds(network, p.bytes);
    for (bool const bands : {false, true}) {
      if (overlap >= 0 && bands != (overlap == 1)) continue;
      double const time = (bands ? overlapped_seconds(p, exchange) : plain_seconds(p, exchange)) / k;
      if (time >= least) continue;
      least = time;
      best  = {k, bands};
    }
  }
  return best;
}

}  // namespace Impl
}  // namespace KokkosStencil
