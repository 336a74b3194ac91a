// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "direct/Geometry.hpp"
#include "direct/ShapeTuning.hpp"

#include <KokkosStencil_Backend.hpp>

#include <array>
#include <cstdint>
#include <optional>

// How the range of a problem is cut for a launch of a kernel made for a shape.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Which of the kernels made for a shape: the first one, that with the update norm, that for an Update.
enum class Variant { plain, norm, update };

/// How a kernel made for a shape covers the range of a problem on a GPU, for Views that may begin anywhere.
class ShapeCut {
 public:
  ShapeCut(ShapeTuning const& kernel, Problem const& problem, int multiprocessors, std::int64_t cache_bytes);

  struct Launch {
    Geometry geometry;
    std::uint32_t blocks;
    std::int64_t first_in, first_out;  ///< elements from the first of the Views to those that the geometry counts from
    PointBox done;                     ///< the points that are written
    bool anywhere;                     ///< by the kernel for rows that begin anywhere, or for such lines
    bool joined;                       ///< by that which takes planes as lines
    bool more;                         ///< by that whose last tile of a row takes a few columns more
    int cut;                           ///< index into row_cuts, of a plane that is cut into other rows; else -1
    bool past_faces;                   ///< finds what it needs past some of them
    int lanes;                         ///< along x of a tile: 32, or one of short_row_lanes
    Geometry tail;                     ///< of a second launch, for what is left at the end of rows
    std::uint32_t tail_blocks;         ///< of that; 0: there is none
  };
  /// For these addresses and a kernel, which may have other tiles; nothing if it cannot run.
  std::optional<Launch> launch(std::uintptr_t in, std::uintptr_t out, Variant variant) const;

 private:
  class Draft;

  ShapeTuning m_kernel;
  std::array<std::int64_t, 3> m_extent, m_in_stride, m_out_stride;
  int m_value_bytes;
  std::array<std::array<Face, 2>, 3> m_faces;
  bool m_corners_in_order;
  bool m_reads_anywhere;  ///< rows of the input begin at different places in 16 bytes
  int m_multiprocessors;
  std::int64_t m_cache_bytes;
  PointBox m_range;
};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
