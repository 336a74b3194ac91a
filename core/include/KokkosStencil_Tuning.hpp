// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace KokkosStencil {

/// How the fastest backend is found when a plan is made.
enum class Tuning {
  predict,  ///< by the performance model: takes microseconds
  measure   ///< by timing every candidate on the Views at hand, once; takes milliseconds and a copy of the Views
};

/// "predict", "measure".
char const* to_string(Tuning tuning) noexcept;

namespace Impl {
/// Drops what was measured so far from memory, as a new process would (for tests).
void forget_tuning();
}  // namespace Impl

}  // namespace KokkosStencil
