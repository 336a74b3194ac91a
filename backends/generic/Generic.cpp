// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CautiousRates.hpp"
#include "DevicePlan.hpp"
#include "DeviceSweep.hpp"
#include "GenericStateOps.hpp"
#include "HostSweep.hpp"
#include "WithSpace.hpp"

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_StateOps.hpp>
#include <model/Estimate.hpp>

#include <algorithm>
#include <memory>
#include <vector>

// The generic backend: Kokkos kernels for every execution space this Kokkos was built with.

namespace KokkosStencil {
namespace Generic {

namespace {

class GenericBackend : public Backend {
 public:
  std::string name() const override { return "generic"; }

  Status can_run(Problem const&, SpaceInfo const& space) const override {
    if (with_space(space.type, [](auto) {})) return Status::can();
    return Status::cannot("the library was built without kernels for the execution space " + space.name);
  }

  bool can_update() const override { return true; }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    if (DeviceModel const* const device = Impl::device_model(space)) return device_cost(p, *device);
    DeviceModel const rates = cautious_rates(space);
    Model::Kernel kernel;
    kernel.work = Model::one_sweep(static_cast<double>(p.terms.size()), size_of(p.value_type));
    if (p.updates) kernel.work = Model::with_update(kernel.work, size_of(p.value_type));
    return {Model::estimate(kernel, rates, static_cast<double>(p.points()), size_of(p.value_type), p.steps)};
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    std::unique_ptr<Executable> made;
    with_space(space.type, [&](auto tag) {
      using Exec = typename decltype(tag)::type;
      made       = with_type(p.value_type, [&](auto value) -> std::unique_ptr<Executable> {
        using T = decltype(value);
        if constexpr (Impl::is_host_space<Exec>()) {
          return std::make_unique<HostExecutable<Exec, T>>(p, space);
        } else {
          return std::make_unique<DeviceExecutable<Exec, T>>(p, space, launch);
        }
      });
    });
    return made;
  }
};

/// For every space that there are kernels for.
class GenericServices : public Impl::DeviceServices {
 public:
  std::unique_ptr<Impl::StateOps> state_ops(Problem const& p, SpaceInfo const& space) const override {
    std::unique_ptr<Impl::StateOps> made;
    with_space(space.type,
               [&](auto tag) { made = std::make_unique<GenericStateOps<typename decltype(tag)::type>>(p); });
    return made;
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<GenericBackend const>(); }

std::unique_ptr<Impl::DeviceServices const> make_device_services() { return std::make_unique<GenericServices const>(); }

}  // namespace Generic
}  // namespace KokkosStencil
