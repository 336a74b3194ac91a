// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "direct/Geometry.hpp"
#include "direct/Tuning.hpp"

#include <KokkosStencil_Backend.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// How cuda_direct does a sweep, and what that costs: plain C++, for the backend and for kokkosstencil_explain.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

enum class Algorithm {
  shape,  ///< a kernel made for the stencil's shape, points near faces after it
  taps,   ///< a list of terms, several points a thread, points near faces after it
  points  ///< a list of terms, a point a thread, points near faces in the same launch
};

struct SweepPlan {
  Algorithm algorithm       = Algorithm::taps;
  ShapeTuning const* kernel = nullptr;  ///< for Algorithm::shape
  Model::Kernel cost;
};

/// The kernels made for shapes, of a value type.
struct ShapeTunings {
  ShapeTuning const* first;
  std::size_t count;

  ShapeTuning const* begin() const { return first; }
  ShapeTuning const* end() const { return first + count; }
};
ShapeTunings shape_tunings(ValueType type);

/// Whether rows of the input begin at different places in 16 bytes.
bool reads_anywhere(Problem const& problem);

/// The first kernel made for the stencil's shape, else for one that encloses it; null if there is none, or if rows
/// begin anywhere and it cannot read them.
ShapeTuning const* find_kernel(Problem const& problem);

/// Why cuda_direct cannot run a problem; empty if it can.
std::string unsupported_reason(Problem const& problem, DeviceModel const& device);

/// The fastest way, or the one that the environment asks for (KOKKOSSTENCIL_CUDA_DIRECT=shape, taps or points, where
/// there is it).
SweepPlan plan_sweep(Problem const& problem, DeviceModel const& device);

/// `steps` sweeps, one after another.
Estimate cost_of_sweeps(Problem const& problem, DeviceModel const& device, std::int64_t steps);
std::vector<Estimate> cost(Problem const& problem, DeviceModel const& device);

/// How tiles cover rows of volumes: tiles of so many lanes along x, and for what whole ones of 32 lanes leave at the
/// end of rows tiles of `tail` lanes, by a launch of their own; 0: none.
struct Across {
  int lanes, tail;
};
/// The fastest way for `rows` rows of so many columns. `whole_vectors`: they begin and end with vectors of 16 bytes.
/// `cache_bytes`: of the second-level cache.
Across across_rows(ShapeTuning const& kernel, std::int64_t columns, std::int64_t rows, int value_bytes,
                   bool whole_vectors, std::int64_t cache_bytes);

/// Which of the kernels made for a shape: the first one, that with the update norm, that for an Update.
enum class Variant { plain, norm, update };

/// The tuning of a kernel on a GPU, whose memory may be slow beside its multiprocessors.
ShapeTuning on_device(ShapeTuning const& kernel, DeviceModel const& device);

/// How a kernel made for a shape covers the range of a problem on a GPU, for Views that may begin anywhere.
class ShapeCut {
 public:
  ShapeCut(ShapeTuning const& kernel, Problem const& problem, int multiprocessors, std::int64_t cache_bytes);

  struct Launch {
    Geometry geometry;
    std::uint32_t blocks;
    std::int64_t first_in, first_out;  ///< elements from the first of the Views to those that the geometry counts from
    PointBox done;                     ///< the points that are written
    bool anywhere;                     ///< by the kernel for rows that begin anywhere, or for such lines
    bool joined;                       ///< by that which takes planes as lines
    bool more;                         ///< by that whose last tile of a row takes a few columns more
    int cut;                           ///< index into row_cuts, of a plane that is cut into other rows; else -1
    bool past_faces;                   ///< finds what it needs past some of them
    int lanes;                         ///< along x of a tile: 32, or one of short_row_lanes
    Geometry tail;                     ///< of a second launch, for what is left at the end of rows
    std::uint32_t tail_blocks;         ///< of that; 0: there is none
  };
  /// For these addresses and a kernel, which may have other tiles; nothing if it cannot run.
  std::optional<Launch> launch(std::uintptr_t in, std::uintptr_t out, Variant variant) const;

 private:
  /// Tiles along each axis; `narrow` ones of a plane beside them.
  struct Tiles {
    std::int64_t x, y, z, narrow;
  };
  /// Deals them out to blocks, of which it returns how many there are; 0: too many. Streams have a part of their axis.
  std::uint32_t deal(ShapeTuning const& kernel, Tiles tiles, Geometry& geometry) const;

  ShapeTuning m_kernel;
  std::array<std::int64_t, 3> m_extent, m_in_stride, m_out_stride;
  int m_value_bytes;
  std::array<std::array<Face, 2>, 3> m_faces;
  bool m_corners_in_order;
  bool m_reads_anywhere;  ///< rows of the input begin at different places in 16 bytes
  int m_multiprocessors;
  std::int64_t m_cache_bytes;
  PointBox m_range;
};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
