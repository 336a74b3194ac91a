// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Change.cuh"
#include "resident/Kernel.hpp"
#include "resident/Turn.cuh"

#include "arch/AsyncCopy.hpp"
#include "arch/FuseIf.hpp"
#include "arch/Line.hpp"
#include "common/CooperativeLaunch.hpp"
#include "common/GhostsInPass.cuh"
#include "common/Value.cuh"
#include "temporal/BrickKernel.cuh"

#include <cstring>
#include <type_traits>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// A warp's part of a volume: a bundle of Nz by Ny whole rows, V columns of each a lane, kept in registers for all
/// sweeps of a run and swept in place. Before each sweep it needs the rows around the bundle: those of warps of its
/// block come through shared memory, those of other blocks by lines in global memory, three words of values beside the
/// number of the exchange for which they were written, so that nobody has to wait for more than the line.
template <class T, class S, int V, int Nz, int Ny, int Warps>
struct Bundle {
  using A = Accumulator<T>;
  static_assert(sizeof(A) == sizeof(T) && S::radius == 1, "values are shown as they are, one row deep");
  static constexpr VolumeLayout layout() { return {S::star, V * int(sizeof(A)) / 4, {Nz, Ny}, Warps}; }
  static constexpr int row_words = layout().row_words, row_bytes = layout().row_bytes(),
                       directions = layout().directions();
  static constexpr int all_lines  = layout().all_lines();
  static constexpr int entries    = layout().entries();
  static_assert(entries <= 32, "a lane for each");
  static constexpr std::uint32_t all = (1u << V) - 1u;

  /// Lines that are under way at a time: of one of each two directions that are opposite along an axis.
  static constexpr int groups = directions / 2;
  static constexpr int most_lines() {
    int all = 0;
    for (int group = 0; group < groups; ++group) all += layout().lines(2 * group);
    return all;
  }
  /// Registers of a thread beside its values and the lines that it waits for.
  static constexpr int spare_registers() {
    return (Warps > 8 ? 2048 / Warps / 8 * 8 : 255) - Nz * Ny * row_words - 4 * most_lines();
  }

  /// What a plane was is kept until its sums are done: only then the values that do not change are chosen. Else, by
  /// predicate, nothing is added to them any more.
  static constexpr bool chooses_late = spare_registers() > 128;
  /// There are no registers for two kinds of sweeps.
  static constexpr bool crowded = Nz * Ny * row_words > 110;

  VolumeArgs const& g;
  Temporal::BrickCoefficients<A, S::count> const& c;
  unsigned char* shared;
  int warp, lane;
  int own[2];                ///< the bundle's number along z and y
  bool works;                ///< there is such a bundle
  int z, y, x;               ///< its first row, the lane's first column
  std::uint32_t columns;     ///< bit v: column v changes
  int left, right;           ///< lanes whose columns lie beside the lane's
  bool left_end, right_end;  ///< constants or reflections lie there instead
  bool uneven;               ///< rows that it shows are not the outermost ones
  bool partial;              ///< some of its rows do not change
  A a[Nz][Ny][V];

  /// What the warp knows of its bundle, in shared memory.
  __device__ __forceinline__ VolumeEntry* own_entries() const {
    return reinterpret_cast<VolumeEntry*>(shared) + warp * entries;
  }
  __device__ __forceinline__ uint4 read_entry() const {
    int const block               = int(blockIdx.y) * g.blocks[1] + int(blockIdx.x);
    auto const* const all_entries = reinterpret_cast<uint4 const*>(g.entries);
    return lane < entries ? __ldg(all_entries + (block * Warps + warp) * entries + lane) : uint4{};
  }
  __device__ __forceinline__ void keep_entry(uint4 const& entry) const {
    if (lane < entries) reinterpret_cast<uint4*>(own_entries())[lane] = entry;
    __syncwarp();
  }
  /// The exchanges of all runs before.
  __device__ __forceinline__ std::uint32_t& epoch_of_run() const {
    return reinterpret_cast<VolumeEntry*>(shared)->place.epoch;
  }

