// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedBoundary.hpp"

#include "common/Check.hpp"
#include "common/PassRange.hpp"
#include "common/Tuning.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

FusedBoundary::FusedBoundary(Problem const& p, SpaceInfo const& space, int sweeps, int const (&reach)[2])
    : m_reach(std::max(reach[0], reach[1])),
      m_multiprocessors(device_facts(space.device).sm_count),
      m_overlap(space.compute_capability >= dependent_launch_capability),
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

template <class T>
void FusedBoundary::launch(FusedBoundaryArgs const& args, Launch const& launch, void const* in, void* out) const {
  auto const kernel = m_reach == 1   ? launch_fused_boundary<T, 1>
                      : m_reach == 2 ? launch_fused_boundary<T, 2>
                                     : launch_fused_boundary<T, 3>;
  kernel(args, static_cast<T const*>(in), static_cast<T*>(out), m_overlap, static_cast<cudaStream_t>(launch.stream));
}

void FusedBoundary::run(Launch const& launch, void const* in, void* out, PointBox const& done) const {
  FusedBoundaryArgs args = m_args;
  // Shorter tiles where longer ones would leave multiprocessors without work.
  std::int64_t const around = 2 * (std::int64_t(m_args.extent[0]) + m_args.extent[1]);
  std::int32_t const along  = around / fused_boundary_tile_along < m_multiprocessors ? fused_boundary_tile_along_short
                                                                                     : fused_boundary_tile_along;
  for (PointBox const& box : difference(m_range, done)) {
    if (box.empty()) continue;
    FusedBoundaryBox& b    = args.boxes[args.box_count++];
    std::int32_t most[2]   = {1, fused_boundary_tile_line};
    std::int32_t extent[2] = {0, 0}, cells[2];
    for (std::size_t a = 0; a < 2; ++a) {
      b.begin[a] = static_cast<std::int32_t>(box.begin[a + 1]);
      b.end[a]   = static_cast<std::int32_t>(box.end[a + 1]);
      extent[a]  = b.end[a] - b.begin[a];
    }
    // Tiles are long along the face.
    if (m_args.extent[0] > 1) {
      most[0] = extent[1] >= extent[0] ? fused_boundary_tile_across : along;
      most[1] = extent[1] >= extent[0] ? along : fused_boundary_tile_across;
    }
    std::int32_t tiles = 1;
    for (std::size_t a = 0; a < 2; ++a) {
      b.tile[a]                = std::min(extent[a], most[a]);
      std::int32_t const count = (extent[a] + b.tile[a] - 1) / b.tile[a];
      tiles *= count;
      b.tiles_x = count;
      cells[a]  = b.tile[a] + 2 * args.sweeps * args.reach[a];
    }
    b.first_block = args.blocks;
    args.blocks += tiles;
    args.shared = std::max(
        args.shared, static_cast<std::int32_t>(2 * sizeof(float)) * fused_boundary_cells(cells[0], cells[1], m_reach));
  }
  if (args.blocks == 0) return;
  if (m_type == ValueType::float16) {
    this->launch<__half>(args, launch, in, out);
  } else {
    this->launch<__nv_bfloat16>(args, launch, in, out);
  }
  check_launch(launch.label);
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
