// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <memory>

namespace KokkosStencil {
namespace Fuzz {

/// A stretch of memory of one memory space, between stretches where every access ends the process (where the space can
/// do that). Made once and used for all cases.
class Memory {
 public:
  virtual ~Memory() = default;
  char* begin() const { return m_begin; }
  char* end() const { return m_end; }

  virtual void put(char* to, char const* from, std::size_t bytes) const = 0;  ///< from the host
  virtual void get(char* to, char const* from, std::size_t bytes) const = 0;  ///< to the host

 protected:
  char* m_begin = nullptr;
  char* m_end   = nullptr;
};

std::unique_ptr<Memory> make_host_memory(std::size_t bytes);

}  // namespace Fuzz
}  // namespace KokkosStencil
