// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_FunctorLaunch.hpp>
#include <impl/KokkosStencil_FunctorStreaming.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
#include <cuda.h>
#if CUDART_VERSION >= 12000
#define KOKKOSSTENCIL_IMPL_RINGS 1
#endif
#endif

// One sweep of a functor with a far reach over volumes, where the GPU copies boxes by itself (compute capability 9.0).
// A block goes along the slowest axis with a tile of the other two. A thread of its own has the planes copied to shared
// memory, some ahead of the one that is computed, so that few lines are asked of the second-level cache twice. Of each
// field those from the plane that is computed on are there; a thread keeps its own column in registers, behind and
// ahead, and what else is read behind comes from memory.

#ifdef KOKKOSSTENCIL_IMPL_RINGS

namespace KokkosStencil {
namespace Impl {

/// How the ring lies in shared memory.
template <int Fast, int Width, bool Returns, class In, class Out, class Fields>
struct RingShape;
template <int Fast, int Width, bool Returns, class... In, class... Out, class... Fields>
struct RingShape<Fast, Width, Returns, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  static constexpr int row_axis   = 1;
  static constexpr int plane_axis = 2 - Fast;

  template <class Field>
  static constexpr int planes_of = FieldTraits<Field>::along(plane_axis);
  template <class Field>
  static constexpr int rows_of = FieldTraits<Field>::along(row_axis);
  template <class Field>
  static constexpr int halo = (FieldTraits<Field>::along(Fast) + Width - 1) / Width* Width;

  static constexpr int reach() {
    int most = 0;
    for (int r : {planes_of<Fields>..., 0}) most = r > most ? r : most;
    return most;
  }
  /// Vectors that a thread keeps.
  static constexpr int vectors = ((2 * planes_of<Fields> + 1) + ... + (Returns ? 1 : 2 * int(sizeof...(Out))));

  static constexpr int ahead = 2;          ///< planes that are on their way
  static constexpr int steps = ahead + 1;  ///< whose planes have a place
  static constexpr int lanes = 32;
  /// One less than warps that share registers evenly: one more has the planes copied.
  static constexpr int most_columns = vectors <= 12 ? 19 : vectors <= 16 ? 15 : 11;

  template <class Field>
  static constexpr int slots = FieldTraits<Field>::wide ? planes_of<Field> + steps : steps;
  template <class Field>
  static constexpr int pitch = lanes* Width + 2 * halo<Field>;
  template <class Field>
  static constexpr int plane_bytes_of(int columns) {
    return pitch<Field> * (columns + 2 * rows_of<Field>)*(16 / Width);
  }
  template <class Field>
  static constexpr int slot_bytes_of(int columns) {
    return (plane_bytes_of<Field>(columns) + 127) / 128 * 128;
  }
  static constexpr int barrier_bytes = 128;
  static constexpr int bytes_of(int columns) {
    return barrier_bytes + ((slots<Fields> * slot_bytes_of<Fields>(columns)) + ... + 0);
  }
  static constexpr int memory  = 226 * 1024;
  static constexpr int columns = bytes_of(most_columns) <= memory ? most_columns : bytes_of(15) <= memory ? 15 : 11;
  static constexpr int bytes   = bytes_of(columns);
  template <class Field>
  static constexpr int plane_bytes = plane_bytes_of<Field>(columns);
  /// From one slot to the next: boxes are copied to multiples of 128 bytes.
  template <class Field>
  static constexpr int slot_bytes = slot_bytes_of<Field>(columns);
  /// Where the first slot of a field lies.
  static constexpr int begin_of(int field) {
    int sum = 0;
    for (int size : {slots<Fields> * slot_bytes_of<Fields>(columns)...}) sum += field-- > 0 ? size : 0;
    return sum;
  }
  template <int I>
  static constexpr int begin   = begin_of(I);
  static constexpr int workers = lanes * columns;
  static constexpr int threads = workers + 32;

  static constexpr bool boxes_fit() {
    for (int p : {pitch<Fields>..., 0}) {
      if (p > 256) return false;
    }
    for (int r : {columns + 2 * rows_of<Fields>..., 0}) {
      if (r > 256) return false;
    }
    return true;
  }
  /// Nearer planes are in the first-level cache anyway.
  static constexpr bool possible = (Width == 2 || Width == 4) && ((int(sizeof(In)) * Width == 16) && ...) &&
                                   reach() >= 3 && vectors <= 28 && bytes <= memory && boxes_fit();

