// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "FunctorTest.hpp"

#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Test {

/// Views of an extent, with strides of any kind in a larger one; then vectors do not lie aligned if `odd`.
template <class View>
View make(std::string const& name, std::array<std::size_t, 3> const& n, bool odd = false) {
  constexpr int rank = int(View::rank);
  if constexpr (std::is_same<typename View::array_layout, Kokkos::LayoutStride>::value) {
    using Parent           = Kokkos::View<typename View::data_type, Kokkos::LayoutRight, typename View::memory_space>;
    auto const part        = [](std::size_t begin, std::size_t size) { return std::make_pair(begin, begin + size); };
    std::size_t const wide = (n[rank - 1] + 15) / 8 * 8 + (odd ? 1 : 0);
    if constexpr (rank == 2) {
      Parent const parent(name, n[0] + 3, wide);
      return Kokkos::subview(parent, part(2, n[0]), part(3, n[1]));
    } else {
      Parent const parent(name, n[0] + 3, n[1] + 1, wide);
      return Kokkos::subview(parent, part(2, n[0]), part(1, n[1]), part(3, n[2]));
    }
  } else if constexpr (rank == 2) {
    return View(name, n[0], n[1]);
  } else {
    return View(name, n[0], n[1], n[2]);
  }
}
/// Integers of a size, and whether two Views differ, a point each.
template <class View>
struct Values {
  View v;
  int seed;
  KOKKOS_FUNCTION void operator()(int k) const {
    int const columns = int(v.extent(1)), i = k / columns, j = k % columns;
    if constexpr (int(View::rank) == 2) {
      v(i, j) = value(i, j, 0);
    } else {
      for (int l = 0; l < int(v.extent(2)); ++l) v(i, j, l) = value(i, j, l);
    }
  }
  KOKKOS_FUNCTION typename View::value_type value(int i, int j, int l) const {
    unsigned const h =
        (unsigned(i) * 7919u + unsigned(j) * 104729u + unsigned(l) * 611953u + unsigned(seed) * 31u) * 2654435761u;
    return static_cast<typename View::value_type>(int(h >> 24) - 128);
  }
};
template <class View>
struct Different {
  View a, b;
  KOKKOS_FUNCTION void operator()(int k, int& sum) const {
    int const columns = int(a.extent(1)), i = k / columns, j = k % columns;
    if constexpr (int(View::rank) == 2) {
      sum += a(i, j) == b(i, j) ? 0 : 1;
    } else {
      for (int l = 0; l < int(a.extent(2)); ++l) sum += a(i, j, l) == b(i, j, l) ? 0 : 1;
    }
  }
};
template <class View>
Kokkos::RangePolicy<typename View::execution_space> rows_of(View const& v) {
  return Kokkos::RangePolicy<typename View::execution_space>(0, v.extent(0) * v.extent(1));
}
template <class View>
void scatter(View const& v, int seed) {
  Kokkos::parallel_for("scatter", rows_of(v), Values<View>{v, seed});
  Kokkos::fence();
}
template <class View>
int different(View const& a, View const& b) {
  int sum = 0;
  Kokkos::parallel_reduce("different", rows_of(a), Different<View>{a, b}, sum);
  return sum;
}

inline std::vector<Boundary<2>> plane_rules() {
  return {
      Boundary<2>::halo(),
      Boundary<2>::value(2),
      Boundary<2>::periodic(),
      Boundary<2>::mirror(),
      Boundary<2>::edge(),
      Boundary<2>().lower(0, Face::value(3)).upper(0, Face::edge()).lower(1, Face::mirror()).upper(1, Face::value(1)),
      Boundary<2>::periodic().lower(1, Face::edge()).upper(1, Face::halo()),
      Boundary<2>::value(-1).lower(0, Face::halo()).upper(0, Face::mirror())};
}

/// Rows and columns such that there are several strips, the last of a few columns, and that rows differ from columns.
constexpr std::size_t rows = 163, columns = 269;

template <int Rank>
bool has_periodic_axis(Boundary<Rank> const& rules) {
  for (int a = 0; a < Rank; ++a) {
    if (rules.face(a, 0).kind == BoundaryKind::periodic) return true;
  }
  return false;
}

/// The ways to do many sweeps on a space.
template <class Exec, int Rank>
std::vector<std::string> ways() {
#ifdef KOKKOS_ENABLE_CUDA
  if (std::is_same<Exec, Kokkos::Cuda>::value && Rank > 1) {
    return {"", "generic", "functor_temporal", "functor_patches"};
  }
  if (std::is_same<Exec, Kokkos::Cuda>::value) return {"", "generic", "functor_patches"};
#endif
  if (Impl::is_host_space<Exec>()) {
    // The fields of tests are small: so are the caches, one of which has room for slabs, the other one for blocks only.
    static int calls = 0;
    Impl::set_host_pass_cache(++calls % 2 == 0 ? 1 << 15 : 1 << 18);
    return {"", "generic", "host_temporal"};
  }
  return {""};
}

}  // namespace Test
}  // namespace KokkosStencil