  __device__ __forceinline__ int first_own(int axis) const {
    return int(axis == 0 ? blockIdx.y : blockIdx.x) * g.per_block[axis];
  }
  __device__ __forceinline__ int number_of(int axis, int of_warp) const {
    int const along_z = of_warp * g.inverse >> 16;
    return first_own(axis) + (axis == 0 ? along_z : of_warp - along_z * g.per_block[1]);
  }
  __device__ __forceinline__ bool exists(int of_warp) const {
    return of_warp < g.per_block[0] * g.per_block[1] && number_of(0, of_warp) < g.bundles[0] &&
           number_of(1, of_warp) < g.bundles[1];
  }
  /// Whether the last bundle along an axis begins earlier, over rows of the one before, to end where the range does.
  /// Otherwise it ends with rows that do not change, which lie behind the range, and what comes after these is not
  /// used.
  __device__ __forceinline__ bool begins_earlier(int axis) const {
    return g.beyond[axis][1] != Beyond::nothing_changes;
  }
  __device__ __forceinline__ int first_row(int axis, int number) const {
    int const size = axis == 0 ? Nz : Ny, last = g.end[axis] - size, at = g.begin[axis] + number * size;
    return begins_earlier(axis) && at > last ? last : at;
  }
  /// Rows along an axis that change.
  __device__ __forceinline__ int count(int axis) const {
    int const size = axis == 0 ? Nz : Ny, left = g.end[axis] - first_row(axis, own[axis]);
    return left < size ? left : size;
  }

  /// Links, in registers where there is room.
  static constexpr bool remembers = S::star && spare_registers() > 90;
  VolumeLink remembered[remembers ? directions : 1];
  bool twice;  ///< rows come by lines from both sides along some axis

  template <int d>
  __device__ __forceinline__ VolumeLink link() const {
    if constexpr (remembers) return remembered[d];
    return link_of(d);
  }
  __device__ __forceinline__ VolumeLink const& link_of(int d) const { return own_entries()[1 + d].link; }

  __device__ __forceinline__ void find_links() {
    VolumePlace const place = own_entries()->place;
    uneven = place.uneven != 0, partial = place.partial != 0;
    twice = false;
#pragma unroll
    for (int d = 0; d < directions; d += 2) {
      twice = twice || (link_of(d).receive >= 0 && link_of(d + 1).receive >= 0);
      if constexpr (remembers) remembered[d] = link_of(d), remembered[d + 1] = link_of(d + 1);
    }
  }

  // Rows in shared memory: pieces of 16 bytes a lane, then what is left, each piece of all lanes together.
  template <int Bytes>
  using Piece = std::conditional_t<Bytes == 16, uint4, std::conditional_t<Bytes == 8, uint2, std::uint32_t>>;
  template <int Words, int At, class Each>
  static __device__ __forceinline__ void pieces(Each const& each) {
    if constexpr (At < Words) {
      constexpr int left = Words - At, size = left >= 4 ? 4 : left >= 2 ? 2 : 1;
      each(std::integral_constant<int, At>(), Piece<4 * size>());
      pieces<Words, At + size>(each);
    }
  }
  __device__ __forceinline__ void write_row(int at, A const (&row)[V]) const {
    pieces<row_words, 0>([&](auto word, auto piece) {
      memcpy(&piece, reinterpret_cast<char const*>(row) + 4 * word, sizeof piece);
      *reinterpret_cast<decltype(piece)*>(shared + at + 128 * word + lane * int(sizeof piece)) = piece;
    });
  }
  __device__ __forceinline__ void read_row(int at, A (&row)[V]) const {
    pieces<row_words, 0>([&](auto word, auto piece) {
      piece = *reinterpret_cast<decltype(piece) const*>(shared + at + 128 * word + lane * int(sizeof piece));
      memcpy(reinterpret_cast<char*>(row) + 4 * word, &piece, sizeof piece);
    });
  }

  static constexpr int values_at_once = V * int(sizeof(T)) % 16 == 0  ? 16 / int(sizeof(T))
                                        : V * int(sizeof(T)) % 8 == 0 ? 8 / int(sizeof(T))
                                                                      : 1;
  using Part                          = Piece<values_at_once* int(sizeof(T))>;
  /// What lanes hold behind the end of rows.
  __device__ __forceinline__ A beyond_row() const { return constant_beyond(1); }
  /// The constant before or behind rows, else zero.
  __device__ __forceinline__ A constant_beyond(int side) const {
    // Another place of the argument, with which the compiler finds registers.
    if constexpr (crowded) return A(g.faces[2][side].constant);
    if constexpr (sizeof(A) == sizeof(double)) return g.beyond_rows[side];
    return A(g.beyond_rows_in_float[side]);
  }

