// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <utility>

namespace KS = KokkosStencil;

using Exec = Kokkos::DefaultExecutionSpace;
using Line = Kokkos::View<double*, Exec>;

Line one_to_four() {
  Line u("u", 4);
  auto const host = Kokkos::create_mirror_view(u);
  for (int i = 0; i < 4; ++i) host(i) = i + 1.0;
  Kokkos::deep_copy(u, host);
  return u;
}

void kinds() {
  auto const u = one_to_four();
  Line v("v", 4);
  //! [kinds]
  // u = 1 2 3 4; the stencil reads the left neighbour.
  KS::Stencil<double, 1> const left{{{-1}, 1.0}};
  auto const first = [&](KS::Boundary<1> const& rule) {
    KS::parallel_for("left", KS::StencilPolicy<Exec, 1>().boundary(rule), left, u, v);
    return value_at(v, 0);
  };
  CHECK(first(KS::Boundary<1>::value(9.0)) == 9.0);  // a constant
  CHECK(first(KS::Boundary<1>::periodic()) == 4.0);  // the opposite side
  CHECK(first(KS::Boundary<1>::mirror()) == 1.0);    // reflected about the face
  CHECK(first(KS::Boundary<1>::edge()) == 1.0);      // the nearest point
  //! [kinds]
}

void wide() {
  auto const u = one_to_four();
  Line v("v", 4);
  //! [wide]
  // Two points past the face, mirror and edge differ.
  KS::Stencil<double, 1> const far_left{{{-2}, 1.0}};
  KS::parallel_for("far left", KS::StencilPolicy<Exec, 1>().boundary(KS::Boundary<1>::mirror()), far_left, u, v);
  CHECK(value_at(v, 0) == 2.0);
  KS::parallel_for("far left", KS::StencilPolicy<Exec, 1>().boundary(KS::Boundary<1>::edge()), far_left, u, v);
  CHECK(value_at(v, 0) == 1.0);
  //! [wide]
}

void per_face() {
  //! [faces]
  // A channel: periodic along axis 0, a wall at 20 degrees below and an insulated lid above.
  auto const channel =
      KS::Boundary<2>().axis(0, KS::Face::periodic()).lower(1, KS::Face::value(20.0)).upper(1, KS::Face::mirror());
  auto const policy = KS::StencilPolicy<Exec, 2>().boundary(channel);
  //! [faces]
  Kokkos::View<double**, Exec> u("u", 32, 16), tmp("tmp", 32, 16);
  auto const heat = KS::star<2>(1, {0.2, 0.2});
  KS::iterate("channel", policy, heat, 10000, u, tmp);
  CHECK(value_at(u, 5, 15) > 19.0 && value_at(u, 5, 15) <= 20.0 + 1e-9);
}

void halos() {
  auto const heat = KS::star<2>(1, {0.2, 0.2});
  //! [halo]
  // A grid of 64 x 64 points with one layer of ghost values around it.
  Kokkos::View<double**, Exec> u("u", 66, 66), tmp("tmp", 66, 66);
  Kokkos::deep_copy(u, 1.0);
  Kokkos::deep_copy(Kokkos::subview(u, 0, Kokkos::ALL()), 3.0);  // ghost values of one side

  KS::iterate("heat", KS::StencilPolicy<Exec, 2>(), heat, 50, u, tmp);
  //! [halo]
  CHECK(value_at(u, 0, 7) == 3.0 && value_at(u, 65, 7) == 1.0 && value_at(u, 1, 30) > 1.0);
}

void overlap() {
  auto const heat = KS::star<2>(1, {0.2, 0.2});
  Kokkos::View<double**, Exec> u("u", 66, 66), v("v", 66, 66);
  Exec const interior{}, border{};
  //! [overlap]
  // The inner points do not need the ghost values: compute them while those are on their way.
  KS::parallel_for("inner", KS::StencilPolicy<Exec, 2>(interior, {2, 2}, {64, 64}), heat, u, v);
  // ... receive the ghost values ...
  using Policy = KS::StencilPolicy<Exec, 2>;
  KS::parallel_for("border", Policy(border, {1, 1}, {2, 65}), heat, u, v);
  KS::parallel_for("border", Policy(border, {64, 1}, {65, 65}), heat, u, v);
  KS::parallel_for("border", Policy(border, {2, 1}, {64, 2}), heat, u, v);
  KS::parallel_for("border", Policy(border, {2, 64}, {64, 65}), heat, u, v);
  //! [overlap]
  Exec().fence();
}

void shared() {
  auto const heat = KS::star<2>(1, {0.2, 0.2});
  // The rows of one process among several, with 8 layers of its neighbours' rows above and below.
  Kokkos::View<double**, Exec> u("u", 8 + 64 + 8, 96), tmp("tmp", 8 + 64 + 8, 96);
  Kokkos::deep_copy(u, 1.0);
  //! [shared]
  auto const policy = KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::mirror().axis(0, KS::Face::shared(8)));
  for (int round = 0; round < 10; ++round) {
    // ... exchange the 8 layers of u with the neighbours ...
    KS::iterate("heat", policy, heat, 8, u, tmp);
  }
  //! [shared]
  double expected = 1.0;
  for (int step = 0; step < 8; ++step) expected *= 0.2 + 4 * 0.2;
  CHECK(value_at(u, 40, 40) > expected - 1e-9 && value_at(u, 40, 40) < expected + 1e-9);
}

void handles() {
  auto const heat   = KS::star<2>(1, {0.2, 0.2});
  auto const policy = KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::periodic());
  Kokkos::View<double**, Exec> u("u", 64, 64), tmp("tmp", 64, 64);
  Kokkos::deep_copy(u, 1.0);
  double const* const where = u.data();
  //! [handles]
  KS::iterate("heat", policy, heat, 3, u, tmp);
  // u and tmp are handles and may have changed places: u names the newest state.
  //! [handles]
  CHECK(where == u.data() || where == tmp.data());
  CHECK(value_at(u, 3, 4) > 1.0 - 1e-12 && value_at(u, 3, 4) < 1.0 + 1e-12);
}

void until() {
  auto const heat   = KS::star<2>(1, {0.2, 0.2});
  auto const policy = KS::StencilPolicy<Exec, 2>();
  Kokkos::View<double**, Exec> u("u", 34, 34), tmp("tmp", 34, 34);
  Kokkos::deep_copy(Kokkos::subview(u, 0, Kokkos::ALL()), 1.0);
  //! [until]
  auto const result = KS::iterate_until("heat", policy, heat, {1e-8, 20000, 100, KS::Norm::max}, u, tmp);
  if (!result.converged) std::printf("still %g after %lld sweeps\n", result.update_norm, (long long)result.steps);
  //! [until]
  CHECK(result.converged && result.update_norm <= 1e-8);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  kinds();
  wide();
  per_face();
  halos();
  overlap();
  shared();
  handles();
  until();
}
