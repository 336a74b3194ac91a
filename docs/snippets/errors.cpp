// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <string>

namespace KS = KokkosStencil;

using Exec = Kokkos::DefaultExecutionSpace;
using Grid = Kokkos::View<double**, Exec>;

template <class Call>
std::string text_of(Call const& call) {
  try {
    call();
  } catch (KS::Error const& error) {
    return error.what();
  }
  return "";
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  auto const heat = KS::star<2>(1, {0.2, 0.2});
  Grid u("u", 10, 20), v("v", 10, 20);

  //! [catch]
  try {
    // Row 0 would read row -1, and the default boundary, halo, has no rule for that.
    KS::parallel_for("heat", KS::StencilPolicy<Exec, 2>({0, 1}, {9, 19}), heat, u, v);
  } catch (KS::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  //! [catch]

  KS::StencilPolicy<Exec, 2> const policy;
  auto const range = text_of([&] {
    KS::parallel_for("heat", KS::StencilPolicy<Exec, 2>({0, 1}, {9, 19}), heat, u, v);
  });
  CHECK(has(range, "\"heat\"") && has(range, "[0, 9)") && has(range, "[1, 9)") && has(range, "boundary("));

  //! [in place]
  auto const same = text_of([&] { KS::parallel_for("heat", policy, heat, u, u); });
  CHECK(has(same, "overlap") && has(same, "Use a second View"));
  //! [in place]

  Grid small("small", 10, 19);
  CHECK(has(text_of([&] { KS::parallel_for("heat", policy, heat, u, small); }), "10 x 19"));

  CHECK(has(text_of([] { KS::star<2>(2, {1.0, 2.0}); }), "2 coefficients for radius 2"));

  auto const unknown = text_of([&] { KS::parallel_for("heat", policy.backend("fastest"), heat, u, v); });
  CHECK(has(unknown, "\"fastest\" does not exist") && has(unknown, "generic"));

  // Nothing was launched by any of these.
  CHECK(value_at(v, 5, 5) == 0.0);
}
