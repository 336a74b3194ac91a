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

// What the cost functions of the families have in common.

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
using Model::use_efficiency;
using Model::used_rank;

/// A number of a Tuning.hpp, or the device's own where it was calibrated.
using Model::tuned;

/// "star-2d1r": a shape as the benchmarks call it.
std::string shape_name(Shape const& shape);

/// What the host takes for a launch, and what a second one behind the first takes.
inline double host_launch_seconds(DeviceModel const& device) { return tuned(device, host_launch, "cuda/host_launch"); }
inline double next_launch_seconds(DeviceModel const& device) { return tuned(device, next_launch, "cuda/next_launch"); }

/// How fast the cores of a multiprocessor are for a type, over those of the GPU on which tunings were measured.
double multiprocessor_speed(DeviceModel const& device, ValueType type);

/// What a pass that reads and writes every point once takes longer than on the GPU on which tunings were measured
/// because memory is slower. It waits for memory `waits` times as long as a copy takes.
double slower_memory_seconds(Problem const& p, DeviceModel const& device, double waits);

/// Whether each term reaches along one axis.
bool on_axes(Problem const& p);

/// The star or box that the stencil is; rank 0 if it is neither.
Shape shape_of(Problem const& p);
/// Kernels for stencils that have only some terms of a shape reach no farther.
constexpr int farthest_enclosed = 4;
/// The same for stencils that have only some of its terms: the smallest star along all axes of the View, else box, that
/// has all of the stencil's; rank 0 for a stencil that reaches nowhere, or farther than farthest_enclosed.
Shape enclosing_shape(Problem const& p);
/// The coefficients of all terms of a shape that encloses the stencil, in canonical order; 0 where the stencil has
/// none.
std::vector<double> coefficients_of(Problem const& p, Shape const& shape);

/// Whether the grid is a single row.
bool is_line(Problem const& p);

/// The part of a sweep's inputs and outputs for which the second cache has no room.
double beyond_cache(Problem const& p, DeviceModel const& device);

/// Columns at the ends of a row that are no whole vector. Kernels that read vectors leave out the points that depend on
/// these.
int columns_left(Problem const& p);

/// Seconds of BoundaryKernel for the points nearer to a face than a kernel reaches (`lower`, `upper`): the plain
/// formula, in a launch of its own; a thread waits for each of its terms. By default the stencil's own reach.
double boundary_seconds(Problem const& p, DeviceModel const& device, std::array<int, 3> const& lower,
                        std::array<int, 3> const& upper);
double boundary_seconds(Problem const& p, DeviceModel const& device);
/// The same for a kernel that computes these points itself, a point a thread.
double boundary_points_seconds(Problem const& p, DeviceModel const& device);
/// As boundary_seconds for a kernel made for a shape. `passed`: the faces past which it finds or makes what it needs,
/// so that no points are left there. `by_vectors`: it reads none but whole vectors of a row.
double boundary_seconds(Problem const& p, DeviceModel const& device, Shape const& kernel,
                        std::array<std::array<bool, 2>, 3> const& passed, bool by_vectors);

/// Adds the time of the points that BoundaryKernel computes after a kernel of so many rows and planes: kernels for
/// tensor cores may read more rows than the stencil has, and leave out so many more at either end. A line always has
/// such points.
void add_boundary(Kernel& k, Problem const& p, DeviceModel const& device, int rows, int planes, int end_rows = 0);

/// A kernel that does one sweep, with what the paper's model needs; families fill in the rest.
inline Kernel one_sweep(Problem const& p) { return Model::sweep_kernel(p); }

/// Seconds of a point by the kernel's roofline.
inline double roofline(Kernel const& k, Problem const& p, DeviceModel const& device) {
  return Model::roofline_seconds(k, p, device);
}

/// The estimate for `steps` sweeps by a kernel.
inline Estimate finish(Kernel const& k, Problem const& p, DeviceModel const& device, std::int64_t steps) {
  return Model::estimate(k, p, device, steps);
}
inline Estimate finish(Kernel const& k, Problem const& p, DeviceModel const& device) {
  return finish(k, p, device, p.steps);
}

/// Why a device cannot run any of the kernels; empty if it can.
std::string no_cuda(Problem const&, DeviceModel const& device);

}  // namespace Cuda
}  // namespace KokkosStencil
