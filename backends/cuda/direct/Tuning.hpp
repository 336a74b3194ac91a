// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/CudaModel.hpp"
#include "direct/RowCuts.hpp"

#include <model/SweepCost.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// The numbers of cuda_direct: what its kernels are made with and how fast they are. Instances are expanded from these
// tables and the plan reads them; they stand nowhere else. All kernels need compute capability 8.0.
//
// Efficiencies and times were measured on an NVIDIA H200 at commit 1065052 (benchmark suites targets, trend and
// catalogue, grids of 2^26 points and more; small and medium), and fitted again by scripts/calibrate.py to full and
// small of commit c849387 and 1000 random problems at 6373eb3, where they determine a number and moved it by 7 % and
// more. Those of rows that begin anywhere are from rows of 10241 and 513 values (docs/experiments, 2026-11-22), in
// half in space up to radius 3 from random problems (2026-11-29); of masked kernels and radii beyond 4 they are
// guesses.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

// ---- Kernels made for a shape ----

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

/// Planes are taken as lines if their rows are so many values apart at most, of which this fraction is wanted.
constexpr int joined_pitch     = 640;
constexpr double joined_wanted = 0.8;

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

/// The same of kernels that do not stream, as the model takes it.
constexpr double idle_row_column_cost = 0.35;

/// What a column costs by tiles of each of short_row_lanes, and one past the ends of rows by wide ones, over others of
/// wide ones.
struct ColumnCosts {
  double narrow[2], idle;
};
/// The same for stars of radius 2 and more in float and double (docs/experiments/2026-12-01-narrow-tiles.md): where
/// both fields fit the second-level cache, of double if rows end within vectors; elsewhere, and from radius 4 on.
constexpr ColumnCosts cached_star_costs{{0.7, 0.9}, 0.4}, star_costs{{1.0, 1.2}, 0.6}, far_star_costs{{1.0, 1.1}, 0.6};
/// Part of the second-level cache that both fields take at most there.
constexpr double cached_part = 0.4;

/// Where the ends of rows have tiles of their own (docs/experiments/2026-11-30-tails-of-rows.md): columns and rows from
/// which on, and columns of wide tiles that take as long as what is done once more for it.
constexpr std::int64_t tail_least_columns = 256, tail_least_rows = 1 << 14;
constexpr double tail_columns = 15.0, tail_half_columns = 35.0;
/// The same where rows begin anywhere: columns that the last tile of a row may take in addition.
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

constexpr ShapeTuning kernel(Structure structure, Shape const& shape) {
  ShapeTuning t;
  t.structure = structure;
  t.shape     = shape;
  t.only_row  = structure == Structure::lines;
  return t;
}
constexpr ShapeTuning kernel(Structure structure, Pattern const& pattern) {
  ShapeTuning t = kernel(structure, pattern.shape);
  t.masked      = true;
  t.least_terms = pattern.least_terms;
  return t;
}

constexpr Shape line(int radius) { return {true, 1, radius}; }
constexpr Shape star(int rank, int radius) { return {true, rank, radius}; }
constexpr Shape box(int rank, int radius) { return {false, rank, radius}; }

constexpr Structure in_rows = Structure::rows, in_lines = Structure::lines, stream_rows = Structure::stream_rows,
                    stream_columns = Structure::stream_columns, stream_planes = Structure::stream_planes;

constexpr Pattern in_line4{line(4), 2}, in_line6{line(6), 4}, in_line8{line(8), 6}, in_box2d1{box(2, 1), 3},
    in_star2d4{star(2, 4), 5}, in_box2d2{box(2, 2), 5}, in_star2d8{star(2, 8), 9}, in_box2d3{box(2, 3), 9},
    in_box2d4{box(2, 4), 12}, in_star3d1{star(3, 1), 5}, in_box3d1{box(3, 1), 4}, in_star3d4{star(3, 4), 6},
    in_star3d8{star(3, 8), 13};