  // As find_tile asks.
  static constexpr int rows         = 1;
  static constexpr int planes       = 1;
  static constexpr bool ends_beside = false;
  // A block is the only one of its multiprocessor: too few threads for points that wait for memory.
  static constexpr bool does_points = false;
  static constexpr int depth        = 64;
  static constexpr char const* name = "functor_ring";
};

#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
/// Barriers in shared memory and what completes them.
struct RingBarriers {
  static __device__ __forceinline__ std::uint32_t address(void const* at) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
  }
  static __device__ __forceinline__ void init(std::uint32_t barrier, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
  }
  /// For copies that come afterwards.
  static __device__ __forceinline__ void fence_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  static __device__ __forceinline__ void arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
  }
  static __device__ __forceinline__ void arrive_and_expect(std::uint32_t barrier, std::uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
  }
  static __device__ __forceinline__ void wait(std::uint32_t barrier, std::uint32_t parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again_%=:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again_%=;\n"
        "}" ::"r"(barrier),
        "r"(parity)
        : "memory");
  }
  static __device__ __forceinline__ void copy(std::uint32_t to, CUtensorMap const* map, int x, int row, int plane,
                                              std::uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], "
        "[%5];" ::"r"(to),
        "l"(map), "r"(x), "r"(row), "r"(plane), "r"(barrier)
        : "memory");
  }
};
#endif
#endif

