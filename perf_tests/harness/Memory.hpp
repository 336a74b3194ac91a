// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Candidate.hpp"
#include "Reference.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace perf {

/// Memory of a space: allocation, inputs, samples, copies. All of it waits for the device.
template <class Space>
class Memory {
 public:
  static void* allocate(std::size_t bytes);
  static void release(void* data);
  static void fence();

  /// Element i = input_value(i).
  static void fill(void* data, std::int64_t elements, Type type);
  /// Every element NaN.
  static void poison(void* data, std::int64_t elements, Type type);
  static std::int64_t count_nan(void const* data, std::int64_t elements, Type type);
  static std::vector<double> values_at(void const* data, std::vector<std::int64_t> const& elements, Type type);
  static void copy(void* to, void const* from, std::size_t bytes);

  /// Enqueues a copy in one of several ways (see copy_ways), for the copy bandwidth.
  static void stream(int way, void* to, void const* from, std::size_t bytes);
  static std::vector<std::string> copy_ways();
};

}  // namespace perf
