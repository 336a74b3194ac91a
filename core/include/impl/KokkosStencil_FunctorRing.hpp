// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_FunctorLaunch.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorRingShape.hpp>
#include <impl/KokkosStencil_FunctorStreaming.hpp>
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

// One sweep of a functor with a far reach over volumes, where the GPU copies boxes by itself (compute capability 9.0).
// A block goes along the slowest axis with a tile of the other two. A warp of its own has the planes copied to shared
// memory, some ahead of the one that is computed, so that few lines are asked of the second-level cache twice. Of each
// field those from the plane that is computed on are there; a thread keeps its own column in registers, behind and
// ahead, and what else is read behind comes from memory.
// Where rows begin at multiples of 16 bytes one copy takes a plane of the tile, and a thread computes a vector.
// Elsewhere each row of a tile is copied by itself, of fields that are read around the point only, and a thread
// computes points that lie a warp apart.

#ifdef KOKKOSSTENCIL_IMPL_RINGS

namespace KokkosStencil {
namespace Impl {

/// The kernel: what older GPUs run in its place is the streaming one.
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct RingKernel;
template <bool Returns, int Fast, int Width, class Functor, class... In, class... Out, class... Fields>
struct RingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>
    : StreamingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  using Streaming = StreamingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  using Base      = typename Streaming::Base;
  using Shape     = RingShape<Fast, Width, Returns, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  using Points    = CellFields<3, Returns, Fast, 1, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;

  struct Map {
    CUtensorMap map;
  };
  Map maps[sizeof...(In)];
  int shift;  ///< values from where the maps of boxes begin to the first point of a row

#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
  __device__ __forceinline__ void run(std::uint32_t block, unsigned char* memory, int thread) const {
    std::uint32_t tile[3];
    if (!this->template find_tile<Shape>(block, thread, tile)) return;
    Place p;
    auto const plane = static_cast<std::int64_t>(tile[2]) * this->tiles.depth;
    auto const left  = this->tiles.cells[2] - plane;
    p.planes         = left < this->tiles.depth ? static_cast<int>(left) : this->tiles.depth;
    p.cell           = static_cast<std::int64_t>(tile[0]) * Shape::lanes;
    p.row            = static_cast<std::int64_t>(tile[1]) * Shape::columns;
    for (int a = 0; a < 3; ++a) p.first[a] = this->tiles.first[a];
    p.first[Fast] += p.cell * Base::planned;
    p.first[Base::row_axis] += p.row;
    p.first[Base::plane_axis] += plane;
    p.memory   = memory + Shape::barrier_bytes;
    p.barriers = CopyBarriers::address(memory);
    if (thread == 0) {
      for (int s = 0; s < Shape::steps; ++s) {
        CopyBarriers::init(p.full(s), 1);
        CopyBarriers::init(p.empty(s), Shape::columns);
      }
      CopyBarriers::fence_init();
    }
    __syncthreads();
    if (thread >= Shape::workers) {
      copy(p, thread - Shape::workers, typename Base::Inputs());
    } else {
      compute(p, thread, typename Base::Inputs(), typename Base::Outputs());
    }
  }

 private:
  /// The tile.
  struct Place {
    std::int64_t first[3];  ///< its first point, which may be none
    std::int64_t cell, row;
    int planes;
    unsigned char* memory;
    std::uint32_t barriers;

