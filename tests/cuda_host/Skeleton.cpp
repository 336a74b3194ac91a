// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"
#include "Generator.hpp"

#include "skeleton/Plan.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <typeinfo>

// The family to copy, backends/cuda/skeleton: what it launches. It is no candidate of the library.

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {
std::unique_ptr<Backend const> make_backend();
}
}  // namespace Cuda

namespace {

TEST(Skeleton, IsNoCandidate) {
  for (std::string const& name : backend_names()) EXPECT_NE(name, "cuda_skeleton");
}

TEST(Skeleton, RunsWhatItSaysItCan) {
  auto const backend = Cuda::Skeleton::make_backend();
  std::string const label("skeleton");
  Launch const launch{label, nullptr, nullptr};
  SpaceInfo const space{"Cuda", typeid(int), false, 1, 0, FakeRuntime::gpus[0].compute_capability};
  DeviceModel const& device = *find_device(known_devices(), FakeRuntime::gpus[0].name);
  Generator problems(11);
  int ran = 0;
  for (int k = 0; k < 20000 && !HasFailure(); ++k) {
    Impl::ViewInfo in, out;
    auto const p = problems.next(label, in, out);
    if (!p) continue;
    SCOPED_TRACE(text_of(*p));
    Status const status = backend->can_run(*p, space);
    EXPECT_EQ(status.reason, Cuda::Skeleton::unsupported_reason(*p, device));
    if (!status) continue;
    EXPECT_GT(backend->predict(*p, space), 0.0);
    auto const executable   = backend->prepare(*p, space, launch);
    FakeRuntime::Log& log   = FakeRuntime::log();
    long const before       = log.launches;
    bool const rest_is_left = interior(*p).size() < p->points();
    log.alone               = true;
    executable->sweep(launch, in.data, out.data);
    EXPECT_EQ(log.launches - before, rest_is_left ? 2 : 1);
    EXPECT_EQ(log.wrong, "");
    ++ran;
  }
  EXPECT_GT(ran, 10);
}

}  // namespace
}  // namespace KokkosStencil
