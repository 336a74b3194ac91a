// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Check.hpp"
#include "CudaModel.hpp"
#include "Device.hpp"
#include "SpacePlan.hpp"
#include "StripPlan.hpp"

#include <cuda_fp16.h>

#include <KokkosStencil_Backend.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

// Many sweeps on CUDA cores, several levels of time in flight. Single sweeps are left to cuda_direct.

namespace KokkosStencil {

namespace CudaDirect {
std::unique_ptr<Backend const> make_backend();
}

namespace CudaTemporal {

namespace {

/// Of the GPU on which the kernels' rates were measured, an NVIDIA H200.
constexpr double measured_fma_rate_float = 33.5e12, measured_fma_rate_double = 16.7e12;

constexpr std::int64_t largest_extent = std::int64_t(1) << 30;

bool matches(Problem const& p, StripKernel const& k) {
  if (p.rank != 2) return false;
  for (std::size_t a = 1; a < 3; ++a) {
    if (p.lower[a] != -k.radius || p.upper[a] != k.radius) return false;
  }
  auto const side = static_cast<std::size_t>(2 * k.radius + 1);
  if (p.terms.size() != (k.star ? 2 * side - 1 : side * side)) return false;
  return !k.star || std::all_of(p.terms.begin(), p.terms.end(),
                                [](Impl::Term const& t) { return t.offset[1] == 0 || t.offset[2] == 0; });
}

StripKernel const* find_strips(Problem const& p) {
  StripKernel const* k = nullptr;
  switch (p.value_type) {
    case ValueType::float64: k = strip_kernels<double>(); break;
    case ValueType::float32: k = strip_kernels<float>(); break;
    case ValueType::float16: k = strip_kernels<__half>(); break;
    case ValueType::bfloat16: return nullptr;
  }
  for (; k->width != 0; ++k) {
    if (matches(p, *k)) return k;
  }
  return nullptr;
}

/// The deepest kernel of a shape; shallower ones follow it.
SpaceKernel const* find_space(Problem const& p) {
  if (p.rank != 3) return nullptr;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.lower[a] != -1 || p.upper[a] != 1) return nullptr;
  }
  auto const all = [&](auto&& condition) {
    return std::all_of(p.terms.begin(), p.terms.end(), [&](Impl::Term const& t) {
      return condition(t.offset[0] != 0, t.offset[1] != 0, t.offset[2] != 0);
    });
  };
  bool const matches = p.terms.size() == 27 ||
                       (p.terms.size() == 17 && all([](bool z, bool y, bool x) { return !z || (y && x); })) ||
                       (p.terms.size() == 7 && all([](bool z, bool y, bool x) { return z + y + x < 2; }));
  SpaceKernel const* k = p.value_type == ValueType::float64   ? space_kernels<double>()
                         : p.value_type == ValueType::float32 ? space_kernels<float>()
                                                              : nullptr;
  if (!matches || k == nullptr) return nullptr;
  while (k->terms != 0 && k->terms != static_cast<int>(p.terms.size())) ++k;
  return k->terms != 0 ? k : nullptr;
}

/// The next shallower kernel of a shape.
StripKernel const* shallower(StripKernel const* k) {
  StripKernel const* const n = k + 1;
  return n->width != 0 && n->star == k->star && n->radius == k->radius ? n : nullptr;
}
SpaceKernel const* shallower(SpaceKernel const* k) { return k[1].terms == k->terms ? k + 1 : nullptr; }

/// A pass over the field.
struct Pass {
  std::int64_t levels       = 1;  ///< sweeps; 1: a single one, by cuda_direct
  StripKernel const* strips = nullptr;
  SpaceKernel const* space  = nullptr;
};

/// The pipeline for a problem: kernels for strips or for tiles, the deepest first.
struct Pipeline {
  StripKernel const* strips;
  SpaceKernel const* space;

  explicit Pipeline(Problem const& p) : strips(find_strips(p)), space(find_space(p)) {}
  explicit operator bool() const { return strips != nullptr || space != nullptr; }

  /// The pass on which `steps` sweeps begin.
  Pass next(std::int64_t steps) const {
    Pass pass;
    if (steps <= 1) return pass;
    if (strips != nullptr) {
      // A pass takes about the same time whatever its depth: as few as can be, no deeper than they must be.
      auto const passes = [&](StripKernel const* k) { return (steps + k->depth - 1) / k->depth; };
      for (auto const* k = strips; k != nullptr && passes(k) == passes(strips); k = shallower(k)) pass.strips = k;
      pass.levels = std::min<std::int64_t>(steps, pass.strips->depth);
    } else {
      pass.space = space;
      while (pass.space != nullptr && pass.space->depth > steps) pass.space = shallower(pass.space);
      if (pass.space != nullptr) pass.levels = pass.space->depth;
    }
    return pass;
  }

