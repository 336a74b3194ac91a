// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestBackend.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace KokkosStencil {
namespace Test {

namespace {

TestBackendState g_state;

void throw_in(char const* what) {
  if (g_state.throws_in == what) throw std::out_of_range(std::string("the test throws in ") + what);
}

class CountingExecutable : public Executable {
 public:
  void sweep(Launch const&, void const*, void*) const override {
    throw_in("sweep");
    ++g_state.sweeps;
  }
  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t) const override {
    throw_in("pass");
    sweep(launch, in, out);
    return g_state.sweeps_in_pass;
  }
  std::size_t bytes() const override { return m_bytes; }

 private:
  std::size_t m_bytes = g_state.bytes;
};

class SwitchBackend : public Backend {
 public:
  std::string name() const override { return "test_switch"; }
  Status can_run(Problem const& problem, SpaceInfo const&) const override {
    throw_in("can_run");
    if (g_state.pitch != 0 && problem.in_stride[1] != g_state.pitch) return Status::cannot("the test wants a pitch");
    return g_state.accepts ? Status::can() : Status::cannot("the test said no");
  }
  double predict(Problem const& problem, SpaceInfo const&) const override {
    throw_in("predict");
    return g_state.predicted * static_cast<double>(problem.steps);
  }
  std::vector<Estimate> estimates(Problem const& problem, SpaceInfo const& space) const override {
    if (g_state.depths.empty()) return Backend::estimates(problem, space);
    std::vector<Estimate> all;
    for (auto const& [depth, seconds] : g_state.depths) {
      if (depth > problem.steps) continue;
      Estimate e;
      e.depth   = depth;
      e.seconds = seconds;
      all.push_back(e);
    }
    return all;
  }
  std::unique_ptr<Executable> prepare(Problem const& problem, SpaceInfo const& space, Launch const&) const override {
    EXPECT_TRUE(can_run(problem, space).yes) << "prepared for what it refuses";
    throw_in("prepare");
    if (g_state.prepares_nothing) return nullptr;
    ++g_state.prepared;
    g_state.prepared_depth = problem.depth;
    return std::make_unique<CountingExecutable>();
  }
};

}  // namespace

TestBackendState& test_backend() {
  static bool const registered = [] {
    register_backend(std::make_unique<SwitchBackend const>());
    return true;
  }();
  static_cast<void>(registered);
  return g_state;
}

}  // namespace Test
}  // namespace KokkosStencil
