// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Accuracy.hpp>
#include <KokkosStencil_Boundary.hpp>
#include <KokkosStencil_Error.hpp>
#include <KokkosStencil_Tuning.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace KokkosStencil {

/// One index of a range. Takes any integer type, so that {0, u.extent(1)} needs no cast.
struct Index {
  /// That of an axis which a list in braces leaves out.
  static constexpr std::int64_t missing = std::numeric_limits<std::int64_t>::min();

  std::int64_t value = missing;

  constexpr Index() = default;
  template <class I, std::enable_if_t<std::is_integral<I>::value, int> = 0>
  constexpr Index(I i) : value(static_cast<std::int64_t>(i)) {}
};

/// Where and how a stencil is applied: execution-space instance, range of output points, boundary rules,
/// accuracy, backend. Setters return a changed copy, so that they chain.
///
/// Without a range every point the boundary rule allows is written: the whole View along axes with a
/// rule, all but the points closer to a face than the stencil reaches along axes with halos. Where that leaves none,
/// calls do nothing.
template <class ExecutionSpace, int Rank>
class StencilPolicy {
  static_assert(Rank >= 1 && Rank <= 3, "KokkosStencil: a StencilPolicy has rank 1, 2 or 3.");

 public:
  using execution_space     = ExecutionSpace;
  using index_array         = std::array<Index, static_cast<std::size_t>(Rank)>;
  static constexpr int rank = Rank;

  explicit StencilPolicy(ExecutionSpace const& space = ExecutionSpace()) : m_space(space) { m_info.rank = Rank; }
  /// Output points begin[a] <= i_a < end[a]. An empty range makes every call a no-op; one that ends before it
  /// begins is an error. Throws Error where an axis has no index.
  StencilPolicy(ExecutionSpace const& space, index_array const& begin, index_array const& end) : StencilPolicy(space) {
    m_info.whole = false;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (begin[axis].value == Index::missing || end[axis].value == Index::missing) {
        throw Error("KokkosStencil::StencilPolicy: the range says nothing of axis " + std::to_string(axis) +
                    "; both of its ends have an index for each of the " + std::to_string(Rank) + " axes.");
      }
      m_info.begin[axis] = begin[axis].value;
      m_info.end[axis]   = end[axis].value;
    }
  }
  StencilPolicy(index_array const& begin, index_array const& end) : StencilPolicy(ExecutionSpace(), begin, end) {}

  /// What is read past the faces of the View. Default: halo.
  StencilPolicy boundary(Boundary<Rank> const& rules) const {
    StencilPolicy copy = *this;
    for (std::size_t axis = 0; axis < Rank; ++axis)
      for (std::size_t side = 0; side < 2; ++side)
        copy.m_info.faces[axis][side] = rules.face(static_cast<int>(axis), static_cast<int>(side));
    return copy;
  }
  /// The promise about rounding. Default: native.
  StencilPolicy accuracy(Accuracy level) const {
    StencilPolicy copy   = *this;
    copy.m_info.accuracy = level;
    return copy;
  }
  /// Forces a backend by name; it is an error if that cannot run the problem. Overrides the environment
  /// variable KOKKOSSTENCIL_BACKEND. An empty name gives the choice back to the library.
  StencilPolicy backend(std::string name) const {
    StencilPolicy copy  = *this;
    copy.m_info.backend = std::move(name);
    return copy;
  }
  /// Finds the fastest backend by timing the candidates when a plan is made or a call with new shapes is. The Views
  /// keep their contents; while it lasts there must be room for copies of them. Winners are remembered as long as the
  /// process lives and, if a file is named, there: a later process then times nothing. Processes may share the file.
  /// One that cannot be used costs a warning, no more. A forced backend leaves nothing to find.
  StencilPolicy tuning(Tuning how, std::string file = "") const {
    StencilPolicy copy      = *this;
    copy.m_info.tuning      = how;
    copy.m_info.tuning_file = std::move(file);
    return copy;
  }
  /// Reach of a functor stencil along every axis, 0 or more. Not used with a Stencil, which knows its own.
  StencilPolicy radius(int r) const {
    index_array all;
    all.fill(r);
    return radius(all);
  }
  /// Reach of a functor stencil along each axis. Throws Error where one has none, or less than 0.
  StencilPolicy radius(index_array const& r) const {
    StencilPolicy copy = *this;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      std::int64_t const reach = r[axis].value;
      if (reach == Index::missing) {
        throw Error("KokkosStencil::StencilPolicy: the radius says nothing of axis " + std::to_string(axis) +
                    "; it has a distance for each of the " + std::to_string(Rank) + " axes, or is one for all.");
      }
      if (reach < 0 || reach > std::numeric_limits<int>::max()) {
        throw Error("KokkosStencil::StencilPolicy: a radius of " + std::to_string(reach) + " along axis " +
                    std::to_string(axis) + "; it is the distance up to which a functor reads, 0 or more.");
      }
      copy.m_radius[axis] = static_cast<int>(reach);
    }
    return copy;
  }
  template <class I, std::enable_if_t<std::is_integral<I>::value, int> = 0>
  StencilPolicy radius(std::array<I, static_cast<std::size_t>(Rank)> const& r) const {
    index_array all;
    for (std::size_t axis = 0; axis < Rank; ++axis) all[axis] = r[axis];
    return radius(all);
  }

  /// The policy on the blocks of a Decomposition (KokkosStencil_Distributed.hpp).
  template <class Decomposition>
  auto on(Decomposition const& decomposition) const {
    return decomposition.impl_policy(*this);
  }

  ExecutionSpace const& space() const { return m_space; }

  /// For the library.
  Impl::PolicyInfo const& impl_info() const { return m_info; }
  /// For the library: -1 where no radius was given.
  std::array<int, 3> const& impl_radius() const { return m_radius; }

 private:
  ExecutionSpace m_space;
  Impl::PolicyInfo m_info;
  std::array<int, 3> m_radius{{-1, -1, -1}};
};

}  // namespace KokkosStencil
