// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "FunctorTest.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

// Functors that reduce in the same pass. Values are integers, so that sums are exact in any order.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorReductions : testing::Test {};
TYPED_TEST_SUITE(FunctorReductions, FunctorSpaces, SpaceNames);

/// w = A p and p . w.
template <int Rank>
struct Product {
  template <class N, class T>
  KOKKOS_FUNCTION T operator()(N const& p, T& dot) const {
    T const w = Sum<Rank>::of(p);
    dot += Sum<Rank>::at(p) * w;
    return w;
  }
};

/// The same with the output by reference, and the largest and smallest value as well.
template <int Rank>
struct Bounds {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& p, T& w, double& dot, T& most, T& least) const {
    w = Sum<Rank>::of(p);
    dot += static_cast<double>(Sum<Rank>::at(p) * w);
    most  = w > most ? w : most;
    least = w < least ? w : least;
  }
};

/// No output.
template <int Rank>
struct Count {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& p, std::int64_t& positive) const {
    if (Sum<Rank>::of(p) > 0) ++positive;
  }
};

/// Neighbours and the index, which are summed up as well.
template <int Rank>
struct LongRows {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n, double& sum) const {
    double w = static_cast<double>(n.index(Rank - 2));
    if constexpr (Rank == 2) {
      w += n(0, -1) + n(0, 1) + n(-1, 0) + 2.0 * n(1, 0);
    } else {
      w += n(0, 0, -1) + n(0, 0, 1) + n(0, -1, 0) + 2.0 * n(0, 1, 0) + 3.0 * n(-1, 0, 0) + 4.0 * n(1, 0, 0);
    }
    sum += w;
    return w;
  }
};

struct Totals {
  double dot = 0, most = -1e30, least = 1e30;
  std::int64_t positive = 0;
};

template <class Exec, int Rank, class T, class Layout>
void check_reductions() {
  Extents const extent = extents_for(Rank);
  Made<Exec, Rank, T, Layout> u, w;
  Field const in = filled(Rank, extent, Data::integer, 3, exactly), nines(Rank, extent, 9.0);
  put(u.view, in);
  for (Face const& rule : all_faces())
    for (std::string const& backend : functor_backends<Exec>(true)) {
      Face const face = rule.kind == BoundaryKind::value ? Face::value(2) : rule;
      SCOPED_TRACE(std::string(to_string(face.kind)) + ", rank " + std::to_string(Rank) + " " + backend);
      Totals expected;
      Field const after =
          expected_of(functor_call(Rank, extent, 1, face), in, nines, [&](Extents const& i, auto const& read) {
            double const value = Sum<Rank>::expected(read);
            expected.dot += in(i)*value;
            expected.most  = std::max(expected.most, value);
            expected.least = std::min(expected.least, value);
            expected.positive += value > 0 ? 1 : 0;
            return value;
          });
      StencilPolicy<Exec, Rank> const rules = StencilPolicy<Exec, Rank>().boundary(rules_of<Rank>(face));
      auto const policy                     = by_way(rules, backend, true);
      auto const input                      = reach<1>(u.view);

      // One scalar.
      put(w.view, nines);
      T dot = 17;
      parallel_reduce("product", policy, Product<Rank>(), input, w.view, Kokkos::Sum<T>(dot));
      EXPECT_EQ(static_cast<double>(dot), expected.dot);
      expect_equal(take(w.view), after);
      dot = 17;
      put(w.view, nines);
      parallel_reduce("product", by_way(rules, backend, false).radius(1), Product<Rank>(), fields(u.view),
                      fields(w.view), dot);
      EXPECT_EQ(static_cast<double>(dot), expected.dot);
      expect_equal(take(w.view), after);

      // A View, for which nothing waits.
      Kokkos::View<T, typename Exec::memory_space> const place("place");
      put(w.view, nines);
      parallel_reduce("product", policy, Product<Rank>(), input, w.view,
                      Kokkos::Sum<T, typename Exec::memory_space>(place));
      Kokkos::fence();
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), place);
      EXPECT_EQ(static_cast<double>(host()), expected.dot);
      expect_equal(take(w.view), after);
      Kokkos::deep_copy(place, T(3));
      parallel_reduce("product", policy, Product<Rank>(), input, w.view, place);
      Kokkos::fence();
      EXPECT_EQ(static_cast<double>(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), place)()), expected.dot);

      // Several at once, of several types.
      double sum = 5;
      T most = 5, least = 5;
      put(w.view, nines);
      parallel_reduce("bounds", policy, Bounds<Rank>(), input, w.view, Kokkos::Sum<double>(sum), Kokkos::Max<T>(most),
                      Kokkos::Min<T>(least));
      EXPECT_EQ(sum, expected.dot);
      EXPECT_EQ(static_cast<double>(most), expected.most);
      EXPECT_EQ(static_cast<double>(least), expected.least);
      expect_equal(take(w.view), after);

      std::int64_t positive = -1;
      parallel_reduce("count", policy, Count<Rank>(), input, positive);
      EXPECT_EQ(positive, expected.positive);
    }
}

