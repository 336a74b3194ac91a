// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/Executable.hpp"

#include "common/Alignment.hpp"
#include "common/BoundaryKernel.hpp"
#include "common/Check.hpp"
#include "common/Device.hpp"
#include "common/UpdateNorm.hpp"
#include "common/WithType.hpp"
#include "direct/Covering.hpp"
#include "direct/Kernels.hpp"
#include "direct/ListTuning.hpp"
#include "direct/Plan.hpp"
#include "direct/ShapeCut.hpp"
#include "direct/TapTiles.hpp"

#include <transform/RowSchedule.hpp>

#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

/// The coefficients as a kernel made for a shape reads them: those of all terms of the shape, 0 where the stencil lacks
/// one, in the type that accumulates; then, if the kernel is masked, the bits of the terms that are there.
template <class A>
std::vector<unsigned char> coefficient_table(Problem const& p, ShapeTuning const& k) {
  std::vector<A> value(static_cast<std::size_t>(k.terms()));
  std::vector<std::uint32_t> mask(k.masked ? (value.size() + 31) / 32 : 0);
  for (Term const& t : p.terms) {
    auto const i = static_cast<std::size_t>(k.index(t.offset[0], t.offset[1], t.offset[2]));
    value[i]     = static_cast<A>(t.coefficient);
    if (k.masked) mask[i / 32] |= 1u << (i % 32);
  }
  std::vector<unsigned char> table(value.size() * sizeof(A) + mask.size() * sizeof(std::uint32_t));
  std::memcpy(table.data(), value.data(), value.size() * sizeof(A));
  if (!mask.empty()) std::memcpy(table.data() + value.size() * sizeof(A), mask.data(), mask.size() * sizeof(mask[0]));
  return table;
}

template <class T>
class DirectExecutable : public Executable {
  using A = std::conditional_t<std::is_same<T, double>::value, double, float>;