    /// That the planes of a step have come, and that the step was done.
    __device__ __forceinline__ std::uint32_t full(int step) const {
      return barriers + static_cast<std::uint32_t>(8 * step);
    }
    __device__ __forceinline__ std::uint32_t empty(int step) const { return full(Shape::steps + step); }
  };
  /// What the warp for copies does: the planes of all fields, in the order in which they are needed.
  template <int... I>
  __device__ __forceinline__ void copy(Place const& p, int lane, std::integer_sequence<int, I...>) const {
    constexpr std::uint32_t each = (std::uint32_t(Shape::template plane_bytes<Fields>) + ...);
    constexpr std::uint32_t begin =
        (std::uint32_t(Shape::template plane_bytes<Fields> * (Shape::template planes_of<Fields> + 1)) + ...);
    if (!Base::spread && lane > 0) return;
    int step             = 0;
    std::uint32_t parity = 1;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int t = 0; t < p.planes; ++t) {
      if (t >= Shape::steps) CopyBarriers::wait(p.empty(step), parity);
      if (lane == 0) CopyBarriers::arrive_and_expect(p.full(step), t == 0 ? begin : each);
      (copy_field<I, Fields>(p, lane, t, p.full(step), pack_get<I>(this->in)), ...);
      // Lanes without a row must not fall behind: a barrier tells two phases apart, not three.
      if constexpr (Base::spread) __syncwarp();
      if (++step == Shape::steps) {
        step = 0;
        parity ^= 1u;
      }
    }
  }
  template <int I, class Field, class T>
  __device__ __forceinline__ void copy_field(Place const& p, int lane, int t, std::uint32_t barrier,
                                             FieldRef<T, 3> const& field) const {
    if constexpr (Shape::template in_ring<Field>) {
      constexpr int reach = Shape::template planes_of<Field>;
      KOKKOSSTENCIL_IMPL_NO_UNROLL
      for (int plane = t == 0 ? 0 : t + reach; plane <= t + reach; ++plane) {
        std::uint32_t const to =
            CopyBarriers::address(p.memory + Shape::template begin<I> +
                                  plane % Shape::template slots<Field> * Shape::template slot_bytes<Field>);
        auto const x   = p.first[Fast] - Shape::template halo<Field>;
        auto const row = p.first[Base::row_axis] - Shape::template rows_of<Field>;
        auto const z   = p.first[Base::plane_axis] + plane;
        if constexpr (Base::spread) {
          constexpr int pitch = Shape::template pitch<Field> * int(sizeof(T));
          int const first =
              values_before(field.data, int(sizeof(T))) +
              static_cast<int>(x + row * field.stride[Base::row_axis] + z * field.stride[Base::plane_axis]);
          for (int r = lane; r < Shape::template tile_rows<Field>; r += warp_threads) {
            int const at = first + r * static_cast<int>(field.stride[Base::row_axis]);
            CopyBarriers::copy(to + static_cast<std::uint32_t>(r * pitch), &maps[I].map, at & ~(Base::across - 1),
                               barrier);
          }
        } else {
          CopyBarriers::copy(to, &maps[I].map, static_cast<int>(x) + shift, static_cast<int>(row), static_cast<int>(z),
                             barrier);
        }
      }
    }
  }

  /// The own column of a field: the planes around, then the next one if it has no ring.
  template <class T, int Reach, bool Rings>
  struct Column {
    typename Base::template Cell<T> plane[2 * Reach + (Rings ? 1 : 2)];
    int slot;   ///< of the plane that is computed
    int phase;  ///< where the row of the point begins in what was copied, modulo a vector
  };
  template <class Field, class T>
  using ColumnOf = Column<std::remove_const_t<T>, Shape::template planes_of<Field>, Shape::template in_ring<Field>>;

  /// The points of the cell that a thread computes.
  struct Cell {
    std::int64_t place;
    int valid;                ///< how many there are
    int apart[Base::across];  ///< values from the first point to each; to the first one itself if there is none
  };

