// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

namespace KokkosStencil {
namespace Fuzz {

namespace {

class HostMemory final : public Memory {
 public:
  explicit HostMemory(std::size_t bytes) {
    auto const page         = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t const inner = (bytes + page - 1) / page * page;
    // Wide enough for a row or a plane too many.
    std::size_t const fence = 1024 * page;
    m_size                  = inner + 2 * fence;
    void* const all         = mmap(nullptr, m_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    m_all   = static_cast<char*>(all);
    m_begin = m_all + fence;
    m_end   = m_begin + inner;
    if (mprotect(m_begin, inner, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  ~HostMemory() override { munmap(m_all, m_size); }
  HostMemory(HostMemory const&)            = delete;
  HostMemory& operator=(HostMemory const&) = delete;

  void put(char* to, char const* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }
  void get(char* to, char const* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

 private:
  char* m_all        = nullptr;
  std::size_t m_size = 0;
};

}  // namespace

std::unique_ptr<Memory> make_host_memory(std::size_t bytes) { return std::make_unique<HostMemory>(bytes); }

}  // namespace Fuzz
}  // namespace KokkosStencil
