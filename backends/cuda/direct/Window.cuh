// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Value.cuh"

#include <cstdint>

namespace KokkosStencil {
namespace CudaDirect {

using Cuda::Accumulator;
using Cuda::fused;
using Cuda::Value;

/// 16 bytes of a row, what a lane loads and stores at once.
template <class T>
struct Vec {
  static constexpr int size = 16 / int(sizeof(T));
  /// Whole vectors to the left (and right) that a reach of r points needs.
  static __host__ __device__ constexpr int beside(int r) { return (r + size - 1) / size; }
  /// 32-bit words of them that it touches.
  static __host__ __device__ constexpr int words(int r) { return (r * int(sizeof(T)) + 3) / 4; }
};

/// Element e of a window of 32-bit words whose element 0 is the first of the lane's own vector. The words left
/// of it number Left.
template <class T, int Left>
struct Element;
template <int Left>
struct Element<float, Left> {
  static __device__ __forceinline__ float get(std::uint32_t const* w, int e) { return __uint_as_float(w[Left + e]); }
};
template <int Left>
struct Element<double, Left> {
  static __device__ __forceinline__ double get(std::uint32_t const* w, int e) {
    return __hiloint2double(int(w[Left + 2 * e + 1]), int(w[Left + 2 * e]));
  }
};
template <int Left>
struct Element<__half, Left> {
  static __device__ __forceinline__ float get(std::uint32_t const* w, int e) {
    std::uint32_t const word = w[(2 * Left + e) / 2];
    auto const bits          = static_cast<unsigned short>((2 * Left + e) % 2 ? word >> 16 : word & 0xffffu);
    return __half2float(__ushort_as_half(bits));
  }
};
template <int Left>
struct Element<__nv_bfloat16, Left> {
  static __device__ __forceinline__ float get(std::uint32_t const* w, int e) {
    std::uint32_t const word = w[(2 * Left + e) / 2];
    return __uint_as_float((2 * Left + e) % 2 ? word & 0xffff0000u : word << 16);
  }
};

/// Rounds accumulators to the value type, as one vector.
template <class T>
__device__ __forceinline__ uint4 pack(Accumulator<T> const (&a)[Vec<T>::size]) {
  uint4 v;
  if constexpr (sizeof(T) == 8) {
    v = make_uint4(unsigned(__double2loint(a[0])), unsigned(__double2hiint(a[0])), unsigned(__double2loint(a[1])),
                   unsigned(__double2hiint(a[1])));
  } else if constexpr (sizeof(T) == 4) {
    v = make_uint4(__float_as_uint(a[0]), __float_as_uint(a[1]), __float_as_uint(a[2]), __float_as_uint(a[3]));
  } else {
    std::uint32_t w[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      T const pair[2] = {Value<T>::store(a[2 * i]), Value<T>::store(a[2 * i + 1])};
      unsigned short low, high;
      memcpy(&low, &pair[0], 2);
      memcpy(&high, &pair[1], 2);
      w[i] = std::uint32_t(low) | std::uint32_t(high) << 16;
    }
    v = make_uint4(w[0], w[1], w[2], w[3]);
  }
  return v;
}

/// Stores a vector's outputs at columns x and on, of which [begin, end) are wanted.
template <class T>
__device__ __forceinline__ void put(T* row, std::int64_t x, std::int64_t begin, std::int64_t end, bool aligned,
                                    Accumulator<T> const (&a)[Vec<T>::size]) {
  constexpr int V = Vec<T>::size;
  if (aligned && x >= begin && x + V <= end) {
    *reinterpret_cast<uint4*>(row + x) = pack<T>(a);
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      if (x + v >= begin && x + v < end) row[x + v] = Value<T>::store(a[v]);
    }
  }
}

/// Shapes known when the kernels are compiled: reaches Rz, Ry, Rx; a star has terms on the axes only.
template <bool Star_, int Rz_, int Ry_, int Rx_>
struct Shape {
  static constexpr bool star = Star_;
  static constexpr int rz = Rz_, ry = Ry_, rx = Rx_;
  static constexpr int count = Star_ ? 2 * (Rz_ + Ry_ + Rx_) + 1 : (2 * Rz_ + 1) * (2 * Ry_ + 1) * (2 * Rx_ + 1);
  /// Whether row (dz, dy) has terms beside its centre.
  static __host__ __device__ constexpr bool wide(int dz, int dy) { return !Star_ || (dz == 0 && dy == 0); }
  static __host__ __device__ constexpr bool has(int dz, int dy) { return !Star_ || dz == 0 || dy == 0; }
  /// Place of a term in canonical order.
  static __host__ __device__ constexpr int index(int dz, int dy, int dx) {
    if (!Star_) return ((dz + Rz_) * (2 * Ry_ + 1) + dy + Ry_) * (2 * Rx_ + 1) + dx + Rx_;
    if (dz < 0) return dz + Rz_;
    if (dz > 0) return Rz_ + 2 * (Ry_ + Rx_) + dz;
    if (dy < 0) return Rz_ + dy + Ry_;
    if (dy > 0) return Rz_ + Ry_ + 2 * Rx_ + dy;
    return Rz_ + Ry_ + dx + Rx_;
  }
};

template <class A, int N>
struct Coefficients {
  A value[N];
};

/// acc = the terms of row (dz, dy) added to acc, in order of x.
template <class T, class S, int Left>
__device__ __forceinline__ void add_row(Accumulator<T> (&acc)[Vec<T>::size], std::uint32_t const* window,
                                        Coefficients<Accumulator<T>, S::count> const& c, int dz, int dy) {
#pragma unroll
  for (int dx = -S::rx; dx <= S::rx; ++dx) {
    if (dx != 0 && !S::wide(dz, dy)) continue;
#pragma unroll
    for (int v = 0; v < Vec<T>::size; ++v) {
      acc[v] = fused(c.value[S::index(dz, dy, dx)], Element<T, Left>::get(window, v + dx), acc[v]);
    }
  }
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