  /// Reads the bundle.
  __device__ __forceinline__ void read_own(T const* in) {
    T const* const from = in + z * g.in_stride[0] + y * g.in_stride[1] + x;
    auto const each     = [&](auto const& read) {
#pragma unroll
      for (int k = 0; k < Nz; ++k) {
#pragma unroll
        for (int j = 0; j < Ny; ++j) {
          if (z + k < g.end[0] && y + j < g.end[1]) read(from + k * g.in_stride[0] + j * g.in_stride[1], a[k][j]);
        }
      }
    };
    if (values_at_once > 1 && g.aligned && __all_sync(0xffffffffu, x + V <= g.extent[2] || x >= g.extent[2])) {
      each([&](T const* its, A(&row)[V]) {
#pragma unroll
        for (int v = 0; v < V; v += values_at_once) {
          Part part{};
          if (x < g.extent[2]) part = *reinterpret_cast<Part const*>(its + v);
          memcpy(&row[v], &part, sizeof part);
        }
      });
    } else {
      each([&](T const* its, A(&row)[V]) {
#pragma unroll
        for (int v = 0; v < V; ++v) row[v] = x + v < g.extent[2] ? its[v] : beyond_row();
      });
    }
  }
  /// Copies a row to shared memory.
  __device__ __forceinline__ void copy_row(T const* row, int to) const {
    T const* const from = row + x;
    auto const at       = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)) + to;
    if (values_at_once > 1 && g.aligned && x + V <= g.extent[2]) {
#pragma unroll
      for (int v = 0; v < V; v += values_at_once) {
        constexpr int bytes = values_at_once * int(sizeof(T));
        Ptx::CopyAsyncBytes<bytes>::run(at + v / values_at_once * 32 * bytes + lane * bytes, from + v);
      }
      return;
    }
    pieces<row_words, 0>([&](auto word, auto piece) {
      constexpr int first = word * 4 / int(sizeof(A)), values = int(sizeof piece / sizeof(A));
#pragma unroll
      for (int v = 0; v < values; ++v) {
        std::uint32_t const place = 128 * word + lane * int(sizeof piece) + v * int(sizeof(A));
        if (x + first + v < g.extent[2]) {
          Ptx::CopyAsyncBytes<int(sizeof(T))>::run(at + place, from + first + v);
        } else {
          *reinterpret_cast<A*>(shared + to + place) = beyond_row();
        }
      }
    });
  }
  /// Rows around the bundle, but those that other warps of the block show.
  __device__ __forceinline__ void copy_around(T const* in) const {
    VolumeEntry const* const around = own_entries() + 1 + directions;
    int const rows                  = own_entries()->place.rows;
#pragma unroll 1
    for (int r = 0; r < rows; ++r) {
      VolumeRow const its = around[r].row;
      if (its.constant != 0) {
        A constant;
        memcpy(&constant, &its.from, sizeof constant);
        A row[V];
#pragma unroll
        for (int v = 0; v < V; ++v) row[v] = constant;
        write_row(its.to, row);
      } else {
        copy_row(in + its.from, its.to);
      }
    }
    Ptx::CopyAsync::commit();
  }

  /// Takes the rows that do not change again, which have been swept like all others.
  __device__ __forceinline__ void restore() {
    int const rows_z = count(0), rows_y = count(1);
#pragma unroll
    for (int k = 0; k < Nz; ++k) {
#pragma unroll
      for (int j = 0; j < Ny; ++j) {
        bool const above = k == rows_z, behind = j == rows_y;
        if (above && j < rows_y) read_row(link_of(layout().direction(1, 0)).from + j * row_bytes, a[k][j]);
        if (behind && k < rows_z) read_row(link_of(layout().direction(0, 1)).from + k * row_bytes, a[k][j]);
        if (!S::star && above && behind) read_row(link_of(layout().direction(1, 1)).from, a[k][j]);
      }
    }
  }

  /// The position in the bundle of the row that is shown at a side. The last bundle may have rows of the one before,
  /// and then shows the first of its own.
  __device__ __forceinline__ int shown(int axis, int side) const {
    int const size = axis == 0 ? Nz : Ny, bundles_along = g.bundles[axis];
    if (!begins_earlier(axis)) return side < 0 ? 0 : size - 1;
    int const twice = bundles_along * size - (g.end[axis] - g.begin[axis]);
    if (side < 0) return own[axis] == bundles_along - 1 && bundles_along > 1 ? twice : 0;
    return own[axis] == bundles_along - 2 ? size - 1 - twice : size - 1;
  }

  /// Row i of those that are shown in a direction.
  template <int d, bool Uneven>
  __device__ __forceinline__ void row_shown(int i, A (&row)[V]) const {
    constexpr int side_z = layout().along_z(d), side_y = layout().along_y(d);
    if (!Uneven) {
      int const k = side_z == 0 ? i : side_z < 0 ? 0 : Nz - 1;
      int const j = side_y < 0 ? 0 : side_y > 0 ? Ny - 1 : side_z == 0 ? 0 : i;
#pragma unroll
      for (int v = 0; v < V; ++v) row[v] = a[k][j][v];
      return;
    }
    int const at_z = side_z == 0 ? i : shown(0, side_z), at_y = side_y == 0 ? i : shown(1, side_y);
#pragma unroll
    for (int k = 0; k < Nz; ++k) {
#pragma unroll
      for (int j = 0; j < Ny; ++j) {
        if (k != at_z || j != at_y) continue;
#pragma unroll
        for (int v = 0; v < V; ++v) row[v] = a[k][j][v];
      }
    }
  }

  template <int d, bool Uneven>
  __device__ __forceinline__ void send_to(uint4* to, std::uint32_t epoch) const {
    std::uint32_t words[3 * layout().lines(d)];
#pragma unroll
    for (int i = layout().shown(d) * row_words; i < 3 * layout().lines(d); ++i) words[i] = epoch;
#pragma unroll
    for (int i = 0; i < layout().shown(d); ++i) {
      A row[V] = {};
      row_shown<d, Uneven>(i, row);
      memcpy(&words[i * row_words], row, sizeof row);
    }
#pragma unroll
    for (int i = 0; i < layout().lines(d); ++i) {
      Ptx::StoreLine::run(to + i * 32, make_uint4(words[3 * i], words[3 * i + 1], words[3 * i + 2], epoch));
    }
  }
  template <int d, bool Uneven>
  __device__ __forceinline__ void show_in(int at) const {
#pragma unroll
    for (int i = 0; i < layout().shown(d); ++i) {
      A row[V] = {};
      row_shown<d, Uneven>(i, row);
      write_row(at + i * row_bytes, row);
    }
  }
  __device__ __forceinline__ uint4* lines_of(std::uint32_t epoch) const {
    return static_cast<uint4*>(g.lines) + lane +
           (epoch & 1u) * std::int64_t(g.bundles[0] * g.bundles[1] * all_lines * 32);
  }

  template <bool Uneven, int d = 0>
  __device__ __forceinline__ void send_all(uint4* lines, std::uint32_t epoch) const {
    if constexpr (d < directions) {
      if (int const to = link<d>().send; to >= 0) send_to<d, Uneven>(lines + to, epoch);
      send_all<Uneven, d + 1>(lines, epoch);
    }
  }
  template <bool Uneven, int d = 0>
  __device__ __forceinline__ void show_all(int copy) const {
    if constexpr (d < directions) {
      if (int const to = link<d>().show; to >= 0) show_in<d, Uneven>(to + copy * layout().shown(d) * row_bytes);
      show_all<Uneven, d + 1>(copy);
    }
  }
  __device__ __forceinline__ void send(std::uint32_t epoch) const {
    if (uneven) {
      send_all<true>(lines_of(epoch), epoch);
    } else {
      send_all<false>(lines_of(epoch), epoch);
    }
  }
  __device__ __forceinline__ void show(int copy) const {
    if (uneven) {
      show_all<true>(copy);
    } else {
      show_all<false>(copy);
    }
  }

  struct Source {
    int receive, to;
  };
  template <int group>
  __device__ __forceinline__ Source source(bool second) const {
    VolumeLink const low = link<2 * group>(), high = link<2 * group + 1>();
    bool const takes_high = low.receive < 0 || second;
    return {low.receive < 0 && second ? -1
            : takes_high              ? high.receive
                                      : low.receive,
            takes_high ? high.from : low.from};
  }
  /// Of a line that has not come what have_come() looks at differs from the number.
  template <int group, int Last, int At = 0>
  __device__ __forceinline__ void expect_lines(uint4 (&line)[most_lines()], std::uint32_t epoch, bool second) const {
    if constexpr (group < Last) {
      constexpr int count = layout().lines(2 * group), words = layout().shown(2 * group) * row_words;
      std::uint32_t const its = source<group>(second).receive >= 0 ? ~epoch : epoch;
#pragma unroll
      for (int i = 0; i < count; ++i) {
        line[At + i] = make_uint4(0, 3 * i + 1 < words ? 0 : its, 3 * i + 2 < words ? 0 : its, its);
      }
      expect_lines<group + 1, Last, At + count>(line, epoch, second);
    }
  }
  /// Loads lines that have not come. No branch and no look at what came in between: all are under way together.
  template <int group, int Last, int At = 0>
  __device__ __forceinline__ void load_lines(uint4 (&line)[most_lines()], uint4 const* lines, std::uint32_t epoch,
                                             bool second) const {
    if constexpr (group < Last) {
      constexpr int count   = layout().lines(2 * group);
      uint4 const* const at = lines + source<group>(second).receive;
#pragma unroll
      for (int i = 0; i < count; ++i) Ptx::LoadLineIf::run(line[At + i], at + i * 32, line[At + i].w != epoch);
      load_lines<group + 1, Last, At + count>(line, lines, epoch, second);
    }
  }
  /// Whether all have come. What fills a line beside its values is the number as well.
  template <int group, int Last, int At = 0>
  __device__ __forceinline__ bool have_come(uint4 const (&line)[most_lines()], std::uint32_t epoch) const {
    if constexpr (group < Last) {
      constexpr int count = layout().lines(2 * group), words = layout().shown(2 * group) * row_words;
      bool there = true;
#pragma unroll
      for (int i = 0; i < count; ++i) {
        uint4 const& its = line[At + i];
        there =
            there && its.w == epoch && (3 * i + 1 < words || its.y == epoch) && (3 * i + 2 < words || its.z == epoch);
      }
      return have_come<group + 1, Last, At + count>(line, epoch) && there;
    }
    return true;
  }
  template <int group, int Last, int At = 0>
  __device__ __forceinline__ void keep_lines(uint4 const (&line)[most_lines()], bool second) const {
    if constexpr (group < Last) {
      constexpr int count = layout().lines(2 * group);
      if (Source const its = source<group>(second); its.receive >= 0) {
        std::uint32_t words[3 * count];
#pragma unroll
        for (int i = 0; i < count; ++i) {
          words[3 * i] = line[At + i].x, words[3 * i + 1] = line[At + i].y, words[3 * i + 2] = line[At + i].z;
        }
#pragma unroll
        for (int i = 0; i < layout().shown(2 * group); ++i) {
          A row[V];
          memcpy(row, &words[i * row_words], sizeof row);
          write_row(its.to + i * row_bytes, row);
        }
      }
      keep_lines<group + 1, Last, At + count>(line, second);
    }
  }
  template <int group>
  __device__ __forceinline__ void receive(std::uint32_t epoch, bool second) const {
    if constexpr (group < groups) {
      // One after the other where all together would take too many registers.
      constexpr int last = Nz * Ny * row_words < 90 ? groups : group + 1;
      uint4 line[most_lines()];
      uint4 const* const lines = lines_of(epoch);
      expect_lines<group, last>(line, epoch, second);
      do {
        load_lines<group, last>(line, lines, epoch, second);
      } while (!__all_sync(0xffffffffu, have_come<group, last>(line, epoch)));
      keep_lines<group, last>(line, second);
      receive<last>(epoch, second);
    }
  }
  __device__ __forceinline__ void receive(std::uint32_t epoch) const {
    receive<0>(epoch, false);
    if (twice) receive<0>(epoch, true);
  }

  /// A row with the columns on either side of the lane's.
  template <bool Ends>
  __device__ __forceinline__ void widen(A const (&row)[V], A (&wide)[V + 2]) const {
#pragma unroll
    for (int v = 0; v < V; ++v) wide[1 + v] = row[v];
    wide[0]     = __shfl_sync(0xffffffffu, row[V - 1], left);
    wide[V + 1] = __shfl_sync(0xffffffffu, row[0], right);
    if (Ends) {
      if (left_end) wide[0] = g.faces[2][0].kind == BoundaryKind::value ? constant_beyond(0) : row[0];
      if (right_end) wide[V + 1] = g.faces[2][1].kind == BoundaryKind::value ? constant_beyond(1) : row[V - 1];
    }
  }

  template <int d = 0>
  __device__ __forceinline__ void find_rows(int (&from)[directions], int copy) const {
    if constexpr (d < directions) {
      VolumeLink const its = link<d>();
      from[d]              = its.from + (copy != 0 && its.show >= 0 ? layout().shown(d) * row_bytes : 0);
      find_rows<d + 1>(from, copy);
    }
  }

  /// One sweep in place: rows in ascending order, each added to the sums of those around it, so terms are added in
  /// canonical order. A plane of sums is done, and takes the place of what it was, with the plane above it.
  template <bool Masked, bool Ends>
  __device__ __forceinline__ void sweep(int copy) {
    int from[directions];
    find_rows(from, copy);
    A sum[Nz][Ny][V];
#pragma unroll
    for (int k = -1; k <= Nz; ++k) {
#pragma unroll
      for (int j = -1; j <= Ny; ++j) {
        int const side_z = k < 0 ? -1 : k == Nz ? 1 : 0, side_y = j < 0 ? -1 : j == Ny ? 1 : 0;
        if (S::star && side_z != 0 && side_y != 0) continue;
        A row[V];
        if (side_z == 0 && side_y == 0) {
#pragma unroll
          for (int v = 0; v < V; ++v) row[v] = a[k][j][v];
        } else {
          read_row(from[layout().direction(side_z, side_y)] + (side_z == 0 ? k : side_y == 0 ? j : 0) * row_bytes, row);
        }
        A wide[V + 2];
        if (!S::star || (side_z == 0 && side_y == 0)) {
          widen<Ends>(row, wide);
        } else {
#pragma unroll
          for (int v = 0; v < V; ++v) wide[1 + v] = row[v];
        }
#pragma unroll
        for (int tz = 1; tz >= -1; --tz) {
          if (k - tz < 0 || k - tz >= Nz) continue;
#pragma unroll
          for (int ty = 1; ty >= -1; --ty) {
            if (j - ty < 0 || j - ty >= Ny) continue;
#pragma unroll
            for (int tx = -1; tx <= 1; ++tx) {
              if (!S::has(tz, ty, tx)) continue;
              A const q        = c.c[S::index(tz, ty, tx)];
              A(&to)[V]        = sum[k - tz][j - ty];
              bool const first = S::index(tz, ty, tx) == 0;
              bool const later = tz > 0 || (tz == 0 && ty > 0);
#pragma unroll
              for (int v = 0; v < V; ++v) {
                A const w = wide[1 + v + tx];
                if (first) {
                  to[v] = times(q, w);
                } else if (Masked && later && !chooses_late) {
                  Ptx::FuseIf<A>::run(to[v], q, w, columns & 1u << v);
                } else {
                  to[v] = fused(q, w, to[v]);
                }
              }
            }
            // Where nothing changes: the sum is the value that was there, and no later term is added.
            if (Masked && !chooses_late && tz == 0 && ty == 0) {
#pragma unroll
              for (int v = 0; v < V; ++v) {
                A& to = sum[k][j][v];
                to    = (columns & 1u << v) != 0 ? to : row[v];
              }
            }
          }
        }
      }
      if (k < 1) continue;
#pragma unroll
      for (int j = 0; j < Ny; ++j) {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          bool const changes = !Masked || !chooses_late || (columns & 1u << v) != 0;
          a[k - 1][j][v]     = changes ? sum[k - 1][j][v] : a[k - 1][j][v];
        }
      }
    }
  }

  /// Calls a function for each row that the bundle has to itself, and where it lies in the output.
  template <class F>
  __device__ __forceinline__ void for_rows(T* out, F const& f) const {
    // Rows that the bundle before has as well are left to it.
    int skip[2];
#pragma unroll
    for (int axis = 0; axis < 2; ++axis) {
      bool const shared_rows = begins_earlier(axis) && own[axis] + 1 == g.bundles[axis];
      skip[axis] = shared_rows ? g.bundles[axis] * (axis == 0 ? Nz : Ny) - (g.end[axis] - g.begin[axis]) : 0;
    }
    int const rows_z = count(0), rows_y = count(1);
    T* const first = out + z * g.out_stride[0] + y * g.out_stride[1] + x;
#pragma unroll
    for (int k = 0; k < Nz; ++k) {
#pragma unroll
      for (int j = 0; j < Ny; ++j) {
        if (k < skip[0] || j < skip[1] || k >= rows_z || j >= rows_y) continue;
        f(a[k][j], first + k * g.out_stride[0] + j * g.out_stride[1]);
      }
    }
  }

  __device__ __forceinline__ void store(T* out) const {
    for_rows(out, [&](A const(&row)[V], T* to) {
      if (values_at_once > 1 && g.aligned && columns == all) {
#pragma unroll
        for (int v = 0; v < V; v += values_at_once) {
          Part part;
          memcpy(&part, &row[v], sizeof part);
          *reinterpret_cast<Part*>(to + v) = part;
        }
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if (columns >> v & 1u) to[v] = row[v];
        }
      }
    });
  }

  /// A thread's part of the change from what it has stored to its values now.
  __device__ __forceinline__ double change_of(T* out) const {
    double mine = 0.0;
    for_rows(out, [&](A const(&row)[V], T const* from) {
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (columns >> v & 1u) add(g.change.largest, T(row[v]), from[v], mine);
      }
    });
    return mine;
  }

  __device__ __forceinline__ void find_place() {
    warp = __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0), lane = int(threadIdx.x % 32);
    own[0] = number_of(0, warp), own[1] = number_of(1, warp);
    works = exists(warp);
    z = first_row(0, own[0]), y = first_row(1, own[1]), x = g.first + lane * V;
    columns = 0;
