// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {

/// How the change between two states is measured.
enum class Norm {
  max,  ///< the largest absolute difference; NaN if any difference is NaN
  l2    ///< the root of the mean square of the differences
};

/// When iterate_until stops.
struct Until {
  double tolerance         = 0.0;        ///< stop once the change of one sweep is at most this
  std::int64_t max_steps   = 1000;       ///< stop after this many sweeps
  std::int64_t check_every = 1;          ///< look at the change after every so many sweeps
  Norm norm                = Norm::max;  ///< largest or root-mean-square change over the points of the range
};

/// What iterate_until did.
struct UntilResult {
  std::int64_t steps = 0;      ///< sweeps done
  double residual    = 0.0;    ///< change made by the last checked sweep, in the norm asked for
  bool converged     = false;  ///< residual <= tolerance
};

}  // namespace KokkosStencil
