// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/ShapeCut.hpp"

#include "common/Alignment.hpp"
#include "direct/Covering.hpp"
#include "direct/Eligibility.hpp"
#include "direct/Tuning.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// A launch in the making: the steps of make() in turn. Those that return a bool say whether it can still run.
class ShapeCut::Draft {
 public:
  Draft(ShapeCut const& cut, std::uintptr_t in, std::uintptr_t out, Variant variant);

  std::optional<Launch> make();

 private:
  /// Tiles along each axis; `narrow` ones of a plane beside them.
  struct Tiles {
    std::int64_t x, y, z, narrow;
  };

  bool choose_kernel();
  FaceFlags meet_faces();
  void choose_rows(FaceFlags const& passed);
  void cut_plane();
  bool fold_line();
  void place_tiles();
  bool count_tiles();
  bool split_tail();
  std::uint32_t deal(ShapeTuning const& kernel, Tiles tiles, Geometry& geometry) const;

  std::int64_t columns() const { return m_box.end[2] - m_box.begin[2]; }
  std::int64_t rows() const { return m_launch.geometry.end[1] - m_launch.geometry.begin[1]; }
  std::int64_t planes() const { return m_launch.geometry.end[0] - m_launch.geometry.begin[0]; }
  /// Elements from address 0 to the first output of a row of m_box.
  std::int64_t first_output() const {
    Geometry const& g = m_launch.geometry;
    return m_out + m_box.begin[0] * g.out_stride[0] + m_box.begin[1] * g.out_stride[1];
  }
  /// Whether the bytes of a plane of a tile of so many rows can be counted in 32 bits.
  bool bytes_fit(int rows_of_tile) const {
    std::int64_t const most = std::numeric_limits<std::int32_t>::max() / rows_of_tile;
    return m_launch.geometry.in_stride[1] * m_cut.m_value_bytes <= most;
  }

  ShapeCut const& m_cut;
  ShapeTuning const m_usual;            ///< the kernel for aligned rows
  ShapeTuning m_kernel;                 ///< the one that runs
  std::int64_t const m_vector, m_line;  ///< values of 16 bytes, of a line of memory
  std::int64_t const m_element, m_out;  ///< elements from address 0 to the input, to the output
  bool const m_plain;                   ///< neither a norm nor an update
  Across m_across{32, 0};               ///< how tiles cover rows
  bool m_folded       = false;          ///< a single row goes as rows of one tile
  std::int64_t m_tile = 0;              ///< columns of a tile, but on rows that begin anywhere
  Tiles m_tiles{};
  PointBox m_box;  ///< the points that are written
  Launch m_launch{};
};

ShapeCut::Draft::Draft(ShapeCut const& cut, std::uintptr_t in, std::uintptr_t out, Variant variant)
    : m_cut(cut),
      m_usual(variant == Variant::plain  ? cut.m_kernel
              : variant == Variant::norm ? cut.m_kernel.with_norm()
                                         : cut.m_kernel.with_update()),
      m_kernel(m_usual),
      m_vector(16 / cut.m_value_bytes),
      m_line(128 / cut.m_value_bytes),
      m_element(static_cast<std::int64_t>(in / static_cast<std::uintptr_t>(cut.m_value_bytes))),
      m_out(static_cast<std::int64_t>(out / static_cast<std::uintptr_t>(cut.m_value_bytes))),
      m_plain(variant == Variant::plain),
      m_box(cut.m_range) {}

std::optional<ShapeCut::Launch> ShapeCut::Draft::make() {
  if (!choose_kernel()) return std::nullopt;
  FaceFlags const passed = meet_faces();
  if (m_box.empty()) return std::nullopt;
  choose_rows(passed);
  if (m_launch.cut >= 0) {
    cut_plane();
  } else if (!m_folded) {
    place_tiles();
  } else if (!fold_line()) {
    return std::nullopt;
  }
  if (!count_tiles() || !split_tail()) return std::nullopt;
  if (m_launch.more) --m_tiles.x;
  m_launch.blocks = deal(m_kernel, m_tiles, m_launch.geometry);
  if (m_launch.blocks == 0) return std::nullopt;
  m_launch.done = m_box;
  return m_launch;
}

