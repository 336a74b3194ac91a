// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Terms.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace Samples {

using Terms = std::vector<Term>;

/// Coefficients that are small integers, never 0.
class SmallIntegers {
 public:
  explicit SmallIntegers(unsigned seed) : m_engine(seed) {}
  double operator()() {
    int const value = static_cast<int>(m_engine() % 16u) - 8;
    return value >= 0 ? value + 1 : value;
  }

 private:
  std::mt19937 m_engine;
};

/// All offsets within a box of half-widths rz, ry, rx for which keep(dz, dy, dx) holds, in order.
template <class Keep, class Value>
Terms make_terms(int rz, int ry, int rx, Keep keep, Value value) {
  Terms terms;
  for (int dz = -rz; dz <= rz; ++dz) {
    for (int dy = -ry; dy <= ry; ++dy) {
      for (int dx = -rx; dx <= rx; ++dx) {
        if (keep(dz, dy, dx)) terms.push_back({{{dz, dy, dx}}, value()});
      }
    }
  }
  return terms;
}

inline Terms box(int rank, int radius, unsigned seed = 1) {
  return make_terms(
      rank > 2 ? radius : 0, rank > 1 ? radius : 0, radius, [](int, int, int) { return true; }, SmallIntegers(seed));
}

inline Terms star(int rank, int radius, unsigned seed = 1) {
  auto const on_axis = [](int z, int y, int x) { return (z != 0) + (y != 0) + (x != 0) <= 1; };
  return make_terms(rank > 2 ? radius : 0, rank > 1 ? radius : 0, radius, on_axis, SmallIntegers(seed));
}

/// A random subset of a box; `percent` of the offsets.
inline Terms scattered(int rz, int ry, int rx, unsigned percent, unsigned seed) {
  std::mt19937 engine(seed);
  auto const keep = [&](int, int, int) { return engine() % 100u < percent; };
  return make_terms(rz, ry, rx, keep, SmallIntegers(seed + 1));
}

}  // namespace Samples
}  // namespace Transform
}  // namespace KokkosStencil
