// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace KokkosStencil {
namespace Cuda {

template <class F, std::size_t... K>
void with_index_of(std::size_t index, F const& f, std::index_sequence<K...>) {
  ((index == K ? f(std::integral_constant<std::size_t, K>()) : void()), ...);
}

/// Calls f with `index`, which is less than Count, as a compile-time constant: the entry of a table in a Tuning.hpp
/// whose kernel is wanted.
template <std::size_t Count, class F>
void with_index(std::size_t index, F const& f) {
  with_index_of(index, f, std::make_index_sequence<Count>());
}

}  // namespace Cuda
}  // namespace KokkosStencil
