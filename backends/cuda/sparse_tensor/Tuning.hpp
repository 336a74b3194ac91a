// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Tuning.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

// The numbers of cuda_sparse_tensor. Each stands here only: Instances_*.cu compile the kernels of the table, Plan.cpp
// chooses among them and cuts grids into their tiles, Cost.cpp predicts their time. Efficiencies and times were
// measured on an NVIDIA H200 (perf_tests/results/nvidia-h200), the last of them at commit 1065052.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Outputs of a row that a warp computes at once.
constexpr int warp_outputs = 128;

/// How a kernel goes through the rows of its tiles.
enum class Algorithm {
  tiles,   ///< short tiles: a warp loads all rows of a tile, then multiplies them
  stream,  ///< tall tiles: rows stream through registers; the grid is persistent, so a warp loads its matrices once
  ring,    ///< tall tiles: rows stream through a ring in shared memory; a block is one warp with one tile
  slab,    ///< 3-D: a block streams plane by plane through a ring in shared memory
  wgmma,   ///< planes: dense products of a warpgroup; its numbers are the wgmma_* below
  sheared  ///< as slab, where rows begin anywhere: its rows are cut from the same memory so that they begin with
           ///< vectors
};

/// Threads of a block, the same for all kernels with Algorithm::tiles.
constexpr int tiles_threads = 128;

/// The index of the matrix for a row of a load. The matrices of a kernel are stored one after the other; a cross has
/// none for the rows that it does not reach.
constexpr int matrix_index(int loads, int rows, bool cross, int load, int row) {
  if (!cross) return load * rows + row;
  return load == loads / 2 ? row : rows + load - (load > loads / 2 ? 1 : 0);
}

/// A kernel. It computes stencils of at most as many rows and loads as it has.
struct KernelTuning {
  Algorithm algorithm = Algorithm::tiles;
  int loads           = 1;      ///< input rows that a step loads: planes of a 3-D stencil, windows of a line
  int rows            = 1;      ///< rows of the stencil along y
  bool cross          = false;  ///< 3-D stencils with all rows in the middle plane only, and one row in the others
  int splits          = 1;      ///< matrices of a row: 2 (high and low) where elements cannot hold a coefficient
  bool single         = true;   ///< for single sweeps
  bool several        = false;  ///< for several sweeps as one composed stencil
  bool anywhere       = false;  ///< rows may begin at any element
  int height          = 1;      ///< output rows of a tile; the height of tall tiles is a multiple of them
  int ahead         = 0;  ///< stream: rows loaded ahead; ring: rows copied together; slab, sheared: planes of the ring
  int warps[3]      = {1, 1, 1};  ///< of a block along x, y and z
  int rows_per_warp = 1;          ///< slab, sheared: rows that a warp takes at once
  int reach         = 0;          ///< wgmma where rows begin anywhere: along x; more than 4 takes shifts
  int blocks_per_sm = 1;          ///< blocks for which a multiprocessor has registers and shared memory
  int compute_capability = least_compute_capability;  ///< the least one; of wgmma the only one
  double efficiency      = 0.0;                       ///< part of the roofline that large grids reach
  double split_speed     = 1.0;  ///< with two splits: factor on the speed, besides that of twice the products
  double start_seconds   = 0.0;  ///< in addition to the roofline: to fill and empty the pipelines

  constexpr KernelTuning& with_splits(int n) { return splits = n, *this; }
  constexpr KernelTuning& with_height(int output_rows) { return height = output_rows, *this; }
  constexpr KernelTuning& with_ahead(int n) { return ahead = n, *this; }
  constexpr KernelTuning& with_warps(int x, int y, int z) { return warps[0] = x, warps[1] = y, warps[2] = z, *this; }
  constexpr KernelTuning& with_blocks_per_sm(int n) { return blocks_per_sm = n, *this; }
  constexpr KernelTuning& with_efficiency(double part) { return efficiency = part, *this; }
  constexpr KernelTuning& with_split_speed(double factor) { return split_speed = factor, *this; }
  constexpr KernelTuning& with_start_seconds(double s) { return start_seconds = s, *this; }
  constexpr KernelTuning& for_several() { return single = false, several = true, *this; }
  constexpr KernelTuning& for_anywhere() { return anywhere = true, *this; }

