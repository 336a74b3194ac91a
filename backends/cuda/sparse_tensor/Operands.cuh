// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Kernel.hpp"

#include "arch/MmaSparse.hpp"

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// The product with the 16 x 32 matrix of a kernel row: one mma.sp.
template <class Element>
struct SparseProduct {
  static constexpr bool sparse = true;
  static constexpr int steps   = 1;

  __device__ static void run(float (&sum)[4], uint4 const* a, uint4 const& b, std::uint32_t metadata, bool first) {
    float const zero[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (first) {
      Ptx::MmaSparse<Element>::run(sum, *a, b, zero, metadata);
    } else {
      Ptx::MmaSparse<Element>::run(sum, *a, b, sum, metadata);
    }
  }
};

/// Which matrices a kernel has: one for each of Rows rows of the stencil in each of Loads loads (planes or windows),
/// all of that Splits times. A cross has all rows in the middle load, and only the middle row in the others.
template <int Loads, int Rows, bool Cross, int Splits, template <class> class Product_ = SparseProduct>
struct Shape {
  static constexpr int loads    = Loads;
  static constexpr int rows     = Rows;
  static constexpr bool cross   = Cross;
  static constexpr int splits   = Splits;
  static constexpr int matrices = cross ? rows + loads - 1 : rows * loads;

  template <class Element>
  using Product = Product_<Element>;

  __host__ __device__ static constexpr bool has(int load, int row) {
    return !cross || load == loads / 2 || row == rows / 2;
  }
};

/// The constant operands of a stencil, in a lane's registers.
template <class S, class Element>
struct Matrices {
  using Product              = typename S::template Product<Element>;
  static constexpr int count = S::splits * S::matrices * Product::steps;

  uint4 a[count];
  std::uint32_t metadata;

  __device__ void load(Args const& args, int lane) {
    auto const* const from = static_cast<uint4 const*>(args.matrices);
#pragma unroll
    for (int i = 0; i < count; ++i) a[i] = __ldg(from + i * 32 + lane);
    metadata = Product::sparse ? __ldg(args.metadata + lane) : 0u;
  }

  /// sum += A b for a kernel row, or sum = A b if it is the first product of the sum.
  __device__ void product(int load, int row, uint4 const& b, float (&sum)[4], bool first) const {
#pragma unroll
    for (int split = 0; split < S::splits; ++split) {
      int const at = (split * S::matrices + matrix_index(S::loads, S::rows, S::cross, load, row)) * Product::steps;
      Product::run(sum, a + at, b, metadata, first && split == 0);
    }
  }
};

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
