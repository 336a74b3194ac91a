// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <utility>

// Sweeps of applications that are code, each twice: as a functor stencil and as a loop body of Kokkos. Both read the
// fields of one set of Views, fields 0 and up, and write to one or two of them.

namespace perf {
namespace codes {

namespace KS = KokkosStencil;

template <class View, std::size_t Count>
using Fields = Kokkos::Array<View, Count>;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T distance(T a, T b) {
  return a > b ? a - b : b - a;
}

/// A View around a point, as a loop body reads it.
template <class View>
struct Around {
  View const& v;
  int at[3];

  template <class... D>
  KOKKOS_FORCEINLINE_FUNCTION typename View::non_const_value_type operator()(D... d) const {
    int const to[] = {d...};
    if constexpr (int(View::rank) == 2) {
      return v(at[0] + to[0], at[1] + to[1]);
    } else {
      return v(at[0] + to[0], at[1] + to[1], at[2] + to[2]);
    }
  }
};

/// v = u + dt div(k grad u).
template <class View>
struct HeatK {
  using T                       = typename View::non_const_value_type;
  static constexpr char name[]  = "heat_k-3d1r";
  static constexpr int fields   = 3;  ///< u, k, v
  static constexpr int streams  = 3;  ///< fields read and written in a sweep
  static constexpr int radius   = 1;
  static constexpr bool reduces = false;

  struct Point {
    template <class N>
    KOKKOS_FUNCTION T operator()(N const& u, N const& k) const {
      T const h = T(0.5), dt = T(0.1), c = u(0, 0, 0), kc = k(0, 0, 0);
      auto const flow = [&](T kn, T un) { return h * (kn + kc) * (un - c); };
      return c + dt * (flow(k(-1, 0, 0), u(-1, 0, 0)) + flow(k(1, 0, 0), u(1, 0, 0)) + flow(k(0, -1, 0), u(0, -1, 0)) +
                       flow(k(0, 1, 0), u(0, 1, 0)) + flow(k(0, 0, -1), u(0, 0, -1)) + flow(k(0, 0, 1), u(0, 0, 1)));
    }
  };
  template <class Policy>
  static void run(Policy const& policy, Fields<View, 3> const& f, double*) {
    KS::parallel_for("heat_k", policy, Point(), KS::fields(KS::reach<1>(f[0]), KS::reach<1>(f[1])), f[2]);
  }
  static constexpr int states = 1;  ///< of many sweeps: the first fields, then in the last ones
  template <class Policy>
  static void iterate(Policy const& policy, Fields<View, 3>& f, std::int64_t steps) {
    KS::iterate("heat_k", policy, Point(), steps, KS::state<1>(f[0], f[2]), KS::constants(KS::reach<1>(f[1])));
  }
  Fields<View, 3> f;
  KOKKOS_FUNCTION void operator()(int i, int j, int l) const {
    auto const &u = f[0], &k = f[1];
    T const h = T(0.5), dt = T(0.1), c = u(i, j, l), kc = k(i, j, l);
    auto const flow = [&](T kn, T un) { return h * (kn + kc) * (un - c); };
    f[2](i, j, l)   = c + dt * (flow(k(i - 1, j, l), u(i - 1, j, l)) + flow(k(i + 1, j, l), u(i + 1, j, l)) +
                              flow(k(i, j - 1, l), u(i, j - 1, l)) + flow(k(i, j + 1, l), u(i, j + 1, l)) +
                              flow(k(i, j, l - 1), u(i, j, l - 1)) + flow(k(i, j, l + 1), u(i, j, l + 1)));
  }
};

/// w = 2 u - w + c lap(u) of eighth order: w is the state before u and becomes the one after.
template <class View>
struct Wave {
  using T                       = typename View::non_const_value_type;
  static constexpr char name[]  = "wave-3d4r";
  static constexpr int fields   = 3;  ///< u, c, w
  static constexpr int streams  = 4;
  static constexpr int radius   = 4;
  static constexpr bool reduces = false;

