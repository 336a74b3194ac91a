// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.hpp"

#include "Candidate.hpp"
#include "Peaks.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace perf {

namespace {

std::vector<std::string> split(std::string const& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

/// Benchmark names without the suffixes Google Benchmark adds for its own settings.
std::vector<benchmark::BenchmarkReporter::Run> plain(std::vector<benchmark::BenchmarkReporter::Run> runs) {
  for (auto& run : runs) {
    run.run_name.iterations.clear();
    run.run_name.time_type.clear();
    run.run_name.repetitions.clear();
  }
  return runs;
}

class Console : public benchmark::ConsoleReporter {
 public:
  Console() : benchmark::ConsoleReporter(OO_None) {}
  void ReportRuns(std::vector<Run> const& runs) override { benchmark::ConsoleReporter::ReportRuns(plain(runs)); }
};

class Json : public benchmark::JSONReporter {
 public:
  void ReportRuns(std::vector<Run> const& runs) override { benchmark::JSONReporter::ReportRuns(plain(runs)); }
  void Finalize() override {
    benchmark::JSONReporter::Finalize();
    GetOutputStream().flush();
    m_written = GetOutputStream().good();
  }
  /// Whether all of it has reached the file.
  bool written() const { return m_written; }

 private:
  bool m_written = false;
};

/// A case and its candidates; measured together when the first of them is asked for.
struct Group {
  Case c;
  std::vector<Outcome> outcomes;
  bool measured = false;
};

template <class Space>
class Runner {
 public:
  explicit Runner(RunOptions const& options) : m_options(options) {
    if (m_options.sample_ms <= 0.0) m_options.sample_ms = KokkosStencil::Impl::is_host_space<Space>() ? 30.0 : 4.0;
    m_options.measure.sample_ms = m_options.sample_ms;
  }

  int run(std::vector<Case> const& cases) {
    add_peaks();
    std::regex const filter(m_options.filter.empty() || m_options.filter == "all" ? "." : m_options.filter);
    auto const wanted = split(m_options.candidates);
    for (Case const& c : cases) {
      auto group = std::make_shared<Group>();
      group->c   = c;
      for (std::string const& name : candidates_of<Space>(c)) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
        if (!std::regex_search(c.name(name), filter)) continue;
        Outcome outcome;
        outcome.candidate = name;
        outcome.reported  = true;
        group->outcomes.push_back(outcome);
      }
      for (std::size_t k = 0; k < group->outcomes.size(); ++k) {
        benchmark::RegisterBenchmark(c.name(group->outcomes[k].candidate).c_str(),
                                     [this, group, k](benchmark::State& state) { report(state, *group, k); })
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
      }
      if (!group->outcomes.empty()) m_groups.push_back(group);
    }
    Console console;
    Json json;
    std::size_t const count = benchmark::RunSpecifiedBenchmarks(&console, file_reporter(json));
    if (m_options.json_file && count > 0 && !m_options.list && !json.written()) {
      throw std::runtime_error("the file named by --benchmark_out cannot be written");
    }
    if (m_options.table) print_table();
    return m_wrong ? 1 : 0;
  }

 private:
  benchmark::BenchmarkReporter* file_reporter(Json& json) {
    // Google Benchmark insists that a file reporter comes with --benchmark_out.
    return m_options.json_file ? &json : nullptr;
  }

  void add_peaks() {
    for (Peak& peak : Peaks<Space>::all()) {
      benchmark::RegisterBenchmark(("device_peaks/" + peak.name).c_str(),
                                   [&peak](benchmark::State& state) {
                                     for (auto _ : state) {
                                       static_cast<void>(_);
                                       Peaks<Space>::best(peak.name);
                                       state.SetIterationTime(1e-6);
                                     }
                                     if (peak.bytes) {
                                       state.counters["GB/s"] = 1e-9 * peak.value;
                                     } else {
                                       state.counters["TFLOP/s"] = 1e-12 * peak.value;
                                     }
                                   })
          ->Iterations(1)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
  }

  void report(benchmark::State& state, Group& group, std::size_t k) {
    Outcome& outcome = group.outcomes[k];
    // A further repetition asks for a further measurement.
    if (outcome.reported) {
      measure<Space>(group.c, group.outcomes, m_options.measure);
      for (Outcome& o : group.outcomes) o.reported = false;
      group.measured = true;
    }
    outcome.reported = true;
    if (!outcome.error.empty()) {
      // cuDNN rounds coefficients to half, which the contract does not allow: its own affair.
      m_wrong = m_wrong || !(outcome.unavailable || outcome.candidate == "cudnn");
      state.SkipWithError(outcome.error.c_str());
      return;
    }
    double const seconds = outcome.median_seconds();
    for (auto _ : state) {
      static_cast<void>(_);
      state.SetIterationTime(seconds);
    }
    Case const& c        = group.c;
    double const updates = static_cast<double>(c.points()) * static_cast<double>(c.steps);
    double const rate    = 1e-9 * updates / seconds;
    double const bytes   = c.streams * bytes_of(c.type) * rate;
    Ceiling const top    = ceiling_of<Space>(c, outcome.label, median(outcome.copy_rate));
    state.SetLabel(outcome.label);
    // JSON knows no NaN and no infinities.
    auto const add = [&](char const* name, double value) {
      if (std::isfinite(value)) state.counters[name] = value;
    };
    add("GStencil/s", rate);
    add("GB/s", bytes);
    add("copy_fraction", copy_fraction(group, k));
    if (!c.code) add("ceiling_fraction", rate / top.applicable);
    add("max_error_over_S", outcome.max_error);
    add("spread", outcome.spread());
    if (!outcome.device.empty()) state.counters["device_us"] = 1e6 * median(outcome.device);
    if (outcome.plan_seconds > 0.0) state.counters["plan_us"] = 1e6 * outcome.plan_seconds;
    state.counters["terms"] = static_cast<double>(c.kernel.terms.size());
    if (outcome.candidate == "until") report_check(state, group, seconds);
  }

  /// What a check costs, in single sweeps.
  static void report_check(benchmark::State& state, Group const& group, double seconds) {
    auto const of = [&](char const* name) {
      double found = 0.0;
      for (Outcome const& o : group.outcomes) {
        if (o.candidate == name && o.error.empty()) found = o.median_seconds();
      }
      return found;
    };
    double const iterate = of("iterate"), sweep = of("sweeps") / static_cast<double>(group.c.steps);
    auto const checks = static_cast<double>((group.c.steps + group.c.check - 1) / group.c.check);
    if (iterate > 0.0 && sweep > 0.0) state.counters["check_sweeps"] = (seconds - iterate) / checks / sweep;
  }

  /// Paired with the copies of the same rounds.
  static double copy_fraction(Group const& group, std::size_t k) {
    Outcome const& o = group.outcomes[k];
    double const bytes =
        group.c.streams * bytes_of(group.c.type) * static_cast<double>(group.c.points() * group.c.steps);
    std::vector<double> fractions;
    for (std::size_t i = 0; i < o.seconds.size(); ++i) fractions.push_back(bytes / o.seconds[i] / o.copy_rate[i]);
    return median(fractions);
  }

  void print_table() const {
    std::set<std::string> seen;
    std::vector<std::string> names;
    for (auto const& g : m_groups) {
      for (Outcome const& o : g->outcomes) {
        if (seen.insert(o.candidate).second) names.push_back(o.candidate);
      }
    }
    std::printf("\nGStencil/s (fraction of copy)\n%-40s", "case");
    for (auto const& n : names) std::printf(" %24s", n.c_str());
    std::printf("\n");
    for (auto const& g : m_groups) {
      if (!g->measured) continue;
      std::printf("%-40s", g->c.name("*").c_str());
      for (auto const& n : names) {
        std::string cell = "-";
        for (std::size_t k = 0; k < g->outcomes.size(); ++k) {
          Outcome const& o = g->outcomes[k];
          if (o.candidate != n) continue;
          if (!o.error.empty()) {
            cell = o.unavailable ? "unavailable" : "WRONG";
          } else {
            char text[40];
            double const updates = static_cast<double>(g->c.points() * g->c.steps);
            std::snprintf(text, sizeof text, "%.4g (%.3f)", 1e-9 * updates / o.median_seconds(), copy_fraction(*g, k));
            cell = text;
          }
        }
        std::printf(" %24s", cell.c_str());
      }
      std::printf("\n");
    }
  }

  RunOptions m_options;
  std::vector<std::shared_ptr<Group>> m_groups;
  bool m_wrong = false;
};

}  // namespace

int run(RunOptions const& options, std::vector<Case> const& cases) {
  // After some work the device shows the clocks it works at.
  if (!options.host && !options.list) Peaks<Device>::best("fma/float");
  add_context(options.host);
  if (options.host) return Runner<Host>(options).run(cases);
  return Runner<Device>(options).run(cases);
}

int run(RunOptions const& options) {
  return run(options, cases_of(options.selection, options.host || KokkosStencil::Impl::is_host_space<Device>()));
}

}  // namespace perf
