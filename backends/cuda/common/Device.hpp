// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <cstdint>
#include <string>

namespace KokkosStencil {
namespace Cuda {

/// What predictions and launches need to know of a GPU.
struct DeviceFacts {
  int compute_capability     = 0;  ///< 10 major + minor
  int sm_count               = 0;
  std::int64_t l2_bytes      = 0;
  int shared_bytes_per_block = 0;    ///< after opting in
  double fma_rate_float      = 0.0;  ///< fused multiply-adds a second
  double fma_rate_double     = 0.0;
};

/// Facts of a device, asked for once. Throws if there is no such device.
DeviceFacts const& device_facts(int device);

/// Its name as the driver gives it, asked for once.
std::string const& device_name(int device);

/// The numbers for predictions: by the GPU's name what the user said or the table knows, else what follows from its
/// properties and from a copy that is timed once.
DeviceModel const& device_model(int device);

/// The same with the real capability and number of multiprocessors, whatever a user says of them: launches are planned
/// for these.
DeviceModel launch_model(int device);

/// The numbers that a GPU gets of which nothing is known.
DeviceModel measured_model(int device);

/// Whether the space is a CUDA device that these kernels were compiled for, or why not.
Status supported(SpaceInfo const& space);

/// Makes a device current for its life.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device);
  ~CurrentDevice();
  CurrentDevice(CurrentDevice const&)            = delete;
  CurrentDevice& operator=(CurrentDevice const&) = delete;

 private:
  int m_before = -1;  ///< the device to restore; -1 if the right one was current already
};

/// Memory on a device, filled when a plan is made and never resized.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer const&)            = delete;
  DeviceBuffer& operator=(DeviceBuffer const&) = delete;

  /// Uninitialized memory.
  void allocate(int device, std::size_t bytes);
  /// Allocates and copies from the host; waits for the copy.
  void fill(int device, void const* from, std::size_t bytes, void* stream);

  void* data() const { return m_data; }
  std::size_t bytes() const { return m_bytes; }

 private:
  void* m_data        = nullptr;
  std::size_t m_bytes = 0;
  int m_device        = 0;
};

}  // namespace Cuda
}  // namespace KokkosStencil
