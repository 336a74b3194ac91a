// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Instances.cuh"
#include "StreamCut.cuh"

// The kernels for planes that are cut into other rows: apart from the others, to be compiled beside them.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// An entry's tuning for such planes.
template <class T, class K>
struct ForCuts {
  static constexpr ShapeTuning tuning = K::tuning.for_cuts(sizeof(T));
};

template <class T, class S, class K, int Cut>
cudaError_t prepare_cut() {
  if constexpr (K::tuning.has_cut(Cut, sizeof(T))) {
    return prepare(stream_rows_cut_kernel<T, S, K, Cut>, K::tuning.cut_ring_bytes(sizeof(T), Cut));
  }
  return cudaSuccess;
}
template <class T, class S, class K, int Cut>
constexpr ShapeLauncher::Launch launch_cut() {
  if constexpr (K::tuning.has_cut(Cut, sizeof(T))) {
    return
        [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
          constexpr int threads = K::tuning.threads(), bytes = K::tuning.cut_ring_bytes(sizeof(T), Cut);
          Cuda::launch_kernel(stream_rows_cut_kernel<T, S, K, Cut>, blocks, threads, bytes, stream,
                              coefficients<T, S>(table), g, static_cast<T const*>(in), static_cast<T*>(out));
        };
  }
  return nullptr;
}

template <class T, class K, int... Cut>
constexpr CutLauncher cut_launcher_of(std::integer_sequence<int, Cut...>) {
  CutLauncher l{};
  if constexpr ((K::tuning.has_cut(Cut, sizeof(T)) || ...)) {
    using S    = ShapeOf<K>;
    using Here = ForCuts<T, K>;
    l.prepare  = [] {
      for (auto const status : {prepare_cut<T, S, Here, Cut>()...}) {
        if (status != cudaSuccess) return status;
      }
      return cudaSuccess;
    };
    ((l.launch[Cut] = launch_cut<T, S, Here, Cut>()), ...);
  }
  return l;
}

template <class T, std::size_t... I>
CutLauncher const& cut_launcher(std::size_t kernel, std::index_sequence<I...>) {
  static constexpr CutLauncher all[] = {
      cut_launcher_of<T, Line<T, I>>(std::make_integer_sequence<int, count_of_cuts>())...};
  return all[kernel];
}

template <class T>
CutLauncher const& cut_launcher(std::size_t kernel) {
  return cut_launcher<T>(kernel, std::make_index_sequence<std::size(shape_table<T>())>());
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
