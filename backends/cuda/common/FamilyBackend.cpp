// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/FamilyBackend.hpp"

#include "common/Check.hpp"
#include "common/PaddedExecutable.hpp"

#include <impl/KokkosStencil_HeldBytes.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

namespace KokkosStencil {
namespace Cuda {

Status FamilyBackend::can_run(Problem const& p, SpaceInfo const& space) const {
  if (Status const device = supported(space); !device) return device;
  DeviceModel const model = launch_model(space.device);
  std::string reason      = m_answers.unsupported_reason(p, model);
  if (!reason.empty() && may_pad(p) && m_answers.unsupported_reason(padded(p), model).empty() &&
      room_for_padding(space.device, padding_bytes(p))) {
    reason.clear();
  }
  return reason.empty() ? Status::can() : Status::cannot(reason);
}

double FamilyBackend::predict(Problem const& p, SpaceInfo const& space) const {
  return estimates(p, space).front().seconds;
}

std::vector<Estimate> FamilyBackend::estimates(Problem const& p, SpaceInfo const& space) const {
  DeviceModel const& device = device_model(space.device);
  if (!may_pad(p)) return m_answers.cost(p, device);
  return choose_padding(m_answers, p, device, room_for_padding(space.device, padding_bytes(p))).estimates;
}

std::unique_ptr<Executable> FamilyBackend::prepare(Problem const& p, SpaceInfo const& space,
                                                   Launch const& launch) const {
  DeviceModel const& device = device_model(space.device);
  auto const choice         = [&](Problem const& q) { return choose_padding(m_answers, q, device, true); };
  if (!may_pad(p) || !room_for_padding(space.device, padding_bytes(p))) return make(p, space, launch);
  PaddingChoice const chosen = choice(p);
  if (!chosen.pads) return make(p, space, launch);
  bool const direct_too = m_answers.unsupported_reason(p, launch_model(space.device)).empty();
  auto states           = std::make_unique<DeviceBuffer>();
  try {
    states->allocate(space.device, static_cast<std::size_t>(padding_bytes(p)));
    // Kernels read the padding as well. No result depends on it, but it must not be uninitialized memory.
    CurrentDevice const current(space.device);
    check(cudaMemsetAsync(states->data(), 0, states->bytes(), static_cast<cudaStream_t>(launch.stream)),
          "cudaMemsetAsync");
    // Only room_for_padding limits these copies. If they counted for the limit of the plan cache, two plans that are
    // used by turns would evict each other.
    Impl::device_bytes() -= padding_bytes(p);
  } catch (std::runtime_error const&) {
    if (direct_too) return make(p, space, launch);
    throw;
  }
  std::unique_ptr<Executable> direct;
  std::int64_t least_steps = 1;
  if (direct_too) {
    direct        = make(p, space, launch);
    Problem fewer = p;
    for (; least_steps < p.steps; least_steps *= 2) {
      fewer.steps = least_steps;
      if (choice(fewer).pads) break;
    }
  }
  EndExecutables ends;
  if (chosen.ends > 0) ends = make_ends(p, space, chosen.ends);
  return std::make_unique<PaddedExecutable>(p, space, std::move(states), make(padded(p), space, launch),
                                            std::move(direct), least_steps, std::move(ends));
}

}  // namespace Cuda
}  // namespace KokkosStencil
