// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define KOKKOSSTENCIL_ROWS_NAMESPACE Rows_baseline
#define KOKKOSSTENCIL_ROWS_BYTES 16
#include "HostRowsKernel.hpp"
#include "HostRowsSets.hpp"

namespace KokkosStencil {
namespace Generic {

RowKernels<float> rows_baseline_float() { return Rows_baseline::kernels<float>("baseline"); }
RowKernels<double> rows_baseline_double() { return Rows_baseline::kernels<double>("baseline"); }

}  // namespace Generic
}  // namespace KokkosStencil
