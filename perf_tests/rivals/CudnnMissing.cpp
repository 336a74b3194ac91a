// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Candidate.hpp"

// Builds without CUDA or without cuDNN's headers.

namespace perf {

bool has_cudnn(Case const&) { return false; }

std::unique_ptr<Candidate> make_cudnn(Case const&, Fields) {
  throw Unavailable("this build has no cuDNN (its headers were not found, or Kokkos has no CUDA)");
}

}  // namespace perf
