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

/// Extents of a View of some rank: rows begin with whole vectors but in 1-D, whose last one is not whole.
inline Extents extents_for(int rank) {
  if (rank == 1) return {{1037, 1, 1}};
  if (rank == 2) return {{36, 48, 1}};
  return {{20, 18, 48}};
}

template <int Rank, class T>
using DataOf = std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>;

template <class View>
View make_view(std::string const& name) {
  Extents const e = extents_for(int(View::rank));
  if constexpr (int(View::rank) == 1) {
    return View(name, e[0]);
  } else if constexpr (int(View::rank) == 2) {
    return View(name, e[0], e[1]);
  } else {
    return View(name, e[0], e[1], e[2]);
  }
}

/// The ways to run a functor on a space: the library's choice first. "cells": the kernel for CUDA that fits the call on
/// many points.
template <class Exec>
std::vector<std::string> functor_backends([[maybe_unused]] bool reduces = false) {
#ifdef KOKKOS_ENABLE_CUDA
  if (std::is_same<Exec, Kokkos::Cuda>::value) {
    if (reduces) return {"", "generic", "cells"};
    return {"", "generic", "cells", "functor_points"};
  }
#endif
  return {""};
}

/// The policy with such a way forced, for a call that says how far a field reaches, or does not.
template <class Exec, int Rank>
StencilPolicy<Exec, Rank> by_way(StencilPolicy<Exec, Rank> const& policy, std::string const& way, bool reaches) {
  if (way != "cells") return policy.backend(way);
  return policy.backend(Rank == 3 && reaches ? "functor_streaming" : "functor_direct");
}

inline bool is_functor_backend() {
  return last_backend() == "generic" || last_backend() == "functor_points" || last_backend() == "functor_direct" ||
         last_backend() == "functor_streaming" || last_backend() == "functor_ring";
}

/// What sweeps volumes whose fields say how far they are read, if their rows lie as vectors do.
template <class Exec>
std::string volume_backend([[maybe_unused]] int reach) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same<Exec, Kokkos::Cuda>::value) {
#ifdef KOKKOSSTENCIL_IMPL_RINGS
    int const major = Exec().cuda_device_prop().major;
    if (reach >= 3 && major >= 9 && major < 12) return "functor_ring";
#endif
    return "functor_streaming";
  }
#endif
  return "generic";
}

/// The policy with the kernel that many points would take, where there are few.
template <class Exec, int Rank>
StencilPolicy<Exec, Rank> as_for_many(StencilPolicy<Exec, Rank> const& policy, [[maybe_unused]] int reach) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same<Exec, Kokkos::Cuda>::value) {
    return policy.backend(Rank == 3 ? volume_backend<Exec>(reach) : "functor_direct");
  }
#endif
  return policy;
}

/// A View and, with strides of any kind, the memory around it: there vectors begin at odd places, the same in all.
template <class Exec, int Rank, class T, class Layout>
struct Made {
  using View = SpaceView<Exec, DataOf<Rank, T>, Layout>;
  View view  = make_view<View>("view");
};
template <class Exec, int Rank, class T>
struct Made<Exec, Rank, T, Kokkos::LayoutStride> {
  using Parent = SpaceView<Exec, DataOf<Rank, T>, Kokkos::LayoutRight>;
  using View   = SpaceView<Exec, DataOf<Rank, T>, Kokkos::LayoutStride>;
  Parent parent;
  View view;
  Made() {
    Extents const e = extents_for(Rank);
    auto const part = [](std::int64_t n) { return std::make_pair(std::int64_t(3), n + 3); };
    if constexpr (Rank == 1) {
      parent = Parent("parent", e[0] + 5);
      view   = Kokkos::subview(parent, part(e[0]));
    } else if constexpr (Rank == 2) {
      parent = Parent("parent", e[0] + 5, e[1] + 8);
      view   = Kokkos::subview(parent, part(e[0]), part(e[1]));
    } else {
      parent = Parent("parent", e[0] + 5, e[1] + 5, e[2] + 8);
      view   = Kokkos::subview(parent, part(e[0]), part(e[1]), part(e[2]));
    }
  }
};

template <class View>
void put(View const& view, Field const& values) {
  // Through a contiguous one: mirrors of strided Views cannot be copied to devices.
  using Dense = Kokkos::View<typename View::non_const_data_type, Kokkos::LayoutRight, typename View::memory_space>;
  Dense const dense = make_view<Dense>("dense");
  fill(dense, values);
  Kokkos::deep_copy(typename View::execution_space(), view, dense);
  Kokkos::fence();
}
template <class View>
Field take(View const& view) {
  using Dense = Kokkos::View<typename View::non_const_data_type, Kokkos::LayoutRight, typename View::memory_space>;
  Kokkos::fence();
  Dense const dense = make_view<Dense>("dense");
  Kokkos::deep_copy(typename View::execution_space(), dense, view);
  Kokkos::fence();
  return values_of(dense);
}

/// The sum of the neighbours along each axis, each with a coefficient of its own.
template <int Rank>
struct Sum {
  template <class N>
  KOKKOS_FUNCTION static auto of(N const& n) {
    if constexpr (Rank == 1) {
      return n(-1) + 2 * n(1) - n(0);
    } else if constexpr (Rank == 2) {
      return n(-1, 0) + 2 * n(1, 0) + 3 * n(0, -1) + 4 * n(0, 1) - n(0, 0);
    } else {
      return n(-1, 0, 0) + 2 * n(1, 0, 0) + 3 * n(0, -1, 0) + 4 * n(0, 1, 0) + 5 * n(0, 0, -1) + 6 * n(0, 0, 1) -
             n(0, 0, 0);
    }
  }
  template <class N>
  KOKKOS_FUNCTION static auto at(N const& n) {
    if constexpr (Rank == 1) {
      return n(0);
    } else if constexpr (Rank == 2) {
      return n(0, 0);
    } else {
      return n(0, 0, 0);
    }
  }
  template <class Read>
  static double expected(Read const& read) {
    double sum = -read({{0, 0, 0}});
    for (std::size_t a = 0; a < Rank; ++a) {
      std::array<int, 3> offset{{0, 0, 0}};
      offset[a] = -1;
      sum += (2 * double(a) + 1) * read(offset);
      offset[a] = 1;
      sum += (2 * double(a) + 2) * read(offset);
    }
    return sum;
  }
};

template <int Rank>
Boundary<Rank> rules_of(Face const& face) {
  return Boundary<Rank>(face);
}

}  // namespace Test
}  // namespace KokkosStencil