/// The kernel: what older GPUs run in its place is the streaming one.
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct RingKernel;
template <bool Returns, int Fast, int Width, class Functor, class... In, class... Out, class... Fields>
struct RingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>
    : StreamingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  using Streaming = StreamingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  using Base      = typename Streaming::Base;
  using Shape     = RingShape<Fast, Width, Returns, Pack<In...>, Pack<Out...>, Pack<Fields...>>;

  struct Map {
    CUtensorMap map;
  };
  Map maps[sizeof...(In)];
  int shift;  ///< values from where the maps begin to the first point of a row

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
    p.first[Fast] += p.cell * Width;
    p.first[Base::row_axis] += p.row;
    p.first[Base::plane_axis] += plane;
    p.memory   = memory + Shape::barrier_bytes;
    p.barriers = RingBarriers::address(memory);
    if (thread == 0) {
      for (int s = 0; s < Shape::steps; ++s) {
        RingBarriers::init(p.full(s), 1);
        RingBarriers::init(p.empty(s), Shape::columns);
      }
      RingBarriers::fence_init();
    }
    __syncthreads();
    if (thread >= Shape::workers) {
      if (thread == Shape::workers) copy(p, typename Base::Inputs());
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
  /// What one thread does: the planes of all fields, in the order in which they are needed.
  template <int... I>
  __device__ __forceinline__ void copy(Place const& p, std::integer_sequence<int, I...>) const {
    constexpr std::uint32_t each = (std::uint32_t(Shape::template plane_bytes<Fields>) + ...);
    constexpr std::uint32_t begin =
        (std::uint32_t(Shape::template plane_bytes<Fields> * (Shape::template planes_of<Fields> + 1)) + ...);
    int step             = 0;
    std::uint32_t parity = 1;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int t = 0; t < p.planes; ++t) {
      if (t >= Shape::steps) RingBarriers::wait(p.empty(step), parity);
      RingBarriers::arrive_and_expect(p.full(step), t == 0 ? begin : each);
      (copy_field<I, Fields>(p, t, p.full(step)), ...);
      if (++step == Shape::steps) {
        step = 0;
        parity ^= 1u;
      }
    }
  }
  template <int I, class Field>
  __device__ __forceinline__ void copy_field(Place const& p, int t, std::uint32_t barrier) const {
    constexpr int reach    = Shape::template planes_of<Field>;
    constexpr int slot     = Shape::template slot_bytes<Field>;
    std::uint32_t const to = RingBarriers::address(p.memory + Shape::template begin<I>);
    int const x            = static_cast<int>(p.first[Fast]) + shift - Shape::template halo<Field>;
    int const row          = static_cast<int>(p.first[Base::row_axis]) - Shape::template rows_of<Field>;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int plane = t == 0 ? 0 : t + reach; plane <= t + reach; ++plane) {
      RingBarriers::copy(to + static_cast<std::uint32_t>(plane % Shape::template slots<Field> * slot), &maps[I].map, x,
                         row, static_cast<int>(p.first[Base::plane_axis]) + plane, barrier);
    }
  }

  /// The own column of a field.
  template <class T, int Reach>
  struct Column {
    CellVector<T, Width> plane[2 * Reach + 1];
    int slot;  ///< of the plane that is computed
  };
  template <class Field, class T>
  using ColumnOf = Column<std::remove_const_t<T>, Shape::template planes_of<Field>>;

  template <int I, class Field, class T>
  __device__ __forceinline__ static T const* own(Place const& p, int thread) {
    constexpr int pitch = Shape::template pitch<Field>;
    return reinterpret_cast<T const*>(p.memory + Shape::template begin<I>) +
           (thread / Shape::lanes + Shape::template rows_of<Field>)*pitch + Shape::template halo<Field> +
           thread % Shape::lanes * Width;
  }
  template <int I, class Field, class T>
  __device__ __forceinline__ static void read(CellVector<T, Width>& to, Place const& p, int thread, int slot) {
    constexpr int size = Shape::template slot_bytes<Field> / int(sizeof(T));
    to.load(own<I, Field, T>(p, thread) + slot * size, false);
  }
  /// Planes behind come from memory.
  template <class Field, class T>
  __device__ __forceinline__ void begin(ColumnOf<Field, T>& column, T const* from, std::int64_t stride,
                                        bool works) const {
    constexpr int reach = Shape::template planes_of<Field>;
    column.slot         = 0;
    column.plane[0]     = {};
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 1; k <= reach; ++k) {
      column.plane[k] = {};
      if (works) column.plane[k].load(from + (k - 1 - reach) * stride, true);
    }
  }
  template <int I, class Field, class T>
  __device__ __forceinline__ static void first_planes(Column<T, Shape::template planes_of<Field>>& column,
                                                      Place const& p, int thread) {
    constexpr int reach = Shape::template planes_of<Field>;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < reach; ++k) read<I, Field>(column.plane[reach + 1 + k], p, thread, k);
  }
  template <int I, class Field, class T>
  __device__ __forceinline__ static void next_plane(Column<T, Shape::template planes_of<Field>>& column, Place const& p,
                                                    int thread) {
    constexpr int reach = Shape::template planes_of<Field>, slots = Shape::template slots<Field>;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < 2 * reach; ++k) column.plane[k] = column.plane[k + 1];
    int const slot = column.slot + reach;
    read<I, Field>(column.plane[2 * reach], p, thread, slot >= slots ? slot - slots : slot);
  }
  template <class Field, int Reach, class T>
  __device__ __forceinline__ static void advance(Column<T, Reach>& column) {
    if (++column.slot == Shape::template slots<Field>) column.slot = 0;
  }

  template <int I, class Field, class T>
  __device__ __forceinline__ static auto near(Place const& p, int thread, ColumnOf<Field, T> const& column,
                                              FieldRef<T, 3> const& field, T const* from, ViewIndex<3> const& i,
                                              int lane) {
    using Value         = std::remove_const_t<T>;
    constexpr int reach = Shape::template planes_of<Field>;
    ViewIndex<3> point, stride;
    for (int a = 0; a < 3; ++a) {
      point[a]  = a == Fast ? i[a] + lane : i[a];
      stride[a] = a == Fast ? 1 : field.stride[a];
    }
    VectorPlace place;
    place.width      = Width;
    place.lane       = lane;
    place.axis       = Fast;
    place.only       = FieldTraits<Field>::wide;
    place.plane_axis = Base::plane_axis;
    place.held       = reach;
    place.ahead      = reach;
    PlaneRing<Value> ring;
    if constexpr (FieldTraits<Field>::wide) {
      ring.at        = own<I, Field, Value>(p, thread);
      ring.slot_size = Shape::template slot_bytes<Field> / int(sizeof(T));
      ring.row_size  = Shape::template pitch<Field>;
      ring.slots     = Shape::template slots<Field>;
      ring.slot      = column.slot;
    }
    return typename Base::template Near<T, Ways::ring | Ways::column | Ways::vectors<Width>>(
        from, stride, point, place, column.plane[0].value, ring);
  }

  /// What all others do: each warp a row of the tile.
  template <int... I, int... O>
  __device__ __forceinline__ void compute(Place const& p, int thread, std::integer_sequence<int, I...>,
                                          std::integer_sequence<int, O...>) const {
    constexpr int axis      = Base::plane_axis;
    std::int64_t const cell = p.cell + thread % Shape::lanes;
    bool const works =
        cell >= this->tiles.skip && cell < this->tiles.cells[0] && p.row + thread / Shape::lanes < this->tiles.cells[1];
    ViewIndex<3> i;
    for (int a = 0; a < 3; ++a) i[a] = p.first[a];
    i[Fast] += thread % Shape::lanes * Width;
    i[Base::row_axis] += thread / Shape::lanes;
    Bundle<In*...> from;
    Bundle<Out*...> to;
    ((bundle_get<I>(from) = pack_get<I>(this->in).at(i)), ...);
    ((bundle_get<O>(to) = pack_get<O>(this->out).at(i)), ...);
    Bundle<ColumnOf<Fields, In>...> columns;
    (begin<Fields, In>(bundle_get<I>(columns), bundle_get<I>(from), pack_get<I>(this->in).stride[axis], works), ...);
    Bundle<CellVector<Out, Width>...> next, now;
    if constexpr (!Returns) {
      if (works) (bundle_get<O>(next).load(bundle_get<O>(to), false), ...);
    }
    RingBarriers::wait(p.full(0), 0);
    (first_planes<I, Fields>(bundle_get<I>(columns), p, thread), ...);
    int step             = 0;
    std::uint32_t parity = 0;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int left = p.planes; left > 0; --left) {
      // The compiler drops the loads of what is always written.
      if constexpr (!Returns) {
        now = next;
        if (works && left > 1) {
          (bundle_get<O>(next).load(bundle_get<O>(to) + pack_get<O>(this->out).stride[axis], false), ...);
        }
      }
      RingBarriers::wait(p.full(step), parity);
      (next_plane<I, Fields>(bundle_get<I>(columns), p, thread), ...);
      if (works) {
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int k = 0; k < Width; ++k) {
          if constexpr (Returns) {
            now.value.value[k] = this->f(near<I, Fields>(p, thread, bundle_get<I>(columns), pack_get<I>(this->in),
                                                         bundle_get<I>(from), i, k)...);
          } else {
            this->f(
                near<I, Fields>(p, thread, bundle_get<I>(columns), pack_get<I>(this->in), bundle_get<I>(from), i, k)...,
                bundle_get<O>(now).value[k]...);
          }
        }
        (bundle_get<O>(now).store(bundle_get<O>(to)), ...);
      }
      __syncwarp();
      if (thread % 32 == 0) RingBarriers::arrive(p.empty(step));
      if (++step == Shape::steps) {
        step = 0;
        parity ^= 1u;
      }
      (advance<Fields>(bundle_get<I>(columns)), ...);
      ((bundle_get<I>(from) += pack_get<I>(this->in).stride[axis]), ...);
      ((bundle_get<O>(to) += pack_get<O>(this->out).stride[axis]), ...);
      ++i[axis];
    }
  }
