// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/UpdateNorm.hpp"

#include "common/UpdateNormKernel.hpp"
#include "common/Alignment.hpp"
#include "common/Check.hpp"
#include "common/WithType.hpp"

#include <impl/KokkosStencil_ScaledNorm.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace KokkosStencil {
namespace Cuda {

UpdateNorm::UpdateNorm(Problem const& problem, int device) : m_problem(problem), m_device(device) {}

UpdateNorm::~UpdateNorm() {
  if (m_total != nullptr) cudaFreeHost(m_total);
  if (m_ready != nullptr) cudaEventDestroy(m_ready);
}

UpdateNormResult UpdateNorm::target(Launch const& launch) {
  if (m_total == nullptr) {
    std::vector<double> const zeros(update_norm_blocks + 1, 0.0);
    m_partial.fill(m_device, zeros.data(), zeros.size() * sizeof(double), launch.stream);
    if (m_ready == nullptr) {
      check(cudaEventCreateWithFlags(&m_ready, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
    check(cudaHostAlloc(&m_total, update_norm_totals * sizeof(double), cudaHostAllocMapped), "cudaHostAlloc");
  }
  double* total = nullptr;
  check(cudaHostGetDevicePointer(&total, m_total, 0), "cudaHostGetDevicePointer");
  auto* const partial = static_cast<double*>(m_partial.data());
  return {partial, reinterpret_cast<unsigned*>(partial + update_norm_blocks), total};
}

double UpdateNorm::wait(Launch const& launch, Norm norm, std::function<void()> const& ahead) {
  check(cudaEventRecord(m_ready, static_cast<cudaStream_t>(launch.stream)), "cudaEventRecord");
  ahead();
  check(cudaEventSynchronize(m_ready), "cudaEventSynchronize");
  auto const* const total = static_cast<double volatile const*>(m_total);
  double const result     = total[0];
  if (norm == Norm::max) return result;
  if (m_problem.value_type == ValueType::float64 && Impl::squares_lost(result)) {
    return Impl::scaled_rms(total[1], total[2], m_problem.points());
  }
  return std::sqrt(result / static_cast<double>(m_problem.points()));
}

double* UpdateNorm::parts(std::int64_t count, BoundaryArgs const& rest, void const* in, void const* out) {
  auto const bytes = static_cast<std::size_t>(count) * sizeof(double);
  if (!m_parts || m_parts->bytes() < bytes) {
    m_parts = std::make_unique<DeviceBuffer>();
    m_parts->allocate(m_device, bytes);
  }
  m_count = count;
  m_rest  = rest;
  m_in    = in;
  m_out   = out;
  return static_cast<double*>(m_parts->data());
}

double UpdateNorm::of_sweep(Launch const& launch, Norm norm, std::function<void()> const& ahead) {
  CurrentDevice const current(m_device);
  UpdateNormResult const to = target(launch);
  {
    ToolsRegion const region(launch);
    auto const* const parts = static_cast<double const*>(m_parts->data());
    with_type(m_problem.value_type, [&](auto value) {
      using T = decltype(value);
      launch_update_norm_total(m_rest, parts, m_count, norm == Norm::max, static_cast<T const*>(m_in),
                               static_cast<T const*>(m_out), to, static_cast<cudaStream_t>(launch.stream));
    });
    look_again(launch, norm, {m_out, m_rest.out_stride}, {m_in, m_rest.in_stride}, to);
    check_launch(launch.label);
  }
  return wait(launch, norm, ahead);
}

void UpdateNorm::look_again(Launch const& launch, Norm norm, State const& newest, State const& oldest,
                            UpdateNormResult const& to) const {
  if (norm == Norm::max || m_problem.value_type != ValueType::float64) return;
  UpdateNormArgs g{};
  std::int64_t newest_first = 0, oldest_first = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    g.size[a]          = m_problem.end[a] - m_problem.begin[a];
    g.newest_stride[a] = newest.stride[a];
    g.oldest_stride[a] = oldest.stride[a];
    newest_first += m_problem.begin[a] * newest.stride[a];
    oldest_first += m_problem.begin[a] * oldest.stride[a];
  }
  std::int64_t const wanted = divide_up(m_problem.points(), 4 * update_norm_threads);
  auto const blocks         = static_cast<int>(
      std::min<std::int64_t>({wanted, update_norm_resident * device_facts(m_device).sm_count, update_norm_blocks}));
  launch_update_norm_again(g, blocks, static_cast<double const*>(newest.data) + newest_first,
                           static_cast<double const*>(oldest.data) + oldest_first, to,
                           static_cast<cudaStream_t>(launch.stream));
}

double UpdateNorm::between(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second,
                           Norm norm, std::function<void()> const& ahead) {
  CurrentDevice const current(m_device);
  Problem const& p          = m_problem;
  UpdateNormResult const to = target(launch);
  UpdateNormArgs g{};
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
  g.largest               = norm == Norm::max;
  std::int64_t const rows = g.size[0] * g.size[1];
  auto const size         = size_of(p.value_type);
  // With few rows, short segments give all multiprocessors something to do.
  g.segment                = rows < 4096 ? 2048 : 16384;
  g.segments               = (g.size[2] + g.segment - 1) / g.segment;
  std::int64_t const items = rows * g.segments;
  auto const place         = [&](void const* from, std::int64_t first) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(from)) + first * size;
  };
  g.rows_alike = newest_stride[2] == 1 && oldest_stride[2] == 1 && items < std::numeric_limits<std::int32_t>::max() &&
                 (place(newest, newest_first) - place(oldest, oldest_first)) % 16 == 0;
  for (std::size_t a = 0; a < 2; ++a) {
    g.rows_alike = g.rows_alike && (g.size[a] == 1 || (newest_stride[a] - oldest_stride[a]) * size % 16 == 0);
  }
  // Threads side by side in a row: as many as read a segment in one go, at least a warp unless the row is shorter.
  std::int64_t const batch = g.rows_alike ? update_norm_vectors * 16 / size : update_norm_batch;
  auto const wider         = [&](int threads) { return threads < update_norm_threads && threads < g.size[2]; };
  while (wider(1 << g.threads_x_log2) &&
         ((1 << g.threads_x_log2) < 32 || (batch << g.threads_x_log2) < std::min(g.size[2], g.segment))) {
    ++g.threads_x_log2;
  }
  std::int64_t const side = update_norm_threads >> g.threads_x_log2;
  // Many waves of blocks, so that all multiprocessors finish at about the same time; but each block has enough to read.
  std::int64_t const all = rows * g.size[2] * size;
  std::int64_t const wanted =
      std::max<std::int64_t>(all / update_norm_block_bytes, update_norm_resident * device_facts(m_device).sm_count);
  auto const blocks = static_cast<int>(std::min({(items + side - 1) / side, wanted, update_norm_blocks}));
  {
    ToolsRegion const region(launch);
    with_type(p.value_type, [&](auto value) {
      using T = decltype(value);
      launch_update_norm(g, blocks, static_cast<T const*>(newest) + newest_first,
                         static_cast<T const*>(oldest) + oldest_first, to, static_cast<cudaStream_t>(launch.stream));
    });
    look_again(launch, norm, {newest, newest_stride.data()}, {oldest, oldest_stride.data()}, to);
    check_launch(launch.label);
  }
  return wait(launch, norm, ahead);
}

}  // namespace Cuda
}  // namespace KokkosStencil
