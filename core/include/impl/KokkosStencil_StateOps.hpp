// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>
#include <KokkosStencil_Until.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace KokkosStencil {
namespace Impl {

/// Measures how much sweeps change. What it finds is waited for; where that would leave a device without work, `ahead`
/// may be called once before, to enqueue more.
class ChangeMeter {
 public:
  virtual ~ChangeMeter() = default;

  /// Change between two states on the range; `newest_is_second`: newest has the output's strides, oldest
  /// the input's, else the other way round.
  virtual double between(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second, Norm norm,
                         std::function<void()> const& ahead) = 0;

  /// Change made by the last sweep that Executable::measured_sweep enqueued.
  virtual double of_sweep(Launch const& launch, Norm norm, std::function<void()> const& ahead);
};

/// What iterations need beside sweeps, the same for every backend. Strides of the problem's input belong
/// to the first View of an iteration, those of its output to the second.
class StateOps {
 public:
  virtual ~StateOps() = default;

  /// Copies the points outside the range from the first View to the second.
  virtual void copy_outside(Launch const& launch, void const* first, void* second) const = 0;

  /// For one iteration alone.
  virtual std::shared_ptr<ChangeMeter> change_meter() const = 0;

  // For timing candidates on copies of the Views.

  /// What times depend on: the GPU's name, or the execution space with its number of threads.
  virtual std::string device_name(Launch const& launch) const = 0;
  /// Memory where Views lie; throws if there is none.
  virtual void* allocate(std::size_t bytes) const                                              = 0;
  virtual void release(void* memory) const                                                     = 0;
  virtual void copy(Launch const& launch, void* to, void const* from, std::size_t bytes) const = 0;
  virtual void fence(Launch const& launch) const                                               = 0;
};

std::unique_ptr<StateOps> make_state_ops(Problem const& problem, SpaceInfo const& space);

}  // namespace Impl
}  // namespace KokkosStencil
