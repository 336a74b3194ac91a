// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"

#include "temporal/Plan.hpp"
#include "temporal/Temporal.hpp"

#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <array>
#include <typeinfo>
#include <vector>

// Whether a GPU has a kernel of cuda_temporal, as the backend and as the model says.

namespace KokkosStencil {
namespace {

/// Seven points that reach as far as a star, but are none.
TEST(TemporalKernels, SevenPointsAreNotAlwaysAStar) {
  std::vector<Term> terms;
  for (auto const& offset :
       {std::array<int, 3>{-1, -1, -1}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 1, 1}}) {
    terms.push_back({offset, 0.125});
  }
  Problem const p    = Model::grid_problem(terms, 3, {{100, 100, 100}}, ValueType::float32, Accuracy::native, 4);
  auto const backend = Cuda::Temporal::make_backend();
  SpaceInfo const space{"Cuda", typeid(int), false, 1, 0, FakeRuntime::gpus[0].compute_capability};
  EXPECT_FALSE(backend->can_run(p, space));
  EXPECT_NE(Cuda::Temporal::unsupported_reason(p, *find_device(known_devices(), FakeRuntime::gpus[0].name)), "");
}

}  // namespace
}  // namespace KokkosStencil
