// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {

struct Problem;

namespace Cuda {

/// Points outside the range of an iteration, which the threads of its first pass copy from one View to the other, where
/// a launch of their own would take as long as some sweeps. Each thread copies few items: vectors of 16 bytes, or
/// values.
struct GhostsInPass {
  struct Box {
    std::int32_t first;               ///< of its items, among those of all boxes
    std::int32_t plane, row, column;  ///< where it begins
    std::int32_t rows;                ///< of a plane
    std::int32_t items;               ///< of a row
    std::int32_t width;               ///< values of an item
  };
  std::int64_t in_stride[2], out_stride[2];  ///< of planes and rows; those of columns are 1
  Box box[6];
  std::int32_t boxes, items;  ///< none: nothing is copied
};

/// Into `ghosts`, for so many threads; false where they would copy too much, or not in rows. Aligned: all rows of both
/// Views begin at multiples of 16 bytes.
bool plan_ghosts(Problem const& problem, bool aligned, std::int64_t threads, GhostsInPass& ghosts);

}  // namespace Cuda
}  // namespace KokkosStencil
