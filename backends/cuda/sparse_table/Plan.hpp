// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_table/Kernel.hpp"
#include "sparse_table/Layout.hpp"

#include "common/Work.hpp"

#include <KokkosStencil_Backend.hpp>
#include <transform/TilePack.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Any pattern on sparse tensor cores: which problems the kernels run, how, and how long it takes.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

/// Why cuda_sparse_table cannot run a problem; empty if it can.
std::string unsupported_reason(Problem const& problem, DeviceModel const& device);

/// The predicted time.
std::vector<Estimate> cost(Problem const& problem, DeviceModel const& device);

using Work = Cuda::Work<Args>;

/// How a problem maps to a layout; everything that does not depend on the pointers.
class Plan {
 public:
  /// Chooses tile and layout, as far as that needs no packing; unsupported_reason() says why there is none.
  Plan(Problem const& problem, DeviceModel const& device);
  Plan(Problem const& problem, int multiprocessors, int shared_bytes);

  /// Packs the coefficients, which takes many times as long. The functions below may be called after it. If the
  /// products turn out to need more room than was assumed, another layout is taken; if none fits, work() has no blocks.
  void pack();

  std::string const& unsupported_reason() const { return m_reason; }

  Layout const& layout() const { return m_layout; }
  [[nodiscard]] Transform::TilePack const& packed() const { return m_pack; }

  /// Fragments, metadata and offsets, in the form of Args::tables. Throws Error if nothing was packed.
  std::vector<std::uint32_t> tables() const;

  /// The launch for these pointers, without the operands.
  Work work(void const* in, void* out) const;

 private:
  void choose(Problem const& problem);
  Work line(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  Work space(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  bool cut(Work& work) const;

  Problem m_problem;
  int m_multiprocessors, m_shared_bytes;
  std::string m_reason;
  Layout m_layout;
  Transform::TilePack m_pack;
};

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
