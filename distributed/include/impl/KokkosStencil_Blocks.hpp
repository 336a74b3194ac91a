// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// How a field is cut, and how deep ghost layers should be: plain C++, without MPI.

namespace KokkosStencil {
namespace Impl {

using Extents3 = std::array<std::int64_t, 3>;

/// How a field is cut into blocks, without types. Axes are those of the Views; unused ones have one point and one rank.
struct Cuts {
  int rank = 1;
  Extents3 extent{{1, 1, 1}};
  std::array<int, 3> ranks{{0, 0, 0}};  ///< 0: to be chosen
  std::array<bool, 3> periodic{{false, false, false}};
  /// Where the blocks of each axis begin, and its end; empty: to be chosen.
  std::array<std::vector<std::int64_t>, 3> begins;
  int slowest = 0;  ///< axis of the longest stride

  std::size_t fastest() const { return slowest == 0 ? static_cast<std::size_t>(rank - 1) : 0; }
};

/// The numbers of ranks along each axis that give blocks with the least surface; surfaces that need no packing (those
/// across the slowest axis) count half, and those across the fastest axis twice: they are packed point by point, and
/// their ghost layers shift rows against vectors. `fixed` names those that are given. Throws Error if nothing fits.
std::array<int, 3> choose_ranks(int rank, Extents3 const& extent, std::array<int, 3> const& fixed, int processes,
                                int slowest);

/// As in "512 x 512".
std::string text_of(int rank, Extents3 const& n);

/// Times that the depth of ghost layers follows from.
struct NetworkInfo {
  double latency       = 5e-6;  ///< seconds of an exchange beside its bytes
  double bandwidth     = 5e9;   ///< bytes a second that a process sends
  double point_seconds = 1e-9;  ///< of one sweep
};

/// What an engine ("peer", "nccl", "mpi") takes for fields on devices: measured between two H200 of one host.
NetworkInfo device_network(std::string const& engine);

/// Seconds of an exchange.
inline double exchange_seconds(NetworkInfo const& network, double bytes) {
  return network.latency + bytes / network.bandwidth;
}

/// Values of so many bytes in the vectors by which kernels read rows.
constexpr std::int64_t values_of_vector(std::size_t value_bytes) {
  return value_bytes < 16 ? 16 / static_cast<std::int64_t>(value_bytes) : 1;
}
/// Layers along the axis of the shortest stride: as many as asked for or a few more, so that rows of a block of whole
/// vectors of so many values remain whole vectors.
inline std::int64_t layers_of_rows(std::int64_t layers, std::int64_t block, std::int64_t values) {
  return block % values == 0 ? (layers + values - 1) / values * values : layers;
}

/// Sweeps that one exchange should feed: the least predicted time a sweep, the points near cut faces that are swept
/// twice, latency and bandwidth taken together.
int choose_sweeps(Cuts const& cuts, std::array<int, 3> const& reach, NetworkInfo const& network, int value_bytes);

}  // namespace Impl
}  // namespace KokkosStencil
