// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/PaddedExecutable.hpp"

#include "common/Alignment.hpp"
#include "common/Check.hpp"
#include "common/Padding.hpp"
#include "common/RowCopy.hpp"
#include "common/Tuning.hpp"

#include <impl/KokkosStencil_HeldBytes.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace KokkosStencil {
namespace Cuda {

namespace {

/// Bytes that all plans together hold in padded copies.
std::atomic<std::int64_t> g_held{0};

/// A copy of the box between Views of these strides.
Impl::RowCopy copy_of(ValueType type, PointBox const& box, void const* from,
                      std::array<std::int64_t, 3> const& from_stride, void* to,
                      std::array<std::int64_t, 3> const& to_stride) {
  Impl::RowCopy copy;
  copy.value_size  = size_of(type);
  copy.box         = box;
  copy.from        = from;
  copy.from_stride = from_stride;
  copy.to          = to;
  copy.to_stride   = to_stride;
  copy.least       = box.begin[2];
  copy.most        = box.end[2];
  return copy;
}

bool begins_at_vector(void const* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; }

}  // namespace

bool room_for_padding(int device, std::int64_t bytes) {
  // All backends ask this when a plan is made. The call takes long, so its answer is kept for a short while.
  using Clock = std::chrono::steady_clock;
  struct Known {
    int device = -1;
    Clock::time_point at;
    std::size_t free_bytes = 0, all = 0;
  };
  thread_local Known known;
  Clock::time_point const now = Clock::now();
  if (known.device != device || now - known.at > std::chrono::milliseconds(5)) {
    CurrentDevice const current(device);
    known = {device, now, 0, 0};
    if (cudaMemGetInfo(&known.free_bytes, &known.all) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
  }
  auto const part = [](std::size_t of) { return static_cast<std::int64_t>(padding_memory * static_cast<double>(of)); };
  if (bytes > part(known.free_bytes)) return false;
  auto const fits = [&] { return bytes + g_held.load() <= part(known.all); };
  if (bytes <= part(known.all)) Impl::drop_unused_plans(fits);
  return fits();
}

PaddedExecutable::PaddedExecutable(Problem const& problem, SpaceInfo const& space, std::unique_ptr<DeviceBuffer> states,
                                   std::unique_ptr<Executable> on_padded, std::unique_ptr<Executable> direct,
                                   std::int64_t least_steps, EndExecutables ends)
    : m_problem(problem),
      m_device(space.device),
      m_on_padded(std::move(on_padded)),
      m_direct(std::move(direct)),
      m_least_steps(least_steps),
      m_ends(std::move(ends)),
      m_ghosts_in(from_view(problem), space.device),
      m_ghosts(padded(problem), space.device),
      m_states(std::move(states)) {
  m_problem.terms = {};  // copies do not depend on them
  g_held += static_cast<std::int64_t>(m_states->bytes());
}

PaddedExecutable::~PaddedExecutable() { g_held -= static_cast<std::int64_t>(m_states->bytes()); }

std::size_t PaddedExecutable::bytes() const {
  std::size_t const ends = m_ends.depth > 0 ? m_ends.first->bytes() + m_ends.last->bytes() : 0;
  return ends + m_on_padded->bytes() + (m_direct != nullptr ? m_direct->bytes() : 0);
}

void* PaddedExecutable::state(int which) const {
  return static_cast<char*>(m_states->data()) + (which == 0 ? 0 : m_states->bytes() / 2);
}

void PaddedExecutable::copy_in(Launch const& launch, void const* in, bool ghosts_to_both) const {
  PointBox const all{{{0, 0, 0}}, m_problem.extent};
  PointBox const range{m_problem.begin, m_problem.end};
  std::int64_t const bytes = size_of(m_problem.value_type), sector = 32 / bytes;
  bool const ghosts = ghosts_to_both && common(range, all).size() < all.size();
  auto const second = static_cast<std::int64_t>(m_states->bytes()) / 2 / bytes;
  // Writing part of a sector takes the memory longer than writing all of it.
  PointBox keep = range;
  keep.begin[2] = divide_up(range.begin[2], sector) * sector;
  keep.end[2]   = range.end[2] / sector * sector;
  Impl::RowCopy copy =
      copy_of(m_problem.value_type, all, in, m_problem.in_stride, state(0), padded(m_problem).in_stride);
  copy.second = ghosts ? second : 0;
  copy.keep   = keep;
  copy_rows(launch, copy);
}

void PaddedExecutable::copy_out(Launch const& launch, void const* state, void* out) const {
  PointBox const range{m_problem.begin, m_problem.end};
  copy_rows(launch,
            copy_of(m_problem.value_type, range, state, padded(m_problem).out_stride, out, m_problem.out_stride));
}

bool PaddedExecutable::runs_directly(void const* in, void const* out, std::int64_t steps) const {
  if (m_direct == nullptr) return false;
  return steps < m_least_steps || (begins_at_vector(in) && begins_at_vector(out) && aligned_pitch(m_problem));
}

void PaddedExecutable::sweep(Launch const& launch, void const* in, void* out) const {
  if (runs_directly(in, out, 1)) {
    m_direct->sweep(launch, in, out);
    return;
  }
  CurrentDevice const current(m_device);
  std::lock_guard<std::mutex> const lock(m_mutex);
  copy_in(launch, in, false);
  m_on_padded->sweep(launch, state(0), state(1));
  copy_out(launch, state(1), out);
}

std::int64_t PaddedExecutable::pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const {
  bool const same_strides = m_problem.in_stride == m_problem.out_stride;
  if (runs_directly(in, out, steps)) return m_direct->pass(launch, in, out, same_strides ? steps : 1);
  CurrentDevice const current(m_device);
  std::lock_guard<std::mutex> const lock(m_mutex);
  if (m_ends.depth > 0 && steps >= 2 * m_ends.depth) {
    pass_by_ends(launch, in, out, steps);
    return steps;
  }
  {
    ToolsRegion const region(launch);
    copy_in(launch, in, steps > 1);
  }
  void* const newest = steps > 1 ? m_on_padded->iterate(launch, state(0), state(1), steps) : state(1);
  ToolsRegion const region(launch);
  if (steps == 1) m_on_padded->sweep(launch, state(0), state(1));
  copy_out(launch, newest, out);
  return steps;
}

void PaddedExecutable::pass_by_ends(Launch const& launch, void const* in, void* out, std::int64_t steps) const {
  std::int64_t left = steps - 2 * m_ends.depth;
  bool const evenly = m_ends.between != nullptr && left % m_ends.depth == 0;
  // Copies of ghost values write some points of the range, too, before the passes do.
  if (m_ends.between == nullptr) m_ghosts_in.copy(launch, in, state(0), true);
  m_ends.first->pass(launch, in, state(0), m_ends.depth);
  void *newest = state(0), *other = state(1);
  for (; evenly && left > 0; left -= m_ends.depth) {
    m_ends.between->pass(launch, newest, other, m_ends.depth);
    std::swap(newest, other);
  }
  if (left > 0) {
    m_ghosts.copy(launch, newest, other, true);
    newest = m_on_padded->iterate(launch, newest, other, left);
  }
  m_ends.last->pass(launch, newest, out, m_ends.depth);
}

bool PaddedExecutable::sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm,
                                       NormReducer& reducer) const {
  return m_direct != nullptr && m_direct->sweep_with_norm(launch, in, out, norm, reducer);
}

}  // namespace Cuda
}  // namespace KokkosStencil
