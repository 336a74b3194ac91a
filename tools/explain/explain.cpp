// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Families.hpp"
#include "RanksPrediction.hpp"
#include "RooflinePicture.hpp"

#include <KokkosStencil_Error.hpp>
#include <KokkosStencil_Version.hpp>
#include <model/Choice.hpp>
#include <model/DeviceFile.hpp>
#include <model/GridProblem.hpp>
#include <model/Number.hpp>
#include <model/Output.hpp>
#include <model/Roofline.hpp>

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

// Which backend a stencil would run on, and why, on a GPU that need not be there.

namespace KS = KokkosStencil;

namespace {

struct Options {
  std::string shape = "star", terms, extents, device = "NVIDIA H200", backend, plot, cut;
  int rank = 2, radius = 1;
  KS::ValueType type    = KS::ValueType::float32;
  KS::Accuracy accuracy = KS::Accuracy::native;
  std::int64_t steps    = 1;
  bool list = false, print = false, json = false;
  KS::RanksOptions ranks;
};

/// Numbers between separators; throws unless there are `count`, none beyond `most` either way.
std::vector<std::int64_t> numbers(std::string const& text, char separator, std::size_t count, std::int64_t most,
                                  std::string const& what) {
  std::vector<std::int64_t> all;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    char* end                = nullptr;
    errno                    = 0;
    std::int64_t const value = std::strtoll(part.c_str(), &end, 10);
    if (part.empty() || *end != '\0') throw KS::Error(what + " \"" + text + "\": \"" + part + "\" is no number");
    if (errno == ERANGE || value > most || value < -most) {
      throw KS::Error(what + " \"" + text + "\": " + part + " is beyond " + std::to_string(most));
    }
    all.push_back(value);
  }
  if (!text.empty() && text.back() == separator) throw KS::Error(what + " \"" + text + "\": a number is missing");
  if (all.size() != count) {
    throw KS::Error(what + " \"" + text + "\": the rank asks for " + std::to_string(count) + " numbers");
  }
  return all;
}

/// GPUs along each axis; none if they are to be chosen.
std::array<int, 3> cut_of(Options const& o) {
  std::array<int, 3> cut{{0, 0, 0}};
  if (o.cut.empty()) return cut;
  auto const given = numbers(o.cut, 'x', static_cast<std::size_t>(o.rank), 1 << 20, "--cut");
  for (std::size_t a = 0; a < given.size(); ++a) cut[a] = static_cast<int>(given[a]);
  for (std::size_t a = 0; a < given.size(); ++a) {
    if (cut[a] < 1) throw KS::Error("--cut \"" + o.cut + "\": an axis has one GPU or more");
  }
  return cut;
}

std::vector<KS::Term> terms_of(Options const& o) {
  if (o.terms.empty()) return o.shape == "star" ? KS::Model::star(o.rank, o.radius) : KS::Model::box(o.rank, o.radius);
  std::vector<KS::Term> terms;
  std::istringstream in(o.terms);
  for (std::string offset; in >> offset;) {
    auto const n = numbers(offset, ',', static_cast<std::size_t>(o.rank), 1 << 20, "the offset");
    KS::Term t{{{0, 0, 0}}, 0.125};
    for (std::size_t a = 0; a < n.size(); ++a) t.offset[a] = static_cast<int>(n[a]);
    terms.push_back(t);
  }
  KS::Impl::normalize(terms);
  if (terms.empty()) throw KS::Error("--terms names no offset");
  return terms;
}

