// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Call.hpp"

#include <HostRows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

// The row kernels one by one: every stack, shape and way of storing, on rows of any length and alignment,
// of every instruction set this processor has, bit by bit against the canonical order.

namespace KokkosStencil {
namespace Test {
namespace {

constexpr int height = 40, pitch = 512, margin = 64, first_row = 17;
constexpr int depth = 8, first_plane = 3;  // a star of radius 3 in each of two planes

std::size_t at(int z, int y, int x) { return static_cast<std::size_t>((z * height + y) * pitch + x); }

template <class T>
struct Rows {
  std::vector<T> const& in = inputs();
  std::vector<T> out       = std::vector<T>(depth * height * pitch);

 private:
  static std::vector<T> const& inputs() {
    static std::vector<T> const all = [] {
      std::vector<T> in(depth * height * pitch);
      std::mt19937 random(7);
      std::uniform_real_distribution<double> values(-1.0, 1.0);
      for (T& v : in) v = static_cast<T>(values(random));
      return in;
    }();
    return all;
  }
};

enum class Made { no, shape, brief };

template <class T>
void check(Generic::RowKernels<T> const& kernels, std::vector<Term> const& shape, int stack, int shift,
           std::int64_t count, bool streaming, Made made, int lines = 1, bool planes = false) {
  Rows<T> rows;
  std::fill(rows.out.begin(), rows.out.end(), std::numeric_limits<T>::quiet_NaN());
  // Shapes for rows of one plane are 2-D; kernels count z, y, x.
  std::vector<KokkosStencil::Term> terms;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    auto const& o = shape[k].offset;
    terms.push_back({planes ? o : std::array<int, 3>{{0, o[0], o[1]}}, 0.25 + 0.01 * double(k)});
  }
  std::sort(terms.begin(), terms.end(), [](auto const& p, auto const& q) { return p.offset < q.offset; });
  std::vector<T> coefficients;
  for (auto const& t : terms) coefficients.push_back(static_cast<T>(t.coefficient));

  auto const schedule     = Transform::make_row_schedule(terms, stack, planes);
  auto const segments     = static_cast<int>(schedule.segments.size());
  auto const* const first = schedule.segments.data();
  auto const run          = made == Made::brief   ? kernels.brief(first, segments)
                            : made == Made::shape ? kernels.shape(first, segments, stack)
                                                  : kernels.stacked[static_cast<std::size_t>(stack - 1)];
  ASSERT_NE(run, nullptr);

  std::vector<T const*> sources;
  for (auto const& r : schedule.rows) {
    sources.push_back(&rows.in[at(first_plane + r.dz, first_row + r.dy, margin + shift)]);
  }
  std::vector<T*> targets;
  for (int j = 0; j < stack; ++j) {
    targets.push_back(&rows.out[at(first_plane + (planes ? j : 0), first_row + (planes ? 0 : j), margin + shift)]);
  }
  Generic::RowWork<T> work{targets.data(), sources.data(),           sources.data(), sources.empty() ? 0 : 1,
                           4096,           schedule.segments.data(), segments,       coefficients.data(),
                           streaming};
  work.lines    = lines;
  work.in_pitch = work.out_pitch = pitch;
  run(work, count);
  kernels.fence();

  int const deep = planes ? stack : 1, high = planes ? lines : stack * lines;
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < pitch; ++x) {
        T const got       = rows.out[at(z, y, x)];
        bool const inside = z >= first_plane && z < first_plane + deep && y >= first_row && y < first_row + high &&
                            x >= margin + shift && x < margin + shift + count;
        auto const where = [&] {
          return "plane " + std::to_string(z - first_plane) + ", row " + std::to_string(y - first_row) + ", point " +
                 std::to_string(x - margin - shift) + " of " + std::to_string(count) + ", shift " +
                 std::to_string(shift) + ", stack " + std::to_string(stack) + ", lines " + std::to_string(lines) +
                 (streaming ? ", streaming" : "") +
                 (made == Made::shape   ? ", shaped"
                  : made == Made::brief ? ", brief"
                                        : "") +
                 ", " + kernels.name;
        };
        if (!inside) {
          ASSERT_TRUE(std::isnan(got)) << "written outside: " << where();
          continue;
        }
        T want = -T(0);
        for (std::size_t k = 0; k < terms.size(); ++k) {
          auto const& o   = terms[k].offset;
          T const value   = rows.in[at(z + o[0], y + o[1], x + o[2])];
          T const product = coefficients[k] * value;
          want            = kernels.fused ? std::fma(coefficients[k], value, want) : product + want;
        }
        ASSERT_EQ(got, want) << where();
      }
    }
  }
}

