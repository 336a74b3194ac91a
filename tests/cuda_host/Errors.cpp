// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"
#include "Generator.hpp"

#include <KokkosStencil_Registry.hpp>

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <typeinfo>

// Errors of CUDA calls: those of the application stop nothing and stay, those of the library are named.

namespace KokkosStencil {
namespace {

class CudaErrors : public testing::Test {
 protected:
  void TearDown() override { FakeRuntime::log() = {}; }

  /// Calls action(name, problem, executable, in, out) for problems of every CUDA backend. Made with `pending` as the
  /// last error of this thread.
  void each(cudaError_t pending, std::function<void(Problem const&, Executable const&, void*, void*)> const& action) {
    Generator problems(77);
    std::set<std::string> seen;
    FakeRuntime::log()            = {};
    FakeRuntime::log().last_error = pending;
    for (int k = 0; k < 400; ++k) {
      Impl::ViewInfo in, out;
      auto const p = problems.next(m_label, in, out);
      if (!p) continue;
      for (auto const& backend : Impl::backends()) {
        std::string const name = backend->name();
        if (name.rfind("cuda", 0) != 0 || !backend->can_run(*p, m_space)) continue;
        SCOPED_TRACE(name + ": " + text_of(*p));
        Problem chosen        = *p;
        chosen.depth          = backend->estimates(*p, m_space).back().depth;
        auto const executable = backend->prepare(chosen, m_space, m_launch);
        action(chosen, *executable, in.data, out.data);
        seen.insert(name);
        if (HasFailure()) return;
      }
    }
    EXPECT_GE(seen.size(), 6u) << "backends that ran";
  }

  std::string thrown_by(std::function<void()> const& action) {
    try {
      action();
    } catch (std::exception const& e) {
      return e.what();
    }
    return "";
  }

  std::string const m_label = "label";
  Launch const m_launch{m_label, nullptr, nullptr};
  SpaceInfo const m_space{"Cuda", typeid(int), false, 1, 0, 90};
};

TEST_F(CudaErrors, OfTheApplicationStopNothing) {
  for (cudaError_t const earlier : {cudaErrorMemoryAllocation, cudaErrorNotReady, cudaErrorInvalidConfiguration}) {
    each(earlier, [&](Problem const& p, Executable const& executable, void* in, void* out) {
      long const before = FakeRuntime::log().launches;
      executable.sweep(m_launch, in, out);
      if (p.steps > 1 && p.in_stride == p.out_stride) executable.iterate(m_launch, in, out, p.steps);
      EXPECT_GT(FakeRuntime::log().launches, before);
      EXPECT_EQ(FakeRuntime::log().last_error, earlier) << "the error is the application's to take back";
      EXPECT_EQ(FakeRuntime::log().wrong, "");
    });
  }
}

TEST_F(CudaErrors, OfALaunchAreNamed) {
  each(cudaErrorMemoryAllocation, [&](Problem const&, Executable const& executable, void* in, void* out) {
    FakeRuntime::log().launch_result = cudaErrorLaunchOutOfResources;
    std::string const text           = thrown_by([&] { executable.sweep(m_launch, in, out); });
    EXPECT_NE(text.find("\"label\""), std::string::npos) << text;
    EXPECT_NE(text.find("launch failed: cudaErrorLaunchOutOfResources (701)"), std::string::npos) << text;
    EXPECT_EQ(FakeRuntime::log().last_error, cudaSuccess) << "it is an exception now";
    // And the next one is not blamed for it.
    FakeRuntime::log().launch_result = cudaSuccess;
    EXPECT_NO_THROW(executable.sweep(m_launch, in, out));
  });
}

TEST_F(CudaErrors, ThatLastAreNotTakenForOurs) {
  each(cudaErrorIllegalAddress, [&](Problem const&, Executable const& executable, void* in, void* out) {
    FakeRuntime::log().launch_result = cudaErrorIllegalAddress;
    std::string const text           = thrown_by([&] { executable.sweep(m_launch, in, out); });
    EXPECT_NE(text.find("an earlier kernel"), std::string::npos) << text;
    EXPECT_NE(text.find("cudaErrorIllegalAddress (700)"), std::string::npos) << text;
    FakeRuntime::log().launch_result = cudaSuccess;
  });
}

}  // namespace
}  // namespace KokkosStencil
