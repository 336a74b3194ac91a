// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/CudaModel.hpp"
#include "common/Tuning.hpp"

#include <model/SweepCost.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

// What the estimates of backends are made of.

namespace KokkosStencil {
namespace Cuda {

using Model::by_type;
using Model::Kernel;
using Model::loads_a_point;
using Model::near_faces;
using Model::NearFaces;
using Model::points_of;
using Model::rows_of;
using Model::type_index;
using Model::use_term_list;
using Model::used_rank;

/// Of these tunings what a device brings of its own.
using Model::tuned;

/// "star-2d1r": a shape as the benchmarks call it.
std::string shape_name(Shape const& shape);

/// What the host takes for a launch, and what a second one behind the first takes.
inline double host_launch_seconds(DeviceModel const& device) { return tuned(device, host_launch, "cuda/host_launch"); }
inline double next_launch_seconds(DeviceModel const& device) { return tuned(device, next_launch, "cuda/next_launch"); }

/// Whether each term reaches along one axis.
bool on_axes(Problem const& p);

/// What the stencil is; rank 0: neither star nor box.
Shape shape_of(Problem const& p);

/// Whether the grid is a single row.
bool is_line(Problem const& p);

/// Points near faces, nearer than a kernel reaches: the plain formula, four loads in flight at a time, in a launch of
/// its own.
double boundary_seconds(Problem const& p, DeviceModel const& device, std::array<int, 3> const& lower,
                        std::array<int, 3> const& upper);
double boundary_seconds(Problem const& p, DeviceModel const& device);
/// A kernel that reads across periodic faces along x leaves the others.
double boundary_seconds(Problem const& p, DeviceModel const& device, Shape const& kernel, bool across);

/// Adds the points that a kernel of so many rows and planes cannot do, and the launch that does them: tensor kernels
/// may read more rows than the stencil does. Lines always leave some.
void add_boundary(Kernel& k, Problem const& p, DeviceModel const& device, int rows, int planes);

inline Kernel one_sweep(Problem const& p) { return Model::sweep_kernel(p); }

/// Seconds of a point by the kernel's roofline.
inline double roofline(Kernel const& k, Problem const& p, DeviceModel const& device) {
  return Model::roofline_seconds(k, p, device);
}

inline Estimate finish(Kernel const& k, Problem const& p, DeviceModel const& device, std::int64_t steps) {
  return Model::estimate(k, p, device, steps);
}
inline Estimate finish(Kernel const& k, Problem const& p, DeviceModel const& device) {
  return finish(k, p, device, p.steps);
}

std::string no_cuda(Problem const&, DeviceModel const& device);

}  // namespace Cuda
}  // namespace KokkosStencil
