// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Geometry.hpp"
#include "ListTuning.hpp"
#include "ShapeTuning.hpp"
#include "common/BoundaryPoints.hpp"

#include <KokkosStencil_Update.hpp>

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// A kernel made for a shape: a line of the tables in Tuning.hpp.
struct ShapeLauncher {
  /// `table`: one accumulator for each of the shape's terms in canonical order; then, if masked, 32-bit words with a
  /// bit for each that is there.
  using Launch = void (*)(void const* table, Geometry const& geometry, std::uint32_t blocks, void const* in, void* out,
                          cudaStream_t stream);

  /// Once per device, before the first launch.
  cudaError_t (*prepare)();
  Launch launch;
  /// The same where rows begin anywhere, or of lines the output. May be null.
  Launch launch_anywhere;
  /// The same where planes are taken as lines. May be null.
  Launch launch_joined;
  /// The same that passes faces, where `launch` does not. May be null.
  Launch launch_past_faces;
  /// `launch` and `launch_past_faces` with each number of short_row_lanes. May be null.
  Launch launch_short_rows[2], launch_short_rows_past_faces[2];
  /// The last ones of these for what wide tiles leave at the end of rows: they run beside the kernel launched before on
  /// the stream. May be null.
  Launch launch_tail, launch_tail_past_faces;
  /// `launch` with ShapeTuning::with_norm: leaves for each warp the largest change, or the sum of squares. May be null.
  void (*launch_with_norm)(void const* table, Geometry const& geometry, std::uint32_t blocks, void const* in, void* out,
                           double* partial, bool largest, cudaStream_t stream);
  /// `launch` with ShapeTuning::with_update: out = alpha S(in) + beta out. May be null.
  void (*launch_with_update)(void const* table, Geometry const& geometry, std::uint32_t blocks, void const* in,
                             void* out, Update const& update, cudaStream_t stream);
  /// `launch_anywhere` where rows end a few columns past whole tiles. May be null.
  Launch launch_more_anywhere;
};

/// For a value type and the index of its line. T: double, float, __half, __nv_bfloat16.
template <class T>
ShapeLauncher const& shape_launcher(std::size_t kernel);

/// The kernels for planes that are cut into other rows, of a line of the tables.
struct CutLauncher {
  cudaError_t (*prepare)();
  ShapeLauncher::Launch launch[count_of_cuts];  ///< may be null
};

/// T: double, float.
template <class T>
CutLauncher const& cut_launcher(std::size_t kernel);

/// One input value of a row schedule, with its coefficients: one per output row.
template <class A>
struct alignas(16) Tap {
  std::int64_t offset;  ///< bytes from the first output row's point
  std::uint32_t mask;   ///< bit j: output row j uses the value
  alignas(16) A coefficient[tap_rows];
};

/// Any pattern, any strides.
struct TapArgs {
  std::int64_t in_stride[3], out_stride[3];
  std::int64_t begin[3], end[3];
  void const* taps;  ///< and one that is zero behind them
  std::int32_t count;
  std::int32_t threads_x_log2, columns;  ///< threads side by side along x, points of each, a row of threads apart
  std::uint32_t tiles_x, tiles_y, tiles;
  bool updates;  ///< outputs become alpha S(u) + beta v
  double alpha, beta;
};

/// rows: 1 or tap_rows output rows a thread; the range has at least that many.
template <class T>
void launch_taps(TapArgs const& args, int rows, T const* in, T* out, cudaStream_t stream);

/// Terms that come with the arguments of the launch, in canonical order.
template <class A>
struct FewTerms {
  std::int64_t offset[most_few_terms];  ///< bytes
  A coefficient[most_few_terms];
};

/// launch_taps for such terms, so many as args.count says: tap_rows rows and one, two or four columns a thread, a warp
/// abreast, along rows whose points follow each other; the range has at least as many columns as a tile. No updates.
template <class T, class A>
void launch_few_terms(TapArgs const& args, FewTerms<A> const& list, T const* in, T* out, cudaStream_t stream);

/// Any pattern of few terms, any strides, a point a thread; offsets and extents fit in 32 bits.
struct PointGrid {
  std::int64_t in_stride[3], out_stride[3];
  std::int32_t begin[3], end[3];
  std::int32_t count;  ///< of terms
  std::int32_t threads_x_log2;
  std::uint32_t tiles_x, tiles_y, tiles;
  bool updates;  ///< outputs become alpha S(u) + beta v
  double alpha, beta;
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
  Cuda::BoundaryArgs boundary;  ///< points near faces, in blocks of point_threads
};

/// Launches one kernel unless there are no points.
template <class T, class A>
void launch_points(PointArgs<A> const& args, T const* in, T* out, cudaStream_t stream);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