  int shared() const {
    int most = 0;
    for (auto const* k = strips; k != nullptr; k = shallower(k)) most = std::max(most, k->shared);
    for (auto const* k = space; k != nullptr; k = shallower(k)) most = std::max(most, k->shared);
    return most;
  }
  cudaError_t prepare() const {
    cudaError_t error = cudaSuccess;
    for (auto const* k = strips; k != nullptr && error == cudaSuccess; k = shallower(k)) error = k->prepare();
    for (auto const* k = space; k != nullptr && error == cudaSuccess; k = shallower(k)) error = k->prepare();
    return error;
  }
};

/// Whether rows begin at 16-byte pieces if the View does.
bool vector_pitch(Problem const& p) {
  std::int64_t const piece = 16 / size_of(p.value_type);
  return p.in_stride[1] % piece == 0 && (p.extent[0] == 1 || p.in_stride[0] % piece == 0);
}

/// Whether the stencil is its own mirror image along an axis.
bool symmetric(Problem const& p, std::size_t axis) {
  return std::all_of(p.terms.begin(), p.terms.end(), [&](Impl::Term const& t) {
    auto offset  = t.offset;
    offset[axis] = -offset[axis];
    return std::any_of(p.terms.begin(), p.terms.end(),
                       [&](Impl::Term const& u) { return u.offset == offset && u.coefficient == t.coefficient; });
  });
}

template <class A>
class TemporalExecutable : public Executable {
 public:
  TemporalExecutable(Problem const& p, SpaceInfo const& space, std::unique_ptr<Executable> single)
      : m_device(space.device), m_problem(p), m_pipeline(p), m_single(std::move(single)) {
    for (Impl::Term const& t : p.terms) m_coefficients.push_back(static_cast<A>(t.coefficient));
    Cuda::CurrentDevice const current(m_device);
    Cuda::check(m_pipeline.prepare(), "cudaFuncSetAttribute");
    std::int64_t const multiprocessors = Cuda::device_facts(m_device).sm_count;
    for (auto const* k = m_pipeline.space; k != nullptr; k = shallower(k)) {
      SpacePlans plans;
      plans.kernel = k;
      for (int vectors = 0; vectors < 2; ++vectors) {
        bool const usual = vectors == 1 && vector_pitch(p);
        plan_space(p, *k, multiprocessors, vectors == 1, usual ? Effort::fine : Effort::rough, plans.args[vectors]);
      }
      m_space.push_back(plans);
    }
  }

  bool launches_raw() const override { return m_single->launches_raw(); }

  void sweep(Launch const& launch, void const* in, void* out) const override { m_single->sweep(launch, in, out); }

  void* iterate(Launch const& launch, void* a, void* b, std::int64_t steps) const override {
    Cuda::CurrentDevice const current(m_device);
    auto const aligned                 = [](void const* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    bool const vectors                 = aligned(a) && aligned(b) && vector_pitch(m_problem);
    std::int64_t const multiprocessors = Cuda::device_facts(m_device).sm_count;
    auto const stream                  = static_cast<cudaStream_t>(launch.stream);
    StripArgs strips;
    Pass planned;
    while (steps > 0) {
      Pass const pass = m_pipeline.next(steps);
      if (pass.levels == 1) break;
      ToolsRegion const region(launch);
      if (pass.strips != nullptr) {
        if (pass.levels != planned.levels || pass.strips != planned.strips) {
          plan_strips(m_problem, *pass.strips, strip_warps * multiprocessors, static_cast<int>(pass.levels), vectors,
                      strips);
          planned = pass;
        }
        pass.strips->launch(m_coefficients.data(), strips, a, b, stream);
      } else {
        auto const of = std::find_if(m_space.begin(), m_space.end(),
                                     [&](SpacePlans const& plans) { return plans.kernel == pass.space; });
        pass.space->launch(m_coefficients.data(), of->args[vectors ? 1 : 0], a, b, stream);
      }
      Cuda::check_launch(launch.label);
      std::swap(a, b);
      steps -= pass.levels;
    }
    return m_single->iterate(launch, a, b, steps);
  }

 private:
  struct SpacePlans {
    SpaceKernel const* kernel;
    SpaceArgs args[2];  ///< of Views that are aligned to pieces of 16 bytes: 1
  };

  int m_device;
  Problem m_problem;
  Pipeline m_pipeline;
  std::unique_ptr<Executable> m_single;
  std::vector<A> m_coefficients;
  std::vector<SpacePlans> m_space;
};

class TemporalBackend : public Backend {
 public:
  std::string name() const override { return "cuda_temporal"; }

