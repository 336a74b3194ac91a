// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

namespace KokkosStencil {
namespace Test {

template <class Exec>
struct SpaceTag {
  using type = Exec;
};

/// Calls f(SpaceTag<Exec>()) for every execution space of this Kokkos.
template <class F>
void each_space(F const& f) {
#ifdef KOKKOS_ENABLE_SERIAL
  f(SpaceTag<Kokkos::Serial>());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  f(SpaceTag<Kokkos::OpenMP>());
#endif
#ifdef KOKKOS_ENABLE_THREADS
  f(SpaceTag<Kokkos::Threads>());
#endif
#ifdef KOKKOS_ENABLE_CUDA
  f(SpaceTag<Kokkos::Cuda>());
#endif
#ifdef KOKKOS_ENABLE_HIP
  f(SpaceTag<Kokkos::HIP>());
#endif
#ifdef KOKKOS_ENABLE_SYCL
  f(SpaceTag<Kokkos::SYCL>());
#endif
}

}  // namespace Test
}  // namespace KokkosStencil
