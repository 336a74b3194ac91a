// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RooflinePicture.hpp"

#include <KokkosStencil_Error.hpp>

// In place of RooflinePicture.cpp where there is nothing to draw with.

namespace KokkosStencil {

void draw_roofline(std::string const&, std::string const&, DeviceModel const&, Problem const&,
                   std::vector<Candidate> const&) {
  throw Error("--plot: this program was built without " KOKKOSSTENCIL_NO_PICTURE);
}

}  // namespace KokkosStencil
