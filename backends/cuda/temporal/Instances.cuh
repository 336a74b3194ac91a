// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "BoxKernel.cuh"
#include "Kernels.hpp"
#include "LineKernel.cuh"
#include "LongStarKernel.cuh"
#include "PatchKernel.cuh"
#include "StarKernel.cuh"
#include "StripKernel.cuh"
#include "TileKernel.cuh"
#include "temporal/Tuning.hpp"

#include <type_traits>
#include <utility>

// From the tables to kernels: an instance for each entry.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

template <class T, int Row>
constexpr auto space_instance() {
  constexpr SpaceTuning tuning = space_table(value_type<T>).rows[Row];
  if constexpr (tuning.stencil != SpaceStencil::star) {
    return BoxInstance<T, Row>();
  } else if constexpr (tuning.radius > 1) {
    return LongStarInstance<T, Row>();
  } else {
    return StarInstance<T, Row>();
  }
}
template <class T, int Row>
using SpaceInstance = decltype(space_instance<T, Row>());

template <class Instance, class = void>
inline constexpr bool (*ghosts_of)() = nullptr;
template <class Instance>
inline constexpr bool (*ghosts_of<Instance, std::void_t<decltype(&Instance::stores_ghosts)>>)() =
    Instance::stores_ghosts;

template <class Args, class T, template <class, int> class Instance, int... Rows>
Kernel<Args> const* instances(std::integer_sequence<int, Rows...>) {
  static constexpr Kernel<Args> all[] = {
      {Instance<T, Rows>::prepare, Instance<T, Rows>::launch, ghosts_of<Instance<T, Rows>>}...};
  return all;
}

template <class T>
Kernel<LineArgs> const* line_instances() {
  return instances<LineArgs, T, LineInstance>(std::make_integer_sequence<int, line_table(value_type<T>).count>());
}
template <class T>
Kernel<StripArgs> const* strip_instances() {
  return instances<StripArgs, T, StripInstance>(std::make_integer_sequence<int, strip_table(value_type<T>).count>());
}
template <class T>
Kernel<PatchArgs> const* patch_instances() {
  return instances<PatchArgs, T, PatchInstance>(std::make_integer_sequence<int, patch_table(value_type<T>).count>());
}
template <class T>
Kernel<SpaceArgs> const* space_instances() {
  return instances<SpaceArgs, T, SpaceInstance>(std::make_integer_sequence<int, space_table(value_type<T>).count>());
}
template <class T>
Kernel<TileArgs> const* tile_instances() {
  return instances<TileArgs, T, TileInstance>(std::make_integer_sequence<int, tile_table(value_type<T>).count>());
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
