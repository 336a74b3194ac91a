// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "direct/ShapeTuning.hpp"

#include <KokkosStencil_Backend.hpp>

#include <array>
#include <cstdint>

// Which of the kernels made for a shape may run, by how rows lie in memory and by the faces.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Whether rows of the input begin at different places in 16 bytes.
bool reads_anywhere(Problem const& problem);

/// Whether rows that all begin at the same place within a vector are left to the kernel for those that begin anywhere:
/// others leave their first and last columns to the boundary kernel, which are dear in space.
bool prefers_anywhere(ShapeTuning const& kernel, int value_bytes);

/// Whether planes are taken as lines, of which `columns` a row are written.
bool joins_rows(ShapeTuning const& kernel, int value_bytes, std::int64_t in_pitch, std::int64_t out_pitch,
                std::int64_t columns);

/// How a plane is cut into other rows (an index into row_cuts), if input and output begin at these places in 16 bytes,
/// in values; -1 if it is not.
int cut_of(ShapeTuning const& kernel, int value_bytes, std::array<std::int64_t, 3> const& extent,
           std::array<std::int64_t, 3> const& in_stride, std::array<std::int64_t, 3> const& out_stride,
           std::int64_t in_place, std::int64_t out_place);

/// What holds of each face, by axis, of the lower and the upper one.
using FaceFlags = std::array<std::array<bool, 2>, 3>;

/// The faces past which a kernel finds or makes what it needs, as far as addresses do not matter. `second`: whether the
/// second kernel may run that is made for them, where that is another. `in_order`: corners are.
FaceFlags passed_faces(ShapeTuning const& kernel, std::array<std::int64_t, 3> const& extent,
                       std::array<std::array<Face, 2>, 3> const& faces, int value_bytes, bool anywhere, bool second,
                       bool in_order);
/// The same for a problem, as far as it is known where the Views begin.
FaceFlags passed_faces(ShapeTuning const& kernel, Problem const& problem, bool anywhere);

/// Whether past several faces of constants the first of these axes counts, as in kernels: it is the View's lowest one,
/// or all constants are the same.
bool corners_in_order(Problem const& problem);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
