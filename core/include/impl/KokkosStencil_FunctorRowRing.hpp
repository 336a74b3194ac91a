// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_FunctorLaunch.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorSums.hpp>
#include <impl/KokkosStencil_KnownSweeps.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_RingCode.hpp>
#include <impl/KokkosStencil_TensorCopies.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

// One sweep of a functor over planes whose rows begin anywhere (functor_ring), where the GPU copies rows by itself
// (compute capability 9.0). A block goes down a strip of some rows. A warp of its own has the rows of all fields that
// are read around the point copied to shared memory, from the multiple of 16 bytes below, some ahead of the one that is
// computed; what is read at the point only waits in registers. Copies hold up to 16 bytes of the row before and the one
// behind (docs/experiments/2026-11-29-functor-row-rings.md).

#ifdef KOKKOSSTENCIL_IMPL_RINGS

namespace KokkosStencil {
namespace Impl {

/// A thread computes `Across` points of a row that lie a warp apart, row after row.
template <bool Returns, int Fast, int Across, class Functor, class In, class Out, class Fields>
struct RowRingKernel;
template <bool Returns, int Fast, int Across, class Functor, class... In, class... Out, class... Fields>
struct RowRingKernel<Returns, Fast, Across, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>
    : CellFields<2, Returns, Fast, -Across, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  using Base = CellFields<2, Returns, Fast, -Across, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  static constexpr char const* name = "functor_ring";
  static constexpr int row_axis     = Base::row_axis;
  static constexpr int workers      = 8;  ///< warps that compute
  static constexpr int threads      = warp_threads * (workers + 1);
  static constexpr int lanes        = warp_threads * workers * Across;  ///< points of a strip
  static constexpr int ahead        = 3;                                ///< rows that are on their way
  static constexpr int steps        = ahead + 1;                        ///< whose rows have a place
  static constexpr int waiting      = 3;  ///< rows of what is read at the point that wait in registers

  template <class Field>
  static constexpr int side = FieldTraits<Field>::along(Fast);
  template <class Field>
  static constexpr int behind = FieldTraits<Field>::along(row_axis);
  template <class Field>
  static constexpr int slots = FieldTraits<Field>::wide ? 2 * behind<Field> + steps : 0;
  /// Values of 16 bytes, and bytes from one row to the next.
  template <class T>
  static constexpr int phases = 16 / int(sizeof(T));
  template <class T, class Field>
  static constexpr int row_bytes     = ((lanes + 2 * side<Field> + 2 * phases<T>)*int(sizeof(T)) + 127) / 128 * 128;
  static constexpr int barrier_bytes = 128;
  static constexpr int shared_bytes  = barrier_bytes + ((slots<Fields> * row_bytes<In, Fields>)+... + 0);
  /// Blocks of a multiprocessor, by its shared memory and registers.
  static constexpr int memory   = 227 * 1024;
  static constexpr int resident = 3 * (shared_bytes + 1024) <= memory ? 3 : 2 * (shared_bytes + 1024) <= memory ? 2 : 1;
  static constexpr int resident_sums = resident;
  static constexpr bool possible =
      (FieldTraits<Fields>::wide || ...) && ((sizeof(In) == 4 || sizeof(In) == 8) && ...) &&
      ((sizeof(Out) == 4 || sizeof(Out) == 8) && ...) && 2 * (shared_bytes + 1024) <= memory;
  // As find_tile and plans ask.
  static constexpr int rows         = 1;
  static constexpr int planes       = 1;
  static constexpr int columns      = 1;
  static constexpr int depth        = 1;
  static constexpr int cached_depth = 0;
  static constexpr bool ends_beside = false;
  static constexpr bool does_points = true;
  static constexpr bool parts       = false;
  /// Rows of a strip: many, as long as there are blocks for some waves.
  static int height_for(std::int64_t strips, std::int64_t all_rows, int multiprocessors) {
    int height = 32;
    while (height > 16 && strips * (all_rows / height) < 4 * multiprocessors * resident) height /= 2;
    return height;
  }

