// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

// One sweep of a functor on GPUs: a thread computes a cell, one vector along the contiguous axis in some rows and
// planes. It reads whole aligned vectors, of which the compiler keeps what several points of the cell share, and writes
// them. Cells lie where no boundary rule is needed; the points that are left are threads of their own in the same
// kernel.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// A View as the kernel needs it.
template <class T, int Rank>
struct FieldRef {
  using value_type = T;
  T* data;
  ViewIndex<Rank> stride;

  KOKKOS_FORCEINLINE_FUNCTION T* at(ViewIndex<Rank> const& i) const {
    std::int64_t offset = 0;
    for (int a = 0; a < Rank; ++a) offset += i[a] * stride[a];
    return data + offset;
  }
};
template <class View>
auto field_ref(View const& view) {
  FieldRef<typename View::value_type, int(View::rank)> r{view.data(), {}};
  for (int a = 0; a < int(View::rank); ++a) r.stride[a] = stride_of(view, a);
  return r;
}

/// The values of a vector: as many as 16 bytes hold of the largest type.
template <class In, class Out>
struct CellWidth;
template <class... In, class... Out>
struct CellWidth<Pack<In...>, Pack<Out...>> {
  template <class T>
  static constexpr bool fits = (sizeof(T) & (sizeof(T) - 1)) == 0 &&
                               sizeof(T) <= 8 && std::is_trivially_copyable<T>::value;

  static constexpr int width() {
    std::size_t most = 2;
    for (std::size_t b : {sizeof(In)..., sizeof(Out)..., std::size_t(0)}) most = b > most ? b : most;
    // 1 where values are no vectors' material.
    return (fits<In> && ...) && (fits<Out> && ...) ? int(16 / most) : 1;
  }
};

/// The values that a cell writes to one output.
template <class T, int Count, int Width>
struct CellOutput {
  Vector<T, Width> row[Count];
};
template <class T, int Count>
struct CellOutput<T, Count, 1> {
  struct One {
    T value[1];
  } row[Count];
};

/// What the threads of a kernel do: the first blocks one listed point each, the others a cell each.
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Only,
          class... Reducers>
struct CellKernel;
template <int Rank, bool Returns, int Fast, int Width, class Functor, class... In, class... Out, bool... Only,
          class... Reducers>
