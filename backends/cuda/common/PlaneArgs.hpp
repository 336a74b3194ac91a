// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// A term of the plain formula: distance in elements from the output's point, and coefficient.
template <class T>
struct PlaneTerm {
  std::int64_t offset;
  T coefficient;
};

/// Outputs of a row that a warp computes.
constexpr int plane_columns = 128;

/// The arguments of kernels that stream down the planes of a View, in strips of plane_columns columns.
template <class T>
struct PlaneArgs {
  T const* in;
  T const* vectors;  ///< `in` at the kernel's first row and at the first aligned vector of a row
  T* out;
  std::int64_t in_y, in_z, out_y, out_z;   ///< strides in elements
  std::int32_t first_vector, last_vector;  ///< columns where the first and last aligned vectors of a row begin
  std::int32_t x0;                         ///< first output of the first strip
  std::int32_t x_begin, x_end;             ///< outputs stored
  std::int64_t y_begin, y_end, z_begin;
  std::uint32_t strips, planes;
  std::uint32_t height;  ///< output rows of a tile
  PlaneTerm<T> const* terms;
  std::int32_t term_count;
};

}  // namespace Cuda
}  // namespace KokkosStencil
