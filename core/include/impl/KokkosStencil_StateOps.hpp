// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>
#include <impl/KokkosStencil_RowCopy.hpp>

#include <cstddef>
#include <cstdint>
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
  virtual void copy_ghosts(Launch const& launch, void const* from, void* to, bool to_second) const = 0;

  /// For one iteration alone.
  virtual std::shared_ptr<NormReducer> norm_reducer() const = 0;

  /// Memory that it holds, on host and device.
  virtual std::size_t bytes() const { return 0; }

  // For timing candidates on copies of the Views.

  /// What times depend on: the GPU's name, or the execution space with its number of threads.
  virtual std::string device_name(Launch const& launch) const = 0;
  /// Memory where Views lie; throws if there is none.
  virtual void* allocate(std::size_t bytes) const                                              = 0;
  virtual void release(void* memory) const                                                     = 0;
  virtual void copy(Launch const& launch, void* to, void const* from, std::size_t bytes) const = 0;
  virtual void fence(Launch const& launch) const                                               = 0;
};

/// What the backends for a kind of device bring along for everybody: the built-in registration adds it.
class DeviceServices {
 public:
  virtual ~DeviceServices() = default;

  /// Null where the space is not of this kind.
  virtual std::unique_ptr<StateOps> state_ops(Problem const& problem, SpaceInfo const& space) const = 0;

  /// What predictions need to know of the space's device, where that is known; else null.
  virtual DeviceModel const* device_model(SpaceInfo const&) const { return nullptr; }

  /// See RowCopy.
  virtual bool copy_rows(SpaceInfo const&, Launch const&, RowCopy const&) const { return false; }
  virtual bool room_for_copies(SpaceInfo const&, std::int64_t) const { return false; }
};

/// They are asked before those that are there already: generic ones, which know every space, come first.
void register_device_services(std::unique_ptr<DeviceServices const> services);

/// Of the first services asked that know the space; throws Error if there are none.
std::unique_ptr<StateOps> make_state_ops(Problem const& problem, SpaceInfo const& space);
/// Null if no services know the device.
DeviceModel const* device_model(SpaceInfo const& space);

}  // namespace Impl
}  // namespace KokkosStencil
