// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_Blocks.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace KokkosStencil {
namespace Impl {

std::string text_of(int rank, Extents3 const& n) {
  std::ostringstream text;
  for (int a = 0; a < rank; ++a) text << (a ? " x " : "") << n[static_cast<std::size_t>(a)];
  return text.str();
}

std::array<int, 3> choose_ranks(int rank, Extents3 const& extent, std::array<int, 3> const& fixed, int processes,
                                int slowest) {
  std::array<int, 3> best{{0, 0, 0}};
  double least = std::numeric_limits<double>::max();
  std::array<int, 3> p{};
  int const fastest  = slowest == 0 ? rank - 1 : 0;
  auto const allowed = [&](std::size_t a) {
    return static_cast<int>(a) < rank ? p[a] <= extent[a] && (fixed[a] == 0 || fixed[a] == p[a]) : p[a] == 1;
  };
  for (p[0] = 1; p[0] <= processes; ++p[0]) {
    if (processes % p[0] != 0 || !allowed(0)) continue;
    for (p[1] = 1; p[1] <= processes / p[0]; ++p[1]) {
      if (processes / p[0] % p[1] != 0 || !allowed(1)) continue;
      p[2] = processes / p[0] / p[1];
      if (!allowed(2)) continue;
      double surface = 0.0;
      for (std::size_t a = 0; a < 3; ++a) {
        if (p[a] == 1) continue;
        double area = static_cast<int>(a) == slowest ? 0.5 : static_cast<int>(a) == fastest ? 2.0 : 1.0;
        for (std::size_t b = 0; b < 3; ++b) {
          if (b != a) area *= std::ceil(static_cast<double>(extent[b]) / p[b]);
        }
        surface += area;
      }
      if (surface >= least) continue;
      least = surface;
      best  = p;
    }
  }
  if (best[0] == 0) {
    std::ostringstream text;
    text << "KokkosStencil: " << processes << " processes cannot share " << text_of(rank, extent) << " points";
    if (fixed[0] + fixed[1] + fixed[2] > 0) {
      text << " as ranks";
      for (int a = 0; a < rank; ++a) {
        int const given = fixed[static_cast<std::size_t>(a)];
        text << (a ? " x " : " ") << (given > 0 ? std::to_string(given) : "any");
      }
    }
    text << ": the numbers of ranks along the axes must have the product " << processes
         << ", with a point or more for each. Take other numbers, or a communicator of fewer processes.";
    throw Error(text.str());
  }
  return best;
}

NetworkInfo device_network(std::string const& engine) {
  NetworkInfo n;
  n.latency   = engine == "mpi" ? 6e-5 : engine == "nccl" ? 1.1e-5 : 9e-6;
  n.bandwidth = engine == "mpi" ? 3e9 : engine == "nccl" ? 2.3e11 : 2.9e11;
  return n;
}

int choose_sweeps(Cuts const& cuts, std::array<int, 3> const& reach, NetworkInfo const& network, int value_bytes) {
  // Points of a block, and of one layer on all its cut faces.
  double block = 1.0, layer = 0.0;
  std::int64_t thinnest = std::numeric_limits<std::int64_t>::max();
  std::array<double, 3> n{};
  for (std::size_t a = 0; a < 3; ++a) {
    n[a] = static_cast<double>(cuts.extent[a]) / cuts.ranks[a];
    block *= n[a];
  }
  for (std::size_t a = 0; a < 3; ++a) {
    if (cuts.ranks[a] == 1 || reach[a] == 0) continue;
    layer += 2.0 * reach[a] * block / n[a];
    for (std::size_t k = 0; k + 1 < cuts.begins[a].size(); ++k) {
      thinnest = std::min(thinnest, (cuts.begins[a][k + 1] - cuts.begins[a][k]) / reach[a]);
    }
  }
  if (layer == 0.0) return 1;
  // Kernels that make several sweeps in one pass take about so many at once; odd numbers are whole passes of hosts,
  // which take more of planes.
  constexpr int most = 15;
  int const fused    = cuts.rank == 2 ? 13 : 9;
  int best           = 1;
  double least       = std::numeric_limits<double>::max();
  for (int k = 1; k <= std::min<std::int64_t>(most, thinnest); k += 2) {
    double const sweeps =
        network.point_seconds * (block + 0.5 * (k - 1) * layer) * (1.0 / std::min(k, fused) + 1.0 / fused);
    double const time = sweeps + (network.latency + k * layer * value_bytes / network.bandwidth) / k;
    if (time >= least) continue;
    least = time;
    best  = k;
  }
  return best;
}

}  // namespace Impl
}  // namespace KokkosStencil
