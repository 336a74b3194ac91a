// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <limits>
#include <utility>

// What a functor stencil reads, writes and adds up to, with the types.

namespace KokkosStencil {
namespace Impl {

/// A tuple that works on devices.
template <class... Ts>
struct Pack;
template <>
struct Pack<> {
  static constexpr int size = 0;
};
template <class Head, class... Tail>
struct Pack<Head, Tail...> {
  static constexpr int size = 1 + int(sizeof...(Tail));
  Head head;
  Pack<Tail...> tail;

  template <class H, class... T,
            std::enable_if_t<sizeof...(T) == sizeof...(Tail) && !std::is_same<std::decay_t<H>, Pack>::value, int> = 0>
  Pack(H&& h, T&&... t) : head(std::forward<H>(h)), tail{std::forward<T>(t)...} {}
};
template <int I, class P>
KOKKOS_FORCEINLINE_FUNCTION auto const& pack_get(P const& pack) {
  if constexpr (I == 0) {
    return pack.head;
  } else {
    return pack_get<I - 1>(pack.tail);
  }
}
template <class... Ts>
Pack<Ts...> pack_of(Ts const&... values) {
  return Pack<Ts...>{values...};
}
template <class... Ts, class Last, int... I>
auto pack_with(Pack<Ts...> const& pack, Last const& last, std::integer_sequence<int, I...>) {
  static_cast<void>(pack);  // it may be empty
  return Pack<Ts..., Last>{pack_get<I>(pack)..., last};
}
template <class P>
using PackIndices = std::make_integer_sequence<int, P::size>;
/// Whether the stride of every View along an axis is 1.
template <class P, int... I>
bool unit_strides(P const& views, int axis, std::integer_sequence<int, I...>) {
  static_cast<void>(axis);  // there may be no View
  return ((stride_of(pack_get<I>(views), axis) == 1) && ...);
}

/// A distance that differs before the point and behind it, as one number: see KokkosStencil::sides.
/// Such numbers are far below 0, since any other one is a distance, or a mistake.
constexpr int most_of_side = (1 << 15) - 1, least_code = std::numeric_limits<int>::min();
constexpr bool is_distance(int code) { return code >= 0 || code <= least_code + (1 << 30); }
constexpr int code_of_sides(int before, int behind) {
  return before == behind ? before : least_code + (behind << 15 | before);
}
constexpr int before_of(int code) { return code >= 0 ? code : (code - least_code) & most_of_side; }
constexpr int behind_of(int code) { return code >= 0 ? code : (code - least_code) >> 15; }

/// A View and how far a functor reads around the point: the same along every axis, or one distance for each.
template <class View, int... R>
struct Reach {
  static_assert(Kokkos::is_view<View>::value, "KokkosStencil: reach<R>(u) takes a Kokkos::View.");
  static_assert((is_distance(R) && ...), "KokkosStencil: a reach is not negative.");
  static_assert(sizeof...(R) == 1 || int(sizeof...(R)) == int(View::rank),
                "KokkosStencil: reach takes one distance, or one for each axis of the View.");
  View view;
};

/// What an input is, declared or not.
template <class Field>
struct FieldTraits {
  using view                     = Field;
  static constexpr bool field    = Kokkos::is_view<Field>::value;
  static constexpr bool declared = false;
  static constexpr bool wide     = false;
  static Field const& get(Field const& f) { return f; }
  static FieldReach reach() { return {}; }
  static constexpr int along(int) { return 0; }
};
template <class View, int... R>
struct FieldTraits<Reach<View, R...>> {
  using view                     = View;
  static constexpr bool field    = true;
  static constexpr bool declared = true;
  /// Whether more than the point is read, so that the field cannot be an output as well.
  static constexpr bool wide = ((R != 0) || ...);
  static View const& get(Reach<View, R...> const& f) { return f.view; }
  /// On the farther side.
  static constexpr int along(int axis) {
    return before_of(code(axis)) > behind_of(code(axis)) ? before_of(code(axis)) : behind_of(code(axis));
  }
  static FieldReach reach() {
    FieldReach all{{{0, 0, 0}}, {{0, 0, 0}}};
    for (std::size_t a = 0; a < std::size_t(View::rank); ++a) {
      all.before[a] = before_of(code(int(a)));
      all.behind[a] = behind_of(code(int(a)));
    }
    return all;
  }

