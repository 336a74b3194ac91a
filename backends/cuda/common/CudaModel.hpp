// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>

#include <cstddef>
#include <string>

// What plans of all families ask of a stencil and of a GPU, which need not be there.

namespace KokkosStencil {
namespace Cuda {

/// Which terms of a shape there are.
enum class Terms {
  all,
  but_centre,  ///< all but the one at the point itself
  some,        ///< any of them
};

/// A shape that a kernel is made for.
struct Shape {
  bool star   = false;
  int rank    = 0;  ///< the axes that it reaches along are the last `rank` ones; 0: none
  int radius  = 0;  ///< the same along all of them
  Terms terms = Terms::all;
};
constexpr bool operator==(Shape const& a, Shape const& b) {
  return a.star == b.star && a.rank == b.rank && a.radius == b.radius && a.terms == b.terms;
}

/// The number of all terms of a shape.
constexpr int term_count(Shape const& shape) {
  int count = 1;
  for (int a = 0; a < shape.rank; ++a) {
    count = shape.star ? count + 2 * shape.radius : count * (2 * shape.radius + 1);
  }
  return count;
}

/// Place of the term with these offsets among all terms of a shape with these reaches, in canonical order.
constexpr int term_index(bool star, int rz, int ry, int rx, int dz, int dy, int dx) {
  if (!star) return ((dz + rz) * (2 * ry + 1) + dy + ry) * (2 * rx + 1) + dx + rx;
  if (dz < 0) return dz + rz;
  if (dz > 0) return rz + 2 * (ry + rx) + dz;
  if (dy < 0) return rz + dy + ry;
  if (dy > 0) return rz + ry + 2 * rx + dy;
  return rz + ry + dx + rx;
}

/// How far one sweep reaches along an axis, either way.
int reach_of(Problem const& problem, std::size_t axis);
/// Bytes of shared memory that a block may have at most.
int shared_bytes_of(int compute_capability);
/// How many blocks with block_bytes of shared memory fit on a multiprocessor on which one block may have shared_bytes.
int blocks_by_shared_memory(int shared_bytes, int block_bytes);

/// Why no kernel takes a problem whose stencil reaches farther than 2^15 points; empty if it does not.
std::string distant_unsupported_reason(Problem const& problem);

}  // namespace Cuda
}  // namespace KokkosStencil
