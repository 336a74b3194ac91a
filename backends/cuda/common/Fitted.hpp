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

/// Pipelines of several sweeps: strips of `width` columns, one for each of eight warps a multiprocessor; of a shape the
/// deepest first, depth 0 where there is none. Points and sweeps a second with strips of any length, and the shared
/// memory of a block: half, float, double.
struct Pipeline {
  bool star;
  int radius;
  int width[3], depth[3];
  double rate[3];
  int shared[3];
};
constexpr Pipeline pipelines[] = {
    {true, 1, {256, 256, 128}, {8, 12, 12}, {4400e9, 3980e9, 1780e9}, {90112, 155648, 192512}},
    {true, 1, {0, 0, 128}, {0, 0, 8}, {0, 0, 1400e9}, {0, 0, 151552}},
    {false, 1, {256, 256, 128}, {8, 12, 8}, {2770e9, 2620e9, 1310e9}, {90112, 155648, 151552}},
    {true, 2, {256, 256, 128}, {4, 6, 6}, {2330e9, 2090e9, 885e9}, {90112, 155648, 184320}},
    {true, 2, {0, 0, 128}, {0, 0, 4}, {0, 0, 650e9}, {0, 0, 151552}},
    {false, 2, {256, 256, 128}, {4, 4, 4}, {1046e9, 1020e9, 509e9}, {90112, 155648, 151552}},
    {false, 3, {256, 256, 128}, {3, 3, 2}, {520e9, 545e9, 258e9}, {90112, 155648, 151552}},
    {false, 4, {256, 256, 128}, {2, 2, 2}, {327e9, 325e9, 162e9}, {90112, 155648, 167936}},
    {true, 3, {256, 256, 128}, {4, 4, 4}, {1600e9, 1365e9, 620e9}, {122880, 155648, 200704}},
    {true, 4, {256, 256, 128}, {3, 3, 3}, {1200e9, 1015e9, 480e9}, {122880, 155648, 159744}},
};
constexpr int pipeline_warps = 8;
/// To fill and empty the multiprocessors, strips or lines.
constexpr double pipeline_pass = 2e-6;
/// A pass over fewer sweeps than the pipeline is deep takes the general path: its time over that of a full pass is
/// this, times 0.6 and 0.4 of the share of the sweeps. Half, float, double.
constexpr double shallow_pass[] = {2.05, 2.4, 1.95};
/// Time where points near faces that are not periodic take another path, beside the others.
constexpr double framed = 1.06;

/// Pipelines for lines, radius 1 to 4: a warp holds a segment and takes as many sweeps as pay. Points and sweeps a
/// second without overlap: half, float, double.
constexpr double line_rate[4][3] = {
    {9600e9, 9500e9, 4700e9}, {5800e9, 5700e9, 2650e9}, {4200e9, 4100e9, 1880e9}, {3200e9, 3150e9, 1600e9}};
constexpr int line_width[3] = {1024, 1024, 512};

/// The same in 3-D: a block for each multiprocessor owns a tile of `row` bytes by `rows`, and a chunk of planes with
/// `warm` more. Seconds a plane where all points change and where some do not: float, double; half in its own line.
/// Shared memory of a block.
struct SpacePipeline {
  std::size_t terms;
  int radius, depth, rows, warm;
  double plane[2], masked[2];
  int shared;
  int row = 512;
};
constexpr SpacePipeline space_pipelines[] = {
    {7, 1, 4, 40, 8, {1.19e-6, 1.18e-6}, {1.47e-6, 1.44e-6}, 134240},
    {13, 2, 2, 40, 8, {1.16e-6, 1.25e-6}, {1.42e-6, 1.8e-6}, 138240},
    {17, 1, 2, 64, 5, {2.1e-6, 2.25e-6}, {2.7e-6, 2.65e-6}, 166160},
    {27, 1, 2, 64, 5, {2.71e-6, 2.79e-6}, {3.2e-6, 3.12e-6}, 166160},
};
constexpr SpacePipeline half_star{7, 1, 2, 64, 4, {1.14e-6, 0.0}, {1.6e-6, 0.0}, 85280, 256};

/// Tiles in shared memory: a multiprocessor's seconds for four rows of 32 pieces, a level in a plane (half, float,
/// double), while it has sixteen warps; by 1026 passes of all shapes, of which they explain 97 % within 25 %.
struct TileStep {
  bool star;
  int rank, radius;
  double seconds[3];
};
constexpr TileStep tile_steps[] = {
    {true, 2, 1, {0.0986e-6, 0.0672e-6, 0.0658e-6}}, {true, 2, 2, {0.136e-6, 0.0849e-6, 0.0868e-6}},
    {true, 2, 3, {0.177e-6, 0.101e-6, 0.101e-6}},    {true, 2, 4, {0.203e-6, 0.121e-6, 0.118e-6}},
    {true, 3, 1, {0.221e-6, 0.146e-6, 0.136e-6}},    {true, 3, 2, {0.332e-6, 0.224e-6, 0.212e-6}},
    {true, 3, 3, {0.381e-6, 0.239e-6, 0.224e-6}},    {true, 3, 4, {0.438e-6, 0.257e-6, 0.249e-6}},
    {false, 2, 1, {0.127e-6, 0.0814e-6, 0.0814e-6}}, {false, 2, 2, {0.244e-6, 0.143e-6, 0.14e-6}},
    {false, 2, 3, {0.419e-6, 0.239e-6, 0.233e-6}},   {false, 2, 4, {0.684e-6, 0.354e-6, 0.346e-6}},
    {false, 3, 1, {0.389e-6, 0.244e-6, 0.239e-6}},   {false, 3, 2, {1.23e-6, 0.699e-6, 0.699e-6}},
    {false, 3, 3, {2.73e-6, 1.49e-6, 1.55e-6}},      {false, 3, 4, {5.94e-6, 2.62e-6, 2.85e-6}},
};
/// A warp alone takes that many times as long, rows of eight pieces take so much more; of a block, seconds that it
/// waits in a level of a plane, for a plane before the first result, and to begin; of a pass, to begin. Of a copy's
/// bandwidth.
constexpr double tile_alone = 6.5, tile_narrow = 1.08, tile_wait = 0.62e-6, tile_fetch = 1.33e-6, tile_load = 2.9e-6,
                 tile_start = 1.7e-6, tile_bandwidth = 0.64;

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
