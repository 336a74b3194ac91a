// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Executable.hpp"

#include "common/Check.hpp"
#include "common/Device.hpp"
#include "common/GhostsInPass.hpp"
#include "common/Padding.hpp"
#include "common/UpdateNorm.hpp"

#include <impl/KokkosStencil_FirstPass.hpp>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
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

/// An entry of the driver, which the library is not linked with; null where it has none.
template <class Function>
Function driver_entry(char const* name) {
#if CUDART_VERSION >= 12050
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  if (cudaGetDriverEntryPointByVersion(name, &entry, 12050, cudaEnableDefault, &found) == cudaSuccess) {
    return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function>(entry) : nullptr;
  }
  // The error is ours to take back.
  cudaGetLastError();
#endif
  static_cast<void>(name);
  return nullptr;
}

/// Multiprocessors on which kernels of a stream run: a green context has some of the device's.
int multiprocessors_of(void* stream, int device) {
  int all = device_facts(device).sm_count;
#if CUDART_VERSION >= 12050
  using OfStream          = CUresult (*)(CUstream, CUgreenCtx*);
  using OfContext         = CUresult (*)(CUgreenCtx, CUdevResource*, CUdevResourceType);
  static auto* of_stream  = driver_entry<OfStream>("cuStreamGetGreenCtx");
  static auto* of_context = driver_entry<OfContext>("cuGreenCtxGetDevResource");
  CUgreenCtx context      = nullptr;
  CUdevResource its{};
  if (of_stream != nullptr && of_context != nullptr && stream != nullptr &&
      of_stream(static_cast<CUstream>(stream), &context) == CUDA_SUCCESS && context != nullptr &&
      of_context(context, &its, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS) {
    all = std::min(all, static_cast<int>(its.sm.smCount));
  }
#endif
  return all;
}

/// Blocks of a kernel that a multiprocessor of a device holds at once, asked for once.
template <class Prepare>
int blocks_at_once(int device, int rank, ValueType type, std::size_t kernel, int shared_bytes, Prepare const& prepare) {
  static std::mutex mutex;
  static std::map<std::tuple<int, int, ValueType, std::size_t, int>, int> known;
  std::lock_guard<std::mutex> const lock(mutex);
  std::tuple<int, int, ValueType, std::size_t, int> const key{device, rank, type, kernel, shared_bytes};
  auto const at = known.find(key);
  if (at != known.end()) return at->second;
  int cooperative = 0;
  check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device), "cudaDeviceGetAttribute");
  return known[key] = cooperative != 0 ? prepare() : 0;
}

void need_room(int blocks, int of_multiprocessor, int device, Launch const& launch) {
  int const room = of_multiprocessor * multiprocessors_of(launch.stream, device);
  if (room >= blocks) return;
  throw std::runtime_error("KokkosStencil: \"" + launch.label + "\": cuda_resident needs " + std::to_string(blocks) +
                           " blocks at once, of which this GPU, or the part of it that the process has, holds " +
                           std::to_string(room) + ".");
}

/// 32-bit words of Control, and what follows in a sector of its own.
constexpr std::size_t control_words = 32;
static_assert(sizeof(Control) <= control_words * sizeof(std::uint32_t), "");

/// Of a run: kernels count exchanges in 32 bits.
constexpr std::int64_t most_sweeps = std::int64_t(1) << 30;

/// A run is one launch; single sweeps are those of cuda_direct.
class ResidentExecutable : public Executable, public Impl::FirstPass {
 public:
  ResidentExecutable(Problem const& p, int device, std::unique_ptr<Executable> single)
      : m_type(p.value_type), m_device(device), m_aligned_pitch(aligned_pitch(p)), m_single(std::move(single)) {
    std::vector<double> numbers;
    for (Term const& t : p.terms) numbers.push_back(t.coefficient);
    m_coefficients.resize(numbers.size() * sizeof(double));
    if (m_type == ValueType::float64) {
      std::memcpy(m_coefficients.data(), numbers.data(), m_coefficients.size());
    } else {
      std::vector<float> const floats(numbers.begin(), numbers.end());
      std::memcpy(m_coefficients.data(), floats.data(), floats.size() * sizeof(float));
    }
  }

