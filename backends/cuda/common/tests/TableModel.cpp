// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelTest.hpp"
#include "common/KernelTime.hpp"
#include "sparse_table/Layout.hpp"

#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

// Layouts of cuda_sparse_table.

namespace KokkosStencil {
namespace Cuda {
namespace {

TEST(CudaModel, LayoutsReachFar) {
  auto const reach = [](char const* gpu, bool star) {
    int r = 1;
    for (;; ++r) {
      Problem const p = problem(star ? Model::star(3, r) : Model::box(3, r), 3, ValueType::float16);
      if (!Cuda::SparseTable::choose_layout(p, device(gpu).multiprocessors,
                                            shared_bytes_of(device(gpu).compute_capability)))
        break;
    }
    return r - 1;
  };
  // The text of unsupported_reason names the same numbers.
  EXPECT_EQ(reach("H200", false), 10);
  EXPECT_EQ(reach("H200", true), 18);
  EXPECT_EQ(reach("A100", false), 8);
  EXPECT_EQ(reach("A100", true), 16);
}

/// Shared memory as the kernel's copies leave it: where each row of each plane begins.
class Rings {
 public:
  explicit Rings(Cuda::SparseTable::Layout const& layout) : m_layout(layout) {
    for (Ring& r : m_rings) r.next = r.of->lower[0];
    copy(true);
  }

  /// The next tile of planes, into the slots that follow.
  void copy(bool first = false) {
    for (Ring& r : m_rings) {
      int const count = m_layout.tile.z + (first ? r.of->upper[0] - r.of->lower[0] : 0);
      for (int i = 0; i < count && r.of->planes > 0; ++i, ++r.next) {
        for (int row = 0; row < r.of->rows; ++row) {
          int const word = r.of->at / 4 + r.slot * r.of->plane_words + row * m_layout.row_words;
          m_rows[word]   = {{r.next, r.of->lower[1] + row}};
        }
        r.slot = (r.slot + 1) % r.of->planes;
      }
    }
  }

  /// Plane and row that begin at a word.
  std::array<int, 2> at(int word) const {
    auto const found = m_rows.find(word);
    return found == m_rows.end() ? std::array<int, 2>{{1 << 20, 1 << 20}} : found->second;
  }

 private:
  struct Ring {
    Cuda::SparseTable::PlaneRing const* of;
    int next = 0, slot = 0;
  };
  Cuda::SparseTable::Layout const& m_layout;
  std::array<Ring, 2> m_rings{{{&m_layout.ring}, {&m_layout.near_ring}}};
  std::map<int, std::array<int, 2>> m_rows;
};

TEST(CudaModel, RingsHoldWhatTilesRead) {
  TermList lopsided;
  for (int z = -9; z <= 8; ++z) {
    for (int y = -10; y <= 9; ++y) {
      if (z >= 1 && z <= 4 ? y % 2 == 0 : y == -2 || y == 0) lopsided.push_back({{{z, y, y % 3}}, 1.0});
    }
  }
  for (char const* gpu : {"H200", "A100"}) {
    for (TermList const& terms : {Model::box(3, 2), Model::box(3, 7), Model::star(3, 4), Model::star(3, 12),
                                  Model::star(3, 15), Model::star(3, 16), lopsided}) {
      Problem const p                   = problem(terms, 3, ValueType::float16);
      Cuda::SparseTable::Layout const l = Cuda::SparseTable::choose_layout(
          p, device(gpu).multiprocessors, shared_bytes_of(device(gpu).compute_capability));
      ASSERT_TRUE(l);
      SCOPED_TRACE(std::string(gpu) + ", " + std::to_string(terms.size()) + " terms, " + std::to_string(l.ring.planes) +
                   " and " + std::to_string(l.near_ring.planes) + " planes");
      if (terms == lopsided || terms == Model::star(3, 16)) {
        EXPECT_GT(l.near_ring.planes, 0);
      }
      Rings rings(l);
      for (int turn = 0; turn < l.phases + 2; ++turn) {
        rings.copy();
        for (int oz = 0; oz < l.tile.z; ++oz) {
          for (int oy = 0; oy < l.tile.y; ++oy) {
            for (Term const& t : Cuda::SparseTable::kernel_terms(p)) {
              int const z = oz + t.offset[0], y = oy + t.offset[1];
              int const row = l.word({{z, y, -l.left}}, turn % l.phases) + l.ring.at / 4;
              // The block's first and last tile.
              int const last = l.height - l.tile.y;
              ASSERT_EQ(rings.at(row), (std::array<int, 2>{{turn * l.tile.z + z, y}}));
              ASSERT_EQ(rings.at(row + last * l.row_words), (std::array<int, 2>{{turn * l.tile.z + z, y + last}}));
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace Cuda
}  // namespace KokkosStencil
