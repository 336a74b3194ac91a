// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <cmath>

namespace KS = KokkosStencil;

using Exec = Kokkos::DefaultExecutionSpace;
using Grid = Kokkos::View<float**, Exec>;

void levels() {
  auto const heat = KS::star<2>(1, {0.2f, 0.2f});
  Grid u("u", 64, 64), v("v", 64, 64);
  //! [level]
  KS::StencilPolicy<Exec, 2> const policy;
  KS::parallel_for("heat", policy, heat, u, v);  // Accuracy::native
  KS::parallel_for("heat", policy.accuracy(KS::Accuracy::relaxed), heat, u, v);
  KS::parallel_for("heat", policy.accuracy(KS::Accuracy::reproducible), heat, u, v);
  //! [level]
}

void bounds() {
  //! [bound]
  auto const blur = KS::box<2>(1, {1.0f, 2.0f, 1.0f, 2.0f, 4.0f, 2.0f, 1.0f, 2.0f, 1.0f});

  // |y - y*| <= bound * sum |c_i| |x_i|
  double const bound = KS::error_bound(blur, KS::ValueType::float32);
  double const loose = KS::error_bound(blur, KS::ValueType::float32, KS::Accuracy::relaxed);
  double const h     = KS::error_bound(blur, KS::ValueType::float16);
  //! [bound]
  double const u = std::ldexp(1.0, -24);
  CHECK(bound > 2 * 9 * u && bound < 2.1 * 9 * u + 1.1 * u);
  CHECK(loose > std::ldexp(1.0, -9) && loose < std::ldexp(1.0, -8));
  CHECK(h > std::ldexp(1.0, -11) && h < std::ldexp(1.0, -10));

  //! [check]
  // A test of an application takes its tolerance from the bound.
  Grid x("x", 32, 32), y("y", 32, 32);
  Kokkos::deep_copy(x, 0.1f);
  KS::parallel_for("blur", KS::StencilPolicy<Exec, 2>(), blur, x, y);
  double const exact = 16.0 * double(0.1f);  // sum c_i x_i; all terms are positive, so this is S too
  CHECK(std::fabs(double(value_at(y, 5, 5)) - exact) <= bound * exact);
  //! [check]
}

void not_a_number() {
  //! [nan]
  // A NaN reaches the outputs whose stencil reads it, and no others.
  KS::Stencil<float, 1> const difference{{{-2}, -1.0f}, {{0}, 0.0f}, {{2}, 1.0f}};
  Kokkos::View<float*, Exec> u("u", 16), v("v", 16);
  Kokkos::deep_copy(Kokkos::subview(u, 8), std::nanf(""));
  KS::parallel_for("difference", KS::StencilPolicy<Exec, 1>(), difference, u, v);
  CHECK(std::isnan(value_at(v, 6)) && std::isnan(value_at(v, 10)));
  CHECK(value_at(v, 7) == 0.0f && value_at(v, 8) == 0.0f && value_at(v, 9) == 0.0f);
  //! [nan]
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  levels();
  bounds();
  not_a_number();
}
