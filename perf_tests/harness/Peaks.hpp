// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <functional>
#include <string>
#include <vector>

// The ceilings of the machine, measured in the same run as everything else.

namespace perf {

/// One rate that is measured, in FLOP/s or, for copies, bytes/s.
struct Peak {
  std::string name;  ///< "fma/float", "mma/f16_m16n8k16", "mma_sp/f16_m16n8k32", "copy/kernel"
  std::function<double()> measure;
  bool bytes   = false;
  double value = 0.0;  ///< best of the run, 0 before
};

/// The peaks of a space; measured on first use.
template <class Space>
class Peaks {
 public:
  static std::vector<Peak>& all();
  /// Best of the names that start with `prefix`, measured if need be; 0 where there is none.
  static double best(std::string const& prefix);
};

/// The highest GStencil/s that a case can reach on the unit a candidate uses: by copy bandwidth and by the
/// rate of its multiply-adds, of which `applicable` is the lower.
struct Ceiling {
  double memory     = 0.0;
  double compute    = 0.0;
  double applicable = 0.0;
  std::string unit;
};
template <class Space>
Ceiling ceiling_of(Case const& c, std::string const& backend, double copy_bytes_per_second);

/// Copies between two buffers far larger than the caches.
template <class Space>
class CopyMeter {
 public:
  static CopyMeter& instance();

  /// Bytes per second, read plus written, of one sample of each way to copy; the best.
  double sample();
  double sample(int way);

 private:
  CopyMeter();

  void* m_from;
  void* m_to;
  std::size_t m_bytes;
};

namespace Impl {
/// Rounds of independent fused multiply-adds in the calling thread, in the widest vectors of this host;
/// returns the number of operations.
using FmaChains = double (*)(std::int64_t rounds);
FmaChains host_fma_chains(Type type);
/// FMA and tensor rates of the current device; none where the build has no CUDA.
std::vector<Peak> device_compute_peaks();
}  // namespace Impl

}  // namespace perf
