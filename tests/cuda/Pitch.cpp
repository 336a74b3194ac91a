// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

// Rows that begin anywhere: every phase of pitches and first points, input and output alike and differently, on every
// backend that can.

namespace KokkosStencil {
namespace Test {
namespace {

class Pitch : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda") GTEST_SKIP() << "CUDA only";
    if (runner().rank() == 1) GTEST_SKIP() << "lines have no pitch";
    // On grids as small as these cuda_direct would not use its kernels for shapes, which are the ones to be tested.
    setenv("KOKKOSSTENCIL_CUDA_DIRECT", "shape", 1);
  }
  void TearDown() override { unsetenv("KOKKOSSTENCIL_CUDA_DIRECT"); }

  /// One call for each phase; layouts, first points and faces take turns, over all shapes. Wide rows take several tiles
  /// of every kernel.
  template <class Verify>
  void every_phase(int radius, bool star, Verify const& verify, bool wide = false) {
    int const rank = runner().rank();
    every_phase(star ? star_offsets(rank, radius) : box_offsets(rank, radius), true, verify, wide);
  }
  template <class Verify>
  void every_phase(std::vector<Term> const& terms, bool symmetric, Verify const& verify, bool wide = false) {
    constexpr std::array<std::pair<Layout, Layout>, 4> layouts{{{Layout::right, Layout::right},
                                                                {Layout::right, Layout::padded},
                                                                {Layout::padded, Layout::padded_more},
                                                                {Layout::padded_more, Layout::right}}};
    std::array<Face, 4> const faces{{Face::halo(), Face::periodic(), Face::value(0.5), Face::mirror()}};
    for (int more = 0; more <= 8; ++more) {
      Call c = call(runner().rank() == 2 ? Extents{{wide ? 37 : 83, (wide ? 2200 : 320) + more, 1}}
                                         : Extents{{9, wide ? 70 : 41, (wide ? 530 : 144) + more}},
                    terms);
      c.symmetric = symmetric;
      c.bounded   = true;
      c.shift     = more * 5 % 16;
      c.face(faces[static_cast<std::size_t>(more) % faces.size()]);
      auto const& [in, out] = layouts[m_turn++ % layouts.size()];
      c.in                  = in;
      c.out                 = out;
      verify(c);
    }
  }

