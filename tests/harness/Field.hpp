// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Fields on the host in double, which holds every value of every value type exactly.

namespace KokkosStencil {
namespace Test {

using Extents  = std::array<std::int64_t, 3>;
using Rounding = std::function<double(double)>;

/// Values by index, the first axis slowest. Axes a field does not have come last and have extent 1.
struct Field {
  int rank = 1;
  Extents extent{{0, 1, 1}};
  std::vector<double> values;

  Field() = default;
  Field(int rank, Extents const& extent, double value = 0.0);

  std::size_t at(Extents const& i) const {
    return static_cast<std::size_t>((i[0] * extent[1] + i[1]) * extent[2] + i[2]);
  }
  double& operator()(Extents const& i) { return values[at(i)]; }
  double operator()(Extents const& i) const { return values[at(i)]; }

  /// Calls f(index) for every point of the field.
  template <class F>
  void each(F const& f) const {
    each_in({{0, 0, 0}}, extent, f);
  }
  /// Calls f(index) for begin <= index < end.
  template <class F>
  static void each_in(Extents const& begin, Extents const& end, F const& f) {
    for (std::int64_t i = begin[0]; i < end[0]; ++i) {
      for (std::int64_t j = begin[1]; j < end[1]; ++j) {
        for (std::int64_t k = begin[2]; k < end[2]; ++k) f(Extents{{i, j, k}});
      }
    }
  }
};

/// "(3, 4)"
std::string index_text(int rank, Extents const& i);

enum class Data {
  integer,  ///< small integers: every sum is exact
  random,   ///< uniform in [-1, 1]
  wide      ///< magnitudes from 1e-4 to 1e4 side by side
};

/// Reproducible values, each representable in the value type that `round` rounds to.
Field filled(int rank, Extents const& extent, Data data, unsigned seed, Rounding const& round);

double not_a_number();

}  // namespace Test
}  // namespace KokkosStencil
