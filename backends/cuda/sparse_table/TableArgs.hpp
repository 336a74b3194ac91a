// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_table/TableKernels.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

// What the table-driven kernel is told. It marches along z: the slowest axis of a 3-D View, the rows of a plane (y is
// then of one row), or the rows of 4096 points that a line is cut into.

namespace KokkosStencil {
namespace Cuda {
namespace Table {

/// Warps of a block at the most; tiles of a product; products side by side along x.
constexpr int most_warps = 8, tiles = CudaModel::table_tiles, across = CudaModel::table_across;

/// A term of the plain formula: elements from the output's point, and the coefficient.
struct PlainTerm {
  std::int64_t offset;
  float coefficient;
};

/// Planes of the input in shared memory.
struct Ring {
  std::int32_t lower_z, lower_y;  ///< from an output to the first plane and row copied
  std::int32_t reach_z;           ///< planes that a tile reads beside its own
  std::int32_t rows;              ///< of a copied plane
  std::int32_t plane_words;       ///< pitch
  std::int32_t planes;            ///< a multiple of tile_z; 0: there is no such ring
  std::int32_t at;                ///< bytes from the start of shared memory
};

struct TableArgs {
  void const* in;
  void* out;
  std::int32_t in_y, in_z, out_y, out_z;      ///< strides in elements
  std::int32_t y_extent, z_extent;            ///< of the View: rows past it are replaced by its last
  std::int32_t piece_first, piece_last;       ///< first elements of the first and last aligned piece of a row
  std::int32_t x0, y0, z0;                    ///< first output of the first block
  std::int32_t x_begin, x_end, y_end, z_end;  ///< outputs stored
  bool aligned;                               ///< four outputs are 8 aligned bytes
  std::uint32_t blocks_x, blocks_y;
  std::int32_t length;  ///< planes that a block computes, a multiple of tile_z

  std::int32_t warps;  ///< of a block
  std::int32_t tile_z, tile_y, tile_y_log2;
  std::int32_t units_x;     ///< units (eight tiles by four products) side by side; the others one below the other
  std::int32_t lower_x;     ///< from an output to the first column copied
  std::int32_t row_pieces;  ///< 16-byte pieces of a copied row
  std::int32_t copy_lanes;  ///< threads that copy a row, a power of two
  std::int32_t row_words;   ///< pitch in shared memory
  Ring ring;                ///< all planes; with every row, if there is no other ring
  Ring wide;                ///< planes near the output once more, with every row (reaching kernels only)
  std::int32_t steps;       ///< products of 32 columns

  /// As they lie in shared memory (reaching kernels read them here): fragments [step][part][block][lane] of 16 bytes,
  /// metadata [step][block][lane] of 4, offsets [phase][step][q][register] of 2 (words from a tile's corner in the
  /// first ring; the rings have turned by phase * tile_z).
  void const* tables;
  std::uint32_t phases_bytes;            ///< of the offsets
  std::int32_t table_pieces;             ///< of 16 bytes, that are copied to shared memory
  std::int32_t metadata_at, offsets_at;  ///< bytes from the start of the tables
  float unscale;                         ///< of the sums of two parts
  PlainTerm const* terms;
  std::int32_t term_count;
};

/// One compiled kernel.
struct Kernel {
  CudaModel::TableKernel kind;
  bool bfloat;
  int parts;
  void (*launch)(TableArgs const& args, unsigned blocks, int shared_bytes, cudaStream_t stream);
};

std::vector<Kernel> table_kernels();

}  // namespace Table
}  // namespace Cuda
}  // namespace KokkosStencil
