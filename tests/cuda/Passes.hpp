// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil.hpp>

#include <cuda/temporal/Kernels.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace KokkosStencil {

namespace Cuda {
namespace Direct {
std::unique_ptr<Backend const> make_backend();
}
}  // namespace Cuda

namespace Test {

/// What passes are compared with.
struct SingleSweeps {
  Kokkos::Cuda exec;
  std::string label                     = "single sweeps";
  std::unique_ptr<Backend const> direct = Cuda::Direct::make_backend();

  /// Where the newest state is.
  void* iterate(Problem const& p, void* a, void* b, std::int64_t steps) const {
    Launch const launch{label, &exec, exec.cuda_stream()};
    return direct->prepare(p, Impl::SpaceTraits<Kokkos::Cuda>::info(exec), launch)->iterate(launch, a, b, steps);
  }
};

/// Of a block, after asking for it.
inline int shared_bytes() {
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, Kokkos::Cuda().cuda_device());
  return bytes;
}

inline int compute_capability() { return Impl::SpaceTraits<Kokkos::Cuda>::info(Kokkos::Cuda()).compute_capability; }

/// The value type of kernels for Views of T.
template <class T>
using KernelType = std::conditional_t<std::is_same_v<T, Kokkos::Experimental::half_t>, __half, T>;
/// Of sums and coefficients.
template <class T>
using SumType = std::conditional_t<sizeof(T) < 4, float, T>;

/// One pass of a kernel over random values, bit for bit with single sweeps.
template <class T, class Args, class Random>
void expect_right_pass(SingleSweeps const& single, Cuda::Temporal::Kernel<Args> const& kernel, Args const& args,
                       Problem const& p, Random const& next) {
  using Space     = Kokkos::View<T*, Kokkos::CudaSpace>;
  using C         = SumType<T>;
  auto const size = static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2]);
  Space const u("u", size), v("v", size), a("a", size), b("b", size);
  auto const start = Kokkos::create_mirror_view(u);
  for (std::size_t i = 0; i < size; ++i) start(i) = static_cast<T>(static_cast<C>(next()));
  for (Space const& each : {u, v, a, b}) Kokkos::deep_copy(each, start);
  std::vector<C> coefficients;
  for (KokkosStencil::Term const& t : p.terms) coefficients.push_back(static_cast<C>(t.coefficient));
  kernel.launch(coefficients.data(), args, u.data(), v.data(), single.exec.cuda_stream());
  Space const expected = single.iterate(p, a.data(), b.data(), p.steps) == a.data() ? a : b;
  single.exec.fence();
  auto const got     = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  auto const want    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
  std::int64_t wrong = 0, at = -1;
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<C>(got(i)) == static_cast<C>(want(i))) continue;
    ++wrong;
    if (at < 0) at = static_cast<std::int64_t>(i);
  }
  EXPECT_EQ(wrong, 0) << "the first at " << at / (p.extent[1] * p.extent[2]) << ", " << at / p.extent[2] % p.extent[1]
                      << ", " << at % p.extent[2];
}

}  // namespace Test
}  // namespace KokkosStencil
