// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Accuracy.hpp>
#include <KokkosStencil_Boundary.hpp>
#include <KokkosStencil_Term.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <typeindex>
#include <vector>

namespace KokkosStencil {

/// An execution space, stripped of its type.
struct SpaceInfo {
  std::string name;               ///< Exec::name()
  std::type_index type;           ///< typeid of the Kokkos execution space
  bool host              = true;  ///< its memory is host memory
  int concurrency        = 1;     ///< threads that run at once (host spaces)
  int device             = -1;    ///< CUDA device of the instance, -1 elsewhere
  int compute_capability = 0;     ///< 10 major + minor on NVIDIA GPUs, 0 elsewhere
};

/// Where a launch goes: the label of the call and the execution-space instance.
struct Launch {
  std::string const& label;
  void const* instance = nullptr;  ///< the Kokkos execution-space object, of type SpaceInfo::type
  void* stream         = nullptr;  ///< its cudaStream_t on CUDA, else null
};

/// One stencil problem as backends see it: no templates, no Kokkos, and always three axes.
///
/// Axes are ordered by stride, slowest first, so that axis 2 ("x") is the contiguous one whatever the
/// layout of the View; unused leading axes have extent 1. Strides are in elements. Terms are sorted by
/// offset in this order of axes: the canonical order of Accuracy::reproducible.
struct Problem {
  ValueType value_type = ValueType::float64;
  int rank             = 1;
  std::array<std::int64_t, 3> extent{{1, 1, 1}};
  std::array<std::int64_t, 3> in_stride{{0, 0, 1}};
  std::array<std::int64_t, 3> out_stride{{0, 0, 1}};
  std::array<std::int64_t, 3> begin{{0, 0, 0}};  ///< first point written
  std::array<std::int64_t, 3> end{{1, 1, 1}};    ///< one past the last point written
  std::vector<Term> terms;
  std::array<int, 3> lower{{0, 0, 0}};         ///< smallest offset per axis, <= 0
  std::array<int, 3> upper{{0, 0, 0}};         ///< largest offset per axis, >= 0
  std::array<std::array<Face, 2>, 3> faces{};  ///< a shared face is a halo here
  /// How many layers of the range, at each face, belong to a neighbour (BoundaryKind::shared): only the later sweeps of
  /// a pass need them, see needed().
  std::array<std::array<std::int64_t, 2>, 3> borrowed{};
  /// Faces with borrowed layers beyond which nothing stays as it is: all ghost values that sweeps read there change.
  std::array<std::array<bool, 2>, 3> used_up{};
  /// Layers of the range next to each face that a pass computes first, if it can: see Executable::early().
  std::array<std::array<std::int64_t, 2>, 3> early{};
  std::array<int, 3> user_axis{{-1, -1, 0}};  ///< index of the axis in the View, -1 if unused
  /// Bytes past a multiple of 16 at which input and output begin. Runs may be given Views that begin elsewhere.
  int in_phase = 0, out_phase = 0;
  Accuracy accuracy = Accuracy::native;
  /// Sweeps may have an Update, which reads the output: Executable::update() is called. Only backends that say
  /// can_update() are asked about such problems.
  bool updates       = false;
  std::int64_t steps = 1;  ///< sweeps per run, as far as known when the plan is made
  int depth          = 0;  ///< sweeps in one pass that won the choice; 0: the backend decides

  /// Points written by one sweep.
  std::int64_t points() const {
    std::int64_t n = 1;
    for (std::size_t a = 0; a < 3; ++a) n *= end[a] > begin[a] ? end[a] - begin[a] : 0;
    return n;
  }
};

/// A box of points, [begin, end) per axis, in the axis order of a Problem.
struct PointBox {
  std::array<std::int64_t, 3> begin;
  std::array<std::int64_t, 3> end;

  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
  std::int64_t size() const { return empty() ? 0 : (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]); }
};

/// The points that two boxes have in common; may be empty.
PointBox common(PointBox const& a, PointBox const& b);

/// `whole` without `hole` as at most six disjoint boxes (hole must lie inside whole or be empty).
std::vector<PointBox> difference(PointBox const& whole, PointBox const& hole);

/// The points of the range whose whole window lies inside the View.
PointBox interior(Problem const& problem);
/// The same of a window that reaches from `lower` to `upper`.
PointBox interior(Problem const& problem, std::array<int, 3> const& lower, std::array<int, 3> const& upper);

/// The points of the range that a sweep must write if `left` more sweeps follow before ghost values are renewed. All of
/// them where nothing is borrowed.
PointBox needed(Problem const& problem, std::int64_t left);

}  // namespace KokkosStencil
