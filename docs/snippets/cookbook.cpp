// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace KS = KokkosStencil;

using Exec  = Kokkos::DefaultExecutionSpace;
using Field = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;
using N     = KS::Neighborhood<Field>;

//! [accumulate]
// du += dt * laplace(u), for a right-hand side that several terms are added to.
void add_diffusion(Field const& u, double dt, Field const& du) {
  KS::parallel_for(
      "add diffusion", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& n, double& sum) { sum += dt * (n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1) - 4.0 * n(0, 0)); },
      KS::reach<1>(u), du);
}
//! [accumulate]

//! [mask]
// Land keeps its value; over water, a neighbour on land counts as the point itself: nothing flows ashore.
using Mask = Kokkos::View<unsigned char**, Kokkos::LayoutRight, Exec>;

void diffuse_at_sea(Field const& u, Mask const& water, Field const& v) {
  KS::parallel_for(
      "diffuse at sea", KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::edge()),
      KOKKOS_LAMBDA(N const& n, KS::Neighborhood<Mask> const& wet) {
        if (wet(0, 0) == 0) return n(0, 0);
        auto const flow = [&](int i, int j) { return wet(i, j) != 0 ? n(i, j) - n(0, 0) : 0.0; };
        return n(0, 0) + 0.1 * (flow(-1, 0) + flow(1, 0) + flow(0, -1) + flow(0, 1));
      },
      KS::fields(KS::reach<1>(u), KS::reach<1>(water)), v);
}
//! [mask]

//! [broadcast]
// A profile that depends on the depth alone is a View of rank 1, read at the index of the point.
void cool(Field const& u, Kokkos::View<double*, Exec> const& by_depth, Field const& v) {
  KS::parallel_for(
      "cool", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& n) {
        double const mean = 0.25 * (n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1));
        return n(0, 0) + by_depth(n.index(0)) * (mean - n(0, 0));
      },
      KS::reach<1>(u), v);
}
//! [broadcast]

//! [colours]
// Gauss and Seidel by colours: a point with an even sum of indices needs odd ones only, and the other way round. Each
// colour has a View of its own, in which the places of the other one are not looked at.
void half_sweep(int colour, Field const& others, Field const& f, Field const& u) {
  KS::parallel_for(
      "half a sweep", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& n, N const& b, double& here) {
        if ((n.index(0) + n.index(1)) % 2 != colour) return;
        here = 0.25 * (n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1) + b(0, 0));
      },
      KS::fields(KS::reach<1>(others), f), u);
}

void gauss_seidel(Field const& even, Field const& odd, Field const& f) {
  half_sweep(0, odd, f, even);
  half_sweep(1, even, f, odd);
}
//! [colours]

//! [staggered]
// Pressure in the cells (ny, nx), velocity through their faces: u (ny, nx + 1) and v (ny + 1, nx). Subviews of one
// shape name the faces on both sides of a cell, and the cells on both sides of a face: each is read at the point only.
template <class Cells, class Left, class Right, class Below, class Above>
void subtract_divergence(double dt, Left const& left, Right const& right, Below const& below, Above const& above,
                         Cells const& pressure) {
  KS::parallel_for(
      "pressure", KS::StencilPolicy<Exec, 2>().radius(0),
      KOKKOS_LAMBDA(KS::Neighborhood<Left> const& w, KS::Neighborhood<Right> const& e, KS::Neighborhood<Below> const& s,
                    KS::Neighborhood<Above> const& n, double& p) { p -= dt * (e(0, 0) - w(0, 0) + n(0, 0) - s(0, 0)); },
      KS::fields(left, right, below, above), pressure);
}

template <class Before, class After, class Faces>
void subtract_gradient(double dt, Before const& before, After const& after, Faces const& velocity) {
  KS::parallel_for(
      "velocity", KS::StencilPolicy<Exec, 2>().radius(0),
      KOKKOS_LAMBDA(KS::Neighborhood<Before> const& a, KS::Neighborhood<After> const& b, double& u) {
        u -= dt * (b(0, 0) - a(0, 0));
      },
      KS::fields(before, after), velocity);
}

