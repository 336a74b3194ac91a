// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MdRange.hpp"

namespace perf {

std::unique_ptr<Candidate> make_mdrange_float(Case const& c, Fields fields, bool best) {
  return make_mdrange_of<Device, float>(c, fields, best);
}

}  // namespace perf
