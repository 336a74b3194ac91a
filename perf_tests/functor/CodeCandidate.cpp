// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Boundary.hpp"
#include "../harness/Candidate.hpp"
#include "../harness/Suites.hpp"
#include "../rivals/MdRange.hpp"
#include "Codes.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// The candidates of the suite `functor`.

namespace perf {

namespace {

/// Values between a quarter and three quarters, others for each field.
template <class T>
struct Mix {
  T* data;
  std::uint64_t field;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::uint64_t h = (static_cast<std::uint64_t>(i) + field * 1000003) * 0x9E3779B97F4A7C15u;
    h               = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
    data[i]         = static_cast<T>(0.25 + static_cast<double>((h >> 40) % 4096) / 8192);
  }
};
template <class T>
struct Apart {
  T const* a;
  T const* b;
  KOKKOS_FUNCTION void operator()(std::int64_t i, double& most) const {
    double const d = static_cast<double>(codes::distance(a[i], b[i]));
    most           = d > most || !(d == d) ? (d == d ? d : 1e300) : most;
  }
};

/// A loop over all points as one range, the indices by division.
template <class Code>
struct OneRange {
  Code code;
  int columns;
  KOKKOS_FUNCTION void operator()(int k, double& sum) const {
    code(Code::radius + k / columns, Code::radius + k % columns, sum);
  }
};

#ifdef PERF_CODE_LOOPS

#ifdef PERF_OPENMP
#define PERF_THREADS _Pragma("omp parallel for schedule(static)")
#define PERF_THREADS_2 _Pragma("omp parallel for collapse(2) schedule(static)")
#define PERF_THREADS_SUM _Pragma("omp parallel for schedule(static) reduction(+ : total)")
#else
#define PERF_THREADS
#define PERF_THREADS_2
#define PERF_THREADS_SUM
#endif

/// A field as a programmer without Views has it.
template <class T, int Rank>
struct Plain {
  using non_const_value_type = T;
  static constexpr int rank  = Rank;
  T* data;
  std::int64_t plane, row;

  T& operator()(int i, int j) const { return data[i * row + j]; }
  T& operator()(int i, int j, int l) const { return data[i * plane + j * row + l]; }
};

/// What is written by hand without Kokkos: threads over the slower axes, vectors along the rows.
template <class Code>
__attribute__((flatten)) void hand_written(Code const& code, std::array<int, 3> const& end, double& sum) {
  constexpr int r = Code::radius, rank = std::decay_t<decltype(code.f[0])>::rank;
  if constexpr (Code::reduces) {
    double total = 0;
    PERF_THREADS_SUM
    for (int i = r; i < end[0]; ++i) {
      Code const here = code;  // without, gcc reads it anew at each point
      double row      = 0;
#pragma omp simd reduction(+ : row)
      for (int j = r; j < end[1]; ++j) {
        double term = 0;
        here(i, j, term);
        row += term;
      }
      total += row;
    }
    sum = total;
  } else if constexpr (rank == 2) {
    PERF_THREADS
    for (int i = r; i < end[0]; ++i) {
      Code const here = code;
#pragma omp simd
      for (int j = r; j < end[1]; ++j) here(i, j);
    }
  } else {
    PERF_THREADS_2
    for (int i = r; i < end[0]; ++i) {
      for (int j = r; j < end[1]; ++j) {
        Code const here = code;
#pragma omp simd
        for (int l = r; l < end[2]; ++l) here(i, j, l);
      }
    }
  }
}

#endif

/// How many fields many sweeps of a code change; 0: it makes one sweep only.
template <class Code, class = void>
struct StatesOf : std::integral_constant<int, 0> {};
template <class Code>
struct StatesOf<Code, std::void_t<decltype(Code::states)>> : std::integral_constant<int, Code::states> {};

/// Loop: the code on plain fields.
template <class Code, class View, class Loop>
class CodeCandidate : public Candidate {
  using T                   = typename View::non_const_value_type;
  static constexpr int rank = int(View::rank);
  using Tile                = std::array<int, 3>;
  using Items               = Kokkos::RangePolicy<Device, Kokkos::IndexType<std::int64_t>>;
  static constexpr Tile default_tile{{-1, -1, -1}};

 public:
  CodeCandidate(Case const& c, std::string const& name) : m_case(c), m_name(name) {
    for (std::size_t k = 0; k < Code::fields; ++k) m_code.f[k] = make();
    if (name == "kokkos_mdrange_best") choose();
    verify();
  }

