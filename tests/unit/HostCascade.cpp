// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <host_temporal/Cascade.hpp>
#include <host_temporal/CascadeShape.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

// Cascades: the bits of single sweeps, whatever the tiles and the faces.

namespace KokkosStencil {
namespace Test {
namespace {

using HostTemporal::Cascade;
using HostTemporal::CascadeShape;

class Random {
 public:
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }

 private:
  std::mt19937 m_random{1};
};

/// A stencil that reaches differently far each way, on a part of a View.
Problem random_problem(Random& random, ValueType type) {
  Problem p;
  p.value_type = type;
  p.rank       = random.between(2, 3);
  std::set<std::array<int, 3>> offsets;
  std::array<int, 3> low{}, high{};
  for (std::size_t a = 0; a < 3; ++a) {
    int const far = random.between(0, 3) == 0 ? 5 : 2;
    low[a]        = p.rank == 2 && a == 0 ? 0 : -random.between(0, far);
    high[a]       = p.rank == 2 && a == 0 ? 0 : random.between(0, far);
  }
  for (int k = random.between(2, 12); k > 0; --k) {
    offsets.insert({random.between(low[0], high[0]), random.between(low[1], high[1]), random.between(low[2], high[2])});
  }
  for (auto const& offset : offsets) {
    Term t;
    t.offset      = offset;
    t.coefficient = 0.1 + 0.01 * static_cast<double>(p.terms.size());
    for (std::size_t a = 0; a < 3; ++a) {
      p.lower[a] = std::min(p.lower[a], offset[a]);
      p.upper[a] = std::max(p.upper[a], offset[a]);
    }
    p.terms.push_back(t);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    bool const used = p.rank == 3 || a > 0;
    p.begin[a]      = used ? random.between(-p.lower[a], 6) : 0;
    p.end[a]        = p.begin[a] + (used ? random.between(4, a == 2 ? 150 : 25) : 1);
    p.extent[a]     = used ? p.end[a] + random.between(p.upper[a], 6) : 1;
    p.user_axis[a]  = 2 - static_cast<int>(a);
    if (!used || random.between(0, 2) == 0) continue;
    Face const faces[] = {Face::value(3.5 + static_cast<double>(a)), Face::mirror(), Face::edge(), Face::periodic()};
    int const rule     = random.between(0, 3);
    p.faces[a]         = {{faces[rule], faces[rule == 3 ? 3 : random.between(0, 2)]}};
    int const inside   = rule == 3 ? 0 : random.between(0, -p.lower[a] + 2);
    p.begin[a]         = inside;
    p.end[a] = p.extent[a] = std::max(p.end[a], p.begin[a] + 4);
  }
  if (random.between(0, 1) == 1) p.user_axis = {{0, 1, 2}};
  std::int64_t const pitch = p.extent[2] + random.between(0, 3);
  p.in_stride = p.out_stride = {{pitch * p.extent[1], pitch, 1}};
  return p;
}

template <class T>
void compare(ValueType type) {
  Random random;
  int fitted = 0;
  for (int k = 0; k < 500; ++k) {
    SCOPED_TRACE("case " + std::to_string(k));
    Problem const p = random_problem(random, type);
    if (!HostTemporal::cascade_fits(p, 1)) continue;
    ++fitted;
    CascadeShape shape;
    shape.depth = random.between(2, 7);
    shape.step  = random.between(1, 5);
    for (std::size_t a = 0; a < 3; ++a) {
      std::int64_t const points = p.end[a] - p.begin[a];
      shape.tile[a]             = std::min<std::int64_t>(points, random.between(1, 100));
    }
    auto const size = static_cast<std::size_t>(p.in_stride[0] * p.extent[0]);
    std::vector<T> first(size + 64), result(size + 64, T(-1));
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<T>(random.between(-1000, 1000)) / T(64);
    int const at = random.between(0, 20);
    // Points outside the range agree; the others must not matter.
    result = first;
    PointBox const range{p.begin, p.end};
    for (std::int64_t z = range.begin[0]; z < range.end[0]; ++z) {
      for (std::int64_t y = range.begin[1]; y < range.end[1]; ++y) {
        for (std::int64_t x = range.begin[2]; x < range.end[2]; ++x) {
          result[static_cast<std::size_t>(at + z * p.in_stride[0] + y * p.in_stride[1] + x)] = T(-77);
        }
      }
    }
    Generic::HostForm const form{p, 1};
    Generic::RowSweep<T> const single(form, 1, false);
    int const sweeps = random.between(2, shape.depth);
    std::vector<T> wanted[2]{first, first};
    for (int t = 0; t < sweeps; ++t) single.tile(wanted[t % 2].data() + at, wanted[1 - t % 2].data() + at, range);
    Cascade<T> const cascade(form, shape, random.between(0, 1) == 1, random.between(0, 1) == 1);
    std::vector<T> buffer(cascade.buffer_size(), T(1e30));
    std::vector<T> const before = first;
    for (std::int64_t i = cascade.tiles(); i-- > 0;) {
      cascade.tile(first.data() + at, result.data() + at, sweeps, i, buffer.data());
    }
    ASSERT_EQ(result, wanted[sweeps % 2]);
    ASSERT_EQ(first, before);
  }
  EXPECT_GT(fitted, 250);
}

TEST(HostCascade, SameBitsAsSingleSweepsFloat) { compare<float>(ValueType::float32); }
TEST(HostCascade, SameBitsAsSingleSweepsDouble) { compare<double>(ValueType::float64); }

Problem star(int rank, std::int64_t n) {
  Problem p;
  p.value_type = ValueType::float64;
  p.rank       = rank;
  for (std::size_t a = rank == 3 ? 0 : 1; a < 3; ++a) {
    p.extent[a] = n;
    p.begin[a]  = 1;
    p.end[a]    = n - 1;
    p.lower[a]  = -1;
    p.upper[a]  = 1;
  }
  p.in_stride = p.out_stride = {{rank == 3 ? n * n : 0, n, 1}};
  p.terms.resize(static_cast<std::size_t>(2 * rank + 1));
  return p;
}

TEST(HostCascade, FitsTheCacheAndEveryThread) {
  for (int const rank : {2, 3}) {
    for (int const threads : {1, 14}) {
      Problem const p          = star(rank, rank == 2 ? 12288 : 560);
      std::int64_t const cache = 1 << 20;
      CascadeShape const s     = HostTemporal::make_cascade(p, HostTemporal::load_of(p), threads, cache, 0.85);
      ASSERT_GT(s.depth, 1);
      EXPECT_LT(s.share, 0.85);
      Cascade<double> const cascade({p, 1}, s, false, false);
      EXPECT_LE(static_cast<std::int64_t>(cascade.buffer_size() * sizeof(double)), cache + 4096);
      EXPECT_GE(cascade.tiles(), threads);
    }
  }
  // A field that is in the caches already stays there.
  Problem const small = star(2, 100);
  EXPECT_EQ(HostTemporal::make_cascade(small, HostTemporal::load_of(small), 14, 1 << 20, 0.85).depth, 1);
}

TEST(HostCascade, DeclinesWhatItHasNoRoomFor) {
  Problem p = star(2, 1000);
  EXPECT_TRUE(HostTemporal::cascade_fits(p, 1));
  p.begin[1] = 0;  // reads beyond a periodic face, but does not write there
  p.faces[1] = {{Face::periodic(), Face::periodic()}};
  EXPECT_FALSE(HostTemporal::cascade_fits(p, 1));
  Problem plane = star(3, 100);
  plane.end[0]  = plane.begin[0] + 1;  // its neighbours stay as they are, but the buffers have no room for them
  EXPECT_FALSE(HostTemporal::cascade_fits(plane, 1));
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
