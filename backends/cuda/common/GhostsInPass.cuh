// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/GhostsInPass.hpp"

#include <cuda_runtime.h>

namespace KokkosStencil {
namespace Cuda {

/// What a thread copies. Its first item is under way from begin() to end(), for which there should be something to do
/// between.
template <class T>
struct GhostCopier {
  GhostsInPass const& g;
  T const* in;
  T* out;
  unsigned thread, threads;
  T* to      = nullptr;
  bool whole = false;
  uint4 vector{};
  T value{};

  __device__ __forceinline__ void load(unsigned item) {
    int which = 0;
    while (which + 1 < g.boxes && item >= unsigned(g.box[which + 1].first)) ++which;
    GhostsInPass::Box const& box = g.box[which];
    unsigned const at = item - unsigned(box.first), row = at / unsigned(box.items),
                   column = at - row * unsigned(box.items);
    unsigned const plane = row / unsigned(box.rows), line = row - plane * unsigned(box.rows);
    std::int64_t const z = box.plane + int(plane), y = box.row + int(line), x = box.column + int(column) * box.width;
    T const* const from = in + z * g.in_stride[0] + y * g.in_stride[1] + x;
    to                  = out + z * g.out_stride[0] + y * g.out_stride[1] + x;
    whole               = box.width > 1;
    if (whole) {
      vector = *reinterpret_cast<uint4 const*>(from);
    } else {
      value = *from;
    }
  }
  __device__ __forceinline__ void store() const {
    if (whole) {
      *reinterpret_cast<uint4*>(to) = vector;
    } else {
      *to = value;
    }
  }

  __device__ __forceinline__ void begin() {
    if (thread < unsigned(g.items)) load(thread);
  }
  __device__ __forceinline__ void end() {
    if (to != nullptr) store();
#pragma unroll 1
    for (unsigned item = thread + threads; item < unsigned(g.items); item += threads) {
      load(item);
      store();
    }
  }
};

}  // namespace Cuda
}  // namespace KokkosStencil
