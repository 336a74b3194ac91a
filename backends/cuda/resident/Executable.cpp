// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Executable.hpp"

#include "common/Check.hpp"
#include "common/Device.hpp"
#include "common/Padding.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

namespace {

/// Blocks of a kernel that a device holds at once, asked for once.
int blocks_at_once(int device, ValueType type, std::size_t kernel) {
  static std::mutex mutex;
  static std::map<std::tuple<int, ValueType, std::size_t>, int> known;
  std::lock_guard<std::mutex> const lock(mutex);
  auto const at = known.find({device, type, kernel});
  if (at != known.end()) return at->second;
  int cooperative = 0;
  check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device), "cudaDeviceGetAttribute");
  int const blocks                     = cooperative != 0 ? prepare(type, kernel) * device_facts(device).sm_count : 0;
  return known[{device, type, kernel}] = blocks;
}

class ResidentExecutable : public Executable {
 public:
  ResidentExecutable(Problem const& p, Plan const& plan, int device, Launch const& launch,
                     std::unique_ptr<Executable> single)
      : m_type(p.value_type),
        m_device(device),
        m_aligned_pitch(aligned_pitch(p)),
        m_kernel(plan.kernel()),
        m_single(std::move(single)) {
    std::vector<double> numbers;
    for (Term const& t : p.terms) numbers.push_back(t.coefficient);
    m_coefficients.resize(numbers.size() * sizeof(double));
    if (m_type == ValueType::float64) {
      std::memcpy(m_coefficients.data(), numbers.data(), m_coefficients.size());
    } else {
      std::vector<float> const floats(numbers.begin(), numbers.end());
      std::memcpy(m_coefficients.data(), floats.data(), floats.size() * sizeof(float));
    }
    // Control, flags, peers.
    std::vector<std::int32_t> const peers = plan.peers();
    std::size_t const flags               = static_cast<std::size_t>(plan.blocks()) * flag_words;
    std::vector<std::uint32_t> words(control_words + flags, 0u);
    words.insert(words.end(), peers.begin(), peers.end());
    m_state.fill(device, words.data(), words.size() * sizeof(words[0]), launch.stream);
    m_planes.allocate(device, static_cast<std::size_t>(2 * plan.plane()) *
                                  static_cast<std::size_t>(Temporal::sum_bytes(size_of(m_type))));
    auto* const state = static_cast<std::uint32_t*>(m_state.data());
    m_args.patch      = plan.patches();
    m_args.control    = static_cast<Control*>(m_state.data());
    m_args.flags      = state + control_words;
    m_args.peers      = reinterpret_cast<std::int32_t const*>(m_args.flags + flags);
    m_args.planes     = m_planes.data();
    m_args.pitch      = plan.pitch();
    m_args.plane      = plan.plane();
  }

  bool launches_raw() const override { return m_single->launches_raw(); }
  std::size_t bytes() const override { return m_state.bytes() + m_planes.bytes() + m_single->bytes(); }

  void sweep(Launch const& launch, void const* in, void* out) const override { m_single->sweep(launch, in, out); }

  bool sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm,
                       NormReducer& reducer) const override {
    return m_single->sweep_with_norm(launch, in, out, norm, reducer);
  }

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    if (steps == 1) {
      m_single->sweep(launch, in, out);
      return 1;
    }
    auto const aligned = [](void const* p) {
      return reinterpret_cast<std::uintptr_t>(p) % Temporal::vector_bytes == 0;
    };
    Args args          = m_args;
    args.sweeps        = steps;
    args.patch.aligned = m_aligned_pitch && aligned(in) && aligned(out);
    CurrentDevice const current(m_device);
    ToolsRegion const region(launch);
    Resident::launch(m_type, m_kernel, m_coefficients.data(), args, in, out, launch.stream);
    check_launch(launch.label);
    return steps;
  }

 private:
  static constexpr std::size_t control_words = 32;
  static_assert(sizeof(Control) <= control_words * sizeof(std::uint32_t), "");

  ValueType m_type;
  int m_device;
  bool m_aligned_pitch;
  std::size_t m_kernel;
  std::unique_ptr<Executable> m_single;
  std::vector<unsigned char> m_coefficients;
  DeviceBuffer m_state, m_planes;
  Args m_args{};
};

}  // namespace

std::unique_ptr<Executable> make_executable(Problem const& p, Plan const& plan, int device, Launch const& launch,
                                            std::unique_ptr<Executable> single) {
  CurrentDevice const current(device);
  int const room = blocks_at_once(device, p.value_type, plan.kernel());
  if (room < plan.blocks()) {
    throw std::runtime_error("KokkosStencil: \"" + launch.label + "\": cuda_resident needs " +
                             std::to_string(plan.blocks()) + " blocks at once, of which this GPU, or the part of it " +
                             "that the process has, holds " + std::to_string(room) + ".");
  }
  return std::make_unique<ResidentExecutable>(p, plan, device, launch, std::move(single));
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
