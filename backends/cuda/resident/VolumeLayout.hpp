// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// How the warps of a block hold a volume: each a bundle of whole rows, and around it, in up to eight directions, those
/// of other bundles or what lies beyond the range. Radius 1.
struct VolumeLayout {
  bool star;      ///< nothing comes from bundles that meet at an edge only
  int row_words;  ///< 32-bit words of a row that a lane holds
  int rows[2];    ///< of a bundle, along z and y
  int warps;

  constexpr int directions() const { return star ? 4 : 8; }
  constexpr int row_bytes() const { return 32 * 4 * row_words; }

  /// From a bundle to the one in a direction, along z and y: -1, 0 or 1.
  static constexpr int along_z(int d) { return d < 2 ? 0 : d < 4 ? 2 * d - 5 : d < 6 ? -1 : 1; }
  static constexpr int along_y(int d) { return d < 2 ? 2 * d - 1 : d < 4 ? 0 : d % 2 * 2 - 1; }
  static constexpr int direction(int z, int y) {
    return z == 0 ? (y + 1) / 2 : y == 0 ? 2 + (z + 1) / 2 : 5 + z + (y + 1) / 2;
  }
  /// Rows that a bundle shows in a direction.
  constexpr int shown(int d) const { return (along_z(d) != 0 ? 1 : rows[0]) * (along_y(d) != 0 ? 1 : rows[1]); }
  /// Lines of 16 bytes a lane that they fill: three words and the number of the exchange.
  constexpr int lines(int d) const { return (shown(d) * row_words + 2) / 3; }
  /// The first of these among all lines of a bundle.
  constexpr int first_line(int d) const {
    int before = 0;
    for (int i = 0; i < d; ++i) before += lines(i);
    return before;
  }
  constexpr int all_lines() const { return first_line(directions()); }
  /// Rows around a bundle.
  constexpr int around() const {
    int all = 0;
    for (int d = 0; d < directions(); ++d) all += shown(d);
    return all;
  }
  /// What a warp has to know of its bundle, of 16 bytes each: a VolumePlace, a VolumeLink for each direction, and as
  /// many VolumeRows as its place says, at most one for each row around it.
  constexpr int entries() const { return 1 + directions() + around(); }
};

/// What lies around a bundle, and where. A plan finds it once for all runs.
struct VolumePlace {
  std::int32_t rows;     ///< to be read around the bundle
  std::int32_t uneven;   ///< rows that it shows are not the outermost ones
  std::int32_t partial;  ///< some of its rows do not change
  std::uint32_t epoch;   ///< in shared memory, of the first warp: the exchanges of all runs before
};

/// What a warp does about a direction.
struct VolumeLink {
  std::int32_t from;     ///< in shared memory: the rows to read
  std::int32_t receive;  ///< the first line to receive, -1: none
  std::int32_t send;     ///< the first line to send, -1: none
  std::int32_t show;     ///< in shared memory: where to write rows, -1: nowhere; there are two copies of such rows
};

/// A row to be read before the first sweep.
struct VolumeRow {
  std::int64_t from;      ///< where it begins in the input, in values; of a constant: its bits
  std::int32_t to;        ///< in shared memory
  std::int32_t constant;  ///< whether it is one
};

/// Any of these.
union VolumeEntry {
  VolumePlace place;
  VolumeLink link;
  VolumeRow row;
};
static_assert(sizeof(VolumeEntry) == 16, "read at once");

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
