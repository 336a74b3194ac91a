// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <string>
#include <vector>

namespace perf {

struct Options {
  int samples         = 7;    ///< timed samples of each candidate
  double sample_ms    = 4.0;  ///< least time of a sample
  double case_seconds = 0.0;  ///< after which a case has no further samples; 0: no limit
};

/// What became of one candidate of a case.
struct Outcome {
  std::string candidate;
  std::string label;              ///< what ran
  std::string error;              ///< why there is no number; empty if there is
  bool unavailable    = false;    ///< the error is only that it cannot run here
  double max_error    = 0.0;      ///< multiple of S
  double plan_seconds = 0.0;      ///< preparing the plan once more; the library's, one sweep
  std::vector<double> seconds;    ///< one run, per sample
  std::vector<double> copy_rate;  ///< bytes/s of the copy of the same round
  std::vector<double> device;     ///< seconds of one run on the device alone; where the host may be what it waits for
  bool reported = false;          ///< for the benchmark that reports it

  double median_seconds() const;
  double spread() const;  ///< largest minus smallest over the median
};

double median(std::vector<double> values);

/// Checks every candidate against the reference, then times them in interleaved rounds, a copy among them,
/// so that all see the same machine.
template <class Space>
void measure(Case const& c, std::vector<Outcome>& outcomes, Options const& options);

/// Names of the candidates that can run a case.
template <class Space>
std::vector<std::string> candidates_of(Case const& c);

}  // namespace perf
