// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceFile.hpp"

#include <KokkosStencil_Error.hpp>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace KokkosStencil {
namespace Model {

namespace {

/// The text of a file with the description of a device, which is a few pages at most.
std::string contents(std::string const& path) {
  constexpr std::size_t most = 1 << 16;
  if (!std::filesystem::is_regular_file(path)) throw Error("no regular file");
  std::ifstream file(path, std::ios::binary);
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || !file.is_open()) throw Error("cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.empty()) throw Error("the file is empty");
  if (text.size() > most) throw Error("longer than a description of a device, " + std::to_string(most) + " bytes");
  return text;
}

}  // namespace

DeviceModel device_named(std::string const& name) {
  if (DeviceModel const* known = find_device(known_devices(), name)) return *known;
  std::error_code error;
  if (!name.empty() && std::filesystem::exists(name, error)) {
    try {
      return read_device(contents(name));
    } catch (Error const& e) {
      throw Error(name + ": " + e.what());
    }
  }
  std::string all;
  for (DeviceModel const& d : known_devices()) all += (all.empty() ? "" : ", ") + d.name;
  throw Error("there is no GPU named \"" + name + "\"; known are: " + all +
              ". Or give a file; kokkosstencil_explain --print-device writes one to start from.");
}

}  // namespace Model
}  // namespace KokkosStencil
