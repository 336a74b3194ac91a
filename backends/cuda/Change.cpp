// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Change.hpp"

#include "ChangeKernel.hpp"
#include "Check.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

namespace KokkosStencil {
namespace Cuda {

Change::Change(Problem const& problem, int device) : m_problem(problem), m_device(device) {}

Change::~Change() {
  if (m_total != nullptr) cudaFreeHost(m_total);
}

double Change::measure(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second, Norm norm) {
  std::lock_guard<std::mutex> const lock(m_mutex);
  CurrentDevice const current(m_device);
  Problem const& p = m_problem;
  if (m_total == nullptr) {
    m_partial.allocate(m_device, change_blocks * sizeof(double));
    check(cudaHostAlloc(&m_total, sizeof(double), cudaHostAllocMapped), "cudaHostAlloc");
  }
  double* total = nullptr;
  check(cudaHostGetDevicePointer(&total, m_total, 0), "cudaHostGetDevicePointer");

  ChangeArgs g{};
  auto const& newest_stride = newest_is_second ? p.out_stride : p.in_stride;
  auto const& oldest_stride = newest_is_second ? p.in_stride : p.out_stride;
  std::int64_t newest_first = 0, oldest_first = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    g.size[a]          = p.end[a] - p.begin[a];
    g.newest_stride[a] = newest_stride[a];
    g.oldest_stride[a] = oldest_stride[a];
    newest_first += p.begin[a] * newest_stride[a];
    oldest_first += p.begin[a] * oldest_stride[a];
  }
  g.largest = norm == Norm::max;
  g.segment = 2048;
  // A row is read at once if a block's threads have enough points for it, by whole warps if it is not shorter.
  auto const wider = [&](int threads) { return threads < change_threads && threads < g.size[2]; };
  while (wider(1 << g.threads_x_log2) &&
         ((1 << g.threads_x_log2) < 32 || (change_batch << g.threads_x_log2) < g.size[2])) {
    ++g.threads_x_log2;
  }
  g.segments               = (g.size[2] + g.segment - 1) / g.segment;
  std::int64_t const items = g.size[0] * g.size[1] * g.segments, side = change_threads >> g.threads_x_log2;
  auto const blocks  = static_cast<int>(std::min<std::int64_t>((items + side - 1) / side, change_blocks));
  auto* const parts  = static_cast<double*>(m_partial.data());
  auto const stream  = static_cast<cudaStream_t>(launch.stream);
  auto const compare = [&](auto value) {
    using T = decltype(value);
    launch_change(g, blocks, static_cast<T const*>(newest) + newest_first, static_cast<T const*>(oldest) + oldest_first,
                  parts, stream);
  };
  {
    ToolsRegion const region(launch);
    switch (p.value_type) {
      case ValueType::float64: compare(double()); break;
      case ValueType::float32: compare(float()); break;
      case ValueType::float16: compare(__half()); break;
      case ValueType::bfloat16: compare(__nv_bfloat16()); break;
    }
    launch_change_total(g.largest, blocks, parts, total, stream);
    check_launch(launch.label);
  }
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  double const result = *static_cast<double volatile const*>(m_total);
  if (!g.largest) return std::sqrt(result / static_cast<double>(p.points()));
  if (result == HUGE_VAL) return std::numeric_limits<double>::quiet_NaN();
  return result == DBL_MAX ? HUGE_VAL : result;
}

}  // namespace Cuda
}  // namespace KokkosStencil
