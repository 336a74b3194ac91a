// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Impl {

/// A PointBox that kernels can carry: std::array has no device functions.
struct DeviceBox {
  std::int64_t begin[3] = {0, 0, 0};
  std::int64_t end[3]   = {0, 0, 0};

  DeviceBox() = default;
  explicit DeviceBox(PointBox const& box) {
    for (std::size_t a = 0; a < 3; ++a) {
      begin[a] = box.begin[a];
      end[a]   = box.end[a];
    }
  }
};

}  // namespace Impl
}  // namespace KokkosStencil
