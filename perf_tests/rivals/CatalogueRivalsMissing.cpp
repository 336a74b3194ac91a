// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MdRange.hpp"

namespace perf {

bool has_catalogue_rival(Kernel const&) { return false; }

std::unique_ptr<Candidate> make_catalogue_rival(Case const& c, Fields, bool) {
  throw Unavailable("no kernel in MDRangePolicy for " + c.kernel.name);
}

}  // namespace perf
