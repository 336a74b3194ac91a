// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/LaunchKernel.hpp"
#include "ColumnsKernel.cuh"
#include "LinesKernel.cuh"
#include "MarchKernel.cuh"
#include "PlanesKernel.cuh"
#include "RowsKernel.cuh"

#include <cstring>

// The choice of kernel for each shape and value type: the fastest on an NVIDIA H200 (10240^2 and 512^3).

namespace KokkosStencil {
namespace CudaDirect {

template <class T, class S>
Table<T, S> coefficients(void const* from) {
  Table<T, S> c;
  std::memcpy(c.value, from, sizeof c.value);
  if constexpr (S::masked) std::memcpy(c.mask, static_cast<char const*>(from) + sizeof c.value, sizeof c.mask);
  return c;
}

/// Kernels that can measure take twice the time to compile, and are wanted where stencils are relaxed.
template <class S>
constexpr bool can_measure = !S::masked && S::count <= 9;

template <class T, class S, int D, int H, int Wx, int Wy, int Blocks>
ShapeKernel rows_entry() {
  ShapeKernel k{
      S::star,
      S::masked,
      S::rz,
      S::ry,
      S::rx,
      March::none,
      32 * Wx * Vec<T>::size,
      H * Wy,
      D,
      H,
      D,
      1,
      Blocks,
      [] { return cudaSuccess; },
      S::index,
      [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
        Cuda::launch_kernel(rows_kernel<T, S, D, H, Wx, Wy, Blocks, NoMeter>, blocks, 32 * Wx * Wy, 0, stream,
                            coefficients<T, S>(c), g, static_cast<T const*>(in), static_cast<T*>(out), NoMeter());
      }};
  if constexpr (can_measure<S>) {
    // In space with half the planes: registers for two blocks.
    constexpr int Dm  = D > 2 ? 2 : D;
    k.warps           = Wx * Wy;
    k.measured_depth  = Dm;
    k.launch_measured = [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                           double* parts, bool largest, cudaStream_t stream) {
      // As many threads as there are registers for.
      constexpr int threads = 32 * Wx * Wy, resident = (D > 1 || H > 2 ? 512 : 768) / threads;
      Cuda::launch_kernel(rows_kernel<T, S, Dm, H, Wx, Wy, resident, Meter>, blocks, 32 * Wx * Wy, 0, stream,
                          coefficients<T, S>(c), g, static_cast<T const*>(in), static_cast<T*>(out),
                          Meter{parts, largest});
    };
  }
  return k;
}

template <class T, class S, int Warps, int H, int Blocks>
ShapeKernel lines_entry() {
  return {S::star,
          S::masked,
          0,
          0,
          S::rx,
          March::none,
          32 * Warps * H * Vec<T>::size,
          1,
          1,
          1,
          1,
          1,
          Blocks,
          [] { return cudaSuccess; },
          S::index,
          [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
            Cuda::launch_kernel(lines_kernel<T, S, Warps, H, Blocks>, blocks, 32 * Warps, 0, stream,
                                coefficients<T, S>(c), g, static_cast<T const*>(in), static_cast<T*>(out));
          },
          true};
}

template <class T, class S, int W, int B, int Stages, int Blocks>
ShapeKernel march_entry(int length) {
  using L = MarchLayout<T, S, W, B, Stages>;
  return {S::star,
          S::masked,
          S::rz,
          S::ry,
          S::rx,
          March::rows,
          L::threads * Vec<T>::size,
          1,
          1,
          1,
          1,
          length,
          Blocks,
          [] {
            return cudaFuncSetAttribute(march_kernel<T, S, W, B, Stages, Blocks>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, L::bytes);
          },
          S::index,
          [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
            Cuda::launch_kernel(march_kernel<T, S, W, B, Stages, Blocks>, blocks, L::threads, L::bytes, stream,
                                coefficients<T, S>(c), g, static_cast<T const*>(in), static_cast<T*>(out));
          }};
}

template <class T, class S, int H, int Wx, int Wy, int Blocks>
ShapeKernel columns_entry(int length) {
  return {S::star,
          S::masked,
          S::rz,
          S::ry,
          S::rx,
          March::planes,
          32 * Wx * Vec<T>::size,
          H * Wy,
          1,
          H,
          1,
          length,
          Blocks,
          [] { return cudaSuccess; },
          S::index,
          [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
            Cuda::launch_kernel(columns_kernel<T, S, H, Wx, Wy, Blocks>, blocks, 32 * Wx * Wy, 0, stream,
                                coefficients<T, S>(c), g, static_cast<T const*>(in), static_cast<T*>(out));
          }};
}

template <class T, class S, int H, int Wy, int Stages, int Blocks>
ShapeKernel planes_entry(int length) {
  using L = PlanesLayout<T, S, H, Wy, Stages>;
  ShapeKernel k{
      S::star,
      S::masked,
      S::rz,
      S::ry,
      S::rx,
      March::planes,
      32 * Vec<T>::size,
      L::height,
      1,
      1,
      1,
      length,
      Blocks,
      [] {
        constexpr auto room = cudaFuncAttributeMaxDynamicSharedMemorySize;
        if constexpr (can_measure<S>) {
          auto const status = cudaFuncSetAttribute(planes_kernel<T, S, H, Wy, Stages, 1, Meter>, room, L::bytes);
          if (status != cudaSuccess) return status;
        }
        return cudaFuncSetAttribute(planes_kernel<T, S, H, Wy, Stages, Blocks, NoMeter>, room, L::bytes);
      },
      S::index,
      [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
        Cuda::launch_kernel(planes_kernel<T, S, H, Wy, Stages, Blocks, NoMeter>, blocks, L::threads, L::bytes, stream,
                            coefficients<T, S>(c), g, static_cast<T const*>(in), static_cast<T*>(out), NoMeter());
      }};
  if constexpr (can_measure<S>) {
    k.warps           = Wy;
    k.launch_measured = [](void const* c, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                           double* parts, bool largest, cudaStream_t stream) {
      Cuda::launch_kernel(planes_kernel<T, S, H, Wy, Stages, 1, Meter>, blocks, L::threads, L::bytes, stream,
                          coefficients<T, S>(c), g, static_cast<T const*>(in), static_cast<T*>(out),
                          Meter{parts, largest});
    };
  }
  return k;
}

template <int R>
using Line = Shape<true, 0, 0, R>;
template <int R>
using Star2 = Shape<true, 0, R, R>;
template <int R>
using Box2 = Shape<false, 0, R, R>;
template <int R>
using Star3 = Shape<true, R, R, R>;
template <int R>
using Box3 = Shape<false, R, R, R>;
// Any pattern inside.
template <int R>
using InLine = Shape<true, 0, 0, R, true>;
template <int R>
using InStar2 = Shape<true, 0, R, R, true>;
template <int R>
using InBox2 = Shape<false, 0, R, R, true>;
template <int R>
using InStar3 = Shape<true, R, R, R, true>;
template <int R>
using InBox3 = Shape<false, R, R, R, true>;

}  // namespace CudaDirect
}  // namespace KokkosStencil
