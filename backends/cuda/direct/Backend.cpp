// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/FamilyBackend.hpp"
#include "direct/Direct.hpp"
#include "direct/Executable.hpp"
#include "direct/Plan.hpp"

// One sweep on CUDA cores.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

class DirectBackend : public Cuda::FamilyBackend {
 public:
  DirectBackend() : FamilyBackend("cuda_direct", unsupported_reason, cost) {}

  bool can_update() const override { return true; }

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return make_executable(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<DirectBackend const>(); }

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
