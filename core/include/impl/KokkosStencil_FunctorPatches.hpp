// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_MapIndex.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_PatchTasks.hpp>
#include <impl/KokkosStencil_SeveralSweeps.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Many sweeps of a functor on small fields, several in one launch. A block loads a patch of all fields with a halo into
// shared memory, sweeps it, each time a reach less of the halo, and stores what it owns. States are there twice: a
// sweep reads one copy and writes the other. Points beyond mirrors and edges lie in the patch as well, and follow those
// inside after each sweep; so the sweeps themselves know no rules.

namespace KokkosStencil {
namespace Impl {

/// Does the pass of a block, with threads that a Team counts and joins: thread, threads, sync().
template <int Rank, int Fast, bool Returns, class Functor, class States, class Constants>
struct PatchKernel;
template <int Rank, int Fast, bool Returns, class Functor, class... S, class... C>
struct PatchKernel<Rank, Fast, Returns, Functor, Pack<S...>, Pack<C...>> {
  /// Rows that a thread computes together: they share what it reads.
  static constexpr int rows           = Rank == 1 ? 1 : Rank == 2 ? 4 : 2;
  static constexpr int threads        = 512;
  static constexpr int loads          = 4;  ///< points that a thread loads at a time
  static constexpr int state_bytes    = (int(sizeof(S)) + ... + 0);
  static constexpr int constant_bytes = (int(sizeof(C)) + ... + 0);

  using StateIndices    = std::make_integer_sequence<int, int(sizeof...(S))>;
  using ConstantIndices = std::make_integer_sequence<int, int(sizeof...(C))>;

  Functor f;
  Pack<FieldRef<S, Rank>...> from;
  Pack<FieldRef<S, Rank>...> to;
  Pack<FieldRef<C const, Rank>...> constants;
  FieldGeometry geometry;
  PatchTasks tasks;

  /// Which axis of the Views columns, rows and planes are counted along.
  KOKKOSSTENCIL_HOST_DEVICE static constexpr int axis(int k) {
    return k == 0 ? Fast : Rank == 2 ? 1 - Fast : k == 1 ? 1 : 2 - Fast;
  }

  /// Bytes of shared memory behind the fields: what each sweep computes.
  static constexpr int table_bytes = PatchSweep::most * int(sizeof(PatchSweep));

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void run(std::uint32_t block, unsigned char* memory, Team const& team) const {
    Patch const patch(tasks, block);
    auto* const table = reinterpret_cast<PatchSweep*>(memory + tasks.slots * (2 * state_bytes + constant_bytes));
    for (int s = team.thread; s < tasks.sweeps; s += team.threads) {
      table[s] = PatchSweep(patch.computed(tasks, s + 1), rows);
    }
    load(patch, memory, team, StateIndices(), ConstantIndices());
    bool const reflects = tasks.reflects && !patch.inside(tasks);
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int s = 1; s <= tasks.sweeps; ++s) {
      team.sync();
      sweep(patch, table[s - 1], s, memory, team, StateIndices(), ConstantIndices());
      if (reflects && s < tasks.sweeps) {
        team.sync();
        reflect(patch, table[s - 1].box, s % 2, memory, team, StateIndices());
      }
    }
  }

 private:
  template <class T, int Count>
  struct Held {
    T value[static_cast<std::size_t>(Count)];
  };

  /// A copy of a state in shared memory.
  template <int I>
  KOKKOS_FORCEINLINE_FUNCTION auto* state(unsigned char* memory, int copy) const {
    using T              = std::remove_pointer_t<decltype(pack_get<I>(from).data)>;
    constexpr int size[] = {int(sizeof(S))...};
    int before           = copy * int(sizeof(T));
    for (int i = 0; i < I; ++i) before += 2 * size[i];
    return reinterpret_cast<T*>(memory + tasks.slots * before);
  }
  template <int J>
  KOKKOS_FORCEINLINE_FUNCTION auto* constant(unsigned char* memory) const {
    using T              = std::remove_const_t<std::remove_pointer_t<decltype(pack_get<J>(constants).data)>>;
    constexpr int size[] = {int(sizeof(C))...};
    int before           = 2 * state_bytes;
    for (int j = 0; j < J; ++j) before += size[j];
    return reinterpret_cast<T*>(memory + tasks.slots * before);
  }

