// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "direct/ShapeTuning.hpp"

#include <KokkosStencil_Backend.hpp>

#include <cstdint>

// How tiles cover rows, and how far a block streams.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// How tiles cover rows of volumes: tiles of so many lanes along x, and for what whole ones of 32 lanes leave at the
/// end of rows tiles of `tail` lanes, by a launch of their own; 0: none.
struct Across {
  int lanes, tail;
};
/// The fastest way for `rows` rows of so many columns. `whole_vectors`: they begin and end with vectors of 16 bytes.
/// `cache_bytes`: of the second-level cache.
Across across_rows(ShapeTuning const& kernel, std::int64_t columns, std::int64_t rows, int value_bytes,
                   bool whole_vectors, std::int64_t cache_bytes);

/// The fastest way to cover the columns [begin, end) of `rows` rows, in an array that begins at `element` of a line of
/// memory.
Across across_of(ShapeTuning const& kernel, std::int64_t begin, std::int64_t end, std::int64_t rows,
                 std::int64_t element, int value_bytes, std::int64_t cache_bytes);
/// The same for a problem, as far as it is known where the Views begin.
Across across_of(ShapeTuning const& kernel, Problem const& problem, DeviceModel const& device);

/// Columns that its tiles cover then: from the beginning of the line of memory in which the range begins.
std::int64_t columns_of_tiles(Problem const& problem);

/// What a column costs by tiles of so many lanes, over one of wide tiles.
double cost_of(ColumnCosts const& costs, int lanes);

/// Columns of wide tiles that take as long as the tiles that cover so many.
double covered_columns(ShapeTuning const& kernel, ColumnCosts const& costs, Across across, std::int64_t columns,
                       int value_bytes);

/// How tiles of rows that are put in phase cover so many columns.
struct TilesInPhase {
  std::int64_t wide, narrow;
};
TilesInPhase tiles_in_phase(std::int64_t columns, int value_bytes);

/// The tuning of a kernel on a GPU, whose memory may be slow beside its multiprocessors.
ShapeTuning on_device(ShapeTuning const& kernel, DeviceModel const& device);

/// Rows or planes a block, of `count`, with which blocks for so many tiles fill the GPU once.
std::int64_t wave_length(ShapeTuning const& kernel, std::int64_t count, std::int64_t tiles, int multiprocessors);

/// Those that a block streams over. Small problems: enough blocks for the whole GPU, but none much shorter than its
/// overlap.
std::int64_t stream_length(ShapeTuning const& kernel, std::int64_t count, std::int64_t tiles, int multiprocessors,
                           int value_bytes);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
