// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <stdexcept>

namespace KokkosStencil {

/// Thrown for every misuse that can only be seen at run time, before any work is launched. The text
/// names the label of the call, the offending values and the mend.
class Error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace KokkosStencil
