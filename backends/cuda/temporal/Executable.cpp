// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Executable.hpp"

#include "BrickPlan.hpp"
#include "Kernels.hpp"
#include "LinePlan.hpp"
#include "PatchPlan.hpp"
#include "SpacePlan.hpp"
#include "StripPlan.hpp"
#include "common/Check.hpp"
#include "common/GhostsInPass.hpp"
#include "common/Padding.hpp"

#include <impl/KokkosStencil_FirstPass.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

/// The compiled kernel of an entry of a table.
template <class Args, class Row>
Kernel<Args> const& compiled(ValueType type, Table<Row> (*table)(ValueType), Row const& k) {
  Kernel<Args> const* all = nullptr;
  switch (type) {
    case ValueType::float64: all = kernels<Args, double>(); break;
    case ValueType::float32: all = kernels<Args, float>(); break;
    case ValueType::float16: all = kernels<Args, __half>(); break;
    case ValueType::bfloat16:
      if constexpr (std::is_same_v<Args, LineArgs>) all = kernels<Args, __nv_bfloat16>();
  }
  return all[&k - table(type).begin()];
}

/// A: the type of coefficients.
template <class A>
class TemporalExecutable : public Executable, public Impl::FirstPass {
 public:
  TemporalExecutable(Problem const& p, PassPlan const& plan, Gpu const& gpu, int device, void* stream,
                     std::unique_ptr<Executable> single)
      : m_device(device), m_aligned_pitch(Cuda::aligned_pitch(p)), m_plan(plan), m_single(std::move(single)) {
    for (double const c : kernel_coefficients(p)) m_coefficients.push_back(static_cast<A>(c));
    Cuda::CurrentDevice const current(m_device);
    if (p.early != Problem().early) {
      std::uint32_t const none = 0;
      m_counter.fill(m_device, &none, sizeof none, stream);
    }
    for (Pass const& pass : m_plan.passes()) {
      Launches both;
      for (bool const aligned : {false, true}) {
        both.of[aligned ? 1 : 0] =
            std::visit([&](auto k) { return launch_of(k, p, gpu, pass.depth, aligned); }, pass.kernel);
      }
      m_launches.push_back(std::move(both));
    }
  }

  EarlyCount early(void const* in, void const* out, std::int64_t steps) const override {
    std::size_t const next    = m_plan.next(steps);
    std::uint32_t const tasks = run_of(next, in, out).early_tasks;
    if (m_plan.passes()[next].depth != steps || tasks == 0) return {};
    return {static_cast<std::uint32_t*>(m_counter.data()), tasks};
  }

  bool launches_raw() const override { return m_single->launches_raw(); }

  void sweep(Launch const& launch, void const* in, void* out) const override { pass(launch, in, out, 1); }

