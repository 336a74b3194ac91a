// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>

// What the model is fitted to, measured on an NVIDIA H200.
// By the benchmarks (suites targets, trend, catalogue; results in perf_tests/results/nvidia-h200), grids of 2^26 points
// and more. scripts/compare_model.py prints what each should be after a new run.

namespace KokkosStencil {
namespace CudaModel {

/// Fraction of the roofline that a kernel made for a shape reached: half and bhalf, float, double.
struct Fraction {
  bool star;
  int rank, radius;
  double half, single, full;
};

constexpr Fraction sparse_fractions[] = {
    {true, 1, 1, 0.84, 0, 0},  {true, 1, 2, 0.84, 0, 0},  {true, 2, 1, 0.94, 0, 0},  {true, 2, 2, 0.90, 0, 0},
    {true, 2, 3, 0.79, 0, 0},  {true, 2, 4, 0.73, 0, 0},  {false, 2, 1, 0.94, 0, 0}, {false, 2, 2, 0.90, 0, 0},
    {false, 2, 3, 0.79, 0, 0}, {false, 2, 7, 0.74, 0, 0}, {true, 3, 1, 0.75, 0, 0},  {false, 3, 1, 0.71, 0, 0},
};

/// Slabs of planes: on large grids, and to fill and empty them.
constexpr double slab_fraction = 0.83, slab_fill = 5e-6;

/// Several sweeps as one: planes, by the rows of the composed stencil (9 to 15), and lines, by its windows (1 to 5).
/// Points near faces are done beside the rest and take so long at least; on lines a last wave of tiles adds to it.
constexpr double fused_planes = 0.72, fused_lines[] = {0.73, 0.58, 0.45, 0.35, 0.28}, step_strips_seconds = 9e-6,
                 line_wave_seconds = 12e-6;

/// Planes of 9 to 15 rows by wgmma, single sweeps and composed ones, and the grids it is there for.
constexpr double wide_fraction = 0.845, fused_wide = 0.76, wide_least_points = 1.2e7;

/// The dense twin of the kernels of 3, 5, 7 and up to 15 rows.
constexpr double dense_fractions[] = {0.87, 0.75, 0.61, 0.83};

/// What a host takes for a launch: a virtual machine beside an H200.
constexpr double host_launch = 4.3e-6;
/// A second launch behind the first one, from its end to the own end but for the work.
constexpr double next_launch = 1.5e-6;
/// Of a thread near a face, for four terms: expected, from 0.3 us for each when they came one at a time.
constexpr double strip_latency = 0.35e-6;
/// Many points near faces: of one and a term, and of a row's end, where a warp touches as many sectors as it has
/// threads.
constexpr double strip_term = 3.15e-12, strip_row_end = 100e-12;

}  // namespace CudaModel
}  // namespace KokkosStencil
