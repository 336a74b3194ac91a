// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

// The family to copy, backends/cuda/skeleton, as an application would register it: a program of its own, since every
// call after that has it among the candidates.

#ifndef KOKKOSSTENCIL_WITH_CUDA

TEST(Skeleton, OnAGpu) { GTEST_SKIP() << "built without the CUDA backends"; }

#else

#include "Contract.hpp"

#include <cstddef>
#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {
std::unique_ptr<Backend const> make_backend();
}
}  // namespace Cuda

namespace Test {
namespace {

using Policy = StencilPolicy<Kokkos::Cuda, 2>;

struct Skeleton : testing::Test {
  static void SetUpTestSuite() { register_backend(Cuda::Skeleton::make_backend()); }
};

TEST_F(Skeleton, KeepsTheContract) {
  auto const five_points = star<2>(1, {0.5f, 0.125f});
  for (auto const& boundary :
       {Boundary<2>::halo(), Boundary<2>::periodic(), Boundary<2>::mirror(), Boundary<2>::edge()}) {
    for (std::array<std::size_t, 3> const n : {std::array<std::size_t, 3>{{1, 3, 3}}, {{1, 64, 64}}, {{1, 301, 517}}}) {
      for (bool const special : {false, true}) {
        keeps_contract<float, 2>("cuda_skeleton", Policy().boundary(boundary), five_points, n, {0, 0}, Values::wide,
                                 special);
      }
    }
  }
}

TEST_F(Skeleton, HasTheBitsOfTheCanonicalOrder) {
  using View = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  View const in("in", 301, 517), out("out", 301, 517), expected("expected", 301, 517);
  auto const host = Kokkos::create_mirror_view(in);
  for (std::size_t i = 0; i < host.extent(0); ++i) {
    for (std::size_t j = 0; j < host.extent(1); ++j) {
      host(i, j) = 1.0f / static_cast<float>(1 + (31 * i + 17 * j) % 1009);
    }
  }
  Kokkos::deep_copy(in, host);
  Stencil<float, 2> const upwind{
      {{{-1, 0}}, 0.1f}, {{{0, -1}}, 0.2f}, {{{0, 0}}, 0.3f}, {{{0, 1}}, 0.4f}, {{{1, 0}}, 0.5f}};
  auto const policy = Policy().accuracy(Accuracy::reproducible);
  parallel_for("skeleton", Policy(policy).backend("cuda_skeleton"), upwind, in, out);
  EXPECT_EQ(last_backend(), "cuda_skeleton");
  parallel_for("expected", Policy(policy).backend("generic"), upwind, in, expected);
  auto const got   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  auto const all   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
  long differences = 0;
  for (std::size_t i = 0; i < got.extent(0); ++i) {
    for (std::size_t j = 0; j < got.extent(1); ++j) differences += got(i, j) == all(i, j) ? 0 : 1;
  }
  EXPECT_EQ(differences, 0);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