 private:
  static constexpr int code(int axis) {
    constexpr int given[] = {R...};
    return given[sizeof...(R) == 1 ? 0 : axis];
  }
};

/// A View that keeps nothing alive. Of others each copy is counted, by two atomic operations.
template <class View>
using Borrowed = Kokkos::View<
    typename View::data_type, typename View::array_layout, typename View::device_type,
    Kokkos::MemoryTraits<Kokkos::Unmanaged | (View::memory_traits::is_random_access ? Kokkos::RandomAccess : 0) |
                         (View::memory_traits::is_atomic ? Kokkos::Atomic : 0) |
                         (View::memory_traits::is_restrict ? Kokkos::Restrict : 0) |
                         (View::memory_traits::is_aligned ? Kokkos::Aligned : 0)>>;

/// The same of what a call reads or writes.
template <class View>
struct Borrowing {
  using type = Borrowed<View>;
  static type of(View const& view) { return view; }
};
template <class View, int... R>
struct Borrowing<Reach<View, R...>> {
  using type = Reach<Borrowed<View>, R...>;
  static type of(Reach<View, R...> const& field) { return {field.view}; }
};
template <class... Fields>
struct Borrowing<Pack<Fields...>> {
  using type = Pack<typename Borrowing<Fields>::type...>;
  static type of(Pack<Fields...> const& pack) { return of(pack, PackIndices<Pack<Fields...>>()); }

 private:
  template <int... I>
  static type of(Pack<Fields...> const& pack, std::integer_sequence<int, I...>) {
    static_cast<void>(pack);  // it may be empty
    return {Borrowing<Fields>::of(pack_get<I>(pack))...};
  }
};
template <class T>
typename Borrowing<T>::type borrow(T const& what) {
  return Borrowing<T>::of(what);
}

template <class Field>
FieldInfo field_info(Field const& field) {
  return {shape_info(FieldTraits<Field>::get(field)), FieldTraits<Field>::reach()};
}
template <class... Fields, int... I>
std::array<FieldInfo, sizeof...(Fields)> field_infos(Pack<Fields...> const& pack, std::integer_sequence<int, I...>) {
  static_cast<void>(pack);  // it may be empty
  return {{field_info(pack_get<I>(pack))...}};
}
template <class... Views, int... I>
std::array<ViewInfo, sizeof...(Views)> shapes(Pack<Views...> const& pack, std::integer_sequence<int, I...>) {
  static_cast<void>(pack);
  return {{shape_info(pack_get<I>(pack))...}};
}
template <class... Fields, int... I>
Pack<typename FieldTraits<Fields>::view...> views_of(Pack<Fields...> const& pack, std::integer_sequence<int, I...>) {
  return {FieldTraits<Fields>::get(pack_get<I>(pack))...};
}

/// A scalar or a View of rank 0 is summed up; everything else is one of Kokkos' reducers.
template <class Result>
auto reducer_of(Result& result) {
  if constexpr (Kokkos::is_view<std::remove_const_t<Result>>::value) {
    return Kokkos::Sum<typename Result::non_const_value_type, typename Result::memory_space>(result);
  } else if constexpr (Kokkos::is_reducer<std::remove_const_t<Result>>::value) {
    return result;
  } else {
    static_assert(std::is_arithmetic<Result>::value,
                  "KokkosStencil: a result is a scalar, a View of rank 0 or a reducer of Kokkos, as in "
                  "Kokkos::Sum<double>(x).");
    return Kokkos::Sum<Result, Kokkos::HostSpace>(result);
  }
}

/// Whether an argument of parallel_reduce is an output; what follows the outputs are results.
template <class T>
struct IsOutput : std::false_type {};
template <class... Views>
struct IsOutput<Pack<Views...>> : std::true_type {};
template <class T, class... P>
struct IsOutput<Kokkos::View<T, P...>> : std::integral_constant<bool, (int(Kokkos::View<T, P...>::rank) > 0)> {};

}  // namespace Impl
}  // namespace KokkosStencil
