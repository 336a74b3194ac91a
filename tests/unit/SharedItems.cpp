// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <SharedItems.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace KokkosStencil {
namespace Test {
namespace {

struct Count {
  std::vector<std::atomic<int>>* times;
  void operator()(std::int64_t item) const { ++(*times)[static_cast<std::size_t>(item)]; }
};

TEST(SharedItems, EachItemOnce) {
  Kokkos::DefaultHostExecutionSpace const space;
  for (std::int64_t const threads : {1, 2, 3, 16, 300}) {
    for (std::int64_t const items : {0, 1, 2, 3, 16, 17, 100, 4096}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(items) + 1);
      Generic::for_items("items", space, items, threads, Count{&times});
      space.fence();
      for (std::int64_t i = 0; i < items; ++i) EXPECT_EQ(times[static_cast<std::size_t>(i)], 1) << threads << ' ' << i;
      EXPECT_EQ(times.back(), 0);
    }
  }
}

/// A thread that comes late finds its items done by the one that did not wait.
TEST(SharedItems, OneThreadDoesTheItemsOfAnother) {
  std::vector<std::atomic<int>> times(100);
  Generic::SharedItems all(100, 4);
  all.run(2, Count{&times});
  for (auto const& t : times) EXPECT_EQ(t, 1);
  for (int thread = 0; thread < 4; ++thread) all.run(thread, Count{&times});
  for (auto const& t : times) EXPECT_EQ(t, 1);
}

TEST(SharedItems, ThreadsAtOnce) {
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> times(1000);
    Generic::SharedItems all(1000, 4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back([&all, &times, t] { all.run(t, Count{&times}); });
    for (auto& t : threads) t.join();
    for (auto const& t : times) EXPECT_EQ(t, 1);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