  Verdict can_run(Problem const& p, SpaceInfo const& space) const override {
    Verdict const device = Cuda::supported(space);
    if (!device) return device;
    Pipeline const k(p);
    if (!k) return Verdict::cannot("no pipeline for this shape and value type");
    if (k.shared() > Cuda::device_facts(space.device).shared_bytes_per_block) {
      return Verdict::cannot("the pipeline needs " + std::to_string(k.shared()) + " bytes of shared memory a block");
    }
    if (p.in_stride != p.out_stride) return Verdict::cannot("the strides of the two Views differ");
    if (p.in_stride[2] != 1) return Verdict::cannot("no axis of the Views is contiguous");
    for (std::size_t a = 0; a < 3; ++a) {
      if (p.extent[a] > largest_extent) return Verdict::cannot("an extent is larger than 2^30");
    }
    bool mirrors = false;
    for (std::size_t a = 0; a < 3; ++a) {
      for (Face const& face : p.faces[a]) {
        bool const mirror = face.kind == BoundaryKind::mirror, edge = face.kind == BoundaryKind::edge;
        mirrors = mirrors || mirror || edge;
        if (edge && p.upper[a] > 1) return Verdict::cannot("edge boundaries are fused for radius 1 only");
        if ((mirror || edge) && !symmetric(p, a)) {
          return Verdict::cannot(std::string(to_string(face.kind)) +
                                 " boundaries are fused for symmetric stencils only");
        }
      }
    }
    if (p.accuracy == Accuracy::reproducible && (mirrors || p.value_type == ValueType::float16)) {
      return Verdict::cannot("fused sweeps keep the canonical bits for float and double without mirror and edge only");
    }
    return Verdict::can();
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    double const single = m_direct->predict(p, space) * 1.01;
    if (p.steps <= 1 || p.points() == 0) return single;
    Cuda::DeviceFacts const& facts = Cuda::device_facts(space.device);
    Pipeline const k(p);
    double const speed = p.value_type == ValueType::float64 ? facts.fma_rate_double / measured_fma_rate_double
                                                            : facts.fma_rate_float / measured_fma_rate_float;
    double const lame  = vector_pitch(p) ? 1.0 : 2.0;
    auto const seconds = [&](Pass const& pass) {
      if (pass.strips != nullptr) {
        StripKernel const& s     = *pass.strips;
        std::int64_t const warps = std::int64_t(strip_warps) * facts.sm_count;
        double const row = static_cast<double>(warps) * (s.width - 2 * s.depth * s.radius) * s.depth / (s.rate * speed);
        StripArgs args;
        // Sweeps that a pass does without save some of its time.
        double const share = 0.6 + 0.4 * static_cast<double>(pass.levels) / s.depth;
        return 4e-6 +
               share * lame * row *
                   static_cast<double>(plan_strips(p, s, warps, static_cast<int>(pass.levels), vector_pitch(p), args));
      }
      if (pass.space == nullptr) return single / static_cast<double>(p.steps);
      SpaceArgs args;
      return 4e-6 + plan_space(p, *pass.space, facts.sm_count, vector_pitch(p), Effort::rough, args) / speed;
    };
    double total = 0.0;
    Pass pass;
    double of_pass = 0.0;
    for (std::int64_t steps = p.steps; steps > 0;) {
      Pass const next = k.next(steps);
      if (total == 0.0 || next.levels != pass.levels || next.strips != pass.strips) of_pass = seconds(next);
      pass = next;
      // All passes like this one but the last few, which may be others.
      std::int64_t const some = std::max<std::int64_t>(1, (steps - 64) / pass.levels);
      total += static_cast<double>(some) * of_pass;
      steps -= some * pass.levels;
    }
    return total;
  }

  /// The time of this backend's own plan; what it rests on by the model.
  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    auto ways = CudaModel::temporal(p, Cuda::device_model(space.device));
    ways.resize(1);
    ways.front().seconds = predict(p, space);
    return ways;
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    auto single = m_direct->prepare(p, space, launch);
    if (p.value_type == ValueType::float64) {
      return std::make_unique<TemporalExecutable<double>>(p, space, std::move(single));
    }
    return std::make_unique<TemporalExecutable<float>>(p, space, std::move(single));
  }

 private:
  std::unique_ptr<Backend const> m_direct = CudaDirect::make_backend();
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<TemporalBackend const>(); }

}  // namespace CudaTemporal
}  // namespace KokkosStencil