 public:
  DirectExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_inside(interior(p)), m_boundary(p, space, launch) {
    if (m_inside.empty()) m_inside = {p.begin, p.begin};
    Cuda::CurrentDevice const current(m_device);
    SweepPlan const plan = plan_sweep(p, Cuda::device_model(m_device));
    m_one_launch         = plan.algorithm == Algorithm::points;
    if (m_one_launch) {
      make_points(p);
      return;
    }
    if (plan.algorithm == Algorithm::shape) make_shape(p, *plan.kernel);
    make_taps(p, launch);
  }

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    auto const stream = static_cast<cudaStream_t>(launch.stream);
    if (m_one_launch) {
      launch_points(m_points, static_cast<T const*>(in), static_cast<T*>(out), stream);
      Cuda::check_launch(launch.label);
      return;
    }
    PointBox done = m_inside;
    if (auto const l = cut(in, out, Variant::plain)) {
      bool const apart   = l->past_faces && m_kernel->launch_past_faces != nullptr;
      auto* const kernel = l->cut >= 0     ? m_cut_kernels->launch[l->cut]
                           : l->joined     ? m_kernel->launch_joined
                           : l->more       ? m_kernel->launch_more_anywhere
                           : l->anywhere   ? m_kernel->launch_anywhere
                           : l->lanes < 32 ? short_rows(l->lanes, apart)
                           : apart         ? m_kernel->launch_past_faces
                                           : m_kernel->launch;
      kernel(m_table.data(), l->geometry, l->blocks, static_cast<T const*>(in) + l->first_in,
             static_cast<T*>(out) + l->first_out, stream);
      if (l->tail_blocks > 0) {
        auto* const beside = apart ? m_kernel->launch_tail_past_faces : m_kernel->launch_tail;
        beside(m_table.data(), l->tail, l->tail_blocks, static_cast<T const*>(in) + l->first_in,
               static_cast<T*>(out) + l->first_out, stream);
      }
      done = l->done;
    } else if (!m_inside.empty()) {
      if (m_few_terms) {
        TapArgs terms = m_taps;
        terms.count   = m_terms;
        launch_few_terms(terms, *m_few_terms, static_cast<T const*>(in), static_cast<T*>(out), stream);
      } else {
        launch_taps(m_taps, m_rows, static_cast<T const*>(in), static_cast<T*>(out), stream);
      }
    }
    Cuda::check_launch(launch.label);
    m_boundary.run(launch, in, out, done);
  }

  void update(Launch const& launch, void const* in, void* out, Update const& by) const override {
    Cuda::CurrentDevice const current(m_device);
    auto const stream     = static_cast<cudaStream_t>(launch.stream);
    auto const set_factor = [&](auto& args) {
      args.updates = true;
      args.alpha   = by.alpha;
      args.beta    = by.beta;
    };
    if (m_one_launch) {
      PointArgs<A> points = m_points;
      set_factor(points.grid);
      set_factor(points.boundary);
      launch_points(points, static_cast<T const*>(in), static_cast<T*>(out), stream);
      Cuda::check_launch(launch.label);
      return;
    }
    PointBox done = m_inside;
    std::optional<ShapeCut::Launch> l;
    if (m_kernel != nullptr && m_kernel->launch_with_update != nullptr) l = cut(in, out, Variant::update);
    if (l) {
      m_kernel->launch_with_update(m_table.data(), l->geometry, l->blocks, static_cast<T const*>(in) + l->first_in,
                                   static_cast<T*>(out) + l->first_out, by, stream);
      done = l->done;
    } else if (!m_inside.empty()) {
      TapArgs taps = m_taps;
      set_factor(taps);
      launch_taps(taps, m_rows, static_cast<T const*>(in), static_cast<T*>(out), stream);
    }
    Cuda::check_launch(launch.label);
    m_boundary.run(launch, in, out, done, by);
  }

  bool sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm,
                       NormReducer& reducer) const override {
    auto* const update = dynamic_cast<Cuda::UpdateNorm*>(&reducer);
    if (update == nullptr || m_kernel == nullptr || m_kernel->launch_with_norm == nullptr) return false;
    auto const l = cut(in, out, Variant::norm);
    if (!l) return false;
    Cuda::CurrentDevice const current(m_device);
    ToolsRegion const region(launch);
    auto const rest       = m_boundary.arguments(l->done, Cuda::boundary_threads);
    double* const partial = update->parts(std::int64_t(l->blocks) * m_tuning.warps_a_block, rest, in, out);
    m_kernel->launch_with_norm(m_table.data(), l->geometry, l->blocks, static_cast<T const*>(in) + l->first_in,
                               static_cast<T*>(out) + l->first_out, partial, norm == Norm::max,
                               static_cast<cudaStream_t>(launch.stream));
    Cuda::check_launch(launch.label);
    m_boundary.run(launch, in, out, l->done);
    return true;
  }

 private:
  std::optional<ShapeCut::Launch> cut(void const* in, void const* out, Variant variant) const {
    if (m_kernel == nullptr) return std::nullopt;
    return m_cut->launch(reinterpret_cast<std::uintptr_t>(in), reinterpret_cast<std::uintptr_t>(out), variant);
  }

  ShapeLauncher::Launch short_rows(int lanes, bool past_faces) const {
    int const i = lanes == short_row_lanes[0] ? 0 : 1;
    return past_faces ? m_kernel->launch_short_rows_past_faces[i] : m_kernel->launch_short_rows[i];
  }

  void make_shape(Problem const& p, ShapeTuning const& kernel) {
    auto const line               = static_cast<std::size_t>(&kernel - shape_tunings(p.value_type).begin());
    ShapeLauncher const& launcher = shape_launcher<T>(line);
    // Some rings do not fit into the shared memory of smaller GPUs: the list of terms does their work.
    cudaError_t status = launcher.prepare();
    if constexpr (sizeof(T) > 2) {
      m_cut_kernels = &cut_launcher<T>(line);
      if (status == cudaSuccess && m_cut_kernels->prepare != nullptr) status = m_cut_kernels->prepare();
    }
    if (status != cudaSuccess) {
      cudaGetLastError();
      return;
    }
    Cuda::DeviceFacts const& facts = Cuda::device_facts(m_device);
    m_kernel                       = &launcher;
    m_tuning                       = kernel;
    m_table                        = coefficient_table<A>(p, m_tuning);
    m_cut.emplace(on_device(m_tuning, Cuda::device_model(m_device)), p, facts.sm_count, facts.l2_bytes);
  }

  void make_points(Problem const& p) {
    PointGrid& g = m_points.grid;
    for (std::size_t a = 0; a < 3; ++a) {
      g.in_stride[a]  = p.in_stride[a];
      g.out_stride[a] = p.out_stride[a];
      g.begin[a]      = static_cast<std::int32_t>(m_inside.begin[a]);
      g.end[a]        = static_cast<std::int32_t>(m_inside.end[a]);
    }
    for (Term const& t : p.terms) {
      std::int64_t const offset =
          t.offset[0] * p.in_stride[0] + t.offset[1] * p.in_stride[1] + t.offset[2] * p.in_stride[2];
      m_points.terms.coefficient[g.count] = static_cast<A>(t.coefficient);
      m_points.terms.offset[g.count++]    = static_cast<std::int32_t>(offset);
    }
    std::int64_t const nx = g.end[2] - g.begin[2], ny = g.end[1] - g.begin[1], nz = g.end[0] - g.begin[0];
    g.threads_x_log2  = ny < 4 ? 8 : nx <= 32 ? 5 : 6;
    g.tiles_x         = static_cast<std::uint32_t>(divide_up(nx, std::int64_t(1) << g.threads_x_log2));
    g.tiles_y         = static_cast<std::uint32_t>(divide_up(ny, point_threads >> g.threads_x_log2));
    g.tiles           = static_cast<std::uint32_t>(g.tiles_x * g.tiles_y * nz);
    m_points.boundary = m_boundary.arguments(m_inside, point_threads);
  }

  void make_taps(Problem const& p, Launch const& launch) {
    if (m_inside.empty()) return;
    for (std::size_t a = 0; a < 3; ++a) {
      // Row schedules hold no offsets as far as this: BoundaryKernel computes all points.
      if (p.lower[a] < -16000 || p.upper[a] > 16000) {
        m_inside = {p.begin, p.begin};
        return;
      }
      m_taps.in_stride[a]  = p.in_stride[a];
      m_taps.out_stride[a] = p.out_stride[a];
      m_taps.begin[a]      = m_inside.begin[a];
      m_taps.end[a]        = m_inside.end[a];
    }
    TapTiles const tiles = tap_tiles(p, m_inside, Cuda::device_model(m_device));
    m_rows               = tiles.rows;

    Transform::RowSchedule const schedule = Transform::make_row_schedule(p.terms, m_rows);
    std::vector<Tap<A>> list;
    for (Transform::Segment const& s : schedule.segments) {
      Transform::Row const& row = schedule.rows[static_cast<std::size_t>(s.row)];
      for (int i = 0; i < s.length; ++i) {
        Tap<A> tap{};
        tap.offset = (row.dz * p.in_stride[0] + row.dy * p.in_stride[1] + (s.first + i) * p.in_stride[2]) *
                     size_of(p.value_type);
        tap.mask = s.mask;
        for (int j = 0; j < m_rows; ++j) {
          if (s.mask >> j & 1u) {
            tap.coefficient[j] = static_cast<A>(p.terms[static_cast<std::size_t>(s.coefficient[j] + i)].coefficient);
          }
        }
        list.push_back(tap);
      }
    }
    m_taps.count = static_cast<std::int32_t>(list.size());
    if (tiles.in_arguments) {
      m_few_terms.emplace();
      for (Term const& t : p.terms) {
        m_few_terms->offset[m_terms] =
            (t.offset[0] * p.in_stride[0] + t.offset[1] * p.in_stride[1] + t.offset[2]) * size_of(p.value_type);
        m_few_terms->coefficient[m_terms++] = static_cast<A>(t.coefficient);
      }
    }
    list.emplace_back();
    m_tap_buffer.fill(m_device, list.data(), list.size() * sizeof(Tap<A>), launch.stream);
    m_taps.taps           = m_tap_buffer.data();
    m_taps.threads_x_log2 = tiles.threads_x_log2;
    m_taps.columns        = tiles.columns;
    m_taps.tiles_x        = static_cast<std::uint32_t>(tiles.across_x);
    m_taps.tiles_y        = static_cast<std::uint32_t>(tiles.across_y);
    m_taps.tiles          = static_cast<std::uint32_t>(tiles.count);
  }

  int m_device;
  PointBox m_inside;
  Cuda::BoundaryKernel m_boundary;

  ShapeLauncher const* m_kernel    = nullptr;
  CutLauncher const* m_cut_kernels = nullptr;
  ShapeTuning m_tuning;
  std::vector<unsigned char> m_table;
  std::optional<ShapeCut> m_cut;

  Cuda::DeviceBuffer m_tap_buffer;
  TapArgs m_taps{};
  int m_rows = 1;
  std::optional<FewTerms<A>> m_few_terms;
  std::int32_t m_terms = 0;

  bool m_one_launch = false;
  PointArgs<A> m_points{};
};

}  // namespace

std::unique_ptr<Executable> make_executable(Problem const& p, SpaceInfo const& space, Launch const& launch) {
  return Cuda::with_type(p.value_type, [&](auto value) -> std::unique_ptr<Executable> {
    return std::make_unique<DirectExecutable<decltype(value)>>(p, space, launch);
  });
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