  /// Where a point of a patch is read: an index of the Views, or the constant of a face.
  struct Source {
    ViewIndex<Rank> i;
    int axis, side;  ///< of that face; -1
  };
  KOKKOS_FORCEINLINE_FUNCTION Source source(std::int32_t const* place) const {
    Source s;
    s.axis = s.side = -1;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int a = 0; a < Rank; ++a) {
      int const k               = axis(a);  // exchanging axes is its own inverse
      std::int32_t const extent = tasks.extent[k];
      std::int32_t i            = place[k];
      if (i < 0 || i >= extent) {
        int side        = i < 0 ? 0 : 1;
        auto const kind = static_cast<BoundaryKind>(tasks.kind[k][side]);
        bool constant   = kind == BoundaryKind::value;
        if (kind == BoundaryKind::periodic) {
          i = wrapped(k, i);
        } else if (kind == BoundaryKind::mirror) {
          i = side == 0 ? -1 - i : 2 * extent - 1 - i;
          if (i < 0 || i >= extent) {
            i        = far_mirror(a, place[k]);
            constant = i < 0;
            if (constant) side = -1 - i;
          }
        }
        if (constant && s.axis < 0) {
          s.axis = a;
          s.side = side;
        }
        // Edges; and past ghost points, where nothing is read.
        i = i < 0 ? 0 : i >= extent ? extent - 1 : i;
      }
      s.i[a] = i;
    }
    return s;
  }
  /// What mirrors throw past the face on the other side; -1 - side for a constant there.
  KOKKOS_FUNCTION std::int32_t far_mirror(int a, std::int32_t place) const {
    std::int64_t const i =
        index_outside(place, geometry.extent[a], geometry.faces[a][0].kind, geometry.faces[a][1].kind);
    if (i >= 0) return static_cast<std::int32_t>(i);
    int const side = i == -1 ? 0 : 1;
    return geometry.faces[a][side].kind == BoundaryKind::value ? -1 - side : 0;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T value_at(FieldRef<T const, Rank> const& field, Source const& s) const {
    return s.axis >= 0 ? constant_as<T>(geometry.faces[s.axis][s.side].constant) : *field.at(s.i);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T value_at(FieldRef<T, Rank> const& field, Source const& s) const {
    return s.axis >= 0 ? constant_as<T>(geometry.faces[s.axis][s.side].constant) : *field.at(s.i);
  }

  template <class Team, int... I, int... J>
  KOKKOS_FORCEINLINE_FUNCTION void load(Patch const& patch, unsigned char* memory, Team const& team,
                                        std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) const {
    PatchDivider const by_columns(tasks.size[0]), by_rows(tasks.size[1]);
    int const points = tasks.size[0] * tasks.size[1] * tasks.size[2];
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int first = team.thread; first < points; first += loads * team.threads) {
      Bundle<Held<S, loads>...> states;
      [[maybe_unused]] Bundle<Held<C, loads>...> fixed;
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int n = 0; n < loads; ++n) {
        int const other = first + n * team.threads, p = other < points ? other : first;
        int const row = by_columns(p), plane = by_rows(row);
        std::int32_t const place[3] = {patch.all.lo[0] + p - row * tasks.size[0],
                                       patch.all.lo[1] + row - plane * tasks.size[1], patch.all.lo[2] + plane};
        Source const s              = source(place);
        ((bundle_get<I>(states).value[n] = value_at(pack_get<I>(from), s)), ...);
        ((bundle_get<J>(fixed).value[n] = value_at(pack_get<J>(constants), s)), ...);
      }
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int n = 0; n < loads; ++n) {
        int const p = first + n * team.threads;
        if (p >= points) break;
        // In both copies: what sweeps do not change is read in either.
        ((state<I>(memory, 0)[p] = state<I>(memory, 1)[p] = bundle_get<I>(states).value[n]), ...);
        ((constant<J>(memory)[p] = bundle_get<J>(fixed).value[n]), ...);
      }
    }
  }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION auto near(T const* copy, int at, ViewIndex<Rank> const& i) const {
    ViewIndex<Rank> stride;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Rank; ++k) {
      stride[axis(k)] = k == 0 ? 1 : k == 1 ? tasks.size[0] : tasks.size[0] * tasks.size[1];
    }
    return BasicNeighborhood<T, Rank, Ways::plain>(copy + at, stride, i);
  }
  /// An index past a periodic face. No patch reaches farther than an extent.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t wrapped(int k, std::int32_t i) const {
    if (!tasks.periodic[k]) return i;
    std::int32_t const extent = tasks.extent[k];
    return i < 0 ? i + extent : i >= extent ? i - extent : i;
  }

  template <class Team, int... I, int... J>
  KOKKOS_FORCEINLINE_FUNCTION void sweep(Patch const& patch, PatchSweep const& what, int s, unsigned char* memory,
                                         Team const& team, std::integer_sequence<int, I...>,
                                         std::integer_sequence<int, J...>) const {
    bool const last  = s == tasks.sweeps;
    int const before = (s - 1) % 2, after = s % 2;
    auto const& now    = after_sweeps(f, s - 1);
    PatchBox const box = what.box;
    int const columns = box.hi[0] - box.lo[0], height = box.hi[1] - box.lo[1], depth = box.hi[2] - box.lo[2];
    int const groups = what.groups, items = columns * groups * depth;
    PatchDivider const by_columns = what.by_columns, by_groups = what.by_groups;
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int item = team.thread; item < items; item += team.threads) {
      int const group = by_columns(item), plane = by_groups(group);
      int const row = (group - plane * groups) * rows;
      // The last rows are as many, so that some are computed twice.
      std::int32_t const place[3] = {box.lo[0] + item - group * columns,
                                     box.lo[1] + (row > height - rows ? height - rows : row), box.lo[2] + plane};
      int const at                = patch.at(tasks, place);
      ViewIndex<Rank> i;
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < Rank; ++k) i[axis(k)] = wrapped(k, place[k]);
      Bundle<Held<S, rows>...> next;
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int r = 0; r < rows; ++r) {
        if constexpr (Rank > 1) i[axis(1)] = wrapped(1, place[1] + r);
        int const p = at + r * tasks.size[0];
        if constexpr (Returns) {
          next.value.value[r] = now(near<S>(state<I>(memory, before), p, i)..., near<C>(constant<J>(memory), p, i)...);
        } else {
          ((bundle_get<I>(next).value[r] = state<I>(memory, before)[p]), ...);
          now(near<S>(state<I>(memory, before), p, i)..., near<C>(constant<J>(memory), p, i)...,
              bundle_get<I>(next).value[r]...);
        }
      }
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (last) {
          if constexpr (Rank > 1) i[axis(1)] = place[1] + r;
          ((*pack_get<I>(to).at(i) = bundle_get<I>(next).value[r]), ...);
        } else {
          ((state<I>(memory, after)[at + r * tasks.size[0]] = bundle_get<I>(next).value[r]), ...);
        }
      }
    }
  }

  /// What lies beyond mirrors and edges becomes what lies inside.
  template <class Team, int... I>
  KOKKOS_FORCEINLINE_FUNCTION void reflect(Patch const& patch, PatchBox const& computed, int copy,
                                           unsigned char* memory, Team const& team,
                                           std::integer_sequence<int, I...>) const {
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (int face = 0; face < 2 * Rank; ++face) {
      int const k = face / 2, side = face % 2;
      PatchBox const box = patch.beyond(tasks, computed, k, side);
      if (box.empty() || !reflected(geometry.faces[axis(k)][side].kind)) continue;
      int const columns = box.hi[0] - box.lo[0], height = box.hi[1] - box.lo[1];
      int const items = columns * height * (box.hi[2] - box.lo[2]);
      PatchDivider const by_columns(columns), by_rows(height);
      KOKKOSSTENCIL_IMPL_NO_UNROLL
      for (int item = team.thread; item < items; item += team.threads) {
        int const row = by_columns(item), plane = by_rows(row);
        std::int32_t const place[3] = {box.lo[0] + item - row * columns, box.lo[1] + row - plane * height,
                                       box.lo[2] + plane};
        Source const s              = source(place);
        std::int32_t image[3]       = {place[0], place[1], place[2]};
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int a = 0; a < Rank; ++a) {
          if (!tasks.periodic[a]) image[a] = static_cast<std::int32_t>(s.i[axis(a)]);
        }
        if (s.axis >= 0 || !patch.holds(image)) continue;
        int const to_where = patch.at(tasks, place), from_where = patch.at(tasks, image);
        ((state<I>(memory, copy)[to_where] = state<I>(memory, copy)[from_where]), ...);
      }
    }
  }
};

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