  constexpr bool tall() const { return algorithm != Algorithm::tiles; }
  constexpr int threads() const { return 32 * warps[0] * warps[1] * warps[2]; }
  /// The number of matrices of a stencil, one for each row of each load.
  constexpr int matrices() const { return cross ? rows + loads - 1 : rows * loads; }
  /// Input rows are taken in pairs, so many for a pair of output rows.
  constexpr int pairs() const { return (rows + 1) / 2; }
  constexpr bool shifts() const { return reach > 4; }
  /// Whether it leaves wgmma_beside_registers.
  constexpr bool leaves_registers() const { return algorithm == Algorithm::wgmma && !anywhere; }
  /// Whether blocks stream through planes.
  constexpr bool by_planes() const { return algorithm == Algorithm::slab || algorithm == Algorithm::sheared; }
  /// Rows along y of a block that does.
  constexpr int block_rows() const { return by_planes() ? rows_per_warp * warps[1] : 1; }
};

constexpr KernelTuning plane_tiles(int rows) {
  KernelTuning k;
  k.rows   = rows;
  k.height = 8;
  return k.with_warps(4, 1, 1).with_blocks_per_sm(4);
}
constexpr KernelTuning line_tiles(int windows) {
  KernelTuning k = plane_tiles(1);
  k.loads        = windows;
  return k;
}
constexpr KernelTuning space_tiles(bool cross) {
  KernelTuning k;
  k.loads = k.rows = 3;
  k.cross          = cross;
  return k;
}
constexpr KernelTuning plane_stream(int rows) {
  KernelTuning k;
  k.algorithm = Algorithm::stream;
  k.rows = k.height = rows;
  return k;
}
constexpr KernelTuning plane_ring(int rows) {
  KernelTuning k  = plane_stream(rows);
  k.algorithm     = Algorithm::ring;
  k.several       = true;
  k.start_seconds = 0.9e-6;
  return k;
}
constexpr KernelTuning space_slab() {
  KernelTuning k;
  k.algorithm = Algorithm::slab;
  k.loads = k.rows = 3;
  k.rows_per_warp  = 4;
  k.start_seconds  = 4.5e-6;
  return k.with_warps(1, 4, 1).with_ahead(5);
}
constexpr KernelTuning space_sheared() {
  KernelTuning k = space_slab();
  k.algorithm    = Algorithm::sheared;
  return k.with_warps(1, 2, 1).with_ahead(4).for_anywhere();
}
constexpr KernelTuning plane_wgmma() {
  KernelTuning k;
  k.algorithm          = Algorithm::wgmma;
  k.rows               = 15;
  k.height             = 20;
  k.compute_capability = 90;
  k.start_seconds      = 2.0e-6;
  return k;
}

/// Where rows begin anywhere. Of 15 rows, two warpgroups with 512 columns each; of 7 rows, one with 1024.
constexpr KernelTuning plane_wgmma_anywhere(int rows, int reach) {
  KernelTuning k  = plane_wgmma();
  k.start_seconds = 4.0e-6;
  k.rows          = rows;
  k.reach         = reach;
  k.height        = rows == 15 ? 18 : 10;
  k.blocks_per_sm = rows == 15 ? 1 : 2;
  return k.for_anywhere();
}

