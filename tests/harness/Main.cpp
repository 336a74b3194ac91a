// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Listing must work where the device is missing, as on a login node.
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  // The tests choose backends themselves.
  unsetenv("KOKKOSSTENCIL_BACKEND");
  Kokkos::ScopeGuard const scope(argc, argv);
  return RUN_ALL_TESTS();
}