// For each type the first kernel that serves a problem is used: whole shapes, then patterns inside one, cheapest first.

/// half and bhalf
inline constexpr ShapeTuning half_kernels[] = {
    kernel(in_rows, line(1)).warps(4).rows(2).efficiency(0.95),
    kernel(in_rows, line(2)).warps(4).rows(2).efficiency(0.93),
    kernel(in_rows, line(3)).warps(4).rows(2).efficiency(0.86),
    kernel(in_rows, line(4)).warps(4).rows(2).efficiency(0.84),
    kernel(in_rows, line(5)).warps(4).rows(2).efficiency(0.774),
    kernel(in_rows, line(6)).warps(4).rows(2).efficiency(0.75),
    kernel(in_rows, line(7)).warps(4).rows(2).efficiency(0.684),
    kernel(in_rows, line(8)).warps(4).rows(2).efficiency(0.58),
    kernel(in_rows, star(2, 1)).warps(8).rows(4).efficiency(0.88).unaligned(0.98),
    kernel(in_rows, star(2, 2)).warps(4).rows(3).efficiency(0.83).unaligned(0.99),
    kernel(stream_rows, star(2, 3)).warps(4).ring(4, 4).resident(4).length(24).efficiency(0.84).unaligned(0.73),
    kernel(stream_rows, star(2, 4)).warps(4).ring(4, 4).resident(4).length(64).efficiency(0.85).unaligned(0.7),
    kernel(in_rows, box(2, 1)).warps(8).rows(4).efficiency(0.88).unaligned(0.94),
    kernel(stream_rows, box(2, 2)).warps(8).ring(4, 2).resident(2).efficiency(0.76).unaligned(0.67),
    kernel(stream_rows, box(2, 3)).warps(4).ring(4, 2).resident(4).efficiency(0.76).unaligned(0.72),
    kernel(stream_planes, star(3, 1)).warps(4).rows(2).ring(6).resident(3).length(8).efficiency(0.83).unaligned(0.87),
    kernel(stream_planes, star(3, 2))
        .warps(8)
        .rows(2)
        .ring(4)
        .resident(2)
        .length(43)
        .shorter(12)
        .efficiency(0.80)
        .unaligned(0.69),
    kernel(stream_planes, star(3, 3)).warps(4).rows(2).ring(4).resident(2).length(256).efficiency(0.63).unaligned(0.56),
    kernel(stream_planes, star(3, 4)).warps(4).rows(2).ring(6).resident(2).length(256).efficiency(0.52).unaligned(0.56),
    kernel(stream_planes, star(3, 5)).warps(8).ring(4).length(256).efficiency(0.374).unaligned(0.56),
    kernel(stream_planes, star(3, 6)).warps(8).ring(4).length(256).efficiency(0.36).unaligned(0.56),
    kernel(stream_planes, star(3, 7)).warps(8).ring(4).length(256).efficiency(0.375).unaligned(0.56),
    kernel(stream_planes, star(3, 8)).warps(8).ring(4).length(256).efficiency(0.39).unaligned(0.56),
    kernel(stream_planes, box(3, 1))
        .warps(2)
        .rows(4)
        .ring(6)
        .resident(4)
        .length(85)
        .shorter(12)
        .efficiency(0.603)
        .unaligned(0.78),
    // Patterns inside a shape.
    kernel(in_lines, in_line4).warps(4).vectors(2).resident(10).efficiency(0.84),
    kernel(in_lines, in_line6).warps(4).vectors(2).resident(10).efficiency(0.82),
    kernel(in_lines, in_line8).warps(4).vectors(2).resident(10).efficiency(0.76),
    kernel(in_rows, in_line4).warps(4).rows(2).efficiency(0.95),
    kernel(in_rows, in_line8).warps(4).rows(2).efficiency(0.77),
    kernel(in_rows, in_box2d1).warps(8).rows(4).efficiency(0.94).unaligned(0.7),
    kernel(stream_rows, in_star2d4).warps(4).ring(4, 4).resident(4).length(64).efficiency(0.786).unaligned(0.7),
    kernel(stream_rows, in_box2d2).warps(8).ring(4, 2).resident(2).efficiency(0.691).unaligned(0.7),
    kernel(stream_rows, in_star2d8).warps(4).ring(6, 2).resident(2).length(64).efficiency(0.37).unaligned(0.7),
    kernel(stream_rows, in_box2d3).warps(4).ring(4, 2).resident(4).efficiency(0.36).unaligned(0.7),
    kernel(stream_planes, in_star3d1).warps(4).rows(2).ring(6).resident(3).length(8).efficiency(0.85).unaligned(0.7),
    kernel(stream_planes, in_box3d1).warps(16).rows(2).ring(4).length(128).efficiency(0.66).unaligned(0.7),
    kernel(stream_planes, in_star3d8).warps(8).ring(4).length(256).efficiency(0.064).unaligned(0.7),
};

