// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../harness/Candidate.hpp"
#include "Shapes.hpp"

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime.h>
#endif

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

// What a Kokkos user writes today: a kernel in MDRangePolicy with the offsets known at compile time,
// accumulating in float or double. One value type a translation unit.

// Each pass of a compiler knows another pragma.
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define PERF_UNROLL _Pragma("unroll")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define PERF_UNROLL _Pragma("GCC unroll 16")
#else
#define PERF_UNROLL
#endif

namespace perf {

/// The sum at a point, for star and box: `u(i, j)` is an element, `c` the coefficients in the order of the shape.
template <class Shape>
struct ShapeBody {
  static constexpr int rank  = Shape::rank;
  static constexpr int count = Shape::count;

  template <class A>
  static void coefficients(Kernel const& kernel, A* c) {
    Shape::coefficients(kernel, c);
  }

  template <class A, class View>
  KOKKOS_FUNCTION static A sum(A const* c, View const& u, int i) {
    A sum = c[0] * static_cast<A>(u(i));
    for (int d = 0; d < Shape::radius; ++d) {
      sum += c[1 + d] * static_cast<A>(u(i + d - Shape::radius));
      sum += c[1 + Shape::radius + d] * static_cast<A>(u(i + d + 1));
    }
    return sum;
  }

  template <class A, class View>
  KOKKOS_FUNCTION static A sum(A const* c, View const& u, int i, int j) {
    constexpr int r = Shape::radius;
    A sum           = 0;
    if constexpr (Shape::box) {
      PERF_UNROLL
      for (int a = 0; a <= 2 * r; ++a) {
        PERF_UNROLL
        for (int b = 0; b <= 2 * r; ++b) {
          sum += c[a * Shape::width + b] * static_cast<A>(u(i + a - r, j + b - r));
        }
      }
    } else {
      sum = c[0] * static_cast<A>(u(i, j));
      PERF_UNROLL
      for (int d = 0; d < r; ++d) {
        sum += c[1 + d] * static_cast<A>(u(i + d - r, j));
        sum += c[1 + r + d] * static_cast<A>(u(i + d + 1, j));
        sum += c[1 + 2 * r + d] * static_cast<A>(u(i, j + d - r));
        sum += c[1 + 3 * r + d] * static_cast<A>(u(i, j + d + 1));
      }
    }
    return sum;
  }

  template <class A, class View>
  KOKKOS_FUNCTION static A sum(A const* c, View const& u, int i, int j, int k) {
    constexpr int r = Shape::radius;
    A sum           = 0;
    if constexpr (Shape::box) {
      PERF_UNROLL
      for (int a = 0; a <= 2 * r; ++a) {
        PERF_UNROLL
        for (int b = 0; b <= 2 * r; ++b) {
          PERF_UNROLL
          for (int d = 0; d <= 2 * r; ++d) {
            sum += c[(a * Shape::width + b) * Shape::width + d] * static_cast<A>(u(i + a - r, j + b - r, k + d - r));
          }
        }
      }
    } else {
      sum = c[0] * static_cast<A>(u(i, j, k));
      PERF_UNROLL
      for (int d = 0; d < r; ++d) {
        sum += c[1 + d] * static_cast<A>(u(i + d - r, j, k));
        sum += c[1 + r + d] * static_cast<A>(u(i + d + 1, j, k));
        sum += c[1 + 2 * r + d] * static_cast<A>(u(i, j + d - r, k));
        sum += c[1 + 3 * r + d] * static_cast<A>(u(i, j + d + 1, k));
        sum += c[1 + 4 * r + d] * static_cast<A>(u(i, j, k + d - r));
        sum += c[1 + 5 * r + d] * static_cast<A>(u(i, j, k + d + 1));
      }
    }
    return sum;
  }
};

template <class Body, class View>
struct MdKernel {
  using T = typename View::non_const_value_type;
  using A = std::conditional_t<std::is_same<T, double>::value, double, float>;

