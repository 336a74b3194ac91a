// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/CudaModel.hpp"
#include "direct/RowCuts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

// What a kernel of cuda_direct is made with that is made for a shape: a line of the tables in Tuning.hpp, and the
// further kernels that go with it.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// How such a kernel goes over the points.
enum class Structure {
  rows,            ///< a lane holds the rows that its outputs need in registers; short tiles in launch order
  lines,           ///< a block reads its part of a row from shared memory
  stream_rows,     ///< in a plane: a block streams along y over a ring of rows in shared memory
  stream_columns,  ///< in space: a warp streams along z with the rows of a plane in registers
  stream_planes    ///< in space: a block streams along z over a ring of planes in shared memory
};

/// Vectors of 16 bytes on each side of a lane's own that a reach along x needs. In shared memory there is room for an
/// even number of them, so that rows begin at the sectors they begin at in device memory: a copy that shifts them reads
/// half of its sectors twice.
constexpr int vectors_beside(int reach, int value_bytes) { return (reach * value_bytes + 15) / 16; }
constexpr int padding_beside(int reach, int value_bytes) { return (vectors_beside(reach, value_bytes) + 1) / 2 * 2; }

/// A shape whose kernel serves patterns inside it, from so many terms on; with fewer a list is faster.
struct Pattern {
  Shape shape;
  std::size_t least_terms;
};

/// What device memory is read and written by.
constexpr int sector_bytes = 32;

/// Lanes along x of tiles at the end of rows that are put in phase, which take what wide ones leave if a few suffice;
/// and how many columns such a tile counts for, of those that lanes in wide ones have.
constexpr int narrow_lanes = 4, narrow_counts = 8;

/// Planes are taken as lines if their rows are so many values apart at most.
constexpr int joined_pitch = 640;

/// Lanes along x of tiles for short rows, and what a column of them costs over one of tiles of 32 lanes
/// (docs/experiments/2026-11-26-short-rows.md).
constexpr int short_row_lanes[]   = {16, 8};
constexpr double short_row_cost[] = {1.11, 1.135};
/// The same for short streams of stream_columns, over short_row_cost: by wide tiles these come close to a copy (an
/// H100).
constexpr double short_column_cost = 1.3;
/// What a column past the ends of rows costs a wide tile that is streamed over, where ranges end within vectors;
/// elsewhere as much as others. Those of 16-bit values have the better stores there (SectorStore).
constexpr double idle_column_cost = 0.62, idle_half_column_cost = 0.42;
/// The same in half from radius 3 on, where arithmetic binds.
constexpr double idle_far_half_column_cost = 0.85;

/// What a column costs by tiles of each of short_row_lanes, and one past the ends of rows by wide ones, over others of
/// wide ones.
struct ColumnCosts {
  double narrow[2], idle;
};
/// The same for stars of radius 2 and more in float and double (docs/experiments/2026-12-01-narrow-tiles.md): where
/// both fields fit the second-level cache, of double if rows end within vectors; elsewhere, and from radius 4 on.
constexpr ColumnCosts cached_star_costs{{0.7, 0.9}, 0.4}, star_costs{{1.0, 1.2}, 0.6}, far_star_costs{{1.0, 1.1}, 0.6};

/// Where rows begin anywhere: columns that the last tile of a row may take in addition.
constexpr int more_columns = 8;

struct ShapeTuning {
  Structure structure = Structure::rows;
  Shape shape;
  bool masked             = false;  ///< any terms of the shape may be missing, as a mask says
  std::size_t least_terms = 0;      ///< of what a masked kernel is used for
  bool only_row           = false;  ///< for grids of a single row

