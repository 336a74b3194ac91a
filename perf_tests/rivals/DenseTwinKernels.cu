// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DenseTwin.hpp"

#include "arch/Mma.hpp"
#include "common/LaunchKernel.hpp"
#include "common/WithIndex.hpp"
#include "sparse_tensor/RingKernel.cuh"
#include "sparse_tensor/TilesKernel.cuh"

#include <iterator>

namespace perf {
namespace DenseTwin {

namespace {

using namespace KokkosStencil::Cuda;

/// In place of SparseTensor::SparseProduct.
template <class Element>
struct DenseProduct {
  static constexpr bool sparse = false;
  static constexpr int steps   = 2;

  __device__ static void run(float (&sum)[4], uint4 const* a, uint4 const& b, std::uint32_t, bool first) {
    float const zero[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (first) {
      Ptx::MmaDense<Element>::run(sum, a[0], b.x, b.y, zero);
    } else {
      Ptx::MmaDense<Element>::run(sum, a[0], b.x, b.y, sum);
    }
    Ptx::MmaDense<Element>::run(sum, a[1], b.z, b.w, sum);
  }
};

}  // namespace

void launch(std::size_t kernel, SparseTensor::Args const& args, unsigned blocks, void* stream) {
  with_index<std::size(kernels)>(kernel, [&](auto index) {
    constexpr SparseTensor::KernelTuning k = kernels[decltype(index)::value];
    using S                                = SparseTensor::Shape<1, k.rows, false, 1, DenseProduct>;
    auto const launch                      = [&](void (*kernel)(SparseTensor::Args)) {
      launch_kernel(kernel, blocks, k.threads(), 0, static_cast<cudaStream_t>(stream), args);
    };
    if constexpr (k.algorithm == SparseTensor::Algorithm::tiles) {
      launch(SparseTensor::tiles<S, Ptx::Half, k.height, k.blocks_per_sm, false, false>);
    } else {
      launch(SparseTensor::ring<S, Ptx::Half, k.ahead, k.blocks_per_sm>);
    }
  });
}

}  // namespace DenseTwin
}  // namespace perf