/// The threads of a block.
struct BlockTeam {
  int thread, threads;
  KOKKOS_FORCEINLINE_FUNCTION void sync() const {
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }
};

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, 1) sweep_patches(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
  extern __shared__ uint4 patch_memory[];
  kernel.run(blockIdx.x, reinterpret_cast<unsigned char*>(patch_memory),
             BlockTeam{static_cast<int>(threadIdx.x), Kernel::threads});
#endif
}

/// Many sweeps of small fields, several in one launch where that is faster.
template <int Rank, int Fast, bool Returns, class Functor, class States, class Constants>
class PatchSweeps : public SeveralSweeps {
  using Kernel = PatchKernel<Rank, Fast, Returns, Functor, States, Constants>;

 public:
  /// `states`, `constants`: how far they are read.
  PatchSweeps(Kokkos::Cuda const& space, FunctorRange const& where, FieldGeometry const& geometry,
              FieldReach const& states, FieldReach const& constants, std::int64_t steps, bool forced)
      : SeveralSweeps("functor_patches", space, geometry, &sweep_patches<Kernel>, shared_bytes(space), false) {
    PatchKernelInfo const info{Rank,
                               Kernel::rows,
                               Kernel::threads,
                               States::size,
                               Constants::size,
                               Kernel::state_bytes,
                               Kernel::constant_bytes,
                               multiprocessors(),
                               shared_bytes(space) - Kernel::table_bytes};
    PatchProblem const problem{{{Kernel::axis(0), Rank > 1 ? Kernel::axis(1) : 1, Rank > 2 ? Kernel::axis(2) : 2}},
                               where,
                               &m_geometry,
                               states,
                               constants};
    if (!reason().empty() || declines(patches_unsupported(info, problem))) return;
    m_schedule = patch_schedule(info, problem, steps, forced, device());
    if (m_schedule.tasks.slots == 0 && declines("no patch that pays fits into shared memory")) return;
    choose(m_schedule, m_schedule.tasks.sweeps, verdict_of<Kernel>(where.range.size(), true), steps, forced);
  }