/// Whether a set has kernels of its own for shapes at all: the plain star is one in every set that does.
template <class T>
bool has_shapes(Generic::RowKernels<T> const& kernels) {
  std::vector<KokkosStencil::Term> const star = {
      {{{0, -1, 0}}, 1.0}, {{{0, 0, -1}}, 1.0}, {{{0, 0, 0}}, 1.0}, {{{0, 0, 1}}, 1.0}, {{{0, 1, 0}}, 1.0}};
  auto const schedule = Transform::make_row_schedule(star, 1);
  return kernels.shape(schedule.segments.data(), int(schedule.segments.size()), 1) != nullptr;
}

template <class T>
void check_all(std::vector<Term> const& shape, bool shaped, bool planes = false, int most_registers = 32) {
  for (auto const& kernels : Generic::row_kernel_sets<T>()) {
    if (shaped && (!has_shapes(kernels) || kernels.registers > most_registers)) continue;
    for (int stack : planes ? std::vector<int>{2} : shaped ? std::vector<int>{1} : std::vector<int>{1, 2, 4}) {
      for (bool streaming : {false, true}) {
        for (int shift : {0, 1, 5, 15}) {
          for (std::int64_t count : {1, 4, 5, 7, 8, 9, 13, 15, 16, 17, 31, 63, 64, 65, 127, 129, 200, 254, 300}) {
            check<T>(kernels, shape, stack, shift, count, streaming, shaped ? Made::shape : Made::no, 1, planes);
            // Kernels made for a shape do rows of at least 256 bytes one below the other.
            if (shaped && count * int(sizeof(T)) >= 256) {
              check<T>(kernels, shape, stack, shift, count, streaming, Made::shape, 4, planes);
            }
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(RowKernels, Stacks) {
  for (auto const& shape : {star_offsets(2, 1), box_offsets(2, 1), box_offsets(2, 3), star_offsets(2, 2),
                            scattered_offsets(2, 3, 9, 3), std::vector<Term>{}}) {
    check_all<float>(shape, false);
    check_all<double>(shape, false);
  }
}

template <class T>
void check_strided(Generic::RowKernels<T> const& kernels, std::int64_t step, std::int64_t count) {
  Rows<T> rows;
  std::fill(rows.out.begin(), rows.out.end(), std::numeric_limits<T>::quiet_NaN());
  // Any order of terms; the second row is one value for all points.
  std::vector<KokkosStencil::Term> const terms = {
      {{{0, 1, 2}}, 0.3}, {{{0, 2, 0}}, 0.7}, {{{0, 1, -1}}, 0.9}, {{{0, 1, 0}}, 0.1}};
  std::vector<T> coefficients;
  for (auto const& t : terms) coefficients.push_back(static_cast<T>(t.coefficient));
  auto const schedule = Generic::make_ordered_schedule(terms);
  ASSERT_EQ(schedule.rows.size(), 2u);
  T const* const sources[]   = {&rows.in[at(0, 1, margin)], &rows.in[at(0, 2, margin)]};
  T* const targets[]         = {&rows.out[at(0, 0, margin)]};
  std::int64_t const steps[] = {step, 0};
  auto const segments        = static_cast<int>(schedule.segments.size());
  Generic::RowWork<T> work{targets, sources, nullptr, 0, 0, schedule.segments.data(), segments, coefficients.data(),
                           false};
  work.steps    = steps;
  work.out_step = step + 1;
  kernels.strided(work, count);
  std::int64_t written = 0;
  for (T v : rows.out) written += std::isnan(v) ? 0 : 1;
  EXPECT_EQ(written, count) << kernels.name;
  for (std::int64_t x = 0; x < count; ++x) {
    T want = -T(0);
    for (std::size_t k = 0; k < terms.size(); ++k) {
      auto const& o   = terms[k].offset;
      T const value   = o[1] == 2 ? sources[1][0] : sources[0][(x + o[2]) * step];
      T const product = coefficients[k] * value;
      want            = kernels.fused ? std::fma(coefficients[k], value, want) : product + want;
    }
    ASSERT_EQ(targets[0][x * (step + 1)], want)
        << kernels.name << ", step " << step << ", point " << x << " of " << count;
  }
}

TEST(RowKernels, Strided) {
  for (std::int64_t step : {1, 2, 3, 7}) {
    for (std::int64_t count : {0, 1, 7, 8, 9, 30}) {
      for (auto const& kernels : Generic::row_kernel_sets<float>()) check_strided<float>(kernels, step, count);
      for (auto const& kernels : Generic::row_kernel_sets<double>()) check_strided<double>(kernels, step, count);
    }
  }
}

/// A star in 3-D of this radius as its rows are read: those of one column above and below, a plane or a row away alike.
std::vector<Term> star_rows(int radius) {
  std::vector<Term> terms;
  for (int y = -2 * radius; y <= 2 * radius; ++y) {
    if (y != 0) terms.push_back({{{y, 0, 0}}, 1.0});
  }
  for (int x = -radius; x <= radius; ++x) terms.push_back({{{0, x, 0}}, 1.0});
  return terms;
}

TEST(RowKernels, Shapes) {
  auto const& best = Generic::row_kernels<float>(true);
  if (!has_shapes(best)) GTEST_SKIP() << "the row kernels \"" << best.name << "\" have no shapes of their own";
  for (auto const& shape :
       {star_offsets(2, 1), box_offsets(2, 1), star_offsets(2, 2), star_offsets(2, 3), star_offsets(2, 4), star_rows(1),
        star_rows(2), star_rows(3), star_rows(4), star_rows(5), star_rows(8)}) {
    check_all<float>(shape, true);
    check_all<double>(shape, true);
  }
  // With more registers they go by fours.
  for (auto const& shape : {box_offsets(2, 2), box_offsets(2, 3)}) {
    check_all<float>(shape, true, false, 16);
    check_all<double>(shape, true, false, 16);
  }
  for (int radius : {1, 3}) {
    check_all<float>(star_offsets(3, radius), true, true);
    check_all<double>(star_offsets(3, radius), true, true);
  }
}

template <class T>
void check_brief(std::vector<Term> const& shape) {
  for (auto const& kernels : Generic::row_kernel_sets<T>()) {
    if (kernels.brief(nullptr, 0) == nullptr) continue;
    for (std::int64_t count = 1; count <= 70; ++count) {
      for (int lines : {1, 2, 3, 4, 5, 7}) {
        check<T>(kernels, shape, 1, int(count % 3), count, false, Made::brief, lines);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    // Any length, though they are meant for short rows; streaming asks for what they leave undone.
    for (std::int64_t count : {127, 128, 129, 200, 257, 300}) {
      check<T>(kernels, shape, 1, 1, count, true, Made::brief, 3);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(RowKernels, ShortRows) {
  for (auto const& shape : {star_offsets(2, 1), box_offsets(2, 1), box_offsets(2, 3), star_rows(1), star_rows(4),
                            scattered_offsets(2, 3, 9, 3), std::vector<Term>{}}) {
    check_brief<float>(shape);
    check_brief<double>(shape);
  }
}

TEST(RowKernels, ShortRowsOfManyTerms) {
  for (auto const& kernels : Generic::row_kernel_sets<double>()) {
    if (kernels.brief(nullptr, 0) == nullptr) continue;
    for (int terms : {128, 129}) {
      Transform::Segment segment{};
      segment.length = static_cast<std::int16_t>(terms);
      EXPECT_EQ(kernels.brief(&segment, 1) != nullptr, terms == 128) << kernels.name;
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
