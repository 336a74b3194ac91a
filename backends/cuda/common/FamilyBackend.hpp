// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Device.hpp"
#include "common/PaddedExecutable.hpp"
#include "common/Padding.hpp"

#include <KokkosStencil_Backend.hpp>

#include <string>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Cuda {

/// The backend of a family. It answers with the two functions of the family's Plan.hpp, which kokkosstencil_explain
/// calls as well, for the Views as they are and, where rows are not aligned, for padded copies of them. A family adds
/// make() only.
class FamilyBackend : public Backend {
 public:
  std::string name() const override { return m_name; }

  Status can_run(Problem const& problem, SpaceInfo const& space) const override;
  double predict(Problem const& problem, SpaceInfo const& space) const override;
  std::vector<Estimate> estimates(Problem const& problem, SpaceInfo const& space) const override;
  std::unique_ptr<Executable> prepare(Problem const& problem, SpaceInfo const& space,
                                      Launch const& launch) const override;

  /// Makes the end passes that a family with `ends` promised, of so many sweeps.
  virtual EndExecutables make_ends(Problem const& /*problem*/, SpaceInfo const& /*space*/, int /*depth*/) const {
    return {};
  }

  /// Makes an executable for the Views as they are.
  virtual std::unique_ptr<Executable> make(Problem const& problem, SpaceInfo const& space,
                                           Launch const& launch) const = 0;

 protected:
  FamilyBackend(std::string name, std::string (*unsupported_reason)(Problem const&, DeviceModel const&),
                std::vector<Estimate> (*cost)(Problem const&, DeviceModel const&),
                EndPasses (*ends)(Problem const&, DeviceModel const&) = nullptr)
      : m_name(std::move(name)), m_answers{unsupported_reason, cost, ends} {}

 private:
  std::string m_name;
  Answers m_answers;
};

}  // namespace Cuda
}  // namespace KokkosStencil
