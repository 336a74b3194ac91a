// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/TensorPlan.hpp"

#include "common/CudaModel.hpp"

#include <transform/Rows.hpp>

namespace KokkosStencil {
namespace Cuda {

bool is_half(ValueType type) { return type == ValueType::float16 || type == ValueType::bfloat16; }

Transform::Element element_of(ValueType type) {
  return type == ValueType::bfloat16 ? Transform::Element::bfloat : Transform::Element::half;
}

std::string product_unsupported_reason(Problem const& p, bool multiplies, char const* types) {
  if (std::string const no = distant_unsupported_reason(p); !no.empty()) return no;
  if (!multiplies) return std::string("multiplies ") + types + ", not " + to_string(p.value_type);
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  if (p.terms.empty() || p.points() == 0) return "nothing to multiply";
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1) {
    return "the fastest axis is not contiguous (stride " + std::to_string(p.in_stride[2]) + " and " +
           std::to_string(p.out_stride[2]) + ")";
  }
  return "";
}

std::string window_unsupported_reason(Problem const& p) {
  constexpr int before = Transform::window_lead, after = Transform::window_offsets - Transform::window_lead - 1;
  if (p.lower[2] >= -before && p.upper[2] <= after) return "";
  return "reaches farther along the contiguous axis than one window: from " + std::to_string(-before) + " to " +
         std::to_string(after);
}

std::string half_product_unsupported_reason(Problem const& p) {
  return product_unsupported_reason(p, is_half(p.value_type), "half_t and bhalf_t");
}

}  // namespace Cuda
}  // namespace KokkosStencil
