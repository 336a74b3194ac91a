// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/Check.hpp"
#include "common/CudaModel.hpp"
#include "common/Device.hpp"
#include "LinePlan.hpp"
#include "common/Passes.hpp"
#include "SpacePlan.hpp"
#include "StripPlan.hpp"
#include "Temporal.hpp"
#include "temporal/TileCut.hpp"
#include "TilePlan.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <KokkosStencil_Backend.hpp>

#include <algorithm>
#include <array>
#include <map>
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
constexpr double measured_fma_rate_float = 33.5e12, measured_fma_rate_double = 16.7e12, measured_sm_count = 132.0;

bool matches(Problem const& p, LineKernel const& k) {
  return p.rank == 1 && p.lower[2] == -k.radius && p.upper[2] == k.radius &&
         p.terms.size() == static_cast<std::size_t>(2 * k.radius + 1);
}

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

bool matches(Problem const& p, SpaceKernel const& k) {
  if (p.rank != 3 || p.terms.size() != static_cast<std::size_t>(k.terms)) return false;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.lower[a] != -k.radius || p.upper[a] != k.radius) return false;
  }
  auto const all = [&](auto&& condition) {
    return std::all_of(p.terms.begin(), p.terms.end(), [&](Impl::Term const& t) {
      return condition(t.offset[0] != 0, t.offset[1] != 0, t.offset[2] != 0);
    });
  };
  return k.terms == 27 || (k.terms == 17 && all([](bool z, bool y, bool x) { return !z || (y && x); })) ||
         (k.terms == 6 * k.radius + 1 && all([](bool z, bool y, bool x) { return z + y + x < 2; }));
}

bool matches(Problem const& p, TileKernel const& k) {
  CudaModel::Shape const shape = CudaModel::tile_shape(p);
  return shape.rank != 0 && shape.star == k.star && shape.radius == k.radius;
}

/// The kernels for a problem that a block's shared memory has room for, the deepest first.
struct Kernels {
  LineKernel const* line = nullptr;
  std::vector<StripKernel const*> strips;
  std::vector<SpaceKernel const*> space;
  TileKernel const* tiles = nullptr;  ///< where there are no others
  int room                = 0;

  Kernels(Problem const& p, int shared_bytes) : room(shared_bytes) {
    switch (p.value_type) {
      case ValueType::float64: find<double>(p, shared_bytes); break;
      case ValueType::float32: find<float>(p, shared_bytes); break;
      case ValueType::float16: find<__half>(p, shared_bytes); break;
      case ValueType::bfloat16: find_line<__nv_bfloat16>(p); break;
    }
  }

  explicit operator bool() const { return line != nullptr || !strips.empty() || !space.empty() || tiles != nullptr; }

  cudaError_t prepare() const {
    cudaError_t error = cudaSuccess;
    for (auto const* k : strips) error = error == cudaSuccess ? k->prepare() : error;
    for (auto const* k : space) error = error == cudaSuccess ? k->prepare() : error;
    if (tiles != nullptr) error = error == cudaSuccess ? tiles->prepare(room) : error;
    return error;
  }

 private:
  template <class T>
  void find(Problem const& p, int shared_bytes) {
    find_line<T>(p);
    for (auto const* k = strip_kernels<T>(); k->width != 0; ++k) {
      if (matches(p, *k) && CudaModel::extension_refusal(p).empty()) add(strips, k, shared_bytes);
    }
    for (auto const* k = space_kernels<T>(); k->terms != 0; ++k) {
      if (matches(p, *k) && CudaModel::extension_refusal(p).empty()) add(space, k, shared_bytes);
    }
    if (line != nullptr || !strips.empty() || !space.empty()) return;
    for (auto const* k = tile_kernels<T>(); k->radius != 0; ++k) {
      if (matches(p, *k)) tiles = k;
    }
  }

  template <class T>
  void find_line(Problem const& p) {
    for (auto const* k = line_kernels<T>(); k->width != 0; ++k) {
      if (matches(p, *k)) line = k;
    }
  }

  template <class K>
  void add(std::vector<K const*>& list, K const* k, int shared_bytes) {
    if (k->shared <= shared_bytes) list.push_back(k);
  }
};

/// A pass over the field.
struct Pass {
  int levels                = 1;  ///< sweeps; 1: a single one, by cuda_direct or in tiles
  double seconds            = 0.0;
  LineKernel const* line    = nullptr;
  StripKernel const* strips = nullptr;
  SpaceKernel const* space  = nullptr;
  TileKernel const* tiles   = nullptr;
  CudaModel::TileCut cut    = {};  ///< of tiles
};

/// Whether rows begin at 16-byte pieces if the View does.
bool vector_pitch(Problem const& p) {
  std::int64_t const piece = 16 / size_of(p.value_type);
  return p.in_stride[1] % piece == 0 && (p.extent[0] == 1 || p.in_stride[0] % piece == 0);
}