  int warps_a_block    = 1;      ///< side by side along x for lines and stream_rows, else along y
  int lanes_across     = 32;     ///< of a warp, along x in space; the others have further rows
  int rows_a_lane      = 1;      ///< computed together
  int planes_a_lane    = 1;      ///< computed together
  int vectors_a_lane   = 1;      ///< of a row
  int ring_stages      = 0;      ///< in shared memory
  int rows_a_stage     = 1;      ///< of the ring of stream_rows
  int blocks           = 1;      ///< on a multiprocessor, for which registers are kept
  int stream_length    = 0;      ///< rows or planes that a block streams over; 0: what gives one wave of blocks
  int short_length     = 0;      ///< the same in space where memory is slow beside the multiprocessors; 0: no other
  double band_waves    = 1.0;    ///< then, waves of blocks that a band of rows takes
  bool is_short        = false;  ///< the stream has that length
  double fraction      = 0.0;    ///< of the roofline that large grids reach; masked in half: but for half_term_seconds
  double part_anywhere = 0.9;    ///< of that, on rows that begin anywhere
  double part_cut      = 0.98;   ///< of that, where planes are cut into other rows
  bool passes_faces    = false;  ///< a second kernel, for faces past which it finds or makes what it needs
  bool shifts_windows  = false;  ///< a second kernel, for lines whose outputs begin elsewhere in 16 bytes
  // Of stream_planes on rows that begin anywhere.
  int groups_a_lane  = 0;      ///< of 32 values of 4 or 8 bytes, or words of two, side by side; 0: vectors
  int warps_across   = 1;      ///< of the block's warps, side by side along x
  bool puts_in_phase = false;  ///< rows are shifted in shared memory, plane by plane, to begin with whole vectors
  bool takes_more    = false;  ///< the last tile of a row may have more_columns in addition

  constexpr bool streams() const { return structure != Structure::rows && structure != Structure::lines; }
  constexpr int threads() const { return 32 * warps_a_block; }
  constexpr int reach(int axis) const { return axis >= 3 - shape.rank ? shape.radius : 0; }
  constexpr int terms() const {
    int const side = 2 * shape.radius + 1;
    if (shape.star) return shape.rank * (side - 1) + 1;
    return side * (shape.rank > 1 ? side : 1) * (shape.rank > 2 ? side : 1);
  }

  constexpr int index(int dz, int dy, int dx) const {
    return term_index(shape.star, reach(0), reach(1), reach(2), dz, dy, dx);
  }

  // Points of a tile: one along the axis that is streamed over.
  constexpr int width(int value_bytes) const {
    bool const abreast = structure == Structure::lines || structure == Structure::stream_rows;
    return lanes_across * (abreast ? warps_a_block : 1) * vectors_a_lane * (16 / value_bytes);
  }
  constexpr int height() const {
    return structure == Structure::lines || structure == Structure::stream_rows
               ? 1
               : rows_a_lane * warps_a_block / warps_across * (32 / lanes_across);
  }
  constexpr int depth() const { return planes_a_lane; }
  /// Ranges with fewer cannot run: registers hold as many, and the last ones of a range are moved back inside.
  constexpr int least_rows() const { return structure == Structure::stream_planes ? 1 : rows_a_lane; }
  constexpr int least_planes() const { return planes_a_lane; }

  // The ring in shared memory.
  constexpr int ring_row_vectors(int value_bytes) const {
    return width(value_bytes) * value_bytes / 16 + 2 * padding_beside(shape.radius, value_bytes);
  }
  constexpr int stage_rows() const {
    return structure == Structure::stream_planes ? height() + 2 * shape.radius : rows_a_stage;
  }
  constexpr int ring_bytes(int value_bytes) const {
    return 16 * ring_stages * stage_rows() * ring_row_vectors(value_bytes);
  }

  /// Whether there is a second kernel that finds the update norm of its sweep. It takes twice the time to compile, and
  /// is wanted where stencils are relaxed.
  constexpr bool has_norm() const {
    return !masked && terms() <= 9 && (structure == Structure::rows || structure == Structure::stream_planes);
  }
  /// That kernel: with as many blocks as there are registers for, and at most two planes a lane.
  constexpr ShapeTuning with_norm() const {
    ShapeTuning t   = *this;
    t.blocks        = structure != Structure::rows ? 1 : (planes_a_lane > 1 || rows_a_lane > 2 ? 512 : 768) / threads();
    t.planes_a_lane = planes_a_lane > 2 ? 2 : planes_a_lane;
    return t;
  }

  /// Whether there is a second kernel that writes alpha S(u) + beta v. Lists of terms do that for the others. Of 16-bit
  /// stars in space it would spill registers from radius 2 on.
  constexpr bool has_update(int value_bytes) const {
    bool const spills = value_bytes == 2 && shape.rank == 3 && shape.radius > 1;
    return !masked && !spills && terms() <= 27 && shape.radius <= 4;
  }
  /// That kernel, with more registers: as many as with a norm where windows are held in them.
  constexpr ShapeTuning with_update() const {
    if (structure == Structure::rows) return with_norm();
    ShapeTuning t = *this;
    if (structure == Structure::stream_columns) --t.blocks;
    return t;
  }

