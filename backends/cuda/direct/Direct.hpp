// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <memory>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

std::unique_ptr<Backend const> make_backend();

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
