// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Engine.hpp"
#include "Functors.hpp"
#include "MemoryOf.hpp"
#include "../harness/Spaces.hpp"
#include "../harness/Typed.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

/// Bytes of each of the two stretches of memory.
constexpr std::size_t memory_size = std::size_t(64) << 20;

/// The two stretches of a memory space, as long as somebody holds them.
template <class Space>
std::shared_ptr<std::pair<std::unique_ptr<Memory>, std::unique_ptr<Memory>>> two_memories() {
  using Pair = std::pair<std::unique_ptr<Memory>, std::unique_ptr<Memory>>;
  static std::weak_ptr<Pair> made;
  auto pair = made.lock();
  if (!pair) made = pair = std::make_shared<Pair>(make_memory<Space>(memory_size), make_memory<Space>(memory_size));
  return pair;
}

/// Execution-space instances, and capture where there is CUDA.
template <class Exec>
struct Instances {
  static constexpr bool captures = false;
  Exec get(bool) const { return Exec(); }
  template <class F>
  void captured(F const&) const {}
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct Instances<Kokkos::Cuda> {
  static constexpr bool captures = true;

  Instances() { check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking)); }
  ~Instances() { cudaStreamDestroy(m_stream); }
  Instances(Instances const&)            = delete;
  Instances& operator=(Instances const&) = delete;

  Kokkos::Cuda get(bool own) const { return own ? Kokkos::Cuda(m_stream) : Kokkos::Cuda(); }

  /// Captures f(), then launches what was captured, twice.
  template <class F>
  void captured(F const& f) const {
    cudaGraph_t graph          = nullptr;
    cudaGraphExec_t replayable = nullptr;
    check(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeGlobal));
    try {
      f();
    } catch (...) {
      cudaStreamEndCapture(m_stream, &graph);
      cudaGetLastError();
      throw;
    }
    check(cudaStreamEndCapture(m_stream, &graph));
    check(cudaGraphInstantiate(&replayable, graph, 0));
    check(cudaGraphLaunch(replayable, m_stream));
    check(cudaStreamSynchronize(m_stream));
    check(cudaGraphExecDestroy(replayable));
    check(cudaGraphDestroy(graph));
  }

 private:
  static void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
  }
  cudaStream_t m_stream = nullptr;
};
#endif

template <class Exec, class T, int Rank, bool WithFunctors>
class EngineOf final : public Engine {
  using Space  = typename Exec::memory_space;
  using Policy = StencilPolicy<Exec, Rank>;
  using Data   = typename Test::Pointer<T, Rank>::type;
  using Const  = typename Test::Pointer<T const, Rank>::type;
  using Narrow = std::conditional_t<std::is_same<T, double>::value, double, float>;
  template <class Layout>
  using ViewOf  = Kokkos::View<Data, Layout, Space>;
  using Strided = ViewOf<Kokkos::LayoutStride>;
  using Reading = Kokkos::View<Const, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  std::string space() const override { return Exec::name(); }
  ValueType value_type() const override { return Impl::ValueTypeOf<T>::value; }
  int rank() const override { return Rank; }
  bool captures() const override { return Instances<Exec>::captures; }
  bool has_functors() const override { return WithFunctors; }
  Memory const& in() const override { return *m_memories->first; }
  Memory const& out() const override { return *m_memories->second; }
  double round(double x) const override { return Test::widen(Test::narrow<T>(x)); }
  void store(char* to, double x) const override {
    T const value = Test::narrow<T>(x);
    std::memcpy(to, &value, sizeof(T));
  }
  double load(char const* from) const override {
    T value;
    std::memcpy(static_cast<void*>(&value), from, sizeof(T));
    return Test::widen(value);
  }
  void store_guard(char* to) const override {
    // The bits of a quiet NaN, then some.
    std::uint64_t constexpr bits[] = {0x7ff85eed5eed5eedu, 0x7fc05eedu, 0x7e5eu, 0x7fdeu};
    std::uint64_t const guard      = bits[static_cast<std::size_t>(value_type())];
    static_assert(int(ValueType::float64) == 0 && int(ValueType::bfloat16) == 3, "the order of the patterns");
    std::memcpy(to, &guard, sizeof(T));  // little endian
  }

