// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DevicePlan.hpp"
#include "DeviceSweep.hpp"
#include "GenericStateOps.hpp"
#include "HostSweep.hpp"

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

/// Tags an execution space, so that no instance has to be made.
template <class Exec>
struct Space {
  using type = Exec;
};

/// Calls f(Space<Exec>) for the execution space of that type; returns false if there is none.
template <class F>
bool with_space(std::type_index type, F const& f) {
  auto const attempt = [&](auto tag) {
    if (type != std::type_index(typeid(typename decltype(tag)::type))) return false;
    f(tag);
    return true;
  };
  bool found = false;
#ifdef KOKKOS_ENABLE_SERIAL
  found = found || attempt(Space<Kokkos::Serial>());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  found = found || attempt(Space<Kokkos::OpenMP>());
#endif
#ifdef KOKKOS_ENABLE_THREADS
  found = found || attempt(Space<Kokkos::Threads>());
#endif
#ifdef KOKKOS_ENABLE_HPX
  found = found || attempt(Space<Kokkos::Experimental::HPX>());
#endif
#ifdef KOKKOS_ENABLE_CUDA
  found = found || attempt(Space<Kokkos::Cuda>());
#endif
#if defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
  found = found || attempt(Space<Kokkos::HIP>());
#endif
#if defined(KOKKOS_ENABLE_SYCL) && KOKKOS_VERSION >= 40500
  found = found || attempt(Space<Kokkos::SYCL>());
#endif
  return found;
}

class GenericBackend : public Backend {
 public:
  std::string name() const override { return "generic"; }

  Status can_run(Problem const&, SpaceInfo const& space) const override {
    if (with_space(space.type, [](auto) {})) return Status::can();
    return Status::cannot("the library was built without kernels for the execution space " + space.name);
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    if (DeviceModel const* const device = Impl::device_model(space)) return device_cost(p, *device);
    // Cautious rates: 10 GB/s and 4 GFMA/s a host thread up to a socket's bandwidth; on other devices what
    // A100-class GPUs reach with kernels that are not tuned for the stencil.
    double const threads = space.concurrency;
    DeviceModel rates;
    rates.bandwidth      = space.host ? 10e9 * std::min(threads, 16.0) : 1.0e12;
    rates.float_rate     = space.host ? 8e9 * threads : 6.0e12;
    rates.double_rate    = rates.float_rate;
    rates.launch_seconds = space.host ? 1e-6 : 5e-6;
    Model::Kernel kernel;
    kernel.work = Model::one_sweep(static_cast<double>(p.terms.size()), size_of(p.value_type));
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
