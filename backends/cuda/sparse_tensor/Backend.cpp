// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_tensor/Executable.hpp"
#include "sparse_tensor/Plan.hpp"

#include "common/FamilyBackend.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

class SparseTensorBackend : public FamilyBackend {
 public:
  SparseTensorBackend() : FamilyBackend("cuda_sparse_tensor", unsupported_reason, cost) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<SparseTensorExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<SparseTensorBackend const>(); }

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