struct CellKernel<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, std::integer_sequence<bool, Only...>,
                  Reducers...> {
  /// Rows and planes of a cell; without vectors a few rows more.
  static constexpr int rows    = Rank == 1 ? 1 : Rank == 2 ? (Width > 1 ? 2 : 4) : (Width > 1 ? 1 : 2);
  static constexpr int planes  = Rank == 3 ? 4 : 1;
  static constexpr int count   = rows * planes;
  static constexpr int threads = Rank == 3 ? 128 : 256;
  static constexpr int lanes   = Rank == 1 ? threads : Rank == 2 ? 64 : 32;  ///< of a block along the contiguous axis
  static constexpr int columns = threads / lanes;
  /// The other axes: the next slower one and the slowest.
  static constexpr int row_axis   = Rank == 1 ? 0 : Rank == 2 ? 1 - Fast : 1;
  static constexpr int plane_axis = Rank == 3 ? 2 - Fast : 0;

  Functor f;
  Pack<FieldRef<In, Rank>...> in;
  Pack<FieldRef<Out, Rank>...> out;
  FieldGeometry geometry;
  PointList list;
  DeviceBox inside;
  ViewIndex<Rank> first;    ///< the first point of the cells
  std::int64_t cells[3];    ///< their number along the contiguous axis, rows and planes
  std::uint32_t blocks[2];  ///< of cells along the first two
  std::uint32_t listed;     ///< blocks for listed points

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void block(std::uint32_t b, int thread, Sums&... sums) const {
    if (b < listed) {
      std::int64_t const item = static_cast<std::int64_t>(b) * threads + thread;
      if (item < list.points)
        point(item, std::make_integer_sequence<int, int(sizeof...(In))>(),
              std::make_integer_sequence<int, int(sizeof...(Out))>(), sums...);
      return;
    }
    b -= listed;
    std::uint32_t const bx = b % blocks[0], rest = b / blocks[0], by = rest % blocks[1], bz = rest / blocks[1];
    std::int64_t const cx = static_cast<std::int64_t>(bx) * lanes + thread % lanes;
    std::int64_t const cy = static_cast<std::int64_t>(by) * columns + thread / lanes;
    if (cx >= cells[0] || cy >= cells[1]) return;
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) i[a] = first[a];
    i[Fast] += cx * Width;
    if (Rank > 1) i[row_axis] += cy * rows;
    if (Rank > 2) i[plane_axis] += static_cast<std::int64_t>(bz) * planes;
    cell(i, std::make_integer_sequence<int, int(sizeof...(In))>(),
         std::make_integer_sequence<int, int(sizeof...(Out))>(), sums...);
  }

 private:
  template <int... I, int... O, class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void point(std::int64_t item, std::integer_sequence<int, I...>,
                                         std::integer_sequence<int, O...>, Sums&... sums) const {
    ViewIndex<Rank> i = {};
    list.template find<Rank>(item, i);
    bool away = true;
    for (int a = 0; a < Rank; ++a) away = away && i[a] >= inside.begin[a] && i[a] < inside.end[a];
    FieldGeometry const* const g = away ? nullptr : &geometry;
    if constexpr (Returns) {
      *out.head.at(i) =
          f(BasicNeighborhood<std::remove_const_t<In>, Rank>(pack_get<I>(in).data, pack_get<I>(in).stride, i, g)...,
            sums...);
    } else {
      f(BasicNeighborhood<std::remove_const_t<In>, Rank>(pack_get<I>(in).data, pack_get<I>(in).stride, i, g)...,
        *pack_get<O>(out).at(i)..., sums...);
    }
  }

  template <bool ReadOnly, class T>
  KOKKOS_FORCEINLINE_FUNCTION static auto near(FieldRef<T, Rank> const& field, ViewIndex<Rank> const& i, int lane) {
    ViewIndex<Rank> vector, point, stride;
    for (int a = 0; a < Rank; ++a) {
      vector[a] = i[a];
      point[a]  = a == Fast ? i[a] + lane : i[a];
      stride[a] = a == Fast && Width > 1 ? 1 : field.stride[a];
    }
    VectorPlace place;
    place.width = Width;
    place.lane  = lane;
    place.axis  = Fast;
    place.only  = ReadOnly;
    FieldRef<T, Rank> unit{field.data, {}};
    for (int a = 0; a < Rank; ++a) unit.stride[a] = stride[a];
    return BasicNeighborhood<std::remove_const_t<T>, Rank>(unit.at(vector), stride, point, place);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void place_of(ViewIndex<Rank> const& cell, int n, ViewIndex<Rank>& i) {
    for (int a = 0; a < Rank; ++a) {
      i[a] = cell[a];
      if (Rank > 1 && a == row_axis) i[a] += n % rows;
      if (Rank > 2 && a == plane_axis) i[a] += n / rows;
    }
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void load(CellOutput<T, count, Width>& values, FieldRef<T, Rank> const& field,
                                               ViewIndex<Rank> const& cell) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < count; ++n) {
      ViewIndex<Rank> i;
      place_of(cell, n, i);
      if constexpr (Width > 1) {
        values.row[n].load(field.at(i), false);
      } else {
        values.row[n].value[0] = *field.at(i);
      }
    }
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void store(CellOutput<T, count, Width> const& values,
                                                FieldRef<T, Rank> const& field, ViewIndex<Rank> const& cell) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < count; ++n) {
      ViewIndex<Rank> i;
      place_of(cell, n, i);
      if constexpr (Width > 1) {
        values.row[n].store(field.at(i));
      } else {
        *field.at(i) = values.row[n].value[0];
      }
    }
  }

  template <int... I, int... O, class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void cell(ViewIndex<Rank> const& first_point, std::integer_sequence<int, I...>,
                                        std::integer_sequence<int, O...>, Sums&... sums) const {
    // The compiler drops the loads of what is always written.
    Held<0, Out...> held;
    if constexpr (!Returns) (load(held_get<O>(held), pack_get<O>(out), first_point), ...);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < count; ++n) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < Width; ++k) {
        ViewIndex<Rank> i;
        place_of(first_point, n, i);
        if constexpr (Returns) {
          held.values.row[n].value[k] = f(near<Only>(pack_get<I>(in), i, k)..., sums...);
        } else {
          f(near<Only>(pack_get<I>(in), i, k)..., held_get<O>(held).row[n].value[k]..., sums...);
        }
      }
    }
    (store(held_get<O>(held), pack_get<O>(out), first_point), ...);
  }

  template <int N, class... Ts>
  struct Held {};
  template <int N, class T, class... Ts>
  struct Held<N, T, Ts...> {
    CellOutput<T, count, Width> values;
    Held<N + 1, Ts...> rest;
  };
  template <int O, class H>
  KOKKOS_FORCEINLINE_FUNCTION static auto& held_get(H& held) {
    if constexpr (O == 0) {
      return held.values;
    } else {
      return held_get<O - 1>(held.rest);
    }
  }
};