  void* run() override {
    sweep(m_name, m_tile);
    return result().data();
  }
  std::string label() const override {
    if (m_name == "openmp_simd") return "omp simd";
    if (m_name == "kokkos_range") return "Kokkos::RangePolicy";
    if (m_name.rfind("kokkos_", 0) != 0) return m_backend;
    std::string text = "Kokkos::MDRangePolicy, ";
    if (m_tile == default_tile) return text + "default tile";
    text += "tile";
    for (std::size_t a = 0; a < std::size_t(rank); ++a) text += " " + std::to_string(m_tile[a]);
    return text;
  }

 private:
  View make() const {
    auto const size         = [&](std::size_t a) { return static_cast<std::size_t>(m_case.extents[a]); };
    std::string const label = "perf code";
    if constexpr (rank == 2) {
      return View(label, size(0), size(1));
    } else {
      return View(label, size(0), size(1), size(2));
    }
  }
#ifdef PERF_CODE_LOOPS
  static Plain<T, rank> plain(View const& f) {
    return {f.data(), static_cast<std::int64_t>(f.extent(1) * (rank == 3 ? f.extent(2) : 1)),
            static_cast<std::int64_t>(f.extent(rank - 1))};
  }
#endif
  int end(std::size_t axis) const { return static_cast<int>(m_case.extents[axis]) - Code::radius; }

  View const& result() const { return m_code.f[m_case.steps > 1 ? 0 : Code::fields - 1]; }

  /// Many sweeps of a loop: the states and their second Views change places.
  template <class Once>
  void loop(Once const& once) {
    for (std::int64_t step = 0; step < m_case.steps; ++step) {
      once();
      for (std::size_t k = 0; m_case.steps > 1 && k < std::size_t(StatesOf<Code>::value); ++k) {
        std::swap(m_code.f[k], m_code.f[Code::fields - StatesOf<Code>::value + k]);
      }
    }
  }

  void sweep(std::string const& name, Tile const& tile) {
    KokkosStencil::StencilPolicy<Device, rank> policy;
    if (m_case.faces != Faces::halo) policy = policy.boundary(boundary_of<rank>(m_case.faces));
    if (name != "auto") policy = policy.backend(name);
    if (name == "kokkos_range") {
      if constexpr (Code::reduces) {
        int const rows = end(0) - Code::radius, columns = end(1) - Code::radius;
        Kokkos::parallel_reduce("perf range", Kokkos::RangePolicy<Device>(0, rows * columns),
                                OneRange<Code>{m_code, columns}, Kokkos::Sum<double>(m_sum));
      }
    } else if (name.rfind("kokkos_", 0) == 0) {
      loop([&] { mdrange(tile); });
    } else if (name == "openmp_simd") {
#ifdef PERF_CODE_LOOPS
      loop([&] {
        Loop code;
        for (std::size_t k = 0; k < Code::fields; ++k) code.f[k] = plain(m_code.f[k]);
        hand_written(code, {{ end(0), end(1), rank == 3 ? end(2) : 0 }}, m_sum);
      });
#endif
    } else {
      if (m_case.steps == 1) Code::run(policy, m_code.f, &m_sum);
      if constexpr (StatesOf<Code>::value > 0) {
        if (m_case.steps > 1) Code::iterate(policy, m_code.f, m_case.steps);
      }
      m_backend = KokkosStencil::last_backend();
    }
  }

  void mdrange(Tile const& tile) {
    using Policy = Kokkos::MDRangePolicy<
        Device, Kokkos::Rank<static_cast<unsigned>(rank), Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;
    typename Policy::point_type begin, last;
    typename Policy::tile_type size;
    for (std::size_t a = 0; a < std::size_t(rank); ++a) {
      begin[a] = Code::radius;
      last[a]  = end(a);
      size[a]  = tile[a] == 0 ? last[a] - begin[a] : tile[a];
    }
    Policy const policy = tile == default_tile ? Policy(begin, last) : Policy(begin, last, size);
    if constexpr (Code::reduces) {
      Kokkos::parallel_reduce("perf mdrange", policy, m_code, Kokkos::Sum<double>(m_sum));
    } else {
      Kokkos::parallel_for("perf mdrange", policy, m_code);
    }
  }

