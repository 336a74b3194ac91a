// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Peaks.hpp"

#include "Candidate.hpp"
#include "Memory.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

namespace perf {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct RunChains {
  Impl::FmaChains chains;
  double* flops;
  KOKKOS_FUNCTION void operator()(int thread) const { flops[thread] = chains(2000000); }
};

/// FMA rate of the threads of a host space, where it places them.
template <class Space>
double host_fma_rate(Type type) {
  std::vector<double> flops(static_cast<std::size_t>(Space().concurrency()));
  double best = 0.0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    double const begin = now();
    Kokkos::parallel_for("perf fma", Kokkos::RangePolicy<Space>(0, static_cast<int>(flops.size())),
                         RunChains{Impl::host_fma_chains(type), flops.data()});
    Space().fence();
    double const seconds = now() - begin;
    best                 = std::max(best, std::accumulate(flops.begin(), flops.end(), 0.0) / seconds);
  }
  return best;
}

template <class Space>
std::vector<Peak> list_peaks() {
  std::vector<Peak> peaks;
  auto const ways = Memory<Space>::copy_ways();
  for (std::size_t way = 0; way < ways.size(); ++way) {
    peaks.push_back({"copy/" + ways[way],
                     [way] {
                       double best = 0.0;
                       for (int k = 0; k < 5; ++k)
                         best = std::max(best, CopyMeter<Space>::instance().sample(static_cast<int>(way)));
                       return best;
                     },
                     true});
  }
  if constexpr (KokkosStencil::Impl::is_host_space<Space>()) {
    peaks.push_back({"fma/float", [] { return host_fma_rate<Space>(Type::single); }});
    peaks.push_back({"fma/double", [] { return host_fma_rate<Space>(Type::full); }});
  } else {
    for (Peak& p : Impl::device_compute_peaks()) peaks.push_back(std::move(p));
  }
  return peaks;
}

}  // namespace

template <class Space>
std::vector<Peak>& Peaks<Space>::all() {
  static std::vector<Peak> peaks = list_peaks<Space>();
  return peaks;
}

template <class Space>
double Peaks<Space>::best(std::string const& prefix) {
  double best = 0.0;
  for (Peak& p : all()) {
    if (p.name.compare(0, prefix.size(), prefix) != 0) continue;
    if (p.value == 0.0) p.value = p.measure();
    best = std::max(best, p.value);
  }
  return best;
}

template <class Space>
Ceiling ceiling_of(Case const& c, std::string const& backend, double copy_bytes_per_second) {
  Ceiling ceiling;
  double const memory = 1e-9 * copy_bytes_per_second / (2.0 * bytes_of(c.type));
  bool const sparse =
      backend == "cuda_sparse_tensor" || backend == "cuda_sparse_table" || backend == "cuda_tensor_float";
  bool const dense = backend == "cuda_tensor" || backend == "cuda_tensor_double";
  double tensor    = 0.0;
  if (sparse || dense) {
    std::string const unit = sparse ? "mma_sp/" : "mma/";
    switch (c.type) {
      case Type::half: tensor = Peaks<Space>::best(unit + "f16"); break;
      case Type::bhalf: tensor = Peaks<Space>::best(unit + "bf16"); break;
      // Native float needs three products of two-term splits; relaxed float one of scaled halves.
      case Type::single: tensor = Peaks<Space>::best(unit + "f16") / (c.relaxed ? 1.0 : 3.0); break;
      case Type::full: tensor = Peaks<Space>::best("mma/f64"); break;
    }
    ceiling.unit = unit;
  }
  if (tensor > 0.0) {
    // A band matrix of 16 outputs by 32 inputs (16 by 16 in double) for each row of the stencil; t steps
    // may be fused while the window still fits. The best depth is the ceiling.
    int const radius = std::max(1, c.kernel.radius());
    for (std::int64_t t = 1; t <= c.steps && (t == 1 || t * radius <= 7); ++t) {
      double rows = 1.0;
      for (int a = 0; a + 1 < c.kernel.rank; ++a) {
        rows *= static_cast<double>(t * (c.kernel.upper(a) - c.kernel.lower(a)) + 1);
      }
      if (c.kernel.family == Family::star && t == 1) {
        rows = 1.0;
        for (int a = 0; a + 1 < c.kernel.rank; ++a) rows += c.kernel.upper(a) - c.kernel.lower(a);
      }
      double const steps   = static_cast<double>(t);
      double const compute = 1e-9 * steps * tensor / (64.0 * rows);
      if (std::min(steps * memory, compute) > ceiling.applicable) {
        ceiling.memory     = steps * memory;
        ceiling.compute    = compute;
        ceiling.applicable = std::min(ceiling.memory, ceiling.compute);
      }
    }
    return ceiling;
  }
  ceiling.unit       = c.type == Type::full ? "fma/double" : "fma/float";
  double const fma   = Peaks<Space>::best(ceiling.unit);
  ceiling.memory     = static_cast<double>(c.steps) * memory;
  ceiling.compute    = fma > 0.0 ? 1e-9 * fma / (2.0 * static_cast<double>(c.kernel.terms.size()))
                                 : std::numeric_limits<double>::infinity();
  ceiling.applicable = std::min(ceiling.memory, ceiling.compute);
  return ceiling;
}

template <class Space>
CopyMeter<Space>::CopyMeter() : m_bytes(std::size_t(KokkosStencil::Impl::is_host_space<Space>() ? 128 : 512) << 20) {
  m_from = Memory<Space>::allocate(m_bytes);
  m_to   = Memory<Space>::allocate(m_bytes);
  Kokkos::push_finalize_hook([this] {
    Memory<Space>::release(m_from);
    Memory<Space>::release(m_to);
  });
  Memory<Space>::fill(m_from, static_cast<std::int64_t>(m_bytes / sizeof(double)), Type::full);
  Memory<Space>::fill(m_to, static_cast<std::int64_t>(m_bytes / sizeof(double)), Type::full);
}

template <class Space>
CopyMeter<Space>& CopyMeter<Space>::instance() {
  static CopyMeter meter;
  return meter;
}

template <class Space>
double CopyMeter<Space>::sample(int way) {
  constexpr int repeat = KokkosStencil::Impl::is_host_space<Space>() ? 1 : 4;
  Memory<Space>::stream(way, m_to, m_from, m_bytes);
  Memory<Space>::fence();
  double const begin = now();
  for (int k = 0; k < repeat; ++k) Memory<Space>::stream(way, m_to, m_from, m_bytes);
  Memory<Space>::fence();
  return 2.0 * repeat * static_cast<double>(m_bytes) / (now() - begin);
}

template <class Space>
double CopyMeter<Space>::sample() {
  double best = 0.0;
  for (std::size_t way = 0; way < Memory<Space>::copy_ways().size(); ++way) {
    best = std::max(best, sample(static_cast<int>(way)));
  }
  return best;
}

template class Peaks<Device>;
template class CopyMeter<Device>;
template Ceiling ceiling_of<Device>(Case const&, std::string const&, double);
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template class Peaks<Host>;
template class CopyMeter<Host>;
template Ceiling ceiling_of<Host>(Case const&, std::string const&, double);
#endif

}  // namespace perf