  int height;  ///< rows of a strip

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void block([[maybe_unused]] std::uint32_t b, [[maybe_unused]] int thread,
                                         [[maybe_unused]] Sums&... sums) const {
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
    std::uint32_t tile[3];
    if (!this->template find_tile<RowRingKernel>(b, thread, tile, sums...)) return;
    extern __shared__ __align__(128) unsigned char row_ring_memory[];
    Strip s;
    s.memory             = row_ring_memory + barrier_bytes;
    s.barriers           = CopyBarriers::address(row_ring_memory);
    std::int64_t const x = static_cast<std::int64_t>(tile[0]) * lanes, y = static_cast<std::int64_t>(tile[1]) * height;
    s.first[Fast]     = this->tiles.first[Fast] + x;
    s.first[row_axis] = this->tiles.first[row_axis] + y;
    s.points          = static_cast<int>(least(this->tiles.cells[0] - x, lanes));
    s.rows            = static_cast<int>(least(this->tiles.cells[1] - y, height));
    if (thread == 0) {
      for (int k = 0; k < steps; ++k) {
        CopyBarriers::init(s.full(k), 1);
        CopyBarriers::init(s.empty(k), workers);
      }
      CopyBarriers::fence_init();
    }
    __syncthreads();
    if (thread >= warp_threads * workers) {
      if (thread == warp_threads * workers) copy(s, typename Base::Inputs());
    } else {
      compute(s, thread, typename Base::Inputs(), typename Base::Outputs(), sums...);
    }
#endif
#endif
  }

#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
 private:
  struct Strip {
    ViewIndex<2> first;
    int points, rows;
    unsigned char* memory;
    std::uint32_t barriers;

    /// That the rows of a step have come, and that the step was done.
    __device__ __forceinline__ std::uint32_t full(int step) const {
      return barriers + static_cast<std::uint32_t>(8 * step);
    }
    __device__ __forceinline__ std::uint32_t empty(int step) const { return full(steps + step); }
  };
  static __device__ __forceinline__ std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  /// Where the first slot of a field lies.
  static constexpr int begin_of(int field) {
    int sum = 0;
    for (int size : {slots<Fields> * row_bytes<In, Fields>...}) sum += field-- > 0 ? size : 0;
    return sum;
  }
  template <int I>
  static constexpr int begin = begin_of(I);

  /// Where the copy of a row begins that is the first one of the strip, or so many further, and its bytes.
  template <class Field, class T>
  static __device__ __forceinline__ T const* row_of(Strip const& s, FieldRef<T, 2> const& field, int row,
                                                    std::uint32_t& bytes) {
    T const* at      = field.at(s.first) - side<Field> + row * field.stride[row_axis];
    int const before = values_before(at, int(sizeof(T)));
    bytes            = static_cast<std::uint32_t>((before + s.points + 2 * side<Field>)*int(sizeof(T)) + 15) & ~15u;
    return at - before;
  }
  template <int... I>
  __device__ __forceinline__ void copy(Strip const& s, std::integer_sequence<int, I...>) const {
    int step             = 0;
    std::uint32_t parity = 1;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int t = 0; t < s.rows; ++t) {
      if (t >= steps) CopyBarriers::wait(s.empty(step), parity);
      std::uint32_t bytes = 0;
      (copy_field<I, Fields, false>(s, t, s.full(step), bytes, pack_get<I>(this->in)), ...);
      CopyBarriers::arrive_and_expect(s.full(step), bytes);
      (copy_field<I, Fields, true>(s, t, s.full(step), bytes, pack_get<I>(this->in)), ...);
      if (++step == steps) {
        step = 0;
        parity ^= 1u;
      }
    }
  }
  /// Has the rows copied that a step needs for the first time, or counts their bytes.
  template <int I, class Field, bool Copies, class T>
  __device__ __forceinline__ static void copy_field(Strip const& s, int t, std::uint32_t barrier,
                                                    [[maybe_unused]] std::uint32_t& all, FieldRef<T, 2> const& field) {
    if constexpr (FieldTraits<Field>::wide) {
      constexpr int reach = behind<Field>;
      KOKKOSSTENCIL_IMPL_NO_UNROLL
      for (int row = t == 0 ? -reach : t + reach; row <= t + reach; ++row) {
        std::uint32_t bytes;
        T const* const from = row_of<Field>(s, field, row, bytes);
        if constexpr (Copies) {
          int const slot = (row + reach) % slots<Field>;
          CopyBarriers::copy(
              CopyBarriers::address(s.memory + begin<I> + slot * row_bytes<std::remove_const_t<T>, Field>), from, bytes,
              barrier);
        } else {
          all += bytes;
        }
      }
    }
  }

