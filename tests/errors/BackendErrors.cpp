// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "../harness/HostViews.hpp"
#include "../harness/TestBackend.hpp"

#include <impl/KokkosStencil_Dispatch.hpp>

#include <cstdlib>
#include <exception>
#include <stdexcept>

// Forced backends: never a silent fallback.

namespace KokkosStencil {
namespace Test {
namespace {

Stencil<double, 2> const g_star = star<2>(1, {1.0, 0.5});

/// An environment variable for the length of a scope.
class Environment {
 public:
  Environment(char const* name, char const* value) : m_name(name) {
    setenv(name, value, 1);
    Impl::read_environment();
  }
  ~Environment() {
    unsetenv(m_name);
    Impl::read_environment();
  }
  Environment(Environment const&)            = delete;
  Environment& operator=(Environment const&) = delete;

 private:
  char const* m_name;
};

struct Sum {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n) const {
    return n(0, 0) + n(0, 1);
  }
};

struct BackendErrors : testing::Test {
  HostView<double**> u{"u", 8, 9}, v{"v", 8, 9};
  HostPolicy2 policy;
  void SetUp() override { test_backend() = TestBackendState(); }
  void TearDown() override { test_backend() = TestBackendState(); }
};

TEST_F(BackendErrors, UnknownName) {
  EXPECT_ERROR(parallel_for("smooth", policy.backend("warp_drive"), g_star, u, v), "\"smooth\"", "\"warp_drive\"",
               "does not exist", "generic", "KOKKOSSTENCIL_BACKEND");
  HostView<double**> a = u, b = v;
  EXPECT_ERROR(iterate("smooth", policy.backend("warp_drive"), g_star, 2, a, b), "\"warp_drive\"");
  EXPECT_ERROR(parallel_for("smooth", policy.backend("warp_drive").radius(1), Sum(), u, v), "\"smooth\"",
               "\"warp_drive\"", "does not exist");
}

TEST_F(BackendErrors, UnknownNameInTheEnvironment) {
  parallel_for("smooth", policy, g_star, u, v);  // what is kept from before must not be used
  Environment const environment("KOKKOSSTENCIL_BACKEND", "warp_drive");
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, u, v), "\"smooth\"", "\"warp_drive\"", "does not exist");
  EXPECT_ERROR(parallel_for("smooth", policy.radius(1), Sum(), u, v), "\"warp_drive\"", "does not exist");
}

TEST_F(BackendErrors, ThePolicyOverridesTheEnvironment) {
  Environment const environment("KOKKOSSTENCIL_BACKEND", "warp_drive");
  parallel_for("smooth", policy.backend("generic"), g_star, u, v);
  EXPECT_EQ(last_backend(), "generic");
}

TEST_F(BackendErrors, TheEnvironmentForces) {
  test_backend().accepts   = true;
  test_backend().predicted = 1e30;
  Environment const environment("KOKKOSSTENCIL_BACKEND", "test_switch");
  HostView<double**> const a("a", 8, 12), b("b", 8, 12);
  parallel_for("smooth", policy, g_star, a, b);
  EXPECT_EQ(last_backend(), "test_switch");
}

TEST_F(BackendErrors, TheEnvironmentIsReadOnce) {
  parallel_for("smooth", policy, g_star, u, v);
  setenv("KOKKOSSTENCIL_BACKEND", "warp_drive", 1);
  parallel_for("smooth", policy, g_star, u, v);
  parallel_for("smooth", policy.radius(1), Sum(), u, v);
  unsetenv("KOKKOSSTENCIL_BACKEND");
  EXPECT_EQ(last_backend(), "generic");
}

TEST_F(BackendErrors, AnEmptyEnvironmentForcesNothing) {
  Environment const environment("KOKKOSSTENCIL_BACKEND", "");
  parallel_for("smooth", policy, g_star, u, v);
  EXPECT_EQ(last_backend(), "generic");
}

TEST_F(BackendErrors, OneThatCannot) {
  EXPECT_ERROR(parallel_for("smooth", policy.backend("test_switch"), g_star, u, v), "\"smooth\"", "\"test_switch\"",
               "cannot run", "the test said no", "Force another, or none");
  EXPECT_EQ(test_backend().prepared, 0);
  EXPECT_EQ(test_backend().sweeps, 0);
}

TEST_F(BackendErrors, FunctorsRunOnGenericOnly) {
  test_backend().accepts = true;
  EXPECT_ERROR(parallel_for("smooth", policy.backend("test_switch").radius(1), Sum(), u, v), "\"smooth\"",
               "\"test_switch\"", "functor stencil", "\"generic\"");
  parallel_for("smooth", policy.backend("generic").radius(1), Sum(), u, v);
  EXPECT_EQ(last_backend(), "generic");
}

TEST_F(BackendErrors, OneThatPreparesNothing) {
  test_backend().accepts          = true;
  test_backend().prepares_nothing = true;
  HostView<double**> const a("a", 30, 31), b("b", 30, 31);
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, a, b), "\"smooth\"", "\"test_switch\"", "returned nothing",
               "can_run");
  // Where backends are timed, it is passed over.
  parallel_for("smooth", policy.tuning(Tuning::measure), g_star, a, b);
  EXPECT_NE(last_backend(), "test_switch");
  Impl::forget_tuning();
}

TEST_F(BackendErrors, WhatOneThrowsNamesTheCallAndTheBackend) {
  test_backend().accepts = true;
  for (char const* const where : {"can_run", "predict", "prepare", "sweep", "pass"}) {
    test_backend().throws_in = where;
    HostView<double**> a("a", 11, 12), b("b", 11, 12);
    auto const call = [&] {
      if (std::string(where) == "pass") {
        iterate("smooth", policy, g_star, 5, a, b);
      } else {
        parallel_for("smooth", policy, g_star, a, b);
      }
    };
    try {
      call();
      FAIL() << "nothing was thrown in " << where;
    } catch (std::runtime_error const& error) {
      std::string const text = error.what();
      for (std::string const part : {"\"smooth\"", "\"test_switch\"", "the test throws in", where}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
      }
      EXPECT_THROW(std::rethrow_if_nested(error), std::out_of_range) << "the original is kept";
    }
  }
  EXPECT_EQ(test_backend().sweeps, 0);
}

TEST_F(BackendErrors, PassesThatDoNoSweepsOrTooMany) {
  test_backend().accepts = true;
  for (std::int64_t const sweeps : {0, -3, 6}) {
    test_backend().sweeps_in_pass = sweeps;
    HostView<double**> a("a", 8, 9), b("b", 8, 9);
    EXPECT_ERROR(iterate("smooth", policy, g_star, 5, a, b), "\"smooth\"", "\"test_switch\"",
                 std::to_string(sweeps) + " sweeps", "1 to 5");
  }
}

TEST_F(BackendErrors, RegisteringTwice) {
  test_backend();
  class Again : public Backend {
    std::string name() const override { return "test_switch"; }
    Status can_run(Problem const&, SpaceInfo const&) const override { return Status::can(); }
    double predict(Problem const&, SpaceInfo const&) const override { return 0.0; }
    std::unique_ptr<Executable> prepare(Problem const&, SpaceInfo const&, Launch const&) const override {
      return nullptr;
    }
  };
  EXPECT_ERROR(register_backend(std::make_unique<Again const>()), "\"test_switch\"", "exists already");
  EXPECT_ERROR(register_backend(nullptr), "no backend");
  class Nameless : public Again {
    std::string name() const override { return ""; }
  };
  EXPECT_ERROR(register_backend(std::make_unique<Nameless const>()), "name is empty");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
