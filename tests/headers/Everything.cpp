// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Every template of the headers, made once for each rank and some types: what users include must not warn, whatever
// warnings they ask for.

namespace KS = KokkosStencil;

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

template <class T, int Rank>
struct DataType {
  using type = typename DataType<T, Rank - 1>::type*;
};
template <class T>
struct DataType<T, 0> {
  using type = T;
};

template <int Rank, class N, std::size_t... Axis>
KOKKOS_FUNCTION auto centre(N const& n, std::index_sequence<Axis...>) {
  return n((static_cast<void>(Axis), 0)...);
}

/// Assigns the first input at the point, through each of its fields.
template <int Rank>
struct Copy {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& n) const {
    return n.index(0) < 0 ? typename N::value_type()
                          : centre<Rank>(n, std::make_index_sequence<static_cast<std::size_t>(Rank)>());
  }
  template <class N, class M>
  KOKKOS_FUNCTION auto operator()(N const& n, M const&) const {
    return (*this)(n);
  }
  template <class N, class M, class T, class U>
  KOKKOS_FUNCTION void operator()(N const& n, M const& m, T& t, U& u) const {
    t = (*this)(n);
    u = (*this)(m);
  }
};

template <int Rank>
KS::StencilPolicy<Exec, Rank> make_policy(unsigned first, std::size_t last) {
  std::array<KS::Index, static_cast<std::size_t>(Rank)> begin, end;
  std::array<int, static_cast<std::size_t>(Rank)> radius;
  begin.fill(first);
  end.fill(last);
  radius.fill(1);
  return KS::StencilPolicy<Exec, Rank>(begin, end)
      .boundary(KS::Boundary<Rank>::periodic()
                    .axis(0, KS::Face::mirror())
                    .lower(0, KS::Face::value(1))
                    .upper(0, KS::Face::edge()))
      .accuracy(KS::Accuracy::relaxed)
      .backend("")
      .tuning(KS::Tuning::predict)
      .radius(1)
      .radius(radius);
}

template <class T, class C, int Rank, class Layout>
void call_everything() {
  using View  = Kokkos::View<typename DataType<T, Rank>::type, Layout, Exec>;
  using Const = typename View::const_type;
  View u, tmp, v, w;
  Const const c = u;

  KS::Stencil<C, Rank> const star = KS::star<Rank>(1, {C(1), C(2)});
  KS::Stencil<C, Rank> const box  = KS::box<Rank>(1, std::vector<C>(3));
  KS::Stencil<C, Rank> const both = star.compose(box).fused(2);
  double bound                    = KS::error_bound(both, KS::ValueType::float32);
  for (auto const& t : both.terms()) bound += static_cast<double>(t.coefficient) + t.offset[0];
  bound += both.radius() + both.lower(0) + both.upper(0) + static_cast<double>(both.size());
  if (both == star || both != box) bound = 0.0;

  auto const policy = make_policy<Rank>(1u, u.extent(0));
  KS::parallel_for("data", policy, star, c, v);
  KS::parallel_for(policy, star, u, v);
  KS::iterate("data", policy, star, 3u, u, tmp);
  KS::StoppingCriterion until;
  until.tolerance = bound;
  auto const done = KS::iterate_until("data", policy, star, until, u, tmp);

  KS::Plan<Exec, Rank, Const, View> const plan("plan", policy, star, c, v);
  plan.run(c, v);
  plan.run(u, tmp, done.steps);
  std::string const text = plan.explain() + plan.backend() + std::to_string(plan.candidates(2).size());

  KS::parallel_for("code", policy, Copy<Rank>(), c, v);
  KS::parallel_for("code", policy, Copy<Rank>(), KS::fields(c, u), v);
  KS::parallel_for("code " + text, policy, Copy<Rank>(), KS::fields(c, u), KS::fields(v, w));
  KS::iterate("code", policy, Copy<Rank>(), std::int64_t(2), u, tmp);
}

template <class T, class C, class Layout>
void call_every_rank() {
  call_everything<T, C, 1, Layout>();
  call_everything<T, C, 2, Layout>();
  call_everything<T, C, 3, Layout>();
}

}  // namespace

void call_all();
void call_all() {
  call_every_rank<double, double, Kokkos::LayoutRight>();
  call_every_rank<float, float, Kokkos::LayoutLeft>();
  call_every_rank<float, double, Kokkos::LayoutStride>();
}