/// By where the Views and their rows begin; and which vectors of a row are whole.
bool ShapeCut::Draft::choose_kernel() {
  Launch& l             = m_launch;
  Geometry& g           = l.geometry;
  PointBox const& range = m_cut.m_range;
  int const bytes       = m_cut.m_value_bytes;
  g.aligned_out         = (m_out - m_element) % m_vector == 0;
  for (std::size_t a = 0; a < 2; ++a) {
    g.in_stride[a]  = m_cut.m_in_stride[a];
    g.out_stride[a] = m_cut.m_out_stride[a];
    if (m_cut.m_extent[a] > 1 && g.out_stride[a] % m_vector != 0) g.aligned_out = false;
  }
  bool const misplaced = !g.aligned_out || (modulo(m_element, m_vector) != 0 && prefers_anywhere(m_usual, bytes));
  l.anywhere = m_cut.m_reads_anywhere || (misplaced && m_plain && m_usual.anywhere() && m_cut.m_extent[1] > 1);
  if (l.anywhere && !m_plain) return false;
  std::int64_t const one_plane = range.end[1] - range.begin[1], in_all = (range.end[0] - range.begin[0]) * one_plane;
  if (m_plain && !l.anywhere) {
    m_across = across_of(m_usual, range.begin[2], range.end[2], in_all, m_element, bytes, m_cut.m_cache_bytes);
  }
  l.lanes = m_across.lanes;
  if (l.anywhere) m_kernel = m_usual.for_anywhere(bytes);
  if (l.lanes < 32) m_kernel = m_usual.with_lanes(l.lanes);
  m_tile   = (l.anywhere ? m_usual : m_kernel).width(bytes);
  m_folded = m_kernel.shape.rank == 1 && range.end[0] - range.begin[0] == 1 && one_plane == 1;
  // Whole vectors of a row, [low, high), or elements of the whole View.
  std::int64_t const width = m_cut.m_extent[2];
  if (l.anywhere) {
    g.high = (m_cut.m_extent[0] - 1) * m_cut.m_in_stride[0] + (m_cut.m_extent[1] - 1) * m_cut.m_in_stride[1] + width;
  } else {
    g.low  = (m_vector - m_element % m_vector) % m_vector;
    g.high = g.low + (width - g.low) / m_vector * m_vector;
  }
  return g.high > g.low;
}

/// Keeps away from the faces that the kernel does not pass. Returns those that it passes.
FaceFlags ShapeCut::Draft::meet_faces() {
  Launch& l                = m_launch;
  Geometry& g              = l.geometry;
  std::int64_t const width = m_cut.m_extent[2];
  FaceFlags passed = passed_faces(m_kernel, m_cut.m_extent, m_cut.m_faces, m_cut.m_value_bytes, l.anywhere, m_plain,
                                  m_cut.m_corners_in_order);
  // Kernels that pass faces count the vectors of a plane in 32 bits.
  std::int64_t const vectors = m_cut.m_extent[1] * m_cut.m_in_stride[1] / m_vector;
  if (m_folded || vectors > std::numeric_limits<std::int32_t>::max()) passed = {};
  // Faces of x are passed if they stand between whole vectors of a row.
  bool const whole = g.low == 0 && g.high == width;
  if (!l.anywhere) passed[2] = {{passed[2][0] && g.low == 0, passed[2][1] && g.high == width}};
  // Whole rows of vectors on a torus: across x the kernel reads the other side.
  bool const torus = !l.anywhere && !m_folded && m_cut.m_faces[2][0].kind == BoundaryKind::periodic && whole;
  g.wrap           = torus ? width : 0;
  for (std::size_t a = 0; a < 3; ++a) {
    std::int64_t const reach = torus && a == 2 ? 0 : m_kernel.reach(static_cast<int>(a));
    g.extent[a]              = m_cut.m_extent[a];
    for (std::size_t side = 0; side < 2; ++side) {
      if (passed[a][side]) {
        g.faces[a][side] = m_cut.m_faces[a][side];
        l.past_faces     = true;
      } else if (side == 0) {
        m_box.begin[a] = std::max(m_box.begin[a], reach);
      } else {
        m_box.end[a] = std::min(m_box.end[a], m_cut.m_extent[a] - reach);
      }
    }
  }
  if (l.anywhere) return passed;
  // Outputs that need no part of a broken vector.
  int const rx = m_usual.shape.radius;
  if (g.low > 0) m_box.begin[2] = std::max(m_box.begin[2], g.low + rx);
  if (g.high < width) m_box.end[2] = std::min(m_box.end[2], g.high - rx);
  return passed;
}

