// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/HostViews.hpp"

#include <gtest/gtest.h>

#include <type_traits>

// Calls with functors pass on Views that are not counted: each copy of one that is costs two atomic operations.

namespace KokkosStencil {
namespace Test {
namespace {

using View = HostView<double**>;

/// Notes how many handles of two Views there are while one point is computed.
struct Watch {
  View const* first;
  View const* second;
  int* handles;

  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n) const {
    note(n);
    return n(0, 1);
  }
  template <class N, class M>
  KOKKOS_FUNCTION double operator()(N const& n, M const& m) const {
    note(n);
    return n(0, 1) + m(0, 0);
  }

 private:
  template <class N>
  KOKKOS_FUNCTION void note(N const& n) const {
    if (n.index(0) != 2 || n.index(1) != 2) return;
    handles[0] = first->use_count();
    handles[1] = second->use_count();
  }
};

struct BorrowedViews : testing::Test {
  View u{"u", 8, 9}, v{"v", 8, 9};
  HostPolicy2 policy;
  int handles[2] = {0, 0};
};

TEST_F(BorrowedViews, OneInputAndOneOutput) {
  parallel_for("smooth", policy.radius(1), Watch{&u, &v, handles}, u, v);
  EXPECT_EQ(handles[0], 1);
  EXPECT_EQ(handles[1], 1);
}

TEST_F(BorrowedViews, FieldsHaveOneHandleEach) {
  View const k("k", 8, 9);
  auto const in = fields(reach<1>(u), k);
  parallel_for("smooth", policy, Watch{&u, &k, handles}, in, v);
  EXPECT_EQ(handles[0], 2);
  EXPECT_EQ(handles[1], 2);
  auto const out = fields(v);
  parallel_for("smooth", policy, Watch{&u, &v, handles}, in, out);
  EXPECT_EQ(handles[0], 2);
  EXPECT_EQ(handles[1], 2);
}

TEST_F(BorrowedViews, ViewsOfACallMayBeTemporary) {
  Kokkos::deep_copy(u, 3.0);
  auto const copy = [&] {
    View w("w", 8, 9);
    Kokkos::deep_copy(w, u);
    return w;
  };
  parallel_for("smooth", policy, Watch{&u, &v, handles}, fields(reach<1>(copy()), copy()), v);
  EXPECT_EQ(v(2, 2), 6.0);
}

TEST_F(BorrowedViews, KeepTheirTraits) {
  using Random = Kokkos::View<double const**, Kokkos::LayoutRight, Host, Kokkos::MemoryTraits<Kokkos::RandomAccess>>;
  using Fixed  = Kokkos::View<float* [3], Kokkos::LayoutLeft, Host>;
  using Traits = Impl::Borrowed<Random>::memory_traits;
  static_assert(Traits::is_random_access && Traits::is_unmanaged, "");
  static_assert(std::is_same<Impl::Borrowed<Random>::data_type, double const**>::value, "");
  static_assert(std::is_same<Impl::Borrowed<Fixed>::data_type, float* [3]>::value, "");
  static_assert(std::is_same<Impl::Borrowed<Fixed>::array_layout, Kokkos::LayoutLeft>::value, "");
  Random const constant = u;
  EXPECT_EQ(Impl::borrow(constant).data(), u.data());
  EXPECT_EQ(u.use_count(), 2);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
