// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>

namespace KokkosStencil {
namespace HostTemporal {

/// Whether passes of several sweeps are faster than single sweeps, by the clock: the first sweep is not timed, then two
/// single ones and two passes are. If these are slower it tries again later, since another program may have been
/// in the way. Several threads may use one.
class Trial {
 public:
  enum class Next { single, timed_single, pass, timed_pass };

  /// What to do next, if all that is left are so many sweeps.
  Next next(std::int64_t left, int depth) {
    std::lock_guard<std::mutex> const lock(m_mutex);
    if (m_stage == 0) return Next::single;
    if (m_stage <= singles) return Next::timed_single;
    if (m_stage <= singles + passes) return left >= depth ? Next::timed_pass : Next::pass;
    return m_pays ? Next::pass : Next::single;
  }

  /// Afterwards: so many sweeps took so many seconds, which count only where it was to be timed.
  void done(Next what, std::int64_t sweeps, double seconds, double most_share) {
    std::lock_guard<std::mutex> const lock(m_mutex);
    double const each = seconds / static_cast<double>(sweeps);
    if (what == Next::timed_single) m_single = std::min(m_single, each);
    if (what == Next::timed_pass) m_pass = std::min(m_pass, each);
    if (m_stage <= singles) {
      if (what != Next::pass && what != Next::timed_pass) ++m_stage;
    } else if (m_stage <= singles + passes) {
      if (what == Next::timed_pass) ++m_stage;
      m_pays    = m_pass < most_share * m_single;
      m_waiting = 0;
    } else if (!m_pays && (m_waiting += sweeps) >= m_patience) {
      m_stage = 1;
      m_patience *= 4;
      m_single = m_pass = std::numeric_limits<double>::max();
    }
  }

 private:
  static constexpr int singles = 2, passes = 2;

  std::mutex m_mutex;
  int m_stage            = 0;
  double m_single        = std::numeric_limits<double>::max();
  double m_pass          = std::numeric_limits<double>::max();
  bool m_pays            = false;
  std::int64_t m_waiting = 0, m_patience = 256;
};

}  // namespace HostTemporal
}  // namespace KokkosStencil
