// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boundary.hpp"
#include "Candidate.hpp"
#include "Reference.hpp"

#include <KokkosStencil.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace perf {

namespace KS = KokkosStencil;

namespace {

template <class T, int Rank>
struct PointerTo {
  using type = typename PointerTo<T, Rank - 1>::type*;
};
template <class T>
struct PointerTo<T, 0> {
  using type = T;
};

template <class Space, class T, int Rank>
struct Setting {
  // Contiguous or not: the library looks at strides, not at types.
  using View   = Kokkos::View<typename PointerTo<T, Rank>::type, Kokkos::LayoutStride, typename Space::memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Policy = KS::StencilPolicy<Space, Rank>;
  using Coefficient = std::conditional_t<std::is_same<T, double>::value, double, float>;
  using Stencil     = KS::Stencil<Coefficient, Rank>;

  static View view(Case const& c, void* data) {
    auto const strides = c.strides();
    Kokkos::LayoutStride layout;
    for (std::size_t a = 0; a < static_cast<std::size_t>(Rank); ++a) {
      layout.dimension[a] = static_cast<std::size_t>(c.extents[a]);
      layout.stride[a]    = static_cast<std::size_t>(strides[a]);
    }
    return View(static_cast<T*>(data), layout);
  }

  static Stencil stencil(Case const& c) {
    std::vector<typename Stencil::Term> terms;
    for (Term const& t : c.kernel.terms) {
      typename Stencil::Term term{};
      for (int a = 0; a < Rank; ++a) term.offset[static_cast<std::size_t>(a)] = t.offset[static_cast<std::size_t>(a)];
      term.coefficient = static_cast<Coefficient>(t.coefficient);
      terms.push_back(term);
    }
    return Stencil(terms);
  }

  static Policy policy(Case const& c, std::string const& backend) {
    auto const level = c.relaxed ? KS::Accuracy::relaxed : KS::Accuracy::native;
    return Policy().accuracy(level).boundary(boundary_of<Rank>(c.faces)).backend(backend);
  }
};

template <class Space, class T, int Rank>
class OneSweep : public Candidate {
  using S = Setting<Space, T, Rank>;

 public:
  OneSweep(Case const& c, Fields fields, std::string const& backend)
      : m_u(S::view(c, fields.u)),
        m_v(S::view(c, fields.v)),
        m_plan(c.kernel.name, S::policy(c, backend), S::stencil(c), m_u, m_v) {}
  void* run() override {
    m_plan.run(m_u, m_v);
    return m_v.data();
  }
  std::string label() const override { return m_plan.backend(); }

 private:
  typename S::View m_u, m_v;
  KS::Plan<Space, Rank, typename S::View, typename S::View> m_plan;
};

template <class Space, class T, int Rank>
class ManySweeps : public Candidate {
  using S = Setting<Space, T, Rank>;

 public:
  ManySweeps(Case const& c, Fields fields, std::string const& backend)
      : m_case(c), m_fields(fields), m_policy(S::policy(c, backend)), m_stencil(S::stencil(c)) {
    ManySweeps::reset();
  }
  void* run() override {
    sweep();
    m_backend = KS::last_backend();
    return m_u.data();
  }
  void reset() override {
    m_u = S::view(m_case, m_fields.u);
    m_v = S::view(m_case, m_fields.v);
  }
  std::string label() const override { return m_backend; }

 protected:
  virtual void sweep() { KS::iterate(m_case.kernel.name, m_policy, m_stencil, m_case.steps, m_u, m_v); }

  Case m_case;
  Fields m_fields;
  typename S::Policy m_policy;
  typename S::Stencil m_stencil;
  typename S::View m_u, m_v;
  std::string m_backend;
};

/// The sweeps of iterate_until, with the checks.
template <class Space, class T, int Rank>
class Until : public ManySweeps<Space, T, Rank> {
 public:
  Until(Case const& c, Fields fields) : ManySweeps<Space, T, Rank>(c, fields, "") {}

 protected:
  void sweep() override {
    KS::StoppingCriterion const until{0.0, this->m_case.steps, this->m_case.check};
    auto const result =
        KS::iterate_until(this->m_case.kernel.name, this->m_policy, this->m_stencil, until, this->m_u, this->m_v);
    if (result.steps != this->m_case.steps) throw std::runtime_error("nothing changed any more");
  }
};

/// One sweep after the other. Ghost values have to be in both fields.
template <class Space, class T, int Rank>
class Sweeps : public Candidate {
  using S = Setting<Space, T, Rank>;

