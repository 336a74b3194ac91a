// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelTest.hpp"
#include "resident/Plan.hpp"
#include "resident/VolumePlan.hpp"
#include "temporal/Plan.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>
#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

// How cuda_resident deals out planes and volumes that stay on the chip.

namespace KokkosStencil {
namespace Cuda {
namespace {

/// Blocks wait for those whose points are in their halo, and for those that have their points in theirs.
TEST(CudaModel, ResidentBlocksKnowTheirPeers) {
  using namespace Cuda::Resident;
  Face const faces[] = {Face::halo(), Face::periodic(), Face::mirror(), Face::value(1.0)};
  int most = 0, cuts = 0;
  for (int radius : {1, 2}) {
    for (Face const& face : faces) {
      for (std::int64_t const rows : {5, 37, 64, 131, 500, 777}) {
        for (std::int64_t const columns : {5, 97, 256, 640, 1023}) {
          for (int const trim : {0, 3}) {
            Problem p = Model::grid_problem(Model::star(2, radius), 2, {{rows, columns, 1}}, ValueType::float32,
                                            Accuracy::native, 100);
            for (std::size_t a = 1; a < 3; ++a) {
              p.faces[a] = {{face, face}};
              if (face.kind == BoundaryKind::halo) continue;
              p.begin[a] = trim < p.extent[a] / 2 ? trim : 0;
              p.end[a]   = p.extent[a] - p.begin[a];
            }
            for (int kernel = 0; kernel < kernel_table(p.value_type).count; ++kernel) {
              if (kernel_table(p.value_type).rows[kernel].shape.radius != radius) continue;
              if (!kernel_table(p.value_type).rows[kernel].shape.star) continue;
              for (int const depth : {1, 5, 12}) {
                Resident::Plan const plan(p, device("H200"), static_cast<std::size_t>(kernel), depth);
                if (!plan.unsupported_reason().empty()) continue;
                ++cuts;
                ASSERT_LE(plan.blocks(), device("H200").multiprocessors);
                Temporal::PatchArgs const& g          = plan.patches();
                std::vector<std::int32_t> const peers = plan.peers();
                ASSERT_EQ(peers.size(), static_cast<std::size_t>(g.patches[0] + g.patches[1]) * (most_peers + 1));
                for (std::size_t a = 0; a < 2; ++a) {
                  // [i][j]: i waits for j.
                  int const count = g.patches[a];
                  std::vector<std::vector<bool>> waits(static_cast<std::size_t>(count));
                  std::int32_t const* list = peers.data() + (a == 0 ? 0 : g.patches[0] * (most_peers + 1));
                  for (auto& its : waits) {
                    its.assign(static_cast<std::size_t>(count), false);
                    ASSERT_GE(list[0], 1);
                    ASSERT_LE(list[0], most_peers);
                    most = std::max(most, static_cast<int>(list[0]));
                    for (int k = 1; k <= list[0]; ++k) its[static_cast<std::size_t>(list[k])] = true;
                    list += most_peers + 1;
                  }
                  auto const low  = [&](int i) { return i == 0 ? g.begin[a] : g.first[a] + g.halo[a] + i * g.step[a]; };
                  auto const high = [&](int i) { return i + 1 == count ? g.end[a] : low(i + 1); };
                  for (int i = 0; i < count; ++i) {
                    for (int at = low(i) - depth * radius; at < high(i) + depth * radius; ++at) {
                      int side             = -1;
                      std::int64_t const m = Impl::map_near_index(at, g.extent[a], g.faces[a], side);
                      if (side >= 0 || m < g.begin[a] || m >= g.end[a]) continue;
                      int owner = 0;
                      while (m >= high(owner)) ++owner;
                      EXPECT_TRUE(waits[static_cast<std::size_t>(i)][static_cast<std::size_t>(owner)]);
                      EXPECT_TRUE(waits[static_cast<std::size_t>(owner)][static_cast<std::size_t>(i)]);
                      // It lies in the frame of its owner.
                      EXPECT_TRUE(owner == i || m < low(owner) + g.halo[a] || m >= high(owner) - g.halo[a]);
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cuts, 500);
  EXPECT_GT(most, 3);
}

/// What warps are told of their bundles: each line is sent by one and received by one, each row that is shown to a warp
/// of the block is read by one, all in the shared memory that there is, and rows to be read lie in the View.
void check_entries(Resident::VolumePlan const& plan, Problem const& p, Resident::VolumeTuning const& k) {
  using namespace Cuda::Resident;
  VolumeLayout const l               = k.layout(size_of(p.value_type));
  VolumeArgs const& g                = plan.args();
  std::vector<VolumeEntry> const all = plan.entries(p.value_type);
  std::int32_t const first           = l.warps * l.entries() * static_cast<std::int32_t>(sizeof(VolumeEntry));
  std::vector<std::int32_t> sent, received;
  ASSERT_EQ(all.size(), static_cast<std::size_t>(plan.blocks() * l.warps * l.entries()));
  for (int block = 0; block < plan.blocks(); ++block) {
    std::vector<std::int32_t> shown, read;
    for (int warp = 0; warp < l.warps; ++warp) {
      int const along_z = warp * g.inverse >> 16, along_y = warp - along_z * g.per_block[1];
      ASSERT_EQ(along_z, warp / g.per_block[1]);
      if (along_z >= g.per_block[0]) continue;
      if (block / g.blocks[1] * g.per_block[0] + along_z >= g.bundles[0]) continue;
      if (block % g.blocks[1] * g.per_block[1] + along_y >= g.bundles[1]) continue;
      VolumeEntry const* const entry = &all[static_cast<std::size_t>((block * l.warps + warp) * l.entries())];
      for (int d = 0; d < l.directions(); ++d) {
        VolumeLink const link = entry[1 + d].link;
        int const bytes       = l.shown(d) * l.row_bytes();
        ASSERT_EQ(link.send >= 0, link.receive >= 0);
        ASSERT_FALSE(link.send >= 0 && link.show >= 0);
        ASSERT_GE(link.from, first);
        ASSERT_LE(link.from + (link.show >= 0 ? 2 : 1) * bytes, plan.shared_bytes());
        if (link.send >= 0) {
          sent.push_back(link.send);
          received.push_back(link.receive);
          ASSERT_LE(std::size_t(2 * 16) * static_cast<std::size_t>(link.send + 32 * l.lines(d)), plan.bytes_of_lines());
        } else if (link.show >= 0) {
          shown.push_back(link.show);
          read.push_back(link.from);
          ASSERT_LE(link.show + 2 * bytes, plan.shared_bytes());
        }
      }
      ASSERT_LE(entry->place.rows, l.around());
      for (int r = 0; r < entry->place.rows; ++r) {
        VolumeRow const row = entry[1 + l.directions() + r].row;
        if (row.constant != 0) continue;
        ASSERT_GE(row.from, 0);
        ASSERT_LT(row.from, p.extent[0] * p.in_stride[0]);
      }
    }
    std::sort(shown.begin(), shown.end());
    std::sort(read.begin(), read.end());
    ASSERT_EQ(shown, read);
    ASSERT_EQ(std::adjacent_find(shown.begin(), shown.end()), shown.end());
  }
  std::sort(sent.begin(), sent.end());
  std::sort(received.begin(), received.end());
  ASSERT_EQ(sent, received);
  ASSERT_EQ(std::adjacent_find(sent.begin(), sent.end()), sent.end());
}

/// All rows are in some bundle, all bundles in some block, and each direction has one that leads back.
TEST(CudaModel, ResidentVolumesAreWhole) {
  using namespace Cuda::Resident;
  Face const faces[] = {Face::halo(), Face::periodic(), Face::mirror(), Face::value(1.0), Face::edge()};
  int cuts           = 0;
  for (ValueType const type : {ValueType::float32, ValueType::float64}) {
    for (int kernel = 0; kernel < volume_table(type).count; ++kernel) {
      VolumeTuning const& k = volume_table(type).rows[kernel];
      VolumeLayout const l  = k.layout(size_of(type));
      for (int d = 0; d < l.directions(); ++d) {
        EXPECT_EQ(l.direction(l.along_z(d), l.along_y(d)), d);
        int const back = l.direction(-l.along_z(d), -l.along_y(d));
        EXPECT_EQ(l.lines(back), l.lines(d));
        EXPECT_GE(3 * l.lines(d), l.shown(d) * l.row_words);
        EXPECT_LE(l.first_line(d) + l.lines(d), l.all_lines());
      }
      for (Face const& face : faces) {
        for (std::int64_t const rows : {2, 5, 31, 64, 97, 130}) {
          for (std::int64_t const columns : {3, 30, 64, 90, 96, 128, 155}) {
            Problem p = Model::grid_problem(k.shape.star ? Model::star(3, 1) : Model::box(3, 1), 3,
                                            {{rows, rows + 3, columns}}, type, Accuracy::native, 100);
            for (std::size_t a = 0; a < 3; ++a) {
              p.faces[a] = {{face, face}};
              if (face.kind == BoundaryKind::halo) continue;
              p.begin[a] = 0;
              p.end[a]   = p.extent[a];
            }
            for (int along_z = 1; along_z <= k.warps; along_z *= 2) {
              VolumePlan const plan(p, device("H200"), static_cast<std::size_t>(kernel), along_z);
              if (!plan.unsupported_reason().empty()) continue;
              ++cuts;
              EXPECT_LE(plan.blocks(), device("H200").multiprocessors);
              EXPECT_LE(plan.shared_bytes(), 227 * 1024);
              EXPECT_GT(plan.seconds(3), plan.seconds(2));
              VolumeArgs const& g = plan.args();
              for (std::size_t a = 0; a < 2; ++a) {
                EXPECT_TRUE(p.end[a] - p.begin[a] >= k.rows[a] || g.beyond[a][1] == Beyond::nothing_changes);
                EXPECT_GE(g.bundles[a] * k.rows[a], p.end[a] - p.begin[a]);
                EXPECT_LT((g.bundles[a] - 1) * k.rows[a], p.end[a] - p.begin[a]);
                EXPECT_GE(g.blocks[a] * g.per_block[a], g.bundles[a]);
              }
              EXPECT_EQ(g.first % k.columns_per_lane, 0);
              EXPECT_LE(g.first, p.begin[2]);
              EXPECT_GE(g.first + 32 * k.columns_per_lane, p.end[2]);
              check_entries(plan, p, k);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cuts, 500);
}

}  // namespace
}  // namespace Cuda
}  // namespace KokkosStencil
