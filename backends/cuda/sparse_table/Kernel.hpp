// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

/// Planes of the input in shared memory.
struct Ring {
  std::int32_t lower_z, lower_y;  ///< from an output to the first plane and row copied
  std::int32_t reach_z;           ///< planes that a tile reads in addition to those of its outputs
  std::int32_t rows;              ///< of a copied plane
  std::int32_t plane_words;       ///< pitch
  std::int32_t planes;            ///< a multiple of tile_z; 0 if there is no such ring
  std::int32_t at;                ///< bytes from the start of shared memory
};

/// What the kernels are told; see Layout.hpp for the axes.
struct Args {
  void const* in;
  void* out;
  std::int32_t in_y, in_z, out_y, out_z;      ///< strides in elements
  std::int32_t y_extent, z_extent;            ///< of the View: rows past it are replaced by its last
  std::int32_t first_vector, last_vector;     ///< columns where the first and last aligned vectors of a row begin
  std::int32_t x0, y0, z0;                    ///< first output of the first block
  std::int32_t x_begin, x_end, y_end, z_end;  ///< outputs stored
  bool aligned;                               ///< four outputs may be stored as 8 bytes
  std::uint32_t blocks_x, blocks_y;
  std::int32_t length;  ///< planes that a block computes, a multiple of tile_z

  std::int32_t warps;  ///< of a block
  std::int32_t tile_z, tile_y, tile_y_log2;
  std::int32_t units_across;  ///< units side by side; the others one below the other
  std::int32_t lower_x;       ///< from an output to the first column copied
  std::int32_t row_vectors;   ///< 16 bytes each, of a copied row
  std::int32_t row_threads;   ///< that copy a row, a power of two
  std::int32_t row_words;     ///< pitch in shared memory
  Ring ring;                  ///< all planes; with every row, if there is no other ring
  Ring near_ring;             ///< planes near the output once more, with every row (tables in global memory only)
  std::int32_t steps;         ///< products of 32 columns

  /// The tables, which are copied to shared memory or read from here: fragments [step][split][block][lane] of 16 bytes,
  /// metadata [step][block][lane] of 4, offsets [phase][step][q][register] of 2. An offset counts words from a tile's
  /// corner in the first ring, when the rings have turned by phase * tile_z planes.
  void const* tables;
  std::uint32_t phases_bytes;            ///< of the offsets
  std::int32_t table_vectors;            ///< 16-byte vectors of the tables that are copied to shared memory
  std::int32_t metadata_at, offsets_at;  ///< bytes from the start of the tables
  float unscale;                         ///< of the sums of two splits
  PlaneTerm<float> const* terms;
  std::int32_t term_count;
};

/// Launches a kernel of Tuning.hpp for half or bfloat16 and so many splits, on a cudaStream_t.
void launch(std::size_t kernel, bool bfloat, int splits, Args const& args, unsigned blocks, int shared_bytes,
            void* stream);

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
