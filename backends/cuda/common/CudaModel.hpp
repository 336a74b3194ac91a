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

/// A shape that a kernel is made for.
struct Shape {
  bool star  = false;
  int rank   = 0;  ///< the axes that it reaches along are the last `rank` ones; 0: none
  int radius = 0;  ///< the same along all of them
};

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
