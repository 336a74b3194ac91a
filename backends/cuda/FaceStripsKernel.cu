// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FaceStrips.cuh"

#include "Beside.hpp"
#include "Ptx.hpp"

namespace KokkosStencil {
namespace Cuda {

namespace {

template <class T>
__global__ void __launch_bounds__(strip_threads)
    face_strips(__grid_constant__ StripArgs const args, T const* __restrict__ in, T* __restrict__ out) {
  strip_point<T, strip_threads>(args, blockIdx.x, in, out);
  Ptx::GridDependency::wait();
}

}  // namespace

template <class T>
void launch_face_strips(StripArgs const& args, bool beside, T const* in, T* out, cudaStream_t stream) {
  launch_beside<face_strips<T>>(beside, args.blocks, strip_threads, 0, stream, args, in, out);
}

template void launch_face_strips(StripArgs const&, bool, double const*, double*, cudaStream_t);
template void launch_face_strips(StripArgs const&, bool, float const*, float*, cudaStream_t);
template void launch_face_strips(StripArgs const&, bool, __half const*, __half*, cudaStream_t);
template void launch_face_strips(StripArgs const&, bool, __nv_bfloat16 const*, __nv_bfloat16*, cudaStream_t);

}  // namespace Cuda
}  // namespace KokkosStencil
