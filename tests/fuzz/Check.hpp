// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Case.hpp"
#include "Engine.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace KokkosStencil {
namespace Fuzz {

/// What was run so far.
struct Tally {
  std::map<std::string, std::int64_t> runs;  ///< by space, backend and way
  std::int64_t refused   = 0;                ///< errors that had to be
  std::int64_t points    = 0;                ///< compared with the reference
  std::int64_t unchecked = 0;                ///< of these those whose sums may overflow
};

/// Runs the case on every backend that can, and looks at all it left behind. Says what is wrong, or nothing.
std::string check(Engine const& engine, Case c, Tally& tally);

}  // namespace Fuzz
}  // namespace KokkosStencil
