// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Device.hpp"
#include "common/GhostCopy.hpp"

#include <KokkosStencil_Backend.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace KokkosStencil {
namespace Cuda {

/// Whether a plan may take so many bytes for copies of its Views: at most padding_memory of the free memory and,
/// together with the copies of other plans, of the device's memory. Plans of the cache that nobody uses any more are
/// dropped for that, so only what makes a plan may ask, nothing that runs one.
bool room_for_padding(int device, std::int64_t bytes);

/// What begins and ends all sweeps on padded copies without copying rows: see EndPasses.
struct EndExecutables {
  int depth = 0;  ///< sweeps of a pass of each
  std::unique_ptr<Executable> first, last;
  /// Passes from copy to copy. If there are some, these and `first` store the ghost values of the copy that they write.
  std::unique_ptr<Executable> between;
};

/// Sweeps on copies of the Views whose rows are padded (common/Padding.hpp).
class PaddedExecutable : public Executable {
 public:
  /// `states` has padding_bytes(problem), `on_padded` was made for padded(problem). `direct` was made for the problem
  /// itself and runs fewer sweeps than `least_steps`; it may be null.
  PaddedExecutable(Problem const& problem, SpaceInfo const& space, std::unique_ptr<DeviceBuffer> states,
                   std::unique_ptr<Executable> on_padded, std::unique_ptr<Executable> direct, std::int64_t least_steps,
                   EndExecutables ends);
  ~PaddedExecutable() override;

  bool launches_raw() const override { return true; }
  bool takes_any_strides() const override { return true; }
  std::size_t bytes() const override;

  void sweep(Launch const& launch, void const* in, void* out) const override;
  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override;
  bool sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm, NormReducer& reducer) const override;

 private:
  /// Whether copies would be slower for so many sweeps, or these Views need none.
  bool runs_directly(void const* in, void const* out, std::int64_t steps) const;
  void* state(int which) const;
  /// `ghosts_to_both`: what no sweep writes is wanted in both states.
  void copy_in(Launch const& launch, void const* in, bool ghosts_to_both) const;
  void copy_out(Launch const& launch, void const* state, void* out) const;
  void pass_by_ends(Launch const& launch, void const* in, void* out, std::int64_t steps) const;

  Problem m_problem;
  int m_device;
  std::unique_ptr<Executable> m_on_padded, m_direct;
  std::int64_t m_least_steps;
  EndExecutables m_ends;
  GhostCopy m_ghosts_in, m_ghosts;  ///< from the input to a state; from one state to the other
  std::unique_ptr<DeviceBuffer> m_states;
  mutable std::mutex m_mutex;  ///< of the copies, until what a call does to them is enqueued
};

}  // namespace Cuda
}  // namespace KokkosStencil
