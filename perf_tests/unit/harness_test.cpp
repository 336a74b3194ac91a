// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Candidate.hpp"
#include "harness/DeviceClock.hpp"
#include "harness/Group.hpp"
#include "harness/Reference.hpp"
#include "harness/Report.hpp"
#include "harness/Suites.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <thread>

// Deliberately wrong kernels must be errors, never numbers.

namespace {

namespace KS = KokkosStencil;

enum class Mistake {
  none,
  mirrored,
  one_point_off,
  last_row_left_out,
  writes_ghosts,
  nan,
  forgets_a_term,
  slightly_off
};

/// Plain loops on host memory in double, with a mistake.
class WrongExecutable : public KS::Executable {
 public:
  WrongExecutable(KS::Problem problem, Mistake mistake) : m_problem(std::move(problem)), m_mistake(mistake) {}

  void sweep(KS::Launch const&, void const* in, void* out) const override {
    auto const* u = static_cast<double const*>(in);
    auto* v       = static_cast<double*>(out);
    auto const& p = m_problem;
    auto const at = [&](std::array<std::int64_t, 3> const& s, std::int64_t z, std::int64_t y, std::int64_t x) {
      return z * s[0] + y * s[1] + x * s[2];
    };
    std::int64_t const last = p.end[1] - (m_mistake == Mistake::last_row_left_out ? 1 : 0);
    for (std::int64_t z = p.begin[0]; z < p.end[0]; ++z) {
      for (std::int64_t y = p.begin[1]; y < last; ++y) {
        for (std::int64_t x = p.begin[2]; x < p.end[2]; ++x) {
          double sum = 0;
          for (std::size_t k = m_mistake == Mistake::forgets_a_term ? 1 : 0; k < p.terms.size(); ++k) {
            auto const& t  = p.terms[k];
            int const sign = m_mistake == Mistake::mirrored ? -1 : 1;
            sum += t.coefficient *
                   u[at(p.in_stride, z + sign * t.offset[0], y + sign * t.offset[1], x + sign * t.offset[2])];
          }
          v[at(p.out_stride, z, y, x)] = sum;
        }
      }
    }
    double& corner = v[at(p.out_stride, p.begin[0], p.begin[1], p.begin[2])];
    if (m_mistake == Mistake::one_point_off) corner += 1e-3;
    if (m_mistake == Mistake::slightly_off) corner *= 1 + 1e-12;
    if (m_mistake == Mistake::nan) {
      v[at(p.out_stride, p.begin[0], (p.begin[1] + p.end[1]) / 2, (p.begin[2] + p.end[2]) / 2)] =
          std::numeric_limits<double>::quiet_NaN();
    }
    if (m_mistake == Mistake::writes_ghosts) v[0] = 0.0;
  }

 private:
  KS::Problem m_problem;
  Mistake m_mistake;
};

class WrongBackend : public KS::Backend {
 public:
  WrongBackend(std::string name, Mistake mistake) : m_name(std::move(name)), m_mistake(mistake) {}
  std::string name() const override { return m_name; }
  KS::Status can_run(KS::Problem const& problem, KS::SpaceInfo const& space) const override {
    return space.host && problem.value_type == KS::ValueType::float64 ? KS::Status::can()
                                                                      : KS::Status::cannot("host and double only");
  }
  double predict(KS::Problem const&, KS::SpaceInfo const&) const override { return 1e6; }
  std::unique_ptr<KS::Executable> prepare(KS::Problem const& problem, KS::SpaceInfo const&,
                                          KS::Launch const&) const override {
    return std::make_unique<WrongExecutable>(problem, m_mistake);
  }

