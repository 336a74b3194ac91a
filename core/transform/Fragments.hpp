// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Half.hpp>
#include <transform/Matrix.hpp>
#include <transform/Sparse24.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Threads of a warp.
constexpr int warp_lanes = 32;

/// A matrix of 16-bit elements.
using Bits = BasicMatrix<std::uint16_t>;

/// What every lane of a warp holds of an operand, in 32-bit registers: fragment[lane][register], the
/// element with the lower column in the low half.
template <std::size_t Registers>
using Fragment = std::array<std::array<std::uint32_t, Registers>, warp_lanes>;

/// One 32-bit register in every lane.
using LaneWords = std::array<std::uint32_t, warp_lanes>;

/// A matrix rounded to 16-bit elements.
Bits round_matrix(Matrix const& matrix, Element element);

/// The A fragment of 16 x 16 elements: the operand of the dense m16n8k16 and, with the stored values of a
/// 2:4 matrix of 32 columns, of the sparse m16n8k32 (PTX ISA, fragments of mma and mma.sp).
///
/// Lane 4 g + q holds rows g, g + 8, g, g + 8 in registers 0 to 3: columns 2q, 2q + 1 in registers 0 and
/// 1, columns 8 + 2q, 9 + 2q in registers 2 and 3. For stored values these are the kept columns of groups
/// q and 4 + q.
///
/// @throws Error unless the matrix is 16 x 16
Fragment<4> fragment_a(Bits const& matrix);

/// The metadata registers of up to two sparse m16n8k32 operands (16 rows, 8 groups each): operand s is
/// the one that selector s picks, held by lanes 4 g + 2 s (groups 0 to 3) and 4 g + 2 s + 1 (groups 4 to
/// 7), with row g in the low and row g + 8 in the high half, four bits a group. Unused lanes hold the
/// metadata of the last operand.
///
/// @throws Error for no or more than two operands, or other shapes
LaneWords metadata_k32(std::vector<Selection> const& operands);

}  // namespace Transform
}  // namespace KokkosStencil
