// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace KokkosStencil {
namespace HostTemporal {

// Measured on one thread of a Xeon with AVX-512 and a second-level cache of 2 MiB, 2026-11.

/// Part of the second-level cache that slabs of both fields may take.
constexpr double cache_share = 0.7;
/// Multiply-adds a second and thread in cache, by bytes of a value.
constexpr double cached_rate(int value_bytes) { return value_bytes == 8 ? 9.5e9 : 18e9; }
/// What a thread gets of that where there are more than four. 14 processors of a virtual machine, stars of radius 1 in
/// 3-D: 0.72 in float and 0.62 in double. In 2-D they get all; there the clock decides, as it does where the model is
/// wrong.
constexpr double shared_core = 0.65;
/// Bytes a second and thread from and to memory.
constexpr double memory_rate = 10e9;
/// What slabs lean over comes from a farther cache, what blocks lean over from the near one: their parts of the time.
constexpr double slab_overlap = 0.1, block_overlap = 0.03;
/// Rows that are cut in the middle: factor on the time.
constexpr double cut_rows = 1.3;
/// A pass must take no more than this of the time of single sweeps.
constexpr double largest_share = 0.85;
/// What was timed must take no more than this of the time of single sweeps.
constexpr double trial_share = 0.95;
/// Most sweeps of a pass where slabs are of planes, and elsewhere.
constexpr int most_volume_depth = 9, most_depth = 15;
/// Cascades: most sweeps where planes follow each other.
constexpr int most_cascade_volume_depth = 7;
/// Tiles a thread.
constexpr int cascade_tiles = 8;
/// What a row costs beside its points, in bytes of points, and bytes from which on a row leaves the first cache.
constexpr int row_overhead = 100, far_row = 9000;
/// Rows of planes with fewer bytes, factor on the time: 3.4 for 5 points in `float` and rows of 50 (one core of an AMD
/// EPYC).
constexpr int short_row     = 1024;
constexpr double short_rows = 3.4;
/// Single sweeps by way of this backend.
constexpr double predicted_delegation = 1.02;

}  // namespace HostTemporal
}  // namespace KokkosStencil
