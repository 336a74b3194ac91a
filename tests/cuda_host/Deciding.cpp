// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Deciding.hpp"
#include "FakeRuntime.hpp"
#include "Generator.hpp"

#include "Families.hpp"
#include "sparse_table/Plan.hpp"
#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <typeinfo>
#include <vector>

// Decisions about GPUs that need not be there: how long they take, and that the model and the backends say the same.

namespace KokkosStencil {
namespace {

SpaceInfo space_of(int device) {
  return {"Cuda", typeid(int), false, 1, device, FakeRuntime::gpus[device].compute_capability};
}

TEST(Deciding, TakesLittle) {
  for (KokkosStencil::Test::Decision const& d : KokkosStencil::Test::decisions()) {
    double const seconds = KokkosStencil::Test::deciding_seconds(d, space_of(0));
    EXPECT_GT(seconds, 0.0);
#ifdef NDEBUG
    // 50 us on a machine of its own; those that test changes are slow and shared.
    EXPECT_LT(seconds, 150e-6) << d.name;
#endif
  }
}

class Gpus : public testing::TestWithParam<int> {};

TEST_P(Gpus, ModelAndBackendsAgree) {
  SpaceInfo const space = space_of(GetParam());
  std::string const name(FakeRuntime::gpus[GetParam()].name), label("agree");
  DeviceModel const& device = *find_device(known_devices(), name);
  Launch const launch{label, nullptr, nullptr};
  Generator problems(100 + static_cast<unsigned>(GetParam()));
  std::map<std::string, int> ran;
  FakeRuntime::log() = {};
  for (int k = 0; k < 3000 && !HasFailure(); ++k) {
    Impl::ViewInfo in, out;
    auto const p = problems.next(label, in, out);
    if (!p) continue;
    for (Impl::Answer const& answer : Impl::ask_backends("deciding", *p, space)) {
      std::string const backend = answer.backend->name();
      if (backend.rfind("cuda", 0) != 0) continue;
      if (answer.verdict.reason.find("the kernels of this build need") != std::string::npos) GTEST_SKIP();
      auto const& all  = Cuda::backends();
      auto const entry = std::find_if(all.begin(), all.end(), [&](auto const& e) { return e.backend == backend; });
      ASSERT_NE(entry, all.end());
      std::string const expected = entry->unsupported_reason(*p, device);
      // One function says it for both.
      bool const shared =
          std::set<std::string>{"cuda_sparse_table", "cuda_sparse_tensor", "cuda_tensor_double", "cuda_tensor_float"}
              .count(backend) > 0;
      if (shared) {
        EXPECT_EQ(expected, answer.verdict.reason) << backend << ": " << text_of(*p);
      }
      if (answer.verdict.yes) {
        EXPECT_EQ(expected, "") << backend << ": " << text_of(*p);
      } else if (expected.empty()) {
        // The model leaves out grids too small for a tile, or too large for a launch.
        std::string const& reason = answer.verdict.reason;
        EXPECT_TRUE(reason.find(" inside") != std::string::npos || reason.find("interior") != std::string::npos ||
                    reason.find("so few rows") != std::string::npos || reason.find("more tiles") != std::string::npos)
            << backend << ": " << reason << "; " << text_of(*p);
      }
      if (!answer.verdict.yes) continue;
      auto const modelled = entry->cost(*p, device), own = answer.backend->estimates(*p, space);
      ASSERT_EQ(modelled.size(), own.size()) << backend;
      for (std::size_t w = 0; w < modelled.size(); ++w) {
        EXPECT_EQ(modelled[w].depth, own[w].depth);
        EXPECT_DOUBLE_EQ(modelled[w].seconds, own[w].seconds) << backend << ": " << text_of(*p);
      }
      if (k % 10 == 0) answer.backend->prepare(*p, space, launch);
      ++ran[backend];
    }
  }
  EXPECT_EQ(FakeRuntime::log().refused, 0) << "a backend tried a kernel that the GPU has no shared memory for";
  for (auto const& [backend, count] : ran) std::printf("%s %d\n", backend.c_str(), count);
}

TEST(Deciding, TablesFindRoomWhenTheyArePacked) {
  // Decided for the fewest products there may be, and for a block with no more room than those need.
  std::mt19937 random(5);
  auto const between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int grown = 0, others = 0;
  for (int k = 0; k < 1500; ++k) {
    int const rank = between(2, 3), reach[3] = {between(0, 7), between(0, 12), between(0, 20)};
    std::vector<KokkosStencil::Term> terms;
    for (int n = between(1, 90); n > 0; --n) {
      KokkosStencil::Term t{{{0, 0, 0}}, 0.1};
      for (int a = 0; a < rank; ++a) {
        int const r                           = reach[a + 3 - rank];
        t.offset[static_cast<std::size_t>(a)] = between(-r, r);
      }
      terms.push_back(t);
    }
    Impl::normalize(terms);
    std::int64_t const side = rank == 2 ? 4096 : 256;
    Problem const p =
        Model::grid_problem(terms, rank, {{side, side, rank == 2 ? 1 : side}}, ValueType::float16, Accuracy::native, 1);
    int const multiprocessors = 132;
    int room                  = 227 << 10;
    Cuda::SparseTable::Plan roomy(p, multiprocessors, room);
    if (!roomy.unsupported_reason().empty()) continue;
    int const steps = roomy.layout().steps, bytes = roomy.layout().bytes;
    roomy.pack();
    if (roomy.layout().steps == steps) continue;
    ++grown;
    room = bytes;
    Cuda::SparseTable::Plan tight(p, multiprocessors, room);
    if (!tight.unsupported_reason().empty()) continue;
    tight.pack();
    if (tight.work(nullptr, nullptr).blocks == 0) continue;
    ++others;
    EXPECT_LE(tight.layout().bytes, room);
    EXPECT_EQ(tight.layout().steps, tight.packed().steps);
    EXPECT_FALSE(tight.tables().empty());
  }
  EXPECT_GT(grown, 0);
  EXPECT_GT(others, 0);
}

TEST(Deciding, FarReachesOnSmallGridsAreForTheKernelForThem) {
  // What SparseTable.FarReachesOnSmallGrids runs on a GPU, with the shared memory of capability 9.0.
  for (auto const& terms : {Model::box(3, 7), Model::star(3, 15)}) {
    Problem const p = Model::grid_problem(terms, 3, {{41, 43, 136}}, ValueType::float16, Accuracy::native, 1);
    Cuda::SparseTable::Plan const plan(p, 132, 227 << 10);
    ASSERT_EQ(plan.unsupported_reason(), "");
    EXPECT_TRUE(plan.layout().tuning().tables_in_global);
  }
}

INSTANTIATE_TEST_SUITE_P(Capabilities, Gpus, testing::Range(0, static_cast<int>(std::size(FakeRuntime::gpus))));

}  // namespace
}  // namespace KokkosStencil