  /// Whether there is a second kernel for rows that are short beside a tile, or end soon in their last one: with so
  /// many lanes along x. Windows in registers are wide beside 8 lanes, and vectors of 16-bit values are as wide as 16.
  constexpr bool has_lanes(int lanes, int value_bytes) const {
    bool const in_space = structure != Structure::lines && structure != Structure::stream_rows && shape.rank == 3;
    bool const for_type = lanes == 16 ? value_bytes > 2 : value_bytes < 8 && structure != Structure::rows;
    return in_space && !masked && shape.radius <= 4 && terms() <= 27 && for_type;
  }
  /// That kernel: tiles are narrower and higher.
  constexpr ShapeTuning with_lanes(int lanes) const {
    ShapeTuning t  = *this;
    t.lanes_across = lanes;
    // Its ring has more rows than columns to copy, and shall fit into 99 kB as well.
    if (structure == Structure::stream_planes && warps_a_block == 16) t.warps(8).resident(2);
    return t;
  }
  /// What columns cost as the model takes it.
  constexpr ColumnCosts modelled_costs() const {
    double const all = is_short && structure == Structure::stream_columns ? short_column_cost : 1.0;
    return {{all * short_row_cost[0], all * short_row_cost[1]}, 1.0};
  }
  /// The same as lanes are chosen by. `whole_vectors`: rows begin and end with vectors of 16 bytes.
  constexpr ColumnCosts column_costs(int value_bytes, bool whole_vectors, bool in_cache) const {
    if (structure == Structure::stream_planes && shape.star && value_bytes > 2) {
      if (in_cache && (value_bytes == 4 || !whole_vectors)) return cached_star_costs;
      return shape.radius > 3 ? far_star_costs : star_costs;
    }
    ColumnCosts costs = modelled_costs();
    double const half = shape.radius > 2 ? idle_far_half_column_cost : idle_half_column_cost;
    if (streams() && !whole_vectors) costs.idle = value_bytes == 2 ? half : idle_column_cost;
    return costs;
  }
  /// How many narrow tiles, of the kernel with the fewest lanes along x, may take what whole wide ones leave at the end
  /// of rows: in place of one more that would be mostly idle, and beside the others.
  constexpr int tail_tiles(int value_bytes) const {
    bool const streams_planes = structure == Structure::stream_planes && shape.star;
    if (!streams_planes || !has_lanes(short_row_lanes[1], value_bytes)) return 0;
    return value_bytes == 4 && shape.radius > 2 ? 2 : 1;
  }

  /// Whether there is a second kernel that goes on to the faces: in space, where more points lie near them. Those that
  /// hold windows in registers do so for reaches within a vector.
  constexpr bool has_faces(int value_bytes) const {
    bool const in_registers = structure == Structure::rows || structure == Structure::stream_columns;
    return shape.rank == 3 && (!in_registers || vectors_beside(shape.radius, value_bytes) == 1);
  }
  constexpr ShapeTuning with_faces() const {
    ShapeTuning t  = *this;
    t.passes_faces = true;
    return t;
  }
  /// Along which axes it does, as the kernel for rows that begin anywhere does along x: there columns past faces are
  /// made. Along y and z the rows and planes are read that stand for those past a face; rows_kernel would be slower by
  /// that, and stream_columns_kernel lacks registers for doubles.
  constexpr bool passes(int axis, int value_bytes, bool on_rows_anywhere) const {
    if (on_rows_anywhere) return axis == 2 && structure == Structure::stream_planes;
    if (axis == 2 || !has_faces(value_bytes)) return has_faces(value_bytes);
    return structure == Structure::stream_planes || (structure == Structure::stream_columns && value_bytes == 4);
  }

