// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Device.hpp"

#include <KokkosStencil_Backend.hpp>

#include <string>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Cuda {

/// A backend whose answers are the two functions of a family's Plan.hpp, which kokkosstencil_explain asks as well. What
/// is left to a family is prepare().
class FamilyBackend : public Backend {
 public:
  std::string name() const override { return m_name; }

  Status can_run(Problem const& problem, SpaceInfo const& space) const override {
    if (Status const device = supported(space); !device) return device;
    std::string const reason = m_unsupported_reason(problem, launch_model(space.device));
    return reason.empty() ? Status::can() : Status::cannot(reason);
  }

  double predict(Problem const& problem, SpaceInfo const& space) const override {
    return estimates(problem, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& problem, SpaceInfo const& space) const override {
    return m_cost(problem, device_model(space.device));
  }

 protected:
  FamilyBackend(std::string name, std::string (*unsupported_reason)(Problem const&, DeviceModel const&),
                std::vector<Estimate> (*cost)(Problem const&, DeviceModel const&))
      : m_name(std::move(name)), m_unsupported_reason(unsupported_reason), m_cost(cost) {}

 private:
  std::string m_name;
  std::string (*m_unsupported_reason)(Problem const&, DeviceModel const&);
  std::vector<Estimate> (*m_cost)(Problem const&, DeviceModel const&);
};

}  // namespace Cuda
}  // namespace KokkosStencil
