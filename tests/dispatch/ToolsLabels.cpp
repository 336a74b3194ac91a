// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Spaces.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

// Every launch carries its label to Kokkos Tools.

namespace KokkosStencil {
namespace Test {
namespace {

std::vector<std::string>& labels() {
  static std::vector<std::string> seen;
  return seen;
}
void note(char const* name, std::uint32_t, std::uint64_t*) { labels().push_back(name); }
void note_end(std::uint64_t) {}
std::vector<std::string> g_allocations;
void note_allocation(Kokkos_Profiling_SpaceHandle space, char const* label, void const*, std::uint64_t bytes) {
  // For teams without scratch memory Kokkos reports an allocation of nothing.
  if (bytes == 0) return;
  g_allocations.push_back(std::string(space.name) + ": " + label + ", " + std::to_string(bytes) + " bytes");
}

struct Twice {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n) const {
    return n(0, 1) + n(0, -1);
  }
};

struct ToolsLabels : testing::Test {
  void SetUp() override {
    labels().clear();
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(note);
    Kokkos::Tools::Experimental::set_end_parallel_for_callback(note_end);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(note);
    Kokkos::Tools::Experimental::set_end_parallel_reduce_callback(note_end);
    Kokkos::parallel_for("probe", 1, Nothing());
    Kokkos::fence();
    if (count("probe") == 0) GTEST_SKIP() << "this Kokkos does not call its tools";
  }
  void TearDown() override {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_end_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(nullptr);
    Kokkos::Tools::Experimental::set_end_parallel_reduce_callback(nullptr);
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  }
  struct Nothing {
    KOKKOS_FUNCTION void operator()(int) const {}
  };
  static std::ptrdiff_t count(std::string const& label) { return std::count(labels().begin(), labels().end(), label); }
};

template <class Exec>
void check_labels() {
  using View = Kokkos::View<double**, typename Exec::memory_space>;
  View u("u", 20, 30), v("v", 20, 30);
  StencilPolicy<Exec, 2> const policy;
  auto const s     = star<2>(1, {0.5, 0.125});
  auto const count = [](std::string const& label) { return std::count(labels().begin(), labels().end(), label); };

  parallel_for("a sweep", policy, s, u, v);
  EXPECT_GE(count("a sweep"), 1);
  parallel_for("a functor", policy.radius(1), Twice(), u, v);
  EXPECT_GE(count("a functor"), 1);
  iterate("an iteration", policy, s, 3, u, v);
  EXPECT_GE(count("an iteration"), 1);
  iterate_until("until it stops", policy, s, StoppingCriterion{0.0, 4, 2}, u, v);
  EXPECT_GE(count("until it stops"), 2);

  Plan<Exec, 2, View, View> const plan("a plan", policy, s, u, v);
  plan.run(u, v);
  auto const once = count("a plan");
  EXPECT_GE(once, 1);
  // A run of a plan allocates nothing in any memory space of Kokkos.
  g_allocations.clear();
  Kokkos::Tools::Experimental::set_allocate_data_callback(note_allocation);
  plan.run(u, v);
  plan.run(u, v, 4);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  EXPECT_EQ(g_allocations, std::vector<std::string>());
  EXPECT_GT(count("a plan"), once);
  Exec().fence();
}

TEST_F(ToolsLabels, OnEverySpace) {
  each_space([](auto tag) {
    using Exec = typename decltype(tag)::type;
    SCOPED_TRACE(Exec::name());
    check_labels<Exec>();
  });
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
