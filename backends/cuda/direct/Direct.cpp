// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Device.hpp"
#include "FaceStrips.hpp"

#include <KokkosStencil_Backend.hpp>

#include <algorithm>

namespace KokkosStencil {
namespace CudaDirect {

namespace {

class DirectExecutable : public Executable {
 public:
  DirectExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_strips(p, space, launch), m_done{p.begin, p.begin} {}

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    m_strips.run(launch, in, out, m_done);
  }

 private:
  int m_device;
  Cuda::FaceStrips m_strips;
  PointBox m_done;
};

class DirectBackend : public Backend {
 public:
  std::string name() const override { return "cuda_direct"; }

  Verdict can_run(Problem const&, SpaceInfo const& space) const override { return Cuda::supported(space); }

  double predict(Problem const& p, SpaceInfo const&) const override {
    // The plain formula at every point.
    auto const points = static_cast<double>(p.points());
    return static_cast<double>(p.steps) * (5e-6 + points * static_cast<double>(p.terms.size()) / 1e11);
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<DirectExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<DirectBackend const>(); }

}  // namespace CudaDirect
}  // namespace KokkosStencil
