// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Families.hpp"

#include <model/Choice.hpp>
#include <model/GridProblem.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

// What tests of the model share: GPUs that need not be there, and problems on their Views.

namespace KokkosStencil {
namespace Cuda {

using TermList = std::vector<Term>;

inline DeviceModel const& device(char const* name) { return *find_device(known_devices(), name); }

inline Problem problem(TermList const& terms, int rank, ValueType type, std::int64_t steps = 1, std::int64_t side = 0,
                       Accuracy accuracy = Accuracy::native) {
  std::int64_t const n = side > 0 ? side : rank == 1 ? 1 << 26 : rank == 2 ? 10240 : 512;
  return Model::grid_problem(terms, rank, {{n, rank > 1 ? n : 1, rank > 2 ? n : 1}}, type, accuracy, steps);
}

inline Candidate chosen(Problem const& p, DeviceModel const& d) {
  auto const all = candidates(p, d);
  return *std::find_if(all.begin(), all.end(), [](Candidate const& c) { return c.chosen; });
}

inline Estimate of(std::string const& backend, Problem const& p, DeviceModel const& d) {
  auto const all = candidates(p, d);
  return std::find_if(all.begin(), all.end(), [&](Candidate const& c) { return c.backend == backend; })->estimate;
}

}  // namespace Cuda
}  // namespace KokkosStencil