  void choose() {
    double best = std::numeric_limits<double>::max();
    auto tiles  = md_tiles(rank, KokkosStencil::Impl::is_host_space<Device>());
    tiles.push_back(default_tile);
    for (Tile const& tile : tiles) {
      double fastest = std::numeric_limits<double>::max();
      for (int attempt = 0; attempt < 3; ++attempt) {
        Device().fence();
        Kokkos::Timer timer;
        mdrange(tile);
        if (launch_refused<Device>()) break;
        Device().fence();
        if (attempt > 0) fastest = std::min(fastest, timer.seconds());
      }
      if (fastest < best) {
        best   = fastest;
        m_tile = tile;
      }
    }
  }

  void fill() {
    for (std::size_t k = 0; k < Code::fields; ++k) {
      View const& f = m_code.f[k];
      Kokkos::parallel_for("perf fill", Items(0, m_case.elements()), Mix<T>{f.data(), k});
    }
  }

  /// What is outside the range is in both Views of a state, as iterate leaves it.
  void begin() {
    fill();
    for (std::size_t k = 0; m_case.steps > 1 && k < std::size_t(StatesOf<Code>::value); ++k) {
      Kokkos::deep_copy(m_code.f[Code::fields - StatesOf<Code>::value + k], m_code.f[k]);
    }
    m_sum = 0;
  }

  /// Against the loop with default tiles, or the library's where there are faces; the two may contract products and
  /// sums differently.
  void verify() {
    begin();
    sweep(m_case.faces == Faces::halo ? "kokkos_mdrange_default" : "generic", default_tile);
    Device().fence();
    View const expected       = make();
    double const expected_sum = m_sum;
    Kokkos::deep_copy(expected, result());
    begin();
    sweep(m_name, m_tile);
    Device().fence();
    double most = 0;
    Kokkos::parallel_reduce("perf compare", Items(0, m_case.elements()), Apart<T>{expected.data(), result().data()},
                            Kokkos::Max<double>(most));
    // Values are less than one and coefficients at most seven or so. Terms of a sum are of either value type, the sum
    // is in double and has any order.
    double const allowed =
        64 * static_cast<double>(m_case.steps) * static_cast<double>(std::numeric_limits<T>::epsilon());
    double const sums  = std::abs(m_sum - expected_sum);
    double const order = static_cast<double>(m_case.points()) * std::numeric_limits<double>::epsilon();
    if (most > allowed || sums > allowed * static_cast<double>(m_case.points()) + order * std::abs(expected_sum)) {
      throw std::runtime_error("wrong result: values differ by " + std::to_string(most / allowed) + ", the sum by " +
                               std::to_string(sums) + ", from those of the loop");
    }
  }

  Case m_case;
  std::string m_name, m_backend;
  Code m_code;
  Tile m_tile  = default_tile;
  double m_sum = 0;
};

template <class T, template <class> class Code, int Rank>
std::unique_ptr<Candidate> make_one(Case const& c, std::string const& name) {
  using Data = std::conditional_t<Rank == 2, T**, T***>;
  using View = Kokkos::View<Data, Kokkos::LayoutRight, Device::memory_space>;
#ifdef PERF_CODE_LOOPS
  using Loop = Code<Plain<T, Rank>>;
#else
  using Loop = Code<View>;
#endif
  return std::make_unique<CodeCandidate<Code<View>, View, Loop>>(c, name);
}

template <class View>
using JacobiOnly = codes::Jacobi<View, false>;
template <class View>
using JacobiError = codes::Jacobi<View, true>;
template <class View>
using Prk1 = codes::PrkAdd<View, 1>;
template <class View>
using Prk2 = codes::PrkAdd<View, 2>;
template <class View>
using Prk3 = codes::PrkAdd<View, 3>;
template <class View>
using Prk4 = codes::PrkAdd<View, 4>;

struct Entry {
  char const* name;
  int rank, radius, streams, states;
  bool reduces;
  std::unique_ptr<Candidate> (*single)(Case const&, std::string const&);
  std::unique_ptr<Candidate> (*full)(Case const&, std::string const&);
};
template <template <class> class Code, int Rank>
Entry entry() {
  using View =
      Kokkos::View<std::conditional_t<Rank == 2, double**, double***>, Kokkos::LayoutRight, Device::memory_space>;
  using C = Code<View>;
  return {C::name,
          Rank,
          C::radius,
          C::streams,
          StatesOf<C>::value,
          C::reduces,
          make_one<float, Code, Rank>,
          make_one<double, Code, Rank>};
}

std::vector<Entry> const& entries() {
  static std::vector<Entry> const all = {entry<codes::HeatK, 3>(),
                                         entry<codes::Wave, 3>(),
                                         entry<codes::GrayScott, 2>(),
                                         entry<codes::GrayScott, 3>(),
                                         entry<JacobiOnly, 2>(),
                                         entry<JacobiError, 2>(),
                                         entry<codes::CgDot, 2>(),
                                         entry<Prk1, 2>(),
                                         entry<Prk2, 2>(),
                                         entry<Prk3, 2>(),
                                         entry<Prk4, 2>(),
                                         entry<codes::Box27, 3>()};
  return all;
}

}  // namespace

