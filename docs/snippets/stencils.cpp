// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <vector>

namespace KS = KokkosStencil;

using Exec = Kokkos::DefaultExecutionSpace;

void factories() {
  //! [star]
  // By distance: the centre, then distance 1, 2, ..., the same along every axis.
  auto const laplace = KS::star<3>(1, {-6.0, 1.0});

  // Per direction: the centre; then for each axis the distances 1 to r downwards, then upwards.
  auto const advect = KS::star<2>(1, {0.5, 0.3, 0.0, 0.2, 0.0});
  //! [star]
  CHECK(laplace.size() == 7 && laplace.radius() == 1);
  CHECK(advect.size() == 3 && advect.upper(0) == 0 && advect.lower(1) == -1);

  //! [box]
  // (2 r + 1)^rank weights, the last axis fastest.
  auto const sharpen = KS::box<2>(1, {0.0f, -1.0f, 0.0f,   //
                                      -1.0f, 5.0f, -1.0f,  //
                                      0.0f, -1.0f, 0.0f});

  std::vector<float> const weights(15 * 15, 1.0f / 225.0f);
  auto const blur = KS::box<2>(7, weights);
  //! [box]
  CHECK(sharpen.size() == 5);
  CHECK(blur.size() == 225 && blur.radius() == 7);
}

void lists() {
  //! [list]
  // Any set of offsets, in any order. Coefficients of equal offsets are added up; zeros are dropped.
  KS::Stencil<double, 2> const upwind{{{0, 0}, 0.5}, {{0, -1}, 0.3}, {{-1, 0}, 0.2}};

  std::vector<KS::Stencil<double, 1>::Term> terms;
  for (int d = -3; d <= 3; ++d) terms.push_back({{d}, 1.0 / 7.0});
  KS::Stencil<double, 1> const mean(terms);
  //! [list]
  CHECK(upwind.size() == 3 && mean.size() == 7);

  //! [look]
  for (auto const& term : upwind.terms()) {
    std::printf("(%d, %d): %g\n", term.offset[0], term.offset[1], term.coefficient);
  }
  int const reach_down = upwind.lower(1);  // -1: smallest offset along axis 1
  int const reach_up   = upwind.upper(1);  //  0: largest
  //! [look]
  CHECK(reach_down == -1 && reach_up == 0);
}

void composition() {
  //! [compose]
  auto const smooth = KS::star<1>(1, {0.5, 0.25});
  auto const slope  = KS::Stencil<double, 1>{{{-1}, -0.5}, {{1}, 0.5}};

  auto const smooth_slope = slope.compose(smooth);  // first smooth, then slope
  auto const four_sweeps  = smooth.fused(4);        // four sweeps of smooth in one
  //! [compose]
  CHECK(smooth_slope.radius() == 2);
  CHECK(four_sweeps.radius() == 4 && four_sweeps.size() == 9);
}

void ranges() {
  auto const laplace = KS::star<2>(1, {-4.0, 1.0});
  Kokkos::View<double**, Exec> u("u", 100, 80), v("v", 100, 80);
  Kokkos::deep_copy(v, -7.0);
  //! [range]
  // No range: every point the boundary rules allow. With the default, halo, that is [1, 99) x [1, 79).
  KS::parallel_for("all", KS::StencilPolicy<Exec, 2>(), laplace, u, v);

  // A range: output points begin <= i < end.
  KS::parallel_for("left half", KS::StencilPolicy<Exec, 2>({1, 1}, {u.extent(0) - 1, u.extent(1) / 2}), laplace, u, v);

  // On an instance of the execution space.
  Exec const instance{};
  KS::parallel_for("on an instance", KS::StencilPolicy<Exec, 2>(instance), laplace, u, v);
  //! [range]
  CHECK(value_at(v, 0, 5) == -7.0 && value_at(v, 1, 1) == 0.0);
}

void updates() {
  auto const laplace = KS::star<2>(1, {-4.0, 1.0});
  Kokkos::View<double**, Exec> u("u", 100, 80), v("v", 100, 80), before("u before", 100, 80);
  Kokkos::deep_copy(Kokkos::subview(u, 50, 40), 1.0);
  Kokkos::deep_copy(v, 3.0);
  //! [update]
  KS::StencilPolicy<Exec, 2> const policy;
  KS::parallel_for("v += S(u)", policy, laplace, u, v, KS::Update::add());
  KS::parallel_for("v = 0.5 S(u) - 2 v", policy, laplace, u, v, KS::Update(0.5, -2.0));

  KS::Plan const plan("residual", policy, laplace, u, v, KS::Update(-1.0, 1.0));
  plan.run(u, v);                         // v = v - S(u)
  plan.run(u, v, KS::Update(0.25, 1.0));  // other factors, nothing is made anew
  //! [update]
  CHECK(value_at(v, 50, 40) == (0.5 * -4.0 - 2.0 * -1.0) + 4.0 - 1.0 && value_at(v, 0, 0) == 3.0);
  //! [leapfrog]
  // u(t + 1) = 2 u(t) + c laplace(u(t)) - u(t - 1): the newest state takes the place of the oldest.
  auto const wave = KS::star<2>(1, {2.0 - 4.0 * 0.25, 0.25});
  KS::iterate("wave", policy, wave, 3, u, before, KS::Update(1.0, -1.0));
  //! [leapfrog]
  CHECK(value_at(before, 50, 41) == 0.5 && value_at(u, 50, 43) == 0.015625);
}

void views() {
  auto const mean = KS::box<2>(1, std::vector<double>(9, 1.0 / 9.0));
  //! [views]
  // Any layouts, const input, subviews: what runs along memory is found from the strides.
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> u("u", 300, 200);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> v("v", 300, 200);
  Kokkos::View<double const**, Kokkos::LayoutLeft, Exec> const source = u;
  KS::parallel_for("mean", KS::StencilPolicy<Exec, 2>(), mean, source, v);

  auto const rows = std::make_pair(10, 50), columns = std::make_pair(20, 101);
  KS::parallel_for("mean of a part", KS::StencilPolicy<Exec, 2>(), mean, Kokkos::subview(u, rows, columns),
                   Kokkos::subview(v, rows, columns));
  //! [views]
  CHECK(KS::last_backend() == "generic" || !KS::last_backend().empty());
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  factories();
  lists();
  composition();
  ranges();
  updates();
  views();
}
