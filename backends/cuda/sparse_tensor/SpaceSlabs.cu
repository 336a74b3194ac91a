// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arch/Ptx.hpp"
#include "common/LaunchKernel.hpp"
#include "SlabKernel.cuh"
#include "TensorTable.hpp"

#include <type_traits>

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

template <int Parts, bool Bfloat, class Way>
Kernel slab() {
  using Element = std::conditional_t<Bfloat, Ptx::Bfloat, Ptx::Half>;
  Kernel k{};
  k.key      = {3, 3, false, Parts, true, Bfloat};
  k.kind     = Kernel::slab;
  k.height   = 1;
  k.warps[0] = k.warps[1] = k.warps[2] = 1;
  k.deep                               = Way::rows;
  k.blocks_per_sm                      = Way::blocks;
  k.one                                = true;
  k.launch = [](Kernel const&, TensorArgs const& args, unsigned blocks, cudaStream_t queue) {
    Cuda::launch_kernel(slabs<Parts, Element, Way>, blocks, Way::threads, 0, queue, args);
  };
  return k;
}

}  // namespace

std::vector<Kernel> space_slabs() {
  return {slab<1, false, Slab<4, 4, 5, 4>>(), slab<1, true, Slab<4, 4, 5, 4>>(), slab<2, false, Slab<4, 4, 5, 3>>(),
          slab<2, true, Slab<4, 4, 5, 3>>()};
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
