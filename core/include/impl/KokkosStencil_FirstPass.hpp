// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <cstdint>

namespace KokkosStencil {
namespace Impl {

/// What an Executable may be as well: its first pass of an iteration can do what else is a launch of its own.
class FirstPass {
 public:
  virtual ~FirstPass() = default;

  /// Executable::pass() where points outside the range do not agree yet: they are copied from in to out on the way. 0
  /// if it cannot: nothing is enqueued then. Only asked for more than one sweep, where in and out have the same strides
  /// and no layers are borrowed.
  virtual std::int64_t first_pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const = 0;
};

}  // namespace Impl
}  // namespace KokkosStencil
