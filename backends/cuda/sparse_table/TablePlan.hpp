// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TableArgs.hpp"

#include <KokkosStencil_Backend.hpp>
#include "sparse_table/TableLayout.hpp"
#include <transform/TilePack.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Table {

/// The part of a range that the kernel computes, as it is told to it.
struct Work {
  TableArgs args{};
  PointBox done{};
  unsigned blocks = 0;  ///< 0: nothing
};

/// How a problem maps to a layout; everything that does not depend on the pointers.
class TablePlan {
 public:
  /// Chooses tile and layout, as far as that needs no packing; reason() says why there is none.
  TablePlan(Problem const& problem, int sm_count, int shared_bytes, CudaModel::TableChoice const& only = {});

  /// Packs, which takes many times as long; what follows may be asked after it. Where the products turn out to need
  /// more room than they might, another layout is taken, and there is no work if no other one fits.
  void pack();

  std::string const& reason() const { return m_reason; }
  explicit operator bool() const { return m_reason.empty(); }

  Kernel const& kernel() const { return *m_kernel; }
  CudaModel::TableLayout const& layout() const { return m_layout; }
  [[nodiscard]] Transform::TilePack const& packed() const { return m_pack; }

  /// Fragments, metadata and offsets as TableArgs::tables has them. Throws Error if nothing has been packed.
  std::vector<std::uint32_t> tables() const;
  std::vector<PlainTerm> terms() const;

  Work work(void const* in, void* out) const;

 private:
  std::string choose();
  Kernel const* find_kernel() const;
  Work line(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  Work space(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  bool cut(Work& work) const;

  Problem m_problem;
  int m_sm_count, m_shared_bytes;
  CudaModel::TableChoice m_only;
  std::string m_reason;
  CudaModel::TableLayout m_layout;
  Transform::TilePack m_pack;
  Kernel const* m_kernel = nullptr;
};

}  // namespace Table
}  // namespace Cuda
}  // namespace KokkosStencil
