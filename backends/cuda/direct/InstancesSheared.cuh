// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Instances.cuh"
#include "StreamSheared.cuh"

// The kernels for planes that are cut into other rows: apart from the others, to be compiled beside them.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// An entry's tuning for such planes.
template <class T, class K>
struct Sheared {
  static constexpr ShapeTuning tuning = K::tuning.for_sheared(sizeof(T));
};

/// Adds the kernel for shears[I]; those of 8 bytes a value need the first one only.
template <class T, class S, class K, int I>
constexpr void add_sheared(ShearedLauncher& l) {
  if constexpr (I == 0 || sizeof(T) == 4) {
    l.launch[I] = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                     cudaStream_t stream) {
      constexpr int threads = K::tuning.threads(), bytes = K::tuning.sheared_ring_bytes(sizeof(T), shears[I]);
      Cuda::launch_kernel(stream_rows_sheared_kernel<T, S, K, shears[I]>, blocks, threads, bytes, stream,
                          coefficients<T, S>(table), g, static_cast<T const*>(in), static_cast<T*>(out));
    };
  }
}
template <class T, class S, class K, int I>
cudaError_t prepare_sheared() {
  if constexpr (I == 0 || sizeof(T) == 4) {
    return prepare(stream_rows_sheared_kernel<T, S, K, shears[I]>, K::tuning.sheared_ring_bytes(sizeof(T), shears[I]));
  }
  return cudaSuccess;
}

template <class T, class K>
constexpr ShearedLauncher sheared() {
  ShearedLauncher l{};
  if constexpr (K::tuning.has_sheared(sizeof(T))) {
    using S    = ShapeOf<K>;
    using Here = Sheared<T, K>;
    l.prepare  = [] {
      for (auto const status :
           {prepare_sheared<T, S, Here, 0>(), prepare_sheared<T, S, Here, 1>(), prepare_sheared<T, S, Here, 2>()}) {
        if (status != cudaSuccess) return status;
      }
      return cudaSuccess;
    };
    add_sheared<T, S, Here, 0>(l);
    add_sheared<T, S, Here, 1>(l);
    add_sheared<T, S, Here, 2>(l);
  }
  return l;
}

template <class T, std::size_t... I>
ShearedLauncher const& sheared_of(std::size_t kernel, std::index_sequence<I...>) {
  static constexpr ShearedLauncher all[] = {sheared<T, Line<T, I>>()...};
  return all[kernel];
}

template <class T>
ShearedLauncher const& sheared_launcher(std::size_t kernel) {
  return sheared_of<T>(kernel, std::make_index_sequence<std::size(shape_table<T>())>());
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
