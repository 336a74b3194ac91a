// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"
#include "Generator.hpp"

#include <KokkosStencil_Registry.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <typeinfo>
#include <utility>

// All that CUDA backends do on the host, for random problems, without a GPU: whatever can_run takes is predicted,
// prepared and launched, with grids that a GPU accepts, and running neither allocates nor waits.

namespace KokkosStencil {
namespace {

class CudaHost : public testing::TestWithParam<int> {
 protected:
  /// Runs `p` on every CUDA backend that takes it.
  void all(Problem const& p, void* in, void* out) {
    for (auto const& backend : Impl::backends()) {
      std::string const name = backend->name();
      if (name.rfind("cuda", 0) != 0 || !backend->can_run(p, m_space)) continue;
      SCOPED_TRACE(name + ": " + text_of(p));
      auto const ways = backend->estimates(p, m_space);
      ASSERT_FALSE(ways.empty());
      for (Estimate const& way : ways) {
        EXPECT_GT(way.seconds, 0.0);
        EXPECT_LT(way.seconds, 1e4);
      }
      Problem chosen        = p;
      chosen.depth          = ways.back().depth;
      auto const executable = backend->prepare(chosen, m_space, m_launch);
      FakeRuntime::Log& log = FakeRuntime::log();
      auto const before     = log;
      log.alone             = true;
      executable->sweep(m_launch, in, out);
      EXPECT_GT(log.launches, before.launches);
      if (p.steps > 1 && p.in_stride == p.out_stride) {
        void* const newest = executable->iterate(m_launch, in, out, p.steps);
        EXPECT_TRUE(newest == in || newest == out);
      }
      EXPECT_EQ(log.made, before.made) << "allocated";
      EXPECT_EQ(log.waits, before.waits) << "waited";
      EXPECT_EQ(log.wrong, "");
      log.wrong.clear();
      ++m_ran[name];
    }
  }

  std::string const m_label = "random";
  Launch const m_launch{m_label, nullptr, nullptr};
  SpaceInfo const m_space{"Cuda", typeid(int), false, 1, 0, 90};
  std::map<std::string, int> m_ran;
};

TEST_P(CudaHost, RunsWhatItSaysItCan) {
  Generator problems(static_cast<unsigned>(GetParam()));
  for (int k = 0; k < 4000 && !HasFailure(); ++k) {
    Impl::ViewInfo in, out;
    auto p = problems.next(m_label, in, out);
    if (!p) continue;
    all(*p, in.data, out.data);
    std::swap(p->in_stride, p->out_stride);
    if (p->in_stride != p->out_stride) all(*p, out.data, in.data);
  }
  EXPECT_EQ(FakeRuntime::log().kept, 0) << "memory lost";
  for (auto const& [name, count] : m_ran) RecordProperty(name, count);
  EXPECT_GE(m_ran.size(), 6u) << "backends that ran";
}

INSTANTIATE_TEST_SUITE_P(Seeds, CudaHost, testing::Range(1, 9));

}  // namespace
}  // namespace KokkosStencil
