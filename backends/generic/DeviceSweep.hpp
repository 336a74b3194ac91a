// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "PointSweep.hpp"
#include "RowSchedule.hpp"

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_DeviceBox.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

// Device kernels: a team computes a tile, lanes along the contiguous axis, and every thread several columns of
// a stack of rows: each value it loads serves several rows, each coefficient several columns, and the loads of
// the columns are in flight together. Points near a face take the plain formula.

namespace KokkosStencil {
namespace Generic {

/// A run of a row schedule as the device reads it.
struct DeviceSegment {
  std::int64_t offset;  ///< elements from the first output row's point to the first value
  std::int32_t length;
  std::uint32_t mask;
  std::int32_t coefficient[max_stack];
};

/// Schedule and coefficients inside the kernel's arguments: read through the constant cache.
template <class A>
struct InlineSchedule {
  static constexpr int capacity = 3200;
  alignas(8) unsigned char bytes[capacity];
  int segment_count;

  static bool fits(std::size_t segments, std::size_t coefficients) {
    return segments * sizeof(DeviceSegment) + coefficients * sizeof(A) <= std::size_t(capacity);
  }
  KOKKOS_FORCEINLINE_FUNCTION DeviceSegment const* segments() const {
    return reinterpret_cast<DeviceSegment const*>(bytes);
  }
  KOKKOS_FORCEINLINE_FUNCTION A const* coefficients() const {
    return reinterpret_cast<A const*>(bytes + segment_count * sizeof(DeviceSegment));
  }
};

/// The same in device memory, for stencils too large for kernel arguments.
template <class A>
struct StoredSchedule {
  DeviceSegment const* stored_segments;
  A const* stored_coefficients;
  int segment_count;

  KOKKOS_FORCEINLINE_FUNCTION DeviceSegment const* segments() const { return stored_segments; }
  KOKKOS_FORCEINLINE_FUNCTION A const* coefficients() const { return stored_coefficients; }
};

/// The cut of a range into team tiles of threads_x by threads_y threads with Cols columns of Stack rows each.
struct DeviceTiling {
  static constexpr int team = 256;
  int threads_x_log2        = 6;
  std::uint32_t tiles_x = 1, tiles_y = 1, tiles = 1;
};

template <class T, int Stack, int Cols, class Schedule, class Member>
struct DeviceTiles {
  using A = Accumulator<T>;

  PointSweep<T> point;
  DeviceTiling tiling;
  Impl::DeviceBox range, inside;
  Schedule schedule;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
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
    // The last stack is moved back inside; its rows are then computed twice, alike.
    if (y + Stack > range.end[1]) y = range.end[1] - Stack;
    bool const rows_inside =
        z >= inside.begin[0] && z < inside.end[0] && y >= inside.begin[1] && y + Stack <= inside.end[1];
    if (rows_inside && x >= inside.begin[2] && x + (Cols - 1) * width < inside.end[2]) {
      compute<Cols>(z, y, x, width);
      return;
    }
    for (std::int64_t c = x; c < x + Cols * width && c < range.end[2]; c += width) {
      if (rows_inside && c >= inside.begin[2] && c < inside.end[2]) {
        compute<1>(z, y, c, width);
      } else {
        for (int j = 0; j < Stack; ++j) point(z, y + j, c);
      }
    }
  }