inline constexpr ShapeTuning float_kernels[] = {
    kernel(in_rows, line(1)).warps(4).rows(2).efficiency(0.95),
    kernel(in_rows, line(2)).warps(4).rows(2).efficiency(0.95),
    kernel(in_rows, line(3)).warps(4).rows(2).efficiency(0.95),
    kernel(in_rows, line(4)).warps(4).rows(2).efficiency(0.95),
    kernel(in_rows, line(5)).warps(4).rows(2).efficiency(0.93),
    kernel(in_rows, line(6)).warps(4).rows(2).efficiency(0.90),
    kernel(in_rows, line(7)).warps(4).rows(2).efficiency(0.86),
    kernel(in_rows, line(8)).warps(4).rows(2).efficiency(0.83),
    kernel(in_rows, star(2, 1)).warps(8).rows(2).efficiency(0.98).unaligned(0.94),
    kernel(in_rows, star(2, 2)).warps(8).rows(4).resident(4).efficiency(0.98).unaligned(0.96),
    kernel(stream_rows, star(2, 3)).warps(8).ring(5, 4).resident(2).length(16).efficiency(0.94).unaligned(0.93),
    kernel(stream_rows, star(2, 4)).warps(8).ring(6, 4).resident(2).length(24).efficiency(0.92).unaligned(0.91),
    kernel(stream_rows, star(2, 5)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.84).unaligned(0.85),
    kernel(stream_rows, star(2, 6)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.83).unaligned(0.85),
    kernel(stream_rows, star(2, 7)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.698).unaligned(0.85),
    kernel(stream_rows, star(2, 8)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.73).unaligned(0.85),
    kernel(in_rows, box(2, 1)).warps(8).rows(4).efficiency(0.96).unaligned(0.95),
    kernel(stream_rows, box(2, 2)).warps(8).ring(5, 4).resident(2).length(24).efficiency(0.92).unaligned(0.98),
    kernel(stream_rows, box(2, 3)).warps(4).ring(4, 2).resident(6).efficiency(0.83).unaligned(0.84).cut(0.95),
    kernel(stream_rows, box(2, 4)).warps(8).ring(4, 2).resident(2).efficiency(0.76).unaligned(0.75),
    kernel(stream_rows, box(2, 5)).warps(4).ring(6, 1).resident(4).efficiency(0.675),
    kernel(stream_rows, box(2, 6)).warps(4).ring(6, 1).resident(4).efficiency(0.731),
    kernel(stream_rows, box(2, 7)).warps(4).ring(6, 1).resident(4).efficiency(0.82),
    kernel(in_rows, star(3, 1)).warps(4).rows(2).planes(4).efficiency(0.91).unaligned(0.92),
    kernel(stream_planes, star(3, 2)).warps(16).rows(2).ring(4).length(32).shorter(12).efficiency(0.87).unaligned(0.91),
    kernel(stream_planes, star(3, 3)).warps(16).rows(2).ring(4).length(64).shorter(16).efficiency(0.86).unaligned(0.84),
    kernel(stream_planes, star(3, 4)).warps(16).rows(2).ring(4).length(64).efficiency(0.86).unaligned(0.72),
    kernel(stream_planes, star(3, 5)).warps(8).rows(2).ring(4).length(128).efficiency(0.66).unaligned(0.72),
    kernel(stream_planes, star(3, 6)).warps(8).rows(2).ring(4).length(128).efficiency(0.60).unaligned(0.72),
    kernel(stream_planes, star(3, 7)).warps(8).rows(2).ring(4).length(128).efficiency(0.53).unaligned(0.72),
    kernel(stream_planes, star(3, 8)).warps(8).rows(2).ring(4).length(128).efficiency(0.52).unaligned(0.72),
    kernel(stream_columns, box(3, 1))
        .warps(4)
        .rows(4)
        .resident(4)
        .length(32)
        .shorter(16)
        .efficiency(0.86)
        .unaligned(0.9),
    kernel(stream_planes, box(3, 2)).warps(16).rows(2).ring(4).length(256).efficiency(0.77).unaligned(0.87),
    // Patterns inside a shape.
    kernel(in_lines, in_line4).warps(4).vectors(2).resident(10).efficiency(0.90),
    kernel(in_lines, in_line6).warps(4).vectors(2).resident(10).efficiency(0.85),
    kernel(in_lines, in_line8).warps(4).vectors(2).resident(10).efficiency(0.80),
    kernel(in_rows, in_line4).warps(4).rows(2).efficiency(0.855),
    kernel(in_rows, in_line8).warps(4).rows(2).efficiency(0.70),
    kernel(in_rows, in_box2d1).warps(8).rows(4).efficiency(0.91),
    kernel(stream_rows, in_star2d4).warps(8).ring(6, 4).resident(2).length(24).efficiency(0.86),
    kernel(stream_rows, in_box2d2).warps(8).ring(5, 4).resident(2).length(24).efficiency(0.74),
    kernel(stream_rows, in_star2d8).warps(8).ring(6, 2).resident(2).length(32).efficiency(0.44),
    kernel(stream_rows, in_box2d3).warps(4).ring(4, 2).resident(6).efficiency(0.52),
    kernel(stream_rows, in_box2d4).warps(8).ring(4, 2).resident(2).efficiency(0.34),
    kernel(in_rows, in_star3d1).warps(4).rows(2).planes(4).efficiency(0.83),
    kernel(stream_columns, in_box3d1).warps(4).rows(4).resident(4).length(32).efficiency(0.71),
    kernel(stream_planes, in_star3d4).warps(16).rows(2).ring(4).length(64).efficiency(0.50),
    kernel(stream_planes, in_star3d8).warps(8).rows(2).ring(4).length(128).efficiency(0.28),
};

