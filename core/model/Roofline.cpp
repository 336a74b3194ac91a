// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/Roofline.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace KokkosStencil {
namespace Model {

double Roofline::attainable(double intensity) const { return std::min(rate, bandwidth * intensity); }

double Roofline::seconds(Work const& work) const { return std::max(work.operations / rate, work.bytes / bandwidth); }

double box_points(int rank, int radius) { return std::pow(2 * radius + 1, rank); }

double star_points(int rank, int radius) { return 2 * rank * radius + 1; }

double fused_points(std::vector<Term> const& terms, int depth) {
  using Offset = std::array<int, 3>;
  std::set<Offset> support{{{0, 0, 0}}};
  for (int step = 0; step < depth; ++step) {
    std::set<Offset> next;
    for (Offset const& at : support) {
      for (Term const& t : terms) {
        next.insert({{at[0] + t.offset[0], at[1] + t.offset[1], at[2] + t.offset[2]}});
      }
    }
    support = std::move(next);
  }
  return static_cast<double>(support.size());
}

double redundancy(double fused_points, double points, int depth) { return fused_points / (depth * points); }

double box_redundancy(int rank, int radius, int depth) {
  return redundancy(box_points(rank, radius * depth), box_points(rank, radius), depth);
}

Work one_sweep(double points, int value_bytes) { return time_blocked(points, value_bytes, 1); }

Work with_update(Work work, int value_bytes) {
  work.operations += 3.0;
  work.bytes += value_bytes;
  return work;
}

Work time_blocked(double points, int value_bytes, int depth) { return {depth * 2.0 * points, 2.0 * value_bytes}; }

Work kernel_fused(double points, int value_bytes, int depth, double alpha, double sparsity) {
  Work work = time_blocked(points, value_bytes, depth);
  work.operations *= alpha / sparsity;
  return work;
}

double useful_rate(Roofline const& unit, Work const& work, double alpha, double sparsity) {
  return sparsity / alpha * unit.attainable(work.intensity());
}

double sweep_rate(Roofline const& unit, Work const& work, int depth) { return depth / unit.seconds(work); }

Scenario scenario(Roofline const& cores, Work const& on_cores, Roofline const& tensor, Work const& on_tensor) {
  if (cores.memory_bound(on_cores)) {
    return tensor.memory_bound(on_tensor) ? Scenario::memory_memory : Scenario::memory_compute;
  }
  return tensor.memory_bound(on_tensor) ? Scenario::compute_memory : Scenario::compute_compute;
}

double speedup(Roofline const& cores, Work const& on_cores, Roofline const& tensor, Work const& on_tensor) {
  return cores.seconds(on_cores) / tensor.seconds(on_tensor);
}

bool in_sweet_spot(Roofline const& cores, Work const& on_cores, Roofline const& tensor, Work const& on_tensor,
                   double alpha, double sparsity) {
  switch (scenario(cores, on_cores, tensor, on_tensor)) {
    case Scenario::compute_memory: return true;
    case Scenario::compute_compute: return alpha < sparsity * tensor.rate / cores.rate;
    default: return false;
  }
}

}  // namespace Model
}  // namespace KokkosStencil
