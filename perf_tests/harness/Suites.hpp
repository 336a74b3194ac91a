// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perf {

/// Names and one-line descriptions of the suites.
std::vector<std::pair<std::string, std::string>> suite_names();

/// The cases of a suite, at the sizes for a device or a host. Throws std::invalid_argument.
std::vector<Case> suite(std::string const& name, bool host);

}  // namespace perf
