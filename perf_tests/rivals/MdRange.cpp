// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MdRange.hpp"

namespace perf {

bool has_mdrange(Case const& c) {
  return (has_shape(c.kernel) || has_catalogue_rival(c.kernel)) && c.type != Type::bhalf && !c.relaxed;
}

template <class Space>
std::unique_ptr<Candidate> make_mdrange(Case const& c, Fields fields, bool best) {
  if (!std::is_same<Space, Device>::value) return make_mdrange_host(c, fields, best);
  if (!has_shape(c.kernel)) return make_catalogue_rival(c, fields, best);
  switch (c.type) {
    case Type::half: return make_mdrange_half(c, fields, best);
    case Type::full: return make_mdrange_double(c, fields, best);
    default: return make_mdrange_float(c, fields, best);
  }
}

template std::unique_ptr<Candidate> make_mdrange<Device>(Case const&, Fields, bool);
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template std::unique_ptr<Candidate> make_mdrange<Host>(Case const&, Fields, bool);
#endif

}  // namespace perf
