// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/Fitted.hpp"
#include "common/WithType.hpp"
#include "direct/Kernels.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

namespace KokkosStencil {
namespace {

/// Where the model retypes what a kernel of cuda_direct is made with.
template <class T>
void compare(std::size_t type, char const* name) {
  for (CudaDirect::ShapeKernel const* k = CudaDirect::shape_kernels<T>(); k->width != 0; ++k) {
    int const rank     = k->rz > 0 ? 3 : k->ry > 0 ? 2 : 1;
    std::string what   = std::string(name) + (k->masked ? " in " : " ") + (k->star ? "star" : "box");
    what += " " + std::to_string(rank) + "-D r" + std::to_string(k->rx) + ": ";
    CudaModel::March const* found = nullptr;
    for (CudaModel::March const& m : CudaModel::marches) {
      if (m.star == k->star && m.rank == rank && m.radius == k->rx && m.width[type] != 0) found = &m;
    }
    EXPECT_EQ(found != nullptr, k->march != CudaDirect::March::none) << what << "marches";
    if (found == nullptr) continue;
    EXPECT_EQ(found->width[type], k->width * int(sizeof(T))) << what << "width";
    EXPECT_EQ(found->height[type], k->height) << what << "height";
    EXPECT_EQ(found->length[type], k->length) << what << "length";
    EXPECT_EQ(found->blocks[type], k->blocks) << what << "blocks";
  }
}

TEST(DirectTables, ModelAndInstancesAgree) {
  compare<__half>(0, "half");
  compare<float>(1, "float");
  compare<double>(2, "double");
}

}  // namespace
}  // namespace KokkosStencil
