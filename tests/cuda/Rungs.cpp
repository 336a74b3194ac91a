// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#ifdef KOKKOS_ENABLE_CUDA

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

// The ladders of cuda_direct, which KOKKOSSTENCIL_CUDA_DIRECT chooses once for a process: each in a process of its own.

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;

std::string wanted() {
  char const* const value = std::getenv("KOKKOSSTENCIL_CUDA_DIRECT");
  return value == nullptr ? "" : value;
}

/// Integers, for equality with the generic backend; what is not written stays as it was.
template <int Rank>
void compare(int radius) {
  using View = Kokkos::View<std::conditional_t<Rank == 2, float**, float***>, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Flat = Kokkos::View<float*, Kokkos::CudaSpace>;
  using Host = Kokkos::View<float*, Kokkos::HostSpace>;
  SCOPED_TRACE(std::to_string(Rank) + "-D, radius " + std::to_string(radius));
  Kokkos::LayoutRight const layout = Rank == 2 ? Kokkos::LayoutRight(75, 133) : Kokkos::LayoutRight(70, 35, 67);
  View const in("in", layout), out("out", layout), expected("expected", layout);
  Host const values("values", in.span()), a("a", in.span()), b("b", in.span());
  for (std::size_t i = 0; i < in.span(); ++i) values(i) = static_cast<float>(i * 7919 % 101) - 50.0f;
  Kokkos::deep_copy(Flat(in.data(), in.span()), values);
  std::vector<float> weights(static_cast<std::size_t>(2 * Rank * radius + 1));
  for (std::size_t t = 0; t < weights.size(); ++t) weights[t] = static_cast<float>(t % 5) - 2.5f;
  auto const stencil = star<Rank>(radius, weights);
  for (auto const& policy :
       {StencilPolicy<Exec, Rank>(), StencilPolicy<Exec, Rank>().boundary(Boundary<Rank>::periodic())}) {
    Kokkos::deep_copy(out, 9.0f);
    Kokkos::deep_copy(expected, 9.0f);
    parallel_for("rung", policy.backend("generic"), stencil, in, expected);
    parallel_for("rung", policy.backend("cuda_direct"), stencil, in, out);
    EXPECT_EQ(last_backend(), "cuda_direct");
    Kokkos::fence();
    Kokkos::deep_copy(a, Flat(out.data(), out.span()));
    Kokkos::deep_copy(b, Flat(expected.data(), expected.span()));
    int wrong = 0;
    for (std::size_t i = 0; i < a.extent(0); ++i) wrong += a(i) != b(i) ? 1 : 0;
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Rungs, TheOneInTheEnvironment) {
  std::string const rung = wanted();
  if (rung.empty()) GTEST_SKIP() << "run by Rungs.EachInAProcess";
  bool const plane = rung != "sliced" && rung != "register", space = rung != "coarsened" && rung != "hybrid";
  if (plane) compare<2>(1);
  if (plane) compare<2>(2);
  if (space) compare<3>(1);
  Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace> const u("u", 64, 64), v("v", 64, 64);
  EXPECT_ERROR(parallel_for("rung", StencilPolicy<Exec, 2>().backend("cuda_direct"),
                            box<2>(1, std::vector<float>(9, 1.0f)), u, v),
               "KOKKOSSTENCIL_CUDA_DIRECT=" + rung + " has no kernel for this stencil");
}

TEST(Rungs, AnUnknownOneInTheEnvironment) {
  if (wanted() != "fire_escape") GTEST_SKIP() << "run by Rungs.EachInAProcess";
  Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace> const u("u", 64, 64), v("v", 64, 64);
  EXPECT_ERROR(parallel_for("rung", StencilPolicy<Exec, 2>().backend("cuda_direct"), star<2>(1, {1.0f, 0.5f}), u, v),
               "\"fire_escape\" (KOKKOSSTENCIL_CUDA_DIRECT) is no kernel of cuda_direct",
               "shape, taps, points, naive, tiled, coarsened, hybrid, sliced, register");
}

TEST(Rungs, EachInAProcess) {
  auto const names = backend_names();
  if (std::find(names.begin(), names.end(), "cuda_direct") == names.end()) {
    GTEST_SKIP() << "built without the CUDA backends";
  }
  if (!wanted().empty()) GTEST_SKIP() << "in such a process";
  char self[4096] = "";
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  auto const run = [&](std::string const& rung, std::string const& test) {
    std::string const command = "KOKKOSSTENCIL_CUDA_DIRECT=" + rung + " '" + self + "' --gtest_filter=Rungs." + test;
    EXPECT_EQ(std::system(command.c_str()), 0) << rung;
  };
  for (char const* rung : {"naive", "tiled", "coarsened", "hybrid", "sliced", "register"}) {
    run(rung, "TheOneInTheEnvironment");
  }
  run("fire_escape", "AnUnknownOneInTheEnvironment");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#else

TEST(Rungs, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#endif
