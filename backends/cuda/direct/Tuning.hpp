// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "direct/ShapeTuning.hpp"

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

/// A column past the ends of rows by kernels that do not stream, over others; those that do: ShapeTuning.hpp.
constexpr double idle_row_column_cost = 0.35;
/// Part of the second-level cache that both fields take at most where `cached_star_costs` hold.
constexpr double cached_part = 0.4;
/// Where the ends of rows have tiles of their own (docs/experiments/2026-11-30-tails-of-rows.md): columns and rows from
/// which on, and columns of wide tiles that take as long as what is done once more for it.
constexpr std::int64_t tail_least_columns = 256, tail_least_rows = 1 << 14;
constexpr double tail_columns = 15.0, tail_half_columns = 35.0;
/// Planes are taken as lines if this fraction of a row is wanted.
constexpr double joined_wanted = 0.8;

/// Of a kernel's fraction, of stars of radius 1 where planes are taken as lines
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

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
