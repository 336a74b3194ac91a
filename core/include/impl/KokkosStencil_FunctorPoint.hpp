// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Step.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// A functor with its fields, called at a point or along a row, as hosts and devices do.

// A functor is called from several places and large, so that compilers would leave it out of line; but
// only inlined can it be vectorized. Clang flattens one level of calls, GCC all.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define KOKKOSSTENCIL_IMPL_FLATTEN __attribute__((flatten))
#define KOKKOSSTENCIL_IMPL_FLAT_LAMBDA __attribute__((always_inline, flatten))
#else
#define KOKKOSSTENCIL_IMPL_FLATTEN
#define KOKKOSSTENCIL_IMPL_FLAT_LAMBDA
#endif
// Clang's counterpart warns in the user's build wherever a functor cannot be vectorized. And loops of a known length it
// unrolls, and then does not vectorize them. `omp simd` vectorizes no more with GCC 12: what stops it at choices are
// traps and errno (docs/guide/functors.rst).
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define KOKKOSSTENCIL_IMPL_IVDEP _Pragma("GCC ivdep")
#define KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS true
#else
#define KOKKOSSTENCIL_IMPL_IVDEP
#define KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS false
#endif
#if defined(__GNUC__)
#define KOKKOSSTENCIL_IMPL_OUT_OF_LINE __attribute__((noinline))
#else
#define KOKKOSSTENCIL_IMPL_OUT_OF_LINE
#endif

namespace KokkosStencil {
namespace Impl {

/// The axis to run along if the layout says which one is contiguous.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION constexpr int fast_axis() {
  return std::is_same<typename View::array_layout, Kokkos::LayoutLeft>::value ? 0 : int(View::rank) - 1;
}
/// Whether that axis is known to have stride 1 when the program is compiled.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool unit_stride() {
  return int(View::rank) == 1 ? !std::is_same<typename View::array_layout, Kokkos::LayoutStride>::value
                              : std::is_same<typename View::array_layout, Kokkos::LayoutLeft>::value ||
                                    std::is_same<typename View::array_layout, Kokkos::LayoutRight>::value;
}

template <int Rank, class View>
KOKKOS_FORCEINLINE_FUNCTION BasicNeighborhood<typename View::non_const_value_type, Rank, Ways::by_rules> neighborhood(
    View const& view, ViewIndex<Rank> const& index, FieldGeometry const* geometry) {
  ViewIndex<Rank> stride;
  for (int a = 0; a < Rank; ++a) stride[a] = stride_of(view, a);
  // A literal, so that the compiler sees consecutive loads.
  if constexpr (unit_stride<View>()) stride[fast_axis<View>()] = 1;
  return {view.data(), stride, index, geometry};
}

/// Whether only the strides tell which axis is contiguous.
template <class View>
constexpr bool is_strided() {
  return std::is_same<typename View::array_layout, Kokkos::LayoutStride>::value;
}

/// A row of a View along an axis that is known when the program runs.
template <class T, int Rank>
struct ViewRow {
  T* first;  ///< the point of index 0 along the axis
  std::int64_t along;
  ViewIndex<Rank> stride;

  /// Unit: the stride along the axis is 1, which the compiler sees.
  template <bool Unit>
  T* at(std::int64_t x) const {
    return first + (Unit ? x : x * along);
  }
};
template <int Rank, class View>
ViewRow<typename View::value_type, Rank> view_row(View const& view, ViewIndex<Rank> const& row, int axis) {
  ViewRow<typename View::value_type, Rank> r{view.data(), stride_of(view, axis), {}};
  for (int a = 0; a < Rank; ++a) {
    r.stride[a] = stride_of(view, a);
    if (a != axis) r.first += row[a] * r.stride[a];
  }
  return r;
}

template <int Rank, class View>
KOKKOS_FORCEINLINE_FUNCTION auto& element(View const& view, ViewIndex<Rank> const& i) {
  if constexpr (Rank == 1) {
    return view(i[0]);
  } else if constexpr (Rank == 2) {
    return view(i[0], i[1]);
  } else {
    return view(i[0], i[1], i[2]);
  }
}

