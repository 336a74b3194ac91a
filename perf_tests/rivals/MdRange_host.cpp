// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MdRange.hpp"

namespace perf {

// The host space of a device build; the other builds have it as their device.
std::unique_ptr<Candidate> make_mdrange_host(Case const& c, Fields fields, bool best) {
  constexpr bool same = std::is_same<Device, Host>::value;
  if (c.type == Type::full) return make_mdrange_of<Host, std::conditional_t<same, void, double>>(c, fields, best);
  return make_mdrange_of<Host, std::conditional_t<same, void, float>>(c, fields, best);
}

}  // namespace perf
