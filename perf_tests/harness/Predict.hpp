// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Suites.hpp"

#include <KokkosStencil_Problem.hpp>

#include <string>

namespace perf {

/// A case as the library's backends see it.
KokkosStencil::Problem problem_of(Case const& c);

/// Prints as JSON what the performance model says of cases on a GPU, which need not be there; the names are those of
/// the benchmarks. Returns the exit status.
int predict(Selection const& selection, std::string const& gpu);

}  // namespace perf
