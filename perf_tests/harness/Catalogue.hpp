// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <array>
#include <istream>
#include <string>
#include <vector>

// The catalogue of stencil kernels, perf_tests/catalogue/kernels.txt, which describes its format.

namespace perf {

/// A kernel with what it stands for: the sum of factor * d^powers, exactly so for polynomials of total
/// degree up to `degree`; nothing is promised if degree is negative.
struct CatalogueKernel : Kernel {
  struct Derivative {
    std::array<int, 3> powers;
    double factor;
  };
  std::vector<Derivative> operators;
  int degree = -1;
};

/// Throws std::runtime_error that names the line.
std::vector<CatalogueKernel> read_catalogue(std::istream& stream);

/// The catalogue this program was built with.
std::vector<CatalogueKernel> const& catalogue();

}  // namespace perf