/// The passes there are for a problem on a device, and how a number of sweeps is cut into them.
class Pipeline {
 public:
  /// Single: seconds of a sweep by cuda_direct; cost: what those of single sweeps are multiplied by.
  Pipeline(Problem const& p, Kernels const& kernels, int device, double single, double cost) {
    Pass pass;
    pass.seconds = single;
    m_passes.push_back(pass);
    if (p.points() > 0) add_fused(p, kernels, device);
    for (Pass& one : m_passes) one.seconds *= one.levels == 1 ? cost : 1.0;
    // Of passes of as many levels the fastest.
    std::stable_sort(m_passes.begin(), m_passes.end(), [](Pass const& a, Pass const& b) {
      return a.levels > b.levels || (a.levels == b.levels && a.seconds < b.seconds);
    });
    m_passes.erase(std::unique(m_passes.begin(), m_passes.end(),
                               [](Pass const& a, Pass const& b) { return a.levels == b.levels; }),
                   m_passes.end());
    std::vector<std::pair<int, double>> costs;
    for (Pass const& one : m_passes) costs.emplace_back(one.levels, one.seconds);
    m_cut = CudaModel::Passes(costs);
  }

  /// The pass on which `steps` sweeps begin.
  Pass const& next(std::int64_t steps) const {
    int const levels = m_cut.next(steps);
    return *std::find_if(m_passes.begin(), m_passes.end(), [&](Pass const& p) { return p.levels == levels; });
  }

  std::vector<Pass> const& passes() const { return m_passes; }

 private:
  void add_fused(Problem const& p, Kernels const& kernels, int device) {
    Cuda::DeviceFacts const& facts = Cuda::device_facts(device);
    double const speed        = p.value_type == ValueType::float64 ? facts.fma_rate_double / measured_fma_rate_double
                                                                   : facts.fma_rate_float / measured_fma_rate_float;
    double const speed_of_one = speed * measured_sm_count / facts.sm_count;
    bool const vectors        = vector_pitch(p);
    Pass pass;
    if (kernels.line != nullptr) {
      LineKernel const& k    = *kernels.line;
      double const bandwidth = Cuda::device_model(device).bandwidth;
      pass.line              = &k;
      for (pass.levels = 2; pass.levels <= std::min(most_levels(k), 64); ++pass.levels) {
        LineArgs args;
        plan_line(p, k, pass.levels, vectors, args);
        pass.seconds = line_seconds(p, k, args, facts.sm_count, speed, bandwidth);
        m_passes.push_back(pass);
      }
    }
    std::int64_t const warps = std::int64_t(strip_warps) * facts.sm_count;
    for (StripKernel const* k : kernels.strips) {
      double const row  = static_cast<double>(warps) * (k->width - 2 * k->margin) * k->depth / k->rate;
      double const lame = vectors ? 1.0 : 2.0;
      pass.strips       = k;
      for (pass.levels = 2; pass.levels <= k->depth; ++pass.levels) {
        StripArgs args;
        double const rows = static_cast<double>(plan_strips(p, *k, facts.sm_count, pass.levels, vectors, args));
        // A warp by itself on its scheduler is faster.
        double const load = std::min(1.0, static_cast<double>(args.tasks) / static_cast<double>(warps));
        // Branches between the levels cost a shallow pass something, sweeps that it does without save some of its time.
        double const share = static_cast<double>(pass.levels) / k->depth;
        double const bent  = pass.levels < k->depth ? 1.15 * (0.6 + 0.4 * share) : 1.0;
        pass.seconds       = 4e-6 + bent * lame * row * rows / speed * (1.0 + 2.0 * load) / 3.0;
        m_passes.push_back(pass);
      }
    }
    pass.strips = nullptr;
    for (SpaceKernel const* k : kernels.space) {
      SpaceArgs args;
      pass.space   = k;
      pass.levels  = k->depth;
      pass.seconds = 4e-6 + plan_space(p, *k, facts.sm_count, vectors, Effort::rough, args) / speed_of_one;
      m_passes.push_back(pass);
    }
    if (kernels.tiles == nullptr) return;
    pass.space = nullptr;
    pass.tiles = kernels.tiles;
    // What a user says of the GPU is for predictions; blocks have to fit the one that is there.
    DeviceModel model        = Cuda::device_model(device);
    model.multiprocessors    = facts.sm_count;
    model.compute_capability = facts.compute_capability;
    for (pass.levels = 1; pass.levels <= CudaModel::most_tile_levels(p); ++pass.levels) {
      pass.cut     = CudaModel::cut_tiles(p, pass.levels, model);
      pass.seconds = pass.cut.seconds;
      if (pass.cut.pieces > 0) m_passes.push_back(pass);
    }
  }

  std::vector<Pass> m_passes;  ///< the deepest first
  CudaModel::Passes m_cut{{{1, 0.0}}};
};

