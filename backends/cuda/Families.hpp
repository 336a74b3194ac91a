// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>

#include <string>
#include <vector>

// All backends for NVIDIA GPUs: what each can run, and what that costs. Pure functions of a problem and a device, which
// need not be there.

namespace KokkosStencil {
namespace Cuda {

/// A backend, by the two functions of its Plan.hpp.
struct Entry {
  char const* backend;
  /// Why it cannot run a problem; empty if it can.
  std::string (*unsupported_reason)(Problem const& problem, DeviceModel const& device);
  std::vector<Estimate> (*cost)(Problem const& problem, DeviceModel const& device);
};

/// All of them, in the order of registration.
std::vector<Entry> const& backends();

/// The candidates for a problem on a device as the dispatcher compares them. Throws Error if `forced` names none of
/// them or one that cannot run the problem.
std::vector<Candidate> candidates(Problem const& problem, DeviceModel const& device, std::string const& forced = "");

}  // namespace Cuda
}  // namespace KokkosStencil
