// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

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
};

/// What a warp does about a direction.
struct VolumeLink {
  int from;     ///< in shared memory: the rows to read
  int step;     ///< from them to their second copy
  int receive;  ///< the first line to receive, -1: none
  int send;     ///< the first line to send, -1: none
  int show;     ///< in shared memory: where to write rows, -1: nowhere
};

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
