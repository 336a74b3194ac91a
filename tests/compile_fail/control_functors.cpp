// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functors that are right, though their parameters are of rare kinds.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

/// A reference of the application's own.
struct Ref {
  float& to;
  KOKKOS_FUNCTION Ref(float& x) : to(x) {}
};
struct Both {
  KOKKOS_FUNCTION void operator()(N const& n, float& x) const { x = n(0, 1); }
  KOKKOS_FUNCTION void operator()(N const& n, float& x, float& y) const { x = y = n(0, 1); }
};
struct Any {
  template <class Near, class... Results>
  KOKKOS_FUNCTION void operator()(Near n, Results&... x) const {
    ((x = n(0, 1)), ...);
  }
};
void use(View& u, View& v, View const& w, double& sum) {
  KS::StencilPolicy<Exec, 2> const policy;
  auto const in    = KS::fields(KS::reach<1>(u));
  auto const other = KS::reach<1>(u);
  KS::parallel_for(
      "auto", policy, [](auto const& n, auto& x) { x = n(0, 1); }, other, v);
  KS::parallel_for(
      "forwarded", policy, [](auto&& n, auto&& x) { std::forward<decltype(x)>(x) = n(0, 1); }, other, v);
  KS::parallel_for(
      "left", policy, [](auto n, auto& x, auto const& y) { x = n(0, 1) + y; }, in, KS::fields(v, w));
  KS::parallel_for(
      "named", policy, [](N n, float& x, float const& y) noexcept { x = n(0, 1) + y; }, in, KS::fields(v, w));
  KS::parallel_for(
      "more", policy, [](N const& n, float& x, int more = 1) { x = n(0, 1) + float(more); }, other, v);
  KS::parallel_for(
      "held", policy, [](N const& n, Ref x) { x.to = n(0, 1); }, other, v);
  KS::parallel_for("both", policy, Both(), other, v);
  KS::parallel_for("both", policy, Both(), in, KS::fields(v, w));
  KS::parallel_for("any", policy, Any(), in, KS::fields(v, w));
  KS::parallel_reduce("any", policy, Any(), in, KS::fields(v, w), Kokkos::Sum<double>(sum));
  KS::iterate(
      "auto", policy, [](auto const& n, auto& x) { x = n(0, 1); }, 3, KS::state<1>(u, v));
}