/// Whether rows that begin anywhere are taken as other rows.
void ShapeCut::Draft::choose_rows(FaceFlags const& passed) {
  Launch& l       = m_launch;
  int const bytes = m_cut.m_value_bytes;
  l.cut           = -1;
  if (!l.anywhere) return;
  l.more   = m_usual.takes_more_columns(bytes, columns());
  l.joined = !passed[2][0] && !passed[2][1] &&
             joins_rows(m_usual, bytes, m_cut.m_in_stride[1], m_cut.m_out_stride[1], columns());
  if (l.joined) m_kernel = m_usual.for_joined();
  if (m_folded || columns() < m_vector) return;
  l.cut =
      cut_of(m_usual, bytes, m_cut.m_extent, m_cut.m_in_stride, m_cut.m_out_stride, m_element, modulo(m_out, m_vector));
  if (l.cut >= 0) m_kernel = m_usual.for_cuts(bytes);
}

/// The plane as one line, from the vector on in which its first output lies.
void ShapeCut::Draft::cut_plane() {
  Launch& l                    = m_launch;
  Geometry& g                  = l.geometry;
  RowCut const& cut            = row_cuts[l.cut];
  std::int64_t const out_place = modulo(m_out, m_vector);
  std::int64_t const pitch = m_cut.m_in_stride[1], row = pitch - cut.shear;
  auto const place = [&](std::int64_t y, std::int64_t x) { return y * pitch + x + out_place; };
  l.first_out      = -out_place;
  l.first_in       = -out_place - cut.offset;
  g.low            = -l.first_in;
  g.high -= l.first_in;
  g.in_stride[1] = g.out_stride[1] = row;
  g.before                         = static_cast<std::int32_t>(out_place);
  g.pitch                          = static_cast<std::int32_t>(pitch);
  g.wide                           = static_cast<std::int32_t>(columns());
  g.line_begin                     = m_box.begin[1] * pitch;
  g.line_end                       = m_box.end[1] * pitch;
  g.begin[1]                       = place(m_box.begin[1], m_box.begin[2]) / row;
  g.end[1]                         = place(m_box.end[1] - 1, m_box.end[2] - 1) / row + 1;
  g.begin[2]                       = m_box.begin[2];
  g.end[2]                         = row;
  g.end[0]                         = 1;
}

/// A single row into rows of one tile's width; their neighbours follow in memory.
bool ShapeCut::Draft::fold_line() {
  Launch& l               = m_launch;
  Geometry& g             = l.geometry;
  std::int64_t const side = divide_up(m_usual.shape.radius, m_vector) * m_vector;
  std::int64_t first      = std::max(m_box.begin[2], g.low + side);
  first += (m_line - (m_element + first) % m_line) % m_line;
  // Outputs that begin elsewhere in a vector are computed from there on.
  bool const apart = m_plain && m_kernel.has_shift() && !g.aligned_out;
  if (apart) g.shift = static_cast<std::int32_t>(modulo(-(first_output() + first), m_vector));
  std::int64_t const more = apart ? m_vector : 0;
  std::int64_t const rows = (std::min(m_box.end[2] - g.shift, g.high - side - more) - first) / m_tile;
  if (rows < m_kernel.least_rows()) return false;
  l.first_in     = m_box.begin[0] * g.in_stride[0] + m_box.begin[1] * g.in_stride[1] + first;
  l.first_out    = first_output() - m_out + first + g.shift;
  m_box.begin[2] = first + g.shift;
  m_box.end[2]   = m_box.begin[2] + rows * m_tile;
  g.in_stride[1] = g.out_stride[1] = m_tile;
  g.low                            = -side;
  g.high                           = m_tile + side + more;
  g.aligned_out                    = g.aligned_out || apart;
  l.anywhere                       = g.shift != 0;
  g.end[0]                         = 1;
  g.end[1]                         = rows;
  g.end[2]                         = m_tile;
  return true;
}

