// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/HostViews.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

// Offsets and extents past 2^31: mostly in memory that is reserved but never touched.

namespace KokkosStencil {
namespace Test {
namespace {

constexpr std::int64_t g_two_31 = std::int64_t(1) << 31;

/// Zeros that take memory only where they are written.
template <class T>
class Sparse {
 public:
  explicit Sparse(std::int64_t count) : m_bytes(static_cast<std::size_t>(count) * sizeof(T)) {
#if defined(__linux__)
    void* const p = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    m_data        = p == MAP_FAILED ? nullptr : static_cast<T*>(p);
#endif
  }
  ~Sparse() {
#if defined(__linux__)
    if (m_data != nullptr) munmap(m_data, m_bytes);
#endif
  }
  Sparse(Sparse const&)            = delete;
  Sparse& operator=(Sparse const&) = delete;

  T* data() const { return m_data; }

 private:
  std::size_t m_bytes;
  T* m_data = nullptr;
};

#define SKIP_WITHOUT(memory) \
  if ((memory).data() == nullptr) GTEST_SKIP() << "the system does not reserve this much address space"

template <class T>
struct LargeOffsets : testing::Test {};
using Values = testing::Types<float, double>;
struct ValueNames {
  template <class T>
  static std::string GetName(int) {
    return to_string(Impl::ValueTypeOf<T>::value);
  }
};
TYPED_TEST_SUITE(LargeOffsets, Values, ValueNames);

TYPED_TEST(LargeOffsets, APitchPast32Bits) {
  // Five rows of 64 points, each 2^30 elements after the one before.
  constexpr std::int64_t pitch = std::int64_t(1) << 30, rows = 5, columns = 64;
  Sparse<TypeParam> const in(rows * pitch), out(rows * pitch);
  SKIP_WITHOUT(in);
  SKIP_WITHOUT(out);
  using View = HostView<TypeParam**, Kokkos::LayoutStride>;
  Kokkos::LayoutStride const layout(rows, pitch, columns, 1);
  View u(in.data(), layout), v(out.data(), layout);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) u(i, j) = static_cast<TypeParam>(100 * i + j);
  }
  auto const s = Stencil<double, 2>{{{-1, 0}, 1.0}, {{0, 0}, 2.0}, {{1, 1}, 3.0}};
  for (bool exact : {false, true}) {
    auto const policy =
        HostPolicy2().boundary(Boundary<2>::periodic()).accuracy(exact ? Accuracy::reproducible : Accuracy::native);
    parallel_for("pitch", policy, s, u, v);
    Kokkos::fence();
    EXPECT_EQ(last_backend(), "generic");
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        std::int64_t const up = (i + rows - 1) % rows, down = (i + 1) % rows, next = (j + 1) % columns;
        ASSERT_EQ(v(i, j), 1 * (100 * up + j) + 2 * (100 * i + j) + 3 * (100 * down + next)) << i << ", " << j;
      }
    }
  }
  // States too: a shift of two rows.
  iterate("pitch", HostPolicy2().boundary(Boundary<2>::periodic()), Stencil<double, 2>{{{1, 0}, 1.0}}, 2, u, v);
  Kokkos::fence();
  EXPECT_EQ(last_backend(), "generic");
  EXPECT_EQ(u(0, 5), 205);
  EXPECT_EQ(u(rows - 1, columns - 1), 163);  // no literals: Kokkos 5 computes in the type of the indices
}

TYPED_TEST(LargeOffsets, AnExtentPast32Bits) {
  // One axis of more than 2^31 points, of which the far end and, around the face, the near end are used.
  std::int64_t const n = g_two_31 + 1001;
  Sparse<TypeParam> const in(n), out(n);
  SKIP_WITHOUT(in);
  SKIP_WITHOUT(out);
  HostView<TypeParam*> const u(in.data(), static_cast<std::size_t>(n)), v(out.data(), static_cast<std::size_t>(n));
  auto const value = [&](std::int64_t i) { return static_cast<TypeParam>(1 + i % 1000); };
  for (std::int64_t k = 0; k < 16; ++k) u(k) = value(k);
  for (std::int64_t k = n - 1000; k < n; ++k) u(k) = value(k);
  auto const policy = HostPolicy1({n - 990}, {n}).boundary(Boundary<1>::periodic());
  parallel_for("extent", policy, Stencil<double, 1>{{{-7}, 1.0}, {{0}, 2.0}, {{5}, 4.0}, {{6}, 8.0}}, u, v);
  Kokkos::fence();
  EXPECT_EQ(last_backend(), "generic");
  for (std::int64_t i = n - 990; i < n; ++i) {
    ASSERT_EQ(v(i), value(i - 7) + 2 * value(i) + 4 * value((i + 5) % n) + 8 * value((i + 6) % n)) << i;
  }
  EXPECT_EQ(v(n - 991), 0) << "outside the range";
}

