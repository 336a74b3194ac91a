// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil.hpp>

#include <cuda/common/KernelTime.hpp>
#include <cuda/direct/Direct.hpp>
#include <cuda/temporal/Kernels.hpp>
#include <model/GridProblem.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cuda_fp16.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace KokkosStencil {
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

/// A stencil that a kernel for a shape serves: where it may lack terms, one that does.
inline std::vector<KokkosStencil::Term> terms_of(Cuda::Shape const& shape) {
  std::vector<KokkosStencil::Term> const all =
      shape.star ? Model::star(shape.rank, shape.radius) : Model::box(shape.rank, shape.radius);
  std::vector<KokkosStencil::Term> some;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool const centre = all[i].offset == std::array<int, 3>();
    if (shape.terms == Cuda::Terms::all || (shape.terms == Cuda::Terms::but_centre ? !centre : i * 5 % 8 > 2)) {
      some.push_back(all[i]);
    }
  }
  return some;
}

/// The coefficients as a kernel for the shape takes them.
template <class C>
std::vector<C> coefficients_for(Problem const& p, Cuda::Shape const& shape) {
  std::vector<C> all;
  if (shape.terms == Cuda::Terms::all) {
    for (KokkosStencil::Term const& t : p.terms) all.push_back(static_cast<C>(t.coefficient));
  } else {
    for (double const c : Cuda::coefficients_of(p, shape)) all.push_back(static_cast<C>(c));
  }
  return all;
}

/// One pass of a kernel over random values, bit for bit with single sweeps. Where terms may be missing with NaN and
/// infinity among them, which must not show where the stencil has none.
template <class T, class Args, class Random>
void expect_right_pass(SingleSweeps const& single, Cuda::Temporal::Kernel<Args> const& kernel, Args const& args,
                       Problem const& p, Cuda::Shape const& shape, Random const& next) {
  using Space     = Kokkos::View<T*, Kokkos::CudaSpace>;
  using C         = SumType<T>;
  auto const size = static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2]);
  Space const u("u", size), v("v", size), a("a", size), b("b", size);
  auto const start = Kokkos::create_mirror_view(u);
  for (std::size_t i = 0; i < size; ++i) start(i) = static_cast<T>(static_cast<C>(next()));
  if (shape.terms != Cuda::Terms::all) {
    start(size / 3)         = static_cast<T>(std::numeric_limits<C>::quiet_NaN());
    start(size / 2 + 7)     = static_cast<T>(std::numeric_limits<C>::infinity());
    start(size - size / 11) = static_cast<T>(std::numeric_limits<C>::quiet_NaN());
  }
  for (Space const& each : {u, v, a, b}) Kokkos::deep_copy(each, start);
  auto const coefficients = coefficients_for<C>(p, shape);
  kernel.launch(coefficients.data(), args, u.data(), v.data(), single.exec.cuda_stream());
  Space const expected = single.iterate(p, a.data(), b.data(), p.steps) == a.data() ? a : b;
  single.exec.fence();
  auto const got     = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  auto const want    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
  std::int64_t wrong = 0, at = -1;
  for (std::size_t i = 0; i < size; ++i) {
    C const its = static_cast<C>(got(i)), right = static_cast<C>(want(i));
    if (its == right || (its != its && right != right)) continue;
    ++wrong;
    if (at < 0) at = static_cast<std::int64_t>(i);
  }
  EXPECT_EQ(wrong, 0) << "the first at " << at / (p.extent[1] * p.extent[2]) << ", " << at / p.extent[2] % p.extent[1]
                      << ", " << at % p.extent[2];
}

}  // namespace Test
}  // namespace KokkosStencil