  typename View::const_type in;
  View out;
  A c[Body::count];

  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... i) const {
    out(i...) = static_cast<T>(Body::sum(c, in, i...));
  }
};

/// Tiles to try, besides the default. An entry of 0 is the extent of the range.
inline std::vector<std::array<int, 3>> md_tiles(int rank, bool host) {
  if (rank == 1) return {};
  if (host) {
    if (rank == 2) return {{{1, 0, 1}}, {{16, 0, 1}}, {{64, 0, 1}}, {{16, 512, 1}}, {{64, 64, 1}}};
    return {{{1, 1, 0}}, {{1, 16, 0}}, {{4, 4, 0}}, {{8, 8, 64}}};
  }
  if (rank == 2) return {{{4, 64, 1}}, {{8, 32, 1}}, {{2, 128, 1}}, {{1, 256, 1}}, {{16, 32, 1}}};
  // At most 64 along the last axis: Kokkos cuts larger CUDA tiles without a word and leaves points out.
  return {{{1, 4, 64}}, {{1, 8, 32}}, {{2, 4, 32}}, {{4, 4, 32}}, {{2, 2, 64}}};
}

/// Whether the launch just made was refused; forgets the error. Kokkos does not look: a tile that needs
/// more registers than a block may have would leave its error for the next kernel.
template <class Space>
bool launch_refused() {
#if defined(KOKKOS_ENABLE_CUDA)
  if (std::is_same<Space, Kokkos::Cuda>::value) return cudaGetLastError() != cudaSuccess;
#endif
  return false;
}

template <class Space, class T, class Body>
class MdRange : public Candidate {
  static constexpr int rank = Body::rank;
  using Place               = typename Space::memory_space;
  using Unmanaged           = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Data                = std::conditional_t<rank == 1, T*, std::conditional_t<rank == 2, T**, T***>>;
  using View                = Kokkos::View<Data, Kokkos::LayoutRight, Place, Unmanaged>;
  using Tile                = std::array<int, 3>;
  static constexpr Tile default_tile{{-1, -1, -1}};

 public:
  MdRange(Case const& c, Fields fields, bool best) : m_case(c), m_fields(fields) {
    Body::coefficients(c.kernel, m_coefficients);
    m_from = fields.u;
    m_to   = fields.v;
    if (best && rank > 1) choose();
    MdRange::reset();
  }

  void* run() override {
    if (m_case.steps == 1) {
      sweep(m_fields.u, m_fields.v, m_tile);
      return m_fields.v;
    }
    for (std::int64_t step = 0; step < m_case.steps; ++step) {
      sweep(m_from, m_to, m_tile);
      std::swap(m_from, m_to);
    }
    return m_from;
  }
  void reset() override {
    m_from = m_fields.u;
    m_to   = m_fields.v;
  }
  std::string label() const override {
    if (rank == 1) return "Kokkos::RangePolicy";
    if (m_tile == default_tile) return "Kokkos::MDRangePolicy, default tile";
    std::string text = "Kokkos::MDRangePolicy, tile";
    for (int a = 0; a < rank; ++a) text += " " + std::to_string(tile_extent(m_tile, a));
    return text;
  }

 private:
  View view(void* data) const {
    auto* const p   = static_cast<T*>(data);
    auto const& n   = m_case.extents;
    auto const size = [&](std::size_t a) { return static_cast<std::size_t>(n[a]); };
    if constexpr (rank == 1) {
      return View(p, size(0));
    } else if constexpr (rank == 2) {
      return View(p, size(0), size(1));
    } else {
      return View(p, size(0), size(1), size(2));
    }
  }

  std::int64_t begin(int a) const { return -m_case.kernel.lower(a); }
  std::int64_t end(int a) const { return m_case.extents[static_cast<std::size_t>(a)] - m_case.kernel.upper(a); }