inline constexpr ShapeTuning double_kernels[] = {
    kernel(in_rows, line(1)).warps(4).rows(2).efficiency(0.99),
    kernel(in_rows, line(2)).warps(4).rows(2).efficiency(0.99),
    kernel(in_rows, line(3)).warps(4).rows(2).efficiency(0.95),
    kernel(in_rows, line(4)).warps(4).rows(2).efficiency(0.93),
    kernel(in_rows, line(5)).warps(4).rows(4).efficiency(0.95),
    kernel(in_rows, line(6)).warps(4).rows(4).efficiency(0.90),
    kernel(in_lines, line(7)).warps(4).vectors(4).resident(8).efficiency(0.86),
    kernel(in_lines, line(8)).warps(4).vectors(4).resident(8).efficiency(0.85),
    // In planes and in space lines of a grid are too short for the tiles of the two above. Not measured apart.
    kernel(in_rows, line(7)).warps(4).rows(4).efficiency(0.86),
    kernel(in_rows, line(8)).warps(4).rows(4).efficiency(0.85),
    kernel(in_rows, star(2, 1)).warps(8).rows(2).efficiency(0.98).unaligned(0.97),
    kernel(in_rows, star(2, 2)).warps(4).rows(4).efficiency(0.982).unaligned(0.95),
    kernel(stream_rows, star(2, 3)).warps(8).ring(5, 4).resident(2).length(16).efficiency(0.95).unaligned(0.97),
    kernel(stream_rows, star(2, 4)).warps(8).ring(6, 4).resident(2).length(24).efficiency(0.947).unaligned(0.92),
    kernel(stream_rows, star(2, 5)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.791).unaligned(0.9),
    kernel(stream_rows, star(2, 6)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.86).unaligned(0.9),
    kernel(stream_rows, star(2, 7)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.69).unaligned(0.9),
    kernel(stream_rows, star(2, 8)).warps(8).ring(6, 4).resident(2).length(32).efficiency(0.64).unaligned(0.9),
    kernel(in_rows, box(2, 1)).warps(8).rows(4).efficiency(0.98).unaligned(0.98),
    kernel(stream_rows, box(2, 2)).warps(8).ring(5, 4).resident(2).length(16).efficiency(0.973).unaligned(0.95),
    kernel(stream_rows, box(2, 3)).warps(4).ring(3, 4).resident(4).length(200).efficiency(0.816).unaligned(0.95),
    kernel(stream_rows, box(2, 4)).warps(8).ring(4, 2).resident(2).efficiency(0.737).unaligned(0.9),
    kernel(stream_rows, box(2, 5)).warps(4).ring(6, 1).resident(4).efficiency(0.714),
    kernel(stream_rows, box(2, 6)).warps(4).ring(6, 1).resident(4).efficiency(0.77),
    kernel(stream_rows, box(2, 7)).warps(4).ring(6, 1).resident(4).efficiency(0.831),
    kernel(in_rows, star(3, 1)).warps(8).rows(2).planes(4).resident(2).efficiency(0.94).unaligned(0.92),
    kernel(stream_planes, star(3, 2)).warps(16).rows(2).ring(4).length(32).shorter(12).efficiency(0.87).unaligned(0.96),
    kernel(stream_planes, star(3, 3)).warps(16).rows(2).ring(4).length(64).shorter(24).efficiency(0.83).unaligned(0.86),
    kernel(stream_planes, star(3, 4))
        .warps(8)
        .rows(2)
        .ring(6)
        .resident(2)
        .length(64)
        .shorter(16, 0.5)
        .efficiency(0.726)
        .unaligned(0.88),
    kernel(stream_planes, star(3, 5)).warps(8).rows(2).ring(4).length(128).efficiency(0.535).unaligned(0.85),
    kernel(stream_planes, star(3, 6)).warps(8).rows(2).ring(4).length(128).efficiency(0.473).unaligned(0.85),
    kernel(stream_planes, star(3, 7)).warps(8).rows(2).ring(4).length(128).efficiency(0.47).unaligned(0.85),
    kernel(stream_planes, star(3, 8)).warps(8).rows(2).ring(4).length(128).efficiency(0.45).unaligned(0.85),
    kernel(stream_columns, box(3, 1))
        .warps(4)
        .rows(4)
        .resident(4)
        .length(64)
        .shorter(6)
        .efficiency(0.84)
        .unaligned(0.97),
    kernel(stream_planes, box(3, 2)).warps(8).rows(2).ring(4).resident(2).length(256).efficiency(0.82).unaligned(0.97),
    // Patterns inside a shape.
    kernel(in_lines, in_line4).warps(4).vectors(2).resident(10).efficiency(0.96),
    kernel(in_lines, in_line6).warps(4).vectors(2).resident(10).efficiency(0.87),
    kernel(in_lines, in_line8).warps(4).vectors(2).resident(10).efficiency(0.87),
    kernel(in_rows, in_line4).warps(4).rows(2).efficiency(0.83),
    kernel(in_rows, in_line8).warps(4).rows(2).efficiency(0.61),
    kernel(in_rows, in_box2d1).warps(8).rows(4).efficiency(0.94),
    kernel(stream_rows, in_star2d4).warps(8).ring(6, 4).resident(2).length(24).efficiency(0.887),
    kernel(stream_rows, in_box2d2).warps(8).ring(5, 4).resident(2).length(24).efficiency(0.754),
    kernel(stream_rows, in_star2d8).warps(8).ring(6, 2).resident(2).length(32).efficiency(0.47),
    kernel(stream_rows, in_box2d3).warps(4).ring(4, 2).resident(4).efficiency(0.554),
    kernel(in_rows, in_star3d1).warps(8).rows(2).planes(2).resident(2).efficiency(0.89),
    kernel(stream_columns, in_box3d1).warps(4).rows(2).resident(4).length(128).efficiency(0.63),
    kernel(stream_planes, in_star3d4).warps(8).rows(2).ring(4).resident(2).length(64).efficiency(0.67),
    kernel(stream_planes, in_star3d8).warps(8).rows(2).ring(4).length(128).efficiency(0.28),
};

