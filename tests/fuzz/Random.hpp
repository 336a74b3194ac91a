// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

/// Random numbers that are the same with every standard library (splitmix64).
class Random {
 public:
  /// Case `index` of a seed has numbers of its own, so that it can be run alone.
  Random(std::uint64_t seed, std::uint64_t index) : m_state(seed * 0x9E3779B97F4A7C15u) {
    m_state = next() ^ (index * 0xD1B54A32D192ED03u);
    next();
  }

  std::uint64_t next() {
    std::uint64_t z = (m_state += 0x9E3779B97F4A7C15u);
    z               = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z               = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// low <= i <= high
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  int small(int low, int high) { return static_cast<int>(between(low, high)); }
  bool one_in(int n) { return between(1, n) == 1; }
  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) / 9007199254740992.0; }

  template <class T>
  T pick(std::initializer_list<T> all) {
    return all.begin()[next() % all.size()];
  }
  template <class T>
  T const& pick(std::vector<T> const& all) {
    return all[static_cast<std::size_t>(next() % all.size())];
  }

 private:
  std::uint64_t m_state;
};

}  // namespace Fuzz
}  // namespace KokkosStencil
