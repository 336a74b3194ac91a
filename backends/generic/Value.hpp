// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Views.hpp>

#include <type_traits>

namespace KokkosStencil {
namespace Generic {

/// The type that accumulates for a stored type.
template <class T>
using Accumulator = std::conditional_t<std::is_same<T, double>::value, double, float>;

/// Calls f with a value of the C++ type of a ValueType. Types this Kokkos lacks cannot occur.
template <class F>
auto with_type(ValueType type, F const& f) {
  switch (type) {
#ifdef KOKKOSSTENCIL_IMPL_HAS_HALF
    case ValueType::float16: return f(Kokkos::Experimental::half_t());
#endif
#ifdef KOKKOSSTENCIL_IMPL_HAS_BHALF
    case ValueType::bfloat16: return f(Kokkos::Experimental::bhalf_t());
#endif
    case ValueType::float64: return f(double());
    default: return f(float());
  }
}

}  // namespace Generic
}  // namespace KokkosStencil