#endif
#endif
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define KOKKOSSTENCIL_IMPL_RING_BOUNDS(Kernel) __launch_bounds__(Kernel::threads, Kernel::resident)
#else
#define KOKKOSSTENCIL_IMPL_RING_BOUNDS(Kernel) __launch_bounds__(Kernel::Shape::threads, 1)
#endif
template <class Kernel>
__global__ void KOKKOSSTENCIL_IMPL_RING_BOUNDS(Kernel) sweep_ring(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char ring_memory[];
  kernel.run(blockIdx.x, ring_memory, static_cast<int>(threadIdx.x));
#else
  kernel.block(blockIdx.x, static_cast<int>(threadIdx.x));
#endif
#endif
}
#undef KOKKOSSTENCIL_IMPL_RING_BOUNDS

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

/// A function of the driver that the runtime looks up, so that programs need not link with the driver.
inline auto tensor_encoder() {
  using Encode               = decltype(&cuTensorMapEncodeTiled);
  static Encode const encode = []() -> Encode {
    void* function                        = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaError_t const error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
    cudaError_t const error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
    if (error != cudaSuccess) cudaGetLastError();
    return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(function) : nullptr;
  }();
  return encode;
}
/// Describes a View whose rows lie as whole vectors of 16 bytes do; false if that cannot be. `box`: points along the
/// contiguous axis and rows.
inline bool tensor_map(CUtensorMap& map, ViewInfo const& view, int fast, int shift, int box_points, int box_rows) {
  std::size_t const axis[3] = {std::size_t(fast), 1, std::size_t(2 - fast)};
  std::int64_t const value  = view.value_size;
  cuuint64_t extent[3] = {}, stride[2] = {};
  for (std::size_t k = 0; k < 3; ++k) {
    std::int64_t const n = view.extent[axis[k]] + (k == 0 ? shift : 0);
    if (n >= std::int64_t(1) << 31) return false;
    extent[k] = static_cast<cuuint64_t>(n);
    if (k == 0) continue;
    std::int64_t const bytes = view.stride[axis[k]] * value;
    if (bytes <= 0 || bytes % 16 != 0 || bytes >= std::int64_t(1) << 40) return false;
    stride[k - 1] = static_cast<cuuint64_t>(bytes);
  }
  cuuint32_t const box[3]  = {static_cast<cuuint32_t>(box_points), static_cast<cuuint32_t>(box_rows), 1};
  cuuint32_t const each[3] = {1, 1, 1};
  auto* const begin        = static_cast<unsigned char*>(view.data) - shift * value;
  auto const encode        = tensor_encoder();
  return encode != nullptr &&
         encode(&map, value == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32 : CU_TENSOR_MAP_DATA_TYPE_UINT64, 3, begin, extent,
                stride, box, each, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

/// What the code of a kernel on a device is: compiled for GPUs that copy boxes, for older ones, or it cannot run.
enum class RingCode : char { unknown, ring, older, none };
template <class Kernel>
RingCode ring_code(int device) {
  constexpr int most = 64;
  static std::atomic<RingCode> known[most];
  auto const find = [] {
    auto const function = reinterpret_cast<void const*>(&sweep_ring<Kernel>);
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, function) != cudaSuccess) {
      cudaGetLastError();
      return RingCode::none;
    }
    if (attributes.ptxVersion < 90) return RingCode::older;
    if (cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, Kernel::Shape::bytes) ==
        cudaSuccess) {
      return RingCode::ring;
    }
    cudaGetLastError();
    return RingCode::none;
  };
  if (device >= most) return find();
  auto& code = known[device];
  if (code.load() == RingCode::unknown) code.store(find());
  return code.load();
}

