// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <iostream>
#include <vector>

namespace KS = KokkosStencil;

using Exec = Kokkos::DefaultExecutionSpace;
using Grid = Kokkos::View<float**, Exec>;

void plan() {
  auto const blur = KS::box<2>(3, std::vector<float>(49, 1.0f / 49.0f));
  Grid u("u", 200, 300), v("v", 200, 300);
  //! [plan]
  KS::StencilPolicy<Exec, 2> const policy;
  KS::Plan const plan("blur", policy, blur, u, v);  // checks, choice of the backend, packing, workspace

  plan.run(u, v);      // one sweep
  plan.run(v, u);      // any Views of the same extents and strides
  plan.run(u, v, 10);  // ten sweeps; u names the newest state
  //! [plan]

  //! [explain]
  std::cout << plan.explain();
  std::cout << "runs on " << plan.backend() << "\n";
  for (KS::Candidate const& c : plan.candidates()) {
    std::cout << c.backend << ": " << (c.runnable ? "can run" : c.reason) << "\n";
  }
  //! [explain]
  CHECK(!plan.backend().empty());
}

void streams() {
  auto const blur = KS::box<2>(1, std::vector<float>(9, 1.0f / 9.0f));
  Grid a("a", 64, 64), b("b", 64, 64), c("c", 64, 64), d("d", 64, 64);
  //! [streams]
  // Two independent sweeps on two instances. (Kokkos 4 and later make distinct ones with
  // Kokkos::Experimental::partition_space; these two are copies of the default.)
  Exec const first{}, second{};
  KS::Plan const one("one", KS::StencilPolicy<Exec, 2>(first), blur, a, b);
  KS::Plan const two("two", KS::StencilPolicy<Exec, 2>(second), blur, c, d);
  one.run(a, b);
  two.run(c, d);
  first.fence();
  second.fence();
  //! [streams]
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  plan();
  streams();
}
