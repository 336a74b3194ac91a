// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Boundary.hpp>

#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define KOKKOSSTENCIL_HOST_DEVICE __host__ __device__
#else
#define KOKKOSSTENCIL_HOST_DEVICE
#endif

namespace KokkosStencil {
namespace Impl {

/// As map_index; where windows are Near, without the division that distances need.
template <bool Near>
KOKKOSSTENCIL_HOST_DEVICE inline std::int64_t map_index_within(std::int64_t index, std::int64_t extent,
                                                               Face const* faces, int& side) {
  // Mirrors may throw the index past the other face, at most extent further in each time.
  while (index < 0 || index >= extent) {
    int const s = index < 0 ? 0 : 1;
    switch (faces[s].kind) {
      case BoundaryKind::halo: return index;
      case BoundaryKind::shared:
#ifdef __CUDA_ARCH__
        // Kernels are given halos instead. Another way out of the loop would cost registers.
        __builtin_unreachable();
#endif
        return index;
      case BoundaryKind::value: side = s; return -1;
      case BoundaryKind::periodic: index %= extent; return index < 0 ? index + extent : index;
      case BoundaryKind::mirror:
        index = s == 0 ? -1 - index : 2 * extent - 1 - index;
        // Between two mirrors the View and its image repeat.
        if (!Near && (index < 0 || index >= extent) && faces[1 - s].kind == BoundaryKind::mirror) index %= 2 * extent;
        break;
      case BoundaryKind::edge: return s == 0 ? 0 : extent - 1;
    }
  }
  return index;
}

/// Index that is read for `index` on an axis of `extent` points, whose faces follow `faces` (lower,
/// upper). Returns -1 if a constant is read, and sets `side` to its face. Works for windows wider than
/// the View: periodic, mirror and edge repeat as often as needed. halo returns the index itself, which
/// the range check keeps inside. A mirror on one side only meets the rule of the other side when it
/// reaches past that one.
KOKKOSSTENCIL_HOST_DEVICE inline std::int64_t map_index(std::int64_t index, std::int64_t extent, Face const* faces,
                                                        int& side) {
  return map_index_within<false>(index, extent, faces, side);
}

/// The same for windows that reach at most some extents past a face: two mirrors throw the index to and fro that often.
KOKKOSSTENCIL_HOST_DEVICE inline std::int64_t map_near_index(std::int64_t index, std::int64_t extent, Face const* faces,
                                                             int& side) {
  return map_index_within<true>(index, extent, faces, side);
}

}  // namespace Impl
}  // namespace KokkosStencil
