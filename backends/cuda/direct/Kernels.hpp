// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/BoundaryPoints.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace CudaDirect {

/// What the kernels need of Views and range. Columns count from the View's first; `first_vector` is the column
/// (aligned as vectors are, may be negative) at which the first tile begins; only whole vectors in [low, high)
/// are read.
struct Geometry {
  std::int64_t in_stride[2], out_stride[2];  ///< planes, rows
  std::int64_t first_vector;
  std::int64_t low, high;
  std::int64_t wrap;              ///< columns of a torus across x, or 0: what lies outside is not needed
  std::int64_t begin[3], end[3];  ///< points written
  std::int64_t last_row;          ///< last row of a plane that may be read
  std::int32_t tiles_x, tiles_y;
  std::int32_t tiles_z;
  std::int32_t band;  ///< rows of tiles that are launched for all z before the next ones; 0: a plane of tiles at a time
  std::int32_t march;  ///< planes or rows a tile marches over
  bool aligned_out;
};

/// How a kernel covers the points.
enum class March {
  none,    ///< tiles
  rows,    ///< tiles of one plane; a block marches along y
  planes,  ///< a block marches along z
};

/// A kernel for one shape and value type.
struct ShapeKernel {
  bool star;
  bool masked;  ///< terms of the shape may be missing
  int rz, ry, rx;
  March march;
  int width, height, depth;      ///< points of a tile; 1 along the march
  int least_rows, least_planes;  ///< smaller ranges cannot run
  int length;                    ///< points a block marches over; 0: what gives one wave of blocks
  int blocks;                    ///< resident on a multiprocessor
  /// Once per device, before the first launch.
  cudaError_t (*prepare)();
  /// Place of the term with offsets dz, dy, dx in canonical order.
  int (*index)(int dz, int dy, int dx);
  /// Coefficients: one accumulator for each of the shape's terms in canonical order; then, if masked, 32-bit words
  /// with a bit for each that is there.
  void (*launch)(void const* coefficients, Geometry const& geometry, std::uint32_t blocks, void const* in, void* out,
                 cudaStream_t stream);
  bool alone = false;  ///< for grids of a single row
  /// The same that leaves `warps` parts of each block in memory: the largest change, or the sum of squares. May be
  /// null.
  void (*launch_measured)(void const* coefficients, Geometry const& geometry, std::uint32_t blocks, void const* in,
                          void* out, double* parts, bool largest, cudaStream_t stream) = nullptr;
  int warps                                                                            = 0;
  int measured_depth = 0;  ///< planes of its tiles, which may be smaller
};

/// The kernels compiled for a value type, the first that fits counts; the last has width 0. T: double, float, __half,
/// __nv_bfloat16.
template <class T>
ShapeKernel const* shape_kernels();

/// A textbook's kernel for float, to compare with.
struct Rung {
  char const* name;
  ShapeKernel kernel;
};

/// All of them; the last has no name.
Rung const* rungs();

/// One input value of a row schedule, with its coefficients: one per output row.
constexpr int tap_rows = 4;
template <class A>
struct alignas(16) Tap {
  std::int64_t offset;  ///< elements from the first output row's point
  std::uint32_t mask;   ///< bit j: output row j uses the value
  A coefficient[tap_rows];
};

/// Any pattern, any strides.
struct TapArgs {
  std::int64_t in_stride[3], out_stride[3];
  std::int64_t begin[3], end[3];
  void const* taps;
  std::int32_t count;
  std::int32_t threads_x_log2;
  std::uint32_t tiles_x, tiles_y, tiles;
};
constexpr int tap_threads = 256;
constexpr int tap_columns = 4;

/// rows: 1 or tap_rows output rows a thread; the range has at least that many.
template <class T>
void launch_taps(TapArgs const& args, int rows, T const* in, T* out, cudaStream_t stream);

/// Any pattern of few terms, any strides, a point a thread; offsets and extents fit in 32 bits.
constexpr int point_threads = 256, most_point_terms = 256;
struct PointGrid {
  std::int64_t in_stride[3], out_stride[3];
  std::int32_t begin[3], end[3];
  std::int32_t count;  ///< of terms
  std::int32_t threads_x_log2;
  std::uint32_t tiles_x, tiles_y, tiles;
};
template <class A, int Most>
struct PointTerms {
  A coefficient[Most];
  std::int32_t offset[Most];  ///< elements
};
template <class A>
struct PointArgs {
  PointGrid grid;
  PointTerms<A, most_point_terms> terms;
  Cuda::BoundaryArgs strips;  ///< points near faces, in blocks of point_threads
};

/// Launches one kernel unless there are no points.
template <class T, class A>
void launch_points(PointArgs<A> const& args, T const* in, T* out, cudaStream_t stream);

}  // namespace CudaDirect
}  // namespace KokkosStencil
