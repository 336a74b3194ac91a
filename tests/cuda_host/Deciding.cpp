// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"
#include "Generator.hpp"

#include <CudaModel.hpp>
#include <TablePlan.hpp>
#include <model/Choice.hpp>
#include <model/GridProblem.hpp>

#include <KokkosStencil_Registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <typeinfo>
#include <vector>

// Decisions about GPUs that need not be there: how long they take, and that the model and the backends say the same.

namespace KokkosStencil {
namespace {

SpaceInfo space_of(int device) {
  return {"Cuda", typeid(int), false, 1, device, FakeRuntime::gpus[device].compute_capability};
}

/// Coefficients that are no elements of 16 bits.
std::vector<Impl::Term> inexact(std::vector<Impl::Term> terms) {
  double c = 0.1;
  for (Impl::Term& t : terms) t.coefficient = c += 0.001;
  return terms;
}

TEST(Deciding, TakesLittle) {
  struct Case {
    char const* name;
    std::vector<Impl::Term> terms;
    int rank;
    ValueType type;
    std::int64_t side;
  };
  constexpr auto half = ValueType::float16, single = ValueType::float32, full = ValueType::float64;
  std::vector<Case> const cases{{"box-2d7r half", Model::box(2, 7), 2, half, 10240},
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
  SpaceInfo const space = space_of(0);
  for (Case const& c : cases) {
    std::array<std::int64_t, 3> const extents{{c.side, c.rank > 1 ? c.side : 1, c.rank > 2 ? c.side : 1}};
    Problem const p = Model::grid_problem(c.terms, c.rank, extents, c.type, Accuracy::native, 1);
    std::vector<double> times;
    for (int k = 0; k < 21; ++k) {
      // What a new plan decides, of a stencil that none before it had.
      Problem one = p;
      one.terms.front().coefficient *= k % 2 == 0 ? 1.0 : 2.0;
      auto const start   = std::chrono::steady_clock::now();
      auto const answers = Impl::ask_backends(one, space);
      for (std::int64_t const steps : {std::int64_t(1), Impl::many_steps}) {
        Problem asked   = one;
        asked.steps     = steps;
        auto candidates = Impl::candidates(answers, asked, space);
        ASSERT_NE(Model::choose(candidates, ""), nullptr);
      }
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    double const first = times.front();
    std::sort(times.begin(), times.end());
    double const median = times[times.size() / 2];
    std::printf("deciding %-24s %5.1f us, the first time %5.1f us\n", c.name, 1e6 * median, 1e6 * first);
#ifdef NDEBUG
    // 50 us on a machine of its own; those that test changes are slow and shared.
    EXPECT_LT(median, 150e-6) << c.name;
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
    for (Impl::Answer const& answer : Impl::ask_backends(*p, space)) {
      std::string const backend = answer.backend->name();
      if (backend.rfind("cuda", 0) != 0) continue;
      if (answer.verdict.reason.find("the kernels of this build need") != std::string::npos) GTEST_SKIP();
      auto const& all  = CudaModel::backends();
      auto const entry = std::find_if(all.begin(), all.end(), [&](auto const& e) { return e.backend == backend; });
      ASSERT_NE(entry, all.end());
      std::string const refusal = entry->refusal(*p, device);
      if (answer.verdict.yes) {
        EXPECT_EQ(refusal, "") << backend << ": " << text_of(*p);
      } else if (refusal.empty()) {
        // The model leaves out grids too small for a tile, or too large for a launch.
        std::string const& reason = answer.verdict.reason;
        EXPECT_TRUE(reason.find(" inside") != std::string::npos || reason.find("interior") != std::string::npos ||
                    reason.find("so few rows") != std::string::npos || reason.find("more tiles") != std::string::npos)
            << backend << ": " << reason << "; " << text_of(*p);
      }
      if (!answer.verdict.yes) continue;
      auto const ways = entry->ways(*p, device), own = answer.backend->estimates(*p, space);
      ASSERT_EQ(ways.size(), own.size()) << backend;
      for (std::size_t w = 0; w < ways.size(); ++w) {
        EXPECT_EQ(ways[w].depth, own[w].depth);
        EXPECT_DOUBLE_EQ(ways[w].seconds, own[w].seconds) << backend << ": " << text_of(*p);
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
    std::vector<Impl::Term> terms;
    for (int n = between(1, 90); n > 0; --n) {
      Impl::Term t{{{0, 0, 0}}, 0.1};
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
    Cuda::Table::TablePlan roomy(p, multiprocessors, room);
    if (!roomy) continue;
    int const steps = roomy.layout().steps, bytes = roomy.layout().bytes;
    roomy.pack();
    if (roomy.layout().steps == steps) continue;
    ++grown;
    room = bytes;
    Cuda::Table::TablePlan tight(p, multiprocessors, room);
    if (!tight) continue;
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

INSTANTIATE_TEST_SUITE_P(Capabilities, Gpus, testing::Range(0, static_cast<int>(std::size(FakeRuntime::gpus))));

}  // namespace
}  // namespace KokkosStencil
