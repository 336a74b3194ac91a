// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

// Grids of more than 2^31 points: every backend that runs there, one sweep against the definition, point by point, and
// three sweeps against the generic kernels.

#ifndef KOKKOS_ENABLE_CUDA

TEST(LargeGrids, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;
using Half = Kokkos::Experimental::half_t;

/// -1, 0 or 1 for each point.
KOKKOS_INLINE_FUNCTION int value_of(std::int64_t point) {
  std::uint64_t z = (static_cast<std::uint64_t>(point) + 1) * 0x9E3779B97F4A7C15ull;
  z ^= z >> 31;
  z *= 0xBF58476D1CE4E5B9ull;
  return static_cast<int>((z >> 40) % 3) - 1;
}

struct Fill {
  Kokkos::View<Half*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged> to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    to(static_cast<std::size_t>(i)) = static_cast<Half>(static_cast<float>(value_of(i)));
  }
};

struct Unequal {
  Kokkos::View<Half*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged> a, b;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    auto const n = static_cast<std::size_t>(i);
    if (!(static_cast<float>(a(n)) == static_cast<float>(b(n)))) ++count;
  }
};

/// Points of a sweep that are not as the definition says; those without all neighbours must hold what was there.
struct Wrong {
  static constexpr int most = 27;
  Kokkos::View<Half*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged> out;
  std::int64_t extent[3];
  int offset[most][3];
  int coefficient[most];
  int terms, reach[3];
  KOKKOS_FUNCTION void operator()(std::int64_t point, std::int64_t& count) const {
    std::int64_t const at[3] = {point / extent[2] / extent[1], point / extent[2] % extent[1], point % extent[2]};
    bool inside              = true;
    for (int a = 0; a < 3; ++a) inside = inside && at[a] >= reach[a] && at[a] < extent[a] - reach[a];
    int expected = inside ? 0 : value_of(point);
    for (int t = 0; inside && t < terms; ++t) {
      expected +=
          coefficient[t] * value_of(point + (offset[t][0] * extent[1] + offset[t][1]) * extent[2] + offset[t][2]);
    }
    if (!(static_cast<float>(out(static_cast<std::size_t>(point))) == static_cast<float>(expected))) ++count;
  }
};

template <int Rank>
class Grid {
  using Data   = std::conditional_t<Rank == 1, Half*, std::conditional_t<Rank == 2, Half**, Half***>>;
  using View   = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Flat   = Kokkos::View<Half*, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged>;
  using Points = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

 public:
  explicit Grid(Kokkos::LayoutRight const& layout) : m_layout(layout) {
    for (View* view : {&m_u, &m_v, &m_expected, &m_other}) {
      *view = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, "field"), layout);
    }
    EXPECT_GT(m_u.span(), std::size_t(1) << 31);
  }

  /// Names of the backends that ran.
  std::set<std::string> run(Stencil<float, Rank> const& stencil) {
    std::set<std::string> ran;
    for (int const steps : {1, 3}) {
      if (steps > 1) several("generic", stencil, steps, m_expected, m_other);
      auto const candidates = Plan("large", StencilPolicy<Exec, Rank>(), stencil, m_u, m_v).candidates(steps);
      for (Candidate const& c : candidates) {
        if (!c.runnable || ran.count(c.backend + std::to_string(steps)) > 0) continue;
        ran.insert(c.backend + std::to_string(steps));
        std::int64_t wrong = 0;
        if (steps == 1) {
          fill(m_u);
          fill(m_v);
          parallel_for("large", StencilPolicy<Exec, Rank>().backend(c.backend), stencil, m_u, m_v);
          Kokkos::parallel_reduce("check", points(), definition(stencil), wrong);
        } else if (c.backend != "generic") {
          several(c.backend, stencil, steps, m_u, m_v);
          Kokkos::parallel_reduce("check", points(), Unequal{flat(m_u), flat(m_expected)}, wrong);
        }
        EXPECT_EQ(last_backend(), c.backend);
        EXPECT_EQ(wrong, 0) << c.backend << ", " << steps << " sweeps";
      }
    }
    return ran;
  }

 private:
  static Flat flat(View const& view) { return Flat(view.data(), view.span()); }
  Points points() const { return Points(0, static_cast<std::int64_t>(m_u.span())); }
  void fill(View const& view) const { Kokkos::parallel_for("fill", points(), Fill{flat(view)}); }

  void several(std::string const& backend, Stencil<float, Rank> const& stencil, int steps, View& u, View& v) const {
    fill(u);
    fill(v);
    iterate("large", StencilPolicy<Exec, Rank>().backend(backend), stencil, steps, u, v);
  }

  Wrong definition(Stencil<float, Rank> const& stencil) const {
    Wrong w{};
    w.out = flat(m_v);
    for (int a = 0; a < 3; ++a) w.extent[a] = 1;
    for (int a = 0; a < Rank; ++a) w.extent[3 - Rank + a] = static_cast<std::int64_t>(m_layout.dimension[a]);
    for (auto const& term : stencil.terms()) {
      w.coefficient[w.terms] = static_cast<int>(term.coefficient);
      for (int a = 0; a < Rank; ++a) {
        int const offset                = term.offset[static_cast<std::size_t>(a)];
        w.offset[w.terms][3 - Rank + a] = offset;
        w.reach[3 - Rank + a]           = std::max(w.reach[3 - Rank + a], std::abs(offset));
      }
      ++w.terms;
    }
    return w;
  }

  Kokkos::LayoutRight m_layout;
  View m_u, m_v, m_expected, m_other;
};

/// Signs in no order.
template <int Rank>
Stencil<float, Rank> signs(Stencil<float, Rank> const& shape) {
  auto terms = shape.terms();
  for (std::size_t t = 0; t < terms.size(); ++t) terms[t].coefficient = t * 5 % 3 == 0 ? -1.0f : 1.0f;
  return Stencil<float, Rank>(terms);
}

class LargeGrids : public testing::Test {
 protected:
  void SetUp() override {
#ifndef KOKKOSSTENCIL_WITH_CUDA
    GTEST_SKIP() << "built without the CUDA backends";
#endif
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess || free < (std::size_t(20) << 30)) {
      GTEST_SKIP() << "20 GiB of device memory are not free";
    }
  }
};

TEST_F(LargeGrids, Lines) {
  auto const ran =
      Grid<1>(Kokkos::LayoutRight((std::size_t(1) << 31) + 4 * 1024 + 8)).run(signs(star<1>(2, {1.0f, 1.0f, 1.0f})));
  for (char const* name : {"generic1", "cuda_direct1"}) EXPECT_EQ(ran.count(name), 1u) << name;
}

TEST_F(LargeGrids, Planes) {
  auto const ran = Grid<2>(Kokkos::LayoutRight(46411, 46344)).run(signs(box<2>(1, std::vector<float>(9, 1.0f))));
  for (char const* name :
       {"generic1", "cuda_direct1", "cuda_sparse_tensor1", "cuda_sparse_tensor3", "cuda_temporal3"}) {
    EXPECT_EQ(ran.count(name), 1u) << name;
  }
}

TEST_F(LargeGrids, Spaces) {
  auto const ran = Grid<3>(Kokkos::LayoutRight(1301, 1297, 1288)).run(signs(box<3>(1, std::vector<float>(27, 1.0f))));
  for (char const* name : {"generic1", "cuda_direct1", "cuda_sparse_tensor1", "cuda_sparse_table1"}) {
    EXPECT_EQ(ran.count(name), 1u) << name;
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
