// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/HostViews.hpp"
#include "../harness/TestBackend.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// Tuning::measure and its file.

namespace KokkosStencil {
namespace Test {
namespace {

Stencil<double, 2> const g_star = star<2>(1, {1.0, 0.5});

struct Tuned : testing::Test {
  using View     = HostView<double**>;
  using HostPlan = Plan<Host, 2, View, View>;
  View u{"u", 40, 50}, v{"v", 40, 50};
  HostPolicy2 policy;
  std::string directory, file;

  void SetUp() override {
    // Does no work, so it is the fastest; predicted to be the slowest.
    test_backend()           = TestBackendState();
    test_backend().accepts   = true;
    test_backend().predicted = 1e30;
    Impl::forget_tuning();
    directory = testing::TempDir() + "kokkosstencil-tuning-XXXXXX";
    ASSERT_NE(mkdtemp(&directory[0]), nullptr);
    file = directory + "/winners";
  }
  void TearDown() override {
    test_backend() = TestBackendState();
    Impl::forget_tuning();
    EXPECT_EQ(std::system(("chmod -R u+w '" + directory + "' && rm -r '" + directory + "'").c_str()), 0);
  }

  HostPlan plan(HostPolicy2 const& p) const { return HostPlan("tuned", p, g_star, u, v); }
  HostPlan measured() const { return plan(policy.tuning(Tuning::measure, file)); }
  /// As another process would.
  HostPlan measured_anew() const {
    Impl::forget_tuning();
    return measured();
  }
  /// Runs f and returns what it wrote to stderr.
  template <class F>
  static std::string warnings(F const& f) {
    testing::internal::CaptureStderr();
    f();
    return testing::internal::GetCapturedStderr();
  }
  std::string contents() const {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void write(std::string const& text) const { std::ofstream(file, std::ios::trunc) << text; }
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::istringstream in(contents());
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
};

/// As the library makes it.
std::string checksum(std::string const& text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(h));
  return digits;
}

TEST_F(Tuned, TheFasterOneWinsWhateverIsPredicted) {
  EXPECT_EQ(plan(policy).backend(), "generic");
  HostPlan const p = plan(policy.tuning(Tuning::measure));
  EXPECT_EQ(p.backend(), "test_switch");
  EXPECT_EQ(p.backend(32), "test_switch");
  for (Candidate const& c : p.candidates()) {
    EXPECT_EQ(c.measured > 0.0, c.runnable) << c.backend;
    EXPECT_EQ(c.chosen, c.backend == "test_switch");
  }
  EXPECT_NE(p.explain().find("measured"), std::string::npos) << p.explain();
  // Calls too.
  parallel_for("tuned", policy.tuning(Tuning::measure), g_star, u, v);
  EXPECT_EQ(last_backend(), "test_switch");
  parallel_for("tuned", policy, g_star, u, v);
  EXPECT_EQ(last_backend(), "generic");
}

TEST_F(Tuned, NothingIsLost) {
  // With points outside the range, strides, and values that would overflow if they grew from run to run.
  Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::HostSpace> const a("a", Kokkos::LayoutStride(20, 100, 30, 3)),
      b("b", Kokkos::LayoutStride(20, 100, 30, 3));
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 30; ++j) {
      a(i, j) = 1e300 + i - j;
      b(i, j) = i * j;
    }
  }
  auto const p = HostPolicy2({2, 3}, {15, 20}).tuning(Tuning::measure);
  Plan<Host, 2, decltype(a), decltype(b)> const made("tuned", p, g_star, a, b);
  EXPECT_EQ(made.backend(), "test_switch");
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 30; ++j) {
      ASSERT_EQ(a(i, j), 1e300 + i - j);
      ASSERT_EQ(b(i, j), i * j);
    }
  }
}

TEST_F(Tuned, MemoryServesTheSameShape) {
  plan(policy.tuning(Tuning::measure));
  int const before = test_backend().sweeps;
  EXPECT_GT(before, 0);
  // Other coefficients and labels change no time; other shapes do.
  HostPlan("other", policy.tuning(Tuning::measure), star<2>(1, {2.0, 0.25}), u, v);
  EXPECT_EQ(test_backend().sweeps, before);
  View const a("a", 41, 50), b("b", 41, 50);
  HostPlan("other", policy.tuning(Tuning::measure), g_star, a, b);
  EXPECT_GT(test_backend().sweeps, before);
}

TEST_F(Tuned, AForcedBackendIsNotTimed) {
  HostPlan const p = plan(policy.backend("generic").tuning(Tuning::measure));
  EXPECT_EQ(p.backend(), "generic");
  EXPECT_EQ(test_backend().sweeps, 0);
}