  std::int64_t tile_extent(Tile const& tile, int a) const {
    auto const k              = static_cast<std::size_t>(a);
    std::int64_t const extent = end(a) - begin(a);
    return tile[k] == 0 ? extent : std::min<std::int64_t>(tile[k], extent);
  }

  void sweep(void* from, void* to, Tile const& tile) const {
    MdKernel<Body, View> kernel{view(from), view(to), {}};
    std::copy(m_coefficients, m_coefficients + Body::count, kernel.c);
    if constexpr (rank == 1) {
      Kokkos::parallel_for("perf mdrange", Kokkos::RangePolicy<Space>(begin(0), end(0)), kernel);
    } else if constexpr (rank == 2) {
      using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;
      Kokkos::parallel_for("perf mdrange",
                           tile == default_tile ? Policy({begin(0), begin(1)}, {end(0), end(1)})
                                                : Policy({begin(0), begin(1)}, {end(0), end(1)},
                                                         {tile_extent(tile, 0), tile_extent(tile, 1)}),
                           kernel);
    } else {
      using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;
      Kokkos::parallel_for("perf mdrange",
                           tile == default_tile
                               ? Policy({begin(0), begin(1), begin(2)}, {end(0), end(1), end(2)})
                               : Policy({begin(0), begin(1), begin(2)}, {end(0), end(1), end(2)},
                                        {tile_extent(tile, 0), tile_extent(tile, 1), tile_extent(tile, 2)}),
                           kernel);
    }
  }

  void choose() {
    double best = std::numeric_limits<double>::max();
    auto tiles  = md_tiles(rank, KokkosStencil::Impl::is_host_space<Space>());
    tiles.push_back(default_tile);
    Space const space;
    for (Tile const& tile : tiles) {
      double fastest = std::numeric_limits<double>::max();
      for (int attempt = 0; attempt < 4; ++attempt) {
        space.fence();
        Kokkos::Timer timer;
        sweep(m_fields.u, m_fields.v, tile);
        if (launch_refused<Space>()) break;
        space.fence();
        if (attempt > 0) fastest = std::min(fastest, timer.seconds());
        if (timer.seconds() > 8 * best) break;
      }
      if (fastest < best) {
        best   = fastest;
        m_tile = tile;
      }
    }
  }

  using A = std::conditional_t<std::is_same<T, double>::value, double, float>;

  Case m_case;
  Fields m_fields;
  void* m_from;
  void* m_to;
  Tile m_tile = default_tile;
  A m_coefficients[Body::count];
};

/// T may be void: the type this Kokkos lacks.
template <class Space, class T>
std::unique_ptr<Candidate> make_mdrange_of(Case const& c, Fields fields, bool best) {
  if constexpr (std::is_void<T>::value) {
    static_cast<void>(fields);
    static_cast<void>(best);
    throw Unavailable(std::string("no type ") + name_of(c.type) + " on " + Space::name());
  } else {
    return with_shape(c.kernel, [&](auto shape) -> std::unique_ptr<Candidate> {
      return std::make_unique<MdRange<Space, T, ShapeBody<decltype(shape)>>>(c, fields, best);
    });
  }
}

// One definition a value type and space, each in a file of its own.
std::unique_ptr<Candidate> make_mdrange_half(Case const& c, Fields fields, bool best);
std::unique_ptr<Candidate> make_mdrange_float(Case const& c, Fields fields, bool best);
std::unique_ptr<Candidate> make_mdrange_double(Case const& c, Fields fields, bool best);
std::unique_ptr<Candidate> make_mdrange_host(Case const& c, Fields fields, bool best);
// The kernels of the catalogue on CUDA, written out by cmake/KokkosStencilCatalogueRivals.cmake; false and null
// where that is off.
bool has_catalogue_rival(Kernel const& kernel);
std::unique_ptr<Candidate> make_catalogue_rival(Case const& c, Fields fields, bool best);

}  // namespace perf
