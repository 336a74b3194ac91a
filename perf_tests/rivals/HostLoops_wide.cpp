// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define PERF_HOST_LOOPS host_loop_wide
#include "HostLoops.inl"
