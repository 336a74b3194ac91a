// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Catalogue.hpp"
#include "MdRange.hpp"

#include <algorithm>

namespace perf {

using Maker = std::unique_ptr<Candidate>(Case const& c, Fields fields, bool best);
Maker make_catalogue_rival_half_1, make_catalogue_rival_half_2, make_catalogue_rival_half_3;
Maker make_catalogue_rival_single_1, make_catalogue_rival_single_2, make_catalogue_rival_single_3;
Maker make_catalogue_rival_full_1, make_catalogue_rival_full_2, make_catalogue_rival_full_3;

bool has_catalogue_rival(Kernel const& kernel) {
  auto const& all = catalogue();
  return std::any_of(all.begin(), all.end(), [&](Kernel const& k) { return k.name == kernel.name; });
}

std::unique_ptr<Candidate> make_catalogue_rival(Case const& c, Fields fields, bool best) {
  static Maker* const makers[3][3] = {
      {make_catalogue_rival_half_1, make_catalogue_rival_half_2, make_catalogue_rival_half_3},
      {make_catalogue_rival_single_1, make_catalogue_rival_single_2, make_catalogue_rival_single_3},
      {make_catalogue_rival_full_1, make_catalogue_rival_full_2, make_catalogue_rival_full_3}};
  auto const type = c.type == Type::half ? 0 : c.type == Type::single ? 1 : 2;
  return makers[type][c.kernel.rank - 1](c, fields, best);
}

}  // namespace perf
