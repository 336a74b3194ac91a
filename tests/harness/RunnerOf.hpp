// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Runner.hpp"
#include "Spaces.hpp"
#include "Typed.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>

namespace KokkosStencil {
namespace Test {

/// A View in a buffer of NaN.
template <class Exec, class T>
class Store {
  using Memory = typename Exec::memory_space;
  using Buffer = Kokkos::View<T*, Kokkos::LayoutRight, Memory>;
  using Mirror = Kokkos::View<T*, Kokkos::LayoutRight, Kokkos::HostSpace>;

 public:
  Store(Exec const& space, Placement const& placement, Field const* values)
      : m_space(space),
        m_placement(placement),
        m_buffer("KokkosStencil::Test", static_cast<std::size_t>(placement.size)),
        m_mirror("KokkosStencil::Test::mirror", static_cast<std::size_t>(placement.size)) {
    Kokkos::deep_copy(m_mirror, narrow<T>(not_a_number()));
    if (values != nullptr) {
      values->each([&](Extents const& i) { m_mirror(m_placement.at(i)) = narrow<T>((*values)(i)); });
    }
    Kokkos::deep_copy(m_buffer, m_mirror);
  }

  template <class View>
  View view() const {
    return view_at<View>(m_buffer.data() + m_placement.offset, m_placement);
  }

  /// The values after everything on the instance has run; `intact`: nothing else in the buffer changed.
  Field read(bool& intact) {
    m_space.fence();
    Kokkos::deep_copy(m_mirror, m_buffer);
    Field values(m_placement.rank, m_placement.extent);
    values.each([&](Extents const& i) {
      T& v      = m_mirror(m_placement.at(i));
      values(i) = widen(v);
      v         = narrow<T>(not_a_number());
    });
    for (std::size_t k = 0; k < m_mirror.extent(0); ++k) intact = intact && std::isnan(widen(m_mirror(k)));
    return values;
  }

  T const* data() const { return m_buffer.data() + m_placement.offset; }

 private:
  Exec m_space;
  Placement m_placement;
  Buffer m_buffer;
  Mirror m_mirror;
};

template <class Exec, class T, int Rank>
class RunnerOf final : public Runner {
  using Memory = typename Exec::memory_space;
  using Policy = StencilPolicy<Exec, Rank>;
  using Data   = typename Pointer<T, Rank>::type;
  using Const  = typename Pointer<T const, Rank>::type;
  template <class D, class L, class... Traits>
  using ViewOf = Kokkos::View<D, L, Memory, Traits...>;
  using Narrow = std::conditional_t<std::is_same<T, double>::value, double, float>;

 public:
  std::string space() const override { return Exec::name(); }
  ValueType value_type() const override { return Impl::ValueTypeOf<T>::value; }
  int rank() const override { return Rank; }
  double round(double x) const override { return widen(narrow<T>(x)); }

  std::vector<Candidate> candidates(Call const& call) const override {
    Exec const space;
    Store<Exec, T> const in(space, place(call.in, Rank, call.extent, call.shift), nullptr);
    Store<Exec, T> const out(space, place(call.out, Rank, call.extent, call.shift), nullptr);
    auto const u = in.template view<ViewOf<Data, Kokkos::LayoutStride>>();
    auto const v = out.template view<ViewOf<Data, Kokkos::LayoutStride>>();
    return Plan<Exec, Rank, std::decay_t<decltype(u)>, std::decay_t<decltype(v)>>("candidates", policy(call, space, ""),
                                                                                  stencil<double>(call), u, v)
        .candidates();
  }

  Outcome sweep(Call const& call, Field const& input, std::string const& backend) const override {
    Exec const space;
    Policy const p = policy(call, space, backend);
    Store<Exec, T> in(space, place(call.in, Rank, call.extent, call.shift), &input);
    Store<Exec, T> out(space, place(call.out, Rank, call.extent, call.shift), nullptr);
    Outcome o;
    // Const, Unmanaged and plain Views take turns over the layouts.
    input_type(call.in, [&](auto in_tag) {
      output_type(call.out, [&](auto out_tag) {
        auto const u = in.template view<typename decltype(in_tag)::type>();
        auto const v = out.template view<typename decltype(out_tag)::type>();
        if (call.via == Via::plan) {
          Plan<Exec, Rank, std::decay_t<decltype(u)>, std::decay_t<decltype(v)>> const plan(
              "sweep", p, stencil<Narrow>(call), u, v);
          plan.run(u, v);
          o.backend = plan.backend();
        } else if (call.double_coefficients) {
          parallel_for("sweep", p, stencil<double>(call), u, v);
          o.backend = last_backend();
        } else {
          parallel_for("sweep", p, stencil<Narrow>(call), u, v);
          o.backend = last_backend();
        }
      });
    });
    o.noted  = last_backend();
    o.newest = out.read(o.guards_intact);
    in.read(o.guards_intact);
    return o;
  }