KS::Problem problem_of(Options const& o) {
  std::array<std::int64_t, 3> extents{{1, 1, 1}};
  std::int64_t const side = o.rank == 1 ? 1 << 26 : o.rank == 2 ? 10240 : 512;
  for (int a = 0; a < o.rank; ++a) extents[static_cast<std::size_t>(a)] = side;
  if (!o.extents.empty()) {
    auto const given = numbers(o.extents, 'x', static_cast<std::size_t>(o.rank), std::int64_t(1) << 40, "the extents");
    std::copy(given.begin(), given.end(), extents.begin());
  }
  double points = 1.0;
  for (std::int64_t const n : extents) {
    if (n < 1) throw KS::Error("extents must be positive");
    points *= static_cast<double>(n);
  }
  if (points > 0x1p59) throw KS::Error("the extents \"" + o.extents + "\" are more points than memory has addresses");
  KS::Problem const p = KS::Model::grid_problem(terms_of(o), o.rank, extents, o.type, o.accuracy, o.steps);
  for (std::size_t a = 0; a < 3 && p.points() == 0; ++a) {
    if (std::int64_t(p.upper[a]) - p.lower[a] < p.extent[a]) continue;
    throw KS::Error("the stencil reaches from " + std::to_string(p.lower[a]) + " to " + std::to_string(p.upper[a]) +
                    " along axis " + std::to_string(p.user_axis[a]) + ", which leaves no point of an extent of " +
                    std::to_string(p.extent[a]) + "; make the extents larger");
  }
  return p;
}

std::string title_of(KS::Problem const& p) {
  std::ostringstream text;
  text << p.rank << "-D " << to_string(p.value_type) << " ";
  for (std::size_t a = static_cast<std::size_t>(3 - p.rank); a < 3; ++a) {
    text << (static_cast<int>(a) > 3 - p.rank ? "x" : "") << p.extent[a];
  }
  text << ", " << p.terms.size() << " terms, " << to_string(p.accuracy) << ", "
       << (p.steps == 1 ? "one sweep" : std::to_string(p.steps) + " sweeps");
  return text.str();
}

void print_device(KS::DeviceModel const& d) {
  std::printf("%s (%s)\n", d.name.c_str(), d.source.c_str());
  std::printf(
      "  copy %.4g TB/s; TFLOP/s: float %.4g, double %.4g, tensor cores half %.4g, TF32 %.4g, double %.4g, "
      "sparse half %.4g, TF32 %.4g\n",
      1e-12 * d.bandwidth, 1e-12 * d.float_rate, 1e-12 * d.double_rate, 1e-12 * d.half_tensor, 1e-12 * d.tf32_tensor,
      1e-12 * d.double_tensor, 1e-12 * d.half_sparse, 1e-12 * d.tf32_sparse);
}

/// The question of the paper, for the candidates at hand: the fastest on cores against the fastest on tensor cores.
void print_scenario(KS::Problem const& p, KS::DeviceModel const& d, std::vector<KS::Candidate> const& all) {
  using namespace KS::Model;
  KS::Candidate const *on_cores = nullptr, *on_tensor = nullptr;
  for (KS::Candidate const& c : all) {
    if (!c.runnable || c.backend == "generic") continue;
    KS::Candidate const*& best = c.estimate.unit == KS::ComputeUnit::cores ? on_cores : on_tensor;
    if (best == nullptr || c.predicted < best->predicted) best = &c;
  }
  if (on_cores == nullptr || on_tensor == nullptr) return;
  auto const roof = [&](KS::Candidate const& c) {
    bool const cores = c.estimate.unit == KS::ComputeUnit::cores;
    KS::ValueType const operand =
        cores && p.value_type != KS::ValueType::float64 ? KS::ValueType::float32 : p.value_type;
    return Roofline{d.rate(c.estimate.unit, operand), d.bandwidth};
  };
  auto const work      = [](KS::Candidate const& c) { return Work{c.estimate.operations, c.estimate.bytes}; };
  Roofline const cores = roof(*on_cores), tensor = roof(*on_tensor);
  Work const a = work(*on_cores), b = work(*on_tensor);
  char const* const bound[] = {"", "memory-bound on both", "memory-bound on cores, compute-bound on tensor cores",
                               "compute-bound on cores, memory-bound on tensor cores", "compute-bound on both"};
  int const number          = static_cast<int>(scenario(cores, a, tensor, b));
  std::printf("\nScenario %d: %s\n", number, bound[number]);
  std::printf("  %-20s %8.4g FLOP/byte, ridge %.4g\n", on_cores->backend.c_str(), a.intensity(), cores.ridge());
  std::printf("  %-20s %8.4g FLOP/byte, ridge %.4g\n", on_tensor->backend.c_str(), b.intensity(), tensor.ridge());
}

