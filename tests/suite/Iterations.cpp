// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <host_temporal/HostTemporal.hpp>

// Many sweeps: equal to single ones at every point.

namespace KokkosStencil {
namespace Test {
namespace {

class Iterations : public OnEveryRunner {
 protected:
  std::vector<Term> shape() const { return scattered_offsets(runner().rank(), 2, runner().rank() == 1 ? 4 : 7, 8); }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Iterations);

/// host_temporal that always does several sweeps at once, also where fields are in the caches anyway.
bool const g_always_temporal = (register_backend(HostTemporal::make_backend("host_temporal_always", 65536, 1e9)), true);

TEST_P(Iterations, EqualSingleSweeps) {
  for (Face const& face : all_faces()) {
    for (std::int64_t steps : {0, 1, 2, 3, 7}) {
      for (Via via : {Via::function, Via::plan}) {
        Call s = call(shape()).face(face);
        s.via  = via;
        verify_iterate(runner(), s, steps, Data::random);
      }
    }
  }
}

TEST_P(Iterations, SeveralLevelsAtOnce) {
  // Large enough for blocking in time: with neighbours far from every face, and more steps than levels.
  int const rank       = runner().rank();
  Extents const extent = rank == 1 ? Extents{{5000, 1, 1}} : rank == 2 ? Extents{{61, 620, 1}} : Extents{{21, 41, 70}};
  for (int radius : {1, 2}) {
    for (bool star : {true, false}) {
      if (rank == 3 && radius == 2 && !star) continue;
      Call s           = call(extent, star ? star_offsets(rank, radius) : box_offsets(rank, radius));
      s.symmetric      = true;
      auto const faces = radius == 1 && star ? all_faces() : std::vector<Face>{Face::halo(), Face::periodic()};
      for (Face const& face : faces) verify_iterate(runner(), Call(s).face(face), 7, Data::wide);
      s.symmetric = false;
      s.face(0, 0, Face::halo()).face(0, 1, Face::value(-1.5));
      if (rank > 1) s.face(rank - 1, 0, Face::periodic()).face(rank - 1, 1, Face::periodic());
      s.in = s.out = rank > 1 ? Layout::padded_more : Layout::right;
      verify_iterate(runner(), s, 14, Data::wide);
    }
  }
  if (rank < 3) return;
  Call s      = call(extent, box17_offsets());
  s.symmetric = true;
  for (Face const& face : all_faces()) verify_iterate(runner(), Call(s).face(face), 5, Data::wide);
}

TEST_P(Iterations, TilesAwayFromTheFaces) {
  // A GPU's tiles are wide; on the host every point is alike.
  bool const wide = runner().value_type() == ValueType::float64 || runner().value_type() == ValueType::float32;
  if (runner().space() != "Cuda" || runner().rank() != 3 || !wide) GTEST_SKIP() << "CUDA, volumes, float and double";
  for (auto const& shape : {star_offsets(3, 1), box_offsets(3, 1), box17_offsets()}) {
    for (Face const& face : {Face::halo(), Face::periodic(), Face::value(0.75)}) {
      verify_iterate(runner(), call({{9, 190, 380}}, shape).face(face), 5, Data::random);
    }
  }
}

TEST_P(Iterations, SeveralStepsAsOneStencil) {
  // Rows of whole 16 bytes, and tall enough for the composed stencil: nothing symmetric, all rules at faces and
  // corners.
  int const rank = runner().rank();
  if (rank == 3) GTEST_SKIP() << "planes and lines only";
  Extents const extent = rank == 1 ? Extents{{5000, 1, 1}} : Extents{{61, 192, 1}};
  for (Face const& face : all_faces()) {
    verify_iterate(runner(), call(extent, box_offsets(rank, 1)).face(face), 7, Data::wide);
    verify_iterate(runner(), call(extent, star_offsets(rank, 2)).face(face), 5, Data::random);
  }
  Call s = call(extent, star_offsets(rank, 1)).face(Face::mirror());
  s.face(0, 0, Face::value(0.75)).face(0, 1, Face::halo());
  verify_iterate(runner(), s, 8, Data::random);
  if (rank == 2) {
    s = call(extent, box_offsets(rank, 1)).face(Face::periodic());
    verify_iterate(runner(), Call(s).range({{9, 3, 0}}, {{60, 180, 1}}), 7, Data::random);
    s.face(0, 0, Face::edge()).face(0, 1, Face::value(2.0));
    verify_iterate(runner(), s, 6, Data::random);
  }
}

TEST_P(Iterations, MixedFaces) {
  for (std::int64_t steps : {2, 7}) {
    Call s = call(shape()).face(Face::halo());
    s.face(0, 0, Face::value(1.5)).face(0, 1, Face::edge());
    verify_iterate(runner(), s, steps, Data::random);
    int const last = runner().rank() - 1;
    s.face(last, 0, Face::halo()).face(last, 1, Face::mirror());
    verify_iterate(runner(), s, steps, Data::random);
  }
}

TEST_P(Iterations, PartialRangesKeepTheRest) {
  for (Face const& face : all_faces()) {
    for (std::int64_t steps : {1, 2, 5}) {
      Call s = call({{21, 17, 19}}, star_offsets(runner().rank(), 2)).face(face);
      verify_iterate(runner(), Call(s).range({{3, 2, 5}}, {{15, 14, 17}}), steps, Data::random);
      verify_iterate(runner(), Call(s).range({{4, 4, 4}}, {{4, 9, 9}}), steps, Data::random);
    }
  }
}

TEST_P(Iterations, WindowsWiderThanTheView) {
  for (Face const& face : {Face::value(0.5), Face::periodic(), Face::mirror(), Face::edge()}) {
    verify_iterate(runner(), call({{2, 3, 2}}, star_offsets(runner().rank(), 4)).face(face), 3, Data::random);
  }
}

TEST_P(Iterations, NoInteriorPoint) {
  // Ghost values only: nothing is written, and u stays.
  verify_iterate(runner(), call({{4, 4, 4}}, star_offsets(runner().rank(), 2)), 3, Data::random);
  verify_iterate(runner(), call({{0, 4, 4}}, star_offsets(runner().rank(), 2)), 3, Data::random);
}

TEST_P(Iterations, EveryLayout) {
  std::pair<Layout, Layout> const pairs[] = {
      {Layout::right, Layout::right},        {Layout::left, Layout::left},          {Layout::padded, Layout::padded},
      {Layout::padded, Layout::padded_more}, {Layout::padded_left, Layout::padded}, {Layout::strided, Layout::padded},
      {Layout::middle, Layout::strided}};
  for (auto const& layouts : pairs) {
    for (std::int64_t steps : {1, 2, 3}) {
      for (Via via : {Via::function, Via::plan}) {
        Call s = call(shape());
        s.in   = layouts.first;
        s.out  = layouts.second;
        s.via  = via;
        verify_iterate(runner(), s, steps, Data::random);
        verify_iterate(runner(), Call(s).face(Face::periodic()), steps, Data::random);
      }
    }
  }
}

TEST_P(Iterations, TheHandleNamesTheNewestState) {
  // A shift by one point a step shows how many steps the named View has seen.
  Call s                 = call({{{{1, 0, 0}}, 1.0}}).face(Face::periodic());
  s.terms[0].coefficient = 1.0;
  Field const start      = filled(s.rank, s.extent, Data::integer, 4, runner().rounding());
  for (std::int64_t steps = 0; steps <= 4; ++steps) {
    Field expected = start;
    expected.each([&](Extents i) {
      Extents const to = i;
      i[0]             = (i[0] + steps) % s.extent[0];
      expected(to)     = start(i);
    });
    Outcome const o = runner().iterate(s, start, steps, "");
    if (steps > 0) {
      EXPECT_TRUE(iteration_choices(runner(), s)[0].ran(o.backend));
    }
    EXPECT_TRUE(o.handles_kept);
    EXPECT_TRUE(same_bits(o.newest, expected)) << steps << " steps";
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
