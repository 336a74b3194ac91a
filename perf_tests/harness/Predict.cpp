// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Predict.hpp"

#include "common/CudaModel.hpp"
#include "Suites.hpp"

#include <impl/KokkosStencil_Terms.hpp>
#include <model/GridProblem.hpp>

#include <cstdio>
#include <set>
#include <sstream>

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
  auto problem             = KS::Model::grid_problem(terms, c.kernel.rank, c.extents, type,
                                         c.relaxed ? KS::Accuracy::relaxed : KS::Accuracy::native, c.steps);
  for (std::size_t a = 0; a < 3 && c.periodic; ++a) {
    if (problem.user_axis[a] < 0) continue;
    problem.faces[a] = {KS::Face::periodic(), KS::Face::periodic()};
    problem.begin[a] = 0;
    problem.end[a]   = problem.extent[a];
  }
  return problem;
}

int predict(std::string const& suites, std::string const& gpu) {
  KS::DeviceModel const* const device = KS::find_device(KS::known_devices(), gpu);
  if (device == nullptr) {
    std::fprintf(stderr, "--predict=%s: no such GPU; kokkosstencil_explain --list-devices names them\n", gpu.c_str());
    return 2;
  }
  std::printf("{\n \"device\": \"%s\",\n \"predictions\": [", device->name.c_str());
  char const* separator = "\n";
  std::set<std::string> seen;
  std::stringstream names(suites);
  for (std::string name; std::getline(names, name, ',');) {
    for (Case const& c : suite(name, false)) {
      if (!seen.insert(c.name("")).second) continue;
      for (KS::Candidate const& k : KS::Cuda::candidates(problem_of(c), *device)) {
        if (!k.runnable) continue;
        std::printf(
            "%s  {\"name\": \"%s\", \"depth\": %d, \"seconds\": %.6g, \"flop\": %.6g, \"bytes\": %.6g, "
            "\"unit\": \"%s\", \"ceiling\": \"%s\", \"fraction\": %.4g, \"chosen\": %s}",
            separator, c.name(k.backend).c_str(), k.estimate.depth, k.predicted, k.estimate.operations,
            k.estimate.bytes, to_string(k.estimate.unit), to_string(k.estimate.bottleneck), k.estimate.fraction,
            k.chosen ? "true" : "false");
        separator = ",\n";
      }
    }
  }
  std::printf("\n ]\n}\n");
  return 0;
}

}  // namespace perf
