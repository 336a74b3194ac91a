// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Value.hpp"

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_DeviceBox.hpp>
#include <impl/KokkosStencil_ScaledNorm.hpp>
#include <impl/KokkosStencil_StateOps.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace KokkosStencil {
namespace Generic {

/// A box of points cut into stretches of rows, one a work item: whole rows for a host thread, single
/// points for a device thread.
struct Stretches {
  Impl::DeviceBox box;
  std::int64_t length, a_row;

  Stretches(PointBox const& b, std::int64_t most) : box(b) {
    std::int64_t const nx = b.end[2] - b.begin[2];
    length                = nx < most ? nx : most;
    a_row                 = (nx + length - 1) / length;
  }
  std::int64_t count() const { return (box.end[0] - box.begin[0]) * (box.end[1] - box.begin[1]) * a_row; }

  /// Calls f(z, y, x) for the points of one stretch.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(std::int64_t index, F const& f) const {
    std::int64_t const row = index / a_row;
    std::int64_t const ny  = box.end[1] - box.begin[1];
    std::int64_t const z   = box.begin[0] + row / ny;
    std::int64_t const y   = box.begin[1] + row % ny;
    std::int64_t const lo  = box.begin[2] + index % a_row * length;
    std::int64_t const hi  = lo + length < box.end[2] ? lo + length : box.end[2];
    for (std::int64_t x = lo; x < hi; ++x) f(z, y, x);
  }
};

/// Strides on both sides of a copy or comparison.
struct TwoStrides {
  std::int64_t a[3], b[3];

  TwoStrides(std::array<std::int64_t, 3> const& sa, std::array<std::int64_t, 3> const& sb) {
    std::copy(sa.begin(), sa.end(), a);
    std::copy(sb.begin(), sb.end(), b);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t at_a(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return z * a[0] + y * a[1] + x * a[2];
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t at_b(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return z * b[0] + y * b[1] + x * b[2];
  }
};

template <class T>
struct CopyStretch {
  Stretches stretches;
  TwoStrides strides;
  T const* from;
  T* to;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    stretches.each(index, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      to[strides.at_b(z, y, x)] = from[strides.at_a(z, y, x)];
    });
  }
};

template <class T>
struct ChangeStretch {
  using R = std::conditional_t<std::is_same<T, double>::value, double, float>;
  Stretches stretches;
  TwoStrides strides;
  T const* newest;
  T const* oldest;

  KOKKOS_FORCEINLINE_FUNCTION double at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return static_cast<double>(static_cast<R>(newest[strides.at_a(z, y, x)])) -
           static_cast<double>(static_cast<R>(oldest[strides.at_b(z, y, x)]));
  }
};

/// A maximum that keeps NaN: infinity stands for NaN, the largest double for infinity.
template <class T>
struct MaxChange : ChangeStretch<T> {
  KOKKOS_FUNCTION void operator()(std::int64_t index, double& most) const {
    this->stretches.each(index, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      double const d = this->at(z, y, x);
      double const m = d < 0 ? -d : d;
      double const k = m <= DBL_MAX ? m : m != m ? HUGE_VAL : DBL_MAX;
      if (k > most) most = k;
    });
  }
};

/// Of changes divided by `scale`.
/// Scaled: of the changes divided by a scale.
template <class T, bool Scaled>
struct SquaredChange : ChangeStretch<T> {
  double scale = 1.0;

  KOKKOS_FUNCTION void operator()(std::int64_t index, double& sum) const {
    this->stretches.each(index, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      double d = this->at(z, y, x);
      if constexpr (Scaled) d /= scale;
      sum += d * d;
    });
  }
};

template <class Exec>
class GenericNormReducer : public NormReducer {
 public:
  explicit GenericNormReducer(Problem const& p) : m_problem(p) {}

