// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Fragments.hpp>

#include <array>

namespace KokkosStencil {
namespace Transform {
namespace Model {

/// The accumulators of a 16 x 8 product: four floats a lane.
using Accumulators = std::array<std::array<float, 4>, warp_lanes>;

/// The warp instructions as the PTX ISA describes them, without any code of the library: operands are
/// taken from the registers of the lanes, the products and sums are exact in double and rounded to float
/// once. (The hardware rounds otherwise; where a test compares with == the sums are exact in float.)
///
/// The sparse ones throw std::invalid_argument where the ISA leaves the behaviour undefined: a selector
/// out of range, or metadata that is not in increasing order.

/// mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.{f16,bf16}.{f16,bf16}.f32
Accumulators mma_sp_m16n8k32(Element element, Fragment<4> const& a, Fragment<4> const& b, Accumulators const& c,
                             LaneWords const& metadata, int selector);

/// mma.sp::ordered_metadata.sync.aligned.m16n8k16
Accumulators mma_sp_m16n8k16(Element element, Fragment<2> const& a, Fragment<2> const& b, Accumulators const& c,
                             LaneWords const& metadata, int selector);

/// mma.sync.aligned.m16n8k16.row.col
Accumulators mma_m16n8k16(Element element, Fragment<4> const& a, Fragment<2> const& b, Accumulators const& c);

/// movmatrix.sync.aligned.m8n8.trans.b16
LaneWords movmatrix(LaneWords const& source);

}  // namespace Model
}  // namespace Transform
}  // namespace KokkosStencil