std::vector<Case> code_cases(bool host) {
  std::vector<Case> cases;
  for (Entry const& e : entries()) {
    for (Type const type : {Type::single, Type::full}) {
      std::int64_t n = e.rank == 2 ? 8192 : 512;
      if (std::string(e.name) == "gray_scott-3d1r") n = 384;
      if (host) n = e.rank == 2 ? 2048 : 128;
      Case c;
      c.kernel        = star(e.rank, e.radius);
      c.kernel.name   = e.name;
      c.kernel.family = Family::other;
      c.type          = type;
      c.extents       = {{n, n, e.rank == 3 ? n : 1}};
      c.code          = true;
      c.streams       = e.streams;
      cases.push_back(c);
      if (e.rank == 3 && !e.reduces && !host) {
        for (Faces const faces : {Faces::periodic, Faces::mirror, Faces::constant}) {
          c.faces = faces;
          cases.push_back(c);
        }
        c.faces = Faces::halo;
      }
      // Rows that begin anywhere.
      auto const anywhere = [&] {
        if (host || e.reduces) return;
        for (std::int64_t const m : {n + 1, n + 2}) {
          c.extents = {{m, m, e.rank == 3 ? m : 1}};
          cases.push_back(c);
        }
        c.extents = {{n, n, e.rank == 3 ? n : 1}};
      };
      anywhere();
      // Few points, where a call is little more than its launch.
      if (!host) {
        for (std::int64_t const few :
             e.rank == 2 ? std::array<std::int64_t, 3>{64, 256, 512} : std::array<std::int64_t, 3>{16, 32, 64}) {
          c.extents = {{few, few, e.rank == 3 ? few : 1}};
          cases.push_back(c);
        }
        c.extents = {{n, n, e.rank == 3 ? n : 1}};
      }
      if (e.states == 0) continue;
      c.steps = 120;
      cases.push_back(c);
      anywhere();
      if (host) continue;
      for (std::int64_t const small :
           e.rank == 2 ? std::array<std::int64_t, 2>{256, 1024} : std::array<std::int64_t, 2>{64, 128}) {
        c.extents = {{small, small, e.rank == 3 ? small : 1}};
        cases.push_back(c);
      }
    }
  }
  return cases;
}

template <class Space>
std::vector<std::string> code_candidates(Case const& c) {
  if (!std::is_same<Space, Device>::value) return {};
  bool reduces = false;
  for (Entry const& e : entries()) reduces = reduces || (c.kernel.name == e.name && e.reduces);
  std::vector<std::string> names{"generic"};
#ifdef KOKKOS_ENABLE_CUDA
  if (std::is_same<Space, Kokkos::Cuda>::value) {
    names.push_back(c.kernel.rank == 3 ? "functor_streaming" : "functor_direct");
    if (c.kernel.rank == 3 && c.kernel.radius() >= 3) names.push_back("functor_ring");
    if (c.elements() <= std::int64_t(1) << 18 && !reduces) names.push_back("functor_points");
    if (c.steps > 1 && (c.kernel.rank == 2 || c.kernel.radius() == 1)) names.push_back("functor_temporal");
    if (c.steps > 1 && c.elements() <= std::int64_t(1) << 21) names.push_back("functor_patches");
  }
#endif
  names.push_back("auto");
  if (c.faces != Faces::halo) return names;
  for (char const* name : {"kokkos_mdrange_default", "kokkos_mdrange_best"}) names.push_back(name);
  if (reduces) names.push_back("kokkos_range");
#ifdef PERF_CODE_LOOPS
  names.push_back("openmp_simd");
#endif
  return names;
}

std::unique_ptr<Candidate> make_code(Case const& c, std::string const& name) {
  for (Entry const& e : entries()) {
    if (c.kernel.name == e.name) return c.type == Type::single ? e.single(c, name) : e.full(c, name);
  }
  throw Unavailable("no such code: " + c.kernel.name);
}

template std::vector<std::string> code_candidates<Device>(Case const&);
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template std::vector<std::string> code_candidates<Host>(Case const&);
#endif

}  // namespace perf
