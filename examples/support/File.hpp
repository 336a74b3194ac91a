// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// Files that are read with a limit, and written whole or not at all.

namespace example {

/// Throws std::runtime_error, naming the file.
[[noreturn]] void fail(std::string const& path, std::string const& what);

/// The bytes of a regular file that `good` accepts by the first of them, at most 64. Throws for any other.
std::vector<char> read_file(std::string const& path, std::size_t most,
                            std::function<void(std::string const&)> const& good);

/// Lets `write` fill a file beside `path`, and puts it there when all of it is written. Only a regular file
/// is replaced; where anything fails, what is at `path` stays as it is.
void replace_file(std::string const& path, std::function<void(std::FILE*)> const& write);

}  // namespace example
