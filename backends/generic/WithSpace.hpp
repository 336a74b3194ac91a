// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <typeindex>

namespace KokkosStencil {
namespace Generic {

/// Tags an execution space, so that no instance has to be made.
template <class Exec>
struct Space {
  using type = Exec;
};

/// Calls f(Space<Exec>) for the execution space of that type; returns false if there is none.
template <class F>
bool with_space(std::type_index type, F const& f) {
  auto const attempt = [&](auto tag) {
    if (type != std::type_index(typeid(typename decltype(tag)::type))) return false;
    f(tag);
    return true;
  };
  bool found = false;
#ifdef KOKKOS_ENABLE_SERIAL
  found = found || attempt(Space<Kokkos::Serial>());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  found = found || attempt(Space<Kokkos::OpenMP>());
#endif
#ifdef KOKKOS_ENABLE_THREADS
  found = found || attempt(Space<Kokkos::Threads>());
#endif
#ifdef KOKKOS_ENABLE_HPX
  found = found || attempt(Space<Kokkos::Experimental::HPX>());
#endif
#ifdef KOKKOS_ENABLE_CUDA
  found = found || attempt(Space<Kokkos::Cuda>());
#endif
#if defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
  found = found || attempt(Space<Kokkos::HIP>());
#endif
#if defined(KOKKOS_ENABLE_SYCL) && KOKKOS_VERSION >= 40500
  found = found || attempt(Space<Kokkos::SYCL>());
#endif
  return found;
}

}  // namespace Generic
}  // namespace KokkosStencil