TEST_F(Tuned, TheFileServesTheNextProcess) {
  EXPECT_EQ(warnings([&] { measured(); }), "");
  EXPECT_NE(contents().find("test_switch"), std::string::npos) << contents();
  EXPECT_EQ(lines().size(), 3u) << "a header, one sweep, many sweeps";
  int const before = test_backend().sweeps;
  EXPECT_EQ(warnings([&] { EXPECT_EQ(measured_anew().backend(), "test_switch"); }), "");
  EXPECT_EQ(test_backend().sweeps, before) << "nothing is timed again";
  // Another policy without the file, in a process that measured nothing.
  Impl::forget_tuning();
  EXPECT_EQ(plan(policy).backend(), "generic");
}

TEST_F(Tuned, AWinnerThatIsGoneIsMeasuredAgain) {
  measured();
  test_backend().accepts = false;
  EXPECT_NE(measured_anew().backend(), "test_switch");
  test_backend().accepts = true;
}

TEST_F(Tuned, ADamagedLineCostsItsWinnerOnly) {
  measured();
  auto all = lines();
  ASSERT_EQ(all.size(), 3u);
  std::string const whole = contents();
  // A digit of a time, a cut line, an empty file.
  auto digit = all[1];
  digit[digit.rfind('\t') - 1] ^= 1;
  for (std::string const& damaged : {all[0] + "\n" + digit + "\n" + all[2] + "\n", whole.substr(0, whole.size() - 5),
                                     all[0] + "\n" + all[2] + "\n\x01\x02\xff\n"}) {
    write(damaged);
    int const before       = test_backend().sweeps;
    std::string const said = warnings([&] { EXPECT_EQ(measured_anew().backend(), "test_switch"); });
    EXPECT_NE(said.find(file), std::string::npos) << said;
    EXPECT_NE(said.find("damaged"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_GT(test_backend().sweeps, before);
    // The file is whole again.
    EXPECT_EQ(warnings([&] { measured_anew(); }), "");
    EXPECT_EQ(lines().size(), 3u) << contents();
  }
  write("");
  EXPECT_EQ(warnings([&] { measured_anew(); }), "");
  EXPECT_EQ(lines().size(), 3u);
}

TEST_F(Tuned, AFileOfAnotherKindIsLeftAlone) {
  for (std::string const& text : {std::string("dear diary,\n"), std::string(1000, '\0')}) {
    write(text);
    std::string const said = warnings([&] { EXPECT_EQ(measured_anew().backend(), "test_switch"); });
    EXPECT_NE(said.find("no tuning file"), std::string::npos) << said;
    EXPECT_EQ(contents(), text);
  }
}

TEST_F(Tuned, AFileOfAnotherDeviceOrVersionIsLeftAlone) {
  measured();
  for (int const field : {1, 2}) {
    auto all         = lines();
    std::size_t from = 0;
    for (int k = 0; k < field; ++k) from = all[0].find('\t', from) + 1;
    std::string foreign = all[0];
    foreign.insert(from, "9");
    std::string const text = foreign + "\n" + all[1] + "\n";
    write(text);
    int const before       = test_backend().sweeps;
    std::string const said = warnings([&] {
      EXPECT_EQ(measured_anew().backend(), "test_switch");
      measured();
    });
    EXPECT_NE(said.find("another device"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_GT(test_backend().sweeps, before);
    EXPECT_EQ(contents(), text);
    write(all[0] + "\n" + all[1] + "\n" + all[2] + "\n");
  }
}

TEST_F(Tuned, AReadOnlyFileStillServes) {
  measured();
  std::string const text = contents();
  chmod(file.c_str(), 0400);
  chmod(directory.c_str(), 0500);
  // What it holds is used without a word.
  int const before = test_backend().sweeps;
  EXPECT_EQ(warnings([&] { EXPECT_EQ(measured_anew().backend(), "test_switch"); }), "");
  EXPECT_EQ(test_backend().sweeps, before);
  if (access(file.c_str(), W_OK) == 0) GTEST_SKIP() << "this user may write everything";
  View const a("a", 21, 22), b("b", 21, 22);
  std::string const said = warnings([&] { HostPlan("tuned", policy.tuning(Tuning::measure, file), g_star, a, b); });
  EXPECT_NE(said.find("cannot be written"), std::string::npos) << said;
  EXPECT_EQ(contents(), text);
}

TEST_F(Tuned, AFileThatCannotBeCostsAWarning) {
  for (std::string const& name : {directory + "/missing/file", directory}) {
    Impl::forget_tuning();
    std::string const said = warnings([&] {
      EXPECT_EQ(plan(policy.tuning(Tuning::measure, name)).backend(), "test_switch");
      EXPECT_EQ(plan(policy.tuning(Tuning::measure, name)).backend(), "test_switch");
    });
    EXPECT_NE(said.find(name), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

TEST_F(Tuned, ALongFileIsNotRead) {
  measured();
  std::string const title = lines()[0], rest(std::size_t(17) << 20, 'x');
  for (std::string const& text : {rest, title + "\n" + rest, title + rest}) {
    write(text);
    std::string const said = warnings([&] { EXPECT_EQ(measured_anew().backend(), "test_switch"); });
    EXPECT_NE(said.find("too long"), std::string::npos) << said;
    EXPECT_LT(said.size(), 1000u);
    EXPECT_EQ(std::ifstream(file, std::ios::ate | std::ios::binary).tellg(), std::streamoff(text.size()));
  }
  // A first line that is long, but not beyond the limit.
  write(title + std::string(1000000, '\7') + "\n");
  std::string const said = warnings([&] { measured_anew(); });
  EXPECT_NE(said.find("another device"), std::string::npos);
  EXPECT_LT(said.size(), 1000u);
  EXPECT_EQ(said.find('\7'), std::string::npos);
}

TEST_F(Tuned, NumbersOutOfRangeAreDamage) {
  measured();
  auto const all = lines();
  for (std::string const& numbers :
       {std::string("99999999999\t1e-5"), std::string("0\t1e-5"), std::string("1.5\t1e-5"), std::string("-1\t1e-5"),
        std::string("1\tnan"), std::string("1\tinf"), std::string("1\t1e999"), std::string("1\t-1"),
        std::string("1\t0"), std::string("1\t1e-5x"), std::string("\t")}) {
    std::string line = all[1].substr(0, all[1].find('\t')) + "\ttest_switch\t" + numbers;
    write(all[0] + "\n" + line + "\t" + checksum(line) + "\n" + all[2] + "\n");
    std::string const said = warnings([&] { EXPECT_EQ(measured_anew().backend(), "test_switch"); });
    EXPECT_NE(said.find("1 damaged"), std::string::npos) << numbers << ": " << said;
  }
}

TEST_F(Tuned, OnlyRegularFilesAreReadAndReplaced) {
  // Reading a pipe would wait for ever.
  std::string const pipe = directory + "/pipe", device = directory + "/device", link = directory + "/link";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(symlink("/dev/null", device.c_str()), 0);
  for (std::string const& name : {pipe, device}) {
    Impl::forget_tuning();
    struct stat before {
    }, after{};
    ASSERT_EQ(lstat(name.c_str(), &before), 0);
    std::string const said =
        warnings([&] { EXPECT_EQ(plan(policy.tuning(Tuning::measure, name)).backend(), "test_switch"); });
    EXPECT_NE(said.find("no regular file"), std::string::npos) << said;
    ASSERT_EQ(lstat(name.c_str(), &after), 0);
    EXPECT_EQ(before.st_ino, after.st_ino);
  }
  // A link stays one, and the file that it leads to is replaced.
  measured();
  ASSERT_EQ(symlink("winners", link.c_str()), 0);
  View const a("a", 21, 22), b("b", 21, 22);
  Impl::forget_tuning();
  EXPECT_EQ(warnings([&] { HostPlan("tuned", policy.tuning(Tuning::measure, link), g_star, a, b); }), "");
  struct stat status {};
  ASSERT_EQ(lstat(link.c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  EXPECT_EQ(lines().size(), 5u);
}

TEST_F(Tuned, ManyProcessesShareAFile) {
  // Each adds shapes of its own; none is lost, and the file is whole.
  constexpr int processes = 8, shapes = 5;
  std::vector<std::string> arguments;
  std::vector<pid_t> children;
  for (int k = 0; k < processes; ++k) {
    pid_t const child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::string const number = std::to_string(k);
      setenv("KOKKOSSTENCIL_TEST_TUNING_FILE", file.c_str(), 1);
      setenv("KOKKOSSTENCIL_TEST_TUNING_NUMBER", number.c_str(), 1);
      setenv("OMP_WAIT_POLICY", "passive", 1);  // eight times all threads of a large machine spin for minutes
      execl("/proc/self/exe", "tuning", "--gtest_filter=TuningChild.*", "--gtest_also_run_disabled_tests", nullptr);
      _exit(127);
    }
    children.push_back(child);
  }
  for (pid_t const child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(lines().size(), 1u + 2u * processes * shapes) << contents();
  EXPECT_EQ(warnings([&] { measured_anew(); }), "");
}

// Run by the test above, in processes of its own.
TEST(TuningChild, DISABLED_AddsItsShapes) {
  char const* const file   = std::getenv("KOKKOSSTENCIL_TEST_TUNING_FILE");
  char const* const number = std::getenv("KOKKOSSTENCIL_TEST_TUNING_NUMBER");
  ASSERT_NE(file, nullptr);
  ASSERT_NE(number, nullptr);
  test_backend().accepts = true;
  for (int shape = 0; shape < 5; ++shape) {
    auto const n = static_cast<std::size_t>(10 + 10 * std::atoi(number) + shape);
    HostView<double**> const a("a", n, 12), b("b", n, 12);
    Plan<Host, 2, decltype(a), decltype(b)> const p("tuned", HostPolicy2().tuning(Tuning::measure, file), g_star, a, b);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
