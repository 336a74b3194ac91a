// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PatchPlan.hpp"

#include "StripPlan.hpp"
#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

PatchArgs plan_patches(Problem const& p, PatchTuning const& k, int depth, bool aligned) {
  PatchLayout const layout = k.layout(size_of(p.value_type));
  PatchArgs g{};
  g.in_pitch  = p.in_stride[1];
  g.out_pitch = p.out_stride[1];
  g.depth     = depth;
  g.aligned   = aligned;
  for (std::size_t a = 0; a < 2; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a + 1]);
    g.begin[a]     = static_cast<std::int32_t>(p.begin[a + 1]);
    g.end[a]       = static_cast<std::int32_t>(p.end[a + 1]);
    g.user_axis[a] = p.user_axis[a + 1];
    for (std::size_t side = 0; side < 2; ++side) g.faces[a][side] = folded(p.faces[a + 1][side]);
    int const vector = a == 0 ? 1 : k.columns_per_lane, width = a == 0 ? layout.height : layout.width;
    int const reach = k.shape.radius, halo = rounded_up(depth * reach, vector);
    // Where nothing changes beyond the range, patches reach only as far as a single sweep.
    auto const beyond = [&](std::size_t side, std::int32_t room) {
      BoundaryKind const kind = g.faces[a][side].kind;
      bool const fixed        = room >= reach || kind == BoundaryKind::halo || kind == BoundaryKind::value;
      return fixed ? reach : halo;
    };
    std::int32_t const before = g.begin[a] - beyond(0, g.begin[a]),
                       after  = g.end[a] + beyond(1, g.extent[a] - g.end[a]);
    std::int32_t const parts  = before / vector - (before % vector < 0 ? 1 : 0);
    g.first[a]                = parts * vector;
    g.halo[a]                 = halo;
    g.step[a]                 = width - 2 * halo;
    std::int32_t const left   = after - g.first[a] - width;
    g.patches[a]              = left <= 0 ? 1 : 1 + static_cast<std::int32_t>(divide_up(left, g.step[a]));
  }
  return g;
}

namespace {

/// Blocks that some multiprocessor takes one after the other.
std::int64_t rounds(PatchArgs const& g, DeviceModel const& device) {
  return divide_up(std::int64_t(g.patches[0]) * g.patches[1], device.multiprocessors);
}

}  // namespace

bool suits_patches(PatchArgs const& g, DeviceModel const& device) { return rounds(g, device) <= most_patch_rounds; }

double patches_seconds(PatchArgs const& g, PatchTuning const& k, ValueType type, DeviceModel const& device) {
  double const slower = g.aligned ? 1.0 : tuned(device, patch_unaligned, "cuda_temporal/patches/unaligned");
  double const more   = static_cast<double>(rounds(g, device) - 1);
  return tuned(device, patch_pass_seconds, "cuda_temporal/patches/pass_seconds") +
         slower * k.block_seconds * (1.0 + next_patch_block * more) +
         g.depth * k.sweep_seconds / multiprocessor_speed(device, type) * (1.0 + next_patch_sweep * more);
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