/// A text as JSON has it.
std::string quoted(std::string const& text) {
  std::string all = "\"";
  for (char const c : text) {
    char escape[8];
    if (c == '"' || c == '\\') {
      all += '\\';
      all += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      all += escape;
    } else {
      all += c;
    }
  }
  return all + "\"";
}

/// A number as JSON has it, which knows no infinities.
std::string json(double value) { return std::isfinite(value) ? KS::Model::number_text(value) : "null"; }

void print_json(KS::DeviceModel const& d, std::vector<KS::Candidate> const& all) {
  std::cout << "[";
  char const* separator = "\n";
  for (KS::Candidate const& c : all) {
    std::cout << separator << "  {\"device\": " << quoted(d.name) << ", \"backend\": " << quoted(c.backend);
    if (c.runnable) {
      std::cout << ", \"depth\": " << c.estimate.depth << ", \"flop\": " << json(c.estimate.operations)
                << ", \"bytes\": " << json(c.estimate.bytes) << ", \"unit\": " << quoted(to_string(c.estimate.unit))
                << ", \"ceiling\": " << quoted(to_string(c.estimate.bottleneck))
                << ", \"seconds\": " << json(c.predicted);
    }
    std::cout << ", \"chosen\": " << (c.chosen ? "true" : "false") << ", \"reason\": " << quoted(c.reason) << "}";
    separator = ",\n";
  }
  std::cout << "\n]\n";
}

int run(Options const& o) {
  if (o.list) {
    for (KS::DeviceModel const& d : KS::known_devices()) print_device(d);
    return 0;
  }
  KS::DeviceModel const device = KS::Model::device_named(o.device);
  if (o.print) {
    std::cout << device_text(device);
    return 0;
  }
  KS::Problem const problem = problem_of(o);
  if (!o.cut.empty() && o.ranks.most == 0) throw KS::Error("--cut needs --ranks, the number of GPUs");
  if (o.ranks.most > 0) {
    if (!o.plot.empty()) throw KS::Error("--plot draws one GPU; leave out --ranks");
    KS::RanksOptions ranks = o.ranks;
    ranks.cut              = cut_of(o);
    auto const rows        = KS::predict_ranks(ranks, terms_of(o), problem, device, o.backend);
    std::cout << (o.json ? KS::json_text(rows) : KS::table_text(o.ranks, rows));
    return 0;
  }
  auto const all = KS::Cuda::candidates(problem, device, o.backend);
  if (o.json) {
    print_json(device, all);
  } else {
    print_device(device);
    std::printf("%s\n%s", title_of(problem).c_str(), KS::Model::table(all).c_str());
    print_scenario(problem, device, all);
  }
  if (!o.plot.empty()) KS::draw_roofline(o.plot, device.name + ": " + title_of(problem), device, problem, all);
  return 0;
}