  /// What a step along an axis adds to the place in a vector.
  template <class T>
  __device__ __forceinline__ static int phase_of(FieldRef<T, 3> const& field, int axis) {
    return static_cast<int>(field.stride[axis]) & (Base::across - 1);
  }
  template <int I, class Field, class T>
  __device__ __forceinline__ static T const* own(Place const& p, int thread) {
    constexpr int pitch = Shape::template pitch<Field>;
    return reinterpret_cast<T const*>(p.memory + Shape::template begin<I>) +
           (thread / warp_threads + Shape::template rows_of<Field>)*pitch + Shape::template halo<Field> +
           thread % warp_threads * Base::planned;
  }
  /// `phase`: of the row in that plane.
  template <int I, class Field, class T>
  __device__ __forceinline__ static void read(typename Base::template Cell<T>& to, Place const& p, int thread,
                                              Cell const& cell, int slot, int phase) {
    constexpr int size = Shape::template slot_bytes<Field> / int(sizeof(T));
    T const* at        = own<I, Field, T>(p, thread) + slot * size;
    if constexpr (Base::spread) {
      at += phase & (Base::across - 1);
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < Base::across; ++k) to.value[k] = at[cell.apart[k]];
    } else {
      to.load(at, false);
    }
  }
  /// Planes behind come from memory, as does the first one where there is no ring.
  template <class Field, class T>
  __device__ __forceinline__ void begin(ColumnOf<Field, T>& column, T const* from, std::int64_t stride, int thread,
                                        Cell const& cell) const {
    constexpr int reach = Shape::template planes_of<Field>;
    constexpr int last  = Shape::template in_ring<Field> ? reach : 2 * reach + 1;
    // Of the first point of the warp's row, since vectors lie at multiples of their size.
    column.slot = 0;
    column.phase =
        values_before(from - thread % warp_threads * Base::planned - Shape::template halo<Field>, int(sizeof(T)));
    column.plane[0] = {};
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 1; k <= last; ++k) {
      column.plane[k] = {};
      if (cell.valid > 0) {
        Base::template load_cell<std::remove_const_t<T>>(column.plane[k], from + (k - 1 - reach) * stride, true,
                                                         cell.valid);
      }
    }
  }
  template <int I, class Field, class T>
  __device__ __forceinline__ static void first_planes(ColumnOf<Field, T>& column, Place const& p, int thread,
                                                      Cell const& cell, FieldRef<T, 3> const& field) {
    constexpr int reach = Shape::template planes_of<Field>;
    if constexpr (Shape::template in_ring<Field>) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < reach; ++k) {
        read<I, Field, std::remove_const_t<T>>(column.plane[reach + 1 + k], p, thread, cell, k,
                                               column.phase + k * phase_of(field, Base::plane_axis));
      }
    }
  }
  /// `next`: where the plane after this one lies in memory, if there is one.
  template <int I, class Field, class T>
  __device__ __forceinline__ static void next_plane(ColumnOf<Field, T>& column, Place const& p, int thread,
                                                    Cell const& cell, FieldRef<T, 3> const& field, T const* next) {
    constexpr int reach = Shape::template planes_of<Field>, slots = Shape::template slots<Field>;
    constexpr int last = Shape::template in_ring<Field> ? 2 * reach : 2 * reach + 1;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < last; ++k) column.plane[k] = column.plane[k + 1];
    if constexpr (Shape::template in_ring<Field>) {
      int const slot = column.slot + reach;
      read<I, Field, std::remove_const_t<T>>(column.plane[last], p, thread, cell, slot >= slots ? slot - slots : slot,
                                             column.phase + reach * phase_of(field, Base::plane_axis));
    } else if (next != nullptr) {
      Base::template load_cell<std::remove_const_t<T>>(column.plane[last], next, false, cell.valid);
    }
  }
  template <class Field, class Column, class T>
  __device__ __forceinline__ static void advance(Column& column, FieldRef<T, 3> const& field) {
    if (++column.slot == Shape::template slots<Field>) column.slot = 0;
    column.phase += phase_of(field, Base::plane_axis);
  }

  template <int I, class Field, class T>
  __device__ __forceinline__ static auto near(Place const& p, int thread, Cell const& cell,
                                              ColumnOf<Field, T> const& column, FieldRef<T, 3> const& field,
                                              T const* from, ViewIndex<3> const& i, int k) {
    using Value         = std::remove_const_t<T>;
    constexpr int reach = Shape::template planes_of<Field>;
    int const apart     = Base::spread ? cell.apart[k] : 0;
    ViewIndex<3> point, stride;
    for (int a = 0; a < 3; ++a) {
      point[a]  = a != Fast ? i[a] : Base::spread ? i[a] + apart : i[a] + k;
      stride[a] = a == Fast ? 1 : field.stride[a];
    }
    VectorPlace place;
    place.width      = Base::across;
    place.lane       = Base::spread ? 0 : k;
    place.axis       = Base::spread ? -1 : Fast;
    place.only       = FieldTraits<Field>::wide;
    place.plane_axis = Base::plane_axis;
    place.held       = reach;
    place.ahead      = reach;
    PlaneRing<Value> ring;
    if constexpr (FieldTraits<Field>::wide) {
      ring.at        = own<I, Field, Value>(p, thread) + apart;
      ring.slot_size = Shape::template slot_bytes<Field> / int(sizeof(T));
      ring.row_size  = Shape::template pitch<Field>;
      ring.slots     = Shape::template slots<Field>;
      ring.slot      = column.slot;
      if constexpr (Base::spread) {
        ring.phase       = column.phase;
        ring.row_phase   = phase_of(field, Base::row_axis);
        ring.plane_phase = phase_of(field, Base::plane_axis);
        ring.phases      = Base::across;
      }
    }
    return typename Base::template Near<T, Ways::ring | Ways::column | Ways::vectors<Width>>(
        from + apart, stride, point, place, column.plane[0].value + (Base::spread ? k : 0), ring);
  }

  /// The cell of a thread, each warp a row of the tile.
  __device__ __forceinline__ Cell cell_of(Place const& p, int thread) const {
    Cell cell;
    cell.place       = p.cell + thread % warp_threads;
    bool const works = cell.place >= this->tiles.skip && cell.place < this->tiles.cells[0] &&
                       p.row + thread / warp_threads < this->tiles.cells[1];
    cell.valid = works ? Base::across : 0;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Base::across; ++k) {
      bool const there = !Base::spread || cell.place + k * Base::apart < this->tiles.cells[0];
      cell.apart[k]    = there ? k * Base::apart : 0;
      cell.valid -= works && !there ? 1 : 0;
    }
    return cell;
  }

  /// What all other warps do.
  template <int... I, int... O>
  __device__ __forceinline__ void compute(Place const& p, int thread, std::integer_sequence<int, I...>,
                                          std::integer_sequence<int, O...>) const {
    constexpr int axis = Base::plane_axis;
    Cell const cell    = cell_of(p, thread);
    ViewIndex<3> i;
    for (int a = 0; a < 3; ++a) i[a] = p.first[a];
    i[Fast] += thread % warp_threads * Base::planned;
    i[Base::row_axis] += thread / warp_threads;
    Bundle<In*...> from;
    Bundle<Out*...> to;
    ((bundle_get<I>(from) = pack_get<I>(this->in).at(i)), ...);
    ((bundle_get<O>(to) = pack_get<O>(this->out).at(i)), ...);
    Bundle<ColumnOf<Fields, In>...> columns;
    (begin<Fields, In>(bundle_get<I>(columns), bundle_get<I>(from), pack_get<I>(this->in).stride[axis], thread, cell),
     ...);
    Bundle<typename Base::template Cell<Out>...> next, now;
    if constexpr (!Returns) {
      if (cell.valid > 0) {
        (Base::template load_cell<Out>(bundle_get<O>(next), bundle_get<O>(to), false, cell.valid), ...);
      }
    }
    CopyBarriers::wait(p.full(0), 0);
    (first_planes<I, Fields, In>(bundle_get<I>(columns), p, thread, cell, pack_get<I>(this->in)), ...);
    int step             = 0;
    std::uint32_t parity = 0;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int left = p.planes; left > 0; --left) {
      bool const more = cell.valid > 0 && left > 1;
      // The compiler drops the loads of what is always written.
      if constexpr (!Returns) {
        now = next;
        if (more) {
          (Base::template load_cell<Out>(bundle_get<O>(next), bundle_get<O>(to) + pack_get<O>(this->out).stride[axis],
                                         false, cell.valid),
           ...);
        }
      }
      CopyBarriers::wait(p.full(step), parity);
      (next_plane<I, Fields, In>(bundle_get<I>(columns), p, thread, cell, pack_get<I>(this->in),
                                 more ? bundle_get<I>(from) + pack_get<I>(this->in).stride[axis] : nullptr),
       ...);
      if (cell.valid > 0) {
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int k = 0; k < Base::across; ++k) {
          if constexpr (Returns) {
            now.value.value[k] = this->f(near<I, Fields>(p, thread, cell, bundle_get<I>(columns), pack_get<I>(this->in),
                                                         bundle_get<I>(from), i, k)...);
          } else {
            this->f(near<I, Fields>(p, thread, cell, bundle_get<I>(columns), pack_get<I>(this->in), bundle_get<I>(from),
                                    i, k)...,
                    bundle_get<O>(now).value[k]...);
          }
        }
        (Base::template store_cell<Out>(bundle_get<O>(now), bundle_get<O>(to), cell.valid), ...);
      }
      __syncwarp();
      if (thread % warp_threads == 0) CopyBarriers::arrive(p.empty(step));
      if (++step == Shape::steps) {
        step = 0;
        parity ^= 1u;
      }
      (advance<Fields>(bundle_get<I>(columns), pack_get<I>(this->in)), ...);
      ((bundle_get<I>(from) += pack_get<I>(this->in).stride[axis]), ...);
      ((bundle_get<O>(to) += pack_get<O>(this->out).stride[axis]), ...);
      ++i[axis];
    }
  }