TYPED_TEST(LargeOffsets, PointsPast32Bits) {
  // Neither axis is long, their product is.
  std::int64_t const n0 = 50000, n1 = 60000;
  Sparse<TypeParam> const in(n0 * n1), out(n0 * n1);
  SKIP_WITHOUT(in);
  SKIP_WITHOUT(out);
  HostView<TypeParam**> const u(in.data(), 50000, 60000), v(out.data(), 50000, 60000);
  auto const value = [](std::int64_t i, std::int64_t j) { return static_cast<TypeParam>((3 * i + 7 * j) % 1001); };
  for (std::int64_t i = n0 - 8; i < n0; ++i) {
    for (std::int64_t j = n1 - 200; j < n1; ++j) u(i, j) = value(i, j);
  }
  HostPolicy2 const policy({n0 - 7, n1 - 199}, {n0 - 1, n1 - 1});
  parallel_for("points", policy, star<2>(1, {1.0, 2.0}), u, v);
  Kokkos::fence();
  EXPECT_EQ(last_backend(), "generic");
  for (std::int64_t i = n0 - 7; i < n0 - 1; ++i) {
    for (std::int64_t j = n1 - 199; j < n1 - 1; ++j) {
      ASSERT_EQ(v(i, j), value(i, j) + 2 * (value(i - 1, j) + value(i + 1, j) + value(i, j - 1) + value(i, j + 1)));
    }
  }
}

struct Shifted {
  template <class N>
  KOKKOS_FUNCTION float operator()(N const& n) const {
    return n(1) + static_cast<float>(n.index(0) % 1000);
  }
};

TEST(LargeFunctors, AnExtentPast32Bits) {
  std::int64_t const n = g_two_31 + 101;
  Sparse<float> const in(n), out(n);
  SKIP_WITHOUT(in);
  SKIP_WITHOUT(out);
  HostView<float*> const u(in.data(), static_cast<std::size_t>(n)), v(out.data(), static_cast<std::size_t>(n));
  u(n - 1) = 5.0f;
  u(0)     = 3.0f;
  parallel_for("functor", HostPolicy1({n - 3}, {n}).boundary(Boundary<1>::periodic()).radius(1), Shifted(), u, v);
  Kokkos::fence();
  EXPECT_EQ(last_backend(), "generic");
  EXPECT_EQ(v(n - 3), static_cast<float>((n - 3) % 1000));
  EXPECT_EQ(v(n - 2), static_cast<float>(5 + (n - 2) % 1000));
  EXPECT_EQ(v(n - 1), static_cast<float>(3 + (n - 1) % 1000));
}

bool memory_for(std::size_t bytes) {
#if defined(__linux__)
  auto const pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 && static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) > bytes + bytes / 8;
#else
  static_cast<void>(bytes);
  return false;
#endif
}

TEST(LargeSweeps, MoreThan31BitsOfPoints) {
  char const* const wanted = std::getenv("KOKKOSSTENCIL_TEST_LARGE");
  if (wanted == nullptr || std::string(wanted) != "1") GTEST_SKIP() << "set KOKKOSSTENCIL_TEST_LARGE=1 to run it";
  auto const n = static_cast<std::size_t>(g_two_31 + 4099);
  if (!memory_for(2 * n * sizeof(float))) GTEST_SKIP() << "needs " << (2 * n * sizeof(float) >> 30) << " GiB of memory";
  HostView<float*> u(Kokkos::view_alloc("u", Kokkos::WithoutInitializing), n);
  HostView<float*> v(Kokkos::view_alloc("v", Kokkos::WithoutInitializing), n);
  for (std::size_t i = 0; i < n; ++i) u(i) = static_cast<float>(i % 1021);
  parallel_for("large", HostPolicy1().boundary(Boundary<1>::periodic()), Stencil<float, 1>{{{-1}, 1.0f}, {{2}, 2.0f}},
               u, v);
  Kokkos::fence();
  EXPECT_EQ(last_backend(), "generic");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto const expected = static_cast<float>((i + n - 1) % n % 1021 + 2 * ((i + 2) % n % 1021));
    wrong += v(i) != expected;
  }
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
