// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TablePlan.hpp"

#include "common/Check.hpp"
#include "common/CudaModel.hpp"
#include "common/Device.hpp"
#include "common/BoundaryKernel.hpp"

#include <KokkosStencil_Backend.hpp>

#include <algorithm>

// Sparse tensor cores for any pattern: the interior by layouts that core/transform searches, what is left by the plain
// formula.

namespace KokkosStencil {
namespace CudaSparseTable {

namespace {

using Cuda::Table::TablePlan;

/// The model's size, so that it predicts the layout that runs.
int shared_bytes(Cuda::DeviceFacts const& facts) {
  return std::min(CudaModel::shared_bytes_of(facts.compute_capability), facts.shared_bytes_per_block);
}

TablePlan plan_for(Problem const& p, int device) {
  Cuda::DeviceFacts const& facts = Cuda::device_facts(device);
  return TablePlan(p, facts.sm_count, shared_bytes(facts));
}

class TableExecutable : public Executable {
 public:
  TableExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_plan(plan_for(p, space.device)), m_strips(p, space, launch) {
    m_plan.pack();
    auto const tables = m_plan.tables();
    m_tables.fill(m_device, tables.data(), tables.size() * sizeof(tables[0]), launch.stream);
    auto const terms = m_plan.terms();
    m_terms.fill(m_device, terms.data(), terms.size() * sizeof(terms[0]), launch.stream);
  }

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    Cuda::Table::Work work = m_plan.work(in, out);
    if (work.blocks > 0) {
      work.args.tables = m_tables.data();
      work.args.terms  = static_cast<Cuda::Table::PlainTerm const*>(m_terms.data());
      m_plan.kernel().launch(work.args, work.blocks, m_plan.layout().bytes, static_cast<cudaStream_t>(launch.stream));
      Cuda::check_launch(launch.label);
    }
    m_strips.run(launch, in, out, work.done);
  }

 private:
  int m_device;
  TablePlan m_plan;
  Cuda::BoundaryKernel m_strips;
  Cuda::DeviceBuffer m_tables, m_terms;
};

class TableBackend : public Backend {
 public:
  std::string name() const override { return "cuda_sparse_table"; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    Status const device = Cuda::supported(space);
    if (!device) return device;
    TablePlan const plan = plan_for(p, space.device);
    return plan ? Status::can() : Status::cannot(plan.reason());
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    return CudaModel::sparse_table(p, Cuda::device_model(space.device));
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<TableExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<TableBackend const>(); }

}  // namespace CudaSparseTable
}  // namespace KokkosStencil
