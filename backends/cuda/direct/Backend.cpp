// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/Device.hpp"
#include "direct/Executable.hpp"
#include "direct/Plan.hpp"

#include <KokkosStencil_Backend.hpp>

#include <string>

// One sweep on CUDA cores.

namespace KokkosStencil {
namespace CudaDirect {

namespace {

class DirectBackend : public Backend {
 public:
  std::string name() const override { return "cuda_direct"; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    if (Status const status = Cuda::supported(space); !status) return status;
    std::string const reason = unsupported_reason(p, Cuda::device_model(space.device));
    return reason.empty() ? Status::can() : Status::cannot(reason);
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    return cost(p, Cuda::device_model(space.device));
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return make_executable(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<DirectBackend const>(); }

}  // namespace CudaDirect
}  // namespace KokkosStencil
