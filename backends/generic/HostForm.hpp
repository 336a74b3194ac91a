// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

#include <cstdint>

namespace KokkosStencil {
namespace Generic {

/// A problem with its axes turned or joined so that rows, along axis 2, are long. Its terms keep their order, the
/// canonical one, whatever the axes are now.
struct HostForm {
  Problem problem;
  std::int64_t group = 1;  ///< points of axis 2 that the boundary rules take for one: those of the axis that was joined
};

/// The form that the row kernels do fastest.
HostForm host_form(Problem const& problem);

}  // namespace Generic
}  // namespace KokkosStencil
