// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_FunctorDirect.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorStreaming.hpp>
#include <impl/KokkosStencil_FunctorSums.hpp>
#include <impl/KokkosStencil_KnownSweeps.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_SumsMemory.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

// Which kernel by cells a sweep of a functor takes, and its launch, with what is reduced.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// The kernel for a call.
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct CellsOf {
  using type = CellKernel<Rank, Returns, Fast, Width, Functor, In, Out, Fields>;
};
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class... Fields>
struct CellsOf<3, Returns, Fast, Width, Functor, In, Out, Pack<Fields...>> {
  using type = std::conditional_t<(FieldTraits<Fields>::wide || ...),
                                  StreamingKernel<Returns, Fast, Width, Functor, In, Out, Pack<Fields...>>,
                                  CellKernel<3, Returns, Fast, Width, Functor, In, Out, Pack<Fields...>>>;
};

/// Kokkos' teams would need shared memory, so that fewer blocks run at a time.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::resident)
    sweep_cells(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
  kernel.block(blockIdx.x, static_cast<int>(threadIdx.x));
#endif
}
/// The points of the list by a kernel of their own.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::listed_threads) sweep_points(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
  kernel.listed_point(static_cast<std::int64_t>(blockIdx.x) * Kernel::listed_threads + threadIdx.x);
#endif
}
/// Whether the compiler has a use for all registers that a kernel may have, and keeps what it holds there. One that
/// holds all that lies around a vector leaves some for functors that read no corners: these are faster where more
/// blocks run at a time. With offsets that are no literals what it holds would lie in local memory.
template <class Kernel>
bool fills_registers(int device) {
  if constexpr (sizeof(Kernel) > most_arguments) return false;
  static bool const fills = [device] {
    CurrentDevice const current(device);
    constexpr int most = 65536 / (Kernel::threads * Kernel::resident) / 8 * 8;
    cudaFuncAttributes of{};
    return cudaFuncGetAttributes(&of, sweep_cells<Kernel>) == cudaSuccess && of.numRegs >= most &&
           of.localSizeBytes < few_local_bytes;
  }();
  return fills;
}
/// A block of the kernel is a team.
template <class Exec, class Kernel>
struct CellTeams {
  using Policy = Kokkos::TeamPolicy<Exec, LightWeight, Kokkos::LaunchBounds<Kernel::threads, Kernel::resident>>;
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(typename Policy::member_type const& team) const {
    kernel.block(static_cast<std::uint32_t>(team.league_rank()), team.team_rank());
  }
};

/// The same with what is reduced, where blocks are few or SumKernel cannot. Several times as many teams as run at the
/// same time, one block after the other: their sums stay in registers, and in the end a few are joined.
template <class Exec, class Kernel, class... Reducers>
struct CellSums {
  static constexpr int times    = 4;
  static constexpr int resident = Kernel::resident_sums;
  using Policy = Kokkos::TeamPolicy<Exec, LightWeight, Kokkos::LaunchBounds<Kernel::threads, resident>>;
  Kernel kernel;
  std::uint32_t blocks;
  KOKKOS_FUNCTION void operator()(typename Policy::member_type const& team,
                                  typename Reducers::value_type&... sums) const {
    auto const step = static_cast<std::uint32_t>(team.league_size());
    for (auto b = static_cast<std::uint32_t>(team.league_rank()); b < blocks; b += step) {
      kernel.block(b, team.team_rank(), sums...);
    }
  }
};

/// Sweeps by cells; false if there are too few, or nothing was aligned as it must be.
template <class Kernel, int Rank, int Fast, int Width, class Exec, class Functor, class... In, class... Out, int... I,
          int... O, class... Reducers>
bool launch_cells(std::string const& label, Exec const& space, Functor const& f, Pack<In...> const& in,
                  Pack<Out...> const& out, std::integer_sequence<int, I...>, std::integer_sequence<int, O...>,
                  KnownSweep& sweep, Reducers const&... reducers) {
  if constexpr (Width < 0) {
    if (!unit_strides(in, Fast, PackIndices<Pack<In...>>()) || !unit_strides(out, Fast, PackIndices<Pack<Out...>>())) {
      return false;
    }
  }
  auto const make_plan = [&] {
    CellShape shape{
        Kernel::planned, Kernel::rows,  Kernel::planes,      Kernel::lanes,       Kernel::columns,
        Kernel::threads, Kernel::depth, space.concurrency(), Kernel::ends_beside, (sizeof...(Reducers) > 0)};
    shape.parts        = Kernel::parts;
    shape.cached_depth = Kernel::cached_depth;
    shape.cache        = space.cuda_device_prop().l2CacheSize;
    return cell_plan(shape, Rank, Fast, sweep.where,
                     std::array{shape_info(pack_get<I>(in))..., shape_info(pack_get<O>(out))...});
  };
  static char const this_kernel = 0;
  CellPlan const& plan          = sweep.plan_of(&this_kernel, space.cuda_device(), make_plan);
  if (!plan.any) return false;
  Kernel kernel{{f, Pack<FieldRef<typename In::value_type, Rank>...>{field_ref(pack_get<I>(in))...},
                 Pack<FieldRef<typename Out::value_type, Rank>...>{field_ref(pack_get<O>(out))...}, sweep.faces,
                 plan.list, plan.tiles}};
  if constexpr (sizeof...(Reducers) == 0) {
    if constexpr (sizeof(Kernel) <= most_arguments) {
      CurrentDevice const current(space.cuda_device());
      ToolsRegion const region(make_launch(label, space), true);
      launch_kernel(label, &sweep_cells<Kernel>, kernel, plan.teams, Kernel::threads, 0, space);
    } else {
      using Teams = CellTeams<Exec, Kernel>;
      Kokkos::parallel_for(label, typename Teams::Policy(space, static_cast<int>(plan.teams), Kernel::threads),
                           Teams{kernel});
    }
  } else {
    using Sums              = CellSums<Exec, Kernel, Reducers...>;
    int const at_once       = space.cuda_device_prop().multiProcessorCount * Sums::resident;
    bool const by_sums      = plan.teams > static_cast<std::uint32_t>(at_once);
    int const league        = static_cast<int>(std::min(plan.teams, static_cast<std::uint32_t>(at_once * Sums::times)));
    std::size_t const bytes = static_cast<std::size_t>(league) * sizeof(SumValues<Reducers...>);
    if (!by_sums || !launch_sums(label, space, kernel, plan.teams, bytes, reducers...)) {
      Kokkos::parallel_reduce(label, typename Sums::Policy(space, league, Kernel::threads), Sums{kernel, plan.teams},
                              reducers...);
      SumsMemory::of(space).note_kokkos(bytes, space);
    }
  }
  note_functor(label, Kernel::name, sweep.where.range);
  return true;
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
