// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Call.hpp"
#include "Placement.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// From plain data to the types of the library and of Kokkos.

namespace KokkosStencil {
namespace Test {

template <class T>
double widen(T x) {
  if constexpr (std::is_same<T, double>::value) {
    return x;
  } else {
    return static_cast<double>(static_cast<float>(x));
  }
}
template <class T>
T narrow(double x) {
  if constexpr (std::is_same<T, double>::value) {
    return x;
  } else {
    return static_cast<T>(static_cast<float>(x));
  }
}

template <class T, int Rank>
struct Pointer {
  using type = typename Pointer<T, Rank - 1>::type*;
};
template <class T>
struct Pointer<T, 0> {
  using type = T;
};

template <class View>
struct ViewTag {
  using type = View;
};

/// A View of values that lie at `data` as the placement says; other layouts than LayoutStride are taken to be compact.
template <class View>
View view_at(typename View::pointer_type data, Placement const& placement) {
  constexpr int rank = int(View::rank);
  std::size_t n[3], s[3];
  for (std::size_t a = 0; a < 3; ++a) {
    n[a] = static_cast<std::size_t>(placement.extent[a]);
    s[a] = static_cast<std::size_t>(placement.stride[a]);
  }
  if constexpr (std::is_same<typename View::array_layout, Kokkos::LayoutStride>::value) {
    if constexpr (rank == 1) return View(data, Kokkos::LayoutStride(n[0], s[0]));
    if constexpr (rank == 2) return View(data, Kokkos::LayoutStride(n[0], s[0], n[1], s[1]));
    if constexpr (rank == 3) return View(data, Kokkos::LayoutStride(n[0], s[0], n[1], s[1], n[2], s[2]));
  } else {
    if constexpr (rank == 1) return View(data, n[0]);
    if constexpr (rank == 2) return View(data, n[0], n[1]);
    if constexpr (rank == 3) return View(data, n[0], n[1], n[2]);
  }
}

template <int Rank, class Exec>
StencilPolicy<Exec, Rank> policy_of(Call const& call, Exec const& space, std::string const& backend) {
  using Policy = StencilPolicy<Exec, Rank>;
  typename Policy::index_array begin{}, end{};
  Boundary<Rank> rules;
  for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
    begin[a] = call.begin[a];
    end[a]   = call.end[a];
    rules    = rules.lower(int(a), call.faces[a][0]).upper(int(a), call.faces[a][1]);
  }
  Policy const p = call.whole ? Policy(space) : Policy(space, begin, end);
  return p.boundary(rules).accuracy(call.accuracy).backend(backend);
}

template <class C, int Rank>
Stencil<C, Rank> stencil_of(std::vector<Term> const& given) {
  std::vector<typename Stencil<C, Rank>::Term> terms;
  for (Term const& t : given) {
    typename Stencil<C, Rank>::Term term{};
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) term.offset[a] = t.offset[a];
    term.coefficient = static_cast<C>(t.coefficient);
    terms.push_back(term);
  }
  return Stencil<C, Rank>(terms);
}

}  // namespace Test
}  // namespace KokkosStencil
