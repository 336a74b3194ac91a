// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Candidate.hpp"
#include "HostLoops.hpp"
#include "Shapes.hpp"

#include <limits>
#include <utility>

namespace perf {

namespace {

class HostLoops : public Candidate {
 public:
  HostLoops(Case const& c, Fields fields) : m_case(c), m_fields(fields) {
    // Which vector width is faster depends on the machine and the shape.
    HostLoop const loops[]     = {host_loop_preferred(c), host_loop_wide(c)};
    char const* const labels[] = {"omp simd", "omp simd, widest vectors"};
    double best                = std::numeric_limits<double>::max();
    for (int round = 0; round < 4; ++round) {
      for (int k = 0; k < 2; ++k) {
        Kokkos::Timer timer;
        loops[k](c.kernel, c.extents, fields.u, fields.v);
        if (round > 0 && timer.seconds() < best) {
          best    = timer.seconds();
          m_loop  = loops[k];
          m_label = labels[k];
        }
      }
    }
    HostLoops::reset();
  }
  void* run() override {
    if (m_case.steps == 1) {
      m_loop(m_case.kernel, m_case.extents, m_fields.u, m_fields.v);
      return m_fields.v;
    }
    for (std::int64_t step = 0; step < m_case.steps; ++step) {
      m_loop(m_case.kernel, m_case.extents, m_from, m_to);
      std::swap(m_from, m_to);
    }
    return m_from;
  }
  void reset() override {
    m_from = m_fields.u;
    m_to   = m_fields.v;
  }
  std::string label() const override { return m_label; }

 private:
  Case m_case;
  Fields m_fields;
  void* m_from    = nullptr;
  void* m_to      = nullptr;
  HostLoop m_loop = nullptr;
  std::string m_label;
};

}  // namespace

bool has_host_loops(Case const& c) {
  return has_shape(c.kernel) && (c.type == Type::single || c.type == Type::full) && !c.relaxed;
}

std::unique_ptr<Candidate> make_host_loops(Case const& c, Fields fields) {
  return std::make_unique<HostLoops>(c, fields);
}

}  // namespace perf