 private:
  std::string m_name;
  Mistake m_mistake;
};

perf::Case small_case(std::string const& shape, int steps) {
  perf::Case c;
  c.kernel = perf::shape(shape);
  c.type   = perf::Type::full;
  c.steps  = steps;
  for (int a = 0; a < c.kernel.rank; ++a) c.extents[static_cast<std::size_t>(a)] = c.kernel.rank == 3 ? 19 : 37;
  return c;
}

perf::Options fast() {
  perf::Options options;
  options.samples   = 1;
  options.sample_ms = 0.01;
  return options;
}

perf::Outcome outcome_of(perf::Case const& c, std::string const& candidate) {
  std::vector<perf::Outcome> outcomes(1);
  outcomes[0].candidate = candidate;
  perf::measure<perf::Host>(c, outcomes, fast());
  return outcomes[0];
}

class WrongKernel : public testing::TestWithParam<std::string> {};

TEST_P(WrongKernel, IsAnErrorAndNeverANumber) {
  for (char const* shape : {"box-2d1r", "star-3d1r", "box-2d3r"}) {
    perf::Outcome const o = outcome_of(small_case(shape, 1), GetParam());
    EXPECT_EQ(o.error.rfind("wrong result", 0), 0u) << shape << ": " << o.error;
    EXPECT_TRUE(o.seconds.empty());
    EXPECT_FALSE(o.unavailable);
  }
}

TEST_P(WrongKernel, IsAnErrorInManySweeps) {
  perf::Outcome const o = outcome_of(small_case("box-2d1r", 3), GetParam());
  EXPECT_EQ(o.error.rfind("wrong result", 0), 0u) << o.error;
  EXPECT_TRUE(o.seconds.empty());
}

TEST_P(WrongKernel, FailsTheRun) {
  perf::RunOptions options;
  options.host       = true;
  options.candidates = GetParam();
  options.measure    = fast();
  options.sample_ms  = 0.01;
  options.filter     = "box-2d2r";
  EXPECT_EQ(perf::run(options, {small_case("box-2d2r", 1)}), 1);
  benchmark::ClearRegisteredBenchmarks();
}

INSTANTIATE_TEST_SUITE_P(Mistakes, WrongKernel,
                         testing::Values("mirrored", "one_point_off", "last_row_left_out", "writes_ghosts", "nan",
                                         "forgets_a_term", "slightly_off"),
                         [](auto const& which) { return which.param; });

TEST(Harness, ARightKernelIsANumber) {
  for (char const* candidate :
       {"right", "generic", "auto", "kokkos_mdrange_default", "kokkos_mdrange_best", "openmp_simd"}) {
    for (int const steps : {1, 3}) {
      for (char const* shape : {"star-1d2r", "star-2d3r", "box-2d2r", "star-3d2r", "box-3d1r"}) {
        if (std::string(shape) == "star-1d2r" && std::string(candidate) == "kokkos_mdrange_default") continue;
        perf::Outcome const o = outcome_of(small_case(shape, steps), candidate);
        EXPECT_EQ(o.error, "") << shape << " " << candidate << " " << steps;
        EXPECT_EQ(o.seconds.size(), 1u);
        EXPECT_GT(o.median_seconds(), 0.0);
      }
    }
  }
}

TEST(Harness, TextbooksKernelsAreRight) {
  int found = 0;
  for (char const* shape : {"star-2d1r", "star-2d2r", "star-3d1r", "star-2d3r", "box-2d1r"}) {
    perf::Case c = small_case(shape, 1);
    c.type       = perf::Type::single;
    // Tiles in part, and more than one.
    c.extents   = c.kernel.rank == 3 ? perf::Extents{{70, 35, 67}} : perf::Extents{{75, 133, 1}};
    c.textbooks = true;
    for (std::string const& name : perf::textbooks_of(c)) {
      std::vector<perf::Outcome> outcomes(1);
      outcomes[0].candidate = name;
      perf::measure<perf::Device>(c, outcomes, fast());
      EXPECT_EQ(outcomes[0].error, "") << shape << " " << name;
      ++found;
    }
  }
#ifdef KOKKOS_ENABLE_CUDA
  EXPECT_EQ(found, 12);
#else
  EXPECT_EQ(found, 0);
#endif
}

TEST(Harness, ARightRunSucceeds) {
  perf::RunOptions options;
  options.host       = true;
  options.candidates = "right,generic";
  options.filter     = "box-2d2r";
  options.measure    = fast();
  options.sample_ms  = 0.01;
  EXPECT_EQ(perf::run(options, {small_case("box-2d2r", 1)}), 0);
  benchmark::ClearRegisteredBenchmarks();
}

TEST(Harness, TheDeviceIsTimedWithoutTheHost) {
  perf::DeviceClock* const clock = perf::DeviceClock::instance();
  if (clock == nullptr) GTEST_SKIP() << "no CUDA";
  Kokkos::View<float*> const field("field", 1000);
  auto const slowly = [&] {
    Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), field, 1.0f);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  double const seconds = clock->seconds(32, slowly);
  EXPECT_GT(seconds, 0.0);
  EXPECT_LT(seconds, 50e-6);
  // A call that waits for the device would wait for itself.
  EXPECT_EQ(clock->seconds(1, [&] { Kokkos::fence(); }), 0.0);
  // What the queue does not hold ends without a number, too.
  EXPECT_EQ(clock->seconds(20000, [&] { Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), field, 1.0f); }), 0.0);
  EXPECT_GT(clock->seconds(32, slowly), 0.0);
}

