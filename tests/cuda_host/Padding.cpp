// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "FakeRuntime.hpp"

#include <KokkosStencil_Registry.hpp>

#include <model/Choice.hpp>
#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

// Plans that work on padded copies of Views whose rows do not begin at 16 bytes: when, and when not.

namespace KokkosStencil {
namespace {

SpaceInfo const h200{"Cuda", typeid(int), false, 1, 0, 90};

Problem plane(std::vector<Term> const& terms, ValueType type, std::int64_t columns, std::int64_t steps) {
  return Model::grid_problem(terms, 2, {{10240, columns, 1}}, type, Accuracy::native, steps);
}

Estimate best(std::string const& backend, Problem const& p) {
  auto const ways = Impl::find_backend("padding", backend)->estimates(p, h200);
  Estimate least  = ways.front();
  for (Estimate const& e : ways) {
    if (e.seconds < least.seconds) least = e;
  }
  return least;
}

struct Padding : testing::Test {
  std::string const label = "padding";
  Launch const launch{label, nullptr, nullptr};
  void* const in  = reinterpret_cast<void*>(0x700000000000);
  void* const out = reinterpret_cast<void*>(0x710000000000);
};

TEST_F(Padding, PaysFromSomeNumberOfSweepsOn) {
  for (ValueType const type : {ValueType::float16, ValueType::float32, ValueType::float64}) {
    SCOPED_TRACE(to_string(type));
    std::int64_t const columns = 10241;
    EXPECT_FALSE(best("cuda_direct", plane(Model::star(2, 1), type, columns, 1)).padded);
    EXPECT_TRUE(best("cuda_direct", plane(Model::star(2, 1), type, columns, 1000)).padded);
    EXPECT_FALSE(best("cuda_direct", plane(Model::star(2, 1), type, 10240, 1000)).padded);
  }
  // Also where the rows are aligned, but not the Views.
  Problem p = plane(Model::star(2, 1), ValueType::float32, 10240, 1000);
  EXPECT_FALSE(best("cuda_temporal", p).padded);
  p.out_phase = 4;
  EXPECT_TRUE(best("cuda_temporal", p).padded);
}

TEST_F(Padding, LetsEveryFamilyRun) {
  // Wider rows have a kernel of cuda_sparse_tensor that reads them wherever they begin.
  for (auto const& [backend, columns] :
       {std::pair<char const*, std::int64_t>{"cuda_sparse_tensor", 1001}, {"cuda_sparse_table", 10241}}) {
    SCOPED_TRACE(backend);
    Problem const p   = plane(Model::box(2, 4), ValueType::float16, columns, 1);
    auto const family = Impl::find_backend(label, backend);
    EXPECT_TRUE(family->can_run(p, h200));
    EXPECT_TRUE(best(backend, p).padded);
    FakeRuntime::Log const before = FakeRuntime::log();
    {
      auto const executable = family->prepare(p, h200, launch);
      executable->sweep(launch, in, out);
      // There and back.
      EXPECT_GE(FakeRuntime::log().launches, before.launches + 3);
    }
    EXPECT_EQ(FakeRuntime::log().kept, before.kept);
    // No memory: it cannot.
    FakeRuntime::log().full = true;
    SpaceInfo const other{"Cuda", typeid(int), false, 1, 1, 80};
    Problem large = p;
    large.extent  = {{1, std::int64_t(1) << 31, std::int64_t(1) << 20}};
    EXPECT_FALSE(family->can_run(large, h200));
    FakeRuntime::log().full = false;
  }
}

TEST_F(Padding, DoesAllSweepsInOnePass) {
  Problem p             = plane(Model::star(2, 1), ValueType::float32, 10241, 1000);
  auto const family     = Impl::find_backend(label, "cuda_temporal");
  auto const executable = family->prepare(p, h200, launch);
  EXPECT_EQ(executable->pass(launch, in, out, 1000), 1000);
  // Too few for the copies.
  EXPECT_EQ(executable->pass(launch, in, out, 1), 1);
  // With other strides as well.
  p.out_stride[1] += 2;
  auto const between = Impl::find_backend(label, "cuda_direct")->prepare(p, h200, launch);
  EXPECT_TRUE(between->takes_any_strides());
  EXPECT_EQ(between->pass(launch, in, out, 1000), 1000);
  EXPECT_EQ(between->pass(launch, in, out, 1), 1);
}

/// Where copies pay for one sweep already, and where not.
TEST_F(Padding, CopiesForOneSweep) {
  auto const launches = [&](int radius) {
    Problem p =
        Model::grid_problem(Model::star(3, radius), 3, {{480, 492, 56}}, ValueType::float16, Accuracy::native, 1);
    p.in_stride[1]        = 63;
    p.in_stride[0]        = 492 * 63;
    p.out_stride          = p.in_stride;
    auto const ways       = best("cuda_direct", p);
    auto const executable = Impl::find_backend(label, "cuda_direct")->prepare(p, h200, launch);
    long const before     = FakeRuntime::log().launches;
    executable->sweep(launch, in, out);
    return std::make_pair(ways.padded, FakeRuntime::log().launches - before);
  };
  EXPECT_EQ(launches(3), std::make_pair(true, 3L));
  EXPECT_EQ(launches(1), std::make_pair(false, 1L));
}

/// Many sweeps of volumes: the first pass reads the View, and the last one writes it.
TEST_F(Padding, CopiesNoRowsOfVolumes) {
  for (ValueType const type : {ValueType::float32, ValueType::float64}) {
    SCOPED_TRACE(to_string(type));
    auto const volume = [&](std::int64_t n, std::int64_t steps) {
      return Model::grid_problem(Model::star(3, 1), 3, {{n, n, n}}, type, Accuracy::native, steps);
    };
    Problem const p         = volume(513, 12);
    Problem constant_faces  = p;
    constant_faces.faces[1] = {{Face::value(1.0), Face::value(1.0)}};
    EXPECT_TRUE(best("cuda_temporal", p).padded);
    EXPECT_LT(best("cuda_temporal", p).seconds, 0.9 * best("cuda_temporal", constant_faces).seconds);
    auto const family     = Impl::find_backend(label, "cuda_temporal");
    auto const executable = family->prepare(p, h200, launch);
    auto const launches   = [&](std::int64_t steps) {
      long const before = FakeRuntime::log().launches;
      EXPECT_EQ(executable->pass(launch, in, out, steps), steps);
      return FakeRuntime::log().launches - before;
    };
    // Three passes, which store ghost values as well, and two.
    EXPECT_EQ(launches(12), 3);
    EXPECT_EQ(launches(8), 2);
    // Two, a copy of ghost values for the state that the sweeps between them write, and these.
    EXPECT_GE(launches(10), 4);
    // Of other strides, too.
    Problem other = p;
    other.out_stride[1] += 1;
    other.out_stride[0] = other.extent[1] * other.out_stride[1];
    EXPECT_EQ(family->prepare(other, h200, launch)->pass(launch, in, out, 12), 12);
  }
}

TEST_F(Padding, FallsBackWithoutMemory) {
  Problem const p       = plane(Model::star(2, 1), ValueType::float32, 10241, 1000);
  auto const family     = Impl::find_backend(label, "cuda_direct");
  long const before     = FakeRuntime::log().made;
  auto const executable = family->prepare(p, h200, launch);
  EXPECT_TRUE(executable->takes_any_strides());
  long const with_states = FakeRuntime::log().made - before;
  // More than an eighth of the memory.
  Problem large  = p;
  large.extent   = {{1, std::int64_t(1) << 30, std::int64_t(1) << 20}};
  large.end      = large.extent;
  auto const few = family->prepare(large, h200, launch);
  EXPECT_FALSE(few->takes_any_strides());
  EXPECT_LT(FakeRuntime::log().made - before - with_states, with_states + 1);
}

}  // namespace
}  // namespace KokkosStencil
