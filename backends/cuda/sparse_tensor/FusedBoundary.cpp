// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedBoundary.hpp"

#include "common/Check.hpp"
#include "common/PassRange.hpp"
#include "common/Tuning.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

FusedBoundary::FusedBoundary(Problem const& p, SpaceInfo const& space, int sweeps, int const (&reach)[2],
                             bool beside_wgmma)
    : m_reach(std::max(reach[0], reach[1])),
      m_multiprocessors(device_facts(space.device).sm_count),
      m_overlap(space.compute_capability >= dependent_launch_capability),
      m_bands(beside_wgmma && reach[0] == 1 && reach[1] == 1 && sweeps <= fused_band_halo),
      m_range(pass_range(p, sweeps).stored),
      m_type(p.value_type) {
  PointBox const changing = pass_range(p, sweeps).changing;
  m_args.in_pitch         = p.in_stride[1];
  m_args.out_pitch        = p.out_stride[1];
  for (std::size_t a = 0; a < 2; ++a) {
    m_args.extent[a]    = static_cast<std::int32_t>(p.extent[a + 1]);
    m_args.begin[a]     = static_cast<std::int32_t>(changing.begin[a + 1]);
    m_args.end[a]       = static_cast<std::int32_t>(changing.end[a + 1]);
    m_args.user_axis[a] = p.user_axis[a + 1];
    m_args.reach[a]     = reach[a];
    for (std::size_t side = 0; side < 2; ++side) m_args.faces[a][side] = p.faces[a + 1][side];
  }
  m_args.sweeps = sweeps;
  for (Term const& t : p.terms) {
    int const at           = (t.offset[1] + m_reach) * (2 * m_reach + 1) + t.offset[2] + m_reach;
    m_args.coefficient[at] = static_cast<float>(t.coefficient);
    m_args.terms |= std::uint64_t(1) << at;
  }
}

bool FusedBoundary::are_bands(std::vector<PointBox> const& boxes) const {
  if (!m_bands) return false;
  for (std::size_t a = 0; a < 2; ++a) {
    // Indices of cells wrap around once.
    bool const wraps =
        m_args.begin[a] == 0 && m_args.end[a] == m_args.extent[a] && m_args.extent[a] >= fused_band_length;
    for (Face const& face : m_args.faces[a]) {
      if (face.kind != BoundaryKind::halo && (face.kind != BoundaryKind::periodic || !wraps)) return false;
    }
  }
  return std::all_of(boxes.begin(), boxes.end(), [](PointBox const& box) {
    return std::min(box.end[1] - box.begin[1], box.end[2] - box.begin[2]) <= fused_band_cells;
  });
}

namespace {

/// Adds a box, cut into tiles of `most` points along y and x.
FusedBoundaryBox& add_box(FusedBoundaryArgs& args, PointBox const& box, std::array<std::int32_t, 2> const& most) {
  FusedBoundaryBox& b = args.boxes[args.box_count++];
  b.first_block       = args.blocks;
  std::int32_t tiles  = 1;
  for (std::size_t a = 0; a < 2; ++a) {
    b.begin[a]                = static_cast<std::int32_t>(box.begin[a + 1]);
    b.end[a]                  = static_cast<std::int32_t>(box.end[a + 1]);
    b.tile[a]                 = std::min(b.end[a] - b.begin[a], most[a]);
    std::int32_t const across = (b.end[a] - b.begin[a] + b.tile[a] - 1) / b.tile[a];
    tiles *= across;
    b.tiles_x = across;
  }
  args.blocks += tiles;
  return b;
}

bool is_wide(PointBox const& box) { return box.end[2] - box.begin[2] >= box.end[1] - box.begin[1]; }

}  // namespace

void FusedBoundary::add_band(FusedBoundaryArgs& args, PointBox const& box) const {
  bool const wide = is_wide(box);
  std::array<std::int32_t, 2> most{fused_band_cells, fused_band_length};
  if (!wide) std::swap(most[0], most[1]);
  for (std::size_t a = 0; a < 2; ++a) most[a] -= 2 * args.sweeps * args.reach[a];
  add_box(args, box, most).upright = wide ? 0 : 1;
}

void FusedBoundary::add_tiles(FusedBoundaryArgs& args, PointBox const& box) const {
  // Tiles are long along the face: where that is not too long, all of them run at once.
  std::int64_t const around = 2 * (std::int64_t(args.extent[0]) + args.extent[1]);
  auto const even           = around / (std::int64_t(fused_boundary_blocks_per_sm) * m_multiprocessors) + 1;
  auto const along          = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(even, fused_boundary_tile_along_short, fused_boundary_tile_along));
  std::array<std::int32_t, 2> most{1, fused_boundary_tile_line};
  if (args.extent[0] > 1) {
    most                       = {along, along};
    most[is_wide(box) ? 0 : 1] = fused_boundary_tile_across;
  }
  FusedBoundaryBox const& b = add_box(args, box, most);
  std::int32_t cells[2];
  for (std::size_t a = 0; a < 2; ++a) cells[a] = b.tile[a] + 2 * args.sweeps * args.reach[a];
  args.shared = std::max(
      args.shared, static_cast<std::int32_t>(2 * sizeof(float)) * fused_boundary_cells(cells[0], cells[1], m_reach));
}

template <class T>
void FusedBoundary::launch(FusedBoundaryArgs const& args, [[maybe_unused]] bool bands, Launch const& launch,
                           void const* in, void* out) const {
  auto const* const from = static_cast<T const*>(in);
  auto* const to         = static_cast<T*>(out);
  auto* const stream     = static_cast<cudaStream_t>(launch.stream);
#ifndef KOKKOSSTENCIL_CUDA_WITHOUT_WGMMA
  if (bands) return launch_fused_band<T>(args, from, to, stream);
#endif
  auto const kernel = m_reach == 1   ? launch_fused_boundary<T, 1>
                      : m_reach == 2 ? launch_fused_boundary<T, 2>
                                     : launch_fused_boundary<T, 3>;
  kernel(args, from, to, m_overlap, stream);
}

void FusedBoundary::run(Launch const& launch, void const* in, void* out, PointBox const& done) const {
  std::vector<PointBox> const boxes = difference(m_range, done);
  if (boxes.empty()) return;
  FusedBoundaryArgs args = m_args;
  bool const bands       = this->are_bands(boxes);
  for (PointBox const& box : boxes) bands ? this->add_band(args, box) : this->add_tiles(args, box);
  if (m_type == ValueType::float16) {
    this->launch<__half>(args, bands, launch, in, out);
  } else {
    this->launch<__nv_bfloat16>(args, bands, launch, in, out);
  }
  check_launch(launch.label);
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
