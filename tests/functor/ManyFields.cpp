// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FunctorTest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

// Stencils that are code and read eight fields far around: more than a thread's registers hold for a vector, so that
// GPUs compute them point by point.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorManyFields : testing::Test {};
TYPED_TEST_SUITE(FunctorManyFields, FunctorSpaces, SpaceNames);

constexpr int reach_of_fields = 4;

/// How much of each field the outputs take.
constexpr int weight(int field) { return field % 2 == 0 ? field + 1 : -field; }

template <int Rank>
struct Star {
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static auto of(N const& n) {
    constexpr int r = reach_of_fields;
    if constexpr (Rank == 2) {
      return 2 * n(-r, 0) - n(r, 0) + 3 * n(0, -r) + n(0, 1) + n(0, 0);
    } else {
      return 2 * n(-r, 0, 0) - n(r, 0, 0) + 3 * n(0, -r, 0) + n(0, 2, 0) - n(0, 0, r) + n(0, 0, 1);
    }
  }
};

/// Adds to the first output what the star makes of all fields, and sets the second one to what lies at the point.
template <int Rank>
struct Mix {
  using S = Star<Rank>;
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, N const& c, N const& d, N const& e, N const& f, N const& g,
                                  N const& h, T& sum, T& here) const {
    sum += weight(0) * S::of(a) + weight(1) * S::of(b) + weight(2) * S::of(c) + weight(3) * S::of(d) +
           weight(4) * S::of(e) + weight(5) * S::of(f) + weight(6) * S::of(g) + weight(7) * S::of(h);
    here = at(a) - at(h);
  }

 private:
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static auto at(N const& n) {
    if constexpr (Rank == 2) {
      return n(0, 0);
    } else {
      return n(0, 0, 0);
    }
  }
};
/// The same, and the largest of the first output and the sum of the second.
template <int Rank>
struct MixAndReduce {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, N const& c, N const& d, N const& e, N const& f, N const& g,
                                  N const& h, T& sum, T& here, T& largest, T& all) const {
    Mix<Rank>()(a, b, c, d, e, f, g, h, sum, here);
    if (sum > largest) largest = sum;
    all += here;
  }
};

template <class Exec, int Rank, class T>
void check_mix(Extents const& extent, bool reduces) {
  using View      = SpaceView<Exec, DataOf<Rank, T>>;
  auto const make = [&] {
    auto const n = [&](std::size_t a) { return static_cast<std::size_t>(extent[a]); };
    if constexpr (Rank == 2) {
      return View("field", n(0), n(1));
    } else {
      return View("field", n(0), n(1), n(2));
    }
  };
  // Not assigned one by one: with g++ 12 and a development version of Kokkos 4.7, a View that is moved to an empty one
  // crashes.
  std::array<View, 8> const u{{make(), make(), make(), make(), make(), make(), make(), make()}};
  Field mixed(Rank, extent), difference(Rank, extent);
  for (int k = 0; k < 8; ++k) {
    Field const values = filled(Rank, extent, Data::integer, 31 + k, exactly);
    fill(u[static_cast<std::size_t>(k)], values);
    values.each([&](Extents const& i) {
      mixed(i) += weight(k) * values(i);
      if (k == 0 || k == 7) difference(i) += k == 0 ? values(i) : -values(i);
    });
  }
  View const sum = make(), here = make();
  auto const fields_in =
      fields(reach<reach_of_fields>(u[0]), reach<reach_of_fields>(u[1]), reach<reach_of_fields>(u[2]),
             reach<reach_of_fields>(u[3]), reach<reach_of_fields>(u[4]), reach<reach_of_fields>(u[5]),
             reach<reach_of_fields>(u[6]), reach<reach_of_fields>(u[7]));
  Field const threes(Rank, extent, 3.0), sevens(Rank, extent, 7.0);
  for (Face const& face : {Face::halo(), Face::periodic(), Face::mirror(), Face::edge(), Face::value(0)}) {
    Call const call           = functor_call(Rank, extent, reach_of_fields, face);
    Field const expected_sum  = expected_of(call, mixed, threes, [](Extents const&, auto const& read) {
      constexpr int r = reach_of_fields;
      if (Rank == 2) {
        return 3 + 2 * read({{-r, 0, 0}}) - read({{r, 0, 0}}) + 3 * read({{0, -r, 0}}) + read({{0, 1, 0}}) +
               read({{0, 0, 0}});
      }
      return 3 + 2 * read({{-r, 0, 0}}) - read({{r, 0, 0}}) + 3 * read({{0, -r, 0}}) + read({{0, 2, 0}}) -
             read({{0, 0, r}}) + read({{0, 0, 1}});
    });
    Field const expected_here = expected_of(call, difference, sevens, [](Extents const&, auto const& read) {
      return read({{0, 0, 0}});
    });
    for (std::string const& way : functor_backends<Exec>(reduces)) {
      SCOPED_TRACE(std::string(to_string(face.kind)) + " by \"" + way + "\"");
      fill(sum, threes);
      fill(here, sevens);
      auto const policy = by_way(StencilPolicy<Exec, Rank>().boundary(rules_of<Rank>(face)), way, true);
      if (reduces) {
        T largest = 0, all = 0;
        parallel_reduce("mix", policy, MixAndReduce<Rank>(), fields_in, fields(sum, here), Kokkos::Max<T>(largest),
                        Kokkos::Sum<T>(all));
        double most = -1e30, total = 0;
        Range const range = written_range(call);
        Field::each_in(range.begin, range.end, [&](Extents const& i) {
          most = std::max(most, expected_sum(i));
          total += expected_here(i);
        });
        EXPECT_EQ(double(largest), most);
        EXPECT_EQ(double(all), total);
      } else {
        parallel_for("mix", policy, Mix<Rank>(), fields_in, fields(sum, here));
      }
      std::string const cells = Rank == 3 ? "functor_streaming" : "functor_direct";
      if (!way.empty()) {
        EXPECT_EQ(last_backend(), way == "cells" ? cells : way);
      }
      expect_equal(values_of(sum), expected_sum);
      expect_equal(values_of(here), expected_here);
    }
  }
}

TYPED_TEST(FunctorManyFields, Planes) {
  check_mix<TypeParam, 2, double>({{70, 67, 1}}, false);
  check_mix<TypeParam, 2, float>({{64, 96, 1}}, false);
}
TYPED_TEST(FunctorManyFields, Volumes) {
  check_mix<TypeParam, 3, double>({{44, 43, 41}}, false);
  check_mix<TypeParam, 3, float>({{40, 36, 48}}, false);
}
TYPED_TEST(FunctorManyFields, Reduced) {
  check_mix<TypeParam, 2, double>({{70, 67, 1}}, true);
  check_mix<TypeParam, 3, float>({{40, 36, 48}}, true);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
