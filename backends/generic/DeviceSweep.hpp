// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "DeviceFaces.hpp"
#include "DevicePlan.hpp"
#include "PointSweep.hpp"

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_DeviceBox.hpp>
#include <transform/RowSchedule.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Device kernels: a team computes a tile, lanes along the contiguous axis, and every thread several columns of
// a stack of rows: each value it loads serves several rows, each coefficient several columns, and the loads of
// the columns are in flight together. Points near a face take the plain formula, on large grids in a kernel of their
// own (DeviceFaces.hpp).

namespace KokkosStencil {
namespace Generic {

using Transform::make_row_schedule;
using Transform::max_stack;
using Transform::Row;
using Transform::RowSchedule;
using Transform::Segment;

/// One input value of a row schedule as the device reads it, with its coefficients: one per output row.
template <class A>
struct alignas(16) DeviceTap {
  std::int64_t offset;  ///< elements from the first output row's point
  std::uint32_t mask;   ///< bit j: output row j uses the value
  A coefficient[max_stack];
};

template <class A>
struct DeviceSchedule {
  DeviceTap<A> const* taps;
  int count;
};

template <class T, int Stack, int Cols, bool Staged, class Member>
struct DeviceTiles {
  using A = Accumulator<T>;

  PointSweep<T> point;
  DeviceTiling tiling;
  Impl::DeviceBox range, inside;
  DeviceSchedule<A> schedule;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    // A schedule that fits is read from the team's own memory, where all lanes get a value at once.
    DeviceTap<A> const* taps = schedule.taps;
    if constexpr (Staged) {
      int const words  = schedule.count * int(sizeof(DeviceTap<A>) / sizeof(int));
      auto* const copy = static_cast<int*>(member.team_shmem().get_shmem_aligned(words * sizeof(int), 16));
      Kokkos::parallel_for(Kokkos::TeamThreadRange(member, words),
                           [&](int i) { copy[i] = reinterpret_cast<int const*>(schedule.taps)[i]; });
      member.team_barrier();
      taps = reinterpret_cast<DeviceTap<A> const*>(copy);
    }
    auto const thread               = static_cast<std::uint32_t>(member.team_rank());
    auto const tile                 = static_cast<std::uint32_t>(member.league_rank());
    std::int64_t const width        = std::int64_t(1) << tiling.threads_x_log2;
    std::uint32_t const plane_tile  = tile % (tiling.tiles_x * tiling.tiles_y);
    std::uint32_t const rows_a_tile = (DeviceTiling::team >> tiling.threads_x_log2) * Stack;
    std::int64_t const z            = range.begin[0] + tile / (tiling.tiles_x * tiling.tiles_y);
    std::int64_t const x =
        range.begin[2] + static_cast<std::int64_t>(plane_tile % tiling.tiles_x) * width * Cols + (thread & (width - 1));
    std::int64_t y = range.begin[1] + static_cast<std::int64_t>(plane_tile / tiling.tiles_x) * rows_a_tile +
                     (thread >> tiling.threads_x_log2) * Stack;
    if (x >= range.end[2] || y >= range.end[1]) return;
    // The last stack is moved back inside; its rows are then computed twice, alike. What reads its output skips them.
    int skipped = 0;
    if (y + Stack > range.end[1]) {
      if (point.updates) skipped = static_cast<int>(y + Stack - range.end[1]);
      y = range.end[1] - Stack;
    }
    bool const rows_inside =
        z >= inside.begin[0] && z < inside.end[0] && y >= inside.begin[1] && y + Stack <= inside.end[1];
    if (rows_inside && x >= inside.begin[2] && x + (Cols - 1) * width < inside.end[2]) {
      compute<Cols>(taps, z, y, x, width, skipped);
      return;
    }
    for (std::int64_t c = x; c < x + Cols * width && c < range.end[2]; c += width) {
      if (rows_inside && c >= inside.begin[2] && c < inside.end[2]) {
        compute<1>(taps, z, y, c, width, skipped);
      } else {
        for (int j = skipped; j < Stack; ++j) point(z, y + j, c);
      }
    }
  }

