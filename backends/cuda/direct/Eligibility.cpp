// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/Eligibility.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "direct/Tuning.hpp"

#include <algorithm>
#include <limits>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

bool reads_anywhere(Problem const& p) {
  std::int64_t const vector = 16 / size_of(p.value_type);
  return (p.extent[0] > 1 && p.in_stride[0] % vector != 0) || (p.extent[1] > 1 && p.in_stride[1] % vector != 0);
}

bool prefers_anywhere(ShapeTuning const& k, int value_bytes) {
  return k.anywhere() && k.for_anywhere(value_bytes).fits_rows();
}

bool joins_rows(ShapeTuning const& k, int value_bytes, std::int64_t in_pitch, std::int64_t out_pitch,
                std::int64_t columns) {
  return k.has_joined(value_bytes) && in_pitch == out_pitch && in_pitch <= joined_pitch &&
         static_cast<double>(columns) >= joined_wanted * static_cast<double>(in_pitch);
}

int cut_of(ShapeTuning const& k, int value_bytes, std::array<std::int64_t, 3> const& extent,
           std::array<std::int64_t, 3> const& in_stride, std::array<std::int64_t, 3> const& out_stride,
           std::int64_t in_place, std::int64_t out_place) {
  std::int64_t const pitch = in_stride[1], vector = 16 / value_bytes;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 4;
  if (extent[0] > 1 || extent[1] == 1 || out_stride[1] != pitch || pitch > most ||
      pitch < std::max<std::int64_t>(extent[2], least_cut_pitch)) {
    return -1;
  }
  int const cut = row_cut(static_cast<int>(pitch % (2 * vector)),
                          static_cast<int>(modulo(in_place - out_place, vector)), static_cast<int>(vector));
  return cut >= 0 && k.has_cut(cut, value_bytes) ? cut : -1;
}

FaceFlags passed_faces(ShapeTuning const& k, std::array<std::int64_t, 3> const& extent,
                       std::array<std::array<Face, 2>, 3> const& faces, int value_bytes, bool anywhere, bool second,
                       bool in_order) {
  FaceFlags passed{};
  if (!anywhere && !second) return passed;
  for (std::size_t a = 0; a < 3; ++a) {
    int const reach = k.reach(static_cast<int>(a));
    if (reach == 0 || extent[a] < 2 * reach || !k.passes(static_cast<int>(a), value_bytes, anywhere)) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      BoundaryKind const kind = faces[a][side].kind;
      passed[a][side]         = kind == BoundaryKind::mirror || kind == BoundaryKind::edge ||
                        (kind == BoundaryKind::periodic && a < 2) ||
                        (kind == BoundaryKind::value && (a == 2 || (k.makes_constants() && in_order)));
    }
  }
  return passed;
}

FaceFlags passed_faces(ShapeTuning const& k, Problem const& p, bool anywhere) {
  if (is_line(p)) return {};
  auto passed = passed_faces(k, p.extent, p.faces, size_of(p.value_type), anywhere, !p.updates, corners_in_order(p));
  // Faces of x that are passed stand between whole vectors of a row.
  bool const first = anywhere || p.in_phase == 0, last = anywhere || (first && columns_left(p) == 0);
  bool const torus = p.faces[2][0].kind == BoundaryKind::periodic && !anywhere && first && last;
  passed[2]        = {{torus || (first && passed[2][0]), torus || (last && passed[2][1])}};
  return passed;
}

bool corners_in_order(Problem const& p) {
  bool ordered           = true;
  double const* constant = nullptr;
  bool same              = true;
  int before             = -1;
  for (std::size_t a = 0; a < 3; ++a) {
    for (Face const& face : p.faces[a]) {
      if (face.kind != BoundaryKind::value) continue;
      ordered  = ordered && p.user_axis[a] >= before;
      before   = p.user_axis[a];
      same     = same && (constant == nullptr || face.constant == *constant);
      constant = &face.constant;
    }
  }
  return ordered || same;
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
