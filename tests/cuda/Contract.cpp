// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

// The kernels of tensor cores for half and bhalf keep the contract with coefficients that take two parts.

#ifndef KOKKOS_ENABLE_CUDA

TEST(Contract, OfTensorCores) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

#include "Contract.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;

/// Coefficients of either sign whose magnitudes add up to less than 6: results stay below the largest half. None is so
/// small that its second half is not there.
template <int Rank>
Stencil<float, Rank> inexact(std::vector<std::array<int, 3>> const& offsets, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<typename Stencil<float, Rank>::Term> terms;
  for (auto const& offset : offsets) {
    typename Stencil<float, Rank>::Term t{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(Rank); ++a) t.offset[a] = offset[a];
    t.coefficient = (1.5f + static_cast<float>(engine() % 4001) / 1e3f) / static_cast<float>(offsets.size());
    if (engine() % 2 == 0) t.coefficient = -t.coefficient;
    terms.push_back(t);
  }
  return Stencil<float, Rank>(terms);
}

std::vector<std::array<int, 3>> offsets_of(std::vector<Term> const& terms) {
  std::vector<std::array<int, 3>> offsets;
  for (Term const& t : terms) offsets.push_back(t.offset);
  return offsets;
}

template <class T>
struct Contract : testing::Test {
  void SetUp() override {
    auto const names = backend_names();
    if (std::find(names.begin(), names.end(), "cuda_sparse_tensor") == names.end()) {
      GTEST_SKIP() << "built without the CUDA backends";
    }
  }

  template <int Rank>
  static void verify(std::vector<std::array<int, 3>> const& offsets, std::array<std::size_t, 3> const& n) {
    auto const stencil = inexact<Rank>(offsets, 1);
    bool two_parts     = false;
    for (auto const& t : stencil.terms()) {
      two_parts = two_parts || static_cast<float>(static_cast<T>(t.coefficient)) != t.coefficient;
    }
    ASSERT_TRUE(two_parts);
    StencilPolicy<Exec, Rank> const halo;
    auto const periodic = StencilPolicy<Exec, Rank>().boundary(Boundary<Rank>::periodic());
    for (Values const values : {Values::uniform, Values::wide}) {
      keeps_contract<T, Rank>("cuda_sparse_tensor", halo, stencil, n, {0, 0}, values, false);
      keeps_contract<T, Rank>("cuda_sparse_tensor", periodic, stencil, n, {8, 4}, values, false);
    }
    keeps_contract<T, Rank>("cuda_sparse_tensor", halo, stencil, n, {0, 0}, Values::uniform, true);
    keeps_contract<T, Rank>("cuda_sparse_table", halo, stencil, n, {0, 0}, Values::uniform, true);
  }
};

using Halves = testing::Types<Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t>;
TYPED_TEST_SUITE(Contract, Halves, );

TYPED_TEST(Contract, Lines) {
  for (int const radius : {1, 2, 7, 16}) this->template verify<1>(offsets_of(star_offsets(1, radius)), {1, 1, 200003});
  this->template verify<1>({{{-33, 0, 0}}, {{-5, 0, 0}}, {{0, 0, 0}}, {{12, 0, 0}}, {{30, 0, 0}}}, {1, 1, 200003});
}

TYPED_TEST(Contract, Planes) {
  for (int radius = 1; radius <= 7; ++radius) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    this->template verify<2>(offsets_of(star_offsets(2, radius)), {1, 301, 1032});
    this->template verify<2>(offsets_of(box_offsets(2, radius)), {1, 301, 1032});
  }
  this->template verify<2>({{{-6, -8, 0}}, {{-2, 3, 0}}, {{0, 0, 0}}, {{1, 7, 0}}, {{4, -1, 0}}}, {1, 301, 1032});
}

TYPED_TEST(Contract, Spaces) {
  std::vector<std::array<int, 3>> const gaps{{{-1, -1, -6}}, {{-1, 0, 2}}, {{0, 0, 0}},
                                             {{0, 1, 5}},    {{1, 0, -1}}, {{1, 1, 7}}};
  for (auto const& offsets : {offsets_of(star_offsets(3, 1)), offsets_of(box_offsets(3, 1)), gaps}) {
    this->template verify<3>(offsets, {21, 26, 144});
    // Large enough for slabs.
    this->template verify<3>(offsets, {133, 130, 136});
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
