// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>

#include <string>
#include <vector>

namespace KokkosStencil {

/// Draws the rooflines of a device for a value type and the candidates on them, as PNG.
/// @throws std::runtime_error if the file cannot be written
void draw_roofline(std::string const& path, std::string const& title, DeviceModel const& device, Problem const& problem,
                   std::vector<Candidate> const& candidates);

}  // namespace KokkosStencil
