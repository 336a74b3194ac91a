// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Families.hpp"

#include "common/Padding.hpp"
#include "direct/Plan.hpp"
#include "resident/Plan.hpp"
#include "sparse_table/Plan.hpp"
#include "sparse_tensor/Plan.hpp"
#include "temporal/Plan.hpp"
#include "tensor_double/Plan.hpp"
#include "tensor_float/Plan.hpp"

#include <KokkosStencil_Error.hpp>
#include <generic/DevicePlan.hpp>
#include <model/Choice.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Cuda {

namespace {

std::string nothing(Problem const&, DeviceModel const&) { return ""; }

/// The entry of a family, which may run a problem on padded copies.
template <auto Reason, auto Cost, auto Ends = nullptr>
Entry entry(char const* backend) {
  using Answers = Cuda::WithPadding<Reason, Cost, Ends>;
  return {backend, Answers::unsupported_reason, Answers::cost};
}

}  // namespace

std::vector<Entry> const& backends() {
  static std::vector<Entry> const all{
      {"generic", nothing, Generic::device_cost},
      entry<Direct::unsupported_reason, Direct::cost>("cuda_direct"),
      entry<Temporal::unsupported_reason, Temporal::cost, Temporal::ends>("cuda_temporal"),
      entry<Resident::unsupported_reason, Resident::cost>("cuda_resident"),
      entry<Cuda::SparseTable::unsupported_reason, Cuda::SparseTable::cost>("cuda_sparse_table"),
      entry<Cuda::SparseTensor::unsupported_reason, Cuda::SparseTensor::cost>("cuda_sparse_tensor"),
      entry<Cuda::TensorDouble::unsupported_reason, Cuda::TensorDouble::cost>("cuda_tensor_double"),
      entry<Cuda::TensorFloat::unsupported_reason, Cuda::TensorFloat::cost>("cuda_tensor_float")};
  return all;
}

std::vector<Candidate> candidates(Problem const& problem, DeviceModel const& device, std::string const& forced) {
  std::vector<Candidate> all;
  bool known = forced.empty();
  for (Entry const& entry : backends()) {
    Candidate c;
    c.backend = entry.backend;
    c.reason  = entry.unsupported_reason(problem, device);
    std::vector<Estimate> estimates;
    if (c.reason.empty()) estimates = entry.cost(problem, device);
    // Where the description of a device names no rate, it is 0, and the time infinite.
    for (Estimate const& e : estimates) {
      if (!std::isfinite(e.seconds))
        c.reason = "the device has no rate for this type on " + std::string(to_string(e.unit));
    }
    c.runnable = c.reason.empty();
    known      = known || c.backend == forced;
    if (!c.runnable && c.backend == forced) throw Error("the backend \"" + forced + "\" cannot run this: " + c.reason);
    if (!c.runnable) {
      all.push_back(c);
      continue;
    }
    for (Estimate const& e : estimates) {
      c.estimate  = e;
      c.predicted = e.seconds;
      all.push_back(c);
    }
  }
  if (!known) throw Error("there is no backend \"" + forced + "\" for GPUs");
  Model::choose(all, forced);
  return all;
}

}  // namespace Cuda
}  // namespace KokkosStencil
