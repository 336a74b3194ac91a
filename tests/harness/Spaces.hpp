// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace KokkosStencil {
namespace Test {

struct Absent {};
#ifdef KOKKOS_ENABLE_SERIAL
using SerialSpace = Kokkos::Serial;
#else
using SerialSpace       = Absent;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
using OpenMPSpace = Kokkos::OpenMP;
#else
using OpenMPSpace       = Absent;
#endif
#ifdef KOKKOS_ENABLE_THREADS
using ThreadsSpace = Kokkos::Threads;
#else
using ThreadsSpace      = Absent;
#endif
#ifdef KOKKOS_ENABLE_CUDA
using CudaSpaceOrAbsent = Kokkos::Cuda;
#else
using CudaSpaceOrAbsent = Absent;
#endif
#if defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
using HipSpace = Kokkos::HIP;
#else
using HipSpace          = Absent;
#endif
#if defined(KOKKOS_ENABLE_SYCL) && KOKKOS_VERSION >= 40500
using SyclSpace = Kokkos::SYCL;
#else
using SyclSpace         = Absent;
#endif

/// List<Found..., those of Candidates that exist...>.
template <class Found, class... Candidates>
struct Present {
  using type = Found;
};
template <template <class...> class List, class... Found, class Head, class... Tail>
struct Present<List<Found...>, Head, Tail...>
    : std::conditional_t<std::is_same<Head, Absent>::value, Present<List<Found...>, Tail...>,
                         Present<List<Found..., Head>, Tail...>> {};

/// The execution spaces of this Kokkos as List<Exec...>.
template <template <class...> class List>
using SpacesAs =
    typename Present<List<>, SerialSpace, OpenMPSpace, ThreadsSpace, CudaSpaceOrAbsent, HipSpace, SyclSpace>::type;

template <class Exec>
struct SpaceTag {
  using type = Exec;
};
template <class... Execs>
struct SpaceTags {
  template <class F>
  static void each(F const& f) {
    (f(SpaceTag<Execs>()), ...);
  }
};

/// Calls f(SpaceTag<Exec>()) for every execution space of this Kokkos.
template <class F>
void each_space(F const& f) {
  SpacesAs<SpaceTags>::each(f);
}

}  // namespace Test
}  // namespace KokkosStencil
