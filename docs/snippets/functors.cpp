// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <cmath>
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

//! [loops]
// A Laplacian of order 8, its coefficients by distance in an array of the functor.
struct Laplacian {
  double c[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

  template <class N>
  KOKKOS_FUNCTION double operator()(N const& u) const {
    double sum = 2.0 * c[0] * u(0, 0);
    KOKKOSSTENCIL_UNROLL
    for (int d = 1; d <= 4; ++d) sum += c[d] * (u(-d, 0) + u(d, 0) + u(0, -d) + u(0, d));
    return sum;
  }
};

void curvature(Grid const& u, Grid const& v) {
  KS::parallel_for("curvature", KS::StencilPolicy<Exec, 2>(), Laplacian(), KS::reach<4>(u), v);
}
//! [loops]

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

//! [captured]
// Flows to the right and down, with a factor for each row in a View that is captured.
void flows(Grid const& u, Kokkos::View<double*, Exec> const& factor, Grid const& right, Grid const& down) {
  using N = KS::Neighborhood<Grid>;
  KS::parallel_for(
      "flows", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& n, double& x, double& y) {
        double const a = factor(n.index(0)) * (n(0, 0) - n(0, 1));
        double const b = factor(n.index(0)) * (n(0, 0) - n(1, 0));
        x              = a;
        y              = b;
      },
      KS::fields(KS::reach<1>(u)), KS::fields(right, down));
}
//! [captured]

//! [iterate]
// Many sweeps of it with a feed rate that varies; afterwards u and v name the newest values.
void gray_scott(int steps, Grid& u, Grid& u_next, Grid& v, Grid& v_next, Grid const& feed) {
  auto const policy = KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::periodic());
  using N           = KS::Neighborhood<Grid>;
  KS::iterate(
      "gray-scott", policy,
      KOKKOS_LAMBDA(N const& a, N const& b, N const& rate, double& next_a, double& next_b) {
        double const laplace_a = a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4.0 * a(0, 0);
        double const laplace_b = b(-1, 0) + b(1, 0) + b(0, -1) + b(0, 1) - 4.0 * b(0, 0);
        double const reaction  = a(0, 0) * b(0, 0) * b(0, 0);
        next_a += 0.16 * laplace_a - reaction + rate(0, 0) * (1.0 - a(0, 0));
        next_b += 0.08 * laplace_b + reaction - 0.1 * b(0, 0);
      },
      steps, KS::state<1>(u, u_next), KS::state<1>(v, v_next), KS::constants(feed));
}
//! [iterate]

//! [add]
// out += W in, as the Parallel Research Kernels have it, but not where the mask is zero.
void add_flow(Grid const& in, Grid const& mask, Grid const& out) {
  using N = KS::Neighborhood<Grid>;
  KS::parallel_for(
      "add", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& n, N const& m, double& sum) {
        if (m(0, 0) != 0.0) sum += 0.5 * (n(0, 1) - n(0, -1) + n(1, 0) - n(-1, 0));
      },
      KS::fields(KS::reach<1>(in), mask), out);
}
//! [add]

//! [wave]
// The state before u becomes the one after it.
void wave(Grid const& u, Grid const& c2, Grid const& w) {
  using N = KS::Neighborhood<Grid>;
  KS::parallel_for(
      "wave", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& now, N const& speed, N const& before) {
        double const laplace = now(-1, 0) + now(1, 0) + now(0, -1) + now(0, 1) - 4.0 * now(0, 0);
        return 2.0 * now(0, 0) - before(0, 0) + speed(0, 0) * laplace;
      },
      KS::fields(KS::reach<1>(u), c2, w), w);
}
//! [wave]

//! [levels]
// Many such steps: u and before change places after each.
void wave(int steps, Grid& u, Grid& before, Grid const& c2) {
  using N = KS::Neighborhood<Grid>;
  KS::iterate(
      "wave", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& now, N const& old, N const& speed) {
        double const laplace = now(-1, 0) + now(1, 0) + now(0, -1) + now(0, 1) - 4.0 * now(0, 0);
        return 2.0 * now(0, 0) - old(0, 0) + speed(0, 0) * laplace;
      },
      steps, KS::levels<1>(u, before), KS::constants(c2));
}
//! [levels]

//! [until]
// Jacobi's method for - div(k grad u) = f, k between two points, until a sweep changes no point by more than 1e-9.
bool relax(Grid& u, Grid& u_next, Grid const& west, Grid const& north, Grid const& f) {
  using N           = KS::Neighborhood<Grid>;
  auto const result = KS::iterate_until(
      "relax", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& n, N const& w, N const& s, N const& b) {
        double const all = w(0, 0) + w(0, 1) + s(0, 0) + s(1, 0);
        return (b(0, 0) + w(0, 0) * n(0, -1) + w(0, 1) * n(0, 1) + s(0, 0) * n(-1, 0) + s(1, 0) * n(1, 0)) / all;
      },
      KS::StoppingCriterion{1e-9, 10000, 100}, KS::state<1>(u, u_next),
      KS::constants(KS::reach<0, 1>(west), KS::reach<1, 0>(north), f));
  return result.converged;
}
//! [until]