  /// What a thread has of a field: where its row is in the ring; or the values of its points, with those of the next
  /// rows.
  struct Ring {
    int slot;   ///< of the row of the point
    int phase;  ///< values that a row begins behind a multiple of 16 bytes
  };
  template <class T>
  struct Waiting {
    typename Base::template Cell<T> row[waiting + 1];
  };
  template <class Field, class T>
  using StateOf = std::conditional_t<FieldTraits<Field>::wide, Ring, Waiting<std::remove_const_t<T>>>;

  template <class T>
  static __device__ __forceinline__ int phase_of(FieldRef<T, 2> const& field) {
    return static_cast<int>(field.stride[row_axis]) & (phases<std::remove_const_t<T>> - 1);
  }
  /// Reads the values of so many rows further, if they are there.
  template <class T, class U>
  static __device__ __forceinline__ void load(Waiting<T>& w, int k, U const* at, std::int64_t stride, int rows_left,
                                              int valid) {
    w.row[k] = {};
    if (valid > 0 && k < rows_left) Base::template load_cell<T>(w.row[k], at + k * stride, false, valid);
  }
  template <class Field, class T>
  static __device__ __forceinline__ void start(StateOf<Field, T>& state, Strip const& s, FieldRef<T, 2> const& field,
                                               T const* at, int valid) {
    if constexpr (FieldTraits<Field>::wide) {
      state.slot  = behind<Field>;
      state.phase = values_before(field.at(s.first) - side<Field>, int(sizeof(T)));
    } else {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < waiting; ++k) load(state, k, at, field.stride[row_axis], s.rows, valid);
    }
  }
  template <class T, class U>
  static __device__ __forceinline__ void load_last(Waiting<T>& w, U const* at, std::int64_t stride, int rows_left,
                                                   int valid) {
    load(w, waiting, at, stride, rows_left, valid);
  }
  template <class T, class U>
  static __device__ __forceinline__ void load_last(Ring&, T const*, U, int, int) {}
  template <class T>
  static __device__ __forceinline__ void advance(Waiting<T>& w) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < waiting; ++k) w.row[k] = w.row[k + 1];
  }
  template <class Field, class T>
  static __device__ __forceinline__ void advance_input(StateOf<Field, T>& state, FieldRef<T, 2> const& field) {
    if constexpr (FieldTraits<Field>::wide) {
      if (++state.slot == slots<Field>) state.slot = 0;
      state.phase += phase_of(field);
    } else {
      advance(state);
    }
  }

  template <int I, class Field, class T>
  static __device__ __forceinline__ auto near(Strip const& s, int place_in_strip, StateOf<Field, T> const& state,
                                              FieldRef<T, 2> const& field, T const* at, ViewIndex<2> const& i,
                                              int apart, [[maybe_unused]] int k) {
    using Value = std::remove_const_t<T>;
    ViewIndex<2> point, stride;
    for (int a = 0; a < 2; ++a) {
      point[a]  = a == Fast ? i[a] + apart : i[a];
      stride[a] = a == Fast ? 1 : field.stride[a];
    }
    VectorPlace place;
    place.width      = Across;
    place.axis       = -1;
    place.plane_axis = row_axis;
    PlaneRing<Value> ring;
    Value const* held = nullptr;
    if constexpr (FieldTraits<Field>::wide) {
      constexpr int pitch = row_bytes<Value, Field> / int(sizeof(T));
      ring.at             = reinterpret_cast<Value const*>(s.memory + begin<I>) + side<Field> + place_in_strip + apart;
      ring.slot_size      = pitch;
      ring.slots          = slots<Field>;
      ring.slot           = state.slot;
      ring.behind         = behind<Field>;
      ring.phases         = phases<Value>;
      ring.phase          = state.phase;
      ring.plane_phase    = phase_of(field);
    } else {
      place.held  = 0;
      place.ahead = 0;
      held        = state.row[0].value + k;
    }
    return typename Base::template Near<T, Ways::ring | Ways::column | Ways::plain>(at + apart, stride, point, place,
                                                                                    held, ring);
  }

  template <int... I, int... O, class... Sums>
  __device__ __forceinline__ void compute(Strip const& s, int thread, std::integer_sequence<int, I...>,
                                          std::integer_sequence<int, O...>, Sums&... sums) const {
    int const place = thread / warp_threads * (warp_threads * Across) + thread % warp_threads;
    int const left  = s.points - place;
    int const valid = left <= 0 ? 0 : left >= Across * warp_threads ? Across : (left + warp_threads - 1) / warp_threads;
    ViewIndex<2> i  = {s.first[0], s.first[1]};
    i[Fast] += place;
    Bundle<In*...> from;
    Bundle<Out*...> to;
    ((bundle_get<I>(from) = pack_get<I>(this->in).at(i)), ...);
    ((bundle_get<O>(to) = pack_get<O>(this->out).at(i)), ...);
    Bundle<StateOf<Fields, In>...> states;
    (start<Fields, In>(bundle_get<I>(states), s, pack_get<I>(this->in), bundle_get<I>(from), valid), ...);
    Bundle<Waiting<Out>...> values;
    if constexpr (!Returns) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < waiting; ++k) {
        (load(bundle_get<O>(values), k, bundle_get<O>(to), pack_get<O>(this->out).stride[row_axis], s.rows, valid),
         ...);
      }
    }
    int step             = 0;
    std::uint32_t parity = 0;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int rows_left = s.rows; rows_left > 0; --rows_left) {
      (load_last(bundle_get<I>(states), bundle_get<I>(from), pack_get<I>(this->in).stride[row_axis], rows_left, valid),
       ...);
      // The compiler drops the loads of what is always written.
      if constexpr (!Returns) {
        (load_last(bundle_get<O>(values), bundle_get<O>(to), pack_get<O>(this->out).stride[row_axis], rows_left, valid),
         ...);
      }
      CopyBarriers::wait(s.full(step), parity);
      if (valid > 0) {
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int k = 0; k < Across; ++k) {
          // What is not there is made of the first point, and dropped. But it must not be added up.
          if (sizeof...(Sums) == 0 || k < valid) {
            int const apart = k < valid ? k * warp_threads : 0;
            if constexpr (Returns) {
              values.value.row[0].value[k] =
                  this->f(near<I, Fields>(s, place, bundle_get<I>(states), pack_get<I>(this->in), bundle_get<I>(from),
                                          i, apart, k)...,
                          sums...);
            } else {
              this->f(near<I, Fields>(s, place, bundle_get<I>(states), pack_get<I>(this->in), bundle_get<I>(from), i,
                                      apart, k)...,
                      bundle_get<O>(values).row[0].value[k]..., sums...);
            }
          }
        }
        (Base::template store_cell<Out>(bundle_get<O>(values).row[0], bundle_get<O>(to), valid), ...);
      }
      __syncwarp();
      if (thread % warp_threads == 0) CopyBarriers::arrive(s.empty(step));
      if (++step == steps) {
        step = 0;
        parity ^= 1u;
      }
      (advance_input<Fields, In>(bundle_get<I>(states), pack_get<I>(this->in)), ...);
      if constexpr (!Returns) (advance(bundle_get<O>(values)), ...);
      ((bundle_get<I>(from) += pack_get<I>(this->in).stride[row_axis]), ...);
      ((bundle_get<O>(to) += pack_get<O>(this->out).stride[row_axis]), ...);
      ++i[row_axis];
    }
  }