/// Of that, of stars of radius 1 where planes are taken as lines
/// (docs/experiments/2026-11-30-planes-as-lines.md).
constexpr double part_joined = 0.9;

/// Volumes in half whose kernel takes points near faces as well: its speed over that with halo faces, on aligned rows
/// and on others, of radius 1 and 2 and farther. From random problems (aligned and farther seed 85, near ones seeds 91
/// to 100, an NVIDIA H200).
constexpr double half_passing = 0.87, half_passing_anywhere = 0.78, near_half_passing_anywhere = 0.88;

/// Volumes larger than the cache: seconds for each end of a row of outputs that is a part of a sector, and where wide
/// tiles store such sectors at once (SectorStore). Copies that leave the ends of rows out lose as much
/// (docs/experiments/2026-11-28-narrow-volumes.md).
constexpr double sector_in_part = 45e-12, sector_in_part_at_once = 10e-12;
/// Seconds that the ends of a row in half take beside them, in the cache or not, whether the row ends with a vector or
/// within one: all of it up to the narrow number of columns, nothing from the wide one on. From 72 problems of seeds
/// 85 to 99, an NVIDIA H200.
constexpr double half_row_ends = 60e-12, half_row_ends_in_vector = 130e-12, half_row_narrow = 128.0,
                 half_row_wide = 200.0;