 private:
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void compute(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t width) const {
    T const* const in        = point.in + z * point.in_stride[0] + y * point.in_stride[1] + x * point.in_stride[2];
    std::int64_t const step  = point.in_stride[2];
    std::int64_t const apart = width * step;
    DeviceSegment const* seg = schedule.segments();
    A const* const c         = schedule.coefficients();
    A acc[Stack][N];
    for (int j = 0; j < Stack; ++j) {
      for (int n = 0; n < N; ++n) acc[j][n] = -A(0);
    }
    for (int s = 0; s < schedule.segment_count; ++s) {
      T const* p               = in + seg[s].offset;
      int const length         = seg[s].length;
      std::uint32_t const mask = seg[s].mask;
      for (int i = 0; i < length; ++i, p += step) {
        A v[N];
        for (int n = 0; n < N; ++n) v[n] = static_cast<A>(p[n * apart]);
        for (int j = 0; j < Stack; ++j) {
          if (mask >> j & 1u) {
            A const w = c[seg[s].coefficient[j] + i];
            for (int n = 0; n < N; ++n) acc[j][n] = PointSweep<T>::fused(w, v[n], acc[j][n]);
          }
        }
      }
    }
    T* const out = point.out + z * point.out_stride[0] + y * point.out_stride[1] + x * point.out_stride[2];
    for (int j = 0; j < Stack; ++j) {
      for (int n = 0; n < N; ++n) {
        out[j * point.out_stride[1] + n * width * point.out_stride[2]] = static_cast<T>(acc[j][n]);
      }
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
    m_range           = {p.begin, p.end};
    m_inside          = interior(p);
    // Small problems need their threads more than their reuse.
    bool const large = p.points() >= std::int64_t(8) * info.concurrency;
    m_cols           = large ? 4 : 1;
    m_stack          = large && p.end[1] - p.begin[1] >= max_stack ? max_stack : 1;

    RowSchedule const rows = make_row_schedule(p.terms, m_stack);
    for (Segment const& s : rows.segments) {
      Row const& row = rows.rows[static_cast<std::size_t>(s.row)];
      DeviceSegment d{};
      d.offset = row.dz * p.in_stride[0] + row.dy * p.in_stride[1] + s.first * p.in_stride[2];
      d.length = s.length;
      d.mask   = s.mask;
      std::copy(s.coefficient, s.coefficient + max_stack, d.coefficient);
      m_segments.push_back(d);
    }
    for (Impl::Term const& t : p.terms) m_coefficients.push_back(static_cast<A>(t.coefficient));
    m_inline = InlineSchedule<A>::fits(m_segments.size(), m_coefficients.size());
    if (!m_inline) {
      m_stored.stored_segments     = m_segment_buffer.fill(space, m_segments);
      m_stored.stored_coefficients = m_coefficient_buffer.fill(space, m_coefficients);
      m_stored.segment_count       = static_cast<int>(m_segments.size());
    } else {
      m_inlined.segment_count = static_cast<int>(m_segments.size());
      std::memcpy(m_inlined.bytes, m_segments.data(), m_segments.size() * sizeof(DeviceSegment));
      std::memcpy(m_inlined.bytes + m_segments.size() * sizeof(DeviceSegment), m_coefficients.data(),
                  m_coefficients.size() * sizeof(A));
    }

    std::int64_t const nx = p.end[2] - p.begin[2], ny = p.end[1] - p.begin[1], nz = p.end[0] - p.begin[0];
    m_tiling.threads_x_log2   = ny < 4 ? 8 : nx <= 32 ? 5 : 6;
    std::int64_t const tile_x = static_cast<std::int64_t>(m_cols) << m_tiling.threads_x_log2;
    std::int64_t const tile_y = (DeviceTiling::team >> m_tiling.threads_x_log2) * m_stack;
    m_tiling.tiles_x          = static_cast<std::uint32_t>((nx + tile_x - 1) / tile_x);
    m_tiling.tiles_y          = static_cast<std::uint32_t>((ny + tile_y - 1) / tile_y);
    m_tiling.tiles            = static_cast<std::uint32_t>(m_tiling.tiles_x * m_tiling.tiles_y * nz);
  }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    if (m_inline) {
      run(launch, in, out, m_inlined);
    } else {
      run(launch, in, out, m_stored);
    }
  }

 private:
  template <class Schedule>
  void run(Launch const& launch, void const* in, void* out, Schedule const& schedule) const {
    if (m_stack > 1) {
      run<max_stack, 4>(launch, in, out, schedule);
    } else if (m_cols > 1) {
      run<1, 4>(launch, in, out, schedule);
    } else {
      run<1, 1>(launch, in, out, schedule);
    }
  }

  template <int Stack, int Cols, class Schedule>
  void run(Launch const& launch, void const* in, void* out, Schedule const& schedule) const {
    Kokkos::TeamPolicy<Exec> const policy(*static_cast<Exec const*>(launch.instance), static_cast<int>(m_tiling.tiles),
                                          DeviceTiling::team);
    // The hint keeps the schedule in the kernel's arguments instead of a constant buffer that launches share.
    auto const light = Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
    using Member     = typename std::decay_t<decltype(light)>::member_type;
    DeviceTiles<T, Stack, Cols, Schedule, Member> tiles{m_points, m_tiling, Impl::DeviceBox(m_range),
                                                        Impl::DeviceBox(m_inside), schedule};
    tiles.point.in  = static_cast<T const*>(in);
    tiles.point.out = static_cast<T*>(out);
    Kokkos::parallel_for(launch.label, light, tiles);
  }

  DeviceBuffer<Exec> m_term_buffer, m_segment_buffer, m_coefficient_buffer;
  PointSweep<T> m_points;
  PointBox m_range, m_inside;
  int m_stack = 1, m_cols = 1;
  DeviceTiling m_tiling;
  std::vector<DeviceSegment> m_segments;
  std::vector<A> m_coefficients;
  bool m_inline = true;
  InlineSchedule<A> m_inlined{};
  StoredSchedule<A> m_stored{};
};

}  // namespace Generic
}  // namespace KokkosStencil