#endif
#endif
};

// GPUs of compute capability 12 copy boxes but have less than half the shared memory of those before them.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
#define KOKKOSSTENCIL_IMPL_NO_RING
#define KOKKOSSTENCIL_IMPL_RING_BOUNDS(Kernel) __launch_bounds__(Kernel::threads, Kernel::resident)
#else
#define KOKKOSSTENCIL_IMPL_RING_BOUNDS(Kernel) __launch_bounds__(Kernel::Shape::threads, 1)
#endif
template <class Kernel>
__global__ void KOKKOSSTENCIL_IMPL_RING_BOUNDS(Kernel) sweep_ring(__grid_constant__ Kernel const kernel) {
#ifdef KOKKOSSTENCIL_IMPL_NO_RING
  if constexpr (!Kernel::spread) kernel.block(blockIdx.x, static_cast<int>(threadIdx.x));
#elif defined(__CUDA_ARCH__)
  extern __shared__ __align__(128) unsigned char ring_memory[];
  kernel.run(blockIdx.x, ring_memory, static_cast<int>(threadIdx.x));
#endif
}
#undef KOKKOSSTENCIL_IMPL_RING_BOUNDS
#undef KOKKOSSTENCIL_IMPL_NO_RING

/// The ring in the place of a streaming kernel, where there is one.
template <class Kernel>
struct RingFor {
  using type = void;
};
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct RingFor<StreamingKernel<Returns, Fast, Width, Functor, In, Out, Fields>> {
  using Ring = RingKernel<Returns, Fast, Width, Functor, In, Out, Fields>;
  static constexpr bool fits() {
    if constexpr (RingShape<Fast, Width, Returns, In, Out, Fields>::possible) {
      return sizeof(Ring) <= most_arguments;
    } else {
      return false;
    }
  }
  using type = std::conditional_t<fits(), Ring, void>;
};
template <class Kernel>
using RingOf = typename RingFor<Kernel>::type;