  bool sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm,
                       NormReducer& reducer) const override {
    return m_single->sweep_with_norm(launch, in, out, norm, reducer);
  }

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    std::size_t const next = m_plan.next(steps);
    Run const& run         = run_of(next, in, out);
    if (!run.launch) {
      m_single->sweep(launch, in, out);
      return 1;
    }
    start(run.launch, launch, in, out);
    return m_plan.passes()[next].depth;
  }

  std::int64_t first_pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    std::size_t const next = m_plan.next(steps);
    Run const& run         = run_of(next, in, out);
    if (!run.launch_first) return 0;
    start(run.launch_first, launch, in, out);
    return m_plan.passes()[next].depth;
  }

 private:
  using Start = std::function<void(A const* coefficients, void const* in, void* out, cudaStream_t stream)>;
  struct Run {
    Start launch;
    std::uint32_t early_tasks = 0;
    Start launch_first;  ///< of a first pass, if that copies what lies outside the range
  };
  struct Launches {
    Run of[2];  ///< 1: for Views whose rows all begin at multiples of 16 bytes; 0: for others
  };

  Run const& run_of(std::size_t pass, void const* in, void const* out) const {
    auto const aligned = [](void const* p) { return reinterpret_cast<std::uintptr_t>(p) % vector_bytes == 0; };
    return m_launches[pass].of[aligned(in) && aligned(out) && m_aligned_pitch ? 1 : 0];
  }

  void start(Start const& its, Launch const& launch, void const* in, void* out) const {
    Cuda::CurrentDevice const current(m_device);
    ToolsRegion const region(launch);
    its(m_coefficients.data(), in, out, static_cast<cudaStream_t>(launch.stream));
    Cuda::check_launch(launch.label);
  }

  template <class Args>
  static Start start_of(Kernel<Args> const& kernel, Args const& args) {
    return [launch = kernel.launch, args](A const* coefficients, void const* in, void* out, cudaStream_t stream) {
      launch(coefficients, args, in, out, stream);
    };
  }
  template <class Args>
  static Run launch_of(Kernel<Args> const& kernel, int shared_bytes, Args const& args) {
    Cuda::check(kernel.prepare(shared_bytes), "cudaFuncSetAttribute");
    return {start_of(kernel, args), 0, nullptr};
  }
  /// A first pass may copy what lies outside the range.
  template <class Args>
  static Run launch_first_of(Kernel<Args> const& kernel, int shared_bytes, Args args, Problem const& p, bool aligned,
                             std::int64_t threads) {
    Run run = launch_of(kernel, shared_bytes, args);
    if (Cuda::plan_ghosts(p, aligned, threads, args.ghosts)) run.launch_first = start_of(kernel, args);
    return run;
  }
  template <class Args>
  Run launch_early_of(Kernel<Args> const& kernel, int shared_bytes, Args args) const {
    args.early_count = static_cast<std::uint32_t*>(m_counter.data());
    Run run          = launch_of(kernel, shared_bytes, args);
    run.early_tasks  = static_cast<std::uint32_t>(args.early_tasks);
    return run;
  }

  static Run launch_of(std::monostate, Problem const&, Gpu const&, int, bool) { return {}; }
  static Run launch_of(LineTuning const* k, Problem const& p, Gpu const&, int depth, bool aligned) {
    return launch_of(compiled<LineArgs>(p.value_type, line_table, *k), 0, plan_line(p, *k, depth, aligned));
  }
  Run launch_of(StripTuning const* k, Problem const& p, Gpu const& gpu, int depth, bool aligned) const {
    return launch_early_of(compiled<StripArgs>(p.value_type, strip_table, *k), k->shared_bytes(size_of(p.value_type)),
                           plan_strips(p, *k, gpu.facts.sm_count, depth, aligned).args);
  }
  static Run launch_of(PatchTuning const* k, Problem const& p, Gpu const& gpu, int depth, bool aligned) {
    PatchArgs const args = plan_patches(p, *k, depth, aligned);
    return launch_first_of(compiled<PatchArgs>(p.value_type, patch_table, *k), gpu.facts.shared_bytes_per_block, args,
                           p, aligned, std::int64_t(args.patches[0]) * args.patches[1] * k->warps * warp_lanes);
  }
  /// Passes of different depth share a kernel with different shared memory, hence the most that a block may have.
  static Run launch_of(BrickTuning const* k, Problem const& p, Gpu const& gpu, int depth, bool aligned) {
    BrickArgs const args      = plan_bricks(p, tuned(*k, p.value_type, gpu.model), gpu.model, depth, aligned).args;
    std::int64_t const bricks = std::int64_t(args.bricks[0]) * args.bricks[1] * args.bricks[2];
    return launch_first_of(compiled<BrickArgs>(p.value_type, brick_table, *k), gpu.facts.shared_bytes_per_block, args,
                           p, aligned, bricks * brick_threads);
  }
  Run launch_of(SpaceTuning const* k, Problem const& p, Gpu const& gpu, int, bool aligned) const {
    Effort const effort = aligned && Cuda::aligned_pitch(p) ? Effort::fine : Effort::rough;
    return launch_early_of(compiled<SpaceArgs>(p.value_type, space_table, *k), k->shared_bytes(size_of(p.value_type)),
                           plan_space(p, tuned(*k, p.value_type, gpu.model), gpu.facts.sm_count, aligned, effort).args);
  }
  static Run launch_of(TileTuning const* k, Problem const& p, Gpu const& gpu, int depth, bool aligned) {
    return launch_of(compiled<TileArgs>(p.value_type, tile_table, *k), gpu.facts.shared_bytes_per_block,
                     plan_tiles(p, tuned(*k, p, gpu.model), gpu.model, depth, aligned).args);
  }

  int m_device;
  bool m_aligned_pitch;
  PassPlan m_plan;
  std::unique_ptr<Executable> m_single;
  std::vector<A> m_coefficients;
  Cuda::DeviceBuffer m_counter;      ///< of early tasks that are done
  std::vector<Launches> m_launches;  ///< of the passes
};

