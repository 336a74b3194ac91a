// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <model/SweepCost.hpp>

#include <cstdint>

// The numbers of the device kernels. Times were measured on an NVIDIA H200, by the suites catalogue, medium and small
// at commit 1065052, and fitted again to 1000 random problems (scripts/calibrate.py); tables by type hold half (and
// bhalf), float, double.

namespace KokkosStencil {
namespace Generic {
namespace DeviceTuning {

constexpr int team    = 256;  ///< threads
constexpr int columns = 4;    ///< of a thread that does several

/// From so many points for each thread of a GPU on, threads do several: small grids need their threads more than their
/// reuse.
constexpr int points_a_thread = 8;
/// Threads of a multiprocessor that predictions assume.
constexpr int threads_a_multiprocessor = 2048;

/// Fewer rows are given to teams of one row of threads; else such a row is two warps wide, on narrow grids one.
constexpr int least_rows = 4, narrow = 32;

/// Several points a thread: limited by issuing loads.
constexpr double block_points    = team * columns * 4;
constexpr Model::TermList list[] = {
    Model::TermList().base(2.64, 1.44, 1.34).load(0.295, 0.413, 0.433).of_copy(0.90).resident(5, block_points),
    Model::TermList()
        .base(2.56, 1.28, 1.37)
        .load(0.289, 0.424, 0.401)
        .of_copy(0.90)
        .resident(5, block_points)
        .long_in_space(500, 1.3),
    Model::TermList()
        .base(3.12, 2.50, 1.87)
        .load(0.378, 0.514, 0.681)
        .of_copy(0.90)
        .resident(3, block_points)
        .long_in_space(200, 1.4)};
/// A thread does its columns one after another where the last one is past the end of a row: each takes this part of
/// what all four do.
constexpr double lone_column = 0.55;

/// Points near faces of large grids are computed apart unless they need more threads than this.
constexpr std::int64_t most_face_threads = std::int64_t(1) << 30;

/// A point a thread: teams that a multiprocessor holds, seconds of one while others are there, and for each term.
constexpr int few_teams   = 5;
constexpr double few_team = 0.206e-6, few_term[] = {0.0268e-6, 0.0232e-6, 0.0285e-6};
/// Seconds that a team alone waits for a term in a new row and in the same one; a launch.
constexpr double few_row_latency = 0.196e-6, few_term_latency = 0.06e-6, few_launch = 3.3e-6;

/// Near faces: picoseconds a term for the end of a row, for which its warp waits, and for the other points.
constexpr double row_end = 158.0, face_point = 6.2;
/// Seconds that a thread near a face waits for a term, and where faces are periodic.
constexpr double face_latency = 0.299e-6, periodic_latency = 0.393e-6;
/// Where they are computed apart: picoseconds a term for a point in a row near a face and for one at a row's end;
/// seconds of a launch, and that threads wait for a term.
constexpr double apart_row_point = 2.0, apart_end_point = 8.0, apart_launch = 1.5e-6, apart_latency = 0.1e-6;

/// What a host takes for a launch through Kokkos: a virtual machine beside an H200.
constexpr double host_launch = 5.3e-6;

}  // namespace DeviceTuning
}  // namespace Generic
}  // namespace KokkosStencil