/// Sweeps by a ring or, on older GPUs, streaming; false if neither can be. `forced`: which one it must be, or none.
template <class Kernel, int Fast, int Width, class Functor, class... In, class... Out, class... Fields, int... I,
          int... O>
bool launch_ring(std::string const& label, std::string const& forced, Kokkos::Cuda const& space, Functor const& f,
                 Pack<In...> const& in, Pack<Out...> const& out, Pack<Fields...> const&,
                 std::integer_sequence<int, I...>, std::integer_sequence<int, O...>, FieldGeometry const& geometry,
                 FunctorRange const& where) {
  using Shape     = typename Kernel::Shape;
  using Streaming = typename Kernel::Streaming;
  using Base      = typename Kernel::Base;
  CurrentDevice const current(space.cuda_device());
  RingCode const code = ring_code<Kernel>(space.cuda_device());
  if (code == RingCode::none) return false;
  bool const rings = code == RingCode::ring;
  if (!forced.empty() && forced != (rings ? Shape::name : Streaming::name)) return false;
  int const processors = space.cuda_device_prop().multiProcessorCount;
  CellShape shape{Width,
                  Streaming::rows,
                  Streaming::planes,
                  Streaming::lanes,
                  Streaming::columns,
                  Streaming::threads,
                  Streaming::depth,
                  space.concurrency(),
                  Streaming::ends_beside,
                  false};
  if (rings) {
    shape.lanes   = Shape::lanes;
    shape.columns = Shape::columns;
    shape.threads = Shape::threads;
    shape.depth   = Shape::depth;
    shape.slots   = processors;
    shape.begins  = Shape::reach() + 2;
    shape.points  = Shape::does_points;
  }
  CellPlan const plan =
      cell_plan(shape, 3, Fast, where, {shape_info(pack_get<I>(in))..., shape_info(pack_get<O>(out))...});
  if (!plan.any) return false;
  Kernel kernel{{{f, Pack<FieldRef<typename In::value_type, 3>...>{field_ref(pack_get<I>(in))...},
                  Pack<FieldRef<typename Out::value_type, 3>...>{field_ref(pack_get<O>(out))...}, FaceSteps(geometry),
                  plan.list, plan.tiles}},
                {},
                0};
  if (rings) {
    std::int64_t const phase = vector_phase(Width, 3, std::size_t(Fast), {shape_info(in.head)});
    kernel.shift             = static_cast<int>((Width - phase) % Width);
    bool const mapped =
        (tensor_map(kernel.maps[I].map, shape_info(pack_get<I>(in)), Fast, kernel.shift, Shape::template pitch<Fields>,
                    Shape::columns + 2 * Shape::template rows_of<Fields>) &&
         ...);
    if (!mapped) return false;
  }
  ToolsRegion const region(make_launch(label, space), true);
  if (rings && plan.list.points > 0) {
    constexpr std::int64_t each = Base::listed_threads;
    launch_kernel<Base>(label, &sweep_points<Base>, kernel,
                        static_cast<std::uint32_t>((plan.list.points + each - 1) / each), int(each), 0, space);
  }
  launch_kernel(label, &sweep_ring<Kernel>, kernel, plan.teams, rings ? Shape::threads : Streaming::threads,
                rings ? Shape::bytes : 0, space);
  note_backend(rings ? Shape::name : Streaming::name);
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
