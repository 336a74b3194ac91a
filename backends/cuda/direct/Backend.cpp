// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/UpdateNorm.hpp"
#include "common/Check.hpp"
#include "common/CudaModel.hpp"
#include "common/Device.hpp"
#include "common/BoundaryKernel.hpp"
#include "Kernels.hpp"
#include "common/WithType.hpp"

#include <KokkosStencil_Backend.hpp>
#include <transform/RowSchedule.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

// One sweep on CUDA cores: a kernel made for the shape where there is one and the Views allow 16-byte loads, else
// a list of taps; then the points near faces and in columns that the vectors leave. Small grids: a point a thread, all
// in one launch.

namespace KokkosStencil {
namespace CudaDirect {

namespace {

constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::size_t term_count(ShapeKernel const& k) {
  auto const wide = [](int r) { return 2 * static_cast<std::size_t>(r) + 1; };
  return k.star ? wide(k.rz) + wide(k.ry) + wide(k.rx) - 2 : wide(k.rz) * wide(k.ry) * wide(k.rx);
}

/// Whether the terms are all of the shape's and no others.
bool is_line(Problem const& p) { return p.extent[0] == 1 && p.extent[1] == 1; }

bool matches(Problem const& p, ShapeKernel const& k) {
  std::array<int, 3> const r{{k.rz, k.ry, k.rx}};
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.lower[a] != -r[a] || p.upper[a] != r[a]) return false;
  }
  if (p.terms.size() != term_count(k)) return false;
  return !k.star || std::all_of(p.terms.begin(), p.terms.end(), [](Impl::Term const& t) {
    return (t.offset[0] != 0) + (t.offset[1] != 0) + (t.offset[2] != 0) <= 1;
  });
}

bool is_for(ShapeKernel const& k, CudaModel::Shape const& s) {
  return s.star == k.star && s.radius == k.rx && (s.rank > 1 ? s.radius : 0) == k.ry &&
         (s.rank > 2 ? s.radius : 0) == k.rz;
}

/// What the kernel takes: the coefficients of all its terms in accumulators, then the mask.
template <class A>
std::vector<unsigned char> coefficient_table(Problem const& p, ShapeKernel const& k) {
  std::vector<A> value(term_count(k));
  std::vector<std::uint32_t> mask(k.masked ? (value.size() + 31) / 32 : 0);
  for (Impl::Term const& t : p.terms) {
    auto const i = static_cast<std::size_t>(k.index(t.offset[0], t.offset[1], t.offset[2]));
    value[i]     = static_cast<A>(t.coefficient);
    if (k.masked) mask[i / 32] |= 1u << (i % 32);
  }
  std::vector<unsigned char> table(value.size() * sizeof(A) + mask.size() * sizeof(std::uint32_t));
  std::memcpy(table.data(), value.data(), value.size() * sizeof(A));
  if (!mask.empty()) std::memcpy(table.data() + value.size() * sizeof(A), mask.data(), mask.size() * sizeof(mask[0]));
  return table;
}

/// Whether a point's inputs are within 32 bits of it, and all in few enough terms.
bool points_fit(Problem const& p) {
  if (p.terms.size() > most_point_terms) return false;
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  double reach          = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > std::int64_t(1) << 30) return false;
    reach += static_cast<double>(std::max(-p.lower[a], p.upper[a])) * std::abs(static_cast<double>(p.in_stride[a]));
  }
  return reach < most;
}

/// The points whose whole neighbourhood of the kernel's reach lies inside the View, along x as far as rx.
PointBox within_reach(Problem const& p, ShapeKernel const& k, int rx) {
  PointBox box = interior(p, {{-k.rz, -k.ry, -rx}}, {{k.rz, k.ry, rx}});
  if (box.empty()) box = {p.begin, p.begin};
  return box;
}

/// The kernel to run instead of the best one, by the environment; empty: none. "taps", "points", "shape" or a
/// textbook's.
std::string const& wanted_rung() {
  static std::string const name = [] {
    char const* const value = std::getenv("KOKKOSSTENCIL_CUDA_DIRECT");
    return std::string(value != nullptr ? value : "");
  }();
  return name;
}

bool wants_a_way() { return wanted_rung() == "taps" || wanted_rung() == "points" || wanted_rung() == "shape"; }