  /// Whether tiles in space are dealt out by bands of rows: 16-bit kernels that stream have no registers for that.
  constexpr bool has_bands(int value_bytes) const {
    return shape.rank == 3 && (structure == Structure::rows || (is_short && value_bytes > 2));
  }
  /// The same where memory is slow beside the multiprocessors: steps that are done twice cost less there than planes
  /// that are read twice.
  constexpr ShapeTuning for_slow_memory() const {
    ShapeTuning t = *this;
    if (short_length == 0) return t;
    t.stream_length = short_length;
    t.is_short      = true;
    return t;
  }

  /// Whether it makes constants past faces of y and z as well: it has planes in shared memory.
  constexpr bool makes_constants() const { return structure == Structure::stream_planes; }

  /// Whether there is a second kernel for lines whose output begins elsewhere in 16 bytes than their input.
  constexpr bool has_shift() const { return structure == Structure::rows && shape.rank == 1; }
  constexpr ShapeTuning with_shift() const {
    ShapeTuning t    = *this;
    t.shifts_windows = true;
    return t;
  }

  /// Whether there is a second kernel for rows that begin anywhere, which streams. The largest shapes take long to
  /// compile, and are left to matrices.
  constexpr bool anywhere() const {
    if (shape.star) return shape.rank > 1 && (!masked || shape.radius <= 4);
    return shape.radius <= (shape.rank == 2 ? 4 : 2);
  }
  /// That kernel: a lane's planes and rows in registers become a stream, and tiles are those that were fastest.
  constexpr ShapeTuning for_anywhere(int value_bytes) const {
    ShapeTuning t   = *this;
    t.is_short      = false;
    bool const half = value_bytes == 2;
    if (structure == Structure::rows && shape.rank == 2) {
      t.structure   = Structure::stream_rows;
      t.rows_a_lane = 1;
      return half ? t.warps(4).ring(4, 4).resident(4).length(24) : t.warps(8).ring(5, 4).resident(2).length(16);
    }
    if (shape.rank == 3 && shape.radius <= (shape.star ? 2 : 1) && !masked) {
      t.structure     = Structure::stream_planes;
      t.planes_a_lane = 1;
      bool const one  = shape.star && shape.radius == 1;
      if (half && one) return t.warps(8).rows(2).groups(4).ring(3).resident(2).length(43);
      if (half) return t.warps(4).rows(2).in_phase().ring(4).resident(3).length(32);
      // Whole rows of 513 to 640 values in two tiles; more stages would be too much for 99 kB.
      if (one) return t.warps(16).rows(2).groups(value_bytes == 4 ? 5 : 2, 2).ring(4).resident(1).length(16);
      if (value_bytes == 4 && !shape.star) return t.warps(8).rows(2).groups(4).ring(4).resident(2).length(32);
      return t.warps(16).rows(2).groups(16 / value_bytes).ring(4).resident(1).length(32);
    }
    if (shape.rank == 3 && shape.radius == 1) {
      t.structure     = Structure::stream_planes;
      t.planes_a_lane = 1;
      return half ? t.warps(4).rows(2).ring(6).resident(3).length(32)
                  : t.warps(16).rows(2).ring(4).resident(1).length(32);
    }
    if (structure != Structure::stream_rows) return t;
    if (shape.star) {
      if (half && masked) return t.ring(6, 2);
      if (half) return t;
      // Shorter streams, or more rows on their way, are up to a quarter slower where Views lie badly to each other.
      if (shape.radius == 4 && !masked) return t.warps(4).ring(4, 4).resident(5).length(value_bytes == 4 ? 48 : 64);
      return t.warps(4).resident(4);
    }
    // More rows a stage, or registers for fewer.
    if (half && shape.radius == 2 && !masked) return t.warps(4).ring(4, 4).resident(4).length(24);
    if (value_bytes == 4 && shape.radius == 3 && !masked) return t.ring(4, 4).resident(5).length(64);
    if (value_bytes == 8 && shape.radius > 3) return t.ring(6, 1);
    if (value_bytes == 8 && shape.radius > 2) return t.ring(6, 2).length(64);
    return t;
  }
  /// Whether there is such a kernel whose last tile of a row takes a few columns more: a tile for these alone would
  /// bring the sectors of memory that it shares with the one before once more.
  constexpr bool has_more_anywhere(int value_bytes) const {
    return value_bytes > 2 && shape.rank == 3 && !masked && anywhere() && for_anywhere(value_bytes).groups_a_lane > 0;
  }
  constexpr ShapeTuning for_more_anywhere(int value_bytes) const {
    ShapeTuning t = for_anywhere(value_bytes);
    t.takes_more  = true;
    return t;
  }
  /// Whether rows of so many columns are for it.
  constexpr bool takes_more_columns(int value_bytes, std::int64_t columns) const {
    if (!has_more_anywhere(value_bytes)) return false;
    std::int64_t const wide = for_anywhere(value_bytes).anywhere_width(value_bytes), rest = columns % wide;
    return columns >= wide && rest > 0 && rest <= more_columns;
  }
  /// Whether its tiles begin with the first point wanted, and what is past the end of a row takes less time than a
  /// tile.
  constexpr bool fits_rows() const { return groups_a_lane > 0 || puts_in_phase; }
  /// Whether its lanes store vectors that are shifted by those of the lane before, so that tiles overlap.
  constexpr bool shifts_stores(int value_bytes) const { return value_bytes == 2 && !fits_rows(); }
  constexpr static int group_columns(int value_bytes) { return value_bytes == 2 ? 64 : 32; }
  /// Columns that its warps are apart, and its tiles.
  constexpr int anywhere_columns(int value_bytes) const {
    if (groups_a_lane > 0) return groups_a_lane * group_columns(value_bytes);
    return (shifts_stores(value_bytes) ? 31 : 32) * (16 / value_bytes);
  }
  constexpr int anywhere_width(int value_bytes) const {
    return anywhere_columns(value_bytes) * (structure == Structure::stream_rows ? warps_a_block : warps_across);
  }
  /// Columns that it copies on each side of a tile, and vectors of a row of its ring.
  constexpr int anywhere_left(int value_bytes) const {
    return value_bytes == 2 ? (shape.radius + 1) / 2 * 2 : shape.radius;
  }
  constexpr int anywhere_row_vectors(int value_bytes) const {
    int const more    = takes_more ? more_columns : shifts_stores(value_bytes) ? 8 : 0;
    int const columns = anywhere_width(value_bytes) + more + 2 * anywhere_left(value_bytes);
    // An even number: lanes 2 n and 2 n + 1 copy a sector together, which is read twice otherwise.
    return ((sector_bytes + columns * value_bytes) / 16 + 2) / 2 * 2;
  }
  constexpr int anywhere_ring_bytes(int value_bytes) const {
    if (puts_in_phase) {
      int const wide = in_phase_bytes(value_bytes, 32), narrow = in_phase_bytes(value_bytes, narrow_lanes);
      return wide > narrow ? wide : narrow;
    }
    return 16 * ring_stages * stage_rows() * anywhere_row_vectors(value_bytes);
  }

