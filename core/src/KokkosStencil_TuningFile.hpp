// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace KokkosStencil {
namespace Impl {

/// The winner of a measurement.
struct Tuned {
  std::string backend;
  int depth      = 1;
  double seconds = 0.0;
};

/// What was measured for a problem on a device, in this process or, if a file is named, in an earlier one. The texts
/// hold no tabs and no newlines. A file that cannot be used is reported on stderr, once, and left alone; then the
/// memory of this process has to do.
bool recall_tuning(std::string const& file, std::string const& device, std::string const& problem, Tuned& found);

/// Keeps a winner in memory and, if a file is named, adds it there. Several processes may do so at once: the file is
/// replaced in one step, and what others added stays.
void remember_tuning(std::string const& file, std::string const& device, std::string const& problem,
                     Tuned const& winner);

}  // namespace Impl
}  // namespace KokkosStencil
