// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "File.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace example {

namespace fs = std::filesystem;

namespace {

/// Fails unless something went well, saying what errno says.
void check(bool good, std::string const& path, char const* what) {
  if (!good) fail(path, std::string(what) + " (" + std::strerror(errno) + ")");
}

}  // namespace

void fail(std::string const& path, std::string const& what) { throw std::runtime_error(path + ": " + what); }

std::vector<char> read_file(std::string const& path, std::size_t most,
                            std::function<void(std::string const&)> const& good) {
  std::error_code error;
  // Pipes and devices may have no end.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) fail(path, "no regular file");
  std::ifstream file(path, std::ios::binary);
  check(file.is_open(), path, "cannot be opened");
  std::string begin(64, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  good(begin);
  auto const size = fs::file_size(path, error);
  if (error || size > most) fail(path, "longer than " + std::to_string(most) + " bytes");
  std::vector<char> bytes(static_cast<std::size_t>(size));
  file.clear();
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.gcount() != static_cast<std::streamsize>(bytes.size())) fail(path, "cannot be read to its end");
  return bytes;
}

void replace_file(std::string const& path, std::function<void(std::FILE*)> const& write) {
  std::error_code error;
  fs::path target = path;
  if (fs::exists(target, error)) {
    if (!fs::is_regular_file(target, error)) fail(path, "cannot be written: no regular file");
    check(::access(path.c_str(), W_OK) == 0, path, "cannot be written");
    target = fs::canonical(target, error);
    if (error) fail(path, "cannot be written (" + error.message() + ")");
  }
  std::string const fresh = target.string() + "." + std::to_string(::getpid()) + ".tmp";
  std::FILE* const file   = std::fopen(fresh.c_str(), "wbx");
  check(file != nullptr, path, "cannot be written");
  std::exception_ptr failure;
  try {
    write(file);
  } catch (...) {
    failure = std::current_exception();
  }
  bool const written = std::fflush(file) == 0 && std::ferror(file) == 0;
  int const reason   = errno;
  bool const good    = std::fclose(file) == 0 && written;
  if (!written) errno = reason;
  if (failure || !good) {
    int const number = errno;
    std::remove(fresh.c_str());
    errno = number;
    if (failure) std::rethrow_exception(failure);
    check(false, path, "cannot be written");
  }
  fs::rename(fresh, target, error);
  if (error) {
    std::remove(fresh.c_str());
    fail(path, "cannot be written (" + error.message() + ")");
  }
}

}  // namespace example