  /// How many sweeps the next pass does; 0: one, as if there were no passes.
  int next(std::int64_t left) {
    int const timed = next_timed();
    return timed >= 0 ? timed : m_schedule.next(left);
  }

  template <class... FromViews, class... ToViews, class... ConstantViews, int... I, int... J>
  void pass(std::string const& label, Functor const& f, Pack<FromViews...> const& from, Pack<ToViews...> const& to,
            Pack<ConstantViews...> const& constants, int sweeps, std::integer_sequence<int, I...>,
            std::integer_sequence<int, J...>) const {
    PatchTasks const tasks = m_schedule.pass(sweeps);
    launch(label, &sweep_patches<Kernel>,
           Kernel{f,
                  {field_ref(pack_get<I>(from))...},
                  {field_ref(pack_get<I>(to))...},
                  {constant_ref(pack_get<J>(constants))...},
                  m_geometry,
                  tasks},
           tasks.count(), Kernel::threads,
           tasks.slots * (2 * Kernel::state_bytes + Kernel::constant_bytes) + Kernel::table_bytes);
  }

 private:
  static int shared_bytes(Kokkos::Cuda const& space) {
    return static_cast<int>(space.cuda_device_prop().sharedMemPerBlockOptin);
  }

  PatchSchedule m_schedule;
};

#endif

}  // namespace Impl
}  // namespace KokkosStencil