/// Why there can be no such kernel, whatever the problem; empty if there may be one.
std::string const& unknown_rung() {
  static std::string const text = [] {
    std::string names = "shape, taps, points", last;
    bool known        = wanted_rung().empty() || wants_a_way();
    for (Rung const* r = rungs(); r->name != nullptr; ++r) {
      known = known || wanted_rung() == r->name;
      if (last != r->name) names += std::string(", ") + r->name;
      last = r->name;
    }
    return known ? ""
                 : "\"" + wanted_rung() + "\" (KOKKOSSTENCIL_CUDA_DIRECT) is no kernel of cuda_direct; there are " +
                       names;
  }();
  return text;
}

/// The kernel made for the problem's shape, if there is one and its strides allow it.
ShapeKernel const* find_kernel(Problem const& p) {
  if (!wanted_rung().empty() && !wants_a_way()) {
    if (p.value_type != ValueType::float32 || p.in_stride[2] != 1 || p.out_stride[2] != 1) return nullptr;
    for (Rung const* r = rungs(); r->name != nullptr; ++r) {
      if (wanted_rung() == r->name && matches(p, r->kernel)) return &r->kernel;
    }
    return nullptr;
  }
  return Cuda::with_type(p.value_type, [&](auto value) -> ShapeKernel const* {
    constexpr std::int64_t v = 16 / sizeof(value);
    if (p.in_stride[2] != 1 || p.out_stride[2] != 1) return nullptr;
    for (std::size_t a = 0; a < 2; ++a) {
      if (p.extent[a] > 1 && p.in_stride[a] % v != 0) return nullptr;
    }
    ShapeKernel const* const all = shape_kernels<decltype(value)>();
    for (ShapeKernel const* k = all; k->width != 0; ++k) {
      if (!k->masked && (is_line(p) || !k->alone) && matches(p, *k)) return k;
    }
    CudaModel::Shape const enclosing = CudaModel::enclosing_shape(p);
    if (enclosing.rank == 0) return nullptr;
    for (ShapeKernel const* k = all; k->width != 0; ++k) {
      if (k->masked && (is_line(p) || !k->alone) && is_for(*k, enclosing)) return k;
    }
    return nullptr;
  });
}

template <class T>
class DirectExecutable : public Executable {
  using A                         = std::conditional_t<std::is_same<T, double>::value, double, float>;
  static constexpr std::int64_t V = 16 / sizeof(T);

