// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

std::unique_ptr<Backend const> make_backend();

/// What tests ask for, so that each kernel runs even where it would not pay.
struct Preferences {
  double single_cost = 1.0;   ///< plans take single sweeps to last so many times as long as they do
  bool small         = true;  ///< whether small planes may be cut into patches, and small volumes into bricks
};
std::unique_ptr<Backend const> make_backend(Preferences const& preferences);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