/// The parameters of an operator() that is neither a template nor one of several.
template <class... P>
struct Parameters {
  static constexpr bool by_value(std::size_t k) {
    constexpr bool each[] = {!std::is_reference<P>::value..., false};
    return k < sizeof...(P) && each[k];
  }
  template <class Result>
  static constexpr bool constant(std::size_t k) {
    constexpr bool each[] = {std::is_same<P, Result const&>::value..., false};
    return k < sizeof...(P) && each[k];
  }
};
template <class C, class R, class... P>
Parameters<P...> parameters_of(R (C::*)(P...) const);

/// Whether a functor takes some of its results by value, so that what it assigns is lost, or (unless it is a template)
/// all as constants. To call it with a value would not tell: `auto&&` takes one, too, and bodies of generic lambdas
/// would be compiled for it.
template <class Functor, class Near, class Results, class Numbers, class = void>
struct TakesCopies;
template <class Functor, class... Near, class... Results, std::size_t... K>
struct TakesCopies<Functor, Pack<Near...>, Pack<Results...>, std::index_sequence<K...>,
                   std::void_t<decltype(parameters_of(&Functor::operator()))>> {
  static constexpr bool value() {
    using P = decltype(parameters_of(&Functor::operator()));
    if constexpr (sizeof...(K) > 0 && (P::template constant<Results>(sizeof...(Near) + K) && ...)) {
      return true;
    } else if constexpr ((P::by_value(sizeof...(Near) + K) || ...)) {
      // A class of the user's that holds a reference cannot be made from a value.
      return std::is_invocable<Functor const&, Near...,
                               std::conditional_t<P::by_value(sizeof...(Near) + K), Results, Results&>...>::value;
    } else {
      return false;
    }
  }
};
/// Of a template: whether there is such a function with these very parameters.
template <class Functor, class... Near, class... Results, std::size_t... K, class None>
struct TakesCopies<Functor, Pack<Near...>, Pack<Results...>, std::index_sequence<K...>, None> {
  static constexpr bool value() { return (one<K>() || ... || (sizeof...(K) > 1 && with<Results...>())); }

 private:
  using Returned = std::invoke_result_t<Functor const&, Near..., Results&...>;
  template <class F, class... P>
  static decltype(static_cast<Returned (F::*)(P...) const>(&F::operator()), std::true_type()) find(int);
  template <class F, class... P>
  static std::false_type find(...);
  template <class T>
  using ByReference = std::conditional_t<std::is_same<T, Step>::value, T, T const&>;
  template <class... R>
  static constexpr bool with() {
    return decltype(find<Functor, ByReference<Near>..., R...>(0))::value ||
           decltype(find<Functor, Near..., R...>(0))::value;
  }
  template <std::size_t Copy>
  static constexpr bool one() {
    return with<std::conditional_t<K == Copy, Results, Results&>...>();
  }
};

/// What takes steps is called like any functor; its parameters are those of the user's.
template <class Functor, class... Near, class... Results, std::size_t... K, class None>
struct TakesCopies<StepFunctor<Functor>, Pack<Near...>, Pack<Results...>, std::index_sequence<K...>, None>
    : TakesCopies<Functor, Pack<Step, Near...>, Pack<Results...>, std::index_sequence<K...>> {};

/// How a functor is called: it returns the value of the only output, or gets a reference to each output; then come
/// those of what it adds up to.
template <class Functor, class In, class Out, class... Sums>
struct FunctorCall;
template <class Functor, class... In, class... Out, class... Sums>
struct FunctorCall<Functor, Pack<In...>, Pack<Out...>, Sums...> {
  template <class T>
  using Near = BasicNeighborhood<typename T::non_const_value_type, int(T::rank)>;

