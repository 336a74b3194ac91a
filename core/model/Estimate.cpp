// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/Estimate.hpp>

#include <algorithm>
#include <cmath>

namespace KokkosStencil {
namespace Model {

double wave_redundancy(double tiles, double resident) {
  if (tiles <= 0.0 || resident <= 0.0) return 1.0;
  return std::ceil(tiles / resident) * resident / tiles;
}

double halo_redundancy(std::array<double, 3> const& tile, std::array<double, 3> const& halo) {
  double factor = 1.0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (tile[a] > 0.0) factor *= (tile[a] + 2.0 * halo[a]) / tile[a];
  }
  return factor;
}

double overlap_redundancy(std::array<double, 3> const& tile, std::array<double, 3> const& radius, int depth) {
  double sum = 0.0;
  for (int k = 1; k <= depth; ++k) {
    std::array<double, 3> halo = radius;
    for (double& h : halo) h *= depth - k;
    sum += halo_redundancy(tile, halo);
  }
  return sum / depth;
}

double bandwidth(DeviceModel const& device, double bytes) {
  // Data beyond half of the cache begins to be evicted before it is used again.
  auto const cache    = static_cast<double>(device.l2_bytes);
  double const cached = cache > 0.0 ? std::clamp(2.0 - 2.0 * bytes / cache, 0.0, 1.0) : 0.0;
  return 1.0 / ((1.0 - cached) / device.bandwidth + cached / std::max(device.l2_bandwidth, device.bandwidth));
}

Estimate estimate(Kernel const& kernel, DeviceModel const& device, double points, int value_bytes, std::int64_t steps) {
  Roofline const roof{device.rate(kernel.unit, kernel.operand), bandwidth(device, 2.0 * points * value_bytes)};
  return estimate(kernel, roof, device.launch_seconds, points, steps);
}

Estimate estimate(Kernel const& kernel, Roofline const& roof, double launch_seconds, double points,
                  std::int64_t steps) {
  Estimate e;
  e.depth      = kernel.depth;
  e.operations = kernel.work.operations;
  e.bytes      = kernel.work.bytes;
  e.fraction   = kernel.fraction;
  e.unit       = kernel.unit;
  // A pass over the rest of the steps moves as much as the others.
  auto const pass = [&](double sweeps, double times) {
    double const memory     = points * kernel.work.bytes / roof.bandwidth;
    double const arithmetic = points * kernel.work.operations * sweeps / kernel.depth / roof.rate;
    double const fixed      = launch_seconds + kernel.extra_seconds;
    double const busy       = std::max(memory, arithmetic) * kernel.redundancy / kernel.fraction;
    double const all        = fixed + busy;
    bool const launches     = fixed > busy || kernel.least_seconds > all;
    e.bottleneck = launches ? Bottleneck::launch : memory >= arithmetic ? Bottleneck::memory : Bottleneck::arithmetic;
    // Where host and device take alike, each waits for the other now and then.
    constexpr double waits = 0.05;
    double const host      = kernel.least_seconds;
    e.device_seconds += times * all;
    e.seconds += times * (std::max(all, host) + waits * std::min(all, host));
  };
  auto const passes       = static_cast<double>(steps / kernel.depth + (steps % kernel.depth > 0 ? 1 : 0));
  e.host_seconds          = passes * kernel.least_seconds;
  std::int64_t const rest = steps % kernel.depth;
  if (rest > 0) pass(static_cast<double>(rest), 1.0);
  if (steps >= kernel.depth) pass(kernel.depth, static_cast<double>(steps / kernel.depth));
  return e;
}

}  // namespace Model
}  // namespace KokkosStencil
