// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>

namespace perf {

/// The time that calls take on the device, however long the host takes to enqueue them: they wait behind a kernel until
/// all of them are there.
class DeviceClock {
 public:
  virtual ~DeviceClock() = default;

  /// Seconds of one of `runs` calls of `run`, which follow each other; 0 if one of them waits for the device or the
  /// queue does not hold so many launches.
  virtual double seconds(int runs, std::function<void()> const& run) = 0;

  /// The clock of the default device; nullptr where there is none.
  static DeviceClock* instance();
};

}  // namespace perf
