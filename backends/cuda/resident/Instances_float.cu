// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

template <>
Compiled const* compiled<float>() {
  return instances<float>(std::make_integer_sequence<int, kernel_table(Temporal::value_type<float>).count>());
}

template <>
Compiled const* compiled<double>();

namespace {

Compiled const& of(ValueType type, std::size_t kernel) {
  return (type == ValueType::float64 ? compiled<double>() : compiled<float>())[kernel];
}

}  // namespace

int prepare(ValueType type, std::size_t kernel) { return of(type, kernel).prepare(); }

void launch(ValueType type, std::size_t kernel, void const* coefficients, Args const& args, void const* in, void* out,
            void* stream) {
  of(type, kernel).launch(coefficients, args, in, out, static_cast<cudaStream_t>(stream));
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
