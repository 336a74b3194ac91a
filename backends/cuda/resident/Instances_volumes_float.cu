// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

template <>
CompiledVolume const* compiled_volumes<float>() {
  return volume_instances<float>(std::make_integer_sequence<int, volume_table(ValueType::float32).count>());
}

template <>
CompiledVolume const* compiled_volumes<double>();

namespace {

CompiledVolume const& of(ValueType type, std::size_t kernel) {
  return (type == ValueType::float64 ? compiled_volumes<double>() : compiled_volumes<float>())[kernel];
}

}  // namespace

int prepare_volume(ValueType type, std::size_t kernel, int shared_bytes) {
  return of(type, kernel).prepare(shared_bytes);
}

void launch_volume(ValueType type, std::size_t kernel, void const* coefficients, VolumeArgs const& args,
                   int shared_bytes, void const* in, void* out, void* stream) {
  of(type, kernel).launch(coefficients, args, shared_bytes, in, out, static_cast<cudaStream_t>(stream));
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
