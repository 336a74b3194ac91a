// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Predict.hpp"

#include "Families.hpp"

#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Terms.hpp>
#include <model/DeviceFile.hpp>
#include <model/Tuned.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace perf {

namespace KS = KokkosStencil;

KS::Problem problem_of(Case const& c) {
  std::vector<KS::Term> terms;
  for (Term const& t : c.kernel.terms) terms.push_back({t.offset, t.coefficient});
  KS::Impl::normalize(terms);
  KS::ValueType const type = c.type == Type::full     ? KS::ValueType::float64
                             : c.type == Type::single ? KS::ValueType::float32
                             : c.type == Type::half   ? KS::ValueType::float16
                                                      : KS::ValueType::bfloat16;
  KS::Impl::PolicyInfo policy;
  policy.rank         = c.kernel.rank;
  policy.accuracy     = c.relaxed ? KS::Accuracy::relaxed : KS::Accuracy::native;
  KS::Face const face = c.faces == Faces::periodic   ? KS::Face::periodic()
                        : c.faces == Faces::mirror   ? KS::Face::mirror()
                        : c.faces == Faces::edge     ? KS::Face::edge()
                        : c.faces == Faces::constant ? KS::Face::value(face_constant)
                                                     : KS::Face::halo();
  for (auto& both : policy.faces) both = {face, face};
  KS::Impl::ViewInfo in;
  in.rank       = c.kernel.rank;
  in.value_type = type;
  in.value_size = bytes_of(c.type);
  in.extent     = c.extents;
  in.stride     = c.strides();
  // Nothing is read: any two places that do not overlap will do.
  KS::Impl::ViewInfo out = in;
  auto const bytes       = static_cast<std::uintptr_t>(bytes_of(c.type));
  in.data  = reinterpret_cast<void*>((std::uintptr_t(1) << 44) + static_cast<std::uintptr_t>(c.columns[0]) * bytes);
  out.data = reinterpret_cast<void*>((std::uintptr_t(2) << 44) + static_cast<std::uintptr_t>(c.columns[1]) * bytes);
  return KS::Impl::make_problem(c.kernel.name, policy, terms, in, out, c.steps);
}

namespace {

/// By name, how the logarithm of a predicted time changes with that of an efficiency.
using Sensitivities = std::map<std::string, double>;

/// Prints "name": value for all of a map.
void print(std::map<std::string, double> const& values, char const* format) {
  char const* comma = "";
  for (auto const& [name, value] : values) {
    std::printf("%s\"%s\": ", comma, name.c_str());
    std::printf(format, value);
    comma = ", ";
  }
}

/// What a backend predicts for the depths it has; notes the efficiencies that this depends on.
std::vector<KS::Estimate> traced(KS::Cuda::Entry const& backend, KS::Problem const& problem,
                                 KS::DeviceModel const& device, std::map<std::string, double>& read) {
  KS::Model::EfficiencyTrace const trace;
  std::vector<KS::Estimate> const estimates = backend.cost(problem, device);
  read                                      = trace.read();
  return estimates;
}

/// The sensitivities of all estimates, in their order: of their seconds, or of those on the device.
std::vector<Sensitivities> sensitivities_of(KS::Cuda::Entry const& backend, KS::Problem const& problem,
                                            KS::DeviceModel const& device, double KS::Estimate::*seconds,
                                            std::map<std::string, double>& read) {
  constexpr double step = 0.01, least = 1e-3;
  std::vector<KS::Estimate> const before = traced(backend, problem, device, read);
  std::vector<Sensitivities> all(before.size());
  KS::DeviceModel other = device;
  for (auto const& [name, value] : read) {
    other.efficiencies[name]              = value * (1.0 + step);
    std::vector<KS::Estimate> const after = backend.cost(problem, other);
    for (std::size_t k = 0; k < std::min(before.size(), after.size()); ++k) {
      if (before[k].*seconds == 0.0) continue;
      double const change = std::log(after[k].*seconds / before[k].*seconds) / std::log1p(step);
      if (std::abs(change) > least) all[k][name] = change;
    }
    other.efficiencies = device.efficiencies;
  }
  return all;
}

void print(Case const& c, KS::Candidate const& k) {
  std::printf(
      "{\"name\": \"%s\", \"depth\": %d, \"seconds\": %.6g, \"device_seconds\": %.6g, \"flop\": %.6g, \"bytes\": %.6g, "
      "\"unit\": \"%s\", "
      "\"ceiling\": \"%s\", \"fraction\": %.4g, \"chosen\": %s",
      c.name(k.backend).c_str(), k.estimate.depth, k.predicted, k.estimate.device_seconds, k.estimate.operations,
      k.estimate.bytes, to_string(k.estimate.unit), to_string(k.estimate.bottleneck), k.estimate.fraction,
      k.chosen ? "true" : "false");
}

}  // namespace

int predict(Selection const& selection, std::string const& gpu, bool sensitivities) {
  KS::DeviceModel const device = KS::Model::device_named(gpu);
  std::map<std::string, double> efficiencies;
  std::printf("{\n \"device\": \"%s\",\n \"predictions\": [", device.name.c_str());
  char const* separator = "\n";
  for (Case const& c : cases_of(selection, false)) {
    if (c.code) continue;
    KS::Problem const problem = problem_of(c);
    std::string backend;
    std::size_t way = 0;
    std::vector<Sensitivities> all, on_device;
    for (KS::Candidate const& k : KS::Cuda::candidates(problem, device)) {
      if (!k.runnable) continue;
      way     = k.backend == backend ? way + 1 : 0;
      backend = k.backend;
      std::printf("%s  ", separator);
      print(c, k);
      if (sensitivities && way == 0) {
        std::map<std::string, double> read;
        for (KS::Cuda::Entry const& entry : KS::Cuda::backends()) {
          if (entry.backend != backend) continue;
          all = sensitivities_of(entry, problem, device, &KS::Estimate::seconds, read);
          if (c.steps == 1) on_device = sensitivities_of(entry, problem, device, &KS::Estimate::device_seconds, read);
        }
        efficiencies.insert(read.begin(), read.end());
      }
      if (sensitivities) {
        std::printf(", \"sensitivities\": {");
        print(all.at(way), "%.4g");
        std::printf("}");
        if (c.steps == 1) {
          std::printf(", \"device_sensitivities\": {");
          print(on_device.at(way), "%.4g");
          std::printf("}");
        }
      }
      std::printf("}");
      separator = ",\n";
    }
  }
  std::printf("\n ]");
  if (sensitivities) {
    std::printf(",\n \"efficiencies\": {");
    print(efficiencies, "%.17g");
    std::printf("},\n \"device_text\": \"");
    for (char const letter : KS::device_text(device)) {
      letter == '\n'                    ? std::printf("\\n")
      : letter == '"' || letter == '\\' ? std::printf("\\%c", letter)
                                        : std::printf("%c", letter);
    }
    std::printf("\"");
  }
  std::printf("\n}\n");
  return 0;
}

}  // namespace perf