  template <class Read>
  KOKKOS_FORCEINLINE_FUNCTION static T laplace(Read const& u) {
    return T(3 * -205.0 / 72) * u(0, 0, 0) +
           T(8.0 / 5) * (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1)) +
           T(-1.0 / 5) * (u(-2, 0, 0) + u(2, 0, 0) + u(0, -2, 0) + u(0, 2, 0) + u(0, 0, -2) + u(0, 0, 2)) +
           T(8.0 / 315) * (u(-3, 0, 0) + u(3, 0, 0) + u(0, -3, 0) + u(0, 3, 0) + u(0, 0, -3) + u(0, 0, 3)) +
           T(-1.0 / 560) * (u(-4, 0, 0) + u(4, 0, 0) + u(0, -4, 0) + u(0, 4, 0) + u(0, 0, -4) + u(0, 0, 4));
  }
  struct Point {
    template <class N>
    KOKKOS_FUNCTION T operator()(N const& u, N const& c, N const& w) const {
      return 2 * u(0, 0, 0) - w(0, 0, 0) + c(0, 0, 0) * laplace(u);
    }
  };
  template <class Policy>
  static void run(Policy const& policy, Fields<View, 3> const& f, double*) {
    KS::parallel_for("wave", policy, Point(), KS::fields(KS::reach<4>(f[0]), f[1], f[2]), f[2]);
  }
  Fields<View, 3> f;
  KOKKOS_FUNCTION void operator()(int i, int j, int l) const {
    auto const at = [&](int a, int b, int d) { return f[0](i + a, j + b, l + d); };
    f[2](i, j, l) = 2 * f[0](i, j, l) - f[2](i, j, l) + f[1](i, j, l) * laplace(at);
  }
};

/// Two fields that react with each other.
template <class View>
struct GrayScott {
  using T                           = typename View::non_const_value_type;
  static constexpr int rank         = int(View::rank);
  static constexpr char const* name = rank == 2 ? "gray_scott-2d1r" : "gray_scott-3d1r";
  static constexpr int fields       = 4;
  static constexpr int streams      = 4;
  static constexpr int radius       = 1;
  static constexpr bool reduces     = false;

  template <class Read>
  KOKKOS_FORCEINLINE_FUNCTION static T laplace(Read const& u) {
    if constexpr (rank == 2) {
      return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - 4 * u(0, 0);
    } else {
      return u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1) - 6 * u(0, 0, 0);
    }
  }
  template <class Read>
  KOKKOS_FORCEINLINE_FUNCTION static void react(Read const& a, Read const& b, T a0, T b0, T& next_a, T& next_b) {
    T const reaction = a0 * b0 * b0;
    next_a           = a0 + T(0.16) * laplace(a) - reaction + T(0.035) * (1 - a0);
    next_b           = b0 + T(0.08) * laplace(b) + reaction - T(0.1) * b0;
  }
  struct Point {
    template <class N>
    KOKKOS_FUNCTION void operator()(N const& a, N const& b, T& next_a, T& next_b) const {
      if constexpr (rank == 2) {
        react(a, b, a(0, 0), b(0, 0), next_a, next_b);
      } else {
        react(a, b, a(0, 0, 0), b(0, 0, 0), next_a, next_b);
      }
    }
  };
  template <class Policy>
  static void run(Policy const& policy, Fields<View, 4> const& f, double*) {
    KS::parallel_for("gray_scott", policy, Point(), KS::fields(KS::reach<1>(f[0]), KS::reach<1>(f[1])),
                     KS::fields(f[2], f[3]));
  }
  static constexpr int states = 2;
  template <class Policy>
  static void iterate(Policy const& policy, Fields<View, 4>& f, std::int64_t steps) {
    KS::iterate("gray_scott", policy, Point(), steps, KS::state<1>(f[0], f[2]), KS::state<1>(f[1], f[3]));
  }
  Fields<View, 4> f;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void all(I... i) const {
    T next_a, next_b;
    react(Around<View>{f[0], {i...}}, Around<View>{f[1], {i...}}, f[0](i...), f[1](i...), next_a, next_b);
    f[2](i...) = next_a;
    f[3](i...) = next_b;
  }
  KOKKOS_FUNCTION void operator()(int i, int j) const { all(i, j); }
  KOKKOS_FUNCTION void operator()(int i, int j, int l) const { all(i, j, l); }
};