 public:
  Sweeps(Case const& c, Fields fields)
      : m_steps(c.steps),
        m_first(S::view(c, fields.u)),
        m_second(S::view(c, fields.v)),
        m_u(m_first),
        m_v(m_second),
        m_plan(c.kernel.name, S::policy(c, ""), S::stencil(c), m_u, m_v) {}
  void* run() override {
    for (std::int64_t step = 0; step < m_steps; ++step) {
      m_plan.run(m_u, m_v);
      std::swap(m_u, m_v);
    }
    return m_u.data();
  }
  void reset() override {
    m_u = m_first;
    m_v = m_second;
  }
  std::string label() const override { return m_plan.backend(); }

 private:
  std::int64_t m_steps;
  typename S::View m_first, m_second, m_u, m_v;
  KS::Plan<Space, Rank, typename S::View, typename S::View> m_plan;
};

#ifdef KOKKOS_ENABLE_CUDA
/// One launch a sweep, all of them one graph: what is left of launches where the host has no part in them.
template <class T, int Rank>
class GraphOfSweeps : public Candidate {
  using S     = Setting<Kokkos::Cuda, T, Rank>;
  using Sweep = KS::Plan<Kokkos::Cuda, Rank, typename S::View, typename S::View>;

 public:
  GraphOfSweeps(Case const& c, Fields fields) : m_first(S::view(c, fields.u)) {
    if (c.steps % 2 != 0) throw Unavailable("an odd number of sweeps would end in the other field");
    Kokkos::fence();
    check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking));
    typename S::View u = m_first, v = S::view(c, fields.v);
    m_plan.emplace(c.kernel.name, typename S::Policy(Kokkos::Cuda(m_stream)).backend("cuda_direct"), S::stencil(c), u,
                   v);
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeGlobal));
    for (std::int64_t step = 0; step < c.steps; ++step) {
      m_plan->run(u, v);
      std::swap(u, v);
    }
    check(cudaStreamEndCapture(m_stream, &graph));
    check(cudaGraphInstantiate(&m_graph, graph, 0));
    check(cudaGraphDestroy(graph));
  }
  GraphOfSweeps(GraphOfSweeps const&)            = delete;
  GraphOfSweeps& operator=(GraphOfSweeps const&) = delete;
  ~GraphOfSweeps() override {
    if (m_graph != nullptr) cudaGraphExecDestroy(m_graph);
    // It has a Kokkos::Cuda of the stream.
    m_plan.reset();
    if (m_stream != nullptr) cudaStreamDestroy(m_stream);
  }

  void* run() override {
    // In the stream of the default space, as all other candidates: samples end with its fence.
    check(cudaGraphLaunch(m_graph, Kokkos::Cuda().cuda_stream()));
    return m_first.data();
  }
  void reset() override { Kokkos::fence(); }
  std::string label() const override { return "cuda_direct in a graph"; }

 private:
  static void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
  }

  typename S::View m_first;
  cudaStream_t m_stream   = nullptr;
  cudaGraphExec_t m_graph = nullptr;
  std::optional<Sweep> m_plan;
};
#endif

/// Calls f(setting) with the Setting of the case; Unavailable if there is none.
template <class Space, class F>
auto with_setting(Case const& c, F const& f) {
  auto const with_rank = [&](auto value) {
    using T = typename decltype(value)::type;
    switch (c.kernel.rank) {
      case 1: return f(Setting<Space, T, 1>());
      case 2: return f(Setting<Space, T, 2>());
      default: return f(Setting<Space, T, 3>());
    }
  };
  if (!has_type<Space>(c.type)) throw Unavailable(std::string("no type ") + name_of(c.type) + " on " + Space::name());
  if constexpr (!KS::Impl::is_host_space<Space>()) {
    if constexpr (!std::is_void<ValueOf<Type::half>::type>::value) {
      if (c.type == Type::half) return with_rank(ValueOf<Type::half>());
    }
    if constexpr (!std::is_void<ValueOf<Type::bhalf>::type>::value) {
      if (c.type == Type::bhalf) return with_rank(ValueOf<Type::bhalf>());
    }
  }
  return c.type == Type::full ? with_rank(ValueOf<Type::full>()) : with_rank(ValueOf<Type::single>());
}

