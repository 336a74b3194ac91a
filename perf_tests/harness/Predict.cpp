// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Predict.hpp"

#include "common/CudaModel.hpp"

#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Terms.hpp>

#include <cstdint>
#include <cstdio>

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
  KS::Face const face = c.faces == Faces::periodic ? KS::Face::periodic()
                        : c.faces == Faces::mirror ? KS::Face::mirror()
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

int predict(Selection const& selection, std::string const& gpu) {
  KS::DeviceModel const* const device = KS::find_device(KS::known_devices(), gpu);
  if (device == nullptr) {
    std::fprintf(stderr, "--predict=%s: no such GPU; kokkosstencil_explain --list-devices names them\n", gpu.c_str());
    return 2;
  }
  std::printf("{\n \"device\": \"%s\",\n \"predictions\": [", device->name.c_str());
  char const* separator = "\n";
  for (Case const& c : cases_of(selection, false)) {
    for (KS::Candidate const& k : KS::Cuda::candidates(problem_of(c), *device)) {
      if (!k.runnable) continue;
      std::printf(
          "%s  {\"name\": \"%s\", \"depth\": %d, \"seconds\": %.6g, \"flop\": %.6g, \"bytes\": %.6g, "
          "\"unit\": \"%s\", \"ceiling\": \"%s\", \"fraction\": %.4g, \"chosen\": %s}",
          separator, c.name(k.backend).c_str(), k.estimate.depth, k.predicted, k.estimate.operations, k.estimate.bytes,
          to_string(k.estimate.unit), to_string(k.estimate.bottleneck), k.estimate.fraction,
          k.chosen ? "true" : "false");
      separator = ",\n";
    }
  }
  std::printf("\n ]\n}\n");
  return 0;
}

}  // namespace perf
