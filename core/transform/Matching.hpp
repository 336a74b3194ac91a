// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Which pairs of adjacent columns of a kernel matrix cannot share a group of four columns that are 2:4 (the conflict
/// graph of SparStencil, definition 1, for pairs in place of columns). Vertex i is columns 2 i and 2 i + 1; two of them
/// conflict if some row has more than two non-zeros in them.
class ConflictGraph {
 public:
  explicit ConflictGraph(Matrix const& matrix);

  int size() const { return m_size; }
  /// Whether vertices i and j (different ones) have an edge.
  bool conflict(int i, int j) const;
  /// The vertices without conflict as bits, (size() + 63) / 64 words; a vertex is not among its own.
  std::uint64_t const* partners(int vertex) const { return &m_partners[static_cast<std::size_t>(vertex) * m_words]; }

 private:
  int m_size;
  std::size_t m_words;  // 64 vertices each
  std::vector<std::uint64_t> m_partners;
};

/// Vertices of a conflict graph by twos (SparStencil, definition 3): partner[v] is the other one, or `none`, for which
/// zero columns have to be appended.
struct Matching {
  static constexpr int none = -1;

  std::vector<int> partner;
};

/// A maximum matching, so the smallest number of zero columns: Edmonds' blossom algorithm
/// on the complement of the conflict graph, from an initial matching. Cubic in the worst case; a good
/// initial matching leaves few searches.
///
/// @throws Error if the initial matching is of another size; it has to be valid
Matching maximum_matching(ConflictGraph const& graph, Matching initial);

}  // namespace Transform
}  // namespace KokkosStencil
