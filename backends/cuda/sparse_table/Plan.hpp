// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_table/Kernel.hpp"
#include "sparse_table/Layout.hpp"

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

/// One launch: the part of a range that the kernel computes, as it is told to it.
struct Work {
  Args args{};
  PointBox done{};
  unsigned blocks = 0;  ///< 0: nothing
};

/// How a problem maps to a layout; everything that does not depend on the pointers.
class Plan {
 public:
  /// Chooses tile and layout, as far as that needs no packing; unsupported_reason() says why there is none.
  Plan(Problem const& problem, DeviceModel const& device);
  Plan(Problem const& problem, int multiprocessors, int shared_bytes);

  /// Packs, which takes many times as long; what follows may be asked after it. Where the products turn out to need
  /// more room than they might, another layout is taken, and there is no work if no other one fits.
  void pack();

  std::string const& unsupported_reason() const { return m_reason; }

  Layout const& layout() const { return m_layout; }
  [[nodiscard]] Transform::TilePack const& packed() const { return m_pack; }

  /// Fragments, metadata and offsets as Args::tables has them. Throws Error if nothing has been packed.
  std::vector<std::uint32_t> tables() const;

  /// The launch for these pointers, but for the operands.
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
