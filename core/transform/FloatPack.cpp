// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/FloatPack.hpp>

#include <transform/Half.hpp>
#include <transform/StridedSwap.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// What is left of a scaled coefficient after its nearest half, lifted to the scale of the next split.
double next_split(double value) {
  return std::ldexp(value - static_cast<double>(from_bits(to_bits(value, Element::half), Element::half)), split_bits);
}

/// The row of a Pack's matrices that computes each output.
std::array<int, block_outputs> const& rows_in_order() {
  static std::array<int, block_outputs> const rows = [] {
    std::array<int, block_outputs> r{};
    for (int m = 0; m < block_outputs; ++m) r[at(output_order()[at(m)])] = m;
    return r;
  }();
  return rows;
}

}  // namespace

int float_scale_log2(std::vector<Term> const& terms) {
  double largest = 0.0;
  for (Term const& t : terms) largest = std::max(largest, std::fabs(t.coefficient));
  return largest > 0.0 ? 14 - std::ilogb(largest) : 0;
}

double float_coefficient_error(std::vector<Term> const& terms, int splits) {
  int const scale = float_scale_log2(terms);
  double worst    = 0.0;
  for (Term const& t : terms) {
    double const value = std::ldexp(t.coefficient, scale);
    double rest        = value;
    for (int p = 0; p < splits; ++p) rest = next_split(rest);
    if (value != 0.0) worst = std::max(worst, std::fabs(std::ldexp(rest, -split_bits * splits) / value));
  }
  return worst;
}

FloatPack pack_float(std::vector<Term> const& terms, int splits) {
  FloatPack result;
  result.splits     = splits;
  result.scale_log2 = float_scale_log2(terms);
  PackOptions options;
  options.coefficients = Coefficients::rounded;
  auto rest            = terms;
  for (Term& t : rest) t.coefficient = std::ldexp(t.coefficient, result.scale_log2);
  auto const& from = rows_in_order();
  for (int split = 0; split < splits; ++split) {
    Pack const pack = pack_sparse(rest, options);
    if (split == 0) {
      result.chunks = pack.chunks;
      for (int lane = 0; lane < warp_lanes; ++lane) {
        for (int half = 0; half < 2; ++half) {
          int const m              = from[at(lane / 4 + 8 * half)];
          std::uint32_t const word = pack.metadata[at(4 * (m % 8) + lane % 4)];
          result.metadata[at(lane)] |= (m < 8 ? word & 0xffffu : word >> 16) << (16 * half);
        }
      }
    }
    for (int chunk = 0; chunk < static_cast<int>(pack.chunks.size()); ++chunk) {
      for (int lane = 0; lane < warp_lanes; ++lane) {
        for (int r = 0; r < 4; ++r) {
          int const m = from[at(lane / 4 + 8 * (r % 2))];
          result.a.push_back(pack.a[pack.index(0, chunk, 0, 4 * (m % 8) + lane % 4) + at(m / 8 + r / 2 * 2)]);
        }
      }
    }
    for (Term& t : rest) t.coefficient = next_split(t.coefficient);
  }
  return result;
}

}  // namespace Transform
}  // namespace KokkosStencil
