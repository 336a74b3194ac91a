// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Executable.hpp"
#include "common/Device.hpp"
#include "common/FamilyBackend.hpp"
#include "direct/Direct.hpp"
#include "resident/Plan.hpp"

#include <memory>
#include <utility>

// Many sweeps of fields that fit on the chip, by one launch. Single sweeps are left to cuda_direct.

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

namespace {

class ResidentBackend : public FamilyBackend {
 public:
  ResidentBackend() : FamilyBackend("cuda_resident", unsupported_reason, cost) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    auto single             = static_cast<FamilyBackend const&>(*m_direct).make(p, space, launch);
    DeviceModel const model = launch_model(space.device);
    return p.rank == 3 ? make_executable(p, VolumePlan(p, model), space.device, launch, std::move(single))
                       : make_executable(p, Plan(p, model), space.device, launch, std::move(single));
  }

 private:
  std::unique_ptr<Backend const> m_direct = Direct::make_backend();
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<ResidentBackend const>(); }

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