  static constexpr bool returns() {
    if constexpr (sizeof...(Out) == 1 && std::is_invocable<Functor const&, Near<In>..., Sums&...>::value) {
      return !std::is_void<std::invoke_result_t<Functor const&, Near<In>..., Sums&...>>::value;
    } else {
      return false;
    }
  }
  static constexpr bool refers() {
    return std::is_invocable<Functor const&, Near<In>..., typename Out::value_type&..., Sums&...>::value;
  }
  static constexpr void check_results() {
    if constexpr (returns()) {
      if constexpr (sizeof...(Sums) > 0) check_references<Sums...>();
    } else if constexpr (refers()) {
      check_references<typename Out::value_type..., Sums...>();
      static_assert(
          std::is_void<
              std::invoke_result_t<Functor const&, Near<In>..., typename Out::value_type&..., Sums&...>>::value,
          "KokkosStencil: the functor returns a value and takes references to its results as well; what it returns "
          "would be lost. Assign it to a reference, or for one output return it and take none.");
    }
  }

 private:
  template <class... Results>
  static constexpr void check_references() {
    static_assert(
        !TakesCopies<Functor, Pack<Near<In>...>, Pack<Results...>, std::index_sequence_for<Results...>>::value(),
        "KokkosStencil: the functor takes an output, or a value that is reduced, by value, so that what it assigns is "
        "lost, or all of them as constants. Take a reference, as in float& x.");
  }
};

/// How rows are walked along: the axis is known from the layout, or from the strides when the program runs, which are 1
/// along it or not.
enum class Along { layout, unit_stride, any_stride };

/// Where rows of an input are read in place of its View: as copies with what the rules give beyond the faces.
struct InputRows {
  void const* first;         ///< of index 0 of the contiguous axis, in the first row
  std::int64_t stride[3];    ///< by the axes of the View
  std::int64_t skipped = 0;  ///< rows before the first one that is wanted
};

/// What points add up to on a host: each lane has a sum of its own, so that they are vectorized.
constexpr std::int64_t sum_lanes = KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS ? 32 : 64;

/// One functor with its fields, and the ways of calling it at a point.
template <int Rank, bool Returns, class Functor, class In, class Out>
struct FunctorPoint {
  using Inputs                     = In;
  static constexpr int input_count = In::size;

  Functor f;
  In in;
  Out out;
  FieldGeometry geometry;

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void inside(ViewIndex<Rank> const& i, Sums&... sums) const {
    call(i, nullptr, PackIndices<In>(), PackIndices<Out>(), sums...);
  }
  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void near_face(ViewIndex<Rank> const& i, Sums&... sums) const {
    call(i, &geometry, PackIndices<In>(), PackIndices<Out>(), sums...);
  }
  /// Points [from, to) of rows along an axis: so many rows that follow each other along `next`. Away from the faces, or
  /// with `inputs`, one for each input, which need no rules. Each point of a row adds to what is next in the lanes.
  template <Along How, int Typed, class... Sums>
  void along(ViewIndex<Rank> const& first, int axis, int next, std::int64_t rows, std::int64_t from, std::int64_t to,
             InputRows const* inputs, Sums*... lanes) const {
    along<How, Typed>(first, axis, next, rows, from, to, inputs, PackIndices<In>(), PackIndices<Out>(), lanes...);
  }

 private:
  /// Whether rows are computed by a copy of the functor: one that costs as little as its bytes.
  static constexpr bool is_copied = std::is_trivially_copyable<Functor>::value && sizeof(Functor) <= 256;

