// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace Generic {

/// For predictions where nothing is known of a device: 10 GB/s and 4 GFMA/s a host thread up to a socket's bandwidth;
/// on other devices what A100-class GPUs reach with kernels that are not tuned for the stencil.
DeviceModel cautious_rates(SpaceInfo const& space);

}  // namespace Generic
}  // namespace KokkosStencil