  bool launches_raw() const override { return m_single->launches_raw(); }

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
    return all_sweeps(launch, in, out, steps, GhostsInPass{});
  }

  std::int64_t first_pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    Ghosts const& ghosts = m_ghosts[aligned(in, out) ? 1 : 0];
    return steps > 1 && ghosts.possible ? all_sweeps(launch, in, out, steps, ghosts.args) : 0;
  }

  bool pass_with_norm(Launch const& launch, void const* in, void* out, std::int64_t steps, Norm norm,
                      NormReducer& reducer) const override {
    if (steps == 1) return m_single->sweep_with_norm(launch, in, out, norm, reducer);
    auto* const update = dynamic_cast<UpdateNorm*>(&reducer);
    // Sums of squares of doubles may need a second look at both states (launch_update_norm_again).
    bool const needs_both = norm != Norm::max && m_type == ValueType::float64;
    if (update == nullptr || needs_both || steps > most_sweeps || !finds_change()) return false;
    CurrentDevice const current(m_device);
    ToolsRegion const region(launch);
    run(launch, in, out, steps, aligned(in, out), {},
        {update->parts(warps(), BoundaryArgs{}, in, out), norm == Norm::max});
    check_launch(launch.label);
    return true;
  }

 protected:
  virtual void run(Launch const& launch, void const* in, void* out, std::int64_t steps, bool aligned,
                   GhostsInPass const& ghosts, ChangeArgs const& change) const = 0;
  virtual bool finds_change() const { return true; }
  /// Of all blocks.
  virtual std::int64_t warps() const = 0;

  void plan_first_passes(Problem const& p) {
    for (bool const aligned : {false, true}) {
      Ghosts& ghosts  = m_ghosts[aligned ? 1 : 0];
      ghosts.possible = plan_ghosts(p, aligned, 32 * warps(), ghosts.args);
    }
  }

  ValueType type() const { return m_type; }
  void const* coefficients() const { return m_coefficients.data(); }
  Executable const& single() const { return *m_single; }

 private:
  struct Ghosts {
    GhostsInPass args;
    bool possible = false;
  };

  std::int64_t all_sweeps(Launch const& launch, void const* in, void* out, std::int64_t steps,
                          GhostsInPass const& ghosts) const {
    CurrentDevice const current(m_device);
    ToolsRegion const region(launch);
    steps = std::min<std::int64_t>(steps, most_sweeps);
    run(launch, in, out, steps, aligned(in, out), ghosts, {});
    check_launch(launch.label);
    return steps;
  }

  bool aligned(void const* in, void const* out) const {
    auto const is = [](void const* p) { return reinterpret_cast<std::uintptr_t>(p) % Temporal::vector_bytes == 0; };
    return m_aligned_pitch && is(in) && is(out);
  }

  ValueType m_type;
  int m_device;
  bool m_aligned_pitch;
  std::unique_ptr<Executable> m_single;
  std::vector<unsigned char> m_coefficients;
  Ghosts m_ghosts[2];  ///< 1: where all rows begin at multiples of 16 bytes
};

class PlaneExecutable : public ResidentExecutable {
 public:
  PlaneExecutable(Problem const& p, Plan const& plan, int device, Launch const& launch,
                  std::unique_ptr<Executable> its_single)
      : ResidentExecutable(p, device, std::move(its_single)), m_kernel(plan.kernel()) {
    // Control, flags, peers.
    std::vector<std::int32_t> const peers = plan.peers();
    std::size_t const flags               = static_cast<std::size_t>(plan.blocks()) * flag_words;
    std::vector<std::uint32_t> words(control_words + flags, 0u);
    words.insert(words.end(), peers.begin(), peers.end());
    m_state.fill(device, words.data(), words.size() * sizeof(words[0]), launch.stream);
    m_planes.allocate(device, static_cast<std::size_t>(2 * plan.plane()) *
                                  static_cast<std::size_t>(Temporal::sum_bytes(size_of(p.value_type))));
    auto* const state = static_cast<std::uint32_t*>(m_state.data());
    m_args.patch      = plan.patches();
    m_args.control    = static_cast<Control*>(m_state.data());
    m_args.flags      = state + control_words;
    m_args.peers      = reinterpret_cast<std::int32_t const*>(m_args.flags + flags);
    m_args.planes     = m_planes.data();
    m_args.pitch      = plan.pitch();
    m_args.plane      = plan.plane();
    plan_first_passes(p);
  }

