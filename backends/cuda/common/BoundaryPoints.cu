// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/BoundaryPoints.cuh"
#include "common/BoundaryTile.cuh"

#include "arch/DependentLaunch.hpp"

namespace KokkosStencil {
namespace Cuda {

namespace {

template <class T>
__global__ void __launch_bounds__(boundary_threads, 3)
    boundary_points(__grid_constant__ BoundaryLaunchArgs const args, T const* __restrict__ in, T* __restrict__ out) {
  bool const at_edge        = blockIdx.x < args.edge_blocks;
  std::uint32_t const block = at_edge ? blockIdx.x : blockIdx.x - args.edge_blocks;
  BoundaryBox const& box    = at_edge ? boundary_box(args.edges, args.edge_count, block) : boundary_box(args, block);
  if (box.row_parts > 0 && block < box.end_block) {
    boundary_row<T, boundary_threads>(args, box, block, in, out);
  } else if (box.row_parts > 0) {
    boundary_ends_of_rows<T, boundary_threads>(args, box, block, in, out);
  } else if (box.tile_rows > 0) {
    boundary_tile<T, boundary_threads>(args, box, block, in, out);
  } else if (box.ends) {
    boundary_end<T, boundary_threads>(args, box, block, in, out);
  } else if (args.lanes > 1) {
    boundary_shared_point<T, boundary_threads>(args, box, block, in, out);
  } else {
    boundary_point<T, boundary_threads>(args, box, block, in, out);
  }
  Ptx::GridDependency::wait();
}

}  // namespace

template <class T>
void launch_boundary_points(BoundaryLaunchArgs const& args, bool concurrent, T const* in, T* out, cudaStream_t stream) {
  launch_concurrent<boundary_points<T>>(concurrent, args.edge_blocks + args.blocks, boundary_threads,
                                        static_cast<std::size_t>(args.shared_bytes), stream, args, in, out);
}

template <class T>
cudaError_t prepare_boundary_points() {
  return cudaFuncSetAttribute(boundary_points<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, boundary_tile_bytes);
}

template cudaError_t prepare_boundary_points<double>();
template cudaError_t prepare_boundary_points<float>();
template cudaError_t prepare_boundary_points<__half>();
template cudaError_t prepare_boundary_points<__nv_bfloat16>();
template void launch_boundary_points(BoundaryLaunchArgs const&, bool, double const*, double*, cudaStream_t);
template void launch_boundary_points(BoundaryLaunchArgs const&, bool, float const*, float*, cudaStream_t);
template void launch_boundary_points(BoundaryLaunchArgs const&, bool, __half const*, __half*, cudaStream_t);
template void launch_boundary_points(BoundaryLaunchArgs const&, bool, __nv_bfloat16 const*, __nv_bfloat16*,
                                     cudaStream_t);

}  // namespace Cuda
}  // namespace KokkosStencil
