// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_StateOps.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

// What kernels for several sweeps of a functor in one pass have in common on the host: whether they are taken, by what
// is predicted and by what the first passes took.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// Times passes of a kernel against single sweeps, the first time that there are many: how much a functor computes is
/// not known before it ran.
class PassTimer {
 public:
  enum class Verdict { none, faster, slower };

  PassTimer() = default;
  ~PassTimer() {
    for (cudaEvent_t event : m_events) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }
  PassTimer(PassTimer const&)            = delete;
  PassTimer& operator=(PassTimer const&) = delete;

  /// The sweeps that it takes.
  static constexpr std::int64_t sweeps(int depth) { return 4 * depth + 2; }
  /// `verdict`: of the kernel, which outlives the iteration.
  void begin(Kokkos::Cuda const& space, std::atomic<Verdict>& verdict) {
    m_verdict = &verdict;
    m_times   = verdict == Verdict::none && !captures(space.cuda_stream());
  }
  bool times() const { return m_times; }
  bool slower() const { return m_verdict != nullptr && *m_verdict == Verdict::slower; }

  /// Whether a pass comes next, or a single sweep; the last call says neither.
  enum class Next { pass, sweep, done };
  Next next(Kokkos::Cuda const& space, int depth) {
    CurrentDevice const current(space.cuda_device());
    // Two passes and two sweeps: the first of each loads code.
    if (m_part > 0) record(space, m_part - 1);
    if (m_part < 4) return m_part++ < 2 ? Next::pass : Next::sweep;
    decide(depth);
    return Next::done;
  }

 private:
  void record(Kokkos::Cuda const& space, int event) {
    RelaxedCapture const relaxed;
    if (cudaEventCreate(&m_events[event]) == cudaSuccess) cudaEventRecord(m_events[event], space.cuda_stream());
  }
  void decide(int depth) {
    RelaxedCapture const relaxed;
    m_times    = false;
    float pass = 0.0f, sweep = 0.0f;
    if (cudaEventSynchronize(m_events[3]) != cudaSuccess ||
        cudaEventElapsedTime(&pass, m_events[0], m_events[1]) != cudaSuccess ||
        cudaEventElapsedTime(&sweep, m_events[2], m_events[3]) != cudaSuccess) {
      cudaGetLastError();
      return;
    }
    *m_verdict = pass > sweep * static_cast<float>(depth) ? Verdict::slower : Verdict::faster;
  }

  std::atomic<Verdict>* m_verdict = nullptr;
  bool m_times                    = false;
  int m_part                      = 0;
  cudaEvent_t m_events[4]         = {nullptr, nullptr, nullptr, nullptr};
};

/// Many sweeps by a kernel that does several of them in one pass, where that is faster.
class SeveralSweeps {
 public:
  /// Why sweeps are done one at a time, or nothing.
  std::string const& reason() const { return m_reason; }

  /// For explain().
  std::string text() const {
    return (m_reason.empty() ? m_name + ", up to " + std::to_string(m_depth) + " sweeps in a pass"
                             : "one sweep at a time, since " + m_reason) +
           m_predicted;
  }
  /// The backend's name.
  std::string const& name() const { return m_name; }
  /// What came of passes so far goes to these Views, where passes work on copies.
  template <class Views>
  void settle(std::string const&, Views const&) {}
  /// What a sweep of a pass is predicted to take, where passes are chosen.
  double seconds() const { return m_reason.empty() ? m_seconds : std::numeric_limits<double>::max(); }

 protected:
  /// `function`: the kernel, with up to so many bytes of shared memory a block. `registers`: it holds fields in these.
  template <class Kernel>
  SeveralSweeps(std::string name, Kokkos::Cuda const& space, FieldGeometry const& geometry, void (*function)(Kernel),
                int bytes, bool registers)
      : m_geometry(geometry), m_space(space), m_name(std::move(name)), m_bytes(bytes) {
    prepare(reinterpret_cast<void const*>(function), registers);
  }
  /// What was found out about a kernel for about as many points, on rows that are aligned or not: what decides differs.
  template <class Kernel>
  static std::atomic<PassTimer::Verdict>& verdict_of(std::int64_t points, bool aligned) {
    static std::atomic<PassTimer::Verdict> v[2][64] = {};
    int size                                        = 0;
    for (; points > 1; points /= 2) ++size;
    return v[aligned ? 1 : 0][size];
  }