TYPED_TEST(FunctorReductions, SumsAndBounds) {
  check_reductions<TypeParam, 1, double, Kokkos::LayoutRight>();
  check_reductions<TypeParam, 1, int, Kokkos::LayoutStride>();
  check_reductions<TypeParam, 2, double, Kokkos::LayoutRight>();
  check_reductions<TypeParam, 2, int, Kokkos::LayoutLeft>();
  check_reductions<TypeParam, 2, float, Kokkos::LayoutRight>();
  check_reductions<TypeParam, 2, double, Kokkos::LayoutStride>();
  check_reductions<TypeParam, 3, double, Kokkos::LayoutRight>();
  check_reductions<TypeParam, 3, int, Kokkos::LayoutLeft>();
  check_reductions<TypeParam, 3, double, Kokkos::LayoutStride>();
}

struct Powers {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& n, double& product) const {
    product *= n(0, 0);
  }
};

TYPED_TEST(FunctorReductions, Products) {
  SpaceView<TypeParam, double**> const u("u", 36, 48);
  Field two(2, extents_for(2), 1.0);
  for (std::int64_t k = 0; k < 30; ++k) two({{k, k, 0}}) = 2.0;
  fill(u, two);
  double product = 0;
  parallel_reduce("product", StencilPolicy<TypeParam, 2>().radius(0), Powers(), u, Kokkos::Prod<double>(product));
  EXPECT_EQ(product, double(1 << 30));
}

/// Two outputs, one of them updated in place.
struct Residual {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, N const& x, double& r, double& y, double& norm) const {
    double const before = x(0, 0);
    r                   = Sum<2>::of(u);
    y                   = before + r;
    norm += r * r;
  }
};

TYPED_TEST(FunctorReductions, SeveralOutputs) {
  Extents const extent = extents_for(2);
  SpaceView<TypeParam, double**> const u("u", 36, 48), r("r", 36, 48), x("x", 36, 48);
  Field const in = filled(2, extent, Data::integer, 3, exactly), old = filled(2, extent, Data::integer, 4, exactly);
  fill(u, in);
  fill(x, old);
  fill(r, old);
  double norm = 0, expected = 0;
  Call const call      = functor_call(2, extent, 1, Face::edge());
  Field const residual = expected_of(call, in, old, [&](Extents const&, auto const& read) {
    double const value = Sum<2>::expected(read);
    expected += value * value;
    return value;
  });
  auto const policy    = StencilPolicy<TypeParam, 2>().boundary(Boundary<2>::edge());
  parallel_reduce("residual", policy, Residual(), fields(reach<1>(u), x), r, x, Kokkos::Sum<double>(norm));
  EXPECT_EQ(norm, expected);
  expect_equal(values_of(r), residual);
  Field sum = old;
  sum.each([&](Extents const& i) { sum(i) = old(i) + residual(i); });
  expect_equal(values_of(x), sum);
}

