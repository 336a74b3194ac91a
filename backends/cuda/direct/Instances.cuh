// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"
#include "LinesKernel.cuh"
#include "RowsKernel.cuh"
#include "StreamColumnsKernel.cuh"
#include "StreamAnywhere.cuh"
#include "StreamPlanesKernel.cuh"
#include "StreamRowsKernel.cuh"
#include "Tuning.hpp"
#include "VolumeAnywhere.cuh"
#include "VolumeInPhase.cuh"
#include "VolumeJoined.cuh"
#include "VolumeWords.cuh"
#include "arch/DependentLaunch.hpp"
#include "common/LaunchKernel.hpp"

#include <cstring>
#include <iterator>
#include <utility>

// The kernels made for shapes: one for each entry of the tables in Tuning.hpp.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

template <class T>
constexpr auto const& shape_table() {
  if constexpr (sizeof(T) == 8) {
    return double_kernels;
  } else if constexpr (sizeof(T) == 4) {
    return float_kernels;
  } else {
    return half_kernels;
  }
}

/// Entry I of the table, as a template argument of its kernel.
template <class T, std::size_t I>
struct Line {
  static constexpr ShapeTuning tuning = shape_table<T>()[I];
};
/// The same for the kernel that finds the update norm as well.
template <class K>
struct WithNorm {
  static constexpr ShapeTuning tuning = K::tuning.with_norm();
};
/// The same for the kernel that updates its output.
template <class K>
struct WithUpdate {
  static constexpr ShapeTuning tuning = K::tuning.with_update();
};
/// That finds what it needs past faces.
template <class K>
struct WithFaces {
  static constexpr ShapeTuning tuning = K::tuning.with_faces();
};
/// For short rows.
template <class K, int Lanes>
struct WithLanes {
  static constexpr ShapeTuning tuning = K::tuning.with_lanes(Lanes);
};
/// For lines whose output begins elsewhere in 16 bytes.
template <class K>
struct WithShift {
  static constexpr ShapeTuning tuning = K::tuning.with_shift();
};
/// For rows that begin anywhere.
template <class T, class K>
struct Anywhere {
  static constexpr ShapeTuning tuning = K::tuning.for_anywhere(sizeof(T));
};

/// For those that end a few columns past whole tiles.
template <class T, class K>
struct MoreAnywhere {
  static constexpr ShapeTuning tuning = K::tuning.for_more_anywhere(sizeof(T));
};

/// For planes that are taken as lines.
template <class K>
struct Joined {
  static constexpr ShapeTuning tuning = K::tuning.for_joined();
};

template <class K>
using ShapeOf =
    KernelShape<K::tuning.shape.star, K::tuning.reach(0), K::tuning.reach(1), K::tuning.reach(2), K::tuning.masked>;

template <class T, class S>
Table<T, S> coefficients(void const* from) {
  Table<T, S> c;
  std::memcpy(c.value, from, sizeof c.value);
  if constexpr (S::masked) std::memcpy(c.mask, static_cast<char const*>(from) + sizeof c.value, sizeof c.mask);
  return c;
}

/// The kernel of an entry, with a norm, an update, or neither.
template <class T, class S, class K, class N>
constexpr auto shape_kernel() {
  if constexpr (K::tuning.structure == Structure::rows) {
    return rows_kernel<T, S, K, N>;
  } else if constexpr (K::tuning.structure == Structure::lines) {
    return lines_kernel<T, S, K, N>;
  } else if constexpr (K::tuning.structure == Structure::stream_rows) {
    return stream_rows_kernel<T, S, K, N>;
  } else if constexpr (K::tuning.structure == Structure::stream_columns) {
    return stream_columns_kernel<T, S, K, N>;
  } else {
    return stream_planes_kernel<T, S, K, N>;
  }
}

/// That for rows that begin anywhere.
template <class T, class S, class K>
constexpr auto anywhere_kernel() {
  if constexpr (K::tuning.structure == Structure::stream_rows) {
    return stream_rows_anywhere_kernel<T, S, K>;
  } else if constexpr (K::tuning.puts_in_phase) {
    return volume_in_phase_kernel<T, S, K>;
  } else if constexpr (K::tuning.groups_a_lane > 0 && sizeof(T) == 2) {
    return volume_words_kernel<T, S, K>;
  } else if constexpr (K::tuning.groups_a_lane > 0) {
    return volume_anywhere_kernel<T, S, K>;
  } else {
    return stream_planes_anywhere_kernel<T, S, K>;
  }
}

