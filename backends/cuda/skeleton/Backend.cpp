// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/Plan.hpp"

#include "common/FamilyBackend.hpp"
#include "common/InteriorExecutable.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {

namespace {

class SkeletonExecutable : public InteriorExecutable {
 public:
  SkeletonExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : InteriorExecutable(p, space, launch), m_plan(p, launch_model(space.device)) {}

 private:
  PointBox launch_interior(void const* in, void* out, cudaStream_t stream) const override {
    Work const work = m_plan.work(in, out);
    if (work.blocks > 0) launch(m_plan.kernel(), work.args, work.blocks, stream);
    return work.done;
  }

  Plan m_plan;
};

class SkeletonBackend : public FamilyBackend {
 public:
  SkeletonBackend() : FamilyBackend("cuda_skeleton", unsupported_reason, cost) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<SkeletonExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<SkeletonBackend const>(); }

}  // namespace Skeleton
}  // namespace Cuda
}  // namespace KokkosStencil
