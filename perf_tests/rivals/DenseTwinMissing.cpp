// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Candidate.hpp"

// Without the CUDA kernels.

namespace perf {

bool has_dense_twin(Case const&) { return false; }

std::unique_ptr<Candidate> make_dense_twin(Case const&, Fields) {
  throw Unavailable("the CUDA kernels were not compiled");
}

}  // namespace perf