#endif
#endif
};

/// Sweeps by such strips; false if the GPU has no code for them, there are too few points, or rows do not lie in memory
/// one behind the other. `forced`: the kernel that it must be, or none. Narrowly: or if the last strip is little of its
/// row, since other kernels are nearly as fast.
template <class Kernel, int Fast, bool Narrowly, class Exec, class Functor, class... In, class... Out, int... I,
          int... O, class... Reducers>
bool launch_row_ring(std::string const& label, std::string const& forced, Exec const& space, Functor const& f,
                     Pack<In...> const& in, Pack<Out...> const& out, std::integer_sequence<int, I...>,
                     std::integer_sequence<int, O...>, KnownSweep& sweep, Reducers const&... reducers) {
  using Sums        = SumKernel<Kernel, Reducers...>;
  bool const choose = forced.empty();
  if (!choose && forced != Kernel::name) return false;
  if (!unit_strides(in, Fast, PackIndices<Pack<In...>>()) || !unit_strides(out, Fast, PackIndices<Pack<Out...>>())) {
    return false;
  }
  CurrentDevice const current(space.cuda_device());
  void const* code = nullptr;
  if constexpr (sizeof...(Reducers) == 0) {
    if constexpr (sizeof(Kernel) > most_arguments) return false;
    code = reinterpret_cast<void const*>(&sweep_cells<Kernel>);
  } else {
    if constexpr (sizeof(Sums) > most_arguments || !JoinSums<Reducers...>::possible) return false;
    code = reinterpret_cast<void const*>(&sweep_sums<Sums, Kernel>);
  }
  if (ring_code_of<Sums>(code, Kernel::shared_bytes, space.cuda_device()) != RingCode::ring) return false;
  auto const along = std::size_t(Fast), down = std::size_t(Kernel::row_axis);
  PointBox const& range     = sweep.where.range;
  std::int64_t const wide   = range.end[along] - range.begin[along];
  std::int64_t const strips = (wide + Kernel::lanes - 1) / Kernel::lanes;
  std::int64_t const rows   = range.end[down] - range.begin[down];
  int const multiprocessors = space.cuda_device_prop().multiProcessorCount;
  int const height          = Kernel::height_for(strips, rows, multiprocessors);
  // Other kernels have more blocks.
  if (choose && strips * (rows / height) < 2 * multiprocessors) return false;
  if (choose && Narrowly && 5 * wide < 4 * strips * Kernel::lanes) return false;
  auto const make_plan = [&] {
    CellShape shape{
        Kernel::planned,          1, 1, Kernel::lanes, height, Kernel::threads, 1, space.concurrency(), false,
        (sizeof...(Reducers) > 0)};
    shape.spare_rows = 1;
    return cell_plan(shape, 2, Fast, sweep.where,
                     std::array{shape_info(pack_get<I>(in))..., shape_info(pack_get<O>(out))...});
  };
  static char const this_kernel = 0;
  CellPlan const& plan          = sweep.plan_of(&this_kernel, space.cuda_device(), make_plan);
  if (!plan.any) return false;
  Kernel kernel{{f, Pack<FieldRef<typename In::value_type, 2>...>{field_ref(pack_get<I>(in))...},
                 Pack<FieldRef<typename Out::value_type, 2>...>{field_ref(pack_get<O>(out))...}, sweep.faces, plan.list,
                 plan.tiles},
                height};
  if constexpr (sizeof...(Reducers) == 0) {
    ToolsRegion const region(make_launch(label, space), true);
    launch_kernel(label, &sweep_cells<Kernel>, kernel, plan.teams, Kernel::threads, Kernel::shared_bytes, space);
  } else {
    // In captures another kernel goes by Kokkos' teams, at least four waves of three blocks.
    std::size_t const bytes = std::size_t(12 * multiprocessors) * sizeof(SumValues<Reducers...>);
    // The barriers of a block are made once.
    if (plan.teams > most_sum_blocks ||
        !launch_sums(label, space, kernel, plan.teams, choose ? bytes : 0, reducers...)) {
      return false;
    }
  }
  note_functor(label, Kernel::name, sweep.where.range);
  return true;
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
namespace KokkosStencil {
namespace Impl {

/// The kernel for a call, if there is one.
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct RowRingFor {
  using type = void;
};
#ifdef KOKKOSSTENCIL_IMPL_RINGS
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct RowRingFor<2, Returns, Fast, Width, Functor, In, Out, Fields> {
  static constexpr bool fits() {
    if constexpr (Width > 1) {
      return RowRingKernel<Returns, Fast, Width, Functor, In, Out, Fields>::possible;
    } else {
      return false;
    }
  }
  using type =
      std::conditional_t<fits(), RowRingKernel<Returns, Fast, (Width > 1 ? Width : 2), Functor, In, Out, Fields>, void>;
};
#endif
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
using RowRingOf = typename RowRingFor<Rank, Returns, Fast, Width, Functor, In, Out, Fields>::type;

}  // namespace Impl
}  // namespace KokkosStencil
#endif
