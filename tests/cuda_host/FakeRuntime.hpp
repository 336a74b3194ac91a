// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

// A CUDA runtime without a GPU: it describes an NVIDIA H200, hands out host memory, and notes launches instead of
// making them. Its functions are found before those of the real runtime.

namespace FakeRuntime {

struct Log {
  long launches = 0;
  long waits    = 0;     ///< for a stream, an event or the device
  long kept     = 0;     ///< allocations not freed
  long made     = 0;     ///< allocations
  bool alone    = true;  ///< nothing has been launched that a kernel may run beside; set it before a run
  std::string wrong;     ///< the first launch that a GPU would refuse, or that would not wait for what it depends on
};

Log& log();

}  // namespace FakeRuntime
