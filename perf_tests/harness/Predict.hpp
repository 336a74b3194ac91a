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
/// the benchmarks. `gpu` is a name of the table or a file that describes one. With `sensitivities` also how each
/// prediction depends on each efficiency, for scripts/calibrate.py. Returns the exit status; throws Error if there is
/// no such GPU.
int predict(Selection const& selection, std::string const& gpu, bool sensitivities);

}  // namespace perf
