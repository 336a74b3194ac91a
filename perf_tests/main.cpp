// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Candidate.hpp"
#include "harness/Predict.hpp"
#include "harness/Report.hpp"
#include "harness/Suites.hpp"

#include <benchmark/benchmark.h>

#include <model/Number.hpp>
#include <model/Output.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

void usage() {
  std::puts(
      "Usage: KokkosStencil_benchmarks [options] [Google Benchmark options] [Kokkos options]\n"
      "\n"
      "  --suite=NAME[,NAME...]  what to measure (default: quick)\n"
      "  --space=default|host    Kokkos execution space (default: Kokkos' default)\n"
      "  --candidates=A[,B...]   only these backends and rivals\n"
      "  --samples=N             timed samples of each candidate (default 7)\n"
      "  --sample_ms=MS          least time of a sample (default 4; 30 on hosts)\n"
      "  --case_seconds=S        no further samples of a case that took so long\n"
      "  --seed=N --cases=N      which random problems, and how many, the suite random has\n"
      "  --slice=I/N             the I-th of N parts of the cases, for N processes that share them\n"
      "  --table                 print the figures as a table at the end\n"
      "  --predict=GPU           run nothing: print what the model predicts for a GPU of the table, or one that a\n"
      "                          file describes, as JSON\n"
      "  --sensitivities         with --predict: how it depends on each efficiency\n"
      "  --help\n"
      "\n"
      "Useful Google Benchmark options: --benchmark_filter=REGEX, --benchmark_out=FILE (JSON),\n"
      "--benchmark_list_tests.\n"
      "\n"
      "Suites:");
  for (auto const& [name, what] : perf::suite_names()) std::printf("  %-12s %s\n", name.c_str(), what.c_str());
}

/// Takes "--name=value" out of argv; true if it was there.
bool take(int& argc, char** argv, char const* name, std::string& value) {
  std::size_t const length = std::strlen(name);
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], name, length) != 0) continue;
    if (argv[i][length] == '=') {
      value = argv[i] + length + 1;
    } else if (argv[i][length] == '\0') {
      value = "";
    } else {
      continue;
    }
    for (int k = i; k + 1 < argc; ++k) argv[k] = argv[k + 1];
    --argc;
    return true;
  }
  return false;
}

/// The same for a number from `least` to `most`; throws for any other.
std::optional<double> take_number(int& argc, char** argv, char const* name, double least, double most) {
  std::string text;
  if (!take(argc, argv, name, text)) return std::nullopt;
  std::optional<double> const value = KokkosStencil::Model::read_number(text, least, most);
  if (value) return value;
  throw std::invalid_argument(name + ("=" + text) + ": expected a number from " +
                              KokkosStencil::Model::number_text(least) + " to " +
                              KokkosStencil::Model::number_text(most));
}

/// "2/4".
void take_slice(int& argc, char** argv, perf::Selection& selection) {
  std::string text;
  if (!take(argc, argv, "--slice", text)) return;
  constexpr double most = 10000;
  auto const bar        = text.find('/');
  auto const slices = KokkosStencil::Model::read_number(bar == std::string::npos ? "" : text.substr(bar + 1), 1, most);
  auto const slice  = KokkosStencil::Model::read_number(text.substr(0, bar), 1, slices.value_or(1));
  if (!slice || !slices)
    throw std::invalid_argument("--slice=" + text + ": expected a part and their number, as in 2/4");
  selection.slice  = static_cast<int>(*slice);
  selection.slices = static_cast<int>(*slices);
}

int run(int argc, char** argv) {
  perf::RunOptions options;
  std::string text;
  if (take(argc, argv, "--help", text)) {
    usage();
    return 0;
  }
  if (take(argc, argv, "--suite", text)) options.selection.suites = text;
  if (auto const number = take_number(argc, argv, "--seed", 0, 1e15)) {
    options.selection.random.seed = static_cast<std::uint64_t>(*number);
  }
  if (auto const number = take_number(argc, argv, "--cases", 1, 1e6)) {
    options.selection.random.cases = static_cast<std::size_t>(*number);
  }
  take_slice(argc, argv, options.selection);
  bool const sensitivities = take(argc, argv, "--sensitivities", text);
  if (take(argc, argv, "--predict", text)) return perf::predict(options.selection, text, sensitivities);
  if (take(argc, argv, "--space", text)) {
    if (text != "default" && text != "host") {
      std::fprintf(stderr, "--space=%s: expected default or host\n", text.c_str());
      return 2;
    }
    options.host = text == "host";
  }
  if (take(argc, argv, "--candidates", text)) options.candidates = text;
  if (auto const number = take_number(argc, argv, "--samples", 1, 10000)) {
    options.measure.samples = static_cast<int>(*number);
  }
  if (auto const number = take_number(argc, argv, "--sample_ms", 0.001, 60000)) options.sample_ms = *number;
  if (auto const number = take_number(argc, argv, "--case_seconds", 0.001, 60000))
    options.measure.case_seconds = *number;
  options.table = take(argc, argv, "--table", text);
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--benchmark_filter=", 19) == 0) options.filter = argv[i] + 19;
    if (std::strncmp(argv[i], "--benchmark_out=", 16) == 0) options.json_file = true;
    if (std::strncmp(argv[i], "--benchmark_list_tests", 22) == 0) options.list = true;
  }

  Kokkos::initialize(argc, argv);
  benchmark::Initialize(&argc, argv);
  int status = 2;
  if (!benchmark::ReportUnrecognizedArguments(argc, argv)) {
    try {
      status = perf::run(options);
    } catch (std::exception const& e) {
      std::fprintf(stderr, "%s\n", e.what());
    }
  }
  benchmark::Shutdown();
  Kokkos::finalize();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  int status = 2;
  try {
    status = run(argc, argv);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  return KokkosStencil::Model::checked_output("KokkosStencil_benchmarks", status);
}
