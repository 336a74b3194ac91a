// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// How small fields are dealt out to blocks that keep a patch each in shared memory and sweep it several times with a
// functor (KokkosStencil_FunctorPatches.hpp).

namespace KokkosStencil {
namespace Impl {

/// What the blocks of a pass do. Each owns a part of the range, and computes what its neighbours own as far as it needs
/// that: the less the more sweeps are done. Axes are counted from the contiguous one on: columns, rows, planes.
struct PatchTasks {
  std::int32_t sweeps     = 1;
  std::int32_t tiles[3]   = {1, 1, 1};  ///< patches along an axis
  std::int32_t size[3]    = {1, 1, 1};  ///< points of a patch, with its halo
  std::int32_t halo[3]    = {0, 0, 0};  ///< points on each side of what a block owns
  std::int32_t reach[3]   = {0, 0, 0};  ///< how far states are read
  std::int32_t begin[3]   = {0, 0, 0};  ///< the range
  std::int32_t stop[3]    = {1, 1, 1};
  std::int32_t extent[3]  = {1, 1, 1};  ///< of the Views
  bool periodic[3]        = {false, false, false};
  std::uint8_t kind[3][2] = {};     ///< BoundaryKind of the faces
  bool reflects           = false;  ///< what is read beyond a face is the value of a point inside
  std::int32_t slots      = 0;      ///< values of a copy of a field in shared memory, a multiple of 16

  std::uint32_t count() const { return static_cast<std::uint32_t>(tiles[0] * tiles[1] * tiles[2]); }
};

/// Whether values beyond a face follow points inside, as these change.
KOKKOSSTENCIL_HOST_DEVICE inline bool reflected(BoundaryKind kind) {
  return kind == BoundaryKind::mirror || kind == BoundaryKind::edge;
}

/// Points [lo, hi) along each axis. Past periodic faces indices go on.
struct PatchBox {
  std::int32_t lo[3], hi[3];

  KOKKOSSTENCIL_HOST_DEVICE bool empty() const { return lo[0] >= hi[0] || lo[1] >= hi[1] || lo[2] >= hi[2]; }
};

/// The patch of a block.
struct Patch {
  PatchBox own, all;  ///< what it owns, and what lies in its memory

  KOKKOSSTENCIL_HOST_DEVICE Patch(PatchTasks const& tasks, std::uint32_t block) {
    for (int k = 0; k < 3; ++k) {
      auto const tiles        = static_cast<std::uint32_t>(tasks.tiles[k]);
      auto const t            = static_cast<std::int32_t>(block % tiles);
      std::int32_t const size = tasks.stop[k] - tasks.begin[k];
      block /= tiles;
      own.lo[k] = tasks.begin[k] + share(t, size, tasks.tiles[k]);
      own.hi[k] = tasks.begin[k] + share(t + 1, size, tasks.tiles[k]);
      all.lo[k] = own.lo[k] - tasks.halo[k];
      all.hi[k] = all.lo[k] + tasks.size[k];
    }
  }
  /// Points of the first t of some tiles, which differ by one at most.
  KOKKOSSTENCIL_HOST_DEVICE static std::int32_t share(std::int32_t t, std::int32_t size, std::int32_t tiles) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(t) * size / tiles);
  }

