// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Executable.hpp"
#include "Temporal.hpp"
#include "common/FamilyBackend.hpp"
#include "direct/Direct.hpp"
#include "direct/Plan.hpp"
#include "temporal/Plan.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

// Many sweeps on CUDA cores, several in one pass over the field. Single sweeps are left to cuda_direct.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

class TemporalBackend : public Cuda::FamilyBackend {
 public:
  explicit TemporalBackend(Preferences const& preferences)
      : FamilyBackend("cuda_temporal", unsupported_reason, cost, ends), m_preferences(preferences) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    auto single          = static_cast<FamilyBackend const&>(*m_direct).make(p, space, launch);
    double const seconds = Direct::cost_of_sweeps(p, Cuda::device_model(space.device), 1).seconds;
    Gpu const gpu{Cuda::device_facts(space.device), Cuda::launch_model(space.device)};
    Kernels kernels = find_kernels(p, gpu.model);
    if (!m_preferences.small) {
      kernels.patches.clear();
      kernels.bricks.clear();
    }
    PassPlan const plan(p, kernels, gpu, seconds, m_preferences.single_cost);
    return make_executable(p, plan, gpu, space.device, launch.stream, std::move(single));
  }

  Cuda::EndExecutables make_ends(Problem const& p, SpaceInfo const& space, int depth) const override {
    Gpu const gpu{Cuda::device_facts(space.device), Cuda::launch_model(space.device)};
    SpaceTuning const* const k = find_end(p, gpu.model);
    if (k == nullptr || k->depth != depth) return {};
    return Temporal::make_ends(p, *k, gpu, space.device);
  }

 private:
  Preferences m_preferences;
  std::unique_ptr<Backend const> m_direct = Cuda::Direct::make_backend();
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return make_backend(Preferences()); }
std::unique_ptr<Backend const> make_backend(Preferences const& preferences) {
  return std::make_unique<TemporalBackend const>(preferences);
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
