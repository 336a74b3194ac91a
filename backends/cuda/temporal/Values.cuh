// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/FuseIf.hpp"
#include "common/Value.cuh"
#include "temporal/Layout.hpp"

#include <KokkosStencil_Boundary.hpp>

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

/// The terms that there are of a shape of which any may be missing, a bit each.
template <bool Masked>
struct Present {
  static constexpr std::uint32_t present = ~0u;
  template <class A>
  void note(A const*, int) {}
};
template <>
struct Present<true> {
  std::uint32_t present = 0;
  template <class A>
  void note(A const* coefficients, int count) {
    for (int i = 0; i < count; ++i) present |= (coefficients[i] != A(0) ? 1u : 0u) << i;
  }
};

/// A sum with a term more, or with its first one. Of a masked shape missing terms are left out by a predicate: a factor
/// of zero would spread infinities and NaN.
template <bool Masked, class A>
__device__ __forceinline__ A with_term(A sum, bool first, A q, A w, std::uint32_t present, int index) {
  if constexpr (Masked) {
    if (first) sum = A(-0.0);
    Ptx::FuseIf<A>::run(sum, q, w, present & 1u << index);
    return sum;
  } else {
    return first ? times(q, w) : fused(q, w, sum);
  }
}

/// In tables of where columns are read: no result depends on this one.
constexpr std::int32_t nothing = INT32_MIN;

/// A vector whose values lie at these columns of a row, or are constants of these faces: column -1 - side. All loads
/// are under way before the first of them is waited for.
template <class T>
__device__ __forceinline__ uint4 gathered(T const* row, std::int32_t const* columns, Face const (&faces)[2]) {
  T value[Vector<T>::size];
#pragma unroll
  for (int v = 0; v < Vector<T>::size; ++v) value[v] = row[columns[v] < 0 ? 0 : columns[v]];
#pragma unroll
  for (int v = 0; v < Vector<T>::size; ++v) {
    if (columns[v] == -1) value[v] = Value<T>::store(static_cast<Accumulator<T>>(faces[0].constant));
    if (columns[v] == -2) value[v] = Value<T>::store(static_cast<Accumulator<T>>(faces[1].constant));
  }
  uint4 vector;
  memcpy(&vector, value, vector_bytes);
  return vector;
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
