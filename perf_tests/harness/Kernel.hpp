// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// What is measured: stencil kernels and cases, without Kokkos and without the library.

namespace perf {

struct Term {
  std::array<int, 3> offset;  ///< in the axes of the View, unused ones 0
  double coefficient;
};

/// The shapes that the rivals have hand-written loops for.
enum class Family { star, box, other };

struct Kernel {
  std::string name;    ///< "box-2d3r", or the name in the catalogue
  std::string domain;  ///< scientific domain, catalogue only
  std::string source;  ///< where the coefficients come from, catalogue only
  Family family = Family::other;
  int rank      = 1;
  std::vector<Term> terms;

  int lower(int axis) const;  ///< smallest offset, at most 0
  int upper(int axis) const;  ///< largest offset, at least 0
  int radius() const;
};

/// Star and box with positive coefficients that all differ from their mirror images, add up to 1 and are
/// exact in every value type, half and bhalf included: a mirrored or transposed stencil is a wrong one,
/// and many sweeps neither grow nor decay.
Kernel star(int rank, int radius);
Kernel box(int rank, int radius);

/// Coefficients of a shape: as above; the same on both sides of the point, as fused sweeps with mirror faces want them;
/// and such that half and bhalf need two parts for each.
enum class Coefficients { distinct, symmetric, two_parts };
void give_coefficients(Kernel& kernel, Coefficients kind);
char const* name_of(Coefficients kind);  ///< distinct symmetric two-parts

/// A shape by its name, as in "star-2d1r"; "box17-3d1r" is the 17-point stencil of the temporal-blocking
/// literature, "box19-3d1r" a box without its corners. Without their centre a star is "jacobi-2d1r" and a box
/// "ring-2d1r"; "upwind-2d1r" has of each axis the points before and the centre. Throws std::invalid_argument.
Kernel shape(std::string const& name);

enum class Type { half, bhalf, single, full };
char const* name_of(Type type);  ///< half bhalf float double
int bytes_of(Type type);

using Extents = std::array<std::int64_t, 3>;  ///< unused trailing ones 1

/// The rule at all faces.
enum class Faces { halo, periodic, mirror, edge, constant };
/// What is read past constant faces; every type holds it.
constexpr double face_constant = 0.5;
char const* name_of(Faces faces);

/// One line of a suite: every candidate that can run it becomes a benchmark.
struct Case {
  Kernel kernel;
  Type type = Type::single;
  Extents extents{{1, 1, 1}};
  std::int64_t steps        = 1;
  bool relaxed              = false;
  Faces faces               = Faces::halo;
  Coefficients coefficients = Coefficients::distinct;  ///< what `kernel` has
  std::int64_t pitch        = 0;                       ///< elements from a row to the next; 0: as many as it has
  std::int64_t columns[2]   = {0, 0};                  ///< where the rows of input and output begin in their allocation
  bool sampled              = true;                    ///< whether results are compared with those of the reference
  /// Which rivals to measure beside the library.
  enum class Rivals { none, best, all } rivals = Rivals::all;
  bool cudnn                                   = false;
  bool textbooks                               = false;  ///< the ladders of hand optimization
  bool graph                                   = false;  ///< many sweeps also as single launches, replayed
  bool code                                    = false;  ///< no stencil as data but a functor, by the kernel's name
  int streams                                  = 2;      ///< fields that a sweep reads or writes, each once
  std::int64_t check = 0;  ///< sweeps from one check of iterate_until to the next; 0: no such case

  std::int64_t points() const;  ///< points that one sweep writes
  std::int64_t elements() const { return extents[0] * extents[1] * extents[2]; }
  Extents strides() const;         ///< in elements
  std::int64_t allocated() const;  ///< elements from the first row to the end of the last, with what is between rows
  bool contiguous() const { return allocated() == elements() && columns[0] == 0 && columns[1] == 0; }
  std::string name(std::string const& candidate) const;
};

}  // namespace perf