  // Where rows are put in phase: tiles of so many lanes along x, of which a warp has several lines if they are narrow.
  // Sizes are in vectors. Columns copied on each side are whole words.
  constexpr int in_phase_rows(int lanes) const { return height() * (32 / lanes) + 2 * shape.radius; }
  constexpr int in_phase_row(int value_bytes, int lanes) const {
    return lanes + 2 * vectors_beside(shape.radius, value_bytes);
  }
  /// Of a row as it lies. An even number, as above.
  constexpr int in_phase_raw_row(int value_bytes, int lanes) const {
    int const beside = (shape.radius * value_bytes + 3) / 4 * 4;
    return ((sector_bytes + 16 * lanes + 2 * beside) / 16 + 2) / 2 * 2;
  }
  /// Both ends of rows of outputs.
  constexpr int in_phase_ends(int lanes) const { return 3 * height() * (32 / lanes); }
  constexpr int in_phase_bytes(int value_bytes, int lanes) const {
    int const a_plane = in_phase_rows(lanes) * in_phase_row(value_bytes, lanes);
    int const a_stage = in_phase_rows(lanes) * in_phase_raw_row(value_bytes, lanes);
    return 16 * (2 * a_plane + in_phase_ends(lanes) + ring_stages * a_stage);
  }

  /// Whether there is a third kernel for rows that begin anywhere, which takes planes as lines: for rows that follow
  /// each other closely, if no face of x is passed.
  constexpr bool has_joined(int value_bytes) const {
    return value_bytes == 2 && shape.star && shape.rank == 3 && shape.radius == 1 && !masked;
  }
  /// That kernel. Its tiles are parts of a plane's line.
  constexpr ShapeTuning for_joined() const {
    ShapeTuning t = *this;
    t.structure   = Structure::stream_planes;
    t.is_short    = false;
    return t.warps(8).rows(1).groups(4).ring(3).resident(3).length(86);
  }
  constexpr int joined_columns() const { return warps_a_block * groups_a_lane * group_columns(2); }
  /// Columns copied left and right of a part and of the rows beside it: one for words that begin further left.
  constexpr int joined_beside() const { return shape.radius + 1; }
  /// Vectors of a plane of a part.
  constexpr int joined_stage() const {
    return (sector_bytes + 2 * (joined_columns() + 2 * (shape.radius * joined_pitch + joined_beside())) + 15) / 16;
  }
  constexpr int joined_ring_bytes() const { return 16 * ring_stages * joined_stage(); }

