// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <cstdint>

// What kernels for functors carry instead of Views, and a tuple for what they compute.

namespace KokkosStencil {
namespace Impl {

/// A View as the kernel needs it.
template <class T, int Rank>
struct FieldRef {
  using value_type = T;
  T* data;
  ViewIndex<Rank> stride;

  KOKKOS_FORCEINLINE_FUNCTION T* at(ViewIndex<Rank> const& i) const {
    std::int64_t offset = 0;
    for (int a = 0; a < Rank; ++a) offset += i[a] * stride[a];
    return data + offset;
  }
};
template <class View>
auto field_ref(View const& view) {
  FieldRef<typename View::value_type, int(View::rank)> r{view.data(), {}};
  for (int a = 0; a < int(View::rank); ++a) r.stride[a] = stride_of(view, a);
  return r;
}

/// A tuple that kernels write to.
template <class... Ts>
struct Bundle {};
template <class T, class... Ts>
struct Bundle<T, Ts...> {
  T value;
  Bundle<Ts...> rest;
};
template <int I, class B>
KOKKOS_FORCEINLINE_FUNCTION auto& bundle_get(B& bundle) {
  if constexpr (I == 0) {
    return bundle.value;
  } else {
    return bundle_get<I - 1>(bundle.rest);
  }
}

}  // namespace Impl
}  // namespace KokkosStencil