void sound_step(double dt, Field const& p, Field const& u, Field const& v) {
  using Kokkos::ALL;
  using Kokkos::subview;
  auto const range = [](std::size_t from, std::size_t to) { return std::make_pair(from, to); };
  auto const ny = p.extent(0), nx = p.extent(1);
  subtract_divergence(dt, subview(u, ALL, range(0, nx)), subview(u, ALL, range(1, nx + 1)),
                      subview(v, range(0, ny), ALL), subview(v, range(1, ny + 1), ALL), p);
  // The outermost faces are walls and stay as they are.
  subtract_gradient(dt, subview(p, ALL, range(0, nx - 1)), subview(p, ALL, range(1, nx)),
                    subview(u, ALL, range(1, nx)));
  subtract_gradient(dt, subview(p, range(0, ny - 1), ALL), subview(p, range(1, ny), ALL),
                    subview(v, range(1, ny), ALL));
}
//! [staggered]

//! [walls]
// Cells between walls of value 0 at their outermost faces (Dirichlet): beyond a wall lies minus the mirror image.
void diffuse_between_walls(Field const& u, Field const& v) {
  auto const ny = static_cast<std::int64_t>(u.extent(0)), nx = static_cast<std::int64_t>(u.extent(1));
  KS::parallel_for(
      "diffuse", KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::mirror()),
      KOKKOS_LAMBDA(N const& n) {
        auto const at = [&](int i, int j) {
          std::int64_t const y = n.index(0) + i, x = n.index(1) + j;
          return y < 0 || y >= ny || x < 0 || x >= nx ? -n(i, j) : n(i, j);
        };
        return n(0, 0) + 0.125 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - 4.0 * n(0, 0));
      },
      KS::reach<1>(u), v);
}
//! [walls]

//! [grids]
// A coarse cell is the mean of four fine ones, each of which is a point of a View with twice the strides.
using Part = Kokkos::View<double**, Kokkos::LayoutStride, Exec, Kokkos::MemoryUnmanaged>;

void restrict_to(Field const& fine, Field const& coarse) {
  auto const part = [&](std::size_t i, std::size_t j) {
    std::size_t const dy = fine.stride(0), dx = fine.stride(1);
    return Part(fine.data() + i * dy + j * dx,
                Kokkos::LayoutStride(coarse.extent(0), 2 * dy, coarse.extent(1), 2 * dx));
  };
  using P = KS::Neighborhood<Part>;
  KS::parallel_for(
      "restrict", KS::StencilPolicy<Exec, 2>().radius(0),
      KOKKOS_LAMBDA(P const& a, P const& b, P const& c, P const& d) {
        return 0.25 * (a(0, 0) + b(0, 0) + c(0, 0) + d(0, 0));
      },
      KS::fields(part(0, 0), part(0, 1), part(1, 0), part(1, 1)), coarse);
}

// The way back: a fine cell finds the coarse one by its index.
void add_coarse(Field const& coarse, Field const& fine) {
  KS::parallel_for(
      "add coarse", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(N const& n, double& u) { u += coarse(n.index(0) / 2, n.index(1) / 2); }, KS::reach<0>(fine), fine);
}
//! [grids]

//! [components]
// Components kept together, (y, x, component): a stencil of rank 3 that does not move along the last axis.
using State = Kokkos::View<double***, Kokkos::LayoutRight, Exec>;

void smooth_components(State const& q, State const& r) {
  KS::Stencil<double, 3> const cross{
      {{0, 0, 0}, 0.5}, {{-1, 0, 0}, 0.125}, {{1, 0, 0}, 0.125}, {{0, -1, 0}, 0.125}, {{0, 1, 0}, 0.125}};
  KS::parallel_for("smooth", KS::StencilPolicy<Exec, 3>().boundary(KS::Boundary<3>::edge()), cross, q, r);
}

// Where components mix, each is a field of its own.
template <class Component>
void add_gravity(Component const& density, Component const& momentum, double dt) {
  using C = KS::Neighborhood<Component>;
  KS::parallel_for(
      "gravity", KS::StencilPolicy<Exec, 2>().radius(0),
      KOKKOS_LAMBDA(C const& rho, double& m) { m -= 9.81 * dt * rho(0, 0); }, KS::fields(density), momentum);
}

