// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../harness/Kernel.hpp"

#include <stdexcept>
#include <type_traits>

// Star and box with the radius known at compile time, as hand-written rivals have it.

namespace perf {

/// Whether `kernel` is one of the shapes that with_shape knows.
inline bool has_shape(Kernel const& kernel) {
  int const r     = kernel.radius();
  bool const star = kernel.family == Family::star, box = kernel.family == Family::box;
  if (kernel.rank == 1) return star && (r == 1 || r == 2);
  if (kernel.rank == 2) return (star && r <= 4) || (box && (r <= 3 || r == 7));
  return (star && r <= 4) || (box && r <= 2);
}

template <int Rank, int Radius, bool Box>
struct Shape {
  static constexpr int rank   = Rank;
  static constexpr int radius = Radius;
  static constexpr bool box   = Box;
  static constexpr int width  = 2 * Radius + 1;
  static constexpr int count  = Box ? (Rank == 1   ? width
                                       : Rank == 2 ? width * width
                                                   : width * width * width)
                                    : 2 * Rank * Radius + 1;

  /// Place of an offset among the coefficients: row-major for a box; for a star the centre, then each
  /// axis' distances -r to -1 and 1 to r.
  static int place(std::array<int, 3> const& o) {
    int p = 0;
    for (int a = 0; a < Rank; ++a) {
      int const d = o[static_cast<std::size_t>(a)];
      if constexpr (Box) {
        p = p * width + d + Radius;
      } else if (d != 0) {
        p = 1 + 2 * a * Radius + d + Radius - (d > 0 ? 1 : 0);
      }
    }
    return p;
  }

  template <class A>
  static void coefficients(Kernel const& kernel, A* c) {
    for (Term const& t : kernel.terms) c[place(t.offset)] = static_cast<A>(t.coefficient);
  }
};

template <class F>
auto with_shape(Kernel const& kernel, F const& f) {
  int const r = kernel.radius();
  if (!has_shape(kernel)) throw std::invalid_argument("no hand-written loop for " + kernel.name);
  if (kernel.rank == 1) return r == 1 ? f(Shape<1, 1, false>()) : f(Shape<1, 2, false>());
  if (kernel.rank == 2) {
    if (kernel.family == Family::star) {
      return r == 1   ? f(Shape<2, 1, false>())
             : r == 2 ? f(Shape<2, 2, false>())
             : r == 3 ? f(Shape<2, 3, false>())
                      : f(Shape<2, 4, false>());
    }
    return r == 1   ? f(Shape<2, 1, true>())
           : r == 2 ? f(Shape<2, 2, true>())
           : r == 3 ? f(Shape<2, 3, true>())
                    : f(Shape<2, 7, true>());
  }
  if (kernel.family == Family::star) {
    return r == 1   ? f(Shape<3, 1, false>())
           : r == 2 ? f(Shape<3, 2, false>())
           : r == 3 ? f(Shape<3, 3, false>())
                    : f(Shape<3, 4, false>());
  }
  return r == 1 ? f(Shape<3, 1, true>()) : f(Shape<3, 2, true>());
}

}  // namespace perf
