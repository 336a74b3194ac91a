// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <utility>

namespace KS = KokkosStencil;

using Exec = Kokkos::DefaultExecutionSpace;

//! [life]
using Board = Kokkos::View<unsigned char**, Exec>;

void life(Board& cells, Board& tmp, int generations) {
  auto const policy = KS::StencilPolicy<Exec, 2>().radius(1).boundary(KS::Boundary<2>::periodic());
  KS::iterate(
      "life", policy,
      KOKKOS_LAMBDA(KS::Neighborhood<Board> const& n) {
        int const alive = n(-1, -1) + n(-1, 0) + n(-1, 1) + n(0, -1) + n(0, 1) + n(1, -1) + n(1, 0) + n(1, 1);
        return static_cast<unsigned char>(alive == 3 || (alive == 2 && n(0, 0) == 1));
      },
      generations, cells, tmp);
}
//! [life]

//! [variable]
using Grid = Kokkos::View<double**, Exec>;

// div(k grad u) with a conductivity k that varies from point to point.
void diffuse(Grid const& u, Grid const& k, Grid const& v) {
  auto const policy = KS::StencilPolicy<Exec, 2>().radius(1).boundary(KS::Boundary<2>::edge());
  using N           = KS::Neighborhood<Grid>;
  KS::parallel_for(
      "diffuse", policy,
      KOKKOS_LAMBDA(N const& n, N const& c) {
        auto const flux = [&](int i, int j) { return 0.5 * (c(i, j) + c(0, 0)) * (n(i, j) - n(0, 0)); };
        return flux(-1, 0) + flux(1, 0) + flux(0, -1) + flux(0, 1);
      },
      KS::fields(u, k), v);
}
//! [variable]

//! [system]
// Gray-Scott: two fields that react with each other. With several outputs the functor assigns to them.
void gray_scott(Grid const& u, Grid const& v, Grid const& new_u, Grid const& new_v) {
  auto const policy = KS::StencilPolicy<Exec, 2>().radius(1).boundary(KS::Boundary<2>::periodic());
  using N           = KS::Neighborhood<Grid>;
  KS::parallel_for(
      "gray-scott", policy,
      KOKKOS_LAMBDA(N const& a, N const& b, double& next_a, double& next_b) {
        double const laplace_a = a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4.0 * a(0, 0);
        double const laplace_b = b(-1, 0) + b(1, 0) + b(0, -1) + b(0, 1) - 4.0 * b(0, 0);
        double const reaction  = a(0, 0) * b(0, 0) * b(0, 0);
        next_a                 = a(0, 0) + 0.16 * laplace_a - reaction + 0.035 * (1.0 - a(0, 0));
        next_b                 = b(0, 0) + 0.08 * laplace_b + reaction - 0.1 * b(0, 0);
      },
      KS::fields(u, v), KS::fields(new_u, new_v));
}
//! [system]

//! [index]
// n.index(axis) is the index of the point itself.
void add_source(Grid const& u, Grid const& v, int row, double heat) {
  KS::parallel_for(
      "source", KS::StencilPolicy<Exec, 2>().radius(0),
      KOKKOS_LAMBDA(KS::Neighborhood<Grid> const& n) { return n(0, 0) + (n.index(0) == row ? heat : 0.0); }, u, v);
}
//! [index]

void set(Board const& cells, int i, int j) { Kokkos::deep_copy(Kokkos::subview(cells, i, j), (unsigned char)1); }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);

  // A glider comes back to its shape after 4 generations, one row down and one column to the right.
  Board cells("cells", 12, 12), tmp("tmp", 12, 12);
  int const glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  for (auto const& p : glider) set(cells, p[0], p[1]);
  life(cells, tmp, 4 * 12);
  for (auto const& p : glider) CHECK(value_at(cells, p[0], p[1]) == 1);

  Grid u("u", 32, 24), k("k", 32, 24), v("v", 32, 24), w("w", 32, 24);
  Kokkos::deep_copy(u, 2.0);
  Kokkos::deep_copy(k, 1.0);
  diffuse(u, k, v);
  CHECK(value_at(v, 0, 0) == 0.0 && value_at(v, 16, 12) == 0.0);

  Kokkos::deep_copy(u, 1.0);
  Kokkos::deep_copy(k, 0.0);
  gray_scott(u, k, v, w);
  CHECK(value_at(v, 3, 3) == 1.0 && value_at(w, 3, 3) == 0.0);

  add_source(u, v, 5, 0.5);
  CHECK(value_at(v, 5, 7) == 1.5 && value_at(v, 6, 7) == 1.0);
}
