// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Kernel.hpp"

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Where a tile lies. The last tiles are moved back inside the range; outputs of two tiles get the same value from
/// both.
struct Tile {
  std::int32_t x;
  std::int64_t y, z;
  std::uint32_t height;

  __device__ Tile(Args const& args, std::uint32_t strip, std::uint32_t chunk, std::uint32_t plane,
                  std::int32_t deep = 1) {
    bool const low = chunk >= args.tall_chunks;
    std::uint32_t const row =
        low ? args.tall_chunks * args.height + (chunk - args.tall_chunks) * args.low_height : chunk * args.height;
    height = low ? args.low_height : args.height;
    x      = args.x0 + static_cast<std::int32_t>(strip) * warp_outputs;
    y      = min(args.y_begin + row, args.y_end - height);
    z      = min(args.z_begin + plane, args.z_end - deep);
  }
};

/// A lane's first vector of 16 bytes in the first row. No output that is stored depends on vectors outside the row, so
/// these are replaced by one inside.
__device__ inline std::uint16_t const* first_vector(Args const& args, Tile const& tile, int lane) {
  int const q    = lane & 3;
  std::int32_t x = tile.x + 16 * (lane >> 2) - args.lead + 16 * (q & 1) + 8 * (q >> 1);
  x              = max(args.vector_first, min(x, args.vector_last));
  return static_cast<std::uint16_t const*>(args.window) + tile.z * args.in_z + tile.y * args.in_y + x;
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
