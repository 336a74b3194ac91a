// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define KOKKOSSTENCIL_ROWS_NAMESPACE Rows_avx512
#define KOKKOSSTENCIL_ROWS_BYTES 64
#include "HostRowsKernel.hpp"
#include "HostRowsSets.hpp"

namespace KokkosStencil {
namespace Generic {

RowKernels<float> rows_avx512_float() { return Rows_avx512::kernels<float>("avx512"); }
RowKernels<double> rows_avx512_double() { return Rows_avx512::kernels<double>("avx512"); }

}  // namespace Generic
}  // namespace KokkosStencil
