// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Registry.hpp>

#include <model/Choice.hpp>
#include <model/GridProblem.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

// How long a plan takes to decide, for tests on a GPU and without one.

namespace KokkosStencil {
namespace Test {

struct Decision {
  std::string name;
  std::vector<KokkosStencil::Term> terms;
  int rank;
  ValueType type;
  std::int64_t side;
};

inline std::vector<Decision> decisions() {
  // Coefficients that are no elements of 16 bits, as those of cahn-hilliard-3d-125point.
  auto const inexact = [](std::vector<KokkosStencil::Term> terms) {
    double c = 0.1;
    for (KokkosStencil::Term& t : terms) t.coefficient = c += 0.001;
    return terms;
  };
  constexpr auto half = ValueType::float16, single = ValueType::float32, full = ValueType::float64;
  return {{"box-2d7r half", Model::box(2, 7), 2, half, 10240},
          {"box-2d7r half, inexact", inexact(Model::box(2, 7)), 2, half, 10240},
          {"box-3d2r half", Model::box(3, 2), 3, half, 512},
          {"box-3d2r half, inexact", inexact(Model::box(3, 2)), 3, half, 512},
          {"box-3d1r half", Model::box(3, 1), 3, half, 512},
          {"star-3d1r float 512^3", Model::star(3, 1), 3, single, 512},
          {"star-3d1r float 1024^3", Model::star(3, 1), 3, single, 1024},
          {"box-3d1r double", Model::box(3, 1), 3, full, 512},
          {"box-2d1r half", Model::box(2, 1), 2, half, 10240},
          {"star-2d1r float", Model::star(2, 1), 2, single, 10240},
          {"box-2d7r float", Model::box(2, 7), 2, single, 10240},
          {"box-2d7r double", Model::box(2, 7), 2, full, 10240},
          {"star-1d1r half", Model::star(1, 1), 1, half, 1 << 26},
          {"star-1d4r float", Model::star(1, 4), 1, single, 1 << 26}};
}

/// Seconds of all that a new plan decides: the least of three medians, since other work on the machine only adds.
/// Prints them.
inline double deciding_seconds(Decision const& d, SpaceInfo const& space) {
  std::array<std::int64_t, 3> const extents{{d.side, d.rank > 1 ? d.side : 1, d.rank > 2 ? d.side : 1}};
  Problem const p = Model::grid_problem(d.terms, d.rank, extents, d.type, Accuracy::native, 1);
  double first = 0.0, least = 1.0;
  for (int median = 0; median < 3; ++median) {
    std::array<double, 21> times{};
    for (std::size_t k = 0; k < times.size(); ++k) {
      // A stencil that none before it had.
      Problem one = p;
      one.terms.front().coefficient *= k % 2 == 0 ? 1.0 : 2.0;
      auto const start   = std::chrono::steady_clock::now();
      auto const answers = Impl::ask_backends("deciding", one, space);
      for (std::int64_t const steps : {std::int64_t(1), Impl::many_steps}) {
        Problem asked   = one;
        asked.steps     = steps;
        auto candidates = Impl::candidates("deciding", answers, asked, space);
        if (Model::choose(candidates, "") == nullptr) throw std::runtime_error("nothing was chosen");
      }
      times[k] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    if (median == 0) first = times.front();
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    least = std::min(least, times[times.size() / 2]);
  }
  std::printf("deciding %-24s %5.1f us, the first time %5.1f us\n", d.name.c_str(), 1e6 * least, 1e6 * first);
  return least;
}

}  // namespace Test
}  // namespace KokkosStencil
