// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstdint>
#include <string>
#include <vector>

// How many sweeps of a functor on planes are dealt out to warps that go down strips (KokkosStencil_FunctorStrips.hpp).

namespace KokkosStencil {
namespace Impl {

/// What is needed for the rows of a task: whole vectors that lie in the range, or in the Views; or what rules of faces
/// ask for.
enum class StripKind : std::int32_t { plain, masked, general };

/// Strips and rows that are cut into tasks of some rows.
struct StripRegion {
  std::int32_t strip  = 0;  ///< the first one
  std::int32_t strips = 0;
  std::int32_t first  = 0;  ///< rows
  std::int32_t last   = 0;
  std::int32_t height = 1;  ///< rows of a task
  StripKind kind      = StripKind::general;
};

/// What the warps of a pass do. Rows lie along the contiguous axis.
struct StripTasks {
  static constexpr int most = 9;
  StripRegion region[most];
  std::uint32_t end[most] = {};  ///< tasks of this region and those before
  std::int32_t regions    = 0;
  std::int32_t column     = 0;       ///< the first one that strip 0 owns
  std::int32_t begin[2]   = {0, 0};  ///< the range: rows, columns
  std::int32_t stop[2]    = {0, 0};
  std::int32_t depth      = 1;      ///< sweeps
  bool aligned            = false;  ///< vectors of strips are aligned in all Views

  std::uint32_t count() const { return regions == 0 ? 0 : end[regions - 1]; }
};

/// A kernel for strips.
struct StripKernelInfo {
  int width;    ///< values of a vector
  int columns;  ///< of a strip
  int halo;     ///< columns on each side that neighbours own
  int depth;    ///< sweeps of a pass
  int reach;    ///< of the functor, in rows
  int across;   ///< and in columns
  int states, constants;
  int value_size;
  int resident;         ///< warps of a multiprocessor
  int multiprocessors;  ///< of the GPU
};

/// The problem, in the axes of the Views.
struct StripProblem {
  int fast;  ///< the contiguous axis, 0 or 1
  FunctorRange where;
  FieldGeometry const* geometry;
  std::vector<ViewInfo> views;  ///< all that are read or written
};

/// A pass of some sweeps.
struct StripPass {
  StripTasks tasks;
  double seconds = 0.0;  ///< predicted
};

/// Why strips cannot do it, or nothing.
std::string strips_unsupported(StripKernelInfo const& kernel, StripProblem const& problem);

/// Up to kernel.depth sweeps in one pass.
StripPass strip_pass(StripKernelInfo const& kernel, StripProblem const& problem, int sweeps, DeviceModel const* device);

/// How many sweeps are cut into passes.
struct StripSchedule {
  std::int64_t passes = 0;                         ///< of all sweeps that a kernel can do
  int rest            = 0;                         ///< sweeps of one more pass, or 0
  bool fills          = false;                     ///< a pass has work for the whole GPU
  StripTasks full, last;                           ///< of such a pass
  double pass_seconds = 0.0, sweep_seconds = 0.0;  ///< predicted: a pass of as many sweeps as there can be, one sweep

  bool empty() const { return passes == 0 && rest == 0; }
  /// The sweeps of the next pass, when so many are left; 0 for one without a pass.
  int next(std::int64_t left, int depth) const {
    if (passes > 0 && left >= depth) return depth;
    return left == rest ? rest : 0;
  }
  StripTasks const& pass(int sweeps) const { return passes > 0 && sweeps == full.depth ? full : last; }
};

/// For explain(): what is predicted of passes.
std::string schedule_text(StripSchedule const& schedule, int depth);

/// What is predicted to be fastest; `forced`: passes only.
StripSchedule strip_schedule(StripKernelInfo const& kernel, StripProblem const& problem, std::int64_t steps,
                             bool forced, DeviceModel const* device);

}  // namespace Impl
}  // namespace KokkosStencil