  /// Whether the stride of a View along the axis is known to be 1.
  template <Along How, int Typed, class View>
  static constexpr bool unit() {
    return How == Along::unit_stride || (How == Along::layout && unit_stride<View>() && fast_axis<View>() == Typed);
  }
  // The functor is called from the very function that is flattened: what GCC finds deeper down it may leave out of
  // line.
  template <Along How, int Typed, int... I, int... O, class... Sums>
  KOKKOSSTENCIL_IMPL_FLATTEN void along(ViewIndex<Rank> const& first, int axis_by_strides, int next, std::int64_t rows,
                                        std::int64_t from, std::int64_t to, InputRows const* inputs,
                                        std::integer_sequence<int, I...>, std::integer_sequence<int, O...>,
                                        Sums*... lanes) const {
    int const axis = How == Along::layout ? Typed : axis_by_strides;
    // A copy: of the member the compiler must take every store for a change, and reads it again for each vector.
    std::conditional_t<is_copied, Functor const, Functor const&> functor = f;
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) i[a] = first[a];
    for (std::int64_t n = 0; n < rows; ++n) {
      for (int a = 0; a < Rank; ++a) i[a] = a == next ? first[a] + n : i[a];
      auto const from_rows = pack_of(
          input_row(pack_get<I>(in), i, axis, inputs == nullptr ? nullptr : inputs + I, next < 0 ? 0 : next, n)...);
      auto const to_rows = pack_of(view_row<Rank>(pack_get<O>(out), i, axis)...);
      static_cast<void>(to_rows);  // there may be none
      auto const point = [&](std::int64_t x, [[maybe_unused]] std::int64_t lane) KOKKOSSTENCIL_IMPL_FLAT_LAMBDA {
        ViewIndex<Rank> j;
        for (int a = 0; a < Rank; ++a) j[a] = a == axis ? x : i[a];
        auto const near = [&](auto const& r, auto unit_of) {
          constexpr bool one = decltype(unit_of)::value;
          ViewIndex<Rank> stride;
          for (int a = 0; a < Rank; ++a) stride[a] = one && a == axis ? 1 : r.stride[a];
          return BasicNeighborhood<std::remove_const_t<std::remove_pointer_t<decltype(r.first)>>, Rank>(
              r.template at<one>(x), stride, j);
        };
        if constexpr (Returns) {
          *to_rows.head.template at<unit<How, Typed, std::decay_t<decltype(out.head)>>()>(x) =
              functor(near(pack_get<I>(from_rows), UnitOf<How, Typed, I>())..., lanes[lane]...);
        } else {
          functor(near(pack_get<I>(from_rows), UnitOf<How, Typed, I>())...,
                  *pack_get<O>(to_rows).template at<unit<How, Typed, std::decay_t<decltype(pack_get<O>(out))>>()>(x)...,
                  lanes[lane]...);
        }
      };
      std::int64_t x = from;
      if constexpr (sizeof...(Sums) > 0 && KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS) {
        for (; x + sum_lanes <= to; x += sum_lanes) {
          KOKKOSSTENCIL_IMPL_IVDEP
          for (std::int64_t k = 0; k < sum_lanes; ++k) point(x + k, k);
        }
      }
      std::int64_t const begin = x;
      KOKKOSSTENCIL_IMPL_IVDEP
      for (std::int64_t k = begin; k < to; ++k) point(k, k - begin);
    }
  }
  template <class View>
  static ViewRow<typename View::value_type, Rank> input_row(View const& view, ViewIndex<Rank> const& i, int axis,
                                                            InputRows const* from, int next, std::int64_t n) {
    if (from == nullptr) return view_row<Rank>(view, i, axis);
    using T = typename View::value_type;
    ViewRow<T, Rank> r{static_cast<T*>(const_cast<void*>(from->first)) + (n + from->skipped) * from->stride[next],
                       from->stride[axis],
                       {}};
    for (int a = 0; a < Rank; ++a) r.stride[a] = from->stride[a];
    return r;
  }
  template <Along How, int Typed, int I>
  using UnitOf =
      std::integral_constant<bool, unit<How, Typed, std::decay_t<decltype(pack_get<I>(std::declval<In const&>()))>>()>;
  template <int... I, int... O, class... Sums>
  KOKKOSSTENCIL_IMPL_FLATTEN KOKKOS_FORCEINLINE_FUNCTION void call(ViewIndex<Rank> const& i, FieldGeometry const* g,
                                                                   std::integer_sequence<int, I...>,
                                                                   std::integer_sequence<int, O...>,
                                                                   Sums&... sums) const {
    if constexpr (Returns) {
      element<Rank>(out.head, i) = f(neighborhood<Rank>(pack_get<I>(in), i, g)..., sums...);
    } else {
      f(neighborhood<Rank>(pack_get<I>(in), i, g)..., element<Rank>(pack_get<O>(out), i)..., sums...);
    }
  }
};

}  // namespace Impl
}  // namespace KokkosStencil
