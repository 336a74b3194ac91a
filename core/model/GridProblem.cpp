// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/GridProblem.hpp>
#include <model/Roofline.hpp>

#include <impl/KokkosStencil_Dispatch.hpp>

#include <cstdint>

namespace KokkosStencil {
namespace Model {

Problem grid_problem(std::vector<Term> const& terms, int rank, std::array<std::int64_t, 3> const& extents,
                     ValueType type, Accuracy accuracy, std::int64_t steps) {
  Impl::PolicyInfo policy;
  policy.rank     = rank;
  policy.accuracy = accuracy;
  Impl::ViewInfo in;
  in.rank             = rank;
  in.value_type       = type;
  in.value_size       = size_of(type);
  in.extent           = extents;
  std::int64_t stride = 1;
  for (auto a = static_cast<std::size_t>(rank); a-- > 0;) {
    in.stride[a] = stride;
    stride *= extents[a];
  }
  // Nothing is read: any two places that do not overlap will do.
  Impl::ViewInfo out = in;
  in.data            = reinterpret_cast<void*>(std::uintptr_t(1) << 44);
  out.data           = reinterpret_cast<void*>(std::uintptr_t(2) << 44);
  return Impl::make_problem("stencil", policy, terms, in, out, steps);
}

std::vector<Term> star(int rank, int radius) {
  std::vector<double> const c(static_cast<std::size_t>(radius) + 1, 0.125);
  return Impl::star_terms(rank, radius, c.data(), c.size());
}

std::vector<Term> box(int rank, int radius) {
  std::vector<double> const c(static_cast<std::size_t>(box_points(rank, radius)), 0.125);
  return Impl::box_terms(rank, radius, c.data(), c.size());
}

}  // namespace Model
}  // namespace KokkosStencil
