// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <KokkosStencil_Error.hpp>

// Views smaller than the stencil's reach, where a mirror throws an index past the other face: every pair of rules,
// every extent up to 4, offsets up to 8.

namespace KokkosStencil {
namespace Test {
namespace {

class SmallExtents : public OnEveryRunner {
 protected:
  void SetUp() override {
    // What other value types would run differs in nothing that this is about.
    if (runner().value_type() != ValueType::float32 && runner().value_type() != ValueType::float64) GTEST_SKIP();
    // Plans for a device take a thousand times as long: every so many.
    m_every = runner().space() == "Cuda" || runner().space() == "HIP" || runner().space() == "SYCL" ? 29 : 1;
  }

  void verify(Call const& s, std::int64_t steps = 1) {
    if (HasFailure() || m_count++ % m_every != 0) return;
    if (mirror_meets_halo(s)) {
      Field const input(s.rank, s.extent, 1.0);
      EXPECT_THROW(runner().sweep(s, input, ""), Error) << s.text();
      return;
    }
    Range const range = written_range(s);
    if (range.begin[0] >= range.end[0]) return;
    if (steps == 1) {
      verify_sweep(runner(), s, Data::integer);
    } else {
      verify_iterate(runner(), s, steps, Data::integer);
    }
  }

  /// A point and one neighbour.
  static std::vector<Term> one(std::array<int, 3> const& offset) {
    if (offset == std::array<int, 3>{{0, 0, 0}}) return {{offset, 1.0}};
    return {{{{0, 0, 0}}, 1.0}, {offset, 1.0}};
  }

 private:
  int m_every = 1, m_count = 0;
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(SmallExtents);

TEST_P(SmallExtents, EveryReach) {
  if (runner().rank() != 1) GTEST_SKIP();
  for (std::int64_t n = 1; n <= 4; ++n) {
    for (FacePair const& rules : face_pairs(0)) {
      for (int below = 0; below <= 8; ++below) {
        for (int above = 0; above <= 8; ++above) {
          std::vector<Term> terms = one({{-below, 0, 0}});
          if (above > 0) terms.push_back({{{above, 0, 0}}, 1.0});
          Call s     = call({{n, 1, 1}}, terms);
          s.faces[0] = rules;
          verify(s);
        }
      }
    }
  }
}

TEST_P(SmallExtents, EveryOffset) {
  if (runner().rank() == 1) GTEST_SKIP();
  // All of one axis, with some of the others'.
  for (int axis = 0; axis < runner().rank(); ++axis) {
    auto const a = static_cast<std::size_t>(axis), b = static_cast<std::size_t>(axis == 0 ? 1 : 0);
    for (std::int64_t n = 1; n <= 4; ++n) {
      for (FacePair const& rules : face_pairs(axis)) {
        for (int far = -8; far <= 8; ++far) {
          for (FacePair const& across :
               {FacePair{{Face::value(7), Face::mirror()}}, FacePair{{Face::edge(), Face::value(-8)}}}) {
            for (int beside : {-1, 2}) {
              std::array<int, 3> offset{{beside, beside, beside}};
              offset[a] = far;
              if (runner().rank() == 2) offset[2] = 0;
              Extents extent{{2, 2, 2}};
              extent[a] = n;
              extent[b] = 1;
              Call s    = call(extent, one(offset));
              for (std::size_t other = 0; other < 3; ++other) s.faces[other] = other == a ? rules : across;
              verify(s);
            }
          }
        }
      }
    }
  }
}

TEST_P(SmallExtents, EveryPairOfPairs) {
  if (runner().rank() == 1) GTEST_SKIP();
  int const last = runner().rank() - 1;
  std::int64_t n = 0;
  for (FacePair const& first : face_pairs(0)) {
    for (FacePair const& second : face_pairs(last)) {
      for (int far : {-8, -3, 2, 5}) {
        for (int beside : {-8, -5, -2, 1, 3, 8}) {
          std::array<int, 3> offset{{far, 0, 0}};
          offset[static_cast<std::size_t>(last)] = beside;
          ++n;
          Call s                                   = call({{1 + n % 4, 5, 1 + n / 4 % 4}}, one(offset));
          s.extent[static_cast<std::size_t>(last)] = 1 + n / 4 % 4;
          s.faces[0]                               = first;
          s.faces[static_cast<std::size_t>(last)]  = second;
          verify(s);
        }
      }
    }
  }
}

TEST_P(SmallExtents, ManySweeps) {
  for (FacePair const& rules : face_pairs(0)) {
    for (std::int64_t n : {1, 2, 3, 4}) {
      for (int far : {-5, -1, 2, 8}) {
        std::array<int, 3> offset{{far, 0, 0}};
        if (runner().rank() > 1) offset[1] = -far;
        if (runner().rank() > 2) offset[2] = far / 2;
        Call s = call({{n, 5 - n, n}}, one(offset));
        for (auto& faces : s.faces) faces = rules;
        verify(s, 3);
      }
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
