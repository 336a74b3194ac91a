// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

// A CUDA runtime without a GPU: it describes some, hands out host memory, and notes launches instead of making them.
// Its functions are found before those of the real runtime.

namespace FakeRuntime {

/// The devices that are there, by their numbers.
struct Gpu {
  char const* name;
  int compute_capability, multiprocessors, l2_bytes;
  int shared_bytes;  ///< of a block, at most
};
constexpr Gpu gpus[] = {{"NVIDIA H200", 90, 132, 60 << 20, 227 << 10},
                        {"NVIDIA A100-SXM4-80GB", 80, 108, 40 << 20, 163 << 10},
                        {"NVIDIA A10", 86, 72, 6 << 20, 99 << 10},
                        {"NVIDIA L40S", 89, 142, 96 << 20, 99 << 10}};

struct Log {
  long launches     = 0;
  long waits        = 0;      ///< for a stream, an event or the device
  long kept         = 0;      ///< allocations not freed
  long made         = 0;      ///< allocations
  long refused      = 0;      ///< kernels that asked for more shared memory than the device has
  bool full         = false;  ///< there is no memory
  int last_error    = 0;      ///< a cudaError_t, as cudaGetLastError gives it
  int launch_result = 0;      ///< a cudaError_t that launches return
  bool alone        = true;   ///< nothing has been launched that a kernel may run beside; set it before a run
  std::string wrong;  ///< the first launch that a GPU would refuse, or that would not wait for what it depends on
};

Log& log();

}  // namespace FakeRuntime
