// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Kernel.cuh"
#include "resident/VolumeKernel.cuh"

#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// The entry points of a compiled kernel.
struct Compiled {
  int (*prepare)();
  void (*launch)(void const* coefficients, Args const& args, void const* in, void* out, cudaStream_t stream);
};

template <class T, int... Rows>
Compiled const* instances(std::integer_sequence<int, Rows...>) {
  static constexpr Compiled all[] = {{Instance<T, Rows>::prepare, Instance<T, Rows>::launch}...};
  return all;
}

/// The kernels for a value type, in the order of its table in Tuning.hpp.
template <class T>
Compiled const* compiled();

/// The same for volumes.
struct CompiledVolume {
  int (*prepare)(int shared_bytes);
  void (*launch)(void const* coefficients, VolumeArgs const& args, int shared_bytes, void const* in, void* out,
                 cudaStream_t stream);
};

template <class T, int... Rows>
CompiledVolume const* volume_instances(std::integer_sequence<int, Rows...>) {
  static constexpr CompiledVolume all[] = {{VolumeInstance<T, Rows>::prepare, VolumeInstance<T, Rows>::launch}...};
  return all;
}

template <class T>
CompiledVolume const* compiled_volumes();

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
