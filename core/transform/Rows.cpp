// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Rows.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

std::int64_t floor_to_vector(std::int64_t x) {
  std::int64_t const remainder = x % vector_elements;
  return x - (remainder < 0 ? remainder + vector_elements : remainder);
}

// The shift nearest to 0 whose window serves first ... last; few different shifts mean few loads.
int nearest_shift(std::int64_t first, std::int64_t last) {
  std::int64_t const largest  = floor_to_vector(first + window_lead);
  std::int64_t const smallest = -floor_to_vector(window_lead - 1 - last);
  return static_cast<int>(std::max(std::min<std::int64_t>(0, largest), smallest));
}

}  // namespace

std::vector<KernelRow> kernel_rows(std::vector<Term> const& terms) {
  std::vector<KernelRow> rows;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    auto const& offset = terms[i].offset;
    if (i > 0 && !(terms[i - 1].offset < offset)) {
      throw Error("Transform::kernel_rows: term " + std::to_string(i) +
                  " is out of order or repeats an offset; pass the terms through Impl::normalize first");
    }
    if (!std::isfinite(terms[i].coefficient)) {
      throw Error("Transform::kernel_rows: the coefficient of term " + std::to_string(i) +
                  " is not finite; a stencil needs finite coefficients");
    }
    if (rows.empty() || rows.back().dz != offset[0] || rows.back().dy != offset[1]) {
      rows.push_back({offset[0], offset[1], {}});
      // As the row before, mostly.
      if (rows.size() > 1) rows.back().weights.reserve(rows[rows.size() - 2].weights.size());
    }
    rows.back().weights.push_back({offset[2], terms[i].coefficient});
  }
  return rows;
}

std::vector<Chunk> split_row(KernelRow const& row) {
  std::vector<Chunk> chunks;
  auto const end = row.weights.end();
  for (auto first = row.weights.begin(); first != end;) {
    // The window that starts last among those with the first offset reaches farthest.
    std::int64_t const reach = floor_to_vector(std::int64_t{first->dx} + window_lead) + window_lead - 1;
    auto const next          = std::find_if(first, end, [&](Weight const& w) { return w.dx > reach; });
    chunks.push_back({row.dz, row.dy, nearest_shift(first->dx, std::prev(next)->dx), {first, next}});
    first = next;
  }
  return chunks;
}

std::vector<Chunk> split_rows(std::vector<KernelRow> const& rows) {
  std::vector<Chunk> chunks;
  chunks.reserve(rows.size());
  for (KernelRow const& row : rows) {
    for (Chunk& chunk : split_row(row)) chunks.push_back(std::move(chunk));
  }
  return chunks;
}

}  // namespace Transform
}  // namespace KokkosStencil
