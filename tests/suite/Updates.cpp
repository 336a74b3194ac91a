// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "../harness/RunnerOf.hpp"
#include "../harness/Spaces.hpp"
#include "../harness/Tolerance.hpp"
#include "../harness/Verify.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

// v = alpha S(u) + beta v, on every backend that can.

namespace KokkosStencil {
namespace Test {
namespace {

/// One execution space, value type and rank.
template <class Exec, class T, int Rank>
class Updater {
  using View        = Kokkos::View<typename Pointer<T, Rank>::type, Kokkos::LayoutStride, typename Exec::memory_space>;
  using Coefficient = std::conditional_t<std::is_same<T, double>::value, double, float>;

 public:
  using value_type          = T;
  static constexpr int rank = Rank;

  static double round(double x) { return widen(narrow<T>(x)); }
  static std::string name() { return std::string(Exec::name()) + " " + to_string(Impl::ValueTypeOf<T>::value); }

  /// The backends that can, the library's choice first.
  static std::vector<std::string> backends(Call const& call) {
    Exec const space;
    Store<Exec, T> const a(space, at(call.in, call), nullptr), b(space, at(call.out, call), nullptr);
    View const u = a.template view<View>(), v = b.template view<View>();
    std::vector<std::string> names{""};
    for (Candidate const& c :
         Plan<Exec, Rank, View, View>("candidates", policy_of<Rank>(call, space, ""),
                                      stencil_of<Coefficient, Rank>(call.terms), u, v, Update::add())
             .candidates()) {
      if (c.runnable && names.back() != c.backend) names.push_back(c.backend);
    }
    return names;
  }

  /// What a sweep must leave where S(u) is exact.
  static Field expected_exactly(Call const& call, Field const& u, Field v, Update const& by) {
    Expected const sums = reference(call, u, 1, Tolerance{0.0, 0.0}, round);
    for (std::size_t p = 0; p < v.values.size(); ++p) {
      if (!sums.written[p]) continue;
      double const before = by.beta != 0.0 ? by.beta * v.values[p] : 0.0;
      v.values[p]         = round(by.alpha * static_cast<double>(sums.values[p]) + before);
    }
    return v;
  }

  static void sweep(Call call, Update const& by, Data data) {
    set_coefficients(call.terms, data, 3, coefficient_rounding());
    SCOPED_TRACE(name() + ": " + call.text() + ", " + std::to_string(by.alpha) + ", " + std::to_string(by.beta));
    Field const u = filled(Rank, call.extent, data, 1, round);
    Field v       = filled(Rank, call.extent, data, 2, round);
    if (by.beta == 0.0) {
      // It must not be read.
      for (double& x : v.values) x = not_a_number();
    }
    for (std::string const& backend : backends(call)) {
      for (bool const plan : {false, true}) {
        SCOPED_TRACE(backend.empty() ? "chosen backend" : "forced backend " + backend);
        Exec const space;
        Store<Exec, T> a(space, at(call.in, call), &u), b(space, at(call.out, call), &v);
        View const from = a.template view<View>(), to = b.template view<View>();
        auto const policy  = policy_of<Rank>(call, space, backend);
        auto const stencil = stencil_of<Coefficient, Rank>(call.terms);
        if (plan) {
          Plan<Exec, Rank, View, View> const made("update", policy, stencil, from, to, Update(3.0, 5.0));
          made.run(from, to, by);
        } else {
          parallel_for("update", policy, stencil, from, to, by);
        }
        if (!backend.empty()) {
          EXPECT_EQ(last_backend(), backend);
        }
        bool intact     = true;
        Field const got = b.read(intact);
        EXPECT_TRUE(same_values(a.read(intact), u));
        EXPECT_TRUE(intact) << "something was written outside the Views";
        if (data == Data::integer) {
          EXPECT_TRUE(same_values(got, expected_exactly(call, u, v, by)));
        } else if (call.accuracy == Accuracy::reproducible) {
          EXPECT_TRUE(same_bits(got, canonical_update(call, u, v, by)));
        } else {
          EXPECT_TRUE(close(call, got, u, v, by));
        }
      }
    }
  }

