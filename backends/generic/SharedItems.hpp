// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOSSTENCIL_GENERIC_SHARED_ITEMS_HPP
#define KOKKOSSTENCIL_GENERIC_SHARED_ITEMS_HPP

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Generic {

/// Work of threads that help each other. Items 0 to n - 1 are cut into as many stretches as there are threads, the same
/// ones at every sweep, so that a thread meets memory that it touched first. Who is done takes items of others, so
/// that a thread which another program slows down, or which shares its core, holds up nobody.
template <class Body>
class SharedItems {
 public:
  SharedItems(Body const& body, std::int64_t items, std::int64_t threads)
      : m_body(body), m_stretches(std::make_shared<std::vector<Stretch>>(static_cast<std::size_t>(threads))) {
    for (std::int64_t t = 0; t < threads; ++t) {
      Stretch& s = (*m_stretches)[static_cast<std::size_t>(t)];
      s.next.store(items * t / threads, std::memory_order_relaxed);
      s.end = items * (t + 1) / threads;
    }
  }

  void operator()(std::int64_t thread) const {
    std::size_t const threads = m_stretches->size();
    for (std::size_t k = 0; k < threads; ++k) {
      Stretch& s = (*m_stretches)[(static_cast<std::size_t>(thread) + k) % threads];
      for (;;) {
        std::int64_t const item = s.next.fetch_add(1, std::memory_order_relaxed);
        if (item >= s.end) break;
        m_body(item);
      }
    }
  }

 private:
  /// On a cache line of its own: each thread counts in its own most of the time.
  struct alignas(64) Stretch {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
    Stretch()        = default;
    Stretch(Stretch const& s) : next(s.next.load()), end(s.end) {}
  };

  Body m_body;
  std::shared_ptr<std::vector<Stretch>> m_stretches;
};

/// Calls \p body for each of \p items, on all threads of \p exec.
template <class Exec, class Body>
void for_items(std::string const& label, Exec const& exec, std::int64_t items, std::int64_t threads, Body const& body) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>;
  if (threads <= 1 || items <= threads) {
    Kokkos::parallel_for(label, Policy(exec, 0, items), body);
  } else {
    Kokkos::parallel_for(label, Policy(exec, 0, threads), SharedItems<Body>(body, items, threads));
  }
}

}  // namespace Generic
}  // namespace KokkosStencil

#endif
