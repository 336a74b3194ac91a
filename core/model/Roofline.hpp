// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Terms.hpp>

#include <vector>

// The model of "Do We Need Tensor Cores for Stencil Computations?" ("the paper"), as it stands there. Estimate.hpp
// adds what it leaves out.

namespace KokkosStencil {
namespace Model {

/// Work on one output point: the paper's C and M (section 3).
struct Work {
  double operations = 0.0;  ///< FLOP
  double bytes      = 0.0;

  /// I = C / M (equation 4).
  double intensity() const { return operations / bytes; }
};

/// A unit of arithmetic beside a memory: the paper's P and B.
struct Roofline {
  double rate      = 0.0;  ///< FLOP/s
  double bandwidth = 0.0;  ///< bytes/s

  /// Intensity at which the unit and the memory are equally busy (section 3.1).
  double ridge() const { return rate / bandwidth; }
  /// FLOP/s at an intensity (equation 5).
  double attainable(double intensity) const;
  bool memory_bound(Work const& work) const { return work.intensity() < ridge(); }
  /// Seconds for the work on one point.
  double seconds(Work const& work) const;
};

/// Number of points K of a box and a star (section 3.2.1).
double box_points(int rank, int radius);
double star_points(int rank, int radius);

/// Number of points of a stencil applied `depth` times to its own result, K^(t): of its support, whatever the
/// coefficients (section 3.2.3).
double fused_points(std::vector<Term> const& terms, int depth);

/// Redundancy of a fused kernel, alpha = K^(t) / (t K) (equation 9).
double redundancy(double fused_points, double points, int depth);
/// The same for a box, (2rt + 1)^d / (t (2r + 1)^d) (equation 10).
double box_redundancy(int rank, int radius, int depth);

/// One sweep: C = 2 K, M = 2 D with D the bytes of a value (equation 6).
Work one_sweep(double points, int value_bytes);
/// The same, of a kernel that reads its output as well: v = alpha S(u) + beta v.
Work with_update(Work work, int value_bytes);
/// `depth` sweeps in one pass, intermediate states kept on the chip: C = t 2 K, M = 2 D (equation 8).
Work time_blocked(double points, int value_bytes, int depth);
/// `depth` sweeps fused into one stencil, as a matrix product of which a fraction `sparsity` of the elements is not
/// zero: C = alpha / S t 2 K, M = 2 D (equations 2, 3 and 11).
Work kernel_fused(double points, int value_bytes, int depth, double alpha, double sparsity);

/// What of the rate of a fused matrix product is useful: S / alpha of it (equation 12).
double useful_rate(Roofline const& unit, Work const& work, double alpha, double sparsity);

/// Sweeps a second and point.
double sweep_rate(Roofline const& unit, Work const& work, int depth);

/// Which unit is limited by what (section 4.1, figure 8): ordinary cores first.
enum class Scenario { memory_memory = 1, memory_compute = 2, compute_memory = 3, compute_compute = 4 };

Scenario scenario(Roofline const& cores, Work const& on_cores, Roofline const& tensor, Work const& on_tensor);

/// Speed of the tensor cores over that of ordinary cores at the same depth (equation 13).
double speedup(Roofline const& cores, Work const& on_cores, Roofline const& tensor, Work const& on_tensor);

/// The sweet spot: scenario 3, or scenario 4 with alpha < S P_tensor / P_cores (equation 19).
bool in_sweet_spot(Roofline const& cores, Work const& on_cores, Roofline const& tensor, Work const& on_tensor,
                   double alpha, double sparsity);

/// The depth, at most `deepest`, that gives most sweeps a second; the smallest of equals. `work(depth)` is C and M.
template <class F>
int best_depth(Roofline const& unit, int deepest, F const& work) {
  int best = 1;
  for (int depth = 2; depth <= deepest; ++depth) {
    // A gain below the noise of any measurement is not worth a deeper pipeline.
    if (sweep_rate(unit, work(depth), depth) > 1.0001 * sweep_rate(unit, work(best), best)) best = depth;
  }
  return best;
}

}  // namespace Model
}  // namespace KokkosStencil