  /// Two levels in time against single sweeps of the reference.
  static void levels(Call call, Update const& by, int steps) {
    set_coefficients(call.terms, Data::integer, 5, coefficient_rounding());
    SCOPED_TRACE(name() + ": " + call.text() + ", " + std::to_string(steps) + " steps");
    Field u = filled(Rank, call.extent, Data::integer, 1, round);
    Field v = filled(Rank, call.extent, Data::integer, 2, round);
    Exec const space;
    auto const stencil = stencil_of<Coefficient, Rank>(call.terms);
    for (std::string const& backend : backends(call)) {
      for (bool const plan : {false, true}) {
        Store<Exec, T> a(space, at(call.in, call), &u), b(space, at(call.out, call), &v);
        View x = a.template view<View>(), y = b.template view<View>();
        auto const policy = policy_of<Rank>(call, space, backend);
        if (plan) {
          Plan<Exec, Rank, View, View> const made("levels", policy, stencil, x, y, by);
          made.run(x, y, steps);
        } else {
          iterate("levels", policy, stencil, steps, x, y, by);
        }
        EXPECT_EQ(x.data() == b.data(), steps % 2 != 0);
        Field first = u, second = v;
        for (int step = 0; step < steps; ++step) {
          Field &newest = step % 2 == 0 ? first : second, &older = step % 2 == 0 ? second : first;
          older = expected_exactly(call, newest, older, by);
        }
        bool intact = true;
        EXPECT_TRUE(same_values(a.read(intact), first));
        EXPECT_TRUE(same_values(b.read(intact), second));
        EXPECT_TRUE(intact);
      }
    }
  }

 private:
  static Rounding coefficient_rounding() {
    return [](double c) { return std::is_same<T, double>::value ? c : static_cast<double>(static_cast<float>(c)); };
  }
  static Placement at(Layout layout, Call const& call) { return place(layout, Rank, call.extent, call.shift); }

  static Field canonical_update(Call const& call, Field const& u, Field const& v, Update const& by) {
    // Sums of double and float Views are not rounded to anything else.
    Field const sums  = canonical(call, u, at(call.out, call).stride, std::is_same<T, double>::value, round);
    Range const range = written_range(call);
    Field all         = v;
    Field::each_in(range.begin, range.end, [&](Extents const& i) {
      if (std::is_same<T, double>::value) {
        all(i) = by.beta != 0.0 ? std::fma(by.alpha, sums(i), by.beta * v(i)) : by.alpha * sums(i);
      } else {
        float const a = static_cast<float>(by.alpha), b = static_cast<float>(by.beta), s = static_cast<float>(sums(i));
        float const before = b * static_cast<float>(v(i));
        all(i)             = by.beta != 0.0 ? std::fma(a, s, before) : a * s;
      }
    });
    return all;
  }

