// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

std::unique_ptr<Backend const> make_backend();

/// The same, but plans take single sweeps to last so many times as long as they do. With that tests run passes of
/// several sweeps even where those would not pay.
std::unique_ptr<Backend const> make_backend(double single_cost);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
