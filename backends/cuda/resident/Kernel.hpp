// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/GhostsInPass.hpp"
#include "resident/Tuning.hpp"
#include "temporal/Args.hpp"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// What all blocks of all runs of a plan share, in device memory that is zero at first. Only one run at a time owns it.
struct Control {
  /// Low: exchanges of all runs before, rounded up to an even number, so no flag is above it. High: whose turn it is.
  unsigned long long turn;
  std::uint32_t finished;  ///< blocks of the run that have received all that they wait for
};

/// Flags lie so many 32-bit words apart, each in a sector of its own.
constexpr int flag_words = 8;

/// The change that the last sweep of a run makes.
struct ChangeArgs {
  double* parts;  ///< one for each warp of each block: sums of squares, or largest changes; null: not asked for
  bool largest;
};

/// What the kernel is told: plain C++, so that a plan can fill it in where there is no CUDA.
struct Args {
  Temporal::PatchArgs patch;  ///< `depth`: sweeps between two exchanges
  std::int64_t sweeps;        ///< of the run
  ChangeArgs change;
  Control* control;
  std::uint32_t* flags;  ///< of each block: the exchanges for which it has written its frame
  /// For each row of blocks, then for each column: how many rows (columns) hold what a block there reads, and which.
  std::int32_t const* peers;
  void* planes;               ///< two, for the frames of blocks by turns
  std::int64_t pitch, plane;  ///< values of a row, of a plane
};

/// What lies beyond the first or last bundle of rows.
enum class Beyond : std::int32_t {
  other_end,        ///< the bundle at the other end of the axis
  itself,           ///< its own outermost rows
  nothing_changes,  ///< rows outside the range, or a constant
};

/// A volume, each point of which lies in a register: what the kernel is told. Axes z, y, x.
struct VolumeArgs {
  std::int64_t in_stride[2], out_stride[2];
  std::int32_t extent[3], begin[3], end[3];
  Face faces[3][2];
  std::int32_t user_axis[3];
  bool aligned;               ///< rows may be read and written 16 bytes at a time
  std::int32_t first;         ///< the first column that is held
  std::int32_t bundles[2];    ///< of rows, along z and y
  std::int32_t per_block[2];  ///< of these, at most
  std::int32_t blocks[2];
  Beyond beyond[2][2];  ///< along z and y, below and above
  std::int64_t sweeps;  ///< of the run
  GhostsInPass ghosts;
  ChangeArgs change;
  Control* control;
  void* lines;                 ///< two copies of those of all bundles, for exchanges by turns
  VolumeEntry const* entries;  ///< of each warp of each block
  std::int32_t inverse;        ///< 65536 over per_block[1], rounded up: warps are divided by it
  double beyond_rows[2];       ///< constants there
  float beyond_rows_in_float[2];
  bool masked, ends;  ///< some columns do not change; constants or reflections lie beyond the end of rows
};

/// Makes a kernel ready for a device; how many of its blocks a multiprocessor holds.
int prepare(ValueType type, std::size_t kernel);
/// Launches a kernel of Tuning.hpp on a cudaStream_t. `coefficients`: in canonical order.
void launch(ValueType type, std::size_t kernel, void const* coefficients, Args const& args, void const* in, void* out,
            void* stream);

/// The same for volumes, whose blocks have as much shared memory as their plan says.
int prepare_volume(ValueType type, std::size_t kernel, int shared_bytes);
void launch_volume(ValueType type, std::size_t kernel, void const* coefficients, VolumeArgs const& args,
                   int shared_bytes, void const* in, void* out, void* stream);

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