template <class Kernel>
RingCode ring_code(int device) {
  return ring_code_of<Kernel>(reinterpret_cast<void const*>(&sweep_ring<Kernel>), Kernel::Shape::bytes, device);
}

/// Sweeps by a ring or, on GPUs without one and by vectors, streaming; false if neither can be. `forced`: which one it
/// must be, or none.
template <class Kernel, int Fast, int Width, class Functor, class... In, class... Out, class... Fields, int... I,
          int... O>
bool launch_ring(std::string const& label, std::string const& forced, Kokkos::Cuda const& space, Functor const& f,
                 Pack<In...> const& in, Pack<Out...> const& out, Pack<Fields...> const&,
                 std::integer_sequence<int, I...>, std::integer_sequence<int, O...>, KnownSweep& sweep) {
  using Shape     = typename Kernel::Shape;
  using Streaming = typename Kernel::Streaming;
  using Base      = typename Kernel::Base;
  CurrentDevice const current(space.cuda_device());
  RingCode const code = ring_code<Kernel>(space.cuda_device());
  if (code != RingCode::ring && code != RingCode::streaming) return false;
  bool const rings = code == RingCode::ring;
  // A multiprocessor has one block: with few points (measured: 80 x 80 x 80 on an H100) streaming is as fast.
  if (rings && forced.empty() && sweep.where.range.size() < 2 * std::int64_t(space.concurrency())) return false;
  if constexpr (Shape::spread) {
    if (!rings || !unit_strides(in, Fast, PackIndices<Pack<In...>>()) ||
        !unit_strides(out, Fast, PackIndices<Pack<Out...>>())) {
      return false;
    }
  }
  if (!forced.empty() && forced != (rings ? Shape::name : Streaming::name)) return false;
  auto const make_plan = [&] {
    CellShape shape{
        Base::planned,      Streaming::rows,  Streaming::planes,   Streaming::lanes,       Streaming::columns,
        Streaming::threads, Streaming::depth, space.concurrency(), Streaming::ends_beside, false};
    if (rings) {
      shape.lanes   = Shape::lanes;
      shape.columns = Shape::columns;
      shape.threads = Shape::threads;
      shape.depth   = Shape::depth;
      shape.slots   = space.cuda_device_prop().multiProcessorCount;
      shape.begins  = Shape::reach() + 2;
      shape.points  = Shape::does_points;
    }
    return cell_plan(shape, 3, Fast, sweep.where,
                     std::array{shape_info(pack_get<I>(in))..., shape_info(pack_get<O>(out))...});
  };
  static char const this_kernel = 0;
  CellPlan const& plan          = sweep.plan_of(&this_kernel, space.cuda_device(), make_plan);
  if (!plan.any) return false;
  Kernel kernel{{{f, Pack<FieldRef<typename In::value_type, 3>...>{field_ref(pack_get<I>(in))...},
                  Pack<FieldRef<typename Out::value_type, 3>...>{field_ref(pack_get<O>(out))...}, sweep.faces,
                  plan.list, plan.tiles}},
                {},
                0};
  if (rings) {
    bool mapped = false;
    if constexpr (Shape::spread) {
      mapped =
          ((!Shape::template in_ring<Fields> || sequence_map(kernel.maps[I].map, shape_info(pack_get<I>(in)),
                                                             Shape::template row_bytes<Fields> / Shape::value_size)) &&
           ...);
    } else {
      std::int64_t const phase = vector_phase(Width, 3, std::size_t(Fast), std::array{shape_info(in.head)});
      kernel.shift             = static_cast<int>((Width - phase) % Width);
      mapped                   = (tensor_map(kernel.maps[I].map, shape_info(pack_get<I>(in)), Fast, kernel.shift,
                                             Shape::template pitch<Fields>, Shape::template tile_rows<Fields>) &&
                ...);
    }
    if (!mapped) return false;
  }
  ToolsRegion const region(make_launch(label, space), true);
  if (rings && plan.list.points > 0) {
    // One kernel, whatever the width.
    using Points                = typename Kernel::Points;
    constexpr std::int64_t each = Points::listed_threads;
    launch_kernel(label, &sweep_points<Points>,
                  Points{kernel.f, kernel.in, kernel.out, kernel.faces, kernel.list, kernel.tiles},
                  static_cast<std::uint32_t>((plan.list.points + each - 1) / each), int(each), 0, space);
  }
  launch_kernel(label, &sweep_ring<Kernel>, kernel, plan.teams, rings ? Shape::threads : Streaming::threads,
                rings ? Shape::bytes : 0, space);
  note_functor(label, rings ? Shape::name : Streaming::name, sweep.where.range);
  return true;
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
namespace KokkosStencil {
namespace Impl {

/// Whether a kernel for vectors gives way to a ring.
template <class Kernel, class... Reducers>
constexpr bool rings() {
#ifdef KOKKOSSTENCIL_IMPL_RINGS
  return sizeof...(Reducers) == 0 && !std::is_void<RingOf<Kernel>>::value;
#else
  return false;
#endif
}

}  // namespace Impl
}  // namespace KokkosStencil
#endif
