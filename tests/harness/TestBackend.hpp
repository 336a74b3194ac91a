// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace KokkosStencil {
namespace Test {

/// How the backends that tests register behave; one state for the process.
struct TestBackendState {
  bool accepts       = false;
  std::int64_t pitch = 0;      ///< of the rows of the input, the only one it accepts; 0: any
  double predicted   = 1e-30;  ///< seconds
  /// Seconds for each depth of fusion, if several; depths above the number of steps are not offered.
  std::map<int, double> depths;
  std::string throws_in;                ///< "can_run", "predict", "prepare", "sweep" or "pass": what throws
  bool prepares_nothing       = false;  ///< prepare returns null
  std::int64_t sweeps_in_pass = 1;      ///< what a pass says that it did

  std::size_t bytes = 0;  ///< what an executable says that it holds

  int prepared       = 0;
  int prepared_depth = 0;
  int sweeps         = 0;
};

/// Registers, once, a backend "test_switch" whose answers follow the state. It does no work: only host
/// Views whose contents do not matter may be given to it.
TestBackendState& test_backend();

}  // namespace Test
}  // namespace KokkosStencil
