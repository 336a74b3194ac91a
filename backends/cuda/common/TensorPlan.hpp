// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>
#include <transform/Half.hpp>

#include <string>

// What plans of kernels for tensor cores have in common.

namespace KokkosStencil {
namespace Cuda {

/// What a product with the band matrix of a row of the stencil (16 x 32) costs for an output: multiplications and
/// additions with 32 columns.
constexpr double band_operations = 2.0 * 32;

/// Whether values are half_t or bhalf_t.
bool is_half(ValueType type);

/// The type in which values that are half_t or bhalf_t are multiplied.
Transform::Element element_of(ValueType type);

/// Why no kernel that multiplies matrices can run a problem, whatever its shape and size; empty if one may.
/// `multiplies`: whether the kernels multiply values of the problem's type; `types`: the types that they multiply.
std::string product_unsupported_reason(Problem const& problem, bool multiplies, char const* types);
/// Why a stencil does not fit in one window of columns (transform/Rows.hpp); empty if it does.
std::string window_unsupported_reason(Problem const& problem);
/// product_unsupported_reason for kernels that multiply half_t and bhalf_t.
std::string half_product_unsupported_reason(Problem const& problem);

}  // namespace Cuda
}  // namespace KokkosStencil