/// A sweep of Jacobi's method for 5 points with variable coefficients: fields u0, kx, ky, the right-hand side, u; with
/// the error's norm or without.
template <class View, bool Error>
struct Jacobi {
  using T                           = typename View::non_const_value_type;
  static constexpr char const* name = Error ? "jacobi_k_error-2d1r" : "jacobi_k-2d1r";
  static constexpr int fields       = 5;
  static constexpr int streams      = 5;
  static constexpr int radius       = 1;
  static constexpr bool reduces     = Error;

  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static T relax(N const& r, N const& kx, N const& ky, T b) {
    T const w = kx(0, 0), e = kx(0, 1), n = ky(1, 0), s = ky(0, 0);
    return (b + w * r(0, -1) + e * r(0, 1) + s * r(-1, 0) + n * r(1, 0)) / (1 + w + e + n + s);
  }
  struct Point {
    template <class N>
    KOKKOS_FUNCTION T operator()(N const& r, N const& kx, N const& ky, N const& b) const {
      return relax(r, kx, ky, b(0, 0));
    }
    template <class N>
    KOKKOS_FUNCTION T operator()(N const& r, N const& kx, N const& ky, N const& b, double& error) const {
      T const u = relax(r, kx, ky, b(0, 0));
      error += distance(u, r(0, 0));
      return u;
    }
  };
  template <class Policy>
  static void run(Policy const& policy, Fields<View, 5> const& f, double* error) {
    auto const in = KS::fields(KS::reach<1>(f[0]), KS::reach<1>(f[1]), KS::reach<1>(f[2]), f[3]);
    if constexpr (Error) {
      KS::parallel_reduce("jacobi", policy, Point(), in, f[4], Kokkos::Sum<double>(*error));
    } else {
      KS::parallel_for("jacobi", policy, Point(), in, f[4]);
    }
  }
  static constexpr int states = Error ? 0 : 1;
  template <class Policy>
  static void iterate(Policy const& policy, Fields<View, 5>& f, std::int64_t steps) {
    KS::iterate("jacobi", policy, Point(), steps, KS::state<1>(f[0], f[4]),
                KS::constants(KS::reach<1>(f[1]), KS::reach<1>(f[2]), f[3]));
  }
  Fields<View, 5> f;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    f[4](i, j) = relax(Around<View>{f[0], {i, j}}, Around<View>{f[1], {i, j}}, Around<View>{f[2], {i, j}}, f[3](i, j));
  }
  KOKKOS_FUNCTION void operator()(int i, int j, double& error) const {
    T const u  = relax(Around<View>{f[0], {i, j}}, Around<View>{f[1], {i, j}}, Around<View>{f[2], {i, j}}, f[3](i, j));
    f[4](i, j) = u;
    error += distance(u, f[0](i, j));
  }
};

