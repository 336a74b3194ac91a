// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <string>
#include <vector>

namespace KokkosStencil {
namespace Model {

/// Marks the candidate with the least time, measured if any of them was measured, else predicted, and tells the others
/// why not; `forced` leaves only the candidates of that backend, if not empty. Returns null if none can run.
Candidate* choose(std::vector<Candidate>& candidates, std::string const& forced);

/// The candidates as lines of text, a header first. FLOP and bytes are those of one point in one pass.
std::string table(std::vector<Candidate> const& candidates);

}  // namespace Model
}  // namespace KokkosStencil
