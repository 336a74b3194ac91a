// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace KokkosStencil {
namespace Model {

/// The last thing a program does: its status, or 1 with a message if what it printed was lost, on a full disk for one.
inline int checked_output(char const* program, int status) {
  errno = 0;
  std::cout.flush();
  if (std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "%s: the standard output cannot be written (%s)\n", program,
               errno != 0 ? std::strerror(errno) : "an earlier write failed");
  return status == 0 ? 1 : status;
}

}  // namespace Model
}  // namespace KokkosStencil