  /// Within the contract for S(u), scaled, and three roundings of what is added.
  static testing::AssertionResult close(Call const& call, Field const& got, Field const& u, Field const& v,
                                        Update const& by) {
    auto const type     = Impl::ValueTypeOf<T>::value;
    Expected const sums = reference(call, u, 1, tolerance(call, type), round);
    double const half   = std::ldexp(1.0, -significant_bits(type));
    for (std::size_t p = 0; p < got.values.size(); ++p) {
      if (!sums.written[p]) {
        if (got.values[p] == v.values[p] || std::isnan(v.values[p])) continue;
        return testing::AssertionFailure() << "a point outside the range was written";
      }
      long double const s = by.alpha * sums.values[p], b = by.beta != 0.0 ? by.beta * v.values[p] : 0.0;
      long double const allowed = std::abs(by.alpha) * sums.errors[p] + 4 * half * (std::abs(s) + std::abs(b));
      if (std::abs(got.values[p] - (s + b)) <= allowed) continue;
      return testing::AssertionFailure() << "point " << p << " is " << got.values[p] << " and not "
                                         << static_cast<double>(s + b);
    }
    return testing::AssertionSuccess();
  }
};

/// f(updater) for every execution space, value type and rank.
template <class F>
void each_updater(F const& f) {
  each_space([&](auto tag) {
    using Exec = typename decltype(tag)::type;
    f(Updater<Exec, double, 1>());
    f(Updater<Exec, double, 2>());
    f(Updater<Exec, double, 3>());
    f(Updater<Exec, float, 2>());
    f(Updater<Exec, float, 3>());
#ifdef KOKKOSSTENCIL_IMPL_HAS_HALF
    f(Updater<Exec, Kokkos::Experimental::half_t, 2>());
#endif
#ifdef KOKKOSSTENCIL_IMPL_HAS_BHALF
    f(Updater<Exec, Kokkos::Experimental::bhalf_t, 3>());
#endif
  });
}

/// A call of such a rank with a star or a box.
Call some_call(int rank, Extents const& extent, bool box, int radius) {
  Call call;
  call.rank = rank;
  for (std::size_t a = 0; a < std::size_t(rank); ++a) call.extent[a] = extent[a];
  call.terms = box ? box_offsets(rank, radius) : star_offsets(rank, radius);
  return call;
}

Update const factors[] = {{1.0, 1.0}, {-1.0, 1.0}, {2.0, -3.0}, {1.0, 0.0}, {2.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}};

TEST(Updates, EveryFaceAndLayout) {
  each_updater([](auto updater) {
    constexpr int rank = decltype(updater)::rank;
    int which          = 0;
    for (Face const& face : all_faces()) {
      for (Layout const layout : {Layout::right, Layout::left, Layout::padded, Layout::strided}) {
        Call call  = some_call(rank, {{21, 23, 37}}, which % 2 == 0, 1 + which % 3);
        call.in    = layout;
        call.out   = which % 3 == 0 ? layout : Layout::right;
        call.shift = which % 4;
        call.face(face);
        updater.sweep(call, factors[which++ % 7], Data::integer);
      }
    }
  });
}

TEST(Updates, ExtentsAndRanges) {
  each_updater([](auto updater) {
    constexpr int rank = decltype(updater)::rank;
    // Rows and columns that two threads or two stacks of rows might write.
    for (std::int64_t n : {1, 2, 3, 5, 7, 11, 33, 67}) {
      Call call = some_call(rank, {{n, rank == 3 ? 9 : n + 4, rank == 3 ? n : 129}}, false, 1);
      call.face(Face::mirror());
      updater.sweep(call, {2.0, 3.0}, Data::integer);
      updater.sweep(some_call(rank, {{n, n + 1, n + 2}}, true, 1), Update::add(), Data::integer);
    }
    Call part = some_call(rank, {{30, 31, 40}}, false, 2);
    updater.sweep(part.range({{3, 4, 5}}, {{28, 9, 34}}), Update::subtract(), Data::integer);
    updater.sweep(part.range({{7, 7, 7}}, {{7, 7, 7}}), Update::add(), Data::integer);
  });
}

TEST(Updates, LargerThanTilesAndCaches) {
  each_updater([](auto updater) {
    constexpr int rank   = decltype(updater)::rank;
    Extents const extent = rank == 1   ? Extents{{600011, 1, 1}}
                           : rank == 2 ? Extents{{303, 2051, 1}}
                                       : Extents{{31, 91, 203}};
    for (int radius : {1, 2}) updater.sweep(some_call(rank, extent, false, radius), {2.0, -1.0}, Data::integer);
    updater.sweep(some_call(rank, extent, true, 1), {1.0, 1.0}, Data::integer);
  });
}

TEST(Updates, KeepsTheContract) {
  each_updater([](auto updater) {
    constexpr int rank = decltype(updater)::rank;
    for (Accuracy const level : {Accuracy::native, Accuracy::reproducible}) {
      // Bits of half values depend on sums that are not rounded, which the reference does not give.
      if (level == Accuracy::reproducible && sizeof(typename decltype(updater)::value_type) < 4) continue;
      for (bool const box : {false, true}) {
        Call call     = some_call(rank, {{19, 40, 70}}, box, 2);
        call.accuracy = level;
        call.face(Face::periodic());
        updater.sweep(call, {0.3, -1.7}, Data::random);
        updater.sweep(call, {-2.3, 0.0}, Data::random);
      }
    }
  });
}

TEST(Updates, LevelsInTime) {
  each_updater([](auto updater) {
    constexpr int rank = decltype(updater)::rank;
    for (int const steps : {0, 1, 2, 3}) {
      Call call = some_call(rank, {{12, 17, 35}}, false, 1);
      call.out  = steps == 3 ? Layout::padded : Layout::right;
      updater.levels(call, {1.0, -1.0}, steps);
      call.face(Face::periodic());
      updater.levels(call, {1.0, -1.0}, steps);
    }
  });
}

using Plane = Kokkos::View<double**, Kokkos::DefaultExecutionSpace>;
using Space = Kokkos::DefaultExecutionSpace;

TEST(Updates, NanInTheOutputStaysThereUnlessItIsNotRead) {
  Plane const u("u", 20, 20), v("v", 20, 20);
  auto const smooth = star<2>(1, {0.5, 0.125});
  StencilPolicy<Space, 2> const policy;
  auto const value = [&](int i, int j) {
    double x = 0.0;
    Kokkos::deep_copy(x, Kokkos::subview(v, i, j));
    return x;
  };
  Kokkos::deep_copy(u, 1.0);
  Kokkos::deep_copy(Kokkos::subview(v, 5, 5), not_a_number());
  parallel_for("update", policy, smooth, u, v, Update::add());
  EXPECT_TRUE(std::isnan(value(5, 5)));
  EXPECT_EQ(value(5, 6), 1.0);
  parallel_for("update", policy, smooth, u, v, Update(3.0, 0.0));
  EXPECT_EQ(value(5, 5), 3.0);
}

TEST(Updates, MisuseIsAnError) {
  Plane u("u", 20, 20), v("v", 20, 20), w("w", 20, 21);
  auto const smooth = star<2>(1, {0.5, 0.125});
  StencilPolicy<Space, 2> const policy;
  double const infinite = std::numeric_limits<double>::infinity();
  EXPECT_ERROR(parallel_for("sum", policy, smooth, u, v, Update(infinite, 1.0)), "\"sum\"", "not finite");
  EXPECT_ERROR(parallel_for("sum", policy, smooth, u, v, Update(1.0, not_a_number())), "not finite");
  EXPECT_ERROR(parallel_for("sum", policy, smooth, u, u, Update::add()), "overlap");
  EXPECT_ERROR(parallel_for("sum", policy, smooth, u, w, Update::add()), "extent");
  EXPECT_ERROR(iterate("sum", policy, smooth, -1, u, v, Update::add()), "-1");
  EXPECT_ERROR(iterate("sum", policy, smooth, 2, u, u, Update::add()), "overlap");
  Kokkos::View<float**, Space> const a("a", 20, 20), b("b", 20, 20);
  EXPECT_ERROR(parallel_for("sum", policy, star<2>(1, {0.5f, 0.125f}), a, b, Update(1e300, 1.0)), "1e+300",
               "overflows");
  Plan<Space, 2, Plane, Plane> const plain("plain", policy, smooth, u, v);
  EXPECT_ERROR(plain.run(u, v, Update::add()), "\"plain\"", "without an Update");
  EXPECT_NO_THROW(plain.run(u, v, Update()));
}

TEST(Updates, BackendsThatCannotSayWhy) {
  Plane const u("u", 20, 20), v("v", 20, 20);
  auto const smooth = star<2>(1, {0.5, 0.125});
  Plan<Space, 2, Plane, Plane> const plan("sum", StencilPolicy<Space, 2>(), smooth, u, v, Update::add());
  int refused = 0;
  for (Candidate const& c : plan.candidates()) {
    if (c.backend == "generic" || c.backend == "cuda_direct") continue;
    EXPECT_FALSE(c.runnable) << c.backend;
    EXPECT_NE(c.reason.find("alpha S(u) + beta v"), std::string::npos) << c.backend << ": " << c.reason;
    ++refused;
  }
  EXPECT_GT(refused, 0);
  EXPECT_ERROR(parallel_for("sum", StencilPolicy<Space, 2>().backend("host_temporal"), smooth, u, v, Update::add()),
               "host_temporal", "alpha S(u) + beta v");
}

TEST(Updates, FactorsNeedNoNewPlan) {
  Plane const u("u", 20, 20), v("v", 20, 20);
  auto const smooth = star<2>(1, {0.5, 0.125});
  StencilPolicy<Space, 2> const policy;
  parallel_for("sum", policy, smooth, u, v, Update(0.5, 1.0));
  auto const built = Impl::plans_built();
  for (int k = 0; k < 5; ++k) parallel_for("sum", policy, smooth, u, v, Update(0.5 + k, 1.0 - 0.1 * k));
  EXPECT_EQ(Impl::plans_built(), built);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