template <class Kernel>
cudaError_t prepare(Kernel* kernel, int bytes) {
  if (bytes == 0) return cudaSuccess;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

template <class T, class S, class K, class N>
void launch(void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out, N const& norm,
            cudaStream_t stream) {
  constexpr int threads = K::tuning.threads(), bytes = K::tuning.ring_bytes(sizeof(T));
  auto const* const from = static_cast<T const*>(in);
  auto* const to         = static_cast<T*>(out);
  Cuda::launch_kernel(shape_kernel<T, S, K, N>(), blocks, threads, bytes, stream, coefficients<T, S>(table), g, from,
                      to, norm);
}

/// The kernels with short_row_lanes[I] lanes along x.
template <class T, class S, class K, int I>
cudaError_t prepare_short_rows() {
  if constexpr (K::tuning.has_lanes(short_row_lanes[I], sizeof(T))) {
    using Short       = WithLanes<K, short_row_lanes[I]>;
    int const bytes   = Short::tuning.ring_bytes(sizeof(T));
    auto const status = prepare(shape_kernel<T, S, Short, NoNorm>(), bytes);
    if (status != cudaSuccess || !K::tuning.has_faces(sizeof(T))) return status;
    if constexpr (K::tuning.has_faces(sizeof(T))) return prepare(shape_kernel<T, S, WithFaces<Short>, NoNorm>(), bytes);
  }
  return cudaSuccess;
}
template <class T, class S, class K, int I>
constexpr void add_short_rows(ShapeLauncher& l) {
  if constexpr (K::tuning.has_lanes(short_row_lanes[I], sizeof(T))) {
    using Short            = WithLanes<K, short_row_lanes[I]>;
    l.launch_short_rows[I] = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                                cudaStream_t stream) {
      launch<T, S, Short>(table, g, blocks, in, out, NoNorm(), stream);
    };
    if constexpr (K::tuning.has_faces(sizeof(T))) {
      l.launch_short_rows_past_faces[I] = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in,
                                             void* out, cudaStream_t stream) {
        launch<T, S, WithFaces<Short>>(table, g, blocks, in, out, NoNorm(), stream);
      };
    }
  }
}

/// A kernel for short rows, beside that of wide tiles.
template <class T, class S, class K>
constexpr ShapeLauncher::Launch launch_beside() {
  return
      [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out, cudaStream_t stream) {
        constexpr int threads = K::tuning.threads(), bytes = K::tuning.ring_bytes(sizeof(T));
        constexpr auto kernel = shape_kernel<T, S, K, NoNorm>();
        Cuda::launch_concurrent<kernel>(true, blocks, threads, bytes, stream, coefficients<T, S>(table), g,
                                        static_cast<T const*>(in), static_cast<T*>(out), NoNorm());
      };
}