  /// Whether there is a kernel for planes that are cut into other rows; farther stars would spill. Where only input and
  /// output begin elsewhere in a vector, others are as fast, but for stencils of many terms in a row.
  constexpr bool has_cut(int cut, int value_bytes) const {
    RowCut const& c   = row_cuts[cut];
    bool const of_two = c.shear == 1 || c.shear == -1 || c.offset == 1;
    bool const wanted = c.offset == 0 ? shape.radius <= 4 : !shape.star && shape.radius == 3;
    return (value_bytes == 4 || (value_bytes == 8 && of_two)) && wanted && shape.rank == 2 && !masked && anywhere();
  }
  /// That kernel: a lane's rows in registers become a stream.
  constexpr ShapeTuning for_cuts(int value_bytes) const {
    ShapeTuning t   = *this;
    t.structure     = Structure::stream_rows;
    t.rows_a_lane   = 1;
    bool const wide = value_bytes == 8;
    if (shape.star) {
      if (shape.radius == 4) return t.warps(8).ring(6, 4).resident(2).length(24);
      return t.warps(8).ring(5, 4).resident(2).length(shape.radius > 2 ? 24 : 16);
    }
    if (shape.radius == 3) return t.warps(4).ring(3, 4).resident(wide ? 4 : 5).length(wide ? 200 : 64);
    if (shape.radius > 3) return t.warps(4).ring(6, 1).resident(wide ? 3 : 4).length(128);
    return t.warps(8).ring(5, 4).resident(2).length(shape.radius == 1 ? 16 : 24);
  }
  constexpr int cut_ring_bytes(int value_bytes, int cut) const {
    int const reach = reach_in_cut(shape.star, shape.radius, shape.radius, row_cuts[cut]);
    return 16 * ring_stages * rows_a_stage * (threads() + 2 * padding_beside(reach, value_bytes));
  }

  // How the tables below set them.
  constexpr ShapeTuning warps(int n) {
    warps_a_block = n;
    return *this;
  }
  constexpr ShapeTuning rows(int n) {
    rows_a_lane = n;
    return *this;
  }
  constexpr ShapeTuning planes(int n) {
    planes_a_lane = n;
    return *this;
  }
  constexpr ShapeTuning vectors(int n) {
    vectors_a_lane = n;
    return *this;
  }
  constexpr ShapeTuning ring(int stages, int stage_rows = 1) {
    ring_stages  = stages;
    rows_a_stage = stage_rows;
    return *this;
  }
  constexpr ShapeTuning groups(int n, int across = 1) {
    groups_a_lane = n;
    warps_across  = across;
    return *this;
  }
  constexpr ShapeTuning in_phase() {
    puts_in_phase = true;
    return *this;
  }
  constexpr ShapeTuning resident(int n) {
    blocks = n;
    return *this;
  }
  constexpr ShapeTuning length(int n) {
    stream_length = n;
    return *this;
  }
  constexpr ShapeTuning shorter(int n, double waves = 1.0) {
    short_length = n;
    band_waves   = waves;
    return *this;
  }
  constexpr ShapeTuning efficiency(double f) {
    fraction = f;
    return *this;
  }
  constexpr ShapeTuning unaligned(double part) {
    part_anywhere = part;
    return *this;
  }
  constexpr ShapeTuning cut(double part) {
    part_cut = part;
    return *this;
  }
};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
