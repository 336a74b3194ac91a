// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Accuracy.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace KokkosStencil {

/// What does the arithmetic of a kernel.
enum class ComputeUnit {
  cores,               ///< fused multiply-adds on ordinary cores
  tensor_cores,        ///< dense matrix products (mma)
  sparse_tensor_cores  ///< matrix products with 2:4 sparsity (mma.sp), counted as if they were dense
};

using Unit [[deprecated("Use ComputeUnit.")]] = ComputeUnit;

/// Its name as device texts and `explain` give it.
char const* to_string(ComputeUnit unit) noexcept;

/// What predictions need to know of a device. Rates are in FLOP/s, a multiply-add counts two; 0 where there is no
/// such unit.
struct DeviceModel {
  std::string name;
  int compute_capability = 0;  ///< 10 major + minor, 0 if it is no NVIDIA GPU
  int multiprocessors    = 1;
  std::int64_t l2_bytes  = 0;    ///< of the last cache
  double bandwidth       = 0.0;  ///< bytes a second of a large copy, read plus write
  double l2_bandwidth    = 0.0;  ///< the same where all of it stays in the last cache
  double launch_seconds =
      2.6e-6;                  ///< what a kernel costs beside its work: from launch to first loads, last stores to end
  double float_rate    = 0.0;  ///< float, on ordinary cores
  double double_rate   = 0.0;
  double half_tensor   = 0.0;  ///< half and bfloat16 products, float sums
  double tf32_tensor   = 0.0;
  double double_tensor = 0.0;
  double half_sparse   = 0.0;
  double tf32_sparse   = 0.0;
  std::string source;  ///< where the numbers are from
  /// How fast kernels are, by name, where the device was calibrated (scripts/calibrate.py): what is not here is as on
  /// an NVIDIA H200.
  std::map<std::string, double> efficiencies;

  /// Rate of a unit for operands of a type (float on tensor cores: TF32).
  double rate(ComputeUnit unit, ValueType type) const noexcept;
};

/// The GPUs that the library knows, with what kernels reach on them: measured, or the data sheet times the fractions
/// that were measured on a relative.
std::vector<DeviceModel> const& known_devices();

/// The same with the peaks of the data sheets.
std::vector<DeviceModel> const& data_sheets();

/// The device of that name, else the first whose name has each of these words ("a100 pcie", "h200"), else words that
/// begin with each; null if there is none.
DeviceModel const* find_device(std::vector<DeviceModel> const& devices, std::string const& name);

/// A GPU that is in no table, from what it says of itself: clock in Hz, memory bandwidth in bytes a second.
DeviceModel device_from_properties(std::string const& name, int compute_capability, int multiprocessors,
                                   std::int64_t l2_bytes, double clock, double memory_bandwidth);

/// Throws Error if predictions cannot use a number of the device: bandwidth, float_rate and double_rate must be there,
/// and every number finite and of a size that a device can have.
void check_device(DeviceModel const& device);

/// Reads lines "name value", as device_text writes them; what is missing keeps its value in `base`. Throws Error,
/// naming the line, for what is not understood, and as check_device does.
DeviceModel read_device(std::string const& text, DeviceModel base = {});

/// A device as such lines, to start one's own from.
std::string device_text(DeviceModel const& device);

/// Makes predictions for a GPU of that name (and of every name that the driver gives, if the name is empty) use these
/// numbers. Plans that exist keep their choice. Throws Error as check_device does.
void set_device_model(DeviceModel const& device);

/// What predictions use for a device of that name: what the user said of it, else the table's numbers, else null.
DeviceModel const* described_device(std::string const& name);

}  // namespace KokkosStencil
