// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace KokkosStencil {
namespace Test {

/// Whether f() throws Error with a text that contains every one of the parts.
template <class F>
testing::AssertionResult throws_error(F const& f, std::vector<std::string> const& parts) {
  try {
    f();
  } catch (Error const& error) {
    std::string const text = error.what();
    for (std::string const& part : parts) {
      if (text.find(part) == std::string::npos) {
        return testing::AssertionFailure() << "the error does not mention \"" << part << "\": " << text;
      }
    }
    return testing::AssertionSuccess();
  } catch (std::exception const& other) {
    return testing::AssertionFailure() << "another exception: " << other.what();
  }
  return testing::AssertionFailure() << "nothing was thrown";
}

}  // namespace Test
}  // namespace KokkosStencil

/// The statement throws KokkosStencil::Error, and its text contains every one of the strings that follow.
#define EXPECT_ERROR(statement, ...) \
  EXPECT_TRUE(KokkosStencil::Test::throws_error([&] { static_cast<void>(statement); }, {__VA_ARGS__}))