#pragma unroll
    for (int v = 0; v < V; ++v) columns |= (x + v >= g.begin[2] && x + v < g.end[2] ? 1u : 0u) << v;
  }
  __device__ __forceinline__ void find_ends() {
    // The lane with the last columns of the volume, where these fill it.
    int const last         = (g.extent[2] - g.first) / V - 1;
    bool const whole       = (g.extent[2] - g.first) % V == 0;
    bool const wraps_left  = g.begin[2] == 0 && g.faces[2][0].kind == BoundaryKind::periodic;
    bool const wraps_right = g.end[2] == g.extent[2] && g.faces[2][1].kind == BoundaryKind::periodic;
    left                   = lane > 0 ? lane - 1 : wraps_left ? last : 0;
    right                  = lane == last && wraps_right ? 0 : lane < 31 ? lane + 1 : 31;
    left_end               = lane == 0 && g.begin[2] == 0 && !wraps_left;
    right_end              = lane == last && whole && g.end[2] == g.extent[2] && !wraps_right;
  }
};

/// All sweeps of a run.
template <class T, class S, int V, int Nz, int Ny, int Warps, bool finds_change>
__device__ __forceinline__ void run(Temporal::BrickCoefficients<Accumulator<T>, S::count> const& c, VolumeArgs const& g,
                                    T const* in, T* out) {
  extern __shared__ __align__(16) unsigned char shared[];
  using B = Bundle<T, S, V, Nz, Ny, Warps>;
  B bundle{g, c, shared};
  bool const exchanges  = g.blocks[0] * g.blocks[1] > 1 && g.sweeps > 1;
  unsigned const thread = (blockIdx.y * gridDim.x + blockIdx.x) * (32 * Warps) + threadIdx.x;
  GhostCopier<T> ghosts{g.ghosts, in, out, thread, gridDim.x * gridDim.y * (32 * Warps)};
  ghosts.begin();
  Turn turn{g.control};
  if (exchanges) turn.ask();
  bundle.find_place();
  uint4 const entry = bundle.read_entry();
  ghosts.end();
  // First, where there are registers for what comes meanwhile.
  if (B::remembers && bundle.works) bundle.read_own(in);
  bundle.keep_entry(entry);
  if (bundle.works) {
    bundle.copy_around(in);
    if (!B::remembers) bundle.read_own(in);
  }
  if (exchanges) turn.ask_again();
  bundle.find_links();
  bundle.find_ends();
  Ptx::CopyAsync::wait<0>();
  if (bundle.works) {
    if (bundle.partial) bundle.restore();
    bundle.show(0);
  }
  if (threadIdx.x == 0) bundle.epoch_of_run() = exchanges ? turn.take() : 0;
  __syncthreads();
  bool const ends = g.ends, masked = g.masked;
  // The number of the sweep among those of all runs of the plan; before the first one nothing has to be received.
  std::uint32_t epoch = bundle.epoch_of_run();
  for (std::uint32_t const last = epoch + std::uint32_t(g.sweeps) - 1;; ++epoch) {
    if (epoch == last && exchanges) turn.leave();
    if (epoch == last && finds_change && g.change.parts != nullptr) break;
    int const copy = int(epoch & 1u);
    if (bundle.works) {
      if (ends || B::crowded) {
        bundle.template sweep<true, true>(copy);
      } else if (masked) {
        bundle.template sweep<true, false>(copy);
      } else {
        bundle.template sweep<false, false>(copy);
      }
    }
    if (epoch == last) break;
    if (bundle.works) {
      if (bundle.partial) bundle.restore();
      bundle.send(epoch + 1);
      bundle.show(1 - copy);
    }
    __syncthreads();
    if (bundle.works) bundle.receive(epoch + 1);
  }
  // Where the bundle lies was not kept in registers.
  bundle.find_place();
  if (finds_change && g.change.parts != nullptr) {
    if (bundle.works) {
      bundle.store(anew(out));
      bundle.template sweep<true, true>(int(epoch & 1u));
      bundle.find_place();
    }
    int const block = int(blockIdx.y) * g.blocks[1] + int(blockIdx.x);
    leave_change(g.change, bundle.works ? bundle.change_of(anew(out)) : 0.0, block * Warps + bundle.warp);
  }
  if (bundle.works) bundle.store(anew(out));
  if (exchanges) turn.end(epoch);
}