/// One array for all sources that include this, since plans point into it. Of several kernels for a stencil plans take
/// the best one for the size of the grid (choose_kernel).
inline constexpr KernelTuning kernels[] = {
    plane_tiles(1).with_efficiency(0.97),
    plane_tiles(3).with_efficiency(0.92),
    plane_tiles(5).with_efficiency(0.92),
    plane_tiles(5).with_efficiency(0.92).with_height(16),
    plane_tiles(7).with_efficiency(0.8),
    plane_tiles(1).with_efficiency(0.97).with_splits(2),
    plane_tiles(3).with_efficiency(0.92).with_splits(2).with_split_speed(0.87),
    plane_tiles(5).with_efficiency(0.92).with_splits(2).with_split_speed(0.75).with_blocks_per_sm(3),
    plane_tiles(7).with_efficiency(0.8).with_splits(2).with_split_speed(0.68).with_blocks_per_sm(3),

    plane_tiles(3).with_efficiency(0.38).for_anywhere(),
    plane_tiles(5).with_efficiency(0.30).for_anywhere(),
    plane_tiles(7).with_efficiency(0.28).for_anywhere().with_blocks_per_sm(3),
    plane_tiles(3).with_efficiency(0.38).with_splits(2).for_anywhere(),
    plane_tiles(5).with_efficiency(0.29).with_splits(2).for_anywhere().with_blocks_per_sm(3),
    plane_tiles(7).with_efficiency(0.27).with_splits(2).for_anywhere().with_blocks_per_sm(3),

    plane_stream(7).with_efficiency(0.8).with_ahead(3).with_blocks_per_sm(16),
    plane_ring(9).with_efficiency(0.74).with_ahead(3).with_blocks_per_sm(16),
    plane_ring(11).with_efficiency(0.72).with_ahead(1).with_blocks_per_sm(12),
    plane_ring(13).with_efficiency(0.72).with_ahead(1).with_blocks_per_sm(12),
    plane_ring(15).with_efficiency(0.72).with_ahead(5).with_blocks_per_sm(12),
    plane_ring(9).with_efficiency(0.74).with_ahead(3).with_splits(2).with_split_speed(0.93).with_blocks_per_sm(12),
    plane_ring(11).with_efficiency(0.72).with_ahead(1).with_splits(2).with_split_speed(0.88).with_blocks_per_sm(8),
    plane_ring(13).with_efficiency(0.72).with_ahead(1).with_splits(2).with_split_speed(0.88).with_blocks_per_sm(8),
    plane_ring(15).with_efficiency(0.72).with_ahead(5).with_splits(2).with_split_speed(1.27).with_blocks_per_sm(8),

    line_tiles(2),
    line_tiles(3),
    line_tiles(5).with_height(4),
    line_tiles(2).with_splits(2),
    line_tiles(3).with_splits(2),
    line_tiles(5).with_height(4).with_splits(2),
    line_tiles(1).with_blocks_per_sm(6).for_several(),
    line_tiles(2).with_blocks_per_sm(5).for_several(),
    line_tiles(3).for_several(),
    line_tiles(5).with_height(4).for_several(),

    space_tiles(true).with_efficiency(0.67).with_height(4).with_warps(1, 4, 1).with_blocks_per_sm(4),
    space_tiles(true)
        .with_efficiency(0.67)
        .with_splits(2)
        .with_split_speed(0.97)
        .with_height(4)
        .with_warps(1, 4, 1)
        .with_blocks_per_sm(3),
    space_tiles(false).with_efficiency(0.67).with_height(8).with_warps(1, 2, 2).with_blocks_per_sm(3),
    space_tiles(false)
        .with_efficiency(0.67)
        .with_splits(2)
        .with_split_speed(0.93)
        .with_height(4)
        .with_warps(1, 2, 2)
        .with_blocks_per_sm(3),

    space_slab().with_efficiency(0.78).with_blocks_per_sm(4),
    space_slab().with_efficiency(0.83).with_splits(2).with_split_speed(0.745).with_blocks_per_sm(3),

    space_sheared().with_efficiency(0.65).with_blocks_per_sm(8),

    plane_wgmma().with_efficiency(0.845),
    plane_wgmma().with_efficiency(0.88).with_start_seconds(9.5e-6).for_several(),

    plane_wgmma_anywhere(7, 4).with_efficiency(0.92).with_start_seconds(2.5e-6),
    plane_wgmma_anywhere(7, 4).with_efficiency(0.73).with_splits(2),
    plane_wgmma_anywhere(15, 4).with_efficiency(0.82),
    plane_wgmma_anywhere(15, 7).with_efficiency(0.78),
    plane_wgmma_anywhere(15, 4).with_efficiency(0.81).with_start_seconds(7e-6).for_several(),
    plane_wgmma_anywhere(15, 7).with_efficiency(0.81).with_start_seconds(7e-6).for_several(),
};