template <class A>
class TemporalExecutable : public Executable {
 public:
  TemporalExecutable(Problem const& p, Kernels const& kernels, int device, double single_seconds, double single_cost,
                     std::unique_ptr<Executable> single)
      : m_device(device),
        m_problem(p),
        m_pipeline(p, kernels, device, single_seconds, single_cost),
        m_single(std::move(single)) {
    for (Impl::Term const& t : p.terms) m_coefficients.push_back(static_cast<A>(t.coefficient));
    Cuda::CurrentDevice const current(m_device);
    Cuda::check(kernels.prepare(), "cudaFuncSetAttribute");
    std::int64_t const multiprocessors = Cuda::device_facts(m_device).sm_count;
    for (Pass const& pass : m_pipeline.passes()) {
      for (int vectors = 0; vectors < 2; ++vectors) {
        Plans& plans     = m_plans[static_cast<std::size_t>(vectors)];
        bool const usual = vectors == 1 && vector_pitch(p);
        if (pass.line != nullptr) {
          plan_line(p, *pass.line, pass.levels, vectors == 1, plans.line[pass.levels]);
        } else if (pass.strips != nullptr) {
          plan_strips(p, *pass.strips, multiprocessors, pass.levels, vectors == 1, plans.strips[pass.levels]);
        } else if (pass.tiles != nullptr) {
          plan_tiles(p, pass.cut, pass.levels, vectors == 1, plans.tiles[pass.levels]);
        } else if (pass.space != nullptr) {
          plan_space(p, *pass.space, multiprocessors, vectors == 1, usual ? Effort::fine : Effort::rough,
                     plans.space[pass.levels]);
        }
      }
    }
  }

  bool launches_raw() const override { return m_single->launches_raw(); }

  void sweep(Launch const& launch, void const* in, void* out) const override { pass(launch, in, out, 1); }

  bool sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm, NormReducer& meter) const override {
    return m_single->sweep_with_norm(launch, in, out, norm, meter);
  }

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    Pass const& next = m_pipeline.next(steps);
    if (next.levels == 1 && next.tiles == nullptr) {
      m_single->sweep(launch, in, out);
      return 1;
    }
    Cuda::CurrentDevice const current(m_device);
    auto const aligned = [](void const* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    Plans const& plans = m_plans[aligned(in) && aligned(out) && vector_pitch(m_problem) ? 1 : 0];
    auto const stream  = static_cast<cudaStream_t>(launch.stream);
    ToolsRegion const region(launch);
    if (next.line != nullptr) {
      next.line->launch(m_coefficients.data(), plans.line.at(next.levels), in, out, stream);
    } else if (next.strips != nullptr) {
      next.strips->launch(m_coefficients.data(), plans.strips.at(next.levels), in, out, stream);
    } else if (next.tiles != nullptr) {
      next.tiles->launch(m_coefficients.data(), plans.tiles.at(next.levels), in, out, stream);
    } else {
      next.space->launch(m_coefficients.data(), plans.space.at(next.levels), in, out, stream);
    }
    Cuda::check_launch(launch.label);
    return next.levels;
  }

 private:
  /// By levels.
  struct Plans {
    std::map<int, LineArgs> line;
    std::map<int, StripArgs> strips;
    std::map<int, SpaceArgs> space;
    std::map<int, TileArgs> tiles;
  };

  int m_device;
  Problem m_problem;
  Pipeline m_pipeline;
  std::unique_ptr<Executable> m_single;
  std::vector<A> m_coefficients;
  std::array<Plans, 2> m_plans;  ///< of Views that are aligned to pieces of 16 bytes: 1
};

class TemporalBackend : public Backend {
 public:
  explicit TemporalBackend(double single_cost) : m_single_cost(single_cost) {}

  std::string name() const override { return "cuda_temporal"; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    Status const device = Cuda::supported(space);
    if (!device) return device;
    if (std::string const no = CudaModel::temporal_refusal(p, Cuda::device_model(space.device)); !no.empty()) {
      return Status::cannot(no);
    }
    Kernels const there(p, Cuda::device_facts(space.device).shared_bytes_per_block);
    return there ? Status::can() : Status::cannot("no pipeline that a block's shared memory has room for");
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    return CudaModel::temporal(p, Cuda::device_model(space.device));
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    auto single = m_direct->prepare(p, space, launch);
    Kernels const kernels(p, Cuda::device_facts(space.device).shared_bytes_per_block);
    double const seconds = m_direct->predict(p, space) / static_cast<double>(std::max<std::int64_t>(1, p.steps));
    if (p.value_type == ValueType::float64) {
      return std::make_unique<TemporalExecutable<double>>(p, kernels, space.device, seconds, m_single_cost,
                                                          std::move(single));
    }
    return std::make_unique<TemporalExecutable<float>>(p, kernels, space.device, seconds, m_single_cost,
                                                       std::move(single));
  }

 private:
  double m_single_cost;
  std::unique_ptr<Backend const> m_direct = CudaDirect::make_backend();
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return make_backend(1.0); }
std::unique_ptr<Backend const> make_backend(double single_cost) {
  return std::make_unique<TemporalBackend const>(single_cost);
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