template <class T, class K>
constexpr ShapeLauncher launcher() {
  using S = ShapeOf<K>;
  ShapeLauncher l{};
  l.prepare = [] {
    if constexpr (K::tuning.has_norm()) {
      using Norm        = WithNorm<K>;
      auto const status = prepare(shape_kernel<T, S, Norm, SweepNorm>(), Norm::tuning.ring_bytes(sizeof(T)));
      if (status != cudaSuccess) return status;
    }
    if constexpr (K::tuning.has_update(sizeof(T))) {
      using Update      = WithUpdate<K>;
      auto const status = prepare(shape_kernel<T, S, Update, WithFactors<T>>(), Update::tuning.ring_bytes(sizeof(T)));
      if (status != cudaSuccess) return status;
    }
    if constexpr (K::tuning.has_faces(sizeof(T))) {
      auto const status = prepare(shape_kernel<T, S, WithFaces<K>, NoNorm>(), K::tuning.ring_bytes(sizeof(T)));
      if (status != cudaSuccess) return status;
    }
    for (auto const status : {prepare_short_rows<T, S, K, 0>(), prepare_short_rows<T, S, K, 1>()}) {
      if (status != cudaSuccess) return status;
    }
    if constexpr (K::tuning.anywhere()) {
      using Here        = Anywhere<T, K>;
      auto const status = prepare(anywhere_kernel<T, S, Here>(), Here::tuning.anywhere_ring_bytes(sizeof(T)));
      if (status != cudaSuccess) return status;
    }
    if constexpr (K::tuning.has_more_anywhere(sizeof(T))) {
      using Here        = MoreAnywhere<T, K>;
      auto const status = prepare(volume_anywhere_kernel<T, S, Here>, Here::tuning.anywhere_ring_bytes(sizeof(T)));
      if (status != cudaSuccess) return status;
    }
    if constexpr (K::tuning.has_joined(sizeof(T))) {
      auto const status = prepare(volume_joined_kernel<T, S, Joined<K>>, Joined<K>::tuning.joined_ring_bytes());
      if (status != cudaSuccess) return status;
    }
    return prepare(shape_kernel<T, S, K, NoNorm>(), K::tuning.ring_bytes(sizeof(T)));
  };
  l.launch = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                cudaStream_t stream) { launch<T, S, K>(table, g, blocks, in, out, NoNorm(), stream); };
  if constexpr (K::tuning.anywhere()) {
    l.launch_anywhere = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                           cudaStream_t stream) {
      using Here = Anywhere<T, K>;
      Cuda::launch_kernel(anywhere_kernel<T, S, Here>(), blocks, Here::tuning.threads(),
                          Here::tuning.anywhere_ring_bytes(sizeof(T)), stream, coefficients<T, S>(table), g,
                          static_cast<T const*>(in), static_cast<T*>(out));
    };
  }
  if constexpr (K::tuning.has_more_anywhere(sizeof(T))) {
    l.launch_more_anywhere = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                                cudaStream_t stream) {
      using Here = MoreAnywhere<T, K>;
      Cuda::launch_kernel(volume_anywhere_kernel<T, S, Here>, blocks, Here::tuning.threads(),
                          Here::tuning.anywhere_ring_bytes(sizeof(T)), stream, coefficients<T, S>(table), g,
                          static_cast<T const*>(in), static_cast<T*>(out));
    };
  }
  if constexpr (K::tuning.has_joined(sizeof(T))) {
    l.launch_joined = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                         cudaStream_t stream) {
      using Here = Joined<K>;
      Cuda::launch_kernel(volume_joined_kernel<T, S, Here>, blocks, Here::tuning.threads(),
                          Here::tuning.joined_ring_bytes(), stream, coefficients<T, S>(table), g,
                          static_cast<T const*>(in), static_cast<T*>(out));
    };
  }
  if constexpr (K::tuning.has_shift()) {
    l.launch_anywhere = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                           cudaStream_t stream) {
      launch<T, S, WithShift<K>>(table, g, blocks, in, out, NoNorm(), stream);
    };
  }
  if constexpr (K::tuning.has_faces(sizeof(T))) {
    l.launch_past_faces = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                             cudaStream_t stream) {
      launch<T, S, WithFaces<K>>(table, g, blocks, in, out, NoNorm(), stream);
    };
  }
  add_short_rows<T, S, K, 0>(l);
  add_short_rows<T, S, K, 1>(l);
  if constexpr (K::tuning.tail_tiles(sizeof(T)) > 0) {
    using Short              = WithLanes<K, short_row_lanes[1]>;
    l.launch_tail            = launch_beside<T, S, Short>();
    l.launch_tail_past_faces = launch_beside<T, S, WithFaces<Short>>();
  }
  if constexpr (K::tuning.has_norm()) {
    l.launch_with_norm = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                            double* partial, bool largest, cudaStream_t stream) {
      launch<T, S, WithNorm<K>>(table, g, blocks, in, out, SweepNorm{partial, largest}, stream);
    };
  }
  if constexpr (K::tuning.has_update(sizeof(T))) {
    l.launch_with_update = [](void const* table, Geometry const& g, std::uint32_t blocks, void const* in, void* out,
                              Update const& update, cudaStream_t stream) {
      using A = Accumulator<T>;
      WithFactors<T> const factors{static_cast<A>(update.alpha), static_cast<A>(update.beta)};
      launch<T, S, WithUpdate<K>>(table, g, blocks, in, out, factors, stream);
    };
  }
  return l;
}

template <class T, std::size_t... I>
ShapeLauncher const& launcher_of(std::size_t kernel, std::index_sequence<I...>) {
  static constexpr ShapeLauncher all[] = {launcher<T, Line<T, I>>()...};
  return all[kernel];
}

template <class T>
ShapeLauncher const& shape_launcher(std::size_t kernel) {
  return launcher_of<T>(kernel, std::make_index_sequence<std::size(shape_table<T>())>());
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
