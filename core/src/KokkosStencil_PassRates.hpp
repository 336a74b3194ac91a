// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>

namespace KokkosStencil {
namespace Impl {

/// What predictions of passes of functors take of a device.
struct PassRates {
  double bandwidth, launch;
};

/// For fields of so many bytes; of a device that nothing is known of by its multiprocessors.
inline PassRates pass_rates(int multiprocessors, double bytes, DeviceModel const* device) {
  if (device == nullptr) return {multiprocessors * 30e9, DeviceModel().launch_seconds};
  bool const cached = device->l2_bandwidth > 0.0 && bytes < 0.7 * static_cast<double>(device->l2_bytes);
  return {cached ? device->l2_bandwidth : device->bandwidth, device->launch_seconds};
}

}  // namespace Impl
}  // namespace KokkosStencil
