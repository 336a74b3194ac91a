// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <array>
#include <cstddef>

// What the last sweeps of a functor found out. An application makes the same calls again and again, and where fields
// are small the host's part of a call decides.

namespace KokkosStencil {
namespace Impl {

/// A sweep that was checked.
struct KnownSweep {
  FunctorRange where;
  FieldGeometry geometry;
  FaceSteps faces;  ///< its rules, as kernels by cells take them

  /// The plan of a kernel, by any address of its own; `make` makes it if it is not that of the last call.
  template <class Make>
  CellPlan const& plan_of(void const* kernel, int device, Make const& make) {
    if (m_kernel == kernel && m_device == device) return m_plan;
    m_kernel = nullptr;
    m_plan   = make();
    m_device = device;
    // Where there is none another kernel runs, whose plan is worth the place.
    if (m_plan.any) m_kernel = kernel;
    return m_plan;
  }

 private:
  CellPlan m_plan;
  void const* m_kernel = nullptr;
  int m_device         = -1;
};

/// The last two sweeps, since those of a pair of Views take turns, of so many inputs and outputs.
template <std::size_t Inputs, std::size_t Outputs>
class KnownSweeps {
 public:
  using Radius = std::array<int, 3>;
  using In     = std::array<FieldInfo, Inputs>;
  using Out    = std::array<ViewInfo, Outputs>;

  /// `check` finds out about a new one; it may throw.
  template <class Check>
  KnownSweep& of(PolicyInfo const& policy, Radius const& radius, In const& in, Out const& out, Check const& check) {
    for (Entry& e : m_entries) {
      if (e.known && e.in == in && e.out == out && e.radius == radius && same_range(e.policy, policy)) return e.sweep;
    }
    Entry& e = m_entries[m_next];
    m_next   = (m_next + 1) % m_entries.size();
    e.known  = false;
    e.sweep  = check();
    e.policy = policy;
    e.radius = radius;
    e.in     = in;
    e.out    = out;
    e.known  = true;
    return e.sweep;
  }

 private:
  struct Entry {
    bool known = false;
    PolicyInfo policy;
    Radius radius{};
    In in{};
    Out out{};
    KnownSweep sweep;
  };
  std::array<Entry, 2> m_entries;
  std::size_t m_next = 0;
};

}  // namespace Impl
}  // namespace KokkosStencil
