// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <model/Estimate.hpp>
#include <model/Tuned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

// What a sweep costs whose kernel goes through the terms of a problem, for kernels of any backend on a GPU.

namespace KokkosStencil {
namespace Model {

/// The GPU on which the constants of all tunings were measured; other GPUs are told by their ratio to it.
DeviceModel const& reference_device();

/// 0 for half and bhalf, 1 for float, 2 for double: the order of tables by type.
std::size_t type_index(ValueType type);
/// "half" (for bhalf, too), "float" or "double": what the efficiencies of kernels by type are called.
char const* type_name(ValueType type);

/// The one for a value type; half stands for bhalf, too.
template <class T>
T const& by_type(ValueType type, T const& half, T const& single, T const& full) {
  return type == ValueType::float64 ? full : type == ValueType::float32 ? single : half;
}

double points_of(Problem const& p);

/// Number of axes that have more than one point.
int used_rank(Problem const& p);

/// Rows of the stencil.
int rows_of(Problem const& p);

/// Values a thread loads for a point if it computes `rows` adjacent rows: each value counts once for all of them.
double loads_a_point(Problem const& p, int rows);

/// Points with a face within the stencil's reach.
struct NearFaces {
  double points   = 0.0;
  double row_ends = 0.0;              ///< ends of rows among them: each is a box as wide as the reach
  double at_ends = 0.0, edges = 0.0;  ///< points of these ends, in rows far from the slow faces and near to them
};
NearFaces near_faces(Problem const& p, std::array<int, 3> const& lower, std::array<int, 3> const& upper);

/// A kernel on cores that does one sweep.
Kernel sweep_kernel(Problem const& p);

/// The roofline of a kernel for the fields of a problem.
Roofline roofline_of(Kernel const& k, Problem const& p, DeviceModel const& device);
/// Seconds of a point by it.
double roofline_seconds(Kernel const& k, Problem const& p, DeviceModel const& device);

Estimate estimate(Kernel const& k, Problem const& p, DeviceModel const& device, std::int64_t steps);

/// Instructions of a warp's lanes that a device starts in a second, up to a factor: multiprocessors times clock.
double issue_rate(DeviceModel const& device);

/// Seconds of work that takes `reference` seconds on the reference device, `reference_memory` of which memory takes at
/// least, on a device where memory takes `memory` seconds and multiprocessors `slower` times as long as there. The two
/// overlap, but where they take alike each waits for the other now and then: their fourth powers add up.
double seconds_elsewhere(double reference, double reference_memory, double memory, double slower);

/// Sets the fraction of its roofline that a kernel reaches on the device, from the one that it reaches on the reference
/// device: a kernel that its instructions keep from the bandwidth of one GPU may reach that of another, which has less.
/// What the kernel does at a point has to be known.
void use_efficiency(Kernel& k, DeviceModel const& device, double on_reference);

/// Kernels that go through a list of terms are limited by issuing loads, a point takes base + load * (values that a
/// thread loads for it), and by memory. The numbers by axes that a grid has, where threads do several rows; the first
/// ones where they do one.
struct TermList {
  std::array<double, 3> base_picoseconds{{0.0, 0.0, 0.0}}, load_picoseconds{{0.0, 0.0, 0.0}};
  double bandwidth    = 1.0;  ///< of a copy's, at most
  double block_points = 0.0;  ///< of a block whose threads do several rows
  int blocks          = 1;    ///< that a multiprocessor holds, by their registers
  double hidden       = 0.0;  ///< part of the work during which latency does not count
  /// Lists in space with more terms take this factor: terms and the values around a block leave the first cache.
  std::size_t long_list = 0;
  double of_long_list   = 1.0;

  constexpr TermList base(double line, double plane, double space) {
    base_picoseconds = {{line, plane, space}};
    return *this;
  }
  constexpr TermList load(double line, double plane, double space) {
    load_picoseconds = {{line, plane, space}};
    return *this;
  }
  constexpr TermList of_copy(double fraction) {
    bandwidth = fraction;
    return *this;
  }
  constexpr TermList resident(int count, double points_each) {
    blocks       = count;
    block_points = points_each;
    return *this;
  }
  constexpr TermList hides(double part) {
    hidden = part;
    return *this;
  }
  constexpr TermList long_in_space(std::size_t more_than, double factor) {
    long_list    = more_than;
    of_long_list = factor;
    return *this;
  }
};

/// The list with what the device brings, whose names begin with that of the list.
TermList tuned(DeviceModel const& device, TermList const& list, std::string const& name);

/// For such a kernel with `rows` rows a thread: the fraction of its roofline, what waves of `blocks` blocks add where
/// threads do several rows, and the latency of one thread's loads, of which small grids have too few to hide it.
void use_term_list(Kernel& k, Problem const& p, DeviceModel const& device, TermList const& list, int rows,
                   double blocks);

}  // namespace Model
}  // namespace KokkosStencil