/// Columns of the volumes whose speed the tables above give.
constexpr double measured_row = 512.0;
/// What tiles of floats on rows that begin anywhere take longer where they pass both faces of x.
constexpr double float_passing_anywhere = 1.26;
/// Seconds that planes on rows that begin anywhere take, of radius 1 and 2, beside their roofline, by type: half,
/// float, double. The least are 5.6, 6.8 and 6.9 us on the device, of lists of terms 2.6 to 4.4 (seeds 86 to 91).
constexpr int near_radius              = 2;
constexpr double near_plane_anywhere[] = {1.4e-6, 1.6e-6, 1.9e-6};
/// The same for radius 3 and 4, all types (nine planes of seeds 92 to 94).
constexpr int farther_radius            = 4;
constexpr double farther_plane_anywhere = 2.5e-6;
/// Seconds that small planes of radius 1 in half take on aligned rows, and the part of their work beside which these
/// pass.
constexpr double half_start = 0.9e-6, half_start_hides = 0.3;

/// A masked kernel in half is bound by its instructions: seconds of a point for each term.
constexpr double half_term_seconds = 0.057e-12;
/// The part of its fraction that a kernel for lines in half keeps where the output's vectors begin elsewhere than the
/// input's: with shifted windows, and where values are stored one by one.
constexpr double half_line_shifted = 0.93, half_line_apart = 0.28;
/// A block alone on a multiprocessor: its time for a step over that which the step takes of a full one, for kernels of
/// a whole shape and masked ones that share it with others; stream_rows with eight warps.
constexpr double stream_alone = 1.0, masked_stream_alone = 1.3;
/// Streams are cut shorter to give the whole GPU something to do, but not below this, nor the reach.
constexpr int least_stream = 4;
/// The shortest streams by which waves of blocks are evened out, and the part of the steps that is left of them at
/// most. With so many waves they need not be whole.
constexpr int shortest_stream = 12;
constexpr double fewer_steps  = 0.95;
constexpr int free_waves      = 8;
/// Memory is slow beside the multiprocessors if the ratio of their rates is below this part of the reference device's.
constexpr double slow_memory = 0.85;
/// Short streams may be so many times as long where one wave of blocks does all and takes this part of the GPU.
constexpr int one_wave_lengths = 3, one_wave_lengths_without_bands = 5;
constexpr double one_wave_part = 0.8;
/// What a short stream loses of its speed that is longer or shorter than usual, for the logarithm of that.
constexpr double length_slope = 0.1;
/// Where streams are as long as gives one wave: the length with which the efficiency was measured, at least.
constexpr int whole_stream = 128;
/// Tiles in space are launched in bands, so that planes that are read again soon are still in the second cache then:
/// what a plane of a band of rows_kernel takes of it. Streams have bands of so many blocks as run at once, of which
/// each begins with the planes that the one before had last.
constexpr int cache_a_band = 24;

