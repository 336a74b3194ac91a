// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <cmath>

namespace KS = KokkosStencil;

//! [types]
using Exec = Kokkos::DefaultExecutionSpace;
using Grid = Kokkos::View<double**, Exec>;
//! [types]

//! [naive]
// The heat equation, one explicit Euler step: v = u + a * (sum of the neighbours - 4 u), a = dt k / h^2.
void step_by_hand(Grid const& u, Grid const& v, double a) {
  int const n = int(u.extent(0)), m = int(u.extent(1));
  Kokkos::parallel_for(
      "heat", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>({1, 1}, {n - 1, m - 1}), KOKKOS_LAMBDA(int i, int j) {
        v(i, j) = u(i, j) + a * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4.0 * u(i, j));
      });
}
//! [naive]

//! [stencil]
KS::Stencil<double, 2> heat_stencil(double a) {
  return {{{0, 0}, 1.0 - 4.0 * a}, {{-1, 0}, a}, {{1, 0}, a}, {{0, -1}, a}, {{0, 1}, a}};
}
//! [stencil]

//! [sweep]
void step(Grid const& u, Grid const& v, double a) {
  KS::parallel_for("heat", KS::StencilPolicy<Exec, 2>(), heat_stencil(a), u, v);
}
//! [sweep]

//! [iterate]
void many_steps(Grid& u, Grid& tmp, double a, int steps) {
  KS::iterate("heat", KS::StencilPolicy<Exec, 2>(), heat_stencil(a), steps, u, tmp);
}
//! [iterate]

//! [boundary]
void insulated_plate(Grid& u, Grid& tmp, double a, int steps) {
  auto const policy = KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::mirror());
  KS::iterate("heat", policy, heat_stencil(a), steps, u, tmp);
}
//! [boundary]

//! [until]
KS::UntilResult until_steady(Grid& u, Grid& tmp, double a) {
  KS::StoppingCriterion until;
  until.tolerance   = 1e-6;  // stop once no point changes by more than this in one step
  until.max_steps   = 100000;
  until.check_every = 50;  // each look waits for the device, so do not look too often
  return KS::iterate_until("heat", KS::StencilPolicy<Exec, 2>(), heat_stencil(a), until, u, tmp);
}
//! [until]

//! [plan]
std::string with_a_plan(Grid& u, Grid& tmp, double a) {
  KS::Plan const plan("heat", KS::StencilPolicy<Exec, 2>(), heat_stencil(a), u, tmp);
  for (int frame = 0; frame < 4; ++frame) {
    plan.run(u, tmp, 25);  // 25 sweeps; u names the newest state
    // ... write u to a file ...
  }
  return plan.explain();
}
//! [plan]

Grid hot_spot() {
  Grid u("u", 65, 65);
  Kokkos::deep_copy(Kokkos::subview(u, std::make_pair(20, 40), std::make_pair(20, 40)), 1.0);
  return u;
}

double largest_difference(Grid const& u, Grid const& v) {
  auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
  auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  double most  = 0.0;
  for (std::size_t i = 0; i < a.extent(0); ++i)
    for (std::size_t j = 0; j < a.extent(1); ++j) most = std::fmax(most, std::fabs(a(i, j) - b(i, j)));
  return most;
}

double total(Grid const& u) {
  auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
  double sum   = 0.0;
  for (std::size_t i = 0; i < a.extent(0); ++i)
    for (std::size_t j = 0; j < a.extent(1); ++j) sum += a(i, j);
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  double const a = 0.2;

  Grid u = hot_spot(), v("v", 65, 65), w("w", 65, 65);
  step_by_hand(u, v, a);
  step(u, w, a);
  // Values are at most 1, the coefficients add up to 1: rounding errors of a few units of 2^-53.
  CHECK(largest_difference(v, w) <= 8 * std::ldexp(1.0, -53));

  Grid by_hand = hot_spot(), other("other", 65, 65);
  for (int k = 0; k < 100; ++k) {
    step_by_hand(by_hand, other, a);
    std::swap(by_hand, other);
  }
  Grid at_once = hot_spot(), tmp("tmp", 65, 65);
  many_steps(at_once, tmp, a, 100);
  CHECK(largest_difference(by_hand, at_once) <= 800 * std::ldexp(1.0, -53));

  Grid planned = hot_spot();
  CHECK(with_a_plan(planned, tmp, a).find("chosen") != std::string::npos);
  CHECK(largest_difference(at_once, planned) <= 1600 * std::ldexp(1.0, -53));

  Grid insulated = hot_spot();
  insulated_plate(insulated, tmp, a, 1000);
  CHECK(std::fabs(total(insulated) - 400.0) < 1e-9);

  Grid cooling      = hot_spot();
  auto const steady = until_steady(cooling, tmp, a);
  CHECK(steady.converged && steady.update_norm <= 1e-6 && steady.steps % 50 == 0);
}
