// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

// The list of terms of cuda_direct: tiles of every width beside rows of every length, lists that take several turns
// through shared memory.

namespace KokkosStencil {
namespace Test {
namespace {

class Taps : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda") GTEST_SKIP() << "CUDA only";
    setenv("KOKKOSSTENCIL_CUDA_DIRECT", "taps", 1);
  }
  void TearDown() override { unsetenv("KOKKOSSTENCIL_CUDA_DIRECT"); }

  static Extents extents(int rank, int rows, int columns) {
    return rank == 1 ? Extents{{columns, 1, 1}} : rank == 2 ? Extents{{rows, columns, 1}} : Extents{{5, rows, columns}};
  }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Taps);

TEST_P(Taps, RowsOfEveryLength) {
  int const rank = runner().rank();
  // One row a thread and several.
  std::vector<int> const some_rows{1, 300, 3, 70, 4, 6, 33};
  std::size_t turn = 0;
  // Rows that fill a tile, and rows that do not.
  for (int const columns : {1,  2,  5,  8,  9,   15,  17,  24,  25,  31,  33,  47,   50,  64,
                            65, 71, 96, 97, 100, 127, 129, 200, 257, 385, 513, 1025, 2050}) {
    int const rows = columns > 300 ? 20 : some_rows[turn % some_rows.size()];
    Call c         = call(extents(rank, rows + 2, columns + 2), star_offsets(rank, 1));
    c.bounded      = true;
    c.shift        = static_cast<int>(turn % 5);
    c.in           = turn % 3 == 0 ? Layout::padded : Layout::right;
    c.out          = turn % 2 == 0 ? Layout::right : Layout::padded_more;
    ++turn;
    verify_sweep(runner(), c, Data::integer);
  }
}

/// 85 taps of doubles or 128 of others go through shared memory at a time.
TEST_P(Taps, LongLists) {
  int const rank = runner().rank();
  for (int const reach : {4, 6, 21, 32, 42, 43, 64, 200}) {
    if (rank == 3 && reach > 43) continue;
    bool const box = rank > 1 && reach < 7;
    for (int const rows : {40, 300}) {
      if (rank != 2 && rows > 40) continue;
      int const around = 2 * reach;
      Call c           = call(
                    rank == 3 ? Extents{{around + 3, rows + around, 75 + around}} : extents(rank, rows + around, 75 + around),
          box ? box_offsets(rank, rank == 2 ? reach : reach / 2) : star_offsets(rank, reach));
      c.bounded = true;
      verify_sweep(runner(), c, Data::integer);
    }
  }
}

/// Few terms over large ranges come with the arguments; tiles of 32, 64 and 128 columns, ranges that fill none.
TEST_P(Taps, FewTerms) {
  int const rank = runner().rank();
  if (rank == 1) GTEST_SKIP() << "lines go through shared memory";
  std::size_t turn = 0;
  for (int const terms : {1, 2, 3, 7, 13, 30, 48, 49}) {
    // Some order, some distances, not symmetric.
    std::vector<Term> offsets;
    for (int i = 0; i < terms; ++i) {
      int const z = i % 5 - 2, y = i * 7 % 11 - 3, x = i * 3 % 19 - 11;
      offsets.push_back(rank == 3 ? Term{{{z, y, x}}, 0.0} : Term{{{y, x, 0}}, 0.0});
    }
    for (int const columns : {33, 64, 95, 128, 131, 640}) {
      for (int const rows : {5, 37, 700}) {
        Call c    = call(extents(rank, rows + 10, columns + 18), offsets);
        c.bounded = true;
        c.shift   = static_cast<int>(turn % 5);
        c.in      = turn % 3 == 0 ? Layout::padded : Layout::right;
        c.out     = turn % 2 == 0 ? Layout::right : Layout::padded_more;
        ++turn;
        verify_sweep(runner(), c, Data::integer);
      }
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