/// A block of the kernel is a team.
template <class Exec, class Kernel>
struct CellTeams {
  using Policy = Kokkos::TeamPolicy<Exec, LightWeight>;
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(typename Policy::member_type const& team) const {
    kernel.block(static_cast<std::uint32_t>(team.league_rank()), team.team_rank());
  }
};

/// Reductions go through items, so that Kokkos can deal out what one block after the other does.
template <class Kernel, class... Reducers>
struct CellItems {
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(std::int64_t item, typename Reducers::value_type&... sums) const {
    kernel.block(static_cast<std::uint32_t>(item / Kernel::threads), static_cast<int>(item % Kernel::threads), sums...);
  }
};

/// Sweeps by cells; false if there are too few, or nothing was aligned as it must be.
template <int Rank, bool Returns, int Fast, int Width, class Exec, class Functor, class... Fields, class... In,
          class... Out, int... I, int... O, class... Reducers>
bool launch_cells(std::string const& label, Exec const& space, Functor const& f, Pack<Fields...> const&,
                  Pack<In...> const& in, Pack<Out...> const& out, std::integer_sequence<int, I...>,
                  std::integer_sequence<int, O...>, FieldGeometry const& geometry, FunctorRange const& where,
                  Reducers const&... reducers) {
  using Kernel = CellKernel<Rank, Returns, Fast, Width, Functor, Pack<typename In::value_type...>,
                            Pack<typename Out::value_type...>,
                            std::integer_sequence<bool, FieldTraits<Fields>::wide...>, Reducers...>;
  CellShape const shape{Width, Kernel::rows, Kernel::planes, Kernel::lanes, Kernel::columns, Kernel::threads};
  CellPlan const plan =
      cell_plan(shape, Rank, Fast, where, {shape_info(pack_get<I>(in))..., shape_info(pack_get<O>(out))...});
  if (!plan.any) return false;
  Kernel kernel{f,
                Pack<FieldRef<typename In::value_type, Rank>...>{field_ref(pack_get<I>(in))...},
                Pack<FieldRef<typename Out::value_type, Rank>...>{field_ref(pack_get<O>(out))...},
                geometry,
                PointList(std::array<int, 3>{{0, 1, 2}}),
                DeviceBox(where.inside),
                {},
                {plan.cells[0], plan.cells[1], plan.cells[2]},
                {plan.blocks[0], plan.blocks[1]},
                plan.listed};
  kernel.list = plan.list;
  for (int a = 0; a < Rank; ++a) kernel.first[a] = plan.first[static_cast<std::size_t>(a)];
  if constexpr (sizeof...(Reducers) == 0) {
    using Teams = CellTeams<Exec, Kernel>;
    Kokkos::parallel_for(label, typename Teams::Policy(space, static_cast<int>(plan.teams), Kernel::threads),
                         Teams{kernel});
  } else {
    Kokkos::parallel_reduce(label,
                            Kokkos::RangePolicy<Exec, LightWeight, Kokkos::IndexType<std::int64_t>>(
                                space, 0, static_cast<std::int64_t>(plan.teams) * Kernel::threads),
                            CellItems<Kernel, Reducers...>{kernel}, reducers...);
  }
  return true;
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
