// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Problem.hpp>

#include <array>
#include <cstdint>

namespace KokkosStencil {
namespace Impl {

/// Copies a box of values between fields of other strides. Axes: planes, rows, and columns, which are contiguous.
struct RowCopy {
  int value_size = 0;  ///< bytes: 2, 4 or 8
  PointBox box{};
  void const* from = nullptr;
  std::array<std::int64_t, 3> from_stride{};
  void* to = nullptr;
  std::array<std::int64_t, 3> to_stride{};
  /// The columns that there are to read, where the box may have others: those get the value of the outermost one.
  std::int64_t least = 0, most = 0;
  /// Values from `to` to a second copy, to which what lies outside `keep` is written, too; 0: there is none.
  std::int64_t second = 0;
  PointBox keep{};
};

/// Enqueues it; false if the space has no kernel for that.
bool copy_rows(SpaceInfo const& space, Launch const& launch, RowCopy const& copy);

/// Whether so many bytes of the space's device may be taken for copies of fields. Takes a while.
bool room_for_copies(SpaceInfo const& space, std::int64_t bytes);

}  // namespace Impl
}  // namespace KokkosStencil