void gravity(State const& q, double dt) {
  auto const component = [&](int c) { return Kokkos::subview(q, Kokkos::ALL, Kokkos::ALL, c); };
  add_gravity(component(0), component(2), dt);
}
//! [components]

//! [flat]
// Codes that index by hand: i = y * pitch + x. An unmanaged View says what the numbers mean; nothing is copied.
using Flat = Kokkos::View<double*, Exec>;
using Rows = Kokkos::View<double**, Kokkos::LayoutStride, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

Rows as_rows(Flat const& flat, std::size_t ny, std::size_t nx, std::size_t pitch) {
  return Rows(flat.data(), Kokkos::LayoutStride(ny, pitch, nx, 1));
}

void smooth_flat(Flat const& in, Flat const& out, std::size_t ny, std::size_t nx, std::size_t pitch) {
  KS::parallel_for("smooth", KS::StencilPolicy<Exec, 2>(), KS::star<2>(1, {0.5, 0.125}), as_rows(in, ny, nx, pitch),
                   as_rows(out, ny, nx, pitch));
}
//! [flat]

//! [source]
// A wave with a source that swings: the functor is told the number of each step, from 0 on.
void ring(Field& u, Field& before, int row, int column, int steps, double dt) {
  KS::iterate(
      "wave", KS::StencilPolicy<Exec, 2>(),
      KOKKOS_LAMBDA(KS::Step step, N const& n, N const& old) {
        double const laplace = n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1) - 4.0 * n(0, 0);
        bool const here      = n.index(0) == row && n.index(1) == column;
        double const source  = here ? std::sin(6.28 * dt * static_cast<double>(step)) : 0.0;
        return 2.0 * n(0, 0) - old(0, 0) + 0.2 * laplace + source;
      },
      steps, KS::levels<1>(u, before));
}
//! [source]

//! [jacobi]
// Solves -laplace(u) = f, u fixed at the outermost points. Every sweep goes from u to v; now and then it also says by
// how much u misses the equation.
double jacobi_sweep(Field const& u, Field const& f, Field const& v, bool look) {
  auto const policy = KS::StencilPolicy<Exec, 2>();
  auto const inputs = KS::fields(KS::reach<1>(u), f);
  if (!look) {
    KS::parallel_for(
        "jacobi", policy,
        KOKKOS_LAMBDA(N const& n, N const& b) { return 0.25 * (n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1) + b(0, 0)); },
        inputs, v);
    return 0.0;
  }
  double squares = 0.0;
  KS::parallel_reduce(
      "jacobi", policy,
      KOKKOS_LAMBDA(N const& n, N const& b, double& next, double& sum) {
        next                  = 0.25 * (n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1) + b(0, 0));
        double const residual = 4.0 * (next - n(0, 0));
        sum += residual * residual;
      },
      inputs, v, Kokkos::Sum<double>(squares));
  return std::sqrt(squares);
}

int jacobi(Field& u, Field& v, Field const& f, double tolerance, int most) {
  for (int sweep = 0; sweep < most; ++sweep) {
    bool const look       = sweep % 50 == 0;
    double const residual = jacobi_sweep(u, f, v, look);
    if (look && residual < tolerance) return sweep;
    std::swap(u, v);
  }
  return most;
}
//! [jacobi]

void set(Field const& u, int i, int j, double x) { Kokkos::deep_copy(Kokkos::subview(u, i, j), x); }

