// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define KOKKOSSTENCIL_ROWS_NAMESPACE Rows_avx2
#define KOKKOSSTENCIL_ROWS_BYTES 32
#include "HostRowsKernel.hpp"
#include "HostRowsSets.hpp"

namespace KokkosStencil {
namespace Generic {

RowKernels<float> rows_avx2_float() { return Rows_avx2::kernels<float>("avx2"); }
RowKernels<double> rows_avx2_double() { return Rows_avx2::kernels<double>("avx2"); }

}  // namespace Generic
}  // namespace KokkosStencil