 public:
  DirectExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device),
        m_problem(p),
        m_inside(interior(p)),
        m_multiprocessors(Cuda::device_facts(space.device).sm_count),
        m_band_bytes(Cuda::device_facts(space.device).l2_bytes / 24),
        m_strips(p, space, launch) {
    if (m_inside.empty()) m_inside = {p.begin, p.begin};
    Cuda::CurrentDevice const current(m_device);
    CudaModel::Way const way = CudaModel::direct_way(p, Cuda::device_model(space.device));
    bool const rung          = !wanted_rung().empty() && !wants_a_way();
    m_one_launch             = !rung && way == CudaModel::Way::points && points_fit(p);
    if (m_one_launch) {
      make_points();
      return;
    }
    if (rung || way == CudaModel::Way::shape) m_kernel = find_kernel(p);
    // GPUs with little shared memory lack room for some rings of planes.
    if (m_kernel != nullptr && m_kernel->prepare() != cudaSuccess) {
      cudaGetLastError();
      m_kernel = nullptr;
    }
    if (m_kernel != nullptr) {
      m_table  = coefficient_table<A>(p, *m_kernel);
      m_fitted = within_reach(p, *m_kernel, m_kernel->rx);
      m_across = rung ? m_fitted : within_reach(p, *m_kernel, 0);
    }
    make_taps(space, launch);
  }

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    if (m_one_launch) {
      launch_points(m_points, static_cast<T const*>(in), static_cast<T*>(out),
                    static_cast<cudaStream_t>(launch.stream));
      Cuda::check_launch(launch.label);
      return;
    }
    PointBox done = m_inside;
    if (!m_inside.empty() && !shape(launch, in, out, done)) taps(launch, in, out);
    m_strips.run(launch, in, out, done);
  }

  bool sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm, NormReducer& meter) const override {
    auto* const change = dynamic_cast<Cuda::UpdateNorm*>(&meter);
    if (change == nullptr || m_kernel == nullptr || m_kernel->launch_measured == nullptr) return false;
    Cuda::CurrentDevice const current(m_device);
    ToolsRegion const region(launch);
    PointBox done;
    if (!shape(launch, in, out, done, change, norm)) return false;
    m_strips.run(launch, in, out, done);
    return true;
  }

 private:
  /// Launches the shape's kernel, the one that measures where there is something to measure for, and sets what it
  /// covers; false if it cannot run on these Views.
  bool shape(Launch const& launch, void const* in, void* out, PointBox& done, Cuda::UpdateNorm* change = nullptr,
             Norm norm = Norm::max) const {
    if (m_kernel == nullptr || m_fitted.empty()) return false;
    ShapeKernel const& k   = *m_kernel;
    auto const address     = reinterpret_cast<std::uintptr_t>(in);
    auto const address_out = reinterpret_cast<std::uintptr_t>(out);
    if (address % sizeof(T) != 0 || address_out % sizeof(T) != 0) return false;
    // Whole vectors of a row: [low, high).
    auto const element       = static_cast<std::int64_t>(address / sizeof(T));
    std::int64_t const width = m_problem.extent[2];
    Geometry g{};
    g.low  = (V - element % V) % V;
    g.high = g.low + (width - g.low) / V * V;
    if (g.high <= g.low) return false;
    constexpr std::int64_t line = 128 / sizeof(T);  // of a cache
    // Outputs that need no part of a broken vector.
    // Whole rows of vectors on a torus: across x the kernel reads the other side.
    bool const folded =
        k.ry == 0 && k.rz == 0 && m_fitted.end[0] - m_fitted.begin[0] == 1 && m_fitted.end[1] - m_fitted.begin[1] == 1;
    bool const torus = !folded && m_problem.faces[2][0].kind == BoundaryKind::periodic && g.low == 0 && g.high == width;
    g.wrap           = torus ? width : 0;
    PointBox box     = torus ? m_across : m_fitted;
    if (g.low > 0) box.begin[2] = std::max(box.begin[2], g.low + k.rx);
    if (g.high < width) box.end[2] = std::min(box.end[2], g.high - k.rx);
    if (box.empty()) return false;
    g.aligned_out = (static_cast<std::int64_t>(address_out / sizeof(T)) - element) % V == 0;
    for (std::size_t a = 0; a < 2; ++a) {
      g.in_stride[a]  = m_problem.in_stride[a];
      g.out_stride[a] = m_problem.out_stride[a];
      if (m_problem.extent[a] > 1 && g.out_stride[a] % V != 0) g.aligned_out = false;
    }
    T const* from = static_cast<T const*>(in);
    T* to         = static_cast<T*>(out);
    if (folded) {
      // A single row is folded into rows of one tile's width; their neighbours follow in memory.
      std::int64_t const side = ceil_div(k.rx, V) * V;
      std::int64_t first      = std::max(box.begin[2], g.low + side);
      first += (line - (element + first) % line) % line;
      std::int64_t const rows = (std::min(box.end[2], g.high - side) - first) / k.width;
      if (rows < k.least_rows) return false;
      from += box.begin[0] * g.in_stride[0] + box.begin[1] * g.in_stride[1] + first;
      to += box.begin[0] * g.out_stride[0] + box.begin[1] * g.out_stride[1] + first;
      box.begin[2]   = first;
      box.end[2]     = first + rows * k.width;
      g.in_stride[1] = g.out_stride[1] = k.width;
      g.low                            = -side;
      g.high                           = k.width + side;
      g.end[0]                         = 1;
      g.end[1]                         = rows;
      g.end[2]                         = k.width;
    } else {
      g.first_vector = box.begin[2] - (element + box.begin[2]) % line;
      for (std::size_t a = 0; a < 3; ++a) {
        g.begin[a] = box.begin[a];
        g.end[a]   = box.end[a];
      }
      g.last_row = m_problem.extent[1] - 1;
    }
    std::int64_t const rows = g.end[1] - g.begin[1], planes = g.end[0] - g.begin[0];
    if (rows < k.least_rows || planes < k.least_planes) return false;
    std::int64_t const tiles_x = ceil_div(g.end[2] - g.first_vector, k.width);
    int const depth            = change != nullptr && k.measured_depth > 0 ? k.measured_depth : k.depth;
    std::int64_t tiles_y = ceil_div(rows, k.height), tiles_z = ceil_div(planes, depth);
    if (k.march == March::rows) tiles_y = pieces(k, rows, tiles_x * tiles_z, g);
    if (k.march == March::planes) tiles_z = pieces(k, planes, tiles_x * tiles_y, g);
    if (tiles_x > most_blocks / tiles_y || tiles_x * tiles_y > most_blocks / tiles_z) return false;
    g.tiles_x = static_cast<std::int32_t>(tiles_x);
    g.tiles_y = static_cast<std::int32_t>(tiles_y);
    g.tiles_z = static_cast<std::int32_t>(tiles_z);
    if (k.march == March::none && k.rz > 0) {
      // Planes that are read again soon should still be in the second cache then.
      std::int64_t const a_row = m_problem.in_stride[1] * std::int64_t(sizeof(T)) * k.height;
      std::int64_t const band  = std::max<std::int64_t>(1, m_band_bytes / std::max<std::int64_t>(1, std::abs(a_row)));
      g.band                   = band < tiles_y ? static_cast<std::int32_t>(band) : 0;
    }
    auto const blocks = static_cast<std::uint32_t>(tiles_x * tiles_y * tiles_z);
    auto const stream = static_cast<cudaStream_t>(launch.stream);
    done              = box;
    if (change != nullptr) {
      auto const rest     = m_strips.arguments(done, Cuda::boundary_threads);
      double* const parts = change->parts(std::int64_t(blocks) * k.warps, rest, in, out);
      k.launch_measured(m_table.data(), g, blocks, from, to, parts, norm == Norm::max, stream);
    } else {
      k.launch(m_table.data(), g, blocks, from, to, stream);
    }
    Cuda::check_launch(launch.label);
    return true;
  }

  /// Into how many pieces a march over `count` points is cut, beside `others` blocks; sets their length.
  std::int64_t pieces(ShapeKernel const& k, std::int64_t count, std::int64_t others, Geometry& g) const {
    std::int64_t const slots = std::int64_t(m_multiprocessors) * k.blocks;
    // Small problems: enough blocks for the whole GPU, but none much shorter than its overlap.
    std::int64_t const least = std::max(4, k.march == March::rows ? k.ry : k.rz);
    std::int64_t length      = k.length > 0 ? k.length : ceil_div(count, std::max<std::int64_t>(1, slots / others));
    length  = std::min(length, std::max(least, ceil_div(count, std::max<std::int64_t>(1, slots / others))));
    g.march = static_cast<std::int32_t>(ceil_div(count, ceil_div(count, length)));
    return ceil_div(count, g.march);
  }

  void taps(Launch const& launch, void const* in, void* out) const {
    launch_taps(m_taps, m_rows, static_cast<T const*>(in), static_cast<T*>(out),
                static_cast<cudaStream_t>(launch.stream));
    Cuda::check_launch(launch.label);
  }

  void make_points() {
    Problem const& p = m_problem;
    PointGrid& g     = m_points.grid;
    for (std::size_t a = 0; a < 3; ++a) {
      g.in_stride[a]  = p.in_stride[a];
      g.out_stride[a] = p.out_stride[a];
      g.begin[a]      = static_cast<std::int32_t>(m_inside.begin[a]);
      g.end[a]        = static_cast<std::int32_t>(m_inside.end[a]);
    }
    for (Impl::Term const& t : p.terms) {
      std::int64_t const offset =
          t.offset[0] * p.in_stride[0] + t.offset[1] * p.in_stride[1] + t.offset[2] * p.in_stride[2];
      m_points.terms.coefficient[g.count] = static_cast<A>(t.coefficient);
      m_points.terms.offset[g.count++]    = static_cast<std::int32_t>(offset);
    }
    std::int64_t const nx = g.end[2] - g.begin[2], ny = g.end[1] - g.begin[1], nz = g.end[0] - g.begin[0];
    g.threads_x_log2 = ny < 4 ? 8 : nx <= 32 ? 5 : 6;
    g.tiles_x        = static_cast<std::uint32_t>(ceil_div(nx, std::int64_t(1) << g.threads_x_log2));
    g.tiles_y        = static_cast<std::uint32_t>(ceil_div(ny, point_threads >> g.threads_x_log2));
    g.tiles          = static_cast<std::uint32_t>(g.tiles_x * g.tiles_y * nz);
    m_points.strips  = m_strips.arguments(m_inside, point_threads);
  }

  void make_taps(SpaceInfo const& space, Launch const& launch) {
    if (m_inside.empty()) return;
    Problem const& p = m_problem;
    for (std::size_t a = 0; a < 3; ++a) {
      // Farther than a schedule can say: the plain formula everywhere.
      if (p.lower[a] < -16000 || p.upper[a] > 16000) {
        m_inside = {p.begin, p.begin};
        return;
      }
      m_taps.in_stride[a]  = p.in_stride[a];
      m_taps.out_stride[a] = p.out_stride[a];
      m_taps.begin[a]      = m_inside.begin[a];
      m_taps.end[a]        = m_inside.end[a];
    }
    std::int64_t const nx = m_taps.end[2] - m_taps.begin[2], ny = m_taps.end[1] - m_taps.begin[1],
                       nz = m_taps.end[0] - m_taps.begin[0];
    m_rows                = ny >= tap_rows && m_inside.size() >= (std::int64_t(1) << 20) ? tap_rows : 1;

    Transform::RowSchedule const schedule = Transform::make_row_schedule(p.terms, m_rows);
    std::vector<Tap<A>> list;
    for (Transform::Segment const& s : schedule.segments) {
      Transform::Row const& row = schedule.rows[static_cast<std::size_t>(s.row)];
      for (int i = 0; i < s.length; ++i) {
        Tap<A> tap{};
        tap.offset = row.dz * p.in_stride[0] + row.dy * p.in_stride[1] + (s.first + i) * p.in_stride[2];
        tap.mask   = s.mask;
        for (int j = 0; j < m_rows; ++j) {
          if (s.mask >> j & 1u) {
            tap.coefficient[j] = static_cast<A>(p.terms[static_cast<std::size_t>(s.coefficient[j] + i)].coefficient);
          }
        }
        list.push_back(tap);
      }
    }
    m_tap_buffer.fill(space.device, list.data(), list.size() * sizeof(Tap<A>), launch.stream);
    m_taps.taps  = m_tap_buffer.data();
    m_taps.count = static_cast<std::int32_t>(list.size());
    // The last columns are moved back inside where a tile fits into a row: the widest of those tiles that do, unless
    // narrower ones cover the row with fewer columns.
    m_taps.threads_x_log2 = ny < 4 ? 8 : 5;
    std::int64_t least    = std::numeric_limits<std::int64_t>::max();
    for (int log2 = 6; ny >= 4 && log2 >= 3; --log2) {
      std::int64_t const width = tap_columns << log2, covered = ceil_div(nx, width) * width;
      if (width > nx || covered + nx / 32 >= least) continue;
      least                 = covered;
      m_taps.threads_x_log2 = log2;
    }
    std::int64_t const wide  = static_cast<std::int64_t>(tap_columns) << m_taps.threads_x_log2;
    std::int64_t const high  = static_cast<std::int64_t>(tap_threads >> m_taps.threads_x_log2) * m_rows;
    std::int64_t const tiles = ceil_div(nx, wide) * ceil_div(ny, high) * nz;
    m_taps.tiles_x           = static_cast<std::uint32_t>(ceil_div(nx, wide));
    m_taps.tiles_y           = static_cast<std::uint32_t>(ceil_div(ny, high));
    m_taps.tiles             = static_cast<std::uint32_t>(tiles);
  }

  int m_device;
  Problem m_problem;
  PointBox m_inside;
  ShapeKernel const* m_kernel = nullptr;
  int m_multiprocessors;
  std::int64_t m_band_bytes;
  std::vector<unsigned char> m_table;  ///< what the shape's kernel takes
  PointBox m_fitted{};                 ///< what it can do
  PointBox m_across{};                 ///< and if it reads across periodic faces along x
  Cuda::BoundaryKernel m_strips;
  Cuda::DeviceBuffer m_tap_buffer;
  TapArgs m_taps{};
  int m_rows        = 1;
  bool m_one_launch = false;
  PointArgs<A> m_points{};
};

class DirectBackend : public Backend {
 public:
  std::string name() const override { return "cuda_direct"; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    if (!unknown_rung().empty()) return Status::cannot(unknown_rung());
    if (!wanted_rung().empty() && !wants_a_way() && p.points() > 0 && find_kernel(p) == nullptr) {
      return Status::cannot("KOKKOSSTENCIL_CUDA_DIRECT=" + wanted_rung() + " has no kernel for this stencil");
    }
    return Cuda::supported(space);
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    return CudaModel::direct(p, Cuda::device_model(space.device));
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return Cuda::with_type(p.value_type, [&](auto value) -> std::unique_ptr<Executable> {
      return std::make_unique<DirectExecutable<decltype(value)>>(p, space, launch);
    });
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<DirectBackend const>(); }

}  // namespace CudaDirect
}  // namespace KokkosStencil
