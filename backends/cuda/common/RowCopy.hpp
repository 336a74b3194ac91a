// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <impl/KokkosStencil_RowCopy.hpp>

namespace KokkosStencil {
namespace Cuda {

/// Enqueues the copy on the launch's stream, of the current device.
void copy_rows(Launch const& launch, Impl::RowCopy const& copy);

}  // namespace Cuda
}  // namespace KokkosStencil
