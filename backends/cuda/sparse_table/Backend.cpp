// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_table/Plan.hpp"

#include "common/FamilyBackend.hpp"
#include "common/InteriorExecutable.hpp"
#include "common/PlanePlan.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

namespace {

class TableExecutable : public InteriorExecutable {
 public:
  TableExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : InteriorExecutable(p, space, launch),
        m_plan(p, launch_model(space.device)),
        m_bfloat(p.value_type == ValueType::bfloat16) {
    m_plan.pack();
    upload(m_tables, m_plan.tables(), launch);
    upload(m_terms, plane_terms<float>(p), launch);
  }

 private:
  PointBox launch_interior(void const* in, void* out, cudaStream_t stream) const override {
    Work work = m_plan.work(in, out);
    if (work.blocks == 0) return work.done;
    work.args.tables     = m_tables.data();
    work.args.terms      = static_cast<PlaneTerm<float> const*>(m_terms.data());
    Layout const& layout = m_plan.layout();
    launch(layout.kernel, m_bfloat, layout.splits, work.args, work.blocks, layout.bytes, stream);
    return work.done;
  }

  Plan m_plan;
  bool m_bfloat;
  DeviceBuffer m_tables, m_terms;
};

class TableBackend : public FamilyBackend {
 public:
  TableBackend() : FamilyBackend("cuda_sparse_table", unsupported_reason, cost) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<TableExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<TableBackend const>(); }

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
