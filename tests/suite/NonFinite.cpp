// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <cmath>
#include <limits>

// Infinities and NaN stay inside the stencil's reach.

namespace KokkosStencil {
namespace Test {
namespace {

class NonFinite : public OnEveryRunner {
 protected:
  /// Puts one special value at a point and checks every output point.
  void check(Call s, Extents const& where, double special) const {
    set_coefficients(s.terms, Data::random, 2, runner().coefficient_rounding(s));
    SCOPED_TRACE(runner().name() + ": " + s.text() + ", " + std::to_string(special) + " at " +
                 index_text(s.rank, where));
    Field input   = filled(s.rank, s.extent, Data::random, 2, runner().rounding());
    Field finite  = input;
    finite(where) = 0.0;
    input(where)  = special;
    Ghosts const ghosts(s, runner().rounding());
    Expected const expected = reference(s, finite, 1, tolerance(s, runner().value_type()), runner().rounding());
    for (BackendChoice const& choice : sweep_choices(runner(), s)) {
      Outcome o = runner().sweep(s, input, choice.force);
      EXPECT_TRUE(choice.ran(o.backend));
      // Reached points: the special value times its coefficients; the others as if it were not there.
      Range const range = written_range(s);
      Field reached(s.rank, s.extent, 0.0), wanted(s.rank, s.extent, 0.0);
      Field::each_in(range.begin, range.end, [&](Extents const& i) {
        bool reaches = false;
        double sum   = 0.0;
        for (Term const& t : s.terms) {
          double constant = 0.0;
          if (ghosts.find(i, t.offset, constant) == static_cast<std::int64_t>(input.at(where))) {
            reaches = true;
            sum += t.coefficient * special;
          }
        }
        if (!reaches) return;
        reached(i)  = o.newest(i);
        wanted(i)   = sum;
        o.newest(i) = static_cast<double>(expected.values[o.newest.at(i)]);
      });
      EXPECT_TRUE(same_values(reached, wanted)) << "where the stencil reaches the special value";
      EXPECT_TRUE(within_contract(o.newest, expected, nullptr)) << "where it does not";
    }
  }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(NonFinite);

TEST_P(NonFinite, StayWithinReach) {
  // Holes in the window must not read the value through a zero coefficient.
  auto const terms      = scattered_offsets(runner().rank(), 3, runner().rank() == 1 ? 4 : 12, 4);
  double const infinity = std::numeric_limits<double>::infinity();
  for (double special : {not_a_number(), infinity, -infinity}) {
    Call const s = call(terms);
    Extents middle{};
    for (std::size_t a = 0; a < 3; ++a) middle[a] = s.extent[a] / 2;
    check(s, middle, special);
    for (Face const& face : all_faces()) {
      check(Call(s).face(face), {{0, 0, 0}}, special);
      Extents corner{};
      for (std::size_t a = 0; a < 3; ++a) corner[a] = s.extent[a] - 1;
      check(Call(s).face(face), corner, special);
    }
  }
}

TEST_P(NonFinite, AWindowThatEndsAtTheLastColumn) {
  for (int r : {1, 5}) {
    Call s = call(star_offsets(runner().rank(), r));
    // The points just outside the reach of a partial range hold NaN, as do the guards around the View.
    Extents begin{}, end{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(s.rank); ++a) {
      begin[a] = r + 1;
      end[a]   = s.extent[a] - r;
    }
    for (std::size_t a = static_cast<std::size_t>(s.rank); a < 3; ++a) end[a] = 1;
    verify_sweep(runner(), s.range(begin, end), Data::integer);
  }
}

TEST_P(NonFinite, ConstantFaces) {
  Call s = call(star_offsets(runner().rank(), 1)).face(Face::value(not_a_number()));
  set_coefficients(s.terms, Data::integer, 2, runner().coefficient_rounding(s));
  Field const input = filled(s.rank, s.extent, Data::integer, 2, runner().rounding());
  for (BackendChoice const& choice : sweep_choices(runner(), s)) {
    Outcome const o = runner().sweep(s, input, choice.force);
    EXPECT_TRUE(choice.ran(o.backend));
    o.newest.each([&](Extents const& i) {
      bool face = false;
      for (std::size_t a = 0; a < static_cast<std::size_t>(s.rank); ++a) {
        face = face || i[a] == 0 || i[a] == s.extent[a] - 1;
      }
      EXPECT_EQ(std::isnan(o.newest(i)), face) << index_text(s.rank, i);
    });
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
