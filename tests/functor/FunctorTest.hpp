// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../harness/Reference.hpp"
#include "../harness/Spaces.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

// Functor stencils on one execution space. Named functors: nvcc takes no extended lambdas in the private
// member functions that googletest makes of tests.

namespace KokkosStencil {
namespace Test {

using FunctorSpaces = SpacesAs<testing::Types>;

struct SpaceNames {
  template <class Exec>
  static std::string GetName(int) {
    return Exec::name();
  }
};

template <class Exec, class Data, class Layout = Kokkos::LayoutRight>
using SpaceView = Kokkos::View<Data, Layout, typename Exec::memory_space>;

inline double exactly(double x) { return x; }

template <class View>
Extents extents_of(View const& view) {
  Extents e{{1, 1, 1}};
  for (std::size_t a = 0; a < std::size_t(View::rank); ++a) e[a] = static_cast<std::int64_t>(view.extent(int(a)));
  return e;
}

template <class View>
auto& point_of(View const& view, Extents const& i) {
  if constexpr (int(View::rank) == 1) {
    return view(i[0]);
  } else if constexpr (int(View::rank) == 2) {
    return view(i[0], i[1]);
  } else {
    return view(i[0], i[1], i[2]);
  }
}

template <class View>
void fill(View const& view, Field const& values) {
  auto const host = Kokkos::create_mirror_view(view);
  values.each(
      [&](Extents const& i) { point_of(host, i) = static_cast<typename View::non_const_value_type>(values(i)); });
  Kokkos::deep_copy(view, host);
}

template <class View>
Field values_of(View const& view) {
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(host, view);
  Field values(int(View::rank), extents_of(view));
  values.each([&](Extents const& i) { values(i) = static_cast<double>(point_of(host, i)); });
  return values;
}

/// A call that describes the window and the rules of a functor stencil to the reference.
inline Call functor_call(int rank, Extents const& extent, int radius, Face const& face) {
  Call call;
  call.rank   = rank;
  call.extent = extent;
  call.terms  = box_offsets(rank, radius);
  call.face(face);
  return call;
}

/// What a functor stencil must give: f(read) for each point of the range, read(offset) being the value
/// there; elsewhere the values of `before`.
template <class F>
Field expected_of(Call const& call, Field const& input, Field before, F const& f) {
  Ghosts const ghosts(call, exactly);
  Range const range = written_range(call);
  Field::each_in(range.begin, range.end, [&](Extents const& i) {
    before(i) = f(i, [&](std::array<int, 3> const& offset) { return ghosts.read(input, i, offset); });
  });
  return before;
}

inline void expect_equal(Field const& got, Field const& expected) {
  got.each([&](Extents const& i) { EXPECT_EQ(got(i), expected(i)) << index_text(got.rank, i); });
}

template <int Rank>
Boundary<Rank> rules_of(Face const& face) {
  return Boundary<Rank>(face);
}

}  // namespace Test
}  // namespace KokkosStencil