  std::vector<std::string> backends(Case const& c, Buffers const& buffers, bool back) const override {
    Exec const space = m_instances.get(c.own_stream);
    auto const u     = Test::view_at<Strided>(data(buffers.in, c.in), c.in);
    auto const v     = Test::view_at<Strided>(data(buffers.out, c.out), c.out);
    std::vector<std::string> names;
    with_stencil(c, [&](auto const& stencil) {
      Plan<Exec, Rank, Strided, Strided> const plan("fuzz: candidates", Test::policy_of<Rank>(c.call, space, ""),
                                                    stencil, back ? v : u, back ? u : v,
                                                    c.updates() ? Update::add() : Update());
      for (Candidate const& candidate : plan.candidates()) {
        // A backend has a candidate for each of its depths.
        if (candidate.runnable && (names.empty() || names.back() != candidate.backend)) {
          names.push_back(candidate.backend);
        }
      }
    });
    return names;
  }

  Ran run(Case const& c, std::string const& backend, Buffers const& buffers) const override {
    bool const graph  = c.way == Way::graph_sweep || c.way == Way::graph_steps;
    Exec const space  = m_instances.get(c.own_stream || graph);
    Policy const p    = Test::policy_of<Rank>(c.call, space, backend);
    T* const in_data  = data(buffers.in, c.in);
    T* const out_data = data(buffers.out, c.out);
    Ran ran;
    if (c.is_functor()) {
      run_functor(c, p, in_data, out_data, ran);
    } else {
      with_stencil(c, [&](auto const& stencil) {
        with_views(c, in_data, out_data, [&](auto const& u, auto const& v) { run_data(c, p, stencil, u, v, ran); });
      });
    }
    ran.backend = last_backend();
    space.fence();
    return ran;
  }

 private:
  static T* data(char* buffer, Placement const& placement) { return reinterpret_cast<T*>(buffer) + placement.offset; }

  template <class F>
  static void with_stencil(Case const& c, F const& f) {
    if (std::is_same<T, double>::value || c.call.double_coefficients) {
      f(Test::stencil_of<double, Rank>(c.given));
    } else {
      f(Test::stencil_of<float, Rank>(c.given));
    }
  }

  /// f(u, v) with the types of Views that the case names; one type for both if they are to change places.
  template <class F>
  static void with_views(Case const& c, T* in, T* out, F const& f) {
    Form const form = c.in_form == c.out_form ? c.in_form : Form::stride;
    switch (form) {
      case Form::right: return with_whole<Kokkos::LayoutRight>(c, in, out, f);
      case Form::left: return with_whole<Kokkos::LayoutLeft>(c, in, out, f);
      case Form::part_right: return f(part<Kokkos::LayoutRight>(c.in, in), part<Kokkos::LayoutRight>(c.out, out));
      case Form::part_left: return f(part<Kokkos::LayoutLeft>(c.in, in), part<Kokkos::LayoutLeft>(c.out, out));
      case Form::stride: break;
    }
    if (c.is_iteration()) {
      with_whole<Kokkos::LayoutStride>(c, in, out, f);
    } else {
      f(Test::view_at<Reading>(in, c.in), Test::view_at<Strided>(out, c.out));
    }
  }
  template <class Layout, class F>
  static void with_whole(Case const& c, T* in, T* out, F const& f) {
    f(Test::view_at<ViewOf<Layout>>(in, c.in), Test::view_at<ViewOf<Layout>>(out, c.out));
  }

  /// A subview of the compact View whose pitches are the strides.
  template <class Layout>
  static auto part(Placement const& placement, T* data) {
    constexpr bool right = std::is_same<Layout, Kokkos::LayoutRight>::value;
    Placement parent     = placement;
    for (int k = 1; k < Rank; ++k) {
      auto const slow     = static_cast<std::size_t>(right ? Rank - 1 - k : k);
      auto const fast     = static_cast<std::size_t>(right ? Rank - k : k - 1);
      parent.extent[fast] = placement.stride[slow] / placement.stride[fast];
    }
    auto const whole = Test::view_at<ViewOf<Layout>>(data, parent);
    auto const along = [&](std::size_t a) { return std::make_pair(std::int64_t(0), placement.extent[a]); };
    if constexpr (Rank == 1) {
      return Kokkos::subview(whole, along(0));
    } else if constexpr (Rank == 2) {
      return Kokkos::subview(whole, along(0), along(1));
    } else {
      return Kokkos::subview(whole, along(0), along(1), along(2));
    }
  }