TEST(Harness, TheThreeWaysOfACaseWithChecks) {
  for (char const* way : {"iterate", "until", "sweeps"}) {
    for (std::int64_t const check : {1, 2, 5}) {
      perf::Case c          = small_case("star-2d1r", 5);
      c.check               = check;
      perf::Outcome const o = outcome_of(c, way);
      EXPECT_EQ(o.error, "") << way << ", a check after every " << check;
      EXPECT_GT(o.median_seconds(), 0.0);
      EXPECT_EQ(c.name(way), std::string("star-2d1r/double/") + way + "/37x37/steps:5/check:" + std::to_string(check));
    }
  }
}

TEST(Harness, NamesReadAsDocumented) {
  perf::Case c;
  c.kernel  = perf::shape("box-2d7r");
  c.type    = perf::Type::half;
  c.extents = {{10240, 10240, 1}};
  EXPECT_EQ(c.name("cuda_sparse_tensor"), "box-2d7r/half/cuda_sparse_tensor/10240x10240/steps:1");
  c.kernel  = perf::shape("star-3d1r");
  c.type    = perf::Type::full;
  c.extents = {{384, 352, 1024}};
  c.steps   = 12;
  EXPECT_EQ(c.name("auto"), "star-3d1r/double/auto/384x352x1024/steps:12");
  EXPECT_EQ(c.points(), std::int64_t(382) * 350 * 1022);
  EXPECT_EQ(perf::shape("box17-3d1r").terms.size(), 17u);
  EXPECT_EQ(perf::shape("jacobi-3d1r").terms.size(), 6u);
  EXPECT_EQ(perf::shape("ring-2d2r").terms.size(), 24u);
  EXPECT_EQ(perf::shape("upwind-2d2r").terms.size(), 5u);
  EXPECT_EQ(perf::shape("upwind-2d2r").upper(1), 0);
  EXPECT_THROW(perf::shape("disc-2d1r"), std::invalid_argument);
}

TEST(Harness, ShapesHaveExactUnsymmetricCoefficientsWithSumOne) {
  for (char const* name : {"star-1d1r", "star-2d4r", "box-2d7r", "box-3d2r", "star-3d4r", "jacobi-3d1r"}) {
    perf::Kernel const k = perf::shape(name);
    double sum           = 0;
    bool symmetric       = true;
    for (perf::Term const& t : k.terms) {
      sum += t.coefficient;
      EXPECT_GT(t.coefficient, 0.0);
      // Eight significant bits: exact in bfloat16, and so in every type.
      int exponent         = 0;
      double const leading = std::frexp(t.coefficient, &exponent) * 256.0;
      EXPECT_EQ(leading, std::floor(leading)) << name;
      for (perf::Term const& m : k.terms) {
        if (m.offset[0] == -t.offset[0] && m.offset[1] == -t.offset[1] && m.offset[2] == -t.offset[2]) {
          symmetric = symmetric && m.coefficient == t.coefficient;
        }
      }
    }
    EXPECT_EQ(sum, 1.0) << name;
    EXPECT_FALSE(symmetric) << name;
  }
}

/// The reference against whole grids swept step by step: another way to the same definition.
TEST(Reference, AgreesWithWholeGridSweeps) {
  for (char const* name : {"star-1d2r", "box-2d2r", "star-2d3r", "box-3d1r"}) {
    perf::Kernel const k = perf::shape(name);
    int const steps      = 4;
    perf::Extents n{{1, 1, 1}};
    for (int a = 0; a < k.rank; ++a) n[static_cast<std::size_t>(a)] = 15 + 2 * a;
    auto const index = [&](std::int64_t i, std::int64_t j, std::int64_t l) { return (i * n[1] + j) * n[2] + l; };
    std::vector<double> u(static_cast<std::size_t>(n[0] * n[1] * n[2]));
    for (std::size_t e = 0; e < u.size(); ++e) u[e] = perf::input_value(e, 20);
    std::vector<double> v = u;
    for (int s = 0; s < steps; ++s) {
      for (std::int64_t i = -k.lower(0); i < n[0] - k.upper(0); ++i) {
        for (std::int64_t j = -k.lower(1); j < n[1] - k.upper(1); ++j) {
          for (std::int64_t l = -k.lower(2); l < n[2] - k.upper(2); ++l) {
            double sum = 0;
            for (perf::Term const& t : k.terms) {
              sum +=
                  t.coefficient * u[static_cast<std::size_t>(index(i + t.offset[0], j + t.offset[1], l + t.offset[2]))];
            }
            v[static_cast<std::size_t>(index(i, j, l))] = sum;
          }
        }
      }
      std::swap(u, v);
    }
    perf::Case c;
    c.kernel           = k;
    c.extents          = n;
    c.steps            = steps;
    auto const samples = perf::reference_samples(c, 20, 300);
    std::set<std::int64_t> distinct;
    for (perf::Sample const& s : samples) {
      distinct.insert(s.element);
      EXPECT_NEAR(s.expected, u[static_cast<std::size_t>(s.element)], 1e-14) << name;
      EXPECT_GE(s.scale, std::abs(s.expected) * (1 - 1e-14));
    }
    EXPECT_EQ(distinct.size(), samples.size());
    EXPECT_GE(samples.size(), 8u);
  }
}

