// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Check.hpp"
#include "Engine.hpp"
#include "Family.hpp"
#include "Generator.hpp"
#include "Random.hpp"

#include <host_temporal/HostTemporal.hpp>

#include <Kokkos_Core.hpp>

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <vector>

// Random problems, on every backend, against the reference. The seed and the number of a case say all about it.

namespace {

using namespace KokkosStencil::Fuzz;

struct Options {
  std::uint64_t seed          = 1;
  double seconds              = 0.0;
  std::uint64_t cases         = 0;  ///< 0: no bound
  std::uint64_t first         = 0;
  std::uint64_t most_failures = 1;
  bool only                   = false;
  bool verbose                = false;
  std::string engine;  ///< part of the engine's name
};

constexpr char usage[] =
    "Usage: kokkosstencil_fuzz [--seed S] [--seconds T | --cases N | --only K] [--first K] [--engine NAME]\n"
    "                          [--failures N] [--verbose]\n"
    "\n"
    "Puts random problems to the library and compares with a reference. Stops with status 1 at a finding.\n"
    "\n"
    "  --seed S      another sequence of cases; default 1\n"
    "  --seconds T   begin no case later; default 10\n"
    "  --cases N     run so many cases\n"
    "  --only K      run case K alone\n"
    "  --first K     begin with case K\n"
    "  --engine NAME only execution spaces, value types and ranks whose name holds NAME (\"Cuda\", \"float 2-D\");\n"
    "                with another NAME the same number is another case\n"
    "  --failures N  go on until N cases have failed; default 1\n"
    "  --verbose     print each case before it is run\n";

// What a signal handler may use: the line that names the case under way.
char g_line[8192];
std::size_t volatile g_length = 0;

void note(std::string const& line) {
  g_length            = 0;
  std::size_t const n = line.size() < sizeof g_line ? line.size() : sizeof g_line;
  std::memcpy(g_line, line.data(), n);
  g_length = n;
}

void put(char const* text, std::size_t length) {
  while (length > 0) {
    ssize_t const done = write(STDERR_FILENO, text, length);
    if (done <= 0) return;
    text += done;
    length -= static_cast<std::size_t>(done);
  }
}

extern "C" void on_signal(int number) {
  char const* const what = number == SIGALRM   ? "\nFAILED: does not end\n  "
                           : number == SIGSEGV ? "\nFAILED: segmentation fault\n  "
                           : number == SIGBUS  ? "\nFAILED: bus error\n  "
                           : number == SIGFPE  ? "\nFAILED: arithmetic exception\n  "
                           : number == SIGILL  ? "\nFAILED: illegal instruction\n  "
                                               : "\nFAILED: aborted\n  ";
  put(what, std::strlen(what));
  put(g_line, g_length);
  put("\n", 1);
  signal(number, SIG_DFL);
  raise(number);
}

void handle_signals() {
  static char stack[1 << 16];
  stack_t other{};
  other.ss_sp   = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags   = SA_ONSTACK;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) sigaction(number, &action, nullptr);
}

[[noreturn]] void fail_usage(std::string const& what) {
  std::fprintf(stderr, "kokkosstencil_fuzz: %s\n%s", what.c_str(), usage);
  std::exit(2);
}

std::uint64_t whole_number(std::string const& option, char const* text) {
  char* end                  = nullptr;
  unsigned long long const n = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0') fail_usage(option + " " + text + " is no number");
  return n;
}