  template <class S, class In, class Out>
  void run_data(Case const& c, Policy const& p, S const& stencil, In const& u, Out const& v, Ran& ran) const {
    if (c.way == Way::sweep) {
      parallel_for("fuzz", p, stencil, u, v);
      return;
    }
    if (c.way == Way::plan_sweep || c.way == Way::graph_sweep) {
      Plan<Exec, Rank, In, Out> const plan("fuzz", p, stencil, u, v);
      ran.planned = plan.backend();
      if (c.way == Way::graph_sweep) {
        m_instances.captured([&] { plan.run(u, v); });
      } else {
        plan.run(u, v);
        plan.run(u, v);
      }
      return;
    }
    if (c.way == Way::update_sweep) {
      parallel_for("fuzz", p, stencil, u, v, c.update);
      return;
    }
    if (c.way == Way::update_plan) {
      // Whatever it is made with.
      Plan<Exec, Rank, In, Out> const plan("fuzz", p, stencil, u, v, Update(0.5, 0.5));
      ran.planned = plan.backend();
      plan.run(u, v, c.update);
      return;
    }
    if constexpr (std::is_same<In, Out>::value) {
      In a = u, b = v;
      switch (c.way) {
        case Way::steps: iterate("fuzz", p, stencil, c.steps, a, b); break;
        case Way::until: ran.until = iterate_until("fuzz", p, stencil, c.until, a, b); break;
        default: {
          Plan<Exec, Rank, In, In> const plan("fuzz", p, stencil, u, v);
          int const rest = c.steps - c.first_steps;
          ran.planned    = plan.backend(rest);
          // The handles change places between the two.
          auto const both = [&] {
            if (c.first_steps > 0) plan.run(a, b, c.first_steps);
            plan.run(a, b, rest);
          };
          if (c.way == Way::graph_steps) {
            m_instances.captured(both);
          } else {
            both();
          }
        }
      }
      note_handles(u, v, a, b, ran);
    } else {
      throw std::logic_error("u and tmp must be of one type");
    }
  }

  template <class View>
  static void note_handles(View const& u, View const& v, View const& a, View const& b, Ran& ran) {
    ran.swapped      = a.data() == v.data();
    ran.handles_kept = ran.swapped ? b.data() == u.data() : a.data() == u.data() && b.data() == v.data();
  }

  void run_functor(Case const& c, Policy const& p, T* in, T* out, Ran& ran) const {
    if constexpr (WithFunctors) {
      std::array<int, Rank> radius{};
      for (std::size_t a = 0; a < std::size_t(Rank); ++a) radius[a] = c.upper[a];
      Policy const policy = p.radius(radius);
      LinearFunctor<Narrow, Rank> const f(c);
      auto const call = [&](auto u, auto v) {
        if (c.way == Way::functor_sweep) {
          parallel_for("fuzz", policy, f, u, v);
        } else if (c.way == Way::functor_fields) {
          parallel_for("fuzz", policy, f, fields(u, u), v);
        } else {
          auto a = u, b = v;
          iterate("fuzz", policy, f, c.steps, a, b);
          note_handles(u, v, a, b, ran);
        }
      };
      // Kernels are compiled for each type, so there are fewer.
      Form const form = c.in_form == c.out_form ? c.in_form : Form::stride;
      if (form == Form::right) {
        with_whole<Kokkos::LayoutRight>(c, in, out, call);
      } else if (form == Form::left) {
        with_whole<Kokkos::LayoutLeft>(c, in, out, call);
      } else {
        with_whole<Kokkos::LayoutStride>(c, in, out, call);
      }
    }
  }

  std::shared_ptr<std::pair<std::unique_ptr<Memory>, std::unique_ptr<Memory>>> m_memories = two_memories<Space>();
  Instances<Exec> m_instances;
};

template <class T, bool WithFunctors>
void add_engines(Engines& all) {
  Test::each_space([&](auto tag) {
    using Exec = typename decltype(tag)::type;
    all.push_back(std::make_unique<EngineOf<Exec, T, 1, WithFunctors> const>());
    all.push_back(std::make_unique<EngineOf<Exec, T, 2, WithFunctors> const>());
    all.push_back(std::make_unique<EngineOf<Exec, T, 3, WithFunctors> const>());
  });
}

}  // namespace Fuzz
}  // namespace KokkosStencil
