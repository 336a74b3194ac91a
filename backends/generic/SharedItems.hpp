// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef KOKKOSSTENCIL_GENERIC_SHARED_ITEMS_HPP
#define KOKKOSSTENCIL_GENERIC_SHARED_ITEMS_HPP

#include <Kokkos_Core.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace KokkosStencil {
namespace Generic {

/// Work of threads that help each other. Items 0 to n - 1 are cut into as many stretches as there are threads, the same
/// ones at every sweep, so that a thread meets memory that it touched first. Who is done takes items of others, so
/// that a thread which another program slows down, or which shares its core, holds up nobody.
class SharedItems {
 public:
  static constexpr std::int64_t most_threads = 256;

  SharedItems(std::int64_t items, std::int64_t threads) : m_threads(static_cast<std::size_t>(threads)) {
    for (std::int64_t t = 0; t < threads; ++t) {
      Stretch& s = m_stretches[static_cast<std::size_t>(t)];
      s.next.store(items * t / threads, std::memory_order_relaxed);
      s.end = items * (t + 1) / threads;
    }
  }

  /// Calls \p body for the items of a thread, then for what others have left.
  template <class Body>
  void run(std::int64_t thread, Body const& body) {
    for (std::size_t k = 0; k < m_threads; ++k) {
      Stretch& s = m_stretches[(static_cast<std::size_t>(thread) + k) % m_threads];
      for (;;) {
        std::int64_t const item = s.next.fetch_add(1, std::memory_order_relaxed);
        if (item >= s.end) break;
        body(item);
      }
    }
  }

 private:
  /// On a cache line of its own: each thread counts in its own most of the time.
  struct alignas(64) Stretch {
    std::atomic<std::int64_t> next;
    std::int64_t end;
  };

  std::size_t m_threads;
  std::array<Stretch, static_cast<std::size_t>(most_threads)> m_stretches;
};

/// A thread's part of the items, as a Kokkos work item.
template <class Body>
struct HelpingThread {
  SharedItems* items;
  Body body;

  void operator()(std::int64_t thread) const { items->run(thread, body); }
};

/// Whether a call of parallel_for may end before its work does, which then finds no SharedItems.
template <class Exec>
constexpr bool ends_early() {
#ifdef KOKKOS_ENABLE_HPX
  return std::is_same<Exec, Kokkos::Experimental::HPX>::value;
#else
  return false;
#endif
}

/// Calls \p body for each of \p items, on all threads of \p exec.
template <class Exec, class Body>
void for_items(std::string const& label, Exec const& exec, std::int64_t items, std::int64_t threads, Body const& body) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>;
  if (ends_early<Exec>() || threads <= 1 || items <= threads || threads > SharedItems::most_threads) {
    Kokkos::parallel_for(label, Policy(exec, 0, items), body);
  } else {
    SharedItems shared(items, threads);
    Kokkos::parallel_for(label, Policy(exec, 0, threads), HelpingThread<Body>{&shared, body});
  }
}

}  // namespace Generic
}  // namespace KokkosStencil

#endif