Options parse(int argc, char** argv) {
  Options o;
  bool bounded = false;
  for (int k = 1; k < argc; ++k) {
    std::string const option = argv[k];
    if (option == "--help" || option == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    if (option.rfind("--kokkos-", 0) == 0) continue;
    if (option == "--verbose") {
      o.verbose = true;
      continue;
    }
    if (k + 1 == argc) fail_usage(option + ": unknown, or its value is missing");
    char const* const value = argv[++k];
    if (option == "--engine") {
      o.engine = value;
      continue;
    }
    std::uint64_t const n = whole_number(option, value);
    if (option == "--seed") {
      o.seed = n;
    } else if (option == "--seconds") {
      o.seconds = static_cast<double>(n);
      bounded   = true;
    } else if (option == "--cases") {
      o.cases = n;
      bounded = true;
    } else if (option == "--only") {
      o.only  = true;
      o.first = n;
      o.cases = 1;
      bounded = true;
    } else if (option == "--first") {
      o.first = n;
    } else if (option == "--failures") {
      o.most_failures = n;
    } else {
      fail_usage(option + ": unknown");
    }
  }
  if (!bounded) o.seconds = 10.0;
  return o;
}

std::string line_of(Options const& o, std::uint64_t index, std::string const& engine, std::string const& text) {
  return "--seed " + std::to_string(o.seed) + (o.engine.empty() ? "" : " --engine \"" + o.engine + "\"") + " --only " +
         std::to_string(index) + ": " + engine + ", " + text;
}

/// A case of a family; throws nothing.
std::string check(Family const& family, Random& random, std::function<void(std::string const&)> const& tell,
                  Tally& tally) {
  std::vector<std::string> ran;
  std::string wrong;
  try {
    wrong = family.run(random, tell, ran);
  } catch (std::exception const& e) {
    wrong = std::string("threw: ") + e.what();
  }
  for (std::string const& each : ran) ++tally.runs[each];
  return wrong;
}

int run(Options const& o) {
  Engines all = engines();
  Engines chosen;
  for (auto& engine : all) {
    if (engine->name().find(o.engine) != std::string::npos) chosen.push_back(std::move(engine));
  }
  Families all_families, chosen_families;
  add_double_families(all_families);
  add_float_families(all_families);
  for (auto& family : all_families) {
    if (family->name().find(o.engine) != std::string::npos) chosen_families.push_back(std::move(family));
  }
  if (chosen.empty() && chosen_families.empty()) {
    std::fprintf(stderr, "kokkosstencil_fuzz: no engine has \"%s\" in its name; there are\n", o.engine.c_str());
    for (auto const& engine : all) std::fprintf(stderr, "  %s\n", engine->name().c_str());
    for (auto const& family : all_families) std::fprintf(stderr, "  %s\n", family->name().c_str());
    return 2;
  }
  // A case that takes this long will not end.
  constexpr unsigned patience = 300;
  auto const start            = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Tally tally;
  std::uint64_t done = 0, failures = 0;
  for (; o.cases == 0 || done < o.cases; ++done) {
    if (o.seconds > 0.0 && elapsed() >= o.seconds) break;
    std::uint64_t const index = o.first + done;
    Random random(o.seed, index);
    std::string line;
    auto const begin = [&](std::string const& engine, std::string const& text) {
      line = line_of(o, index, engine, text);
      note(line);
      if (o.verbose) std::fprintf(stderr, "%s\n", line.c_str());
      alarm(patience);
    };
    std::string wrong;
    if (!chosen_families.empty() && (chosen.empty() || random.one_in(4))) {
      Family const& family = *chosen_families[static_cast<std::size_t>(random.next() % chosen_families.size())];
      wrong                = check(
                         family, random, [&](std::string const& text) { begin(family.name(), text); }, tally);
    } else {
      Engine const& engine = *chosen[static_cast<std::size_t>(random.next() % chosen.size())];
      Case const c         = Generator(engine, random).next();
      begin(engine.name(), c.text());
      wrong = check(engine, c, tally);
    }
    alarm(0);
    if (wrong.empty()) continue;
    std::fprintf(stderr, "FAILED: %s\n  %s\n", wrong.c_str(), line.c_str());
    if (++failures >= o.most_failures) {
      ++done;
      break;
    }
  }
  for (auto const& runs : tally.runs) {
    std::printf("%9lld  %s\n", static_cast<long long>(runs.second), runs.first.c_str());
  }
  std::printf(
      "seed %llu: %llu cases in %.1f s, %llu failed; %lld points compared, %.2g %% of them may overflow; %lld errors "
      "as "
      "they should be\n",
      static_cast<unsigned long long>(o.seed), static_cast<unsigned long long>(done), elapsed(),
      static_cast<unsigned long long>(failures), static_cast<long long>(tally.points),
      tally.points > 0 ? 100.0 * static_cast<double>(tally.unchecked) / static_cast<double>(tally.points) : 0.0,
      static_cast<long long>(tally.refused));
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // The cases choose backends themselves.
  unsetenv("KOKKOSSTENCIL_BACKEND");
  Options const options = parse(argc, argv);
  Kokkos::ScopeGuard const scope(argc, argv);
  // Small fields are in the caches anyway: here several sweeps at once are always taken for faster.
  KokkosStencil::register_backend(KokkosStencil::HostTemporal::make_backend("host_temporal_always", 16384, 1e9));
  handle_signals();
  return run(options);
}
