// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Field.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace KokkosStencil {
namespace Test {

Field::Field(int r, Extents const& e, double value)
    : rank(r), extent(e), values(static_cast<std::size_t>(e[0] * e[1] * e[2]), value) {}

std::string index_text(int rank, Extents const& i) {
  std::string text = "(";
  for (int a = 0; a < rank; ++a) text += (a > 0 ? ", " : "") + std::to_string(i[static_cast<std::size_t>(a)]);
  return text + ")";
}

Field filled(int rank, Extents const& extent, Data data, unsigned seed, Rounding const& round) {
  Field field(rank, extent);
  std::mt19937 generator(seed);
  // The distributions of the standard library differ between its implementations; these do not.
  auto const uniform = [&] { return static_cast<double>(generator()) / 4294967295.0; };
  for (double& v : field.values) {
    switch (data) {
      case Data::integer: v = static_cast<double>(generator() % 17) - 8.0; break;
      case Data::random: v = round(2.0 * uniform() - 1.0); break;
      case Data::wide: {
        double const magnitude = std::pow(10.0, 8.0 * uniform() - 4.0);
        v                      = round(generator() % 2 == 0 ? magnitude : -magnitude);
        break;
      }
    }
  }
  return field;
}

double not_a_number() { return std::numeric_limits<double>::quiet_NaN(); }

}  // namespace Test
}  // namespace KokkosStencil