  std::size_t bytes() const override { return m_state.bytes() + m_planes.bytes() + single().bytes(); }

 private:
  void run(Launch const& launch, void const* in, void* out, std::int64_t steps, bool aligned,
           GhostsInPass const& ghosts, ChangeArgs const& change) const override {
    Args args          = m_args;
    args.sweeps        = steps;
    args.patch.ghosts  = ghosts;
    args.change        = change;
    args.patch.aligned = aligned;
    Resident::launch(type(), m_kernel, coefficients(), args, in, out, launch.stream);
  }
  std::int64_t warps() const override {
    return std::int64_t(m_args.patch.patches[0]) * m_args.patch.patches[1] * kernel_table(type()).rows[m_kernel].warps;
  }
  bool finds_change() const override { return kernel_table(type()).rows[m_kernel].finds_change(); }

  std::size_t m_kernel;
  DeviceBuffer m_state, m_planes;
  Args m_args{};
};

class VolumeExecutable : public ResidentExecutable {
 public:
  VolumeExecutable(Problem const& p, VolumePlan const& plan, int device, Launch const& launch,
                   std::unique_ptr<Executable> its_single)
      : ResidentExecutable(p, device, std::move(its_single)),
        m_kernel(plan.kernel()),
        m_shared_bytes(plan.shared_bytes()),
        m_args(plan.args()) {
    // Control, lines, what warps know of their bundles.
    std::vector<VolumeEntry> const entries = plan.entries(p.value_type);
    std::size_t const control = control_words * sizeof(std::uint32_t), lines = plan.bytes_of_lines();
    std::size_t const bytes_of_entries = entries.size() * sizeof(VolumeEntry);
    std::vector<unsigned char> bytes(control + lines + bytes_of_entries, 0);
    std::memcpy(&bytes[control + lines], entries.data(), bytes_of_entries);
    m_state.fill(device, bytes.data(), bytes.size(), launch.stream);
    auto* const state = static_cast<unsigned char*>(m_state.data());
    m_args.control    = static_cast<Control*>(m_state.data());
    m_args.lines      = state + control;
    m_args.entries    = reinterpret_cast<VolumeEntry const*>(state + control + lines);
    plan_first_passes(p);
  }

  std::size_t bytes() const override { return m_state.bytes() + single().bytes(); }

 private:
  void run(Launch const& launch, void const* in, void* out, std::int64_t steps, bool aligned,
           GhostsInPass const& ghosts, ChangeArgs const& change) const override {
    VolumeArgs args = m_args;
    args.sweeps     = steps;
    args.ghosts     = ghosts;
    args.change     = change;
    args.aligned    = aligned;
    launch_volume(type(), m_kernel, coefficients(), args, m_shared_bytes, in, out, launch.stream);
  }
  std::int64_t warps() const override {
    return std::int64_t(m_args.blocks[0]) * m_args.blocks[1] * volume_table(type()).rows[m_kernel].warps;
  }
  bool finds_change() const override { return volume_table(type()).rows[m_kernel].finds_change(); }

  std::size_t m_kernel;
  int m_shared_bytes;
  VolumeArgs m_args;
  DeviceBuffer m_state;
};

}  // namespace

std::unique_ptr<Executable> make_executable(Problem const& p, Plan const& plan, int device, Launch const& launch,
                                            std::unique_ptr<Executable> single) {
  CurrentDevice const current(device);
  need_room(
      plan.blocks(),
      blocks_at_once(device, 2, p.value_type, plan.kernel(), 0, [&] { return prepare(p.value_type, plan.kernel()); }),
      device, launch);
  return std::make_unique<PlaneExecutable>(p, plan, device, launch, std::move(single));
}

std::unique_ptr<Executable> make_executable(Problem const& p, VolumePlan const& plan, int device, Launch const& launch,
                                            std::unique_ptr<Executable> single) {
  CurrentDevice const current(device);
  int const shared = plan.shared_bytes();
  need_room(plan.blocks(),
            blocks_at_once(device, 3, p.value_type, plan.kernel(), shared,
                           [&] { return prepare_volume(p.value_type, plan.kernel(), shared); }),
            device, launch);
  return std::make_unique<VolumeExecutable>(p, plan, device, launch, std::move(single));
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
