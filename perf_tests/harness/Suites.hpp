// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perf {

/// Names and one-line descriptions of the suites.
std::vector<std::pair<std::string, std::string>> suite_names();

/// Of the suite "random".
struct RandomOptions {
  std::uint64_t seed = 1;
  std::size_t cases  = 0;  ///< 0: 1000 on devices, 100 on hosts
};

/// The suite `functor`, whose cases are known where they are compiled.
std::vector<Case> code_cases(bool host);

/// The cases of a suite, at the sizes for a device or a host. Throws std::invalid_argument.
std::vector<Case> suite(std::string const& name, bool host, RandomOptions const& random = {});

/// What of several suites is to be measured: those separated by commas, and of all their cases, none twice, the part
/// number `slice` of `slices` that follow each other.
struct Selection {
  std::string suites = "quick";
  RandomOptions random;
  int slice = 1, slices = 1;
};
std::vector<Case> cases_of(Selection const& selection, bool host);

}  // namespace perf
