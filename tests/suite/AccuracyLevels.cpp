// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <cmath>

// The accuracy contract.

namespace KokkosStencil {
namespace Test {
namespace {

/// Whether every backend gives the bits of the canonical order.
void expect_canonical_bits(Runner const& runner, Call s) {
  s.accuracy = Accuracy::reproducible;
  set_coefficients(s.terms, Data::random, 7, runner.coefficient_rounding(s));
  SCOPED_TRACE(runner.name() + ": " + s.text());
  Field const input     = filled(s.rank, s.extent, Data::random, 7, runner.rounding());
  Extents const strides = place(s.out, s.rank, s.extent, 0).stride;
  Field expected        = canonical(s, input, strides, runner.value_type() == ValueType::float64, runner.rounding());
  Range const range     = written_range(s);
  expected.each([&](Extents const& i) {
    if (!range.contains(i)) expected(i) = not_a_number();
  });
  for (BackendChoice const& choice : sweep_choices(runner, s)) {
    Outcome const o = runner.sweep(s, input, choice.force);
    EXPECT_TRUE(choice.ran(o.backend));
    EXPECT_TRUE(same_bits(o.newest, expected));
  }
}

class AccuracyLevels : public OnEveryRunner {};
KOKKOSSTENCIL_ON_EVERY_RUNNER(AccuracyLevels);

TEST_P(AccuracyLevels, KeepTheirPromise) {
  for (Accuracy accuracy : {Accuracy::native, Accuracy::relaxed, Accuracy::reproducible}) {
    for (Data data : {Data::random, Data::wide}) {
      for (unsigned seed = 1; seed <= 3; ++seed) {
        Call s     = call(box_offsets(runner().rank(), runner().rank() == 3 ? 1 : 3)).face(Face::periodic());
        s.accuracy = accuracy;
        verify_sweep(runner(), s, data, seed);
        s.double_coefficients = true;
        verify_sweep(runner(), s, data, seed);
      }
    }
  }
}

TEST_P(AccuracyLevels, ReproducibleMeansTheCanonicalBits) {
  for (Layout layout :
       {Layout::right, Layout::left, Layout::padded, Layout::padded_left, Layout::strided, Layout::middle}) {
    for (Face const& face : all_faces()) {
      Call s = call(box_offsets(runner().rank(), 2)).face(face);
      s.in = s.out = layout;
      expect_canonical_bits(runner(), s);
      // Rows that are shorter than others would be.
      if (runner().rank() == 1) continue;
      s.extent[static_cast<std::size_t>(layout == Layout::left || layout == Layout::padded_left ? 0 : s.rank - 1)] = 6;
      expect_canonical_bits(runner(), s);
    }
  }
}

TEST_P(AccuracyLevels, ReproducibleKeepsTheSignsOfZeros) {
  // A sum begins at -0, so that products of -0 add up to that; one of +0 among them makes it +0.
  for (Face const& face : {Face::periodic(), Face::value(-0.0), Face::mirror()}) {
    Call s     = call(star_offsets(runner().rank(), 1)).face(face);
    s.accuracy = Accuracy::reproducible;
    for (auto& t : s.terms) t.coefficient = 0.25;
    for (bool const mixed : {false, true}) {
      Field u(s.rank, s.extent, -0.0);
      if (mixed) u({{3, 0, 0}}) = 0.0;
      Extents const strides = place(s.out, s.rank, s.extent, 0).stride;
      bool const in_double  = runner().value_type() == ValueType::float64;
      Field const expected  = canonical(s, u, strides, in_double, runner().rounding());
      EXPECT_TRUE(std::signbit(expected({{0, 0, 0}})));
      EXPECT_EQ(std::signbit(expected({{3, 0, 0}})), !mixed);
      for (BackendChoice const& choice : sweep_choices(runner(), s)) {
        SCOPED_TRACE(s.text() + " on " + choice.force);
        Outcome const o = runner().sweep(s, u, choice.force);
        EXPECT_TRUE(choice.ran(o.backend));
        EXPECT_TRUE(same_bits(o.newest, expected));
      }
    }
  }
}

TEST_P(AccuracyLevels, ReproducibleDoesNotDependOnWhereAPointLies) {
  // The same neighbourhood at every point: the result must be one number, whatever stack, vector,
  // remainder or strip along a face computes it.
  Call s     = call(scattered_offsets(runner().rank(), 2, runner().rank() == 1 ? 4 : 13, 9));
  s.accuracy = Accuracy::reproducible;
  set_coefficients(s.terms, Data::random, 9, runner().coefficient_rounding(s));
  double const x = runner().round(0.7);
  for (Face const& face : {Face::periodic(), Face::mirror(), Face::edge(), Face::value(x)}) {
    s.face(face);
    Outcome const o = runner().sweep(s, Field(s.rank, s.extent, x), "");
    EXPECT_TRUE(sweep_choices(runner(), s)[0].ran(o.backend));
    EXPECT_TRUE(same_bits(o.newest, Field(s.rank, s.extent, o.newest.values[0])));
  }
}

TEST_P(AccuracyLevels, ReproducibleIterationsAreTheBitsOfSingleSweeps) {
  for (Face const& face : all_faces()) {
    Call s     = call(star_offsets(runner().rank(), 1)).face(face);
    s.accuracy = Accuracy::reproducible;
    set_coefficients(s.terms, Data::random, 3, runner().coefficient_rounding(s));
    for (Term& t : s.terms) t.coefficient = runner().coefficient_rounding(s)(t.coefficient / 4);
    Field const start     = filled(s.rank, s.extent, Data::random, 3, runner().rounding());
    Extents const strides = place(s.out, s.rank, s.extent, 0).stride;
    Field expected        = start;
    for (int step = 0; step < 5; ++step) {
      expected = canonical(s, expected, strides, runner().value_type() == ValueType::float64, runner().rounding());
    }
    for (BackendChoice const& choice : iteration_choices(runner(), s)) {
      Outcome const o = runner().iterate(s, start, 5, choice.force);
      EXPECT_TRUE(choice.ran(o.backend));
      EXPECT_TRUE(same_bits(o.newest, expected));
    }
  }
}

TEST_P(AccuracyLevels, RunsRepeatBitForBit) {
  Call s = call(box_offsets(runner().rank(), 2)).face(Face::periodic());
  set_coefficients(s.terms, Data::random, 5, runner().coefficient_rounding(s));
  Field const input = filled(s.rank, s.extent, Data::random, 5, runner().rounding());
  for (BackendChoice const& choice : sweep_choices(runner(), s)) {
    Outcome const first = runner().sweep(s, input, choice.force);
    EXPECT_TRUE(choice.ran(first.backend));
    for (int repeat = 0; repeat < 3; ++repeat) {
      EXPECT_TRUE(same_bits(runner().sweep(s, input, choice.force).newest, first.newest));
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