/// All blocks have to be on the GPU at once: a cooperative launch. Before 9.0 there are no kernels: for 8.0 the
/// compiler has no registers for the largest ones.
template <class T, class S, int V, int Nz, int Ny, int Warps, bool finds_change>
__global__ void __launch_bounds__(32 * Warps, 1)
    volume_kernel(__grid_constant__ Temporal::BrickCoefficients<Accumulator<T>, S::count> const c,
                  __grid_constant__ VolumeArgs const g, T const* __restrict__ in, T* __restrict__ out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  run<T, S, V, Nz, Ny, Warps, finds_change>(c, g, in, out);
#endif
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct VolumeInstance {
  static constexpr VolumeTuning tuning = volume_table(Temporal::value_type<T>).rows[Row];
  using S                              = Temporal::SpaceShape<1, tuning.shape.star>;
  static constexpr auto kernel =
      volume_kernel<T, S, tuning.columns_per_lane, tuning.rows[0], tuning.rows[1], tuning.warps, tuning.finds_change()>;

  static int prepare(int shared_bytes) { return blocks_of_multiprocessor(kernel, 32 * tuning.warps, shared_bytes); }

  static void launch(void const* coefficients, VolumeArgs const& args, int shared_bytes, void const* in, void* out,
                     cudaStream_t stream) {
    Temporal::BrickCoefficients<Accumulator<T>, S::count> c;
    memcpy(c.c, coefficients, sizeof c.c);
    launch_cooperative(kernel, dim3(unsigned(args.blocks[1]), unsigned(args.blocks[0])), 32 * tuning.warps,
                       shared_bytes, stream, c, args, static_cast<T const*>(in), static_cast<T*>(out));
  }
};

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