/// Tiles begin with lines of memory: of the input, or of the output where rows begin anywhere, as far as these are at
/// the same place in all rows.
void ShapeCut::Draft::place_tiles() {
  Launch& l               = m_launch;
  Geometry& g             = l.geometry;
  int const bytes         = m_cut.m_value_bytes;
  std::int64_t const from = l.anywhere ? modulo(first_output(), m_line) : m_element;
  g.first_vector          = m_box.begin[2] - (from + m_box.begin[2]) % m_line;
  if (l.anywhere) {
    // Unless that takes a tile more, or lanes have words, which hold wanted values only.
    auto const tiles = [&](std::int64_t first) {
      return divide_up(m_box.end[2] - first, m_kernel.anywhere_width(bytes));
    };
    bool const words = m_kernel.groups_a_lane > 0 && bytes == 2;
    if (words || m_kernel.puts_in_phase || l.more || tiles(g.first_vector) > tiles(m_box.begin[2])) {
      g.first_vector = m_box.begin[2];
    }
    // The first lane's outputs are stored by nobody.
    if (m_kernel.shifts_stores(bytes)) g.first_vector = m_box.begin[2] - m_vector;
  }
  std::copy(m_box.begin.begin(), m_box.begin.end(), g.begin);
  std::copy(m_box.end.begin(), m_box.end.end(), g.end);
  g.last_row = m_cut.m_extent[1] - 1;
}

bool ShapeCut::Draft::count_tiles() {
  Launch const& l = m_launch;
  Geometry& g     = m_launch.geometry;
  int const bytes = m_cut.m_value_bytes;
  if (rows() < m_kernel.least_rows() || planes() < m_kernel.least_planes()) return false;
  std::int64_t const wide = l.cut >= 0                ? m_kernel.width(bytes)
                            : l.anywhere && !m_folded ? m_kernel.anywhere_width(bytes)
                                                      : m_tile;
  m_tiles                 = {divide_up(g.end[2] - g.first_vector, wide), divide_up(rows(), m_kernel.height()),
                             divide_up(planes(), m_kernel.depth()), 0};
  if (l.anywhere && m_kernel.puts_in_phase) {
    TilesInPhase const of_row = tiles_in_phase(g.end[2] - g.first_vector, bytes);
    m_tiles.x                 = of_row.wide;
    g.narrow_tiles_x          = static_cast<std::int32_t>(of_row.narrow);
    g.narrow_tiles_y          = static_cast<std::int32_t>(divide_up(rows(), m_kernel.height() * 32 / narrow_lanes));
    m_tiles.narrow            = of_row.narrow * g.narrow_tiles_y;
    return bytes_fit(m_kernel.in_phase_rows(narrow_lanes));
  }
  if (l.joined) {
    // Parts may begin a column further left, and columns of a plane are counted in 32 bits.
    std::int64_t const line = (rows() - 1) * g.in_stride[1] + columns();
    m_tiles.x               = divide_up(line + 1, m_kernel.joined_columns());
    m_tiles.y               = 1;
    return line <= std::numeric_limits<std::int32_t>::max() / 4;
  }
  bool const words = l.anywhere && m_kernel.groups_a_lane > 0 && bytes == 2;
  return !words || bytes_fit(m_kernel.stage_rows());
}

