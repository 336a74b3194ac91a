// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The numbers of cuda_sparse_table. Each stands here only: Instances.cu compiles the kernels of the table, Layout.cpp
// chooses among them by the clocks that they take, Plan.cpp predicts times. Clocks were counted on an NVIDIA H200 at
// commit a10f2ce, for patterns of 7 to 225 terms.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

/// A product of mma.sp takes 8 tiles; a unit is 4 products, side by side along x.
constexpr int tiles_of_product = 8, products_of_unit = 4;
constexpr int unit_tiles = tiles_of_product * products_of_unit;

/// Outputs of a tile of a line; otherwise tiles have so many columns by one of these numbers of rows.
constexpr int line_tile_columns = 16, tile_columns = 4;
constexpr int tile_rows[] = {4, 8, 16};

/// Warps that a block may have.
constexpr int block_warps[] = {4, 8};
constexpr int most_warps    = block_warps[1];

/// A kernel. Each is compiled for half and for bfloat16, with coefficients as they are and split in two.
struct KernelTuning {
  int columns           = 0;      ///< of a tile
  int blocks            = 0;      ///< a tile has 16 outputs for each
  int units             = 0;      ///< of a warp
  int resident_warps    = 0;      ///< of a multiprocessor, by their registers
  bool tables_in_global = false;  ///< tables are read from global memory, and planes may lie in two rings

  constexpr KernelTuning& with_units(int n) { return units = n, *this; }
  constexpr KernelTuning& with_resident_warps(int n) { return resident_warps = n, *this; }
  /// For stencils that reach too far for the other kernels.
  constexpr KernelTuning& with_tables_in_global() { return tables_in_global = true, *this; }

  /// Outputs that a warp computes between two synchronizations.
  constexpr int warp_outputs() const { return 16 * blocks * units * unit_tiles; }
};

/// For tiles of so many columns and 16 * blocks outputs.
constexpr KernelTuning kernel(int columns, int blocks) {
  KernelTuning k;
  k.columns = columns;
  k.blocks  = blocks;
  return k;
}

constexpr KernelTuning kernels[] = {
    kernel(tile_columns, 1).with_units(4).with_resident_warps(8),
    kernel(tile_columns, 1).with_units(2).with_resident_warps(16),
    kernel(tile_columns, 2).with_units(2).with_resident_warps(8),
    kernel(tile_columns, 2).with_units(1).with_resident_warps(16),
    kernel(tile_columns, 4).with_units(1).with_resident_warps(8),
    kernel(line_tile_columns, 1).with_units(2).with_resident_warps(16),
    kernel(tile_columns, 1).with_units(1).with_resident_warps(8).with_tables_in_global(),
};

/// Clocks of a multiprocessor with at least so many resident warps, for each thing that a warp does.
struct ClockTuning {
  int resident_warps    = 0;
  double wavefront      = 0.0;  ///< of shared memory, in the products
  double copied_byte    = 0.0;  ///< into shared memory
  double output         = 0.0;  ///< stored
  double second_product = 0.0;  ///< with the second halves of split coefficients

  constexpr ClockTuning& with_wavefront(double clocks) { return wavefront = clocks, *this; }
  constexpr ClockTuning& with_copied_byte(double clocks) { return copied_byte = clocks, *this; }
  constexpr ClockTuning& with_output(double clocks) { return output = clocks, *this; }
  constexpr ClockTuning& with_second_product(double clocks) { return second_product = clocks, *this; }
};
constexpr ClockTuning from_resident_warps(int n) {
  ClockTuning c;
  c.resident_warps = n;
  return c;
}

/// Their mean errors are 10, 7 and 6 %.
constexpr ClockTuning clocks[] = {
    from_resident_warps(0)
        .with_wavefront(1.61)
        .with_copied_byte(13.4 / 128)
        .with_output(287.0 / 2048)
        .with_second_product(0.27),
    from_resident_warps(8)
        .with_wavefront(1.20)
        .with_copied_byte(5.6 / 128)
        .with_output(325.0 / 2048)
        .with_second_product(0.21),
    from_resident_warps(12)
        .with_wavefront(1.16)
        .with_copied_byte(5.6 / 128)
        .with_output(241.0 / 2048)
        .with_second_product(0.10),
};

/// Tables in global memory are read from the second-level cache one step ahead. A step takes as long as that, for all
/// warps at once. Within 10 % of what was measured.
constexpr double global_table_clocks = 360.0;

/// In space an output takes at least so many clocks, however few terms there are: 256^3 to 1024^3 points, 4 to 7 terms.
/// What binds is not known.
constexpr double volume_output_clocks = 0.33;

/// Factors on the clocks of stars in space, of radius 1 and of others: 90 random problems of two GPUs with halo and
/// other faces (seeds 84 and 85).
constexpr double near_star_clocks = 1.13, far_star_clocks = 0.9;

/// Clocks a second of the GPU that they were counted on.
constexpr double clock_rate = 1.755e9;

/// With fewer resident warps than this latency takes the time of the missing ones.
constexpr double least_warps = 8.0;
/// The start of the only wave of blocks costs this part of the start of a wave among others.
constexpr double first_start = 0.4;
/// Waves of blocks that are tried when planes are cut into chunks.
constexpr int most_waves = 16;

/// Seconds for copying the tables first; the part of the memory's time that products do not hide, since the first
/// planes of a chunk are waited for; the part of the roofline that no kernel exceeds.
constexpr double table_seconds = 0.863e-6, unhidden_memory = 0.05, most_efficiency = 0.9;
/// Seconds of the kernel for points near faces that pass beside this one, which leaves room for it.
constexpr double boundary_beside = 1.0e-6;

/// Seconds more of an output that is stored by itself, since vectors of the output begin elsewhere than those of the
/// input; in planes and in space, and on lines.
constexpr double single_store_seconds[] = {2.1e-12, 0.3e-12};

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
