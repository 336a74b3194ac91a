// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

// For the snippets of the documentation: a check that also works in release builds, and a way to look
// at single values of a View in any memory space.

#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                  \
    }                                                                                \
  } while (false)

template <class View, class... I>
typename View::non_const_value_type value_at(View const& view, I... i) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view)(i...);
}