/// Wide tiles end before the last columns, if narrow ones are still faster for these.
bool ShapeCut::Draft::split_tail() {
  if (m_across.tail == 0 || m_folded) return true;
  Launch& l       = m_launch;
  Geometry& g     = l.geometry;
  int const bytes = m_cut.m_value_bytes;
  Across const inside =
      across_of(m_usual, g.begin[2], g.end[2], rows() * planes(), m_element, bytes, m_cut.m_cache_bytes);
  std::int64_t const whole = g.first_vector + (g.end[2] - g.first_vector) / m_tile * m_tile;
  if (inside.tail != m_across.tail || whole <= g.begin[2] || whole >= g.end[2]) return true;
  ShapeTuning const narrow = m_usual.with_lanes(m_across.tail);
  l.tail                   = g;
  l.tail.first_vector = l.tail.begin[2] = whole;
  g.end[2]                              = whole;
  Tiles const tail{divide_up(l.tail.end[2] - whole, narrow.width(bytes)), divide_up(rows(), narrow.height()), m_tiles.z,
                   0};
  l.tail_blocks = deal(narrow, tail, l.tail);
  m_tiles.x     = (whole - g.first_vector) / m_tile;
  return l.tail_blocks > 0;
}

/// Deals tiles out to blocks, of which it returns how many there are; 0: too many. Streams have a part of their axis.
std::uint32_t ShapeCut::Draft::deal(ShapeTuning const& k, Tiles tiles, Geometry& g) const {
  if (k.streams()) {
    bool const along_y            = k.structure == Structure::stream_rows;
    std::int64_t const count      = along_y ? g.end[1] - g.begin[1] : g.end[0] - g.begin[0];
    std::int64_t const across     = tiles.x * (along_y ? tiles.z : tiles.y) + tiles.narrow;
    std::int64_t const length     = stream_length(k, count, across, m_cut.m_multiprocessors, m_cut.m_value_bytes);
    g.length                      = static_cast<std::int32_t>(length);
    (along_y ? tiles.y : tiles.z) = divide_up(count, length);
  }
  constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();
  if (tiles.x > most_blocks / tiles.y || tiles.x * tiles.y + tiles.narrow > most_blocks / tiles.z) return 0;
  g.tiles_x = static_cast<std::int32_t>(tiles.x);
  g.tiles_y = static_cast<std::int32_t>(tiles.y);
  g.tiles_z = static_cast<std::int32_t>(tiles.z);
  if (k.has_bands(m_cut.m_value_bytes) && tiles.narrow == 0) {
    std::int64_t const row = std::abs(m_cut.m_in_stride[1]) * m_cut.m_value_bytes * k.height();
    auto const at_once     = static_cast<std::int64_t>(k.band_waves * m_cut.m_multiprocessors * k.blocks);
    std::int64_t const most =
        k.streams() ? at_once / tiles.x : m_cut.m_cache_bytes / cache_a_band / std::max<std::int64_t>(1, row);
    std::int64_t const band = std::max<std::int64_t>(1, most);
    g.band                  = band < tiles.y ? static_cast<std::int32_t>(band) : 0;
  }
  return static_cast<std::uint32_t>((tiles.x * tiles.y + tiles.narrow) * tiles.z);
}

ShapeCut::ShapeCut(ShapeTuning const& kernel, Problem const& p, int multiprocessors, std::int64_t cache_bytes)
    : m_kernel(kernel),
      m_extent(p.extent),
      m_in_stride(p.in_stride),
      m_out_stride(p.out_stride),
      m_value_bytes(size_of(p.value_type)),
      m_faces(p.faces),
      m_corners_in_order(corners_in_order(p)),
      m_reads_anywhere(reads_anywhere(p)),
      m_multiprocessors(multiprocessors),
      m_cache_bytes(cache_bytes),
      m_range{p.begin, p.end} {}

std::optional<ShapeCut::Launch> ShapeCut::launch(std::uintptr_t in, std::uintptr_t out, Variant variant) const {
  auto const bytes = static_cast<std::uintptr_t>(m_value_bytes);
  if (m_range.empty() || in % bytes != 0 || out % bytes != 0) return std::nullopt;
  return Draft(*this, in, out, variant).make();
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