/// For these shapes the kernels with mma.sp, except slabs, reach another part of the roofline than their entry says.
struct ShapeEfficiency {
  bool star;
  int rank, radius;
  double efficiency;
};
constexpr ShapeEfficiency of_star(int rank, int radius, double efficiency) { return {true, rank, radius, efficiency}; }
constexpr ShapeEfficiency of_box(int rank, int radius, double efficiency) { return {false, rank, radius, efficiency}; }
constexpr ShapeEfficiency shape_efficiencies[] = {
    of_star(1, 1, 0.84), of_star(1, 2, 0.78), of_star(2, 1, 0.94), of_star(2, 2, 0.90),
    of_star(2, 3, 0.79), of_star(2, 4, 0.73), of_box(2, 1, 0.94),  of_box(2, 2, 0.90),
    of_box(2, 3, 0.79),  of_box(2, 7, 0.518), of_star(3, 1, 0.75), of_box(3, 1, 0.71),
};

/// Points near faces of a plane begin so much later beside these kernels than beside others, which have less to load
/// before their first results.
constexpr double boundary_late_seconds = 0.7e-6;

// --- Lines ------------------------------------------------------------------------------------------------

/// Lines are told apart by their number of windows, up to this one. The part of the roofline that each number reaches,
/// with single and with several sweeps; only single sweeps with one window reach another one. Factors on it with two
/// splits. Seconds in addition to the roofline.
constexpr int line_windows               = 5;
constexpr double line_efficiency[]       = {0.863, 0.58, 0.499, 0.253, 0.249};
constexpr double line_single_efficiency  = 0.84;
constexpr double line_split_speed        = 0.76;
constexpr double line_single_split_speed = 0.95;
constexpr double line_start_seconds      = 0.865e-6;
/// What lines take beside the roofline at least: the kernel for the points that are left of them takes so long.
constexpr double line_ends_least = 2.0e-6;
/// With several sweeps as one: seconds of the last wave of tiles; what the ends of the line take, and each sweep of
/// them; and the part of that, or of the tiles if these take less, that passes beside the other.
constexpr double line_wave_seconds = 1.4e-6, line_ends_seconds = 1.8e-6, line_ends_sweep_seconds = 0.8e-6;
constexpr double line_ends_beside = 0.5;

// --- Several sweeps as one --------------------------------------------------------------------------------

/// How far one sweep may reach, and how far all of a pass on a line.
constexpr int fused_reach = 3;
constexpr int line_reach  = 39;
/// The fewest rows with which a composed stencil in a plane pays. The part of the roofline that `ring` reaches with 15
/// rows, and by which power of their number it is more with fewer.
constexpr int fused_least_rows    = 9;
constexpr double fused_efficiency = 0.464, fused_rows_power = 0.78;
/// The fewest points away from faces with which a pass pays: along x in a plane, and on a line.
constexpr int fused_least_columns = 16, fused_least_line = 3 * 1024;
/// What the boundary kernel adds to a pass over a plane: to `ring`, and to `wgmma` where it does not run beside that.
constexpr double fused_boundary_seconds = 7.5e-6, fused_boundary_after_wgmma = 4.4e-6;
/// What each sweep of a pass adds beside faces that are neither halo nor periodic, and for each point along them.
constexpr double reflected_start_seconds = 0.86e-6, reflected_point_seconds = 0.143e-9;
/// Outputs of a patch that is recomputed sweep by sweep, along x and y.
constexpr int patch_side = 8;

/// The boundary kernel of fused sweeps: threads of a block, rows of a column that a thread takes at once, resident
/// blocks; the longest and the shortest tiles along a face, those across it, tiles of lines.
constexpr int fused_boundary_threads = 256, fused_boundary_thread_rows = 4, fused_boundary_blocks_per_sm = 4;
constexpr int fused_boundary_tile_along = 128, fused_boundary_tile_along_short = 32, fused_boundary_tile_across = 16,
              fused_boundary_tile_line = 1024;

/// The kernel for bands along faces beside `wgmma`, for stencils of reach one. Cells across a band, and along it, so
/// many columns a lane; how far all sweeps reach at most. Blocks of a multiprocessor, which limits their registers.
constexpr int fused_band_cells = 22, fused_band_columns = 2, fused_band_length = 32 * fused_band_columns,
              fused_band_halo = 7, fused_band_per_sm = 24;

