// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Value.cuh"
#include "temporal/Layout.hpp"

#include <cstdint>
#include <cstring>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// The conversions between a vector of values of type T and as many numbers of the type in which sums are made.
template <class T>
struct Vector {
  using A                   = Accumulator<T>;
  static constexpr int size = vector_bytes / int(sizeof(T));

  static __device__ __forceinline__ void unpack(uint4 vector, A* n) {
    T value[size];
    memcpy(value, &vector, vector_bytes);
#pragma unroll
    for (int v = 0; v < size; ++v) n[v] = Value<T>::load(value[v]);
  }

  static __device__ __forceinline__ uint4 pack(A const* n) {
    T value[size];
#pragma unroll
    for (int v = 0; v < size; ++v) value[v] = Value<T>::store(n[v]);
    uint4 vector;
    memcpy(&vector, value, vector_bytes);
    return vector;
  }
};

/// In tables of where columns are read: no result depends on this one.
constexpr std::int32_t nothing = INT32_MIN;

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