// What the recipes come to, compared with sums done by hand.
int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  auto const near = [](double a, double b) { return std::abs(a - b) <= 1e-12; };

  Field u("u", 20, 30), v("v", 20, 30), w("w", 20, 30);
  set(u, 8, 9, 1.0);
  Kokkos::deep_copy(v, 3.0);
  add_diffusion(u, 0.5, v);
  CHECK(value_at(v, 8, 9) == 1.0 && value_at(v, 8, 10) == 3.5 && value_at(v, 0, 0) == 3.0);

  Mask water("water", 20, 30);
  Kokkos::deep_copy(water, (unsigned char)1);
  Kokkos::deep_copy(Kokkos::subview(water, 8, 10), (unsigned char)0);
  diffuse_at_sea(u, water, v);
  CHECK(near(value_at(v, 8, 9), 0.7) && near(value_at(v, 8, 8), 0.1) && value_at(v, 8, 10) == 0.0);

  Kokkos::View<double*, Exec> by_depth("by depth", 20);
  Kokkos::deep_copy(by_depth, 0.5);
  cool(u, by_depth, v);
  CHECK(value_at(v, 8, 9) == 0.5 && value_at(v, 8, 10) == 0.125);

  Kokkos::deep_copy(v, 0.0);
  Kokkos::deep_copy(w, 0.0);
  gauss_seidel(v, w, u);
  gauss_seidel(v, w, u);
  // (8, 9) is odd: its source is there after the first sweep, at the even points around after the second.
  CHECK(value_at(w, 8, 9) == 0.3125 && value_at(v, 8, 8) == 0.0625);

  Field faces_x("u", 20, 31), faces_y("v", 21, 30);
  Kokkos::deep_copy(v, 0.0);
  set(v, 8, 9, 1.0);
  sound_step(0.5, v, faces_x, faces_y);
  CHECK(value_at(v, 8, 9) == 1.0 && value_at(faces_x, 8, 9) == -0.5 && value_at(faces_x, 8, 10) == 0.5);
  CHECK(value_at(faces_y, 8, 9) == -0.5 && value_at(faces_y, 9, 9) == 0.5);
  sound_step(0.5, v, faces_x, faces_y);
  CHECK(value_at(v, 8, 9) == 0.0 && value_at(v, 8, 8) == 0.25);

  Kokkos::deep_copy(u, 1.0);
  diffuse_between_walls(u, v);
  CHECK(value_at(v, 0, 0) == 0.5 && value_at(v, 0, 5) == 0.75 && value_at(v, 8, 8) == 1.0);
  Field coarse("coarse", 10, 15);
  set(u, 8, 9, 5.0);
  restrict_to(u, coarse);
  CHECK(value_at(coarse, 4, 4) == 2.0 && value_at(coarse, 4, 5) == 1.0);
  add_coarse(coarse, u);
  CHECK(value_at(u, 8, 9) == 7.0 && value_at(u, 9, 8) == 3.0 && value_at(u, 9, 10) == 2.0);

  State q("q", 6, 7, 3), r("r", 6, 7, 3);
  Kokkos::deep_copy(Kokkos::subview(q, 2, 3, 0), 8.0);
  smooth_components(q, r);
  CHECK(value_at(r, 2, 3, 0) == 4.0 && value_at(r, 2, 4, 0) == 1.0 && value_at(r, 2, 3, 1) == 0.0);
  gravity(q, 1.0);
  CHECK(near(value_at(q, 2, 3, 2), -8.0 * 9.81) && value_at(q, 2, 3, 1) == 0.0);

  Flat in("in", 20 * 32), out("out", 20 * 32);
  Kokkos::deep_copy(Kokkos::subview(in, 8 * 32 + 9), 8.0);
  smooth_flat(in, out, 20, 30, 32);
  CHECK(value_at(out, 8 * 32 + 9) == 4.0 && value_at(out, 9 * 32 + 9) == 1.0 && value_at(out, 8 * 32 + 11) == 0.0);

  Kokkos::deep_copy(u, 0.0);
  Kokkos::deep_copy(w, 0.0);
  ring(u, w, 8, 9, 3, 0.25);
  // After the second step there is sin(1.57) at the source; the third adds twice that and what flows off.
  double const a = std::sin(6.28 * 0.25), b = std::sin(6.28 * 0.5);
  CHECK(near(value_at(u, 8, 9), 2.0 * a - 0.8 * a + b) && near(value_at(u, 8, 10), 0.2 * a));

  Kokkos::deep_copy(u, 0.0);
  Kokkos::deep_copy(v, 0.0);
  Kokkos::deep_copy(w, 1.0);
  CHECK(jacobi(u, v, w, 1e-9, 20000) < 20000);
  double const rest = 4.0 * value_at(u, 9, 14) - value_at(u, 8, 14) - value_at(u, 10, 14) - value_at(u, 9, 13) -
                      value_at(u, 9, 15) - 1.0;
  CHECK(std::abs(rest) < 1e-9);
}
