// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Dispatch.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeindex>

// Strips Views and execution spaces of their types.

#if KOKKOS_VERSION < 30400
#error "KokkosStencil needs Kokkos 3.4 or later."
#endif

namespace KokkosStencil {
namespace Impl {

template <class T>
struct ValueTypeOf {
  static constexpr bool known = false;
};
template <>
struct ValueTypeOf<double> {
  static constexpr bool known      = true;
  static constexpr ValueType value = ValueType::float64;
};
template <>
struct ValueTypeOf<float> {
  static constexpr bool known      = true;
  static constexpr ValueType value = ValueType::float32;
};
// Where Kokkos has no half type of its own, half_t is float and needs no entry.
#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
#define KOKKOSSTENCIL_IMPL_HAS_HALF 1
template <>
struct ValueTypeOf<Kokkos::Experimental::half_t> {
  static constexpr bool known      = true;
  static constexpr ValueType value = ValueType::float16;
};
#endif
#if defined(KOKKOS_BHALF_T_IS_FLOAT) && !KOKKOS_BHALF_T_IS_FLOAT
#define KOKKOSSTENCIL_IMPL_HAS_BHALF 1
template <>
struct ValueTypeOf<Kokkos::Experimental::bhalf_t> {
  static constexpr bool known      = true;
  static constexpr ValueType value = ValueType::bfloat16;
};
#endif

/// Kokkos 5 takes unsigned ranks, and warns of others.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t stride_of(View const& view, int axis) {
  return static_cast<std::int64_t>(view.stride(static_cast<unsigned>(axis)));
}

template <class ExecutionSpace>
constexpr bool is_host_space() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible &&
         std::is_same<typename ExecutionSpace::memory_space, Kokkos::HostSpace>::value;
}

/// A property of policies on devices. From 512 bytes on Kokkos would pass functors through a buffer in constant memory:
/// each launch then waits for the one before, and a graph keeps the buffer's address instead of what was in it.
using LightWeight = Kokkos::Experimental::WorkItemProperty::HintLightWeight_t;

template <class ExecutionSpace>
struct SpaceTraits {
  static SpaceInfo info(ExecutionSpace const& space) {
    SpaceInfo s{ExecutionSpace::name(), std::type_index(typeid(ExecutionSpace))};
    s.host        = is_host_space<ExecutionSpace>();
    s.concurrency = space.concurrency();
    return s;
  }
  static void* stream(ExecutionSpace const&) { return nullptr; }
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct SpaceTraits<Kokkos::Cuda> {
  static SpaceInfo info(Kokkos::Cuda const& space) {
    SpaceInfo s{Kokkos::Cuda::name(), std::type_index(typeid(Kokkos::Cuda))};
    s.host                     = false;
    cudaDeviceProp const& prop = space.cuda_device_prop();
    s.concurrency              = prop.multiProcessorCount * prop.maxThreadsPerMultiProcessor;
    s.device                   = space.cuda_device();
    s.compute_capability       = 10 * prop.major + prop.minor;
    return s;
  }
  static void* stream(Kokkos::Cuda const& space) { return space.cuda_stream(); }
};
#endif

template <class ExecutionSpace>
Launch make_launch(std::string const& label, ExecutionSpace const& space) {
  return Launch{label, &space, SpaceTraits<ExecutionSpace>::stream(space)};
}

/// Shape and place of a View of any value type; value_size is set, value_type is not.
template <class View>
ViewInfo shape_info(View const& view) {
  ViewInfo info;
  info.data           = const_cast<void*>(static_cast<void const*>(view.data()));
  info.rank           = static_cast<int>(View::rank);
  info.value_size     = static_cast<int>(sizeof(typename View::value_type));
  constexpr auto rank = static_cast<std::size_t>(View::rank);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    info.extent[axis] = static_cast<std::int64_t>(view.extent(axis));
    info.stride[axis] = static_cast<std::int64_t>(view.stride(axis));
  }
  if (view.size() == 0) {
    // Kokkos' strides are then zero here and there, and no axis would count as contiguous.
    std::int64_t stride = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
      info.stride[axis] = stride;
      stride *= info.extent[axis] > 0 ? info.extent[axis] : 1;
    }
  }
  return info;
}

template <class View>
ViewInfo view_info(View const& view) {
  ViewInfo info   = shape_info(view);
  info.value_type = ValueTypeOf<typename View::non_const_value_type>::value;
  return info;
}

template <class Policy, class View>
constexpr void check_view() {
  static_assert(Kokkos::is_view<View>::value, "KokkosStencil: input and output are Kokkos::Views.");
  static_assert(int(View::rank) == Policy::rank, "KokkosStencil: the Views must have the rank of the StencilPolicy.");
  static_assert(Kokkos::SpaceAccessibility<typename Policy::execution_space, typename View::memory_space>::accessible,
                "KokkosStencil: a View is not accessible from the execution space of the StencilPolicy; copy it "
                "with Kokkos::create_mirror_view_and_copy(memory_space(), view) or use another execution space.");
  static_assert(!View::memory_traits::is_atomic,
                "KokkosStencil: a View has the memory trait Atomic; pass the same memory as a View without it.");
}

template <class Policy, class In, class Out>
constexpr void check_views() {
  check_view<Policy, In>();
  check_view<Policy, Out>();
  static_assert(std::is_same<typename Out::value_type, typename Out::non_const_value_type>::value,
                "KokkosStencil: the output View must not be const.");
}

/// The checks that only hold for stencils as data.
template <class Policy, class StencilType, class In, class Out>
constexpr void check_stencil() {
  check_views<Policy, In, Out>();
  static_assert(StencilType::rank == Policy::rank,
                "KokkosStencil: the Stencil must have the rank of the StencilPolicy.");
  static_assert(std::is_same<typename In::non_const_value_type, typename Out::non_const_value_type>::value,
                "KokkosStencil: input and output must have the same value type.");
  static_assert(ValueTypeOf<typename In::non_const_value_type>::known,
                "KokkosStencil: the value type must be double, float, Kokkos::Experimental::half_t or "
                "Kokkos::Experimental::bhalf_t; write a functor stencil for others.");
}

}  // namespace Impl
}  // namespace KokkosStencil
