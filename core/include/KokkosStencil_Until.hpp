// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {

/// The norm that an update, the difference between two successive states, is measured in. A difference of two values
/// that is beyond the largest double is infinity, and so is the norm.
enum class Norm {
  max,  ///< the largest absolute difference; NaN if any difference is NaN
  rms,  ///< the root of the mean square of the differences
  l2 [[deprecated("Use Norm::rms, which this is.")]] = rms
};

/// When iterate_until stops. The update norm is the norm of the change that one sweep makes, not of the residual of an
/// equation.
struct StoppingCriterion {
  double tolerance         = 0.0;        ///< stop once the change of one sweep is at most this
  std::int64_t max_steps   = 1000;       ///< stop after this many sweeps
  std::int64_t check_every = 1;          ///< look at the change after every so many sweeps
  Norm norm                = Norm::max;  ///< largest or root-mean-square change over the points of the range
};
using Until [[deprecated("Use StoppingCriterion.")]] = StoppingCriterion;

/// What iterate_until did.
struct UntilResult {
  std::int64_t steps = 0;  ///< sweeps done
  union {
    double update_norm = 0.0;  ///< of the last checked sweep, in the norm asked for
    [[deprecated("Use update_norm, which this is.")]] double residual;
  };
  bool converged = false;  ///< update_norm <= tolerance; without a sweep, as where there is no point, false
};

}  // namespace KokkosStencil