 private:
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION static void load(T const* p, std::int64_t apart, A (&v)[N]) {
    for (int n = 0; n < N; ++n) v[n] = static_cast<A>(p[n * apart]);
  }

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void compute(DeviceTap<A> const* taps, std::int64_t z, std::int64_t y, std::int64_t x,
                                           std::int64_t width, int skipped) const {
    T const* const in        = point.in + z * point.in_stride[0] + y * point.in_stride[1] + x * point.in_stride[2];
    std::int64_t const apart = width * point.in_stride[2];
    A acc[Stack][N];
    for (int j = 0; j < Stack; ++j) {
      for (int n = 0; n < N; ++n) acc[j][n] = -A(0);
    }
    // The values of the next tap are on their way while this one's are used.
    A next[N];
    if (schedule.count > 0) load(in + taps[0].offset, apart, next);
    for (int k = 0; k < schedule.count; ++k) {
      A v[N];
      for (int n = 0; n < N; ++n) v[n] = next[n];
      DeviceTap<A> const tap = taps[k];
      if (k + 1 < schedule.count) load(in + taps[k + 1].offset, apart, next);
      if (tap.mask == (1u << Stack) - 1) {
        for (int j = 0; j < Stack; ++j) {
          for (int n = 0; n < N; ++n) acc[j][n] = PointSweep<T>::fused(tap.coefficient[j], v[n], acc[j][n]);
        }
      } else {
        for (int j = 0; j < Stack; ++j) {
          if (tap.mask >> j & 1u) {
            for (int n = 0; n < N; ++n) acc[j][n] = PointSweep<T>::fused(tap.coefficient[j], v[n], acc[j][n]);
          }
        }
      }
    }
    T* const out = point.out + z * point.out_stride[0] + y * point.out_stride[1] + x * point.out_stride[2];
    for (int j = 0; j < Stack; ++j) {
      if (j < skipped) continue;
      for (int n = 0; n < N; ++n) point.put(out[j * point.out_stride[1] + n * width * point.out_stride[2]], acc[j][n]);
    }
  }
};

/// Bytes in the memory of an execution space, filled once.
template <class Exec>
class DeviceBuffer {
 public:
  template <class E>
  E const* fill(Exec const& space, std::vector<E> const& values) {
    std::size_t const bytes = values.size() * sizeof(E);
    m_bytes                 = Kokkos::View<unsigned char*, typename Exec::memory_space>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "KokkosStencil::generic"), bytes);
    Kokkos::View<unsigned char const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const host(
        reinterpret_cast<unsigned char const*>(values.data()), bytes);
    Kokkos::deep_copy(space, m_bytes, host);
    space.fence();
    return reinterpret_cast<E const*>(m_bytes.data());
  }

  std::size_t bytes() const { return m_bytes.size(); }

 private:
  Kokkos::View<unsigned char*, typename Exec::memory_space> m_bytes;
};

template <class Exec, class T>
class DeviceExecutable : public Executable {
  using A = Accumulator<T>;

 public:
  DeviceExecutable(Problem const& p, SpaceInfo const& info, Launch const& launch) {
    Exec const& space = *static_cast<Exec const*>(launch.instance);
    m_points          = make_point_sweep<T>(p, m_term_buffer.fill(space, point_terms<T>(p)));
    m_inside          = interior(p);
    for (std::size_t a = 0; a < 3; ++a) {
      // Farther than a segment can say: the plain formula everywhere.
      if (p.lower[a] < -16000 || p.upper[a] > 16000) m_inside = {p.begin, p.begin};
    }
    DevicePlan const plan = plan_device(p, info.concurrency);
    m_range               = plan.range;
    m_cols                = plan.columns;
    m_stack               = plan.stack;
    m_tiling              = plan.tiling;
    m_faces               = plan.faces;

    RowSchedule const rows = make_row_schedule(p.terms, m_stack);
    std::vector<DeviceTap<A>> taps;
    for (Segment const& s : rows.segments) {
      Row const& row = rows.rows[static_cast<std::size_t>(s.row)];
      for (int i = 0; i < s.length; ++i) {
        DeviceTap<A> tap{};
        tap.offset = row.dz * p.in_stride[0] + row.dy * p.in_stride[1] + (s.first + i) * p.in_stride[2];
        tap.mask   = s.mask;
        for (int j = 0; j < m_stack; ++j) {
          if (s.mask >> j & 1u) {
            tap.coefficient[j] = static_cast<A>(p.terms[static_cast<std::size_t>(s.coefficient[j] + i)].coefficient);
          }
        }
        taps.push_back(tap);
      }
    }
    m_schedule = {m_tap_buffer.fill(space, taps), static_cast<int>(taps.size())};
    m_scratch  = static_cast<int>(taps.size() * sizeof(DeviceTap<A>)) + 16;
    m_staged   = m_scratch <= most_staged;
    load(launch);
  }

