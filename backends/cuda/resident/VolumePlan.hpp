// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Kernel.hpp"

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// How a volume is cut into bundles of rows that all stay on the chip.
class VolumePlan {
 public:
  /// The kernel and the arrangement of a block's bundles whose predicted time for the problem's sweeps is least.
  VolumePlan(Problem const& problem, DeviceModel const& device);
  /// These ones: a block has so many bundles along z.
  VolumePlan(Problem const& problem, DeviceModel const& device, std::size_t kernel, int along_z);

  /// Empty if there is a cut.
  std::string const& unsupported_reason() const { return m_reason; }

  /// Index into the table of Tuning.hpp.
  std::size_t kernel() const { return m_kernel; }
  VolumeArgs const& args() const { return m_args; }
  int blocks() const { return m_args.blocks[0] * m_args.blocks[1]; }
  /// Of a block.
  int shared_bytes() const { return m_shared_bytes; }
  /// Of what VolumeArgs::lines points at.
  std::size_t bytes_of_lines() const { return m_bytes_of_lines; }
  /// Of what VolumeArgs::entries points at: for each warp of each block.
  std::vector<VolumeEntry> entries(ValueType type) const;
  /// Of so many sweeps.
  double seconds(std::int64_t sweeps) const;

 private:
  /// Which columns lanes hold. Says why they cannot.
  std::string cut_rows(VolumeTuning const& k);

  std::size_t m_kernel         = 0;
  VolumeArgs m_args            = {};
  int m_shared_bytes           = 0;
  std::size_t m_bytes_of_lines = 0;
  double m_run_seconds         = 0.0;
  double m_sweep_seconds       = 0.0;
  std::string m_reason;
};

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