/// As CLI::Range, which lets NaN through.
CLI::Validator between(double least, double most) {
  std::string const range = KS::Model::number_text(least) + " - " + KS::Model::number_text(most);
  return CLI::Validator(
      [=](std::string& text) {
        return KS::Model::read_number(text, least, most).has_value() ? std::string()
                                                                     : "Value " + text + " not in range " + range;
      },
      "FLOAT in [" + range + "]", "");
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app("The backend that a stencil runs on, and why: predictions for a GPU that need not be there.");
  std::map<std::string, KS::ValueType> const types{{"double", KS::ValueType::float64},
                                                   {"float", KS::ValueType::float32},
                                                   {"half", KS::ValueType::float16},
                                                   {"bhalf", KS::ValueType::bfloat16}};
  std::map<std::string, KS::Accuracy> const levels{{"native", KS::Accuracy::native},
                                                   {"relaxed", KS::Accuracy::relaxed},
                                                   {"reproducible", KS::Accuracy::reproducible}};
  app.add_option("--shape", o.shape, "star or box")->check(CLI::IsMember({"star", "box"}))->capture_default_str();
  app.add_option("--rank", o.rank, "1 to 3")->check(CLI::Range(1, 3))->capture_default_str();
  app.add_option("--radius", o.radius, "Reach of the shape")->check(CLI::Range(1, 64))->capture_default_str();
  app.add_option("--terms", o.terms, "Any stencil instead of a shape: its offsets, as in \"0,0 0,1 -1,0\"");
  app.add_option("--type", o.type, "Value type: double, float, half, bhalf (default: float)")
      ->transform(CLI::CheckedTransformer(types));
  app.add_option("--extents", o.extents, "As in 10240x10240, which is the default of 2-D");
  app.add_option("--steps", o.steps, "Number of sweeps")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 40))
      ->capture_default_str();
  app.add_option("--accuracy", o.accuracy, "native, relaxed, reproducible (default: native)")
      ->transform(CLI::CheckedTransformer(levels));
  app.add_option("--device", o.device, "Name of a known GPU, or words of it, or a file with a description")
      ->capture_default_str();
  app.add_option("--backend", o.backend, "Force a backend");
  auto const positive = between(1e-12, 1e18);
  app.add_option("--ranks", o.ranks.most, "Play the schedule on 1, 2, 4, ... and so many GPUs")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--cut", o.cut, "GPUs along each axis, as in 2x2 (default: the least surface)");
  app.add_flag("--strong", o.ranks.strong, "The extents are those of all GPUs together, not of each");
  app.add_option("--engine", o.ranks.engine, "What moves messages between them: peer, nccl, mpi")
      ->check(CLI::IsMember({"peer", "nccl", "mpi"}))
      ->capture_default_str();
  app.add_option("--halo-depth", o.ranks.depth, "Sweeps that one exchange feeds (default: the best)")
      ->check(CLI::Range(1, 1 << 16));
  app.add_option("--overlap", o.ranks.overlap, "1: cut faces first, 0: not (default: the best)")
      ->check(CLI::Range(0, 1));
  app.add_option("--jitter", o.ranks.jitter, "Part by which a GPU may take longer, by chance")
      ->check(between(0.0, 10.0))
      ->capture_default_str();
  app.add_option("--node", o.ranks.links.node, "GPUs of a node")->check(CLI::Range(1, 1 << 20))->capture_default_str();
  app.add_option("--overhead", o.ranks.overhead, "Seconds of an exchange beside its bytes, of one GPU")
      ->check(positive);
  app.add_option("--near-latency", o.ranks.links.near_latency, "Seconds between GPUs of a node")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--near-bandwidth", o.ranks.near_bandwidth, "Bytes a second that a GPU sends to those of its node")
      ->check(positive);
  app.add_option("--far-latency", o.ranks.links.far_latency, "Seconds between nodes")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--far-bandwidth", o.ranks.links.far_bandwidth, "Bytes a second that a node sends to others")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--plot", o.plot, "Draw the roofline with the candidates into this PNG file")
      ->check([](std::string const& name) {  // after "--plot=" the next option would be the name
        return name.empty() || name[0] == '-' ? std::string("a file's name is expected, not \"" + name + "\"")
                                              : std::string();
      });
  app.add_flag("--json", o.json, "Print the candidates as JSON");
  app.add_flag("--list-devices", o.list, "Print the known GPUs");
  app.add_flag("--print-device", o.print, "Print the numbers of the GPU, in the form that --device reads");
  app.set_version_flag("--version", std::string("KokkosStencil ") + KOKKOSSTENCIL_VERSION_STRING);
  int status = 0;
  try {
    app.parse(argc, argv);
    status = run(o);
  } catch (CLI::ParseError const& e) {
    status = app.exit(e) == 0 ? 0 : 2;
  } catch (std::exception const& e) {
    std::cerr << "kokkosstencil_explain: " << e.what() << "\n";
    status = 1;
  }
  return KS::Model::checked_output("kokkosstencil_explain", status);
}