TEST(Reference, PeriodicFaces) {
  // On a torus every point is alike: shifting the stencil shifts the samples' values.
  perf::Kernel k = perf::shape("star-2d1r");
  for (perf::Term& t : k.terms) t.coefficient = 0.0;
  k.terms.front().coefficient = 1.0;
  perf::Extents const n{{7, 9, 1}};
  auto const offset = k.terms.front().offset;
  perf::Case c;
  c.kernel  = k;
  c.extents = n;
  c.steps   = 5;
  c.faces   = perf::Faces::periodic;
  for (perf::Sample const& s : perf::reference_samples(c, 20, 300)) {
    std::int64_t const y = (s.element / 9 + 5 * (offset[0] + 7)) % 7, x = (s.element % 9 + 5 * (offset[1] + 9)) % 9;
    EXPECT_EQ(s.expected, perf::input_value(static_cast<std::uint64_t>(y * 9 + x), 20));
  }
}

TEST(Reference, MirrorFaces) {
  // A shift by one along a line of five with a mirror before it.
  perf::Case c;
  c.kernel  = perf::shape("star-1d2r");
  c.extents = {{5, 1, 1}};
  c.steps   = 2;
  c.faces   = perf::Faces::mirror;
  for (perf::Term& t : c.kernel.terms) t.coefficient = t.offset[0] == -1 ? 1.0 : 0.0;
  std::set<std::int64_t> seen;
  for (perf::Sample const& s : perf::reference_samples(c, 20, 300)) {
    seen.insert(s.element);
    EXPECT_EQ(s.expected, perf::input_value(s.element < 2 ? 0 : static_cast<std::uint64_t>(s.element - 2), 20));
  }
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Reference, PitchMovesRows) {
  perf::Case c;
  c.kernel  = perf::shape("box-3d1r");
  c.extents = {{5, 6, 7}};
  c.pitch   = 9;
  EXPECT_EQ(c.strides(), (perf::Extents{{54, 9, 1}}));
  EXPECT_EQ(c.allocated(), 5 * 54);
  EXPECT_FALSE(c.contiguous());
  for (perf::Term& t : c.kernel.terms) t.coefficient = t.offset == std::array<int, 3>{{0, 0, 0}} ? 1.0 : 0.0;
  for (perf::Sample const& s : perf::reference_samples(c, 20, 300)) {
    EXPECT_LT(s.element % 9, 7);
    EXPECT_EQ(s.expected, perf::input_value(static_cast<std::uint64_t>(s.element), 20));
  }
}

TEST(Reference, ErrorIsNanIfAValueIs) {
  std::vector<perf::Sample> const samples{{0, 1.0, 2.0}, {1, 1.0, 2.0}};
  EXPECT_EQ(perf::max_error_over_scale(samples, {1.0, 1.5}), 0.25);
  EXPECT_TRUE(std::isnan(perf::max_error_over_scale(samples, {std::nan(""), 1.0})));
  EXPECT_TRUE(std::isnan(perf::max_error_over_scale(samples, {1.0, std::nan("")})));
}

TEST(Suites, EveryNameHasCasesAndNoneOccursTwice) {
  for (auto const& [name, what] : perf::suite_names()) {
    for (bool const host : {true, false}) {
      std::set<std::string> names;
      for (perf::Case const& c : perf::suite(name, host)) {
        EXPECT_TRUE(names.insert(c.name("x")).second) << name << ": " << c.name("x");
        EXPECT_GT(c.points(), 0);
      }
      EXPECT_FALSE(names.empty()) << name;
    }
  }
  EXPECT_THROW(perf::suite("none", true), std::invalid_argument);
}

