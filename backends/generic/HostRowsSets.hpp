// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "HostRows.hpp"

// The instruction sets the row kernels are compiled for.

namespace KokkosStencil {
namespace Generic {

RowKernels<float> rows_baseline_float();
RowKernels<double> rows_baseline_double();
#ifdef KOKKOSSTENCIL_ROWS_X86
RowKernels<float> rows_avx2_float();
RowKernels<double> rows_avx2_double();
RowKernels<float> rows_avx512_float();
RowKernels<double> rows_avx512_double();
#endif

}  // namespace Generic
}  // namespace KokkosStencil
