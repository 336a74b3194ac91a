// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "HostForm.hpp"
#include "HostTiling.hpp"
#include "PointSweep.hpp"
#include "RowSweep.hpp"
#include "RowUpdate.hpp"
#include "SharedItems.hpp"

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

// Host kernels: a tile is a Kokkos work item, and the rows of a tile go through the vectorized row kernels a stack at
// a time.

namespace KokkosStencil {
namespace Generic {

template <class T>
struct RowTiles {
  RowSweep<T> const* sweep;
  HostTiling tiling;
  T const* in;
  T* out;

  void operator()(std::int64_t index) const { sweep->tile(in, out, tiling.box(index)); }
};

template <class T>
struct UpdateTiles {
  RowUpdate<T> const* update;
  HostTiling tiling;
  T const* in;
  T* out;
  T alpha, beta;

  void operator()(std::int64_t index) const { update->tile(in, out, tiling.box(index), alpha, beta); }
};

template <class T>
struct PointTiles {
  PointSweep<T> sweep;
  HostTiling tiling;

  void operator()(std::int64_t index) const {
    PointBox const box = tiling.box(index);
    for (std::int64_t z = box.begin[0]; z < box.end[0]; ++z) {
      for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y) {
        for (std::int64_t x = box.begin[2]; x < box.end[2]; ++x) sweep(z, y, x);
      }
    }
  }
};

template <class Exec, class T>
class HostExecutable : public Executable {
  static constexpr bool has_rows = std::is_same<T, float>::value || std::is_same<T, double>::value;
  using Rows                     = std::conditional_t<has_rows, RowSweep<T>, char>;
  using Updates                  = std::conditional_t<has_rows, RowUpdate<T>, char>;

 public:
  HostExecutable(Problem const& p, SpaceInfo const& space)
      : m_threads(space.concurrency), m_terms(point_terms<T>(p)), m_problem(p) {
    if constexpr (has_rows) {
      HostForm const form = host_form(p);
      if (RowSweep<T>::fits(form.problem)) {
        Traffic const once  = traffic_of(form.problem, space.concurrency, false);
        Traffic const again = traffic_of(form.problem, space.concurrency, true);
        auto const rows     = [&](Traffic const& t) {
          return std::make_unique<RowSweep<T>>(form, row_stack(form.problem), t.fetched, !t.streamed);
        };
        m_rows = rows(once);
        if (once.fetched != again.fetched || once.streamed != again.streamed) m_iterated = rows(again);
        if (p.updates) m_updates = std::make_unique<RowUpdate<T>>(form, row_stack(form.problem), again.fetched);
        m_tiling        = make_host_tiling(form.problem, space.concurrency);
        m_problem       = form.problem;
        m_problem.terms = {};
        return;
      }
    }
    m_tiling        = make_host_tiling(p, space.concurrency);
    m_points        = make_point_sweep<T>(p, m_terms.data());
    m_problem.terms = {};
  }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    sweep(launch, in, out, m_tiling, m_rows.get());
  }

  void update(Launch const& launch, void const* in, void* out, Update const& by) const override {
    if constexpr (has_rows) {
      if (m_updates != nullptr) {
        on_tiles(launch, m_tiling,
                 UpdateTiles<T>{m_updates.get(), m_tiling, static_cast<T const*>(in), static_cast<T*>(out),
                                static_cast<T>(by.alpha), static_cast<T>(by.beta)});
        return;
      }
    }
    PointTiles<T> tiles{with_update(m_points, by), m_tiling};
    tiles.sweep.in  = static_cast<T const*>(in);
    tiles.sweep.out = static_cast<T*>(out);
    on_tiles(launch, m_tiling, tiles);
  }

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    sweep(launch, in, out, m_tiling.on(needed(m_problem, steps - 1)),
          m_iterated != nullptr ? m_iterated.get() : m_rows.get());
    return 1;
  }

  std::size_t bytes() const override {
    std::size_t all = m_terms.size() * sizeof(m_terms[0]);
    if constexpr (has_rows) {
      for (auto const* rows : {&m_rows, &m_iterated}) all += *rows != nullptr ? (*rows)->bytes() : 0;
      all += m_updates != nullptr ? m_updates->bytes() : 0;
    }
    return all;
  }

 private:
  void sweep(Launch const& launch, void const* in, void* out, HostTiling const& tiling, Rows const* rows) const {
    if constexpr (has_rows) {
      if (rows != nullptr) {
        on_tiles(launch, tiling, RowTiles<T>{rows, tiling, static_cast<T const*>(in), static_cast<T*>(out)});
        return;
      }
    }
    PointTiles<T> tiles{m_points, tiling};
    tiles.sweep.in  = static_cast<T const*>(in);
    tiles.sweep.out = static_cast<T*>(out);
    on_tiles(launch, tiling, tiles);
  }

  template <class Body>
  void on_tiles(Launch const& launch, HostTiling const& tiling, Body const& body) const {
    for_items(launch.label, *static_cast<Exec const*>(launch.instance), tiling.tiles(), m_threads, body);
  }

  HostTiling m_tiling;
  int m_threads;
  std::vector<PointTerm<Accumulator<T>>> m_terms;
  Problem m_problem;  ///< as the tiling has it, without terms
  PointSweep<T> m_points;
  std::unique_ptr<Rows> m_rows, m_iterated;  ///< the latter if they differ for what the next sweep reads
  std::unique_ptr<Updates> m_updates;
};

}  // namespace Generic
}  // namespace KokkosStencil
