// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
LineKernel const* line_kernels<double>() {
  using T                           = double;
  static LineKernel const kernels[] = {LineLaunch<T, 1, 16>::entry(4700e9),
                                       LineLaunch<T, 2, 16>::entry(2650e9),
                                       LineLaunch<T, 3, 16>::entry(1880e9),
                                       LineLaunch<T, 4, 16>::entry(1600e9),
                                       {}};
  return kernels;
}

template <>
LineKernel const* line_kernels<float>() {
  using T                           = float;
  static LineKernel const kernels[] = {LineLaunch<T, 1, 32>::entry(9500e9),
                                       LineLaunch<T, 2, 32>::entry(5700e9),
                                       LineLaunch<T, 3, 32>::entry(4100e9),
                                       LineLaunch<T, 4, 32>::entry(3150e9),
                                       {}};
  return kernels;
}

template <>
LineKernel const* line_kernels<__half>() {
  using T                           = __half;
  static LineKernel const kernels[] = {LineLaunch<T, 1, 32>::entry(9600e9),
                                       LineLaunch<T, 2, 32>::entry(5800e9),
                                       LineLaunch<T, 3, 32>::entry(4200e9),
                                       LineLaunch<T, 4, 32>::entry(3200e9),
                                       {}};
  return kernels;
}

template <>
LineKernel const* line_kernels<__nv_bfloat16>() {
  using T                           = __nv_bfloat16;
  static LineKernel const kernels[] = {LineLaunch<T, 1, 32>::entry(9600e9),
                                       LineLaunch<T, 2, 32>::entry(5800e9),
                                       LineLaunch<T, 3, 32>::entry(4200e9),
                                       LineLaunch<T, 4, 32>::entry(3200e9),
                                       {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
