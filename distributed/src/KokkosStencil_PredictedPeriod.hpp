// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "KokkosStencil_Period.hpp"

#include <impl/KokkosStencil_Ranks.hpp>

#include <string>
#include <vector>

namespace KokkosStencil {
namespace Impl {

/// One period of the largest block, with its neighbours along every cut axis.
Period predict_period(Ranks const& ranks, std::vector<Term> const& terms, ValueType type, int value_size,
                      SpaceInfo const& space, std::string const& engine, int sweeps);

}  // namespace Impl
}  // namespace KokkosStencil
