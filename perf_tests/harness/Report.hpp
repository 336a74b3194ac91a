// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Group.hpp"
#include "Suites.hpp"

#include <string>
#include <vector>

namespace perf {

struct RunOptions {
  Selection selection;
  bool host = false;         ///< the host space, also where there is a device
  std::string candidates;    ///< comma-separated; empty: all
  std::string filter;        ///< what was given as --benchmark_filter
  bool json_file   = false;  ///< whether --benchmark_out was given
  bool list        = false;  ///< --benchmark_list_tests was given
  double sample_ms = 0.0;    ///< 0: 4 on devices, 30 on hosts
  bool table       = false;
  Options measure;
};

/// Registers the benchmarks with Google Benchmark, runs them and reports. Returns the exit status: 1 if
/// any result was wrong.
int run(RunOptions const& options);

/// The same for cases that are given, and with backends the caller has registered.
int run(RunOptions const& options, std::vector<Case> const& cases);

/// Adds what identifies machine and build to the JSON context.
void add_context(bool host);

}  // namespace perf
