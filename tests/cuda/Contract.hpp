// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../harness/Tolerance.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// A backend against the accuracy contract, on the device: the exact result and S by the generic backend in double.

namespace KokkosStencil {
namespace Test {

template <class T>
using Memory = Kokkos::View<T*, Kokkos::CudaSpace>;

/// n[3 - Rank], ... points in rows of a pitch of a multiple of eight, and some room behind them.
template <int Rank>
struct Grid {
  template <class T>
  using View = Kokkos::View<std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>,
                            Kokkos::LayoutStride, Kokkos::CudaSpace>;

  explicit Grid(std::array<std::size_t, 3> const& points)
      : n(points), pitch((n[2] + 15) / 8 * 8), size((Rank == 3 ? n[0] : 1) * (Rank > 1 ? n[1] : 1) * pitch + 16) {}

  /// `offset` from an aligned address, below 16.
  template <class T>
  View<T> view(Memory<T> const& memory, std::size_t offset) const {
    Kokkos::LayoutStride layout;
    if (Rank == 1) layout = Kokkos::LayoutStride(n[2], 1);
    if (Rank == 2) layout = Kokkos::LayoutStride(n[1], pitch, n[2], 1);
    if (Rank == 3) layout = Kokkos::LayoutStride(n[0], n[1] * pitch, n[1], pitch, n[2], 1);
    return View<T>(memory.data() + offset, layout);
  }

  std::array<std::size_t, 3> n;
  std::size_t pitch, size;
};

enum class Values {
  integer,  ///< -1, 0 and 1
  uniform,  ///< up to 1
  wide      ///< magnitudes from 1e-4 to 1e4 side by side
};

/// In no order; infinities and NaN here and there if `special`.
template <class T>
struct Fill {
  Memory<T> to;
  Values values;
  bool special;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    unsigned long long z = i * 0x9E3779B97F4A7C15ull;
    z ^= z >> 31;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29;
    float value = static_cast<float>(static_cast<int>(z % 3) - 1);
    if (values == Values::uniform) value = static_cast<float>(z % 2001) / 1000.0f - 1.0f;
    if (values == Values::wide) {
      value = powf(10.0f, static_cast<float>(z % 8001) / 1000.0f - 4.0f) * ((z >> 45 & 1) != 0 ? 1.0f : -1.0f);
    }
    if (special && (z >> 20) % 9973 == 0) value = (z >> 40 & 1) != 0 ? NAN : INFINITY;
    to(i) = T(value);
  }
};

template <class T>
struct Widen {
  Memory<T> from;
  Memory<double> to;
  bool magnitude;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    auto const v = static_cast<double>(static_cast<float>(from(i)));
    to(i)        = magnitude ? fabs(v) : v;
  }
};

/// The largest error over S, beyond what is allowed below the normal numbers. Without bound where the exact result is
/// infinite or no number and the other is not the same, or the other way round.
template <class T>
struct ErrorOverS {
  Memory<T> got;
  Memory<double> exact, magnitude;
  double absolute;
  KOKKOS_FUNCTION void operator()(std::size_t i, double& worst) const {
    auto const y   = static_cast<double>(static_cast<float>(got(i)));
    double const e = exact(i), s = magnitude(i);
    double error = 0.0;
    if (e - e == 0.0) {
      double const beyond = fabs(y - e) - absolute;
      if (!(beyond <= 0.0)) error = beyond <= 1e300 * s ? beyond / s : HUGE_VAL;
    } else if (!(y == e || (y != y && e != e))) {
      error = HUGE_VAL;
    }
    if (error > worst) worst = error;
  }
};

/// Runs the backend and compares: within the bound of the contract, and with at most twice the error of the generic
/// backend and one rounding. What is not written has to stay. `offsets` of input and output.
template <class T, int Rank>
void keeps_contract(std::string const& backend, StencilPolicy<Kokkos::Cuda, Rank> const& policy,
                    Stencil<float, Rank> const& stencil, std::array<std::size_t, 3> const& n,
                    std::array<std::size_t, 2> const& offsets, Values values, bool special) {
  constexpr auto type = Impl::ValueTypeOf<T>::value;
  SCOPED_TRACE(backend + ", " + to_string(type) + ", " + std::to_string(stencil.size()) + " terms" +
               (values == Values::wide ? ", wide" : "") + (special ? ", with infinities and NaN" : ""));
  Call call;
  call.rank = Rank;
  std::vector<typename Stencil<double, Rank>::Term> terms, magnitudes;
  for (auto const& t : stencil.terms()) {
    Term term{{{0, 0, 0}}, static_cast<double>(t.coefficient)};
    for (std::size_t a = 0; a < static_cast<std::size_t>(Rank); ++a) term.offset[a] = t.offset[a];
    call.terms.push_back(term);
    terms.push_back({t.offset, term.coefficient});
    magnitudes.push_back({t.offset, std::fabs(term.coefficient)});
  }
  Stencil<double, Rank> const in_double(terms);
  Tolerance const allowed = tolerance(call, type);
  // The reference itself is a chain in double.
  double const bound = allowed.relative + error_bound(in_double, ValueType::float64);

  Grid<Rank> const grid(n);
  Memory<T> const in("in", grid.size), out("out", grid.size), plain("plain", grid.size);
  Memory<double> const wide("wide", grid.size), exact("exact", grid.size), magnitude("magnitude", grid.size);
  Kokkos::RangePolicy<Kokkos::Cuda> const all(0, grid.size);
  Kokkos::parallel_for("fill", all, Fill<T>{in, values, special});
  Kokkos::deep_copy(out, T(9.0f));
  Kokkos::deep_copy(plain, T(9.0f));
  Kokkos::deep_copy(exact, 9.0);
  Kokkos::deep_copy(magnitude, 0.0);
  auto const on      = [&](char const* name) { return StencilPolicy<Kokkos::Cuda, Rank>(policy).backend(name); };
  auto const wide_in = grid.view(wide, offsets[0]);
  Kokkos::parallel_for("widen", all, Widen<T>{in, wide, true});
  parallel_for("S", on("generic"), Stencil<double, Rank>(magnitudes), wide_in, grid.view(magnitude, offsets[1]));
  Kokkos::parallel_for("widen", all, Widen<T>{in, wide, false});
  parallel_for("exact", on("generic"), in_double, wide_in, grid.view(exact, offsets[1]));
  parallel_for("plain", on("generic"), stencil, grid.view(in, offsets[0]), grid.view(plain, offsets[1]));
  parallel_for("contract", on(backend.c_str()), stencil, grid.view(in, offsets[0]), grid.view(out, offsets[1]));
  EXPECT_EQ(last_backend(), backend);
  auto const error = [&](Memory<T> const& got) {
    double worst = 0.0;
    Kokkos::parallel_reduce("error", all, ErrorOverS<T>{got, exact, magnitude, allowed.absolute},
                            Kokkos::Max<double>(worst));
    return std::max(worst, 0.0);
  };
  double const worst = error(out);
  EXPECT_LE(worst, bound);
  EXPECT_LE(worst, 2.0 * error(plain) + std::ldexp(1.0, -significant_bits(type)));
}

}  // namespace Test
}  // namespace KokkosStencil
