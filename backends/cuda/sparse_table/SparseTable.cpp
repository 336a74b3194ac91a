// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TablePlan.hpp"

#include "Check.hpp"
#include "CudaModel.hpp"
#include "Device.hpp"
#include "FaceStrips.hpp"

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

/// Whether there is a layout, as far as can be said before it is packed.
bool fits(Problem const& p, int device) {
  Cuda::DeviceFacts const& facts = Cuda::device_facts(device);
  return static_cast<bool>(CudaModel::choose_table(p, facts.sm_count, shared_bytes(facts)));
}

/// Whether another backend is faster by prediction. Then nothing needs to be packed to decide, which would take longer
/// than all other decisions.
bool others_win(Problem const& p, DeviceModel const& device) {
  double const mine = CudaModel::sparse_table(p, device).front().seconds;
  // The last ones, of tensor cores, win most often and refuse soonest.
  auto const& all = CudaModel::backends();
  for (auto e = all.rbegin(); e != all.rend(); ++e) {
    if (std::string(e->backend) == "cuda_sparse_table" || !e->refusal(p, device).empty()) continue;
    for (Estimate const& way : e->ways(p, device)) {
      if (way.seconds < mine) return true;
    }
  }
  return false;
}

class TableExecutable : public Executable {
 public:
  TableExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_plan(plan_for(p, space.device)), m_strips(p, space, launch) {
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
  Cuda::FaceStrips m_strips;
  Cuda::DeviceBuffer m_tables, m_terms;
};

class TableBackend : public Backend {
 public:
  std::string name() const override { return "cuda_sparse_table"; }

  Verdict can_run(Problem const& p, SpaceInfo const& space) const override {
    Verdict const device = Cuda::supported(space);
    if (!device) return device;
    if (std::string const no = CudaModel::table_refusal(p); !no.empty()) return Verdict::cannot(no);
    if (others_win(p, Cuda::device_model(space.device))) {
      return fits(p, space.device) ? Verdict::can() : Verdict::cannot("reaches too far for a block's shared memory");
    }
    TablePlan const plan = plan_for(p, space.device);
    return plan ? Verdict::can() : Verdict::cannot(plan.reason());
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
