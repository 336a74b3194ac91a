// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Candidate.hpp"

// Builds without CUDA.

namespace perf {

std::vector<std::string> textbooks_of(Case const&) { return {}; }

std::unique_ptr<Candidate> make_textbook(Case const&, Fields, std::string const&) {
  throw Unavailable("textbooks' kernels are CUDA, which this build's Kokkos has not");
}

}  // namespace perf