TEST(Suites, RandomProblemsDependOnTheSeedOnly) {
  auto const names = [](std::uint64_t seed, std::size_t count) {
    std::vector<std::string> all;
    for (perf::Case const& c : perf::suite("random", false, {seed, count})) all.push_back(c.name(""));
    return all;
  };
  auto const some = names(7, 200), more = names(7, 300);
  EXPECT_EQ(some.size(), 200u);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), more.begin()));
  EXPECT_NE(some, names(8, 200));
  // The same on every machine: a hash of the names.
  std::uint64_t hash = 14695981039346656037ull;
  for (std::string const& name : some) {
    for (char const c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  }
  EXPECT_EQ(hash, 7551118354228170893u);
}

TEST(Suites, RandomProblemsAreWhatTheySay) {
  int aligned = 0, padded = 0;
  std::set<std::string> kinds;
  for (perf::Case const& c : perf::suite("random", false, {3, 500})) {
    std::string const name = c.name("");
    auto const row         = static_cast<std::size_t>(c.kernel.rank - 1);
    EXPECT_GE(c.elements(), 10000) << name;
    EXPECT_LE(c.allocated() * perf::bytes_of(c.type), std::int64_t(1) << 30) << name;
    EXPECT_GT(c.points(), 0) << name;
    EXPECT_TRUE(c.pitch == 0 || c.pitch > c.extents[row]) << name;
    EXPECT_GE(c.kernel.radius(), 1) << name;
    EXPECT_LE(c.kernel.radius(), 7) << name;
    EXPECT_LE(c.steps, 30) << name;
    if (c.faces == perf::Faces::mirror) {
      for (perf::Term const& t : c.kernel.terms) {
        for (perf::Term const& u : c.kernel.terms) {
          bool image = true;
          for (std::size_t a = 0; a < 3; ++a) image = image && std::abs(u.offset[a]) == std::abs(t.offset[a]);
          EXPECT_TRUE(!image || t.coefficient == u.coefficient) << name;
        }
        if (c.kernel.terms.size() > 200) break;
      }
    }
    aligned += (c.pitch > 0 ? c.pitch : c.extents[row]) % 8 == 0;
    padded += c.pitch > 0;
    kinds.insert(perf::name_of(c.type));
    kinds.insert(perf::name_of(c.faces));
    kinds.insert(c.kernel.name.substr(0, 6));
  }
  EXPECT_GT(aligned, 150);
  EXPECT_GT(padded, 100);
  EXPECT_EQ(kinds.size(), 4u + 3u + 5u);
}

TEST(Suites, SlicesAreAllOfIt) {
  std::vector<std::string> parts, all;
  perf::Selection s;
  s.suites = "model,spider,model";
  for (perf::Case const& c : perf::cases_of(s, false)) all.push_back(c.name(""));
  s.slices = 4;
  for (s.slice = 1; s.slice <= 4; ++s.slice) {
    for (perf::Case const& c : perf::cases_of(s, false)) parts.push_back(c.name(""));
  }
  EXPECT_GT(all.size(), 10u);
  EXPECT_EQ(parts, all);
}

TEST(Suites, MeetingCasesKeepTheRivalsOfBoth) {
  auto const full = perf::suite("full", false);
  int compared    = 0;
  for (char const* part : {"quick", "sparstencil", "spider"}) {
    for (perf::Case const& c : perf::suite(part, false)) {
      for (perf::Case const& f : full) {
        if (f.name("") != c.name("")) continue;
        ++compared;
        EXPECT_TRUE(f.cudnn || !c.cudnn) << c.name("");
        EXPECT_GE(f.rivals, c.rivals) << c.name("");
      }
    }
  }
  EXPECT_GT(compared, 50);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  int count  = 1;
  char* self = argv[0];
  benchmark::Initialize(&count, &self);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  for (auto const& [name, mistake] :
       std::vector<std::pair<char const*, Mistake>>{{"right", Mistake::none},
                                                    {"mirrored", Mistake::mirrored},
                                                    {"one_point_off", Mistake::one_point_off},
                                                    {"last_row_left_out", Mistake::last_row_left_out},
                                                    {"writes_ghosts", Mistake::writes_ghosts},
                                                    {"nan", Mistake::nan},
                                                    {"forgets_a_term", Mistake::forgets_a_term},
                                                    {"slightly_off", Mistake::slightly_off}}) {
    KS::register_backend(std::make_unique<WrongBackend>(name, mistake));
  }
  return RUN_ALL_TESTS();
}
