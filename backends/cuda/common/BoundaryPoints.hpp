// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Boundary.hpp>

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// A term as kernels read it from device memory.
template <class A>
struct BoundaryTerm {
  std::int32_t offset[3];
  A coefficient;
};

/// A box of points, computed by the blocks from first_block on.
struct BoundaryBox {
  std::int64_t begin[3];
  std::int64_t size[3];
  std::int64_t points;
  std::uint32_t first_block;
};

constexpr int max_boundary_boxes = 6;
constexpr int boundary_threads   = 128;

/// All that a kernel is told but the pointers to the Views.
struct BoundaryArgs {
  std::int64_t extent[3], in_stride[3], out_stride[3];
  Face faces[3][2];
  int user_axis[3];
  void const* terms;  ///< BoundaryTerm, in canonical order
  int term_count;
  int box_count;
  std::uint32_t blocks;
  BoundaryBox boxes[max_boundary_boxes];
};

/// Computes every point of the boxes by the plain formula with the boundary rules. `concurrent`: may run beside the
/// kernel launched before. T: double, float, __half, __nv_bfloat16.
template <class T>
void launch_boundary_points(BoundaryArgs const& args, bool concurrent, T const* in, T* out, cudaStream_t stream);

}  // namespace Cuda
}  // namespace KokkosStencil