//! [dot]
// w = A p and the dot product of p and w.
double apply(Grid const& p, Grid const& w) {
  double pw = 0.0;
  KS::parallel_reduce(
      "w = A p", KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::value(0.0)),
      KOKKOS_LAMBDA(KS::Neighborhood<Grid> const& n, double& out, double& dot) {
        out = 4.0 * n(0, 0) - n(-1, 0) - n(1, 0) - n(0, -1) - n(0, 1);
        dot += n(0, 0) * out;
      },
      KS::reach<1>(p), w, Kokkos::Sum<double>(pw));
  return pw;
}
//! [dot]

//! [ghosts]
// Two layers all around: columns wrap around, rows are reflected.
void refresh(Grid const& u, Grid const& v) {
  auto const rules = KS::Boundary<2>().axis(0, KS::Face::mirror()).axis(1, KS::Face::periodic());
  KS::fill_halo("ghosts", KS::StencilPolicy<Exec, 2>().radius(2).boundary(rules), u, v);
}
//! [ghosts]

//! [index]
// n.index(axis) is the index of the point itself.
void add_source(Grid const& u, Grid const& v, int row, double heat) {
  KS::parallel_for(
      "source", KS::StencilPolicy<Exec, 2>().radius(0),
      KOKKOS_LAMBDA(KS::Neighborhood<Grid> const& n) { return n(0, 0) + (n.index(0) == row ? heat : 0.0); }, u, v);
}
//! [index]

void set(Board const& cells, int i, int j) { Kokkos::deep_copy(Kokkos::subview(cells, i, j), (unsigned char)1); }

void set_value(Grid const& u, int i, int j, double x) { Kokkos::deep_copy(Kokkos::subview(u, i, j), x); }

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

  Kokkos::deep_copy(v, 7.0);
  curvature(u, v);
  CHECK(std::abs(value_at(v, 16, 12)) < 1e-12 && value_at(v, 3, 12) == 7.0);

  Kokkos::deep_copy(u, 1.0);
  Kokkos::deep_copy(k, 0.0);
  gray_scott(u, k, v, w);
  CHECK(value_at(v, 3, 3) == 1.0 && value_at(w, 3, 3) == 0.0);

  Kokkos::View<double*, Exec> const factor("factor", 32);
  Kokkos::deep_copy(factor, 2.0);
  set_value(u, 3, 4, 0.0);
  flows(u, factor, v, w);
  CHECK(value_at(v, 3, 3) == 2.0 && value_at(w, 2, 4) == 2.0 && value_at(w, 3, 4) == -2.0);
  set_value(u, 3, 4, 1.0);

  // Now u is 1 and k is 0 everywhere.
  Kokkos::deep_copy(v, 3.0);
  add_flow(u, u, v);
  CHECK(value_at(v, 3, 3) == 3.0);
  Kokkos::deep_copy(w, 0.5);
  wave(u, k, w);
  CHECK(value_at(w, 3, 3) == 1.5 && value_at(w, 0, 0) == 0.5);
  Kokkos::deep_copy(w, 0.5);
  wave(2, u, w, k);
  CHECK(value_at(u, 3, 3) == 2.0 && value_at(w, 3, 3) == 1.5);
  Kokkos::deep_copy(u, 1.0);
  // The solution of 4 u - neighbours = 0 is that of the rim.
  Kokkos::deep_copy(v, 1.0);
  Kokkos::deep_copy(Kokkos::subview(u, std::make_pair(1, 31), std::make_pair(1, 23)), 0.0);
  CHECK(relax(u, w, v, v, k));
  CHECK(value_at(u, 16, 12) > 0.999999);
  Kokkos::deep_copy(u, 1.0);
  // A is zero inside, 1 beside a face and 2 in a corner.
  CHECK(apply(u, v) == 2.0 * 32 + 2.0 * 24);
  CHECK(value_at(v, 3, 3) == 0.0 && value_at(v, 0, 3) == 1.0);
  Kokkos::deep_copy(v, 7.0);
  set_value(v, 2, 2, 5.0);
  refresh(u, v);
  CHECK(value_at(v, 1, 2) == 5.0 && value_at(v, 1, 22) == 5.0 && value_at(v, 0, 0) == 7.0);

  add_source(u, v, 5, 0.5);
  CHECK(value_at(v, 5, 7) == 1.5 && value_at(v, 6, 7) == 1.0);
}
