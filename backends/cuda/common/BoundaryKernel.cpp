// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/BoundaryKernel.hpp"

#include "common/Alignment.hpp"
#include "common/Check.hpp"
#include "common/Tuning.hpp"
#include "common/WithType.hpp"

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <vector>

namespace KokkosStencil {
namespace Cuda {

namespace {

/// Copies the terms to the device. Finds how far they reach.
template <class A>
void upload(BoundaryArgs& args, DeviceBuffer& buffer, Problem const& p, int device, void* stream) {
  std::vector<BoundaryTerm<A>> terms;
  args.on_slow_axes = true;
  for (Term const& t : p.terms) {
    std::int32_t offset[3];
    for (std::size_t a = 0; a < 3; ++a) {
      bool const mirrors = p.faces[a][0].kind == BoundaryKind::mirror && p.faces[a][1].kind == BoundaryKind::mirror;
      // Between two mirrors the field repeats with a period of twice the extent. Kernels map only indices near the
      // View.
      offset[a] = static_cast<std::int32_t>(mirrors ? t.offset[a] % (2 * p.extent[a]) : t.offset[a]);
    }
    terms.push_back({{offset[0], offset[1], offset[2]}, static_cast<A>(t.coefficient)});
    for (std::size_t a = 0; a < 3; ++a) {
      args.reach[a][0] = std::min(args.reach[a][0], offset[a]);
      args.reach[a][1] = std::max(args.reach[a][1], offset[a]);
    }
    args.on_slow_axes = args.on_slow_axes && (offset[0] == 0 || offset[1] == 0);
  }
  buffer.fill(device, terms.data(), terms.size() * sizeof(BoundaryTerm<A>), stream);
}

/// Cuts the ends of rows into tiles where that is faster. `edge`: they are near a slow face, of the axis along which
/// the box is thinner. Returns the tiles.
std::int64_t cut_ends(BoundaryBox& b, BoundaryArgs& args, int bytes, bool edge) {
  std::size_t const planes = edge && b.size[1] < b.size[0] ? 1 : 0, rows = 1 - planes;
  auto const span = [&](std::size_t axis) -> std::int64_t { return args.reach[axis][1] - args.reach[axis][0]; };
  BoundaryTileCut const cut =
      cut_into_tiles(b.size[2], b.size[rows], b.size[planes], bytes, {{span(planes), span(rows), span(2)}},
                     args.term_count, args.on_slow_axes, edge);
  if (cut.rows == 0 || b.points > index_limit) return 0;
  args.shared_bytes = std::max(args.shared_bytes, static_cast<int>(cut.bytes));
  b.plane_axis      = static_cast<std::uint8_t>(planes);
  b.tile_rows       = cut.rows;
  b.tiles_of_rows   = static_cast<std::int32_t>(divide_up(b.size[rows], cut.rows));
  b.tile_pitch      = cut.pitch;
  return b.tiles_of_rows * divide_up(b.size[planes], boundary_tile_planes(static_cast<std::size_t>(bytes)));
}

/// The same for the columns at both ends of a box of rows near a slow face. Whether it did.
bool cut_edges(BoundaryBox const& of, BoundaryLaunchArgs& args, int bytes) {
  int count            = args.edge_count;
  std::uint32_t blocks = args.edge_blocks;
  for (int const side : {0, 1}) {
    std::int64_t const columns = side == 0 ? of.left : of.right;
    if (columns == 0) continue;
    BoundaryBox b{};
    std::copy_n(of.begin, 3, b.begin);
    std::copy_n(of.size, 3, b.size);
    if (side == 1) b.begin[2] += b.size[2] - columns;
    b.size[2]                = columns;
    b.points                 = b.size[0] * b.size[1] * b.size[2];
    b.first_block            = blocks;
    std::int64_t const tiles = cut_ends(b, args, bytes, true);
    if (tiles == 0 || tiles + blocks > index_limit) return false;
    blocks += static_cast<std::uint32_t>(tiles);
    args.edges[count++] = b;
  }
  args.edge_count  = count;
  args.edge_blocks = blocks;
  return true;
}

}  // namespace

BoundaryKernel::BoundaryKernel(Problem const& p, SpaceInfo const& space, Launch const& launch)
    : m_range{p.begin, p.end},
      m_type(p.value_type),
      m_overlap(space.compute_capability >= dependent_launch_capability) {
  if (p.value_type == ValueType::float64) {
    upload<double>(m_args, m_terms, p, space.device, launch.stream);
  } else {
    upload<float>(m_args, m_terms, p, space.device, launch.stream);
  }
  CurrentDevice const current(space.device);
  with_type(p.value_type, [](auto value) {
    check(prepare_boundary_points<decltype(value)>(), "cudaFuncSetAttribute of the kernel for points near faces");
  });
  for (std::size_t a = 0; a < 3; ++a) {
    m_args.extent[a]     = p.extent[a];
    m_args.in_stride[a]  = p.in_stride[a];
    m_args.out_stride[a] = p.out_stride[a];
    m_args.user_axis[a]  = p.user_axis[a];
    for (std::size_t side = 0; side < 2; ++side) m_args.faces[a][side] = p.faces[a][side];
  }
  m_args.terms      = m_terms.data();
  m_args.term_count = static_cast<int>(p.terms.size());
  for (std::size_t a = 0; a < 2; ++a) {
    m_args.far_begin[a] = -p.lower[a];
    m_args.far_end[a]   = p.extent[a] - p.upper[a];
  }
  m_args.by_rows = p.in_stride[2] == 1 && p.extent[2] <= index_limit;
}

BoundaryLaunchArgs BoundaryKernel::arguments(PointBox const& done, int threads, bool choose) const {
  BoundaryLaunchArgs args{};
  static_cast<BoundaryArgs&>(args) = m_args;
  std::int64_t const points        = m_range.size() - done.size();
  args.lanes                       = choose && points <= boundary_shared_points(args.term_count) ? boundary_lanes : 1;
  bool const by_rows               = choose && args.by_rows && points >= boundary_many_points;
  // Columns of a box whose terms reach past a face of x, at both ends of its rows.
  auto const left_of = [&](PointBox const& box) {
    return std::min(box.end[2] - box.begin[2], std::max<std::int64_t>(0, -m_args.reach[2][0] - box.begin[2]));
  };
  auto const right_of = [&](PointBox const& box) {
    return std::min(box.end[2] - box.begin[2] - left_of(box),
                    std::max<std::int64_t>(0, box.end[2] + m_args.reach[2][1] - m_args.extent[2]));
  };
  auto const boxes      = difference(m_range, done);
  std::int64_t at_edges = 0;
  if (by_rows) {
    for (PointBox const& box : boxes) {
      std::int64_t const ends = left_of(box) + right_of(box), columns = box.end[2] - box.begin[2];
      if (!box.empty() && columns - ends >= boundary_least_row) at_edges += box.size() / columns * ends;
    }
  }
  std::int64_t blocks = 0;
  for (PointBox const& box : boxes) {
    if (box.empty()) continue;
    BoundaryBox& b = args.boxes[args.box_count++];
    for (std::size_t a = 0; a < 3; ++a) {
      b.begin[a] = box.begin[a];
      b.size[a]  = box.end[a] - box.begin[a];
    }
    b.points      = box.size();
    b.first_block = static_cast<std::uint32_t>(blocks);
    // Terms of the columns between the ends reach past no face of x.
    std::int64_t const left = left_of(box), right = right_of(box), between = b.size[2] - left - right;
    std::int64_t const parts = divide_up(between, 32 * boundary_columns), rows = b.size[0] * b.size[1];
    if (by_rows && between >= boundary_least_row && parts * rows <= index_limit) {
      b.row_parts = static_cast<std::uint32_t>(parts);
      b.part      = static_cast<std::int32_t>(divide_up(divide_up(between, parts), 8) * 8);
      b.left      = static_cast<std::int32_t>(left);
      b.right     = static_cast<std::int32_t>(right);
      blocks += divide_up(parts * rows, threads / 32);
      b.end_block = static_cast<std::uint32_t>(blocks);
      if (at_edges >= boundary_edge_points && cut_edges(b, args, size_of(m_type))) continue;
      std::int64_t const at_ends = (left + right) * rows;
      b.shared_ends              = at_ends <= boundary_shared_points(args.term_count);
      blocks += divide_up(at_ends, b.shared_ends ? threads / boundary_lanes : threads);
    } else {
      bool const ends          = choose && args.by_rows && args.lanes == 1;
      std::int64_t const tiles = ends ? cut_ends(b, args, size_of(m_type), false) : 0;
      b.ends                   = ends && b.size[2] + args.reach[2][1] - args.reach[2][0] <= boundary_window;
      blocks += tiles > 0 ? tiles : divide_up(b.points, threads / args.lanes);
    }
  }
  args.blocks = static_cast<std::uint32_t>(blocks);
  return args;
}

void BoundaryKernel::run(Launch const& launch, void const* in, void* out, PointBox const& done,
                         Update const& update) const {
  BoundaryLaunchArgs args = arguments(done, boundary_threads, true);
  args.updates            = update.alpha != 1.0 || update.beta != 0.0;
  args.alpha              = update.alpha;
  args.beta               = update.beta;
  if (args.edge_blocks + args.blocks == 0) return;
  auto const stream = static_cast<cudaStream_t>(launch.stream);
  // The kernel that computes `done` is ahead in the same stream, and does not depend on these points.
  bool const concurrent = m_overlap && !done.empty();
  with_type(m_type, [&](auto value) {
    using T = decltype(value);
    launch_boundary_points(args, concurrent, static_cast<T const*>(in), static_cast<T*>(out), stream);
  });
  check_launch(launch.label);
}

}  // namespace Cuda
}  // namespace KokkosStencil
