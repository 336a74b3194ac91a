// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Ranks.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

// What a policy over ranks means for the whole field and for one block.

namespace KokkosStencil {
namespace Impl {

/// How far terms reach, by axis: `lower` is zero or negative.
void reach_of(std::vector<Term> const& terms, std::array<int, 3>& lower, std::array<int, 3>& upper);

/// The whole field, as far as ranges and faces are concerned.
ViewInfo whole_view(Ranks const& ranks);

/// The faces of the whole field, periodic where its axis is.
PolicyInfo whole_policy(std::string const& label, RanksPolicy const& policy);

/// Whether a range takes in all of an axis of the whole field.
bool whole_axis(Ranks const& ranks, PointBox const& range, std::size_t axis);

}  // namespace Impl
}  // namespace KokkosStencil