/// Whether each point of a plane or volume with a constant around it has the sum of its neighbours, and the sum of all.
template <class Exec, int Rank>
void check_long_rows(std::int64_t planes, std::int64_t rows, std::int64_t columns) {
  using Data    = std::conditional_t<Rank == 2, double**, double***>;
  using View    = SpaceView<Exec, Data>;
  View const u  = Rank == 2 ? View("u", rows, columns) : View("u", planes, rows, columns);
  View const w  = Rank == 2 ? View("w", rows, columns) : View("w", planes, rows, columns);
  auto const in = Kokkos::create_mirror_view(u), out = Kokkos::create_mirror_view(w);
  auto const at = [&](auto const& view, std::int64_t z, std::int64_t y, std::int64_t x) -> double& {
    return view.data()[(z * rows + y) * columns + x];
  };
  auto const value = [](std::int64_t z, std::int64_t y, std::int64_t x) {
    return static_cast<double>((z * 7 + y * 5 + x * 3) % 11);
  };
  for (std::int64_t z = 0; z < planes; ++z)
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < columns; ++x) at(in, z, y, x) = value(z, y, x);
  Kokkos::deep_copy(u, in);
  auto const read = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    bool const inside = z >= 0 && z < planes && y >= 0 && y < rows && x >= 0 && x < columns;
    return inside ? value(z, y, x) : 2.0;
  };
  double sum = 0.0, expected = 0.0;
  parallel_reduce("long rows", StencilPolicy<Exec, Rank>().boundary(Boundary<Rank>::value(2.0)), LongRows<Rank>(),
                  reach<1>(u), w, Kokkos::Sum<double>(sum));
  Kokkos::deep_copy(out, w);
  std::int64_t wrong = 0;
  for (std::int64_t z = 0; z < planes; ++z)
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < columns; ++x) {
        double around = read(z, y, x - 1) + read(z, y, x + 1) + read(z, y - 1, x) + 2.0 * read(z, y + 1, x);
        if (Rank == 3) around += 3.0 * read(z - 1, y, x) + 4.0 * read(z + 1, y, x);
        expected += around + static_cast<double>(y);
        wrong += at(out, z, y, x) == around + static_cast<double>(y) ? 0 : 1;
      }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(sum, expected);
}

// Rows near faces are taken in pieces.
TYPED_TEST(FunctorReductions, LongRowsNearFaces) {
  check_long_rows<TypeParam, 2>(1, 11, 3100);
  check_long_rows<TypeParam, 3>(3, 19, 420);
}

TYPED_TEST(FunctorReductions, NothingToReduce) {
  SpaceView<TypeParam, double**> const u("u", 5, 6), w("w", 5, 6), none("none", 0, 6), nothing("nothing", 0, 6);
  double dot = 3;
  parallel_reduce("product", StencilPolicy<TypeParam, 2>({2, 2}, {2, 4}), Product<2>(), reach<1>(u), w,
                  Kokkos::Sum<double>(dot));
  EXPECT_EQ(dot, 0);
  dot = 3;
  parallel_reduce("product", StencilPolicy<TypeParam, 2>(), Product<2>(), reach<1>(none), nothing, dot);
  EXPECT_EQ(dot, 0);
  // No kernel runs, so that it matters to nobody which one is forced.
  dot = 3;
  parallel_reduce("product", StencilPolicy<TypeParam, 2>({2, 2}, {2, 4}).backend("functor_direct"), Product<2>(),
                  reach<1>(u), w, dot);
  EXPECT_EQ(dot, 0);
}

TYPED_TEST(FunctorReductions, Misuse) {
  SpaceView<TypeParam, double**> const u("u", 37, 41), k("k", 37, 40);
  StencilPolicy<TypeParam, 2> const policy;
  double dot = 0;
  EXPECT_ERROR(parallel_reduce("product", policy, Product<2>(), u, u, Kokkos::Sum<double>(dot)), "\"product\"",
               ".radius(r)");
  EXPECT_ERROR(parallel_reduce("product", policy, Product<2>(), reach<1>(u), u, Kokkos::Sum<double>(dot)),
               "\"product\"", "overlap", "reach<0>");
  SpaceView<TypeParam, double**> const w("w", 37, 41);
  EXPECT_ERROR(parallel_reduce("product", policy.backend("functor_points"), Product<2>(), reach<1>(u), w,
                               Kokkos::Sum<double>(dot)),
               "\"product\"", "functor_points", "no results of a reduction");
  // As if never allocated, which g++ 12 and Kokkos 4.6.99 cannot destroy.
  Kokkos::View<double, typename TypeParam::memory_space> const none(nullptr);
  EXPECT_ERROR(parallel_reduce("product", policy, Product<2>(), reach<1>(u), w, none), "\"product\"", "no memory");
  // What would overwrite something else.
  Kokkos::View<double, typename TypeParam::memory_space> const inside(w.data() + 5);
  EXPECT_ERROR(parallel_reduce("product", policy, Product<2>(), reach<1>(u), w, inside), "\"product\"",
               "result 0 lies in output 0");
  Kokkos::View<double, typename TypeParam::memory_space> const beside(u.data());
  parallel_reduce("product", policy, Product<2>(), reach<1>(u), w, beside);
  double sum = 0;
  EXPECT_ERROR(parallel_reduce("bounds", policy, Bounds<2>(), reach<1>(u), w, Kokkos::Sum<double>(sum),
                               Kokkos::Max<double>(dot), Kokkos::Min<double>(dot)),
               "\"bounds\"", "results 1 and 2 lie in the same memory");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