// ---- Lists of terms: any pattern, any strides ----

/// Several points a thread, each value that is loaded serves several rows. Columns are a row of threads apart.
constexpr int tap_threads = 256, most_tap_columns = 4, tap_rows = 4;
/// What a thread does, in cycles that a scheduler gives its warp; and the registers that it has, by its columns.
struct TapCosts {
  double tap;                          ///< for each value of a column: its offset, its coefficients, the loop
  double value;                        ///< and for the value in each column
  double multiply_add;                 ///< for each term and output
  double point;                        ///< for each output
  int registers[2][most_tap_columns];  ///< of threads with one row, with tap_rows
};
/// Fitted to 765 problems (three types, planes and volumes, boxes and stars, 30 thousand to 20 million points) with 20
/// kinds of tiles each, on an NVIDIA H100: docs/experiments/2026-11-28-lists-of-terms.md.
inline constexpr TapCosts tap_costs[] = {{12.5, 2.6, 0.86, 53.0, {{32, 32, 40, 48}, {40, 48, 56, 72}}},
                                         {12.8, 2.6, 0.91, 60.0, {{32, 32, 40, 48}, {32, 40, 56, 64}}},
                                         {14.7, 2.85, 2.86, 92.0, {{32, 40, 48, 64}, {40, 56, 72, 80}}}};
/// What a value takes more for each further row that its warp reads, and in volumes where threads have several rows.
constexpr double tap_row_of_warp = 1.64, tap_value_in_space = 1.73;
/// Factor on multiply_add of doubles in volumes (30 random boxes of radius 3 and 4, an NVIDIA H200).
constexpr double tap_doubles_in_space = 0.87;
/// Cycles from a tap to the next where nothing else is to do, and what volumes add to them likewise.
constexpr double tap_latency = 102.0, tap_latency_in_space = 26.0;
/// The part of a wave of blocks that the last one takes longer.
constexpr double tap_last_wave = 0.17;
/// Of the copy's bandwidth, at most.
constexpr double tap_bandwidth = 0.85;
/// What each of the first two further planes that a point in space reads adds to the bytes of a sweep, and each of all
/// where they come from memory again.
constexpr double tap_plane = 0.09, tap_plane_again = 0.35;
/// So many terms at most come with the arguments of a launch; each thread loads all of its values.
constexpr std::size_t most_few_terms = 48;
/// What such a thread does, in cycles that a scheduler gives its warp if it has most_tap_columns.
struct FewTermsCosts {
  double start, term[2];  ///< of a term in planes, in volumes
  double bandwidth[2];    ///< of the copy's, at most, in planes, in volumes
  double between_caches;  ///< bandwidth of what volumes bring from the second-level cache, as a part of the copy's
  int registers[3];       ///< with one, two, four columns
};
/// Fitted to 498 sweeps of random problems and of the catalogue with 1, 2 and 4 columns, on an NVIDIA H200: 0.05 to
/// 0.12 root mean square of the logarithm of the time (docs/experiments/2026-11-29-never-slower.md).
inline constexpr FewTermsCosts few_terms_costs[] = {{444.0, {44.6, 56.6}, {0.93, 0.66}, 1.07, {32, 32, 56}},
                                                    {429.0, {43.5, 52.3}, {0.87, 0.75}, 1.87, {26, 32, 56}},
                                                    {196.0, {135.0, 117.0}, {0.90, 0.81}, 1.83, {30, 40, 80}}};
