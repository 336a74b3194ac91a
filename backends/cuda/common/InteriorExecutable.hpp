// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/BoundaryKernel.hpp"
#include "common/Check.hpp"
#include "common/Device.hpp"

#include <KokkosStencil_Backend.hpp>

#include <cuda_runtime.h>

#include <vector>

namespace KokkosStencil {
namespace Cuda {

/// An executable whose sweeps have two parts: a family's kernel computes the points whose whole window lies inside the
/// View, and BoundaryKernel the others.
class InteriorExecutable : public Executable {
 public:
  InteriorExecutable(Problem const& problem, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_boundary(problem, space, launch) {}

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    CurrentDevice const current(m_device);
    PointBox const done = launch_interior(in, out, static_cast<cudaStream_t>(launch.stream));
    if (!done.empty()) check_launch(launch.label);
    m_boundary.run(launch, in, out, done);
  }

 protected:
  /// Copies operands to the device, when the executable is made.
  template <class T>
  void upload(DeviceBuffer& to, std::vector<T> const& from, Launch const& launch) const {
    to.fill(m_device, from.data(), from.size() * sizeof(T), launch.stream);
  }

 private:
  /// Launches the kernel. Returns the points that it computes, none if it cannot run with these pointers.
  virtual PointBox launch_interior(void const* in, void* out, cudaStream_t stream) const = 0;

  int m_device;
  BoundaryKernel m_boundary;
};

}  // namespace Cuda
}  // namespace KokkosStencil
