// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <cstddef>
#include <cstdint>

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
#include <cuda.h>
#if CUDART_VERSION >= 12000
#define KOKKOSSTENCIL_IMPL_RINGS 1
#endif
#endif

// Copies of boxes and rows to shared memory that a GPU makes by itself (compute capability 9.0), and the barriers that
// tell when they have come.

#ifdef KOKKOSSTENCIL_IMPL_RINGS

namespace KokkosStencil {
namespace Impl {

/// Values between a multiple of 16 bytes and a place at or behind it.
KOKKOS_FORCEINLINE_FUNCTION int values_before(void const* at, int value_size) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % 16) / value_size;
}

#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
/// Barriers in shared memory and what completes them.
struct CopyBarriers {
  static __device__ __forceinline__ std::uint32_t address(void const* at) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
  }
  static __device__ __forceinline__ void init(std::uint32_t barrier, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
  }
  /// For copies that come afterwards.
  static __device__ __forceinline__ void fence_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  static __device__ __forceinline__ void arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
  }
  static __device__ __forceinline__ void arrive_and_expect(std::uint32_t barrier, std::uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
  }
  static __device__ __forceinline__ void wait(std::uint32_t barrier, std::uint32_t parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again_%=:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again_%=;\n"
        "}" ::"r"(barrier),
        "r"(parity)
        : "memory");
  }
  /// So many bytes, a multiple of 16, from and to multiples of 16.
  static __device__ __forceinline__ void copy(std::uint32_t to, void const* from, std::uint32_t bytes,
                                              std::uint32_t barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
  }
  static __device__ __forceinline__ void copy(std::uint32_t to, CUtensorMap const* map, int x, int row, int plane,
                                              std::uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], "
        "[%5];" ::"r"(to),
        "l"(map), "r"(x), "r"(row), "r"(plane), "r"(barrier)
        : "memory");
  }
  /// A row of a field that is one sequence of values, from a multiple of 16 bytes on.
  static __device__ __forceinline__ void copy(std::uint32_t to, CUtensorMap const* map, int first,
                                              std::uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(to),
        "l"(map), "r"(first), "r"(barrier)
        : "memory");
  }
};
#endif
#endif

/// A function of the driver that the runtime looks up, so that programs need not link with the driver.
inline auto tensor_encoder() {
  using Encode               = decltype(&cuTensorMapEncodeTiled);
  static Encode const encode = []() -> Encode {
    void* function                        = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaError_t const error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
    cudaError_t const error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
    if (error != cudaSuccess) cudaGetLastError();
    return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(function) : nullptr;
  }();
  return encode;
}
/// Describes a View whose rows lie as whole vectors of 16 bytes do; false if that cannot be. `box`: points along the
/// contiguous axis and rows.
inline bool tensor_map(CUtensorMap& map, ViewInfo const& view, int fast, int shift, int box_points, int box_rows) {
  std::size_t const axis[3] = {std::size_t(fast), 1, std::size_t(2 - fast)};
  std::int64_t const value  = view.value_size;
  cuuint64_t extent[3] = {}, stride[2] = {};
  for (std::size_t k = 0; k < 3; ++k) {
    std::int64_t const n = view.extent[axis[k]] + (k == 0 ? shift : 0);
    if (n >= std::int64_t(1) << 31) return false;
    extent[k] = static_cast<cuuint64_t>(n);
    if (k == 0) continue;
    std::int64_t const bytes = view.stride[axis[k]] * value;
    if (bytes <= 0 || bytes % 16 != 0 || bytes >= std::int64_t(1) << 40) return false;
    stride[k - 1] = static_cast<cuuint64_t>(bytes);
  }
  cuuint32_t const box[3]  = {static_cast<cuuint32_t>(box_points), static_cast<cuuint32_t>(box_rows), 1};
  cuuint32_t const each[3] = {1, 1, 1};
  auto* const begin        = static_cast<unsigned char*>(view.data) - shift * value;
  auto const encode        = tensor_encoder();
  return encode != nullptr &&
         encode(&map, value == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32 : CU_TENSOR_MAP_DATA_TYPE_UINT64, 3, begin, extent,
                stride, box, each, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

/// Describes all values of a View from the first to the last as one sequence, from the multiple of 16 bytes below;
/// false if that cannot be. `row`: values that are copied at a time.
inline bool sequence_map(CUtensorMap& map, ViewInfo const& view, int row) {
  std::int64_t const value = view.value_size, before = values_before(view.data, view.value_size);
  std::int64_t last = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (view.stride[a] <= 0) return false;
    last += (view.extent[a] - 1) * view.stride[a];
  }
  // Where a row begins has 32 bits, and tiles may have rows past the end.
  if (before + last + 256 * view.stride[1] >= std::int64_t(1) << 31) return false;
  cuuint64_t const extent[1] = {static_cast<cuuint64_t>(before + last + 1)}, stride[1] = {0};
  cuuint32_t const box[1] = {static_cast<cuuint32_t>(row)}, each[1] = {1};
  auto* const begin = static_cast<unsigned char*>(view.data) - before * value;
  auto const encode = tensor_encoder();
  return encode != nullptr &&
         encode(&map, value == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32 : CU_TENSOR_MAP_DATA_TYPE_UINT64, 1, begin, extent,
                stride, box, each, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
