// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/GhostCopy.hpp"

#include "common/Check.hpp"
#include "common/Device.hpp"
#include "common/GhostCopyKernel.hpp"
#include "common/WithWord.hpp"
#include "common/Alignment.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

GhostCopy::GhostCopy(Problem const& p, int device) : m_problem(p), m_device(device) {
  PointBox const range{p.begin, p.end};
  if (!range.empty()) m_boxes = difference(PointBox{{{0, 0, 0}}, p.extent}, range);
}

void GhostCopy::copy(Launch const& launch, void const* from, void* to, bool to_second) const {
  if (m_boxes.empty()) return;
  Problem const& p        = m_problem;
  auto const& from_stride = to_second ? p.in_stride : p.out_stride;
  auto const& to_stride   = to_second ? p.out_stride : p.in_stride;
  GhostCopyArgs g{};
  std::copy(from_stride.begin(), from_stride.end(), g.first_stride);
  std::copy(to_stride.begin(), to_stride.end(), g.second_stride);
  std::int64_t const size = size_of(p.value_type);
  auto const address = [](void const* at) { return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at)); };
  // Vectors need contiguous rows that have the same alignment to 16 bytes in both Views.
  bool by_sectors = p.in_stride[2] == 1 && p.out_stride[2] == 1;
  g.by_vectors    = by_sectors && (address(from) - address(to)) % 16 == 0;
  for (std::size_t a = 0; a < 2; ++a) {
    if (p.extent[a] == 1) continue;
    g.by_vectors = g.by_vectors && p.in_stride[a] * size % 16 == 0 && p.out_stride[a] * size % 16 == 0;
    by_sectors   = by_sectors && to_stride[a] * size % 32 == 0;
  }
  std::int64_t const width  = g.by_vectors ? 16 / size : 1;
  std::int64_t const sector = 32 / size, phase = modulo(address(to) / size, sector);
  std::int64_t blocks = 0;
  for (PointBox const& part : m_boxes) {
    GhostBox& box = g.box[g.boxes++];
    box.plane     = part.begin[0];
    box.line      = part.begin[1];
    box.low       = part.begin[2];
    box.high      = part.end[2];
    if (g.by_vectors || by_sectors) {
      // Writing part of a sector takes the memory longer than writing all of it.
      box.low  = std::max<std::int64_t>(0, aligned_down(box.low, phase, sector));
      box.high = std::min(p.extent[2], aligned_up(box.high, phase, sector));
    }
    box.point  = aligned_down(box.low, phase, width);
    box.chunks = divide_up(box.high - box.point, width);
    box.lines  = part.end[1] - part.begin[1];
    box.rows   = (part.end[0] - part.begin[0]) * box.lines;
    while ((1 << box.threads_x_log2) < std::min<std::int64_t>(box.chunks, ghost_threads)) ++box.threads_x_log2;
    std::int64_t const columns = divide_up(box.chunks, std::int64_t(1) << box.threads_x_log2);
    box.columns                = static_cast<std::uint32_t>(columns);
    box.first_block            = static_cast<std::uint32_t>(blocks);
    blocks += columns * divide_up(box.rows, ghost_threads >> box.threads_x_log2);
  }
  g.blocks          = static_cast<std::uint32_t>(blocks);
  auto const stream = static_cast<cudaStream_t>(launch.stream);
  CurrentDevice const current(m_device);
  ToolsRegion const region(launch);
  with_word(size, [&](auto word) {
    using Word = decltype(word);
    launch_copy_ghosts(g, static_cast<Word const*>(from), static_cast<Word*>(to), stream);
  });
  check_launch(launch.label);
}

}  // namespace Cuda
}  // namespace KokkosStencil
