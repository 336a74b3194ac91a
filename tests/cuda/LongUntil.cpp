// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

// iterate_until where the change is summed by more than one block, in rows longer than a segment, on a stream: against
// states of the same bits that are compared on the host.

#ifndef KOKKOS_ENABLE_CUDA

TEST(LongUntil, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

#include "Streams.hpp"

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;

template <class T, int Rank>
class LongIteration {
  using C    = std::conditional_t<std::is_same<T, double>::value, double, float>;
  using View = Kokkos::View<std::conditional_t<Rank == 1, T*, T**>, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Flat = Kokkos::View<T*, Kokkos::CudaSpace>;
  using Host = Kokkos::View<T*, Kokkos::HostSpace>;

 public:
  LongIteration(std::size_t rows, std::size_t columns)
      : m_rows(rows),
        m_columns(columns),
        m_policy(StencilPolicy<Exec, Rank>(Exec(m_stream.get())).accuracy(Accuracy::reproducible)) {
    // A damped average: the change shrinks by about a half each step.
    m_stencil = star<Rank>(1, {C(0.25), C(0.0625)});
  }

  void verify(Boundary<Rank> const& rules, std::int64_t reach) {
    auto const policy = StencilPolicy<Exec, Rank>(m_policy).boundary(rules);
    std::vector<Host> states;
    for (std::int64_t k = 0; k <= 6; ++k) {
      View u = start(), v = make("v");
      iterate("states", policy, m_stencil, k, u, v);
      states.push_back(read(u));
    }
    for (Norm const norm : {Norm::max, Norm::rms}) {
      for (std::int64_t const every : {1, 2, 3}) {
        SCOPED_TRACE(std::string(norm == Norm::max ? "max" : "l2") + ", a check after every " + std::to_string(every));
        // Between two changes that are checked, so that rounding cannot move the step.
        std::int64_t const last = every == 3 ? 6 : 4;
        auto const change       = [&](std::int64_t k) {
          return change_of(states[static_cast<std::size_t>(k)], states[static_cast<std::size_t>(k - 1)], reach, norm);
        };
        double const before = change(last - every), after = change(last);
        ASSERT_LT(after, before);
        View u = start(), v = make("v");
        UntilResult const r = iterate_until("until", policy, m_stencil,
                                            StoppingCriterion{0.5 * (before + after), 100, every, norm}, u, v);
        EXPECT_TRUE(r.converged);
        EXPECT_EQ(r.steps, last);
        // Sums in any order differ from each other by a factor of at most gamma_n each (Higham, 3.1).
        double const points = static_cast<double>(m_rows * m_columns);
        double const rounding =
            norm == Norm::max ? 0.0 : after * (points + 4.0) * std::numeric_limits<double>::epsilon();
        EXPECT_NEAR(r.update_norm, after, rounding);
        Host const newest = read(u);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < newest.extent(0); ++i) {
          wrong += widened(newest(i)) != widened(states[static_cast<std::size_t>(last)](i)) ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0u);
      }
    }
  }

 private:
  static double widened(T x) {
    if constexpr (std::is_same<T, double>::value) return x;
    return static_cast<double>(static_cast<float>(x));
  }

  View make(char const* name) const {
    if constexpr (Rank == 1) return View(name, m_columns);
    if constexpr (Rank == 2) return View(name, m_rows, m_columns);
  }

  View start() const {
    View const u = make("u");
    Host const values("values", u.span());
    unsigned random = 7;
    for (std::size_t i = 0; i < values.extent(0); ++i) {
      random    = 1664525u * random + 1013904223u;
      values(i) = static_cast<T>(static_cast<float>(random >> 16) / 32768.0f - 1.0f);
    }
    // The largest change lies in the last segment.
    values(values.extent(0) - 2) = static_cast<T>(50.0f);
    Kokkos::deep_copy(Flat(u.data(), u.span()), values);
    Kokkos::fence();
    return u;
  }

  Host read(View const& u) const {
    m_stream.wait();
    Host const values("values", u.span());
    Kokkos::deep_copy(values, Flat(u.data(), u.span()));
    return values;
  }

  double change_of(Host const& a, Host const& b, std::int64_t reach, Norm norm) const {
    auto const inside = [reach](std::size_t i, std::size_t n) {
      return static_cast<std::int64_t>(i) >= reach &&
             static_cast<std::int64_t>(i + 1) <= static_cast<std::int64_t>(n) - reach;
    };
    long double most = 0.0L, sum = 0.0L;
    std::size_t points = 0;
    for (std::size_t y = 0; y < m_rows; ++y) {
      for (std::size_t x = 0; x < m_columns; ++x) {
        if (!inside(x, m_columns) || (Rank == 2 && !inside(y, m_rows))) continue;
        std::size_t const i = y * m_columns + x;
        long double const d = std::abs(static_cast<long double>(widened(a(i))) - widened(b(i)));
        most                = std::max(most, d);
        sum += d * d;
        ++points;
      }
    }
    return static_cast<double>(norm == Norm::max ? most : std::sqrt(sum / static_cast<long double>(points)));
  }

  std::size_t m_rows, m_columns;
  HeldStream m_stream;
  StencilPolicy<Exec, Rank> m_policy;
  Stencil<C, Rank> m_stencil{};
};

TEST(LongUntil, Lines) {
  LongIteration<float, 1> line(1, 3000017);
  line.verify(Boundary<1>::periodic(), 0);
  line.verify(Boundary<1>::halo(), 1);
}

TEST(LongUntil, RowsOfSeveralSegments) {
  LongIteration<float, 2>(40, 5000).verify(Boundary<2>::halo(), 1);
  LongIteration<double, 2>(40, 5000).verify(Boundary<2>::mirror(), 0);
  LongIteration<Kokkos::Experimental::half_t, 2>(40, 5001).verify(Boundary<2>::periodic(), 0);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