  void sweep(Launch const& launch, void const* in, void* out) const override { sweep(launch, m_points, in, out); }

  void update(Launch const& launch, void const* in, void* out, Update const& by) const override {
    sweep(launch, with_update(m_points, by), in, out);
  }

  std::size_t bytes() const override { return m_term_buffer.bytes() + m_tap_buffer.bytes(); }

 private:
  /// Bytes of team memory a schedule may take without costing occupancy.
  static constexpr int most_staged = 16 * 1024;

  /// Launches the kernel on nothing. At the first launch Kokkos loads the kernel, asks for its attributes and copies
  /// what this file's kernels share to the device; captured, that would spoil the graph.
  void load(Launch const& launch) const {
    static std::string const label = "KokkosStencil::generic";
    Launch const nothing{label, launch.instance, launch.stream};
    run(nothing, m_points, PointBox{}, 1, nullptr, nullptr);
    if (m_faces.teams > 0) {
      DeviceFaces empty;
      empty.teams = 1;
      run_faces(nothing, m_points, empty, nullptr, nullptr);
    }
  }

  void sweep(Launch const& launch, PointSweep<T> const& points, void const* in, void* out) const {
    run(launch, points, m_range, m_tiling.tiles, in, out);
    if (m_faces.teams > 0) run_faces(launch, points, m_faces, in, out);
  }

  void run_faces(Launch const& launch, PointSweep<T> const& points, DeviceFaces const& faces, void const* in,
                 void* out) const {
    using Policy = Kokkos::TeamPolicy<Exec, Impl::LightWeight>;
    Policy const policy(*static_cast<Exec const*>(launch.instance), static_cast<int>(faces.teams), DeviceTiling::team);
    DeviceFacesSweep<T, typename Policy::member_type> body{points, faces};
    body.point.in  = static_cast<T const*>(in);
    body.point.out = static_cast<T*>(out);
    Kokkos::parallel_for(launch.label, policy, body);
  }

  void run(Launch const& launch, PointSweep<T> const& points, PointBox const& range, std::uint32_t tiles,
           void const* in, void* out) const {
    if (m_staged) {
      run<true>(launch, points, range, tiles, in, out);
    } else {
      run<false>(launch, points, range, tiles, in, out);
    }
  }

  template <bool Staged>
  void run(Launch const& launch, PointSweep<T> const& points, PointBox const& range, std::uint32_t tiles,
           void const* in, void* out) const {
    if (m_stack > 1) {
      run<max_stack, DeviceTuning::columns, Staged>(launch, points, range, tiles, in, out);
    } else if (m_cols > 1) {
      run<1, DeviceTuning::columns, Staged>(launch, points, range, tiles, in, out);
    } else {
      run<1, 1, Staged>(launch, points, range, tiles, in, out);
    }
  }

  template <int Stack, int Cols, bool Staged>
  void run(Launch const& launch, PointSweep<T> const& points, PointBox const& range, std::uint32_t tiles,
           void const* in, void* out) const {
    using Policy = Kokkos::TeamPolicy<Exec, Impl::LightWeight>;
    Policy policy(*static_cast<Exec const*>(launch.instance), static_cast<int>(tiles), DeviceTiling::team);
    if (Staged) policy.set_scratch_size(0, Kokkos::PerTeam(m_scratch));
    DeviceTiles<T, Stack, Cols, Staged, typename Policy::member_type> body{points, m_tiling, Impl::DeviceBox(range),
                                                                           Impl::DeviceBox(m_inside), m_schedule};
    body.point.in  = static_cast<T const*>(in);
    body.point.out = static_cast<T*>(out);
    Kokkos::parallel_for(launch.label, policy, body);
  }

  DeviceBuffer<Exec> m_term_buffer, m_tap_buffer;
  PointSweep<T> m_points;
  PointBox m_range, m_inside;
  int m_stack = 1, m_cols = 1;
  DeviceTiling m_tiling;
  DeviceFaces m_faces;
  DeviceSchedule<A> m_schedule{};
  int m_scratch = 0;
  bool m_staged = true;
};

}  // namespace Generic
}  // namespace KokkosStencil
