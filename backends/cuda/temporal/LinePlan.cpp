// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinePlan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

LineArgs plan_line(Problem const& p, LineTuning const& k, int depth, bool aligned) {
  std::int64_t const vector = vector_bytes / size_of(p.value_type), halo = k.halo(depth, size_of(p.value_type));
  std::int64_t const start = p.begin[2] / vector * vector, interior = k.width() - 2 * halo;
  LineArgs g{};
  g.extent = static_cast<std::int32_t>(p.extent[2]);
  g.begin  = static_cast<std::int32_t>(p.begin[2]);
  g.end    = static_cast<std::int32_t>(p.end[2]);
  g.depth  = depth;
  g.halo   = static_cast<std::int32_t>(halo);
  g.first  = static_cast<std::int32_t>(start - halo);
  // Where the line is not aligned the kernel begins up to a vector earlier.
  g.tasks = static_cast<std::int32_t>(divide_up(p.end[2] - start + (aligned ? 0 : vector - 1), interior));
  for (std::size_t side = 0; side < 2; ++side) g.faces[side] = p.faces[2][side];
  g.wraps = g.faces[0].kind == BoundaryKind::periodic && g.begin == 0 && g.end == g.extent && g.extent % vector == 0 &&
            k.width() <= g.extent;
  return g;
}

double line_seconds(Problem const& p, LineTuning const& k, LineArgs const& g, DeviceModel const& device) {
  std::size_t const type = Model::type_index(p.value_type);
  auto const by_type     = [&](double const(&values)[3], char const* name) {
    return tuned(device, values[type], [&] { return std::string(name) + "/" + Model::type_name(p.value_type); });
  };
  double const speed       = Cuda::multiprocessor_speed(device, p.value_type);
  std::int64_t const warps = schedulers * device.multiprocessors, rounds = divide_up(g.tasks, warps);
  double const rate  = k.rate * speed * device.multiprocessors / Model::reference_device().multiprocessors;
  bool const wrapped = g.wraps && p.in_phase == 0;
  double const sweep =
      wrapped ? k.radius * tuned(device, line_wrapped_sweep_seconds, "cuda_temporal/lines/wrapped_sweep_seconds")
              : by_type(line_sweep_seconds, "cuda_temporal/lines/sweep_seconds");
  double const pass  = wrapped ? tuned(device, line_wrapped_pass_seconds, "cuda_temporal/lines/wrapped_pass_seconds")
                               : by_type(line_pass_seconds, "cuda_temporal/lines/pass_seconds");
  double const alone = sweep * g.depth / speed;
  double const work  = static_cast<double>(rounds * warps) * k.width() * g.depth / rate;
  double const bytes = 2.0 * size_of(p.value_type) * static_cast<double>(p.points());
  double const copy  = bytes / (tuned(device, line_bandwidth, "cuda_temporal/lines/bandwidth") * device.bandwidth);
  double const core =
      p.in_phase == p.out_phase ? work : work * by_type(line_unaligned, "cuda_temporal/lines/unaligned");
  // The three overlap, but now and then one waits for another, so the sum is a little more than the longest.
  return pass + std::cbrt(alone * alone * alone + core * core * core + copy * copy * copy);
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
