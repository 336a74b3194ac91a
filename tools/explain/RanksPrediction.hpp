// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>
#include <model/Schedule.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace KokkosStencil {

/// What a field over many GPUs is asked for.
struct RanksOptions {
  int most = 0;                       ///< GPUs; 0: not asked
  std::array<int, 3> cut{{0, 0, 0}};  ///< GPUs along each axis, slowest first; 0: the least surface
  bool strong        = false;
  std::string engine = "peer";
  int depth          = 0;   ///< sweeps that an exchange feeds; 0: the best
  int overlap        = -1;  ///< -1: the best
  double jitter      = 0.0;
  double overhead = 0.0, near_bandwidth = 0.0;  ///< 0: the engine's
  Model::Links links;
};

struct RanksRow {
  std::array<int, 3> ranks{{1, 1, 1}};
  std::array<std::int64_t, 3> block{{1, 1, 1}};
  int depth        = 1;
  bool overlap     = false;
  double seconds   = 0.0;  ///< of a sweep
  double efficient = 1.0;  ///< of so many times one GPU
  double waiting   = 0.0;  ///< part of the time
};

/// One row for each power of two below the number of GPUs, and one for that number; with a given cut one for one GPU
/// and one for that cut. Throws Error. `terms` are those of the problem in the axes of its extents.
std::vector<RanksRow> predict_ranks(RanksOptions const& options, std::vector<Term> const& terms, Problem const& problem,
                                    DeviceModel const& device, std::string const& backend);

std::string table_text(RanksOptions const& options, std::vector<RanksRow> const& rows);
std::string json_text(std::vector<RanksRow> const& rows);

}  // namespace KokkosStencil