  double between(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second, Norm norm,
                 std::function<void()> const&) override {
    return with_type(m_problem.value_type, [&](auto value) {
      using T = decltype(value);
      Stretches const s({m_problem.begin, m_problem.end}, Impl::is_host_space<Exec>() ? 4096 : 1);
      TwoStrides const strides = newest_is_second ? TwoStrides(m_problem.out_stride, m_problem.in_stride)
                                                  : TwoStrides(m_problem.in_stride, m_problem.out_stride);
      ChangeStretch<T> const base{s, strides, static_cast<T const*>(newest), static_cast<T const*>(oldest)};
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>> const range(*static_cast<Exec const*>(launch.instance),
                                                                             0, s.count());
      auto const largest = [&] {
        double result = 0.0;
        Kokkos::parallel_reduce(launch.label, range, MaxChange<T>{base}, Kokkos::Max<double>(result));
        if (result == HUGE_VAL) return std::numeric_limits<double>::quiet_NaN();
        return result == DBL_MAX ? HUGE_VAL : result;
      };
      auto const squares = [&](auto scaled, double scale) {
        double result = 0.0;
        Kokkos::parallel_reduce(launch.label, range, SquaredChange<T, decltype(scaled)::value>{base, scale},
                                Kokkos::Sum<double>(result));
        return result;
      };
      if (norm == Norm::max) return largest();
      double const sum = squares(std::false_type(), 1.0);
      if (!Impl::squares_lost(sum)) return std::sqrt(sum / static_cast<double>(m_problem.points()));
      double const most = largest();
      bool const plain  = most == 0.0 || !std::isfinite(most);
      return Impl::scaled_rms(most, plain ? 0.0 : squares(std::true_type(), most), m_problem.points());
    });
  }

 private:
  Problem m_problem;
};

template <class Exec>
class GenericStateOps : public Impl::StateOps {
  static constexpr std::int64_t most = Impl::is_host_space<Exec>() ? 4096 : 1;
  using Range                        = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

 public:
  explicit GenericStateOps(Problem const& p) : m_problem(p), m_range{p.begin, p.end} {
    PointBox const whole{{{0, 0, 0}}, p.extent};
    if (!m_range.empty()) m_outside = difference(whole, m_range);
  }

  void copy_ghosts(Launch const& launch, void const* from, void* to, bool to_second) const override {
    TwoStrides const strides = to_second ? TwoStrides(m_problem.in_stride, m_problem.out_stride)
                                         : TwoStrides(m_problem.out_stride, m_problem.in_stride);
    with_type(m_problem.value_type, [&](auto value) {
      using T = decltype(value);
      for (PointBox const& box : m_outside) {
        Stretches const s(box, most);
        Kokkos::parallel_for(launch.label, Range(space(launch), 0, s.count()),
                             CopyStretch<T>{s, strides, static_cast<T const*>(from), static_cast<T*>(to)});
      }
      return 0;
    });
  }

  std::shared_ptr<NormReducer> norm_reducer() const override {
    return std::make_shared<GenericNormReducer<Exec>>(m_problem);
  }

  std::string device_name(Launch const& launch) const override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same<Exec, Kokkos::Cuda>::value) return space(launch).cuda_device_prop().name;
#endif
    return std::string(Exec::name()) + " " + std::to_string(space(launch).concurrency());
  }
  void* allocate(std::size_t bytes) const override {
    return Kokkos::kokkos_malloc<typename Exec::memory_space>("KokkosStencil tuning", bytes);
  }
  void release(void* memory) const override { Kokkos::kokkos_free<typename Exec::memory_space>(memory); }
  void copy(Launch const& launch, void* to, void const* from, std::size_t bytes) const override {
    using Bytes = Kokkos::View<char*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using Const = Kokkos::View<char const*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::deep_copy(space(launch), Bytes(static_cast<char*>(to), bytes),
                      Const(static_cast<char const*>(from), bytes));
  }
  void fence(Launch const& launch) const override { space(launch).fence(); }

 private:
  static Exec const& space(Launch const& launch) { return *static_cast<Exec const*>(launch.instance); }

  Problem m_problem;
  PointBox m_range;
  std::vector<PointBox> m_outside;
};

}  // namespace Generic
}  // namespace KokkosStencil
