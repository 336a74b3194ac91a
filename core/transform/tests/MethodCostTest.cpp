// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencils.hpp"
#include "paper/MethodCost.hpp"

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

namespace KokkosStencil {
namespace Transform {
namespace {

void expect(Cost const& cost, double operations, double input, double parameters) {
  EXPECT_DOUBLE_EQ(cost.operations, operations);
  EXPECT_DOUBLE_EQ(cost.input, input);
  EXPECT_DOUBLE_EQ(cost.parameters, parameters);
}

TEST(BoxCost, TableTwo) {
  expect(BoxCost::lower_bound(3), 49, 3.0625, 0.765625);
  expect(BoxCost::conv_stencil(3), 104, 13, 13);
  expect(BoxCost::tc_stencil(3), 286.72, 17.92, 17.92);
  expect(BoxCost::lora_stencil(3), 144, 4, 12);
  expect(BoxCost::spider(3), 56, 14, 7);
}

TEST(BoxCost, SpiderNeverBeatsTheBound) {
  for (int radius = 0; radius <= 32; ++radius) {
    EXPECT_GE(BoxCost::spider(radius).operations, BoxCost::lower_bound(radius).operations);
    EXPECT_GE(BoxCost::spider(radius).parameters, BoxCost::lower_bound(radius).parameters);
  }
}

TEST(BoxCost, TcStencilEndsAtRadiusSeven) {
  EXPECT_NO_THROW(BoxCost::tc_stencil(7));
  EXPECT_THROW(BoxCost::tc_stencil(8), Error);
}

TEST(PackCost, RadiusSevenIsSpiders) {
  // L = 16 there, so the window of the kernels is SPIDER's.
  auto const terms    = Samples::box(2, 7);
  Cost const sparse   = pack_cost(pack_sparse(terms));
  Cost const dense    = pack_cost(pack_dense(terms));
  Cost const expected = BoxCost::spider(7);
  expect(sparse, expected.operations, expected.input, expected.parameters);
  expect(dense, 2 * expected.operations, expected.input, 2 * expected.parameters);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