  /// Whether calls go to a graph instead of the device.
  bool captures() const { return Impl::captures(m_space.cuda_stream()); }
  int multiprocessors() const { return m_space.cuda_device_prop().multiProcessorCount; }
  DeviceModel const* device() const { return device_model(SpaceTraits<Kokkos::Cuda>::info(m_space)); }
  template <class Kernel>
  int blocks_of_multiprocessor(void (*function)(Kernel), int threads) const {
    CurrentDevice const current(m_space.cuda_device());
    int blocks = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, static_cast<std::size_t>(m_bytes));
    return blocks;
  }

  /// Whether there is a reason against passes.
  bool declines(std::string const& reason) {
    m_reason = reason;
    return !reason.empty();
  }
  /// Passes of up to `depth` sweeps, or single sweeps.
  template <class Schedule>
  void choose(Schedule const& schedule, int depth, std::atomic<PassTimer::Verdict>& verdict, std::int64_t steps,
              bool forced) {
    m_depth     = depth;
    m_seconds   = schedule.pass_seconds / depth;
    m_predicted = "; " + schedule_text(schedule, depth);
    if (forced) return;
    if (verdict == PassTimer::Verdict::slower) {
      m_reason = timed_slower;
    } else if (schedule.empty()) {
      m_reason = "one sweep at a time is predicted to be faster";
    } else if (schedule.fills && steps >= PassTimer::sweeps(depth)) {
      m_timer.begin(m_space, verdict);
    }
  }

  /// Sweeps of the next pass where they are not as the schedule says, 0 for one without a pass; else -1.
  int next_timed() {
    if (m_reason.empty() && m_timer.times()) {
      PassTimer::Next const next = m_timer.next(m_space, m_depth);
      if (next != PassTimer::Next::done) return next == PassTimer::Next::pass ? m_depth : 0;
      if (m_timer.slower()) m_reason = timed_slower;
    }
    return m_reason.empty() ? -1 : 0;
  }

  template <class Kernel>
  void launch(std::string const& label, void (*function)(Kernel), Kernel const& kernel, std::uint32_t blocks,
              int threads, int bytes) const {
    CurrentDevice const current(m_space.cuda_device());
    ToolsRegion const region(make_launch(label, m_space), true);
    launch_kernel(label, function, kernel, blocks, threads, static_cast<std::size_t>(bytes), m_space);
  }

  template <class View>
  static auto constant_ref(View const& view) {
    auto const r = field_ref(view);
    FieldRef<typename View::const_value_type, int(View::rank)> c{r.data, {}};
    for (int a = 0; a < int(View::rank); ++a) c.stride[a] = r.stride[a];
    return c;
  }

  FieldGeometry m_geometry;
  Kokkos::Cuda m_space;

 private:
  static constexpr char const* timed_slower = "it was slower than one sweep at a time when it was timed";

  void prepare(void const* function, bool registers) {
    CurrentDevice const current(m_space.cuda_device());
    cudaFuncAttributes attributes{};
    if (m_space.cuda_device_prop().major < 8) {
      m_reason = "the GPU has no asynchronous copies";
    } else if (cudaFuncGetAttributes(&attributes, function) != cudaSuccess || !reserve(function)) {
      cudaGetLastError();
      m_reason = "the GPU has not the shared memory";
    } else if (registers && attributes.localSizeBytes > 256) {
      // A few values that find no register do no harm.
      m_reason = "the functor reads by offsets that are no literals, is not inlined, or is too large for registers";
    }
  }
  /// Asked for no more than a block needs, the driver may leave memory for fewer of them than would fit.
  bool reserve(void const* function) const {
    return cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                cudaSharedmemCarveoutMaxShared) == cudaSuccess &&
           (m_bytes <= 48 * 1024 ||
            cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, m_bytes) == cudaSuccess);
  }

  std::string m_name;
  int m_bytes, m_depth = 1;
  double m_seconds = 0.0;
  std::string m_reason, m_predicted;
  PassTimer m_timer;
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
