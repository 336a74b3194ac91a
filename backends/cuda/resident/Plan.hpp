// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Kernel.hpp"

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Which problems stay on the chip, cut how, and how long that takes. Plain C++: kokkosstencil_explain asks as well.

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// Why cuda_resident cannot run a problem; empty if it can.
std::string unsupported_reason(Problem const& problem, DeviceModel const& device);

/// The predicted time.
std::vector<Estimate> cost(Problem const& problem, DeviceModel const& device);

/// How a plane is cut into patches that all stay on the chip.
class Plan {
 public:
  /// The kernel and the number of sweeps between two exchanges whose predicted time for the problem's sweeps is least.
  Plan(Problem const& problem, DeviceModel const& device);
  /// These ones.
  Plan(Problem const& problem, DeviceModel const& device, std::size_t kernel, int depth);

  /// Empty if there is a cut.
  std::string const& unsupported_reason() const { return m_reason; }

  /// Index into the table of Tuning.hpp.
  std::size_t kernel() const { return m_kernel; }
  Temporal::PatchArgs const& patches() const { return m_patches; }
  int blocks() const { return m_patches.patches[0] * m_patches.patches[1]; }
  /// Of so many sweeps.
  double seconds(std::int64_t sweeps) const;

  /// What Args::peers points at.
  std::vector<std::int32_t> peers() const;
  /// Values of a row of the planes through which blocks exchange, and of such a plane.
  std::int64_t pitch() const;
  std::int64_t plane() const { return pitch() * m_patches.extent[0]; }

 private:
  /// Cuts the problem; whether all patches fit on the chip.
  bool cut(Problem const& problem, DeviceModel const& device, std::size_t kernel, int depth);

  std::size_t m_kernel = 0;
  Temporal::PatchArgs m_patches{};
  double m_run_seconds      = 0.0;
  double m_turn_seconds     = 0.0;
  double m_sweep_seconds    = 0.0;
  double m_exchange_seconds = 0.0;
  std::string m_reason;
};

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
