// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>

#include <string>

namespace KokkosStencil {
namespace Model {

/// The GPU of the table with that name (find_device), else the one that the file of that name describes (read_device).
/// For tools. Throws Error, naming what is wrong with the file, or the GPUs that are known.
DeviceModel device_named(std::string const& name);

}  // namespace Model
}  // namespace KokkosStencil