  /// What a sweep computes, the first of which is 1: all that later ones read.
  KOKKOSSTENCIL_HOST_DEVICE PatchBox computed(PatchTasks const& tasks, int sweep) const {
    PatchBox b{};
    for (int k = 0; k < 3; ++k) {
      std::int32_t const further = (tasks.sweeps - sweep) * tasks.reach[k];
      b.lo[k]                    = own.lo[k] - further;
      b.hi[k]                    = own.hi[k] + further;
      if (tasks.periodic[k]) continue;
      if (b.lo[k] < tasks.begin[k]) b.lo[k] = tasks.begin[k];
      if (b.hi[k] > tasks.stop[k]) b.hi[k] = tasks.stop[k];
    }
    return b;
  }
  /// What the sweep after that reads beyond a face.
  KOKKOSSTENCIL_HOST_DEVICE PatchBox beyond(PatchTasks const& tasks, PatchBox const& computed, int axis,
                                            int side) const {
    PatchBox b{};
    for (int k = 0; k < 3; ++k) {
      b.lo[k] = computed.lo[k] - tasks.reach[k];
      b.hi[k] = computed.hi[k] + tasks.reach[k];
      if (k == axis && side == 0 && b.hi[k] > 0) b.hi[k] = 0;
      if (k == axis && side == 1 && b.lo[k] < tasks.extent[k]) b.lo[k] = tasks.extent[k];
      if (b.lo[k] < all.lo[k]) b.lo[k] = all.lo[k];
      if (b.hi[k] > all.hi[k]) b.hi[k] = all.hi[k];
    }
    return b;
  }
  KOKKOSSTENCIL_HOST_DEVICE bool inside(PatchTasks const& tasks) const {
    bool in = true;
    for (int k = 0; k < 3; ++k) in = in && all.lo[k] >= 0 && all.hi[k] <= tasks.extent[k];
    return in;
  }
  KOKKOSSTENCIL_HOST_DEVICE bool holds(std::int32_t const* place) const {
    bool in = true;
    for (int k = 0; k < 3; ++k) in = in && place[k] >= all.lo[k] && place[k] < all.hi[k];
    return in;
  }
  /// Where a point lies in a copy of a field.
  KOKKOSSTENCIL_HOST_DEVICE std::int32_t at(PatchTasks const& tasks, std::int32_t const* place) const {
    return place[0] - all.lo[0] + tasks.size[0] * (place[1] - all.lo[1] + tasks.size[1] * (place[2] - all.lo[2]));
  }
};

/// Division by the same number again and again; exact below 2^16 by at most 2^16.
class PatchDivider {
 public:
  PatchDivider() = default;
  KOKKOSSTENCIL_HOST_DEVICE explicit PatchDivider(std::int32_t by)
      : m_factor(by == 1 ? 0 : 0xffffffffu / static_cast<std::uint32_t>(by) + 1) {}
  KOKKOSSTENCIL_HOST_DEVICE std::int32_t operator()(std::int32_t n) const {
    auto const product = static_cast<std::uint64_t>(static_cast<std::uint32_t>(n)) * m_factor;
    return m_factor == 0 ? n : static_cast<std::int32_t>(product >> 32);
  }

 private:
  std::uint32_t m_factor = 0;
};

/// A sweep of a patch: what it computes, and in how many groups of rows.
struct PatchSweep {
  PatchBox box;
  std::int32_t groups;
  PatchDivider by_columns, by_groups;

  KOKKOSSTENCIL_HOST_DEVICE PatchSweep(PatchBox const& b, int rows)
      : box(b), groups((b.hi[1] - b.lo[1] + rows - 1) / rows), by_columns(b.hi[0] - b.lo[0]), by_groups(groups) {}
  static constexpr int most = 64;  ///< of a pass
};

/// A kernel for patches.
struct PatchKernelInfo {
  int rank;
  int rows;     ///< of a thread
  int threads;  ///< of a block
  int states, constants;
  int state_bytes, constant_bytes;  ///< of a point, in one copy of all states and of all constants
  int multiprocessors;              ///< of the GPU
  int shared_bytes;                 ///< that a block may have
};

/// The problem, in the axes of the Views.
struct PatchProblem {
  std::array<int, 3> axis;  ///< which axis columns, rows and planes are counted along
  FunctorRange where;
  FieldGeometry const* geometry;
  FieldReach states, constants;  ///< how far they are read
};

/// How many sweeps are cut into passes.
struct PatchSchedule {
  PatchTasks tasks;                                ///< of a pass
  double pass_seconds = 0.0, sweep_seconds = 0.0;  ///< predicted: a pass, one sweep
  bool pays  = false;                              ///< passes are predicted to be faster
  bool fills = false;                              ///< a comparison by the clock means something

  bool empty() const { return !pays; }
  /// The sweeps of the next pass, when so many are left; 0 for one without a pass.
  int next(std::int64_t left) const {
    if (!pays) return 0;
    return left < tasks.sweeps ? static_cast<int>(left) : tasks.sweeps;
  }
  PatchTasks pass(int sweeps) const {
    PatchTasks t = tasks;
    t.sweeps     = sweeps;
    return t;
  }
};

/// Why patches cannot do it, or nothing.
std::string patches_unsupported(PatchKernelInfo const& kernel, PatchProblem const& problem);

/// What is predicted to be fastest; `forced`: passes only.
PatchSchedule patch_schedule(PatchKernelInfo const& kernel, PatchProblem const& problem, std::int64_t steps,
                             bool forced, DeviceModel const* device);

/// For explain(): what is predicted of passes.
std::string schedule_text(PatchSchedule const& schedule, int depth);

}  // namespace Impl
}  // namespace KokkosStencil