template <class>
struct Parts;
template <class Space, class T, int Rank>
struct Parts<Setting<Space, T, Rank>> {
  static std::unique_ptr<Candidate> make(Case const& c, Fields fields, std::string const& backend) {
    if (c.steps == 1) return std::make_unique<OneSweep<Space, T, Rank>>(c, fields, backend);
    return std::make_unique<ManySweeps<Space, T, Rank>>(c, fields, backend);
  }

  static std::unique_ptr<Candidate> make_way(Case const& c, Fields fields, std::string const& way) {
    if (way == "until") return std::make_unique<Until<Space, T, Rank>>(c, fields);
    if (way == "sweeps") return std::make_unique<Sweeps<Space, T, Rank>>(c, fields);
    return std::make_unique<ManySweeps<Space, T, Rank>>(c, fields, "");
  }

  static std::unique_ptr<Candidate> make_graph(Case const& c, Fields fields) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Space, Kokkos::Cuda>) return std::make_unique<GraphOfSweeps<T, Rank>>(c, fields);
#endif
    static_cast<void>(fields);
    throw Unavailable("no graphs for " + c.kernel.name);
  }

  static std::vector<std::string> runnable(Case const& c) {
    using S = Setting<Space, T, Rank>;
    // Nothing runs, so any two places that do not overlap will do for the data.
    auto* const u = reinterpret_cast<char*>(std::uintptr_t(1) << 40);
    auto* const v = u + (std::uintptr_t(1) << 40);
    Space const space;
    auto const policy  = S::policy(c, "");
    auto const stencil = S::stencil(c);
    auto const launch  = KS::Impl::make_launch(c.kernel.name, space);
    KS::Impl::PlanState const plan(c.kernel.name, policy.impl_info(), stencil.impl_terms(),
                                   KS::Impl::view_info(S::view(c, u)), KS::Impl::view_info(S::view(c, v)),
                                   KS::Impl::SpaceTraits<Space>::info(space), launch, c.steps);
    std::vector<std::string> names;
    for (auto const& candidate : plan.candidates(c.steps)) {
      if (!candidate.runnable || (!names.empty() && names.back() == candidate.backend)) continue;
      names.push_back(candidate.backend);
    }
    return names;
  }
};

}  // namespace

template <class Space>
std::unique_ptr<Candidate> make_library(Case const& c, Fields fields, std::string const& backend) {
  return with_setting<Space>(c, [&](auto setting) { return Parts<decltype(setting)>::make(c, fields, backend); });
}

template <class Space>
std::unique_ptr<Candidate> make_way(Case const& c, Fields fields, std::string const& way) {
  return with_setting<Space>(c, [&](auto setting) { return Parts<decltype(setting)>::make_way(c, fields, way); });
}

template <class Space>
std::unique_ptr<Candidate> make_graph(Case const& c, Fields fields) {
  return with_setting<Space>(c, [&](auto setting) { return Parts<decltype(setting)>::make_graph(c, fields); });
}

template <class Space>
std::vector<std::string> runnable_backends(Case const& c) {
  return with_setting<Space>(c, [&](auto setting) { return Parts<decltype(setting)>::runnable(c); });
}

double contract_bound(Case const& c) {
  KS::ValueType const type = c.type == Type::full     ? KS::ValueType::float64
                             : c.type == Type::single ? KS::ValueType::float32
                             : c.type == Type::half   ? KS::ValueType::float16
                                                      : KS::ValueType::bfloat16;
  bool exact               = true;
  for (Term const& t : c.kernel.terms) {
    exact = exact && static_cast<double>(static_cast<float>(t.coefficient)) == t.coefficient;
  }
  double const one = KS::Impl::error_bound(static_cast<int>(c.kernel.terms.size()), exact || c.type == Type::full, type,
                                           c.relaxed ? KS::Accuracy::relaxed : KS::Accuracy::native);
  return bound_for_steps(one, c.steps);
}

template std::unique_ptr<Candidate> make_library<Device>(Case const&, Fields, std::string const&);
template std::unique_ptr<Candidate> make_way<Device>(Case const&, Fields, std::string const&);
template std::unique_ptr<Candidate> make_graph<Device>(Case const&, Fields);
template std::vector<std::string> runnable_backends<Device>(Case const&);
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template std::unique_ptr<Candidate> make_library<Host>(Case const&, Fields, std::string const&);
template std::unique_ptr<Candidate> make_way<Host>(Case const&, Fields, std::string const&);
template std::unique_ptr<Candidate> make_graph<Host>(Case const&, Fields);
template std::vector<std::string> runnable_backends<Host>(Case const&);
#endif

}  // namespace perf