/// Of a term, that which does not depend on the columns, and of the start, as a part of it; what a term takes more
/// beside the point's own column.
constexpr double few_terms_each = 8.1, few_terms_start_each = 0.28, few_terms_beside = 3.4;
/// Cycles until the first values are there, and from a term to the next where nothing else is to do.
constexpr double few_terms_start = 900.0, few_terms_latency = 330.0;
/// What each further plane that a point in space reads adds to the bytes of a sweep where it comes from memory again.
constexpr double few_terms_plane_again = 0.4;
/// What single columns of four bytes and less take longer where terms read so many further planes, from 11 cases of
/// radius 6 and 7; why is not known.
constexpr int few_terms_many_planes              = 12;
constexpr double few_terms_column_of_many_planes = 1.6;
/// The part of `bandwidth` that terms in a single row of a plane reach; and the part of the time of tiles with more
/// columns that tiles with fewer have to take.
constexpr double few_terms_one_row = 0.95, few_terms_narrower = 0.98;
/// What the first loads wait for.
constexpr double few_terms_first_load = 0.8e-6;

/// The part that lists take longer in volumes larger than the cache with so few terms, and with more, up to twice as
/// many, less, where their rows have at most few_taps_columns (docs/experiments/2026-11-28-narrow-volumes.md).
constexpr double few_taps_beyond_cache = 0.25, few_taps = 16.0;
constexpr std::int64_t few_taps_columns = 160;
/// What the first loads of such threads wait for.
constexpr double first_load = 1.3e-6;
/// The part of the time in which they wait that the boundary kernel makes use of.
constexpr double boundary_beside_list = 0.8;

/// A point a thread, its terms with the arguments of the launch, of which there are few or many.
constexpr int point_threads = 256, few_point_terms = 32, most_point_terms = 256;
/// Terms whose loads are in flight together, and the seconds that they take.
constexpr int point_loads      = 8;
constexpr double point_latency = 0.18e-6;
/// What such a launch takes less than others: 2.2 us on the device with few terms and points (seeds 89 to 92).
constexpr double short_launch = 0.6e-6;
/// The arguments of more terms than so many come slowly: the work grows by this power of their number beyond. All of
/// them, four kilobytes, take the host longer.
constexpr double fast_arguments = 66.0, slow_arguments = 0.7, long_arguments = 0.3e-6;

/// Picoseconds a point, by the axes that a grid has.
struct PointList {
  std::array<double, 3> base_picoseconds, load_picoseconds;

  constexpr PointList base(double line, double plane, double space) {
    base_picoseconds = {{line, plane, space}};
    return *this;
  }
  constexpr PointList load(double line, double plane, double space) {
    load_picoseconds = {{line, plane, space}};
    return *this;
  }
};
inline constexpr PointList point_lists[] = {PointList().base(4.59, 4.57, 4.99).load(0.307, 0.316, 0.328),
                                            PointList().base(4.88, 4.95, 4.69).load(0.261, 0.298, 0.321),
                                            PointList().base(5.23, 5.16, 5.3).load(0.293, 0.331, 0.318)};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
