// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Every CUDA backend against the generic one, bit by bit, on grids so small that a race checker gets through them.

#ifndef KOKKOS_ENABLE_CUDA

TEST(Backends, OnSmallGrids) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;

/// -1, 0 and 1 in no order.
template <class T>
struct SmallIntegers {
  Kokkos::View<T*, Kokkos::CudaSpace> to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    unsigned long long z = (i + 1) * 0x9E3779B97F4A7C15ull;
    z ^= z >> 31;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29;
    to(i) = static_cast<T>(static_cast<float>(static_cast<int>(z % 3) - 1));
  }
};

template <class T>
struct Unequal {
  Kokkos::View<T*, Kokkos::CudaSpace> a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& count) const {
    if (!(static_cast<double>(a(i)) == static_cast<double>(b(i)))) ++count;
  }
};

/// Signs as coefficients: few sweeps of small integers stay exact in every type.
template <class C, int Rank>
Stencil<C, Rank> signs(Stencil<C, Rank> const& shape) {
  auto terms = shape.terms();
  for (std::size_t t = 0; t < terms.size(); ++t) terms[t].coefficient = t * 5 % 3 == 0 ? C(-1) : C(1);
  return Stencil<C, Rank>(terms);
}

using Counts = std::map<std::string, int>;

template <class T, int Rank>
class Comparison {
  using C    = std::conditional_t<std::is_same<T, double>::value, double, float>;
  using Data = std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>;
  using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::CudaSpace>;

 public:
  explicit Comparison(Counts& ran) : m_ran(ran) {
    Kokkos::LayoutRight const layout = Rank == 1   ? Kokkos::LayoutRight(20011)
                                       : Rank == 2 ? Kokkos::LayoutRight(75, 536)
                                                   : Kokkos::LayoutRight(21, 26, 144);
    for (auto* view : {&m_u, &m_v, &m_w, &m_x}) *view = View("field", layout);
  }

  void shapes() {
    for (int radius : {1, 2, 3, 4, 7}) {
      if (Rank == 3 && radius > 4) continue;
      shape(star<Rank>(radius, std::vector<C>(static_cast<std::size_t>(2 * Rank * radius + 1), C(1))), radius);
      std::size_t count = 1;
      for (int a = 0; a < Rank; ++a) count *= static_cast<std::size_t>(2 * radius + 1);
      if (Rank > 1 && count < 250) shape(box<Rank>(radius, std::vector<C>(count, C(1))), radius);
    }
  }

 private:
  void shape(Stencil<C, Rank> const& ones, int radius) {
    auto const stencil = signs(ones);
    SCOPED_TRACE(std::to_string(stencil.terms().size()) + " terms, radius " + std::to_string(radius) + ", rank " +
                 std::to_string(Rank) + ", " + std::to_string(sizeof(T)) + " bytes");
    for (auto const& policy :
         {StencilPolicy<Exec, Rank>(), StencilPolicy<Exec, Rank>().boundary(Boundary<Rank>::periodic())}) {
      sweeps(policy, stencil, 1);
      if (radius <= 2) sweeps(policy, stencil, 3);
      // Deeper than any kernel: floats and doubles are rounded then, in the same order.
      if (radius <= 2 && sizeof(T) > 2) sweeps(policy, stencil, 13);
    }
  }

  void sweeps(StencilPolicy<Exec, Rank> policy, Stencil<C, Rank> const& stencil, int steps) {
    run(policy, "generic", stencil, steps, m_w, m_x);
    auto const candidates = Plan("compare", policy, stencil, m_u, m_v).candidates(steps);
    std::string last;
    for (Candidate const& c : candidates) {
      // The fused sweeps of tensor cores round a sum of another shape.
      if (!c.runnable || c.backend == last || c.backend == "generic" || c.backend.rfind("cuda", 0) != 0) continue;
      if (steps == 13 && c.backend != "cuda_direct" && c.backend != "cuda_temporal" && c.backend != "cuda_resident") {
        continue;
      }
      last = c.backend;
      run(policy, c.backend, stencil, steps, m_u, m_v);
      EXPECT_EQ(last_backend(), c.backend);
      long wrong                     = 0;
      auto const& [result, expected] = steps == 1 ? std::pair(m_v, m_x) : std::pair(m_u, m_w);
      Kokkos::parallel_reduce("compare", Kokkos::RangePolicy<Exec>(0, result.span()),
                              Unequal<T>{{result.data(), result.span()}, {expected.data(), expected.span()}}, wrong);
      EXPECT_EQ(wrong, 0) << c.backend << ", " << steps << " sweeps";
      ++m_ran[c.backend];
    }
  }

  void run(StencilPolicy<Exec, Rank> const& any, std::string const& backend, Stencil<C, Rank> const& stencil, int steps,
           View& from, View& to) {
    Kokkos::RangePolicy<Exec> const all(0, from.span());
    Kokkos::parallel_for("fill", all, SmallIntegers<T>{{from.data(), from.span()}});
    Kokkos::deep_copy(to, from);
    auto policy = any;
    policy      = policy.backend(backend);
    if (steps == 1) {
      parallel_for("one", policy, stencil, from, to);
    } else {
      iterate("many", policy, stencil, steps, from, to);
    }
  }

  Counts& m_ran;
  View m_u, m_v, m_w, m_x;
};

template <class Value, int Dimensions>
struct Case {
  using Type                = Value;
  static constexpr int rank = Dimensions;
};

/// The backends that have kernels for several of the shapes.
template <class T>
std::vector<std::string> expected(int rank) {
  constexpr ValueType type = Impl::ValueTypeOf<T>::value;
  std::vector<std::string> names{"cuda_direct"};
  if (type != ValueType::bfloat16 || rank == 1) names.push_back("cuda_temporal");
  if (rank == 2 && sizeof(T) > 2) names.push_back("cuda_resident");
  if (sizeof(T) == 2) names.insert(names.end(), {"cuda_sparse_tensor", "cuda_sparse_table"});
  if (rank == 2 && type == ValueType::float32) names.push_back("cuda_tensor_float");
  if (rank == 2 && type == ValueType::float64) names.push_back("cuda_tensor_double");
  return names;
}

template <class T>
class Backends : public testing::Test {};

using Half   = Kokkos::Experimental::half_t;
using Bfloat = Kokkos::Experimental::bhalf_t;
using Cases =
    testing::Types<Case<float, 1>, Case<float, 2>, Case<float, 3>, Case<double, 1>, Case<double, 2>, Case<double, 3>,
                   Case<Half, 1>, Case<Half, 2>, Case<Half, 3>, Case<Bfloat, 1>, Case<Bfloat, 2>, Case<Bfloat, 3>>;
TYPED_TEST_SUITE(Backends, Cases, );

TYPED_TEST(Backends, OnSmallGrids) {
  auto const names = backend_names();
  if (std::none_of(names.begin(), names.end(), [](std::string const& name) { return name.rfind("cuda", 0) == 0; })) {
    GTEST_SKIP() << "built without the CUDA backends";
  }
  using T = typename TypeParam::Type;
  Counts ran;
  Comparison<T, TypeParam::rank>(ran).shapes();
  for (auto const& [name, count] : ran) this->RecordProperty(name, count);
  for (std::string const& name : expected<T>(TypeParam::rank)) EXPECT_GT(ran[name], 3) << name;
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
