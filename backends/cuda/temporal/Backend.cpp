// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Executable.hpp"
#include "Temporal.hpp"
#include "common/FamilyBackend.hpp"
#include "direct/Plan.hpp"
#include "temporal/Plan.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

// Many sweeps on CUDA cores, several in one pass over the field. Single sweeps are left to cuda_direct.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {
std::unique_ptr<Backend const> make_backend();
}

namespace Temporal {

namespace {

class TemporalBackend : public Cuda::FamilyBackend {
 public:
  explicit TemporalBackend(double single_cost)
      : FamilyBackend("cuda_temporal", unsupported_reason, cost), m_single_cost(single_cost) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    auto single          = static_cast<FamilyBackend const&>(*m_direct).make(p, space, launch);
    double const seconds = Direct::cost_of_sweeps(p, Cuda::device_model(space.device), 1).seconds;
    Gpu const gpu{Cuda::device_facts(space.device), Cuda::launch_model(space.device)};
    PassPlan const plan(p, find_kernels(p, gpu.model), gpu, seconds, m_single_cost);
    return make_executable(p, plan, gpu, space.device, std::move(single));
  }

 private:
  double m_single_cost;
  std::unique_ptr<Backend const> m_direct = Cuda::Direct::make_backend();
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return make_backend(1.0); }
std::unique_ptr<Backend const> make_backend(double single_cost) {
  return std::make_unique<TemporalBackend const>(single_cost);
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
