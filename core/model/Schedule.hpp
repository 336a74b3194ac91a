// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstdint>

namespace KokkosStencil {
namespace Model {

/// How fast GPUs exchange messages. Those of one node are linked with each other; nodes have a network.
struct Links {
  double overhead       = 8e-6;    ///< seconds a GPU spends on an exchange beside the bytes: kernels, flags
  double copy_bandwidth = 4e12;    ///< bytes a second of packing and unpacking
  double near_latency   = 1e-6;    ///< seconds, between GPUs of one node
  double near_bandwidth = 3.6e11;  ///< bytes a second that a GPU sends to those of its node
  double far_latency    = 1e-5;    ///< seconds, between nodes
  double far_bandwidth  = 4e11;    ///< bytes a second that a whole node sends to others
  int node              = 8;       ///< GPUs of a node
};

/// Sweeps of a field that is cut into equal blocks, one a GPU, with an exchange every so many sweeps.
struct Schedule {
  std::array<int, 3> ranks{{1, 1, 1}};
  std::array<bool, 3> periodic{{false, false, false}};
  /// Bytes of a message to a neighbour in a direction, a number of three digits to the base 3; 0: none.
  std::array<double, 27> bytes{};
  std::int64_t periods = 1;    ///< exchanges and what follows
  double band          = 0.0;  ///< seconds that what leaves takes first; 0: nothing overlaps
  double sweeps        = 0.0;  ///< seconds that all of the block takes in a period
  double jitter        = 0.0;  ///< part by which a period of a GPU may take longer, by chance
  unsigned seed        = 1;    ///< of chance
};

struct Simulated {
  double seconds = 0.0;  ///< until the last GPU is ready
  double waiting = 0.0;  ///< of it, a GPU waits for others, on average
};

/// Plays the schedule by discrete events: GPUs compute, links carry one message at a time, messages arrive.
Simulated simulate(Schedule const& schedule, Links const& links);

}  // namespace Model
}  // namespace KokkosStencil
