// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace KokkosStencil {

/// Which of the sweeps of an iterate or iterate_until a functor is called for, from 0 on: for sources and coefficients
/// that vary in time. A functor whose first parameter it is gets it before the fields, as in `f(KS::Step step, N const&
/// u, double& next)`. It turns into a std::int64_t by itself.
class Step {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr Step(std::int64_t number) : m_number(number) {}
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator std::int64_t() const { return m_number; }

 private:
  std::int64_t m_number;
};

}  // namespace KokkosStencil
