// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Kernel.hpp"
#include "sparse_tensor/Tuning.hpp"

#include "common/Work.hpp"

#include <KokkosStencil_Backend.hpp>
#include <transform/Fragments.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Half and bfloat16 on sparse tensor cores: which problems the kernels run, how, and how long it takes.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Why cuda_sparse_tensor cannot run a problem; empty if it can.
std::string unsupported_reason(Problem const& problem, DeviceModel const& device);

/// The predicted time, of single sweeps and of each depth there is.
std::vector<Estimate> cost(Problem const& problem, DeviceModel const& device);

/// How many sweeps a pass may take as one composed stencil: all such depths, 1 first.
std::vector<int> depths(Problem const& problem);
/// Seconds of a pass of each of these depths.
std::vector<std::pair<int, double>> pass_seconds(Problem const& problem, DeviceModel const& device,
                                                 std::vector<int> const& depths);

/// The problem of a pass of so many sweeps as one composed stencil. Its range has the points whose neighbours change in
/// all sweeps but the last.
Problem composed_problem(Problem const& problem, int depth, std::vector<Term> terms);

/// Whether kernels cannot use aligned vectors: rows of the input lie at different offsets from multiples of 16 bytes,
/// or those of the output at other offsets from multiples of 8 bytes.
bool reads_anywhere(Problem const& problem);

/// What a stencil asks of a kernel.
struct Request {
  int loads = 1, rows = 1;  ///< planes or windows, and rows along y
  bool cross    = false;
  int splits    = 1;
  bool several  = false;  ///< the stencil stands for several sweeps
  bool anywhere = false;  ///< reads_anywhere
};

/// The best kernel for a problem with such a stencil, null if there is none.
KernelTuning const* choose_kernel(Request const& request, Problem const& problem, DeviceModel const& device);

/// The points that a kernel by wgmma for rows that begin anywhere computes of a problem: its interior, or less of it.
PointBox wgmma_anywhere_box(KernelTuning const& k, Problem const& problem);
/// How much longer than its points its tiles take.
double wgmma_redundancy(KernelTuning const& k, Problem const& problem, DeviceModel const& device);

using Work = Cuda::Work<Args>;

/// How a problem maps to a kernel; everything that does not depend on the pointers.
class Plan {
 public:
  /// Chooses a kernel; unsupported_reason() says why none fits. `several`: the stencil stands for several sweeps. Then
  /// the kernel has to recompute results that are not finite sweep by sweep.
  Plan(Problem const& problem, DeviceModel const& device, bool several = false);
  /// Takes the given kernel, which has to suit the stencil.
  Plan(Problem const& problem, DeviceModel const& device, KernelTuning const& kernel);

  std::string const& unsupported_reason() const { return m_reason; }
  explicit operator bool() const { return m_reason.empty(); }

  KernelTuning const& kernel() const { return *m_kernel; }

  struct Operands {
    std::vector<std::uint32_t> matrices;
    Transform::LaneWords metadata;
  };
  /// The operands, in the form that Args describes.
  Operands operands() const;
  std::vector<PlainTerm> terms() const;

  /// The launch for these pointers, without the operands. It has no blocks if the pointers do not share an alignment.
  Work work(void const* in, void* out) const;

 private:
  std::string choose(DeviceModel const& device);
  std::string does_not_fit() const;
  Work line(Work work, std::int64_t in_phase) const;
  Work plane_anywhere(Work work) const;
  Work space_anywhere(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  Work plane(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  bool cut(Work& work, std::int64_t rows) const;
  bool cut_wgmma(Work& work, std::int64_t rows) const;

  Problem m_problem;
  int m_multiprocessors;
  bool m_several = false;
  int m_splits   = 1;
  std::string m_reason;
  KernelTuning const* m_kernel = nullptr;
  std::vector<int> m_shifts;  ///< of the windows of a line
};

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
