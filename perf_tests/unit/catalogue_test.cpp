// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Candidate.hpp"
#include "harness/Catalogue.hpp"
#include "harness/Memory.hpp"
#include "harness/Reference.hpp"

#include "common/CudaModel.hpp"
#include "sparse_table/Layout.hpp"
#include <paper/ColumnMatching.hpp>
#include <paper/LayoutSearch.hpp>
#include <transform/TilePack.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

namespace {

using perf::CatalogueKernel;

TEST(Catalogue, HasAtLeast79KernelsOfNineDomains) {
  std::set<std::string> names, domains;
  for (CatalogueKernel const& k : perf::catalogue()) {
    EXPECT_TRUE(names.insert(k.name).second) << k.name << " occurs twice";
    EXPECT_FALSE(k.source.empty()) << k.name;
    domains.insert(k.domain);
  }
  EXPECT_GE(names.size(), 79u);
  std::set<std::string> const nine{"PDE solvers",      "fluid dynamics",          "lattice Boltzmann",
                                   "phase field",      "geophysics and seismics", "image processing",
                                   "electromagnetics", "weather and climate",     "high-order finite differences"};
  EXPECT_EQ(domains, nine);
}

TEST(Catalogue, TermsAreFiniteAndDistinct) {
  for (CatalogueKernel const& k : perf::catalogue()) {
    EXPECT_FALSE(k.terms.empty()) << k.name;
    std::set<std::array<int, 3>> offsets;
    for (perf::Term const& t : k.terms) {
      EXPECT_TRUE(offsets.insert(t.offset).second) << k.name << " has an offset twice";
      EXPECT_TRUE(std::isfinite(t.coefficient)) << k.name;
      for (int a = k.rank; a < 3; ++a) EXPECT_EQ(t.offset[static_cast<std::size_t>(a)], 0) << k.name;
    }
  }
}

double factorial(int n) { return std::tgamma(n + 1.0); }

/// The stencil applied to every monomial up to the degree equals the operator applied to it: the order of
/// accuracy, and with it that the coefficients of a derivative add up to 0 and those of a filter to 1.
TEST(Catalogue, KernelsAreWhatTheyClaimToBe) {
  int claims = 0;
  for (CatalogueKernel const& k : perf::catalogue()) {
    if (k.degree < 0) continue;
    ++claims;
    std::array<int, 3> p{};
    for (p[0] = 0; p[0] <= k.degree; ++p[0]) {
      for (p[1] = 0; p[1] <= (k.rank > 1 ? k.degree - p[0] : 0); ++p[1]) {
        for (p[2] = 0; p[2] <= (k.rank > 2 ? k.degree - p[0] - p[1] : 0); ++p[2]) {
          long double moment = 0, size = 0;
          for (perf::Term const& t : k.terms) {
            long double power = 1;
            for (std::size_t a = 0; a < 3; ++a) power *= std::pow(static_cast<long double>(t.offset[a]), p[a]);
            moment += static_cast<long double>(t.coefficient) * power;
            size += std::abs(static_cast<long double>(t.coefficient) * power);
          }
          double expected = 0;
          for (auto const& d : k.operators) {
            if (d.powers == p) expected = d.factor * factorial(p[0]) * factorial(p[1]) * factorial(p[2]);
          }
          // Fractions are rounded to double; sampled Gaussians are given to ten digits.
          double const tolerance = k.domain == "image processing" ? 1e-8 : 1e-14 * static_cast<double>(size) + 1e-15;
          EXPECT_NEAR(static_cast<double>(moment), expected, tolerance)
              << k.name << ", monomial " << p[0] << " " << p[1] << " " << p[2];
        }
      }
    }
  }
  EXPECT_GE(claims, 79);
}

TEST(Catalogue, ReaderNamesTheLineOfAMistake) {
  auto const message = [](std::string const& text) {
    std::istringstream stream(text);
    try {
      perf::read_catalogue(stream);
    } catch (std::runtime_error const& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("kernel a\nrank 1\n-1 : 1/2 3 0.5\n"), "");
  EXPECT_NE(message("rank 1\n").find("line 1"), std::string::npos);
  EXPECT_NE(message("kernel a\nrank 4\n").find("line 2"), std::string::npos);
  EXPECT_NE(message("kernel a\nrank 1\n0 : 1/2x\n").find("not a number: 1/2x"), std::string::npos);
  EXPECT_NE(message("kernel a\nrank 2\n0 : 1\n").find("line 3"), std::string::npos);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KOKKOSSTENCIL_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KOKKOSSTENCIL_SANITIZED
#endif
#endif

/// Microseconds of the fastest of several.
template <class Run>
double time_of(Run run) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30;
  for (int repeat = 0; repeat < 10; ++repeat) {
    auto const start = Clock::now();
    run();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  return best;
}

/// Matching takes less than a millisecond for every kernel, with the tile that the paper's search picks and with one of
/// 4 x 4 x 4 outputs, and so does all that cuda_sparse_table prepares but the choice of its tile.
TEST(Catalogue, MatchesInLessThanAMillisecond) {
  using namespace KokkosStencil;
  Transform::Machine const a100{1.41e9, 432, 1.555e12, 108 * 128 * 1.41e9};
  std::vector<Transform::Instruction> const instructions{{16, 8, 16, 16}, {16, 8, 32, 16}};
  double matching = 0.0, packing = 0.0;
  for (CatalogueKernel const& k : perf::catalogue()) {
    std::int64_t const n = k.rank == 3 ? 512 : k.rank == 2 ? 8192 : 1 << 26;
    Problem p;
    p.value_type = ValueType::float16;
    p.rank       = k.rank;
    p.extent     = {{k.rank > 2 ? n : 1, k.rank > 1 ? n : 1, n}};
    p.in_stride = p.out_stride = {{n * n, n, 1}};
    p.end                      = p.extent;
    for (perf::Term const& t : k.terms) {
      KokkosStencil::Term term{{{0, 0, 0}}, t.coefficient};
      auto const rank = static_cast<std::size_t>(k.rank);
      for (std::size_t a = 0; a < rank; ++a) term.offset[3 - rank + a] = t.offset[a];
      p.terms.push_back(term);
    }
    Transform::Sweep sweep{{{1, 1, 1}}};
    for (std::size_t a = 0; a < 3; ++a) sweep.outputs[a] = static_cast<int>(p.extent[a]);
    Transform::Tile const large{k.rank > 2 ? 4 : 1, k.rank > 1 ? 4 : 1, 4};
    for (Transform::Tile const& tile : {Transform::search_layout(p.terms, sweep, instructions, a100).tile, large}) {
      Transform::Morphed const morphed = Transform::morph(p.terms, tile);
      double const time = time_of([&] { EXPECT_FALSE(Transform::match_columns(morphed).partner.empty()); });
      matching          = std::max(matching, time);
#if defined(NDEBUG) && !defined(KOKKOSSTENCIL_SANITIZED)
      EXPECT_LT(time, 1000.0) << k.name << ", tile " << tile.z << " x " << tile.y << " x " << tile.x;
#endif
    }
    Cuda::SparseTable::Layout const layout = Cuda::SparseTable::choose_layout(p, 132, Cuda::shared_bytes_of(90));
    ASSERT_TRUE(layout) << k.name;
    auto const terms  = Cuda::SparseTable::kernel_terms(p);
    double const time = time_of([&] { EXPECT_GT(Transform::pack_pairs(terms, layout.tile, layout.banks()).steps, 0); });
    packing           = std::max(packing, time);
#if defined(NDEBUG) && !defined(KOKKOSSTENCIL_SANITIZED)
    EXPECT_LT(time, 1000.0) << k.name << ", packing";
#endif
  }
  std::printf("matching at most %.0f us, packing %.0f us\n", matching, packing);
}

/// Every kernel at a small odd size, one sweep and three, against the definition.
class CatalogueRun : public testing::TestWithParam<perf::Type> {};

TEST_P(CatalogueRun, MatchesTheReference) {
  using Memory = perf::Memory<perf::Device>;
  for (CatalogueKernel const& k : perf::catalogue()) {
    for (int const steps : {1, 3}) {
      perf::Case c;
      c.kernel = k;
      c.type   = GetParam();
      c.steps  = steps;
      if (!perf::has_type<perf::Device>(c.type)) GTEST_SKIP() << "no type " << perf::name_of(c.type) << " here";
      for (int a = 0; a < k.rank; ++a)
        c.extents[static_cast<std::size_t>(a)] = k.rank == 1 ? 203 : 21 + 2 * a + 2 * k.radius();
      int const bits      = perf::input_bits(perf::bytes_of(c.type), c.type == perf::Type::bhalf);
      auto const samples  = perf::reference_samples(c, bits, 200);
      auto const bytes    = static_cast<std::size_t>(c.elements()) * static_cast<std::size_t>(perf::bytes_of(c.type));
      perf::Fields fields = {Memory::allocate(bytes), Memory::allocate(bytes)};
      Memory::fill(fields.u, c.elements(), c.type);
      Memory::poison(fields.v, c.elements(), c.type);
      auto const candidate = perf::make_library<perf::Device>(c, fields, "");
      void const* result   = candidate->run();
      Memory::fence();
      std::vector<std::int64_t> where;
      for (perf::Sample const& s : samples) where.push_back(s.element);
      EXPECT_GE(where.size(), 4u) << k.name;
      double const error = perf::max_error_over_scale(samples, Memory::values_at(result, where, c.type));
      EXPECT_LE(error, perf::contract_bound(c)) << k.name << ", " << steps << " steps on " << candidate->label();
      Memory::release(fields.u);
      Memory::release(fields.v);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, CatalogueRun,
                         testing::Values(perf::Type::half, perf::Type::bhalf, perf::Type::single, perf::Type::full),
                         [](auto const& which) { return std::string(perf::name_of(which.param)); });

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
