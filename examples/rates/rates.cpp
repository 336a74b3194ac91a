// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How fast stencils are here, beside a copy of the same Views. Needs nothing but the library.
//
// A sweep that reads each value once and writes each result once takes as long as a copy: 1 in the column "of copy" is
// its limit. Many sweeps may be fused, and then each of them costs less than a copy.

#include <KokkosStencil.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;

namespace {

constexpr int many = 48;  // sweeps

/// Views of these extents take about so many bytes each; the last axis is twice as long as the others.
struct Grid {
  std::size_t points;
  std::size_t edge(int rank) const {
    return static_cast<std::size_t>(std::pow(static_cast<double>(points) / 2.0, 1.0 / rank)) / 32 * 32 + 64;
  }
  template <class View>
  View make(char const* name) const {
    std::size_t const n = edge(int(View::rank));
    auto const how      = Kokkos::view_alloc(std::string(name), Kokkos::WithoutInitializing);
    if constexpr (int(View::rank) == 2)
      return View(how, n, 2 * n);
    else
      return View(how, n, n, 2 * n);
  }
};

/// Seconds of one call, the median of some batches of it.
template <class Call>
double seconds_of(Call const& call) {
  call();  // the first call prepares
  Kokkos::fence();
  Kokkos::Timer timer;
  call();
  Kokkos::fence();
  int const calls = std::clamp(static_cast<int>(0.03 / std::max(timer.seconds(), 1e-9)), 1, 1000);
  double times[5];
  for (double& time : times) {
    timer.reset();
    for (int k = 0; k < calls; ++k) call();
    Kokkos::fence();
    time = timer.seconds() / calls;
  }
  std::sort(times, times + 5);
  return times[2];
}

// A plane with values from 1 to 2: symmetric stencils whose coefficients have the sum 1 leave it as it is.
template <class View>
struct Plane {
  View view;
  double slope[3] = {0.0, 0.0, 0.0};

  explicit Plane(View const& v) : view(v) {
    for (int a = 0; a < rank; ++a) slope[3 - rank + a] = 1.0 / rank / double(view.extent(a));
  }

 protected:
  static constexpr int rank = int(View::rank);
  KOKKOS_FUNCTION typename View::reference_type value(std::size_t i, double& expected) const {
    std::size_t const m = view.extent(rank - 2), n = view.extent(rank - 1);
    std::size_t const x = i % n, y = i / n % (rank == 2 ? i + 1 : m), z = rank == 2 ? 0 : i / n / m;
    expected = 1.0 + slope[0] * double(z) + slope[1] * double(y) + slope[2] * double(x);
    if constexpr (rank == 2)
      return view(y, x);
    else
      return view(z, y, x);
  }
};

template <class View>
struct Fill : Plane<View> {
  using Plane<View>::Plane;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double expected = 0.0;
    auto& point     = this->value(static_cast<std::size_t>(i), expected);
    point           = static_cast<typename View::value_type>(expected);
  }
};

template <class View>
struct LargestError : Plane<View> {
  using Plane<View>::Plane;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& largest) const {
    double expected    = 0.0;
    double const point = static_cast<double>(this->value(static_cast<std::size_t>(i), expected));
    double const error = point < expected ? expected - point : point - expected;
    if (!(error <= largest)) largest = error;  // NaN, too
  }
};

bool all_right = true;

template <class View, class Stencil>
void measure(char const* name, Grid grid, Stencil const& stencil, KS::ValueType type) {
  constexpr int rank = int(View::rank);
  View u = grid.make<View>("u"), v = grid.make<View>("v");
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  Range const all(0, static_cast<std::int64_t>(u.size()));
  Kokkos::parallel_for("fill", all, Fill<View>(u));
  Kokkos::deep_copy(v, u);

  KS::StencilPolicy<Exec, rank> const policy;
  KS::Plan const plan(name, policy, stencil, u, v);
  double const copy = seconds_of([&] { Kokkos::deep_copy(policy.space(), v, u); });
  double const one  = seconds_of([&] { plan.run(u, v); });
  double const each = seconds_of([&] { plan.run(u, v, many); }) / many;

  // The result of so many sweeps, against the promised error of each; the first values are rounded, too.
  Kokkos::parallel_for("fill", all, Fill<View>(u));
  plan.run(u, v, many);
  double error = 0.0;
  Kokkos::parallel_reduce("check", all, LargestError<View>(u), Kokkos::Max<double>(error));
  double const sum = 2.0;  // of |coefficient * value|, at most
  bool const right = error <= (many + 1) * KS::error_bound(stencil, type) * sum;
  all_right        = all_right && right;

  std::string extents;
  for (int a = 0; a < rank; ++a) extents += (a == 0 ? "" : "x") + std::to_string(u.extent(a));
  double const points = static_cast<double>(u.size()) * 1e-9;
  std::printf("%-26s %-14s %-18s %10.4g %8.2f  %-18s %10.4g %8.2f  %s\n", name, extents.c_str(), plan.backend().c_str(),
              points / one, copy / one, plan.backend(many).c_str(), points / each, copy / each,
              right ? "right" : "WRONG");
  std::fflush(stdout);
}

template <class T>
using Plane2 = Kokkos::View<T**, Kokkos::LayoutRight, Exec>;
template <class T>
using Space3 = Kokkos::View<T***, Kokkos::LayoutRight, Exec>;

void run(std::size_t mebibytes) {
  std::printf("KokkosStencil %s on %s, Views of about %zu MiB each; GStencil/s are 10^9 points a second\n\n",
              KOKKOSSTENCIL_VERSION_STRING, Exec::name(), mebibytes);
  std::printf("%-26s %-14s %-18s %10s %8s  %-18s %10s %8s  %s\n", "stencil", "grid", "one sweep by", "GStencil/s",
              "of copy", (std::to_string(many) + " sweeps by").c_str(), "GStencil/s", "of copy", "result");
  using KS::ValueType;
  std::size_t const bytes = mebibytes << 20;
  measure<Plane2<double>>("2-D star, double", {bytes / 8}, KS::star<2>(1, {0.5, 0.125}), ValueType::float64);
  measure<Plane2<float>>("2-D star, float", {bytes / 4}, KS::star<2>(1, {0.5f, 0.125f}), ValueType::float32);
  measure<Space3<double>>("3-D star, double", {bytes / 8}, KS::star<3>(1, {0.25, 0.125}), ValueType::float64);
  measure<Space3<float>>("3-D star, float", {bytes / 4}, KS::star<3>(1, {0.25f, 0.125f}), ValueType::float32);
#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
  std::vector<float> const weights(7 * 7, 1.0f / 49.0f);
  measure<Plane2<Kokkos::Experimental::half_t>>("2-D box 7x7, half", {bytes / 2}, KS::box<2>(3, weights),
                                                ValueType::float16);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  int code = 0;
  try {
    constexpr bool host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible;
    long mebibytes      = host ? 64 : 512;
    char* end           = nullptr;
    if (argc > 1) mebibytes = std::strtol(argv[1], &end, 10);
    if (argc > 2 || (end != nullptr && *end != '\0') || mebibytes < 1 || mebibytes > 65536) {
      std::fprintf(stderr, "Usage: rates [SIZE]\nSIZE is that of a View in MiB, from 1 to 65536.\n");
      code = 2;
    } else {
      run(static_cast<std::size_t>(mebibytes));
      code = all_right ? 0 : 1;
    }
  } catch (std::exception const& e) {
    std::fprintf(stderr, "rates: %s\n", e.what());
    code = 1;
  }
  Kokkos::finalize();
  return code;
}
