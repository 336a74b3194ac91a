// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Kernel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// The dense twin of cuda_sparse_tensor: the same kernels with two mma.m16n8k16 for each mma.sp.m16n8k32, to measure
// what sparsity gives. Planes of half, coefficients that are elements.

namespace perf {
namespace DenseTwin {

/// By rows; batches and resident blocks as the sparse ones have them.
inline constexpr KokkosStencil::Cuda::SparseTensor::KernelTuning kernels[] = {
    KokkosStencil::Cuda::SparseTensor::plane_tiles(3),
    KokkosStencil::Cuda::SparseTensor::plane_tiles(5),
    KokkosStencil::Cuda::SparseTensor::plane_tiles(7).with_blocks_per_sm(3),
    KokkosStencil::Cuda::SparseTensor::plane_ring(15).with_ahead(5).with_blocks_per_sm(8),
};

/// The operands of dense products: for each 16 x 32 matrix of mma.sp, stored as SparseTensor::Plan has them, two of
/// 16 x 16.
std::vector<std::uint32_t> dense_matrices(std::vector<std::uint32_t> const& stored,
                                          std::array<std::uint32_t, 32> const& metadata);

/// Launches one of them on a cudaStream_t.
void launch(std::size_t kernel, KokkosStencil::Cuda::SparseTensor::Args const& args, unsigned blocks, void* stream);

}  // namespace DenseTwin
}  // namespace perf