  Outcome iterate(Call const& call, Field const& start, std::int64_t steps, std::string const& backend) const override {
    return iteration(call, start, backend, [&](Policy const& p, auto& u, auto& tmp, Outcome& o) {
      if (call.via == Via::plan) {
        Plan<Exec, Rank, std::decay_t<decltype(u)>, std::decay_t<decltype(u)>> const plan(
            "iterate", p, stencil<Narrow>(call), u, tmp);
        plan.run(u, tmp, steps);
        o.backend = plan.backend(steps);
      } else {
        KokkosStencil::iterate("iterate", p, stencil<Narrow>(call), steps, u, tmp);
        o.backend = last_backend();
      }
    });
  }

  Outcome iterate_until(Call const& call, Field const& start, StoppingCriterion const& until,
                        std::string const& backend) const override {
    return iteration(call, start, backend, [&](Policy const& p, auto& u, auto& tmp, Outcome& o) {
      o.until   = KokkosStencil::iterate_until("until", p, stencil<Narrow>(call), until, u, tmp);
      o.backend = last_backend();
    });
  }

 private:
  template <class F>
  static void input_type(Layout layout, F const& f) {
    if (layout == Layout::right) {
      f(ViewTag<ViewOf<Data, Kokkos::LayoutRight>>());
    } else if (layout == Layout::left) {
      f(ViewTag<ViewOf<Const, Kokkos::LayoutLeft>>());
    } else {
      f(ViewTag<ViewOf<Const, Kokkos::LayoutStride, Kokkos::MemoryTraits<Kokkos::Unmanaged>>>());
    }
  }
  template <class F>
  static void output_type(Layout layout, F const& f) {
    if (layout == Layout::right) {
      f(ViewTag<ViewOf<Data, Kokkos::LayoutRight, Kokkos::MemoryTraits<Kokkos::Unmanaged>>>());
    } else if (layout == Layout::left) {
      f(ViewTag<ViewOf<Data, Kokkos::LayoutLeft>>());
    } else {
      f(ViewTag<ViewOf<Data, Kokkos::LayoutStride>>());
    }
  }
  template <class F>
  static void state_type(Layout layout, F const& f) {
    if (layout == Layout::right) {
      f(ViewTag<ViewOf<Data, Kokkos::LayoutRight>>());
    } else if (layout == Layout::left) {
      f(ViewTag<ViewOf<Data, Kokkos::LayoutLeft>>());
    } else {
      f(ViewTag<ViewOf<Data, Kokkos::LayoutStride>>());
    }
  }

  template <class F>
  Outcome iteration(Call const& call, Field const& start, std::string const& backend, F const& run) const {
    Exec const space;
    Policy const p = policy(call, space, backend);
    Store<Exec, T> first(space, place(call.in, Rank, call.extent, call.shift), &start);
    Store<Exec, T> second(space, place(call.out, Rank, call.extent, call.shift), nullptr);
    Outcome o;
    state_type(call.in, [&](auto tag) {
      using View = typename decltype(tag)::type;
      View u     = first.template view<View>();
      View tmp   = second.template view<View>();
      run(p, u, tmp, o);
      o.swapped      = u.data() == second.data();
      o.handles_kept = o.swapped ? tmp.data() == first.data() : u.data() == first.data() && tmp.data() == second.data();
    });
    o.noted              = last_backend();
    Field const in_first = first.read(o.guards_intact), in_second = second.read(o.guards_intact);
    o.newest = o.swapped ? in_second : in_first;
    return o;
  }

  static Policy policy(Call const& call, Exec const& space, std::string const& backend) {
    return policy_of<Rank>(call, space, backend);
  }
  template <class C>
  static Stencil<C, Rank> stencil(Call const& call) {
    return stencil_of<C, Rank>(call.terms);
  }
};

template <class T>
void add_runners(Runners& all) {
  each_space([&](auto tag) {
    using Exec = typename decltype(tag)::type;
    all.push_back(std::make_unique<RunnerOf<Exec, T, 1> const>());
    all.push_back(std::make_unique<RunnerOf<Exec, T, 2> const>());
    all.push_back(std::make_unique<RunnerOf<Exec, T, 3> const>());
  });
}

}  // namespace Test
}  // namespace KokkosStencil