/// w = A p and the dot product p . w.
template <class View>
struct CgDot {
  using T                       = typename View::non_const_value_type;
  static constexpr char name[]  = "cg_dot-2d1r";
  static constexpr int fields   = 4;  ///< p, kx, ky, w
  static constexpr int streams  = 4;
  static constexpr int radius   = 1;
  static constexpr bool reduces = true;

  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(N const& p, N const& kx, N const& ky) {
    T const w = kx(0, 0), e = kx(0, 1), n = ky(1, 0), s = ky(0, 0);
    return (1 + w + e + n + s) * p(0, 0) - w * p(0, -1) - e * p(0, 1) - s * p(-1, 0) - n * p(1, 0);
  }
  struct Point {
    template <class N>
    KOKKOS_FUNCTION T operator()(N const& p, N const& kx, N const& ky, double& dot) const {
      T const w = apply(p, kx, ky);
      dot += w * p(0, 0);
      return w;
    }
  };
  template <class Policy>
  static void run(Policy const& policy, Fields<View, 4> const& f, double* dot) {
    KS::parallel_reduce("cg: w = A p", policy, Point(),
                        KS::fields(KS::reach<1>(f[0]), KS::reach<1>(f[1]), KS::reach<1>(f[2])), f[3],
                        Kokkos::Sum<double>(*dot));
  }
  Fields<View, 4> f;
  KOKKOS_FUNCTION void operator()(int i, int j, double& dot) const {
    T const w  = apply(Around<View>{f[0], {i, j}}, Around<View>{f[1], {i, j}}, Around<View>{f[2], {i, j}});
    f[3](i, j) = w;
    dot += w * f[0](i, j);
  }
};

/// A box of 27 points, with a weight for each distance.
template <class View>
struct Box27 {
  using T                       = typename View::non_const_value_type;
  static constexpr char name[]  = "box27-3d1r";
  static constexpr int fields   = 2;
  static constexpr int streams  = 2;
  static constexpr int radius   = 1;
  static constexpr bool reduces = false;

  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static T plane(N const& u, int k, T centre, T side, T corner) {
    return centre * u(k, 0, 0) + side * (u(k, -1, 0) + u(k, 1, 0) + u(k, 0, -1) + u(k, 0, 1)) +
           corner * (u(k, -1, -1) + u(k, -1, 1) + u(k, 1, -1) + u(k, 1, 1));
  }
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static T blur(N const& u) {
    return plane(u, -1, T(1.0 / 16), T(1.0 / 32), T(1.0 / 64)) + plane(u, 0, T(1.0 / 8), T(1.0 / 16), T(1.0 / 32)) +
           plane(u, 1, T(1.0 / 16), T(1.0 / 32), T(1.0 / 64));
  }
  struct Point {
    template <class N>
    KOKKOS_FUNCTION T operator()(N const& u) const {
      return blur(u);
    }
  };
  template <class Policy>
  static void run(Policy const& policy, Fields<View, 2> const& f, double*) {
    KS::parallel_for("box27", policy, Point(), KS::reach<1>(f[0]), f[1]);
  }
  Fields<View, 2> f;
  KOKKOS_FUNCTION void operator()(int i, int j, int l) const { f[1](i, j, l) = blur(Around<View>{f[0], {i, j, l}}); }
};

/// The stencil of the Parallel Research Kernels: out += W in, a star.
template <class View, int R>
struct PrkAdd {
  using T                           = typename View::non_const_value_type;
  static constexpr char const* name = R == 1   ? "prk_add-2d1r"
                                      : R == 2 ? "prk_add-2d2r"
                                      : R == 3 ? "prk_add-2d3r"
                                               : "prk_add-2d4r";
  static constexpr int fields       = 2;
  static constexpr int streams      = 3;
  static constexpr int radius       = R;
  static constexpr bool reduces     = false;

  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static T star(N const& u) {
    T sum = 0;
    KOKKOSSTENCIL_UNROLL
    for (int d = 1; d <= R; ++d) {
      T const w = T(1) / T(2 * d * R);
      sum += w * u(0, d) - w * u(0, -d) + w * u(d, 0) - w * u(-d, 0);
    }
    return sum;
  }
  struct Point {
    template <class N>
    KOKKOS_FUNCTION void operator()(N const& u, T& out) const {
      out += star(u);
    }
  };
  template <class Policy>
  static void run(Policy const& policy, Fields<View, 2> const& f, double*) {
    KS::parallel_for("prk", policy, Point(), KS::reach<R>(f[0]), f[1]);
  }
  Fields<View, 2> f;
  KOKKOS_FUNCTION void operator()(int i, int j) const { f[1](i, j) += star(Around<View>{f[0], {i, j}}); }
};

}  // namespace codes
}  // namespace perf
