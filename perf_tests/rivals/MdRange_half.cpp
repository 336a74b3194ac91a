// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MdRange.hpp"

namespace perf {

std::unique_ptr<Candidate> make_mdrange_half(Case const& c, Fields fields, bool best) {
  constexpr bool host = KokkosStencil::Impl::is_host_space<Device>();
  return make_mdrange_of<Device, std::conditional_t<host, void, ValueOf<Type::half>::type>>(c, fields, best);
}

}  // namespace perf
