// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_StateOps.hpp>

#include <string>
#include <vector>

namespace KokkosStencil {
namespace Impl {

/// Sets the measured times of the candidates that can run: from memory or the policy's file the one of an earlier
/// winner, else of all, timed with the data of the Views. Writes to copies only. Leaves the candidates as they are if
/// there is no memory for that.
void measure_candidates(std::string const& label, PolicyInfo const& policy, Problem const& problem,
                        SpaceInfo const& space, Launch const& launch, StateOps const& ops, ViewInfo const& in,
                        ViewInfo const& out, std::vector<Candidate>& candidates);

}  // namespace Impl
}  // namespace KokkosStencil
