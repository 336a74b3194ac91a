// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DenseTwin.hpp"

#include "harness/Candidate.hpp"
#include "harness/Predict.hpp"

#include "common/InteriorExecutable.hpp"
#include "common/Padding.hpp"
#include "sparse_tensor/Plan.hpp"

#include <impl/KokkosStencil_Views.hpp>
#include <transform/Pack.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace perf {

namespace DenseTwin {

namespace {

using namespace KokkosStencil::Cuda;
namespace KS        = KokkosStencil;
namespace Transform = KokkosStencil::Transform;

KS::SpaceInfo space_info() { return KS::Impl::SpaceTraits<Device>::info(Device()); }

/// The first kernel with enough rows for a stencil that the twin takes; null if there is none.
SparseTensor::KernelTuning const* find_kernel(KS::Problem const& p) {
  int const rows = p.upper[1] - p.lower[1] + 1;
  if (p.value_type != KS::ValueType::float16 || p.extent[0] > 1 || p.extent[1] == 1 || rows == 1 || !aligned_rows(p) ||
      !Transform::exact_in(p.terms, Transform::Element::half)) {
    return nullptr;
  }
  auto const fits = [&](SparseTensor::KernelTuning const& k) {
    return k.rows >= rows && p.end[1] - p.begin[1] >= k.height;
  };
  auto const found = std::find_if(std::begin(kernels), std::end(kernels), fits);
  return found == std::end(kernels) ? nullptr : found;
}

class Twin : public InteriorExecutable {
 public:
  Twin(KS::Problem const& p, KS::SpaceInfo const& space, KS::Launch const& launch)
      : InteriorExecutable(p, space, launch), m_plan(p, launch_model(space.device), *find_kernel(p)) {
    SparseTensor::Plan::Operands const sparse = m_plan.operands();
    upload(m_matrices, dense_matrices(sparse.matrices, sparse.metadata), launch);
    upload(m_terms, m_plan.terms(), launch);
  }

 private:
  KS::PointBox launch_interior(void const* in, void* out, cudaStream_t stream) const override {
    SparseTensor::Work work = m_plan.work(in, out);
    if (work.blocks == 0) return work.done;
    work.args.matrices = m_matrices.data();
    work.args.terms    = static_cast<SparseTensor::PlainTerm const*>(m_terms.data());
    DenseTwin::launch(static_cast<std::size_t>(&m_plan.kernel() - kernels), work.args, work.blocks, stream);
    return work.done;
  }

  SparseTensor::Plan m_plan;
  DeviceBuffer m_matrices, m_terms;
};

class TwinCandidate : public Candidate {
 public:
  TwinCandidate(Case const& c, Fields fields)
      : m_name(c.kernel.name),
        m_steps(c.steps),
        m_fields(fields),
        m_newest(fields),
        m_launch(KS::Impl::make_launch(m_name, m_device)),
        m_twin(problem_of(c), space_info(), m_launch) {}
  void* run() override {
    if (m_steps == 1) {
      m_twin.sweep(m_launch, m_fields.u, m_fields.v);
      return m_fields.v;
    }
    void* const newest = m_twin.iterate(m_launch, m_newest.u, m_newest.v, m_steps);
    if (newest == m_newest.v) std::swap(m_newest.u, m_newest.v);
    return newest;
  }
  void reset() override { m_newest = m_fields; }
  std::string label() const override { return "cuda_tensor"; }

 private:
  std::string m_name;
  std::int64_t m_steps;
  Fields m_fields, m_newest;
  Device m_device;
  KS::Launch m_launch;
  Twin m_twin;
};

}  // namespace

std::vector<std::uint32_t> dense_matrices(std::vector<std::uint32_t> const& stored,
                                          std::array<std::uint32_t, 32> const& metadata) {
  // Lane 4 g + q holds of the stored values, two of each group of four columns, those of groups q (and, in registers 2
  // and 3, 4 + q) in rows g and g + 8. Metadata, four bits a group, is with lane 4 row for groups 0 to 3, 4 row + 1 for
  // the others; row + 8 in the high half.
  std::vector<std::uint32_t> dense;
  for (std::size_t first = 0; first < stored.size(); first += 4 * Transform::warp_lanes) {
    std::array<Transform::Bits, 2> halves{{{16, 16}, {16, 16}}};
    for (std::size_t lane = 0; lane < Transform::warp_lanes; ++lane) {
      for (std::size_t word = 0; word < 4; ++word) {
        std::size_t const row = lane / 4 + word % 2 * 8, group = lane % 4 + word / 2 * 4;
        std::uint32_t const selected = metadata[row % 8 * 4 + group / 4] >> (row / 8 * 16 + group % 4 * 4) & 15u;
        std::uint32_t const pair     = stored[first + 4 * lane + word];
        for (std::size_t e = 0; e < 2; ++e) {
          std::size_t const column = 4 * group + (selected >> 2 * e & 3u);
          halves[column / 16](static_cast<int>(row), static_cast<int>(column % 16)) =
              static_cast<std::uint16_t>(pair >> 16 * e);
        }
      }
    }
    for (Transform::Bits const& half : halves) {
      for (auto const& lane : Transform::fragment_a(half)) dense.insert(dense.end(), lane.begin(), lane.end());
    }
  }
  return dense;
}

}  // namespace DenseTwin

bool has_dense_twin(Case const& c) {
  if (c.kernel.rank != 2 || c.type != Type::half || !KokkosStencil::Cuda::supported(DenseTwin::space_info())) {
    return false;
  }
  KokkosStencil::Problem const p = problem_of(c);
  auto const* const kernel       = DenseTwin::find_kernel(p);
  return kernel != nullptr && KokkosStencil::Cuda::SparseTensor::Plan(
                                  p, KokkosStencil::Cuda::launch_model(DenseTwin::space_info().device), *kernel)
                                  .unsupported_reason()
                                  .empty();
}

std::unique_ptr<Candidate> make_dense_twin(Case const& c, Fields fields) {
  return std::make_unique<DenseTwin::TwinCandidate>(c, fields);
}

}  // namespace perf