/// Passes of one kernel between Views of different strides.
template <class A>
class EndExecutable : public Executable {
 public:
  EndExecutable(Problem const& p, SpaceTuning const& k, Gpu const& gpu, int device, End end, bool ghosts)
      : m_device(device),
        m_depth(k.depth),
        m_kernel(compiled<SpaceArgs>(p.value_type, space_table, k)),
        m_args(plan_end(p, tuned(k, p.value_type, gpu.model), gpu.facts.sm_count, end, ghosts).args) {
    for (double const c : kernel_coefficients(p)) m_coefficients.push_back(static_cast<A>(c));
    Cuda::CurrentDevice const current(m_device);
    Cuda::check(m_kernel.prepare(k.shared_bytes(size_of(p.value_type), true)), "cudaFuncSetAttribute");
  }

  bool takes_any_strides() const override { return true; }
  void sweep(Launch const&, void const*, void*) const override { throw std::logic_error("not a pass"); }
  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t) const override {
    Cuda::CurrentDevice const current(m_device);
    ToolsRegion const region(launch);
    m_kernel.launch(m_coefficients.data(), m_args, in, out, static_cast<cudaStream_t>(launch.stream));
    Cuda::check_launch(launch.label);
    return m_depth;
  }

 private:
  int m_device, m_depth;
  Kernel<SpaceArgs> m_kernel;
  SpaceArgs m_args;
  std::vector<A> m_coefficients;
};

}  // namespace

std::unique_ptr<Executable> make_executable(Problem const& p, PassPlan const& plan, Gpu const& gpu, int device,
                                            void* stream, std::unique_ptr<Executable> single) {
  if (p.value_type == ValueType::float64) {
    return std::make_unique<TemporalExecutable<double>>(p, plan, gpu, device, stream, std::move(single));
  }
  return std::make_unique<TemporalExecutable<float>>(p, plan, gpu, device, stream, std::move(single));
}

Cuda::EndExecutables make_ends(Problem const& p, SpaceTuning const& k, Gpu const& gpu, int device) {
  auto const stores = compiled<SpaceArgs>(p.value_type, space_table, k).stores_ghosts;
  bool const ghosts = stores != nullptr && stores();
  auto const make   = [&](Problem const& q, End end) -> std::unique_ptr<Executable> {
    bool const with = ghosts && end != End::last;
    if (p.value_type != ValueType::float64) {
      return std::make_unique<EndExecutable<float>>(q, k, gpu, device, end, with);
    }
    return std::make_unique<EndExecutable<double>>(q, k, gpu, device, end, with);
  };
  Cuda::EndExecutables ends{k.depth, make(Cuda::from_view(p), End::first), make(Cuda::to_view(p), End::last), nullptr};
  if (ghosts) ends.between = make(Cuda::padded(p), End::between);
  return ends;
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
