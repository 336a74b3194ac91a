// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Tuning.hpp"
#include "temporal/Args.hpp"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// What all blocks of all runs of a plan share, in device memory that is zero at first. Only one run at a time owns it.
struct Control {
  std::uint32_t owned;     ///< 1 while a run does
  std::uint32_t finished;  ///< blocks of that run that have ended
  std::uint32_t epoch;     ///< exchanges of all runs before: no flag is above it
};

/// Flags lie so many 32-bit words apart, each in a sector of its own.
constexpr int flag_words = 8;

/// What the kernel is told: plain C++, so that a plan can fill it in where there is no CUDA.
struct Args {
  Temporal::PatchArgs patch;  ///< `depth`: sweeps between two exchanges
  std::int64_t sweeps;        ///< of the run
  Control* control;
  std::uint32_t* flags;  ///< of each block: the exchanges for which it has written its frame
  /// For each row of blocks, then for each column: how many rows (columns) hold what a block there reads, and which.
  std::int32_t const* peers;
  void* planes;               ///< two, for the frames of blocks by turns
  std::int64_t pitch, plane;  ///< values of a row, of a plane
};

/// Makes a kernel ready for a device; how many of its blocks a multiprocessor holds.
int prepare(ValueType type, std::size_t kernel);
/// Launches a kernel of Tuning.hpp on a cudaStream_t. `coefficients`: in canonical order.
void launch(ValueType type, std::size_t kernel, void const* coefficients, Args const& args, void const* in, void* out,
            void* stream);

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
