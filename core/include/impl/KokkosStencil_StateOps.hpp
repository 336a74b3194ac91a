// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Problem.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace KokkosStencil {
namespace Impl {

/// What iterations need beside sweeps, the same for every backend. Strides of the problem's input belong
/// to the first View of an iteration, those of its output to the second.
class StateOps {
 public:
  virtual ~StateOps() = default;

  /// Copies the points outside the range from the first View to the second, or the other way round.
  virtual void copy_outside(Launch const& launch, void const* from, void* to, bool to_second) const = 0;

  /// For one iteration alone.
  virtual std::shared_ptr<NormReducer> norm_reducer() const = 0;

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
