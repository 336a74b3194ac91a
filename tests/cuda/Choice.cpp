// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#ifdef KOKKOSSTENCIL_WITH_CUDA

#include "../harness/Deciding.hpp"
#include "cuda/common/Device.hpp"

#include <cstdio>
#include <string>
#include <vector>

// The choice of a backend on the GPU that is there.

namespace KokkosStencil {
namespace Test {
namespace {

using View = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;

SpaceInfo space() { return Impl::SpaceTraits<Kokkos::Cuda>::info(Kokkos::Cuda()); }

TEST(Choice, AnUnknownGpuIsDescribedWell) {
  DeviceModel const& known  = Cuda::device_model(space().device);
  DeviceModel const unknown = Cuda::measured_model(space().device);
  std::printf("%s\n%s", device_text(known).c_str(), device_text(unknown).c_str());
  EXPECT_NEAR(unknown.bandwidth / known.bandwidth, 1.0, 0.15);
  for (ComputeUnit const unit : {ComputeUnit::cores, ComputeUnit::tensor_cores, ComputeUnit::sparse_tensor_cores}) {
    for (ValueType const type : {ValueType::float64, ValueType::float32, ValueType::float16}) {
      if (known.rate(unit, type) <= 0.0) continue;
      EXPECT_NEAR(unknown.rate(unit, type) / known.rate(unit, type), 1.0, 0.15) << to_string(unit);
    }
  }
}

TEST(Choice, DecidingTakesLittle) {
  for (Decision const& d : decisions()) {
    double const seconds = deciding_seconds(d, space());
    EXPECT_GT(seconds, 0.0);
#ifdef NDEBUG
    // Hosts differ by more than two: 23 and 61 us were seen for one case.
    EXPECT_LT(seconds, 100e-6) << d.name;
#endif
  }
}

TEST(Choice, TuningKeepsTheViews) {
  View u("u", 600, 700), v("v", 600, 700);
  Kokkos::deep_copy(u, 3.0f);
  Kokkos::deep_copy(v, 5.0f);
  auto const stencil = box<2>(1, std::vector<float>(9, 1.0f));
  Impl::forget_tuning();
  auto const policy = StencilPolicy<Kokkos::Cuda, 2>().tuning(Tuning::measure);
  Plan<Kokkos::Cuda, 2, View, View> const plan("tuned", policy, stencil, u, v);
  std::printf("%s", plan.explain().c_str());
  for (int const steps : {1, 32}) {
    Candidate const* chosen = nullptr;
    for (Candidate const& c : plan.candidates(steps)) {
      if (c.runnable) {
        EXPECT_GT(c.measured, 0.0) << c.backend;
      }
      if (c.chosen) chosen = &c;
    }
    ASSERT_NE(chosen, nullptr);
    for (Candidate const& c : plan.candidates(steps)) {
      if (c.runnable) {
        EXPECT_GE(c.measured, chosen->measured);
      }
    }
  }
  auto const sum = [](View const& view) {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    double total    = 0.0;
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      for (std::size_t j = 0; j < host.extent(1); ++j) total += static_cast<double>(host(i, j));
    }
    return total;
  };
  EXPECT_EQ(sum(u), 3.0 * 600 * 700);
  EXPECT_EQ(sum(v), 5.0 * 600 * 700);
  plan.run(u, v);
  Kokkos::fence();
  EXPECT_EQ(sum(v), 27.0 * 598 * 698 + 5.0 * (600 * 700 - 598 * 698));
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#else

TEST(Choice, OnAGpu) { GTEST_SKIP() << "built without CUDA"; }

#endif