// --- How grids are cut into tiles -------------------------------------------------------------------------

/// Of two kernels for a stencil the one with taller tiles is taken where each multiprocessor gets so many of these.
constexpr int tiles_that_fill = 32;

/// The start of a tall tile takes as long as so many of its rows; the start of a slab as so many of its planes.
constexpr int tall_start_rows = 16, slab_start_rows = 4;
/// The most planes of a slab, with one split and with two, and of a tile of `sheared`. With this many waves of slabs or
/// more, waves need not be whole.
constexpr int slab_planes[] = {10, 16}, sheared_planes = 12;
constexpr double slab_free_waves = 6.0;
/// What a launch of the slab kernel takes of the host more than others do, by its arguments: 0.3 to 0.4 us on volumes
/// of 32^3 and 64^3 points of half.
constexpr double slab_host_seconds = 0.3e-6;
/// Tiles of `sheared` begin with lines of memory, of so many elements. The least pitch, which a tile may begin before
/// its range by less than; the part of the memory's elements that are outputs at least.
constexpr int sheared_line = 64, sheared_least_pitch = 192;
constexpr double sheared_least_part = 0.5;
/// What an output that is computed in vain takes, of one that is stored.
constexpr double sheared_in_vain = 0.75;
/// Rings: one wave of tall tiles takes so many fifths of the rows. The other rows are cut into low tiles of so many
/// units, which even out the ends of the tall ones. Only if tall tiles are at least so many times as high as low ones.
constexpr int ring_tall_fifths = 4, ring_low_units = 6, ring_tall_over_low = 3;

// --- wgmma ------------------------------------------------------------------------------------------------

/// The matrices of Transform::RowPairPack: pairs of input rows, and products of a pair.
constexpr int wgmma_pairs = 8, wgmma_products = 3;
/// Columns of a tile. Heights of tiles are a multiple of the unit apart. The start of a tile takes as long as so many
/// rows, where rows begin anywhere as the last number of them.
constexpr int wgmma_columns = 1024, wgmma_tile_unit = 16, wgmma_start_rows = 20, wgmma_anywhere_start_rows = 8;
/// Stencils of fewer rows are left to `ring`. So are grids where this factor times the rows that wgmma takes one after
/// another, with partly filled waves, exceeds the rows of the grid for each multiprocessor. `ring` takes longer for
/// more rows, wgmma does not, but leaves rows at either end to the boundary kernel where a stencil has fewer than its
/// own.
constexpr int wgmma_least_rows = 9;
constexpr double wgmma_time_over_ring(int rows, bool several) {
  if (several) return rows < 11 ? 0.8 : 0.66;
  return rows < plane_wgmma().rows ? 0.8 : 0.45;
}
/// The same where rows begin anywhere: stencils of fewer rows are left to `tiles`, beside which `cuda_direct` is
/// faster.
constexpr int wgmma_anywhere_least_rows = 4;
/// So many columns past the last whole strip are left to the boundary kernel, which is beside the same rows' ends
/// anyway: their strip would take as long as any other.
constexpr int wgmma_spare_columns = 8;
/// Stencils of so many rows with coefficients in two parts go by the kernel for any rows also where these are aligned.
constexpr int wgmma_least_rows_in_parts = 6;
/// Where rows are aligned: threads, registers of each as the kernel begins, of the warps that load and store, and of
/// those that multiply. What is left is enough for one warp beside it on each quarter of a multiprocessor, with so many
/// a thread. Kernels for other rows leave none: with these numbers they are 7 % slower.
constexpr int wgmma_threads = 384, wgmma_registers = 144, wgmma_move_registers = 48, wgmma_multiply_registers = 192,
              wgmma_beside_registers = (65536 - wgmma_threads * wgmma_registers) / 128;
/// The part of a multiprocessor's memory that is shared memory, in percent, for this kernel and those beside it:
/// kernels that ask for different parts do not run at once. 132 KiB are 90 for `wgmma` and the rest for these.
constexpr int wgmma_shared_percent = 58;
/// Rings in shared memory: stages of four input rows, and pairs of output rows.
constexpr int wgmma_stages = 8, wgmma_results = 4;

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
