// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/CudaModel.hpp"
#include "common/Fitted.hpp"

#include <model/Estimate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

// What the estimates of backends are made of.

namespace KokkosStencil {
namespace CudaModel {

using Model::Kernel;

/// The one for a value type; half stands for bhalf, too.
template <class T>
T const& by_type(ValueType type, T const& half, T const& single, T const& full) {
  return type == ValueType::float64 ? full : type == ValueType::float32 ? single : half;
}

/// The GPU whose runs the constants of Fitted.hpp come from.
DeviceModel const& fitted_on();

/// Whether each term reaches along one axis.
bool on_axes(Problem const& p);

/// What the stencil is; rank 0: neither star nor box.
Shape shape_of(Problem const& p);

double look_up(Fraction const* from, Fraction const* to, Shape const& s, ValueType type);

/// Values a thread loads for a point if it computes `rows` adjacent rows: each value counts once for all of them.
double loads_a_point(Problem const& p, int rows);

int used_rank(Problem const& p);

/// Whether the grid is a single row.
bool is_line(Problem const& p);

double points_of(Problem const& p);

/// Points with a face within the stencil's reach, and the ends of rows among them: each is a box as wide as the reach.
struct NearFaces {
  double points = 0.0, row_ends = 0.0;
};
NearFaces near_faces(Problem const& p, std::array<int, 3> const& lower, std::array<int, 3> const& upper);

/// Rows of the stencil.
int rows_of(Problem const& p);

/// Points near faces, nearer than a kernel reaches: the plain formula, four loads in flight at a time, in a launch of
/// its own.
double strip_seconds(Problem const& p, DeviceModel const& device, std::array<int, 3> const& lower,
                     std::array<int, 3> const& upper);
double strip_seconds(Problem const& p, DeviceModel const& device);
/// A kernel that reads across periodic faces along x leaves the others.
double strip_seconds(Problem const& p, DeviceModel const& device, Shape const& kernel, bool across);

/// Adds the points that a kernel of so many rows and planes cannot do, and the launch that does them: tensor kernels
/// may read more rows than the stencil does. Lines always leave some.
void add_strips(Kernel& k, Problem const& p, DeviceModel const& device, int rows, int planes);

Kernel one_sweep(Problem const& p);

/// As `finish` takes it.
Model::Roofline roofline_of(Kernel const& k, Problem const& p, DeviceModel const& device);

/// Seconds of a point by it.
double roofline(Kernel const& k, Problem const& p, DeviceModel const& device);

Estimate finish(Kernel const& k, Problem const& p, DeviceModel const& device, std::int64_t steps);
inline Estimate finish(Kernel const& k, Problem const& p, DeviceModel const& device) {
  return finish(k, p, device, p.steps);
}

/// For a kernel that goes through a list of terms, `rows` rows a thread: the fraction of its roofline, and the latency
/// of one thread's loads, of which small grids have too few to hide it.
void use_term_list(Kernel& k, Problem const& p, DeviceModel const& device, TermList const& list, int rows);

/// The same for one point a thread; returns the seconds of a point.
double use_points(Kernel& k, Problem const& p, DeviceModel const& device, PointList const& list, double slower = 1.0);

std::size_t type_index(ValueType type);

/// What marching adds to a kernel for a shape: steps before a block's first output, multiprocessors that wait for
/// those with a block more, tiles that reach past the ends of short rows; and how long a block takes at least.
void use_march(Kernel& k, Shape const& s, bool part, Problem const& p, DeviceModel const& device);

/// Single sweeps by cuda_direct.
Estimate direct_sweeps(Problem const& p, DeviceModel const& device, std::int64_t steps);

std::string no_cuda(Problem const&, DeviceModel const& device);

// Why a backend cannot run a problem; empty if it can.
std::string sparse_refusal(Problem const& p, DeviceModel const& device);
std::string dense_refusal(Problem const& p, DeviceModel const& device);

}  // namespace CudaModel
}  // namespace KokkosStencil