 private:
  std::size_t m_turn = 0;
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Pitch);

TEST_P(Pitch, SingleSweeps) {
  for (int radius = 1; radius <= (runner().rank() == 2 ? 4 : 2); ++radius) {
    for (bool const star : {true, false}) {
      every_phase(radius, star, [&](Call const& c) { verify_sweep(runner(), c, Data::integer); });
    }
  }
}

TEST_P(Pitch, WideRows) {
  for (int radius = 1; radius <= (runner().rank() == 2 ? 3 : 2); ++radius) {
    for (bool const star : {true, false}) {
      every_phase(
          radius, star, [&](Call const& c) { verify_sweep(runner(), c, Data::integer); }, true);
    }
  }
}

/// Rows that end anywhere in tiles of 256 columns, whose rest may take narrow tiles, and shorter ones than a vector.
/// Planes of even and odd numbers of values, which stars of radius 1 in half take as lines where rows are alike in
/// input and output.
TEST_P(Pitch, EndsOfRows) {
  if (runner().rank() != 3) GTEST_SKIP() << "volumes";
  for (bool const star : {true, false}) {
    for (int radius = 1; radius <= (star ? 2 : 1); ++radius) {
      auto const terms = star ? star_offsets(3, radius) : box_offsets(3, radius);
      for (int const columns : {1, 2, 5, 7, 8, 9, 17, 31, 32, 33, 255, 256, 257, 261, 288, 289, 517}) {
        for (int shift = 0; shift < 3; ++shift) {
          // Narrow tiles are higher.
          Call c      = call(Extents{{7, shift == 0 ? 150 : 19, columns + 2 * radius}}, terms);
          c.symmetric = c.bounded = true;
          c.shift                 = 5 * shift;
          c.in                    = shift == 0 ? Layout::right : Layout::padded;
          c.out                   = shift == 2 ? Layout::padded_more : c.in;
          verify_sweep(runner(), c, Data::integer);
        }
      }
    }
  }
}

/// Planes that are cut into other rows: every first place in 16 bytes, rows that are short beside a tile, ranges that
/// begin and end anywhere, and as much around the Views as must not be touched.
TEST_P(Pitch, PlanesCutAnew) {
  if (runner().rank() != 2) GTEST_SKIP() << "planes";
  for (int radius = 1; radius <= 4; ++radius) {
    for (bool const star : {true, false}) {
      auto const terms = star ? star_offsets(2, radius) : box_offsets(2, radius);
      int turn         = 0;
      for (Extents const& extent :
           {Extents{{9, 65, 1}}, Extents{{41, 130, 1}}, Extents{{233, 515, 1}}, Extents{{150, 1101, 1}}}) {
        for (int more = 0; more < 4; ++more) {
          Call c  = call(Extents{{extent[0], extent[1] + more, 1}}, terms);
          c.shift = (turn++ + more) % 4;
          c.in = c.out = turn % 3 == 0 ? Layout::padded : Layout::right;
          if (turn % 4 == 1) c.range({{radius + 1, radius + 3, 0}}, {{extent[0] - radius, extent[1] - radius - 5, 1}});
          verify_sweep(runner(), c, Data::integer);
        }
      }
    }
  }
}

/// Without some terms: kernels for the shapes around them.
TEST_P(Pitch, Patterns) {
  for (int radius = 1; radius <= (runner().rank() == 2 ? 3 : 2); ++radius) {
    for (bool const star : {true, false}) {
      auto terms = star ? star_offsets(runner().rank(), radius) : box_offsets(runner().rank(), radius);
      terms.erase(terms.begin());
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2 + 1));
      every_phase(terms, false, [&](Call const& c) { verify_sweep(runner(), c, Data::integer); });
    }
  }
}

TEST_P(Pitch, ManySweeps) {
  for (int radius = 1; radius <= 2; ++radius) {
    for (bool const star : {true, false}) {
      every_phase(radius, star, [&](Call const& c) {
        if (c.in == c.out) verify_iterate(runner(), c, 26, Data::random);
      });
    }
  }
}

/// Rows of any length, copied to padded ones and back: one by backends that need that, many by all.
TEST_P(Pitch, RowsThatAreCopied) {
  unsetenv("KOKKOSSTENCIL_CUDA_DIRECT");
  std::array<Face, 3> const faces{{Face::halo(), Face::periodic(), Face::value(0.5)}};
  int turn = 0;
  for (int const columns : {9, 19, 31, 33, 57, 66, 95, 97, 129, 161, 193, 250, 321, 403, 641}) {
    for (int const shift : {1, 6}) {
      Call c = call(runner().rank() == 2 ? Extents{{37, columns, 1}} : Extents{{7, 11, columns}},
                    star_offsets(runner().rank(), 1));
      c.symmetric = c.bounded = true;
      c.shift                 = shift;
      c.in                    = turn % 2 == 0 ? Layout::right : Layout::padded_more;
      c.out                   = c.in;
      c.face(faces[static_cast<std::size_t>(turn++) % faces.size()]);
      verify_sweep(runner(), c, Data::integer);
      verify_iterate(runner(), c, 40, Data::random);
    }
  }
}

TEST_P(Pitch, Subranges) {
  every_phase(1, true, [&](Call c) {
    auto begin = std::array<std::int64_t, 3>{}, end = c.extent;
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.rank); ++a) {
      begin[a] = 3 + c.shift % 3;
      end[a] -= 3 + c.shift % 2;
    }
    c.range(begin, end);
    verify_sweep(runner(), c, Data::integer);
    if (c.in == c.out) verify_iterate(runner(), c, 13, Data::random);
  });
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
