// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_FunctorPatches.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

// The kernel for patches, with one thread, against sweeps point by point: what blocks own, what they compute besides,
// and what follows mirrors, edges and periodic faces.

namespace KokkosStencil {
namespace {

using Impl::BasicNeighborhood;
using Impl::FieldGeometry;
using Impl::FieldRef;
using Impl::Pack;
using Impl::ViewIndex;

struct OneThread {
  int thread = 0, threads = 1;
  void sync() const {}
};

template <int Rank>
std::int64_t at(BasicNeighborhood<std::int64_t, Rank> const& n, int axis, int distance) {
  int d[3] = {0, 0, 0};
  d[axis]  = distance;
  if constexpr (Rank == 1) return n(d[0]);
  if constexpr (Rank == 2) return n(d[0], d[1]);
  if constexpr (Rank == 3) return n(d[0], d[1], d[2]);
}

/// Wraps around, so that every value counts; reads everything up to the reach along the axes, and a corner.
template <int Rank>
struct Mix {
  int reach, constant_reach;
  void operator()(BasicNeighborhood<std::int64_t, Rank> const& u, BasicNeighborhood<std::int64_t, Rank> const& w,
                  BasicNeighborhood<std::int64_t, Rank> const& k, std::int64_t& next_u, std::int64_t& next_w) const {
    std::uint64_t sum = 1;
    for (int a = 0; a < Rank; ++a) {
      sum = sum * 31 + static_cast<std::uint64_t>(u.index(a));
      for (int d = -reach; d <= reach; ++d) {
        sum = sum * 31 + static_cast<std::uint64_t>(at<Rank>(u, a, d));
        sum = sum * 37 + static_cast<std::uint64_t>(at<Rank>(w, a, -d));
      }
      for (int d = -constant_reach; d <= constant_reach; ++d) {
        sum = sum * 41 + static_cast<std::uint64_t>(at<Rank>(k, a, d));
      }
    }
    if constexpr (Rank == 2) sum = sum * 43 + static_cast<std::uint64_t>(u(reach, -reach));
    if constexpr (Rank == 3) sum = sum * 43 + static_cast<std::uint64_t>(u(-reach, reach, reach));
    next_u = static_cast<std::int64_t>(sum % 1000003);
    next_w = next_w / 2 + static_cast<std::int64_t>(sum % 1009);
  }
};

template <int Rank>
struct Fields {
  std::array<std::int64_t, 3> extent{{1, 1, 1}};
  std::int64_t stride[3] = {1, 1, 1};
  std::vector<std::int64_t> u, w, k;

  Fields(std::array<std::int64_t, 3> const& n, int fast, std::mt19937& random) : extent(n) {
    std::int64_t size = 1;
    for (int a = Rank - 1; a >= 0; --a) {
      int const axis = fast == 0 ? Rank - 1 - a : a;
      stride[axis]   = size;
      size *= extent[static_cast<std::size_t>(axis)];
    }
    for (auto* v : {&u, &w, &k}) {
      v->resize(static_cast<std::size_t>(size));
      for (std::int64_t& x : *v) x = static_cast<std::int64_t>(random() % 1000003);
    }
  }
  template <class T, class Values>
  FieldRef<T, Rank> ref(Values& values) const {
    FieldRef<T, Rank> r{values.data(), {}};
    for (int a = 0; a < Rank; ++a) r.stride[a] = stride[a];
    return r;
  }
};

template <int Rank>
void sweep_plainly(Mix<Rank> const& f, Fields<Rank>& fields, FieldGeometry const& geometry, PointBox const& range) {
  Fields<Rank> const before = fields;
  for (std::int64_t x = range.begin[0]; x < range.end[0]; ++x)
    for (std::int64_t y = range.begin[1]; y < range.end[1]; ++y)
      for (std::int64_t z = range.begin[2]; z < range.end[2]; ++z) {
        std::int64_t const all[3] = {x, y, z};
        ViewIndex<Rank> i, stride;
        std::int64_t place = 0;
        for (int a = 0; a < Rank; ++a) {
          i[a]      = all[a];
          stride[a] = fields.stride[a];
          place += i[a] * stride[a];
        }
        auto const near = [&](std::vector<std::int64_t> const& v) {
          return BasicNeighborhood<std::int64_t, Rank>(v.data(), stride, i, &geometry);
        };
        auto const p = static_cast<std::size_t>(place);
        f(near(before.u), near(before.w), near(before.k), fields.u[p], fields.w[p]);
      }
}

Face random_face(std::mt19937& random) {
  switch (random() % 4) {
    case 0: return Face::halo();
    case 1: return Face::value(static_cast<double>(random() % 100));
    case 2: return Face::mirror();
    default: return Face::edge();
  }
}

template <int Rank, int Fast>
void check_patches(std::uint32_t seed) {
  using Values = Pack<std::int64_t, std::int64_t>;
  using Kernel = Impl::PatchKernel<Rank, Fast, false, Mix<Rank>, Values, Pack<std::int64_t>>;
  std::mt19937 random(seed);
  int blocks = 0, passes = 0;
  for (int n = 0; n < 60; ++n) {
    SCOPED_TRACE("problem " + std::to_string(n));
    Mix<Rank> const f{1 + int(random() % 2), int(random() % 4)};
    int const far = std::max(f.reach, f.constant_reach);
    std::array<std::int64_t, 3> extent{{1, 1, 1}};
    FieldGeometry geometry;
    Impl::PatchProblem problem{};
    problem.geometry = &geometry;
    for (int a = 0; a < Rank; ++a) {
      auto const k        = static_cast<std::size_t>(a);
      extent[k]           = 2 * far + 4 + static_cast<std::int64_t>(random() % (Rank == 1 ? 300 : Rank == 2 ? 40 : 12));
      geometry.extent[k]  = extent[k];
      bool const periodic = random() % 3 == 0;
      geometry.faces[k][0] = periodic ? Face::periodic() : random_face(random);
      geometry.faces[k][1] = periodic ? Face::periodic() : random_face(random);
      auto const ghost     = [&](int side) { return geometry.faces[k][side].kind == BoundaryKind::halo ? far : 0; };
      problem.where.range.begin[k] = ghost(0) + (!periodic && random() % 4 == 0 ? 1 : 0);
      problem.where.range.end[k]   = extent[k] - ghost(1) - (!periodic && random() % 4 == 0 ? 1 : 0);
      problem.states.before[k] = problem.states.behind[k] = f.reach;
      problem.constants.before[k] = problem.constants.behind[k] = f.constant_reach;
    }
    for (std::size_t k = Rank; k < 3; ++k) {
      problem.where.range.begin[k] = 0;
      problem.where.range.end[k]   = 1;
    }
    for (int k = 0; k < 3; ++k) problem.axis[static_cast<std::size_t>(k)] = k < Rank ? Kernel::axis(k) : k;
    Fields<Rank> fields(extent, Fast, random), other = fields, plain = fields;
    Impl::PatchKernelInfo const info{
        Rank, Kernel::rows, 64, 2, 1, 16, 8, 1 + int(random() % 8), 1 << (13 + random() % 5)};
    ASSERT_EQ(Impl::patches_unsupported(info, problem), "");

    std::int64_t const steps           = 1 + static_cast<std::int64_t>(random() % 9);
    Impl::PatchSchedule const schedule = Impl::patch_schedule(info, problem, steps, true, nullptr);
    if (schedule.empty()) continue;
    std::int64_t left = steps;
    while (left > 0) {
      int const sweeps = schedule.next(left);
      ASSERT_GT(sweeps, 0);
      Kernel const kernel{f,
                          {fields.template ref<std::int64_t>(fields.u), fields.template ref<std::int64_t>(fields.w)},
                          {fields.template ref<std::int64_t>(other.u), fields.template ref<std::int64_t>(other.w)},
                          {fields.template ref<std::int64_t const>(std::as_const(fields.k))},
                          geometry,
                          schedule.pass(sweeps)};
      for (std::uint32_t b = 0; b < kernel.tasks.count(); ++b) {
        std::size_t const words = static_cast<std::size_t>(kernel.tasks.slots) * 5;
        ASSERT_LE(words * sizeof(std::int64_t), static_cast<std::size_t>(info.shared_bytes));
        std::vector<std::int64_t> memory(words + Kernel::table_bytes / sizeof(std::int64_t), -1);
        kernel.run(b, reinterpret_cast<unsigned char*>(memory.data()), OneThread{});
      }
      blocks += int(kernel.tasks.count());
      passes += 1;
      std::swap(fields.u, other.u);
      std::swap(fields.w, other.w);
      left -= sweeps;
    }
    for (std::int64_t s = 0; s < steps; ++s) sweep_plainly(f, plain, geometry, problem.where.range);
    EXPECT_EQ(fields.u, plain.u);
    EXPECT_EQ(fields.w, plain.w);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(passes, 50);
  EXPECT_GT(blocks, 2 * passes);
}

TEST(Patches, Lines) { check_patches<1, 0>(1); }
TEST(Patches, Planes) {
  check_patches<2, 1>(2);
  check_patches<2, 0>(3);
}
TEST(Patches, Volumes) {
  check_patches<3, 2>(4);
  check_patches<3, 0>(5);
}

TEST(Patches, DivisionIsExact) {
  for (int by : {1, 2, 3, 7, 62, 64, 255, 4093, 65535}) {
    Impl::PatchDivider const divide(by);
    for (int n = 0; n < 65536; ++n) ASSERT_EQ(divide(n), n / by) << n << " / " << by;
  }
}

TEST(Patches, Refusals) {
  FieldGeometry geometry;
  geometry.extent[0] = geometry.extent[1] = 100;
  Impl::PatchProblem problem{};
  problem.axis        = {{1, 0, 2}};
  problem.geometry    = &geometry;
  problem.where.range = PointBox{{{0, 0, 0}}, {{100, 100, 1}}};
  Impl::PatchKernelInfo const info{2, 4, 512, 1, 0, 4, 0, 132, 200000};
  EXPECT_EQ(Impl::patches_unsupported(info, problem), "");
  geometry.faces[0][0] = geometry.faces[0][1] = Face::periodic();
  problem.where.range.end[0]                  = 90;
  EXPECT_NE(Impl::patches_unsupported(info, problem), "");
  problem.where.range.end[0] = 100;
  EXPECT_EQ(Impl::patches_unsupported(info, problem), "");
  geometry.faces[0][1] = Face::edge();
  EXPECT_NE(Impl::patches_unsupported(info, problem), "");
  geometry.faces[0][0]       = Face::edge();
  problem.where.range.end[0] = 3;
  EXPECT_NE(Impl::patches_unsupported(info, problem), "");
}

// Where launches are all there is, several sweeps go together; large fields are left to others.
TEST(Patches, Choice) {
  FieldGeometry geometry;
  Impl::PatchProblem problem{};
  problem.axis          = {{1, 0, 2}};
  problem.geometry      = &geometry;
  problem.states.before = problem.states.behind = {{1, 1, 0}};
  Impl::PatchKernelInfo const info{2, 4, 512, 2, 0, 8, 0, 132, 227 * 1024};
  auto const at = [&](std::int64_t n) {
    geometry.extent[0] = geometry.extent[1] = n;
    problem.where.range                     = PointBox{{{1, 1, 0}}, {{n - 1, n - 1, 1}}};
    return Impl::patch_schedule(info, problem, 16, false, nullptr);
  };
  EXPECT_TRUE(at(128).pays);
  EXPECT_GE(at(128).tasks.sweeps, 4);
  EXPECT_TRUE(at(512).pays);
  EXPECT_LE(at(512).tasks.count(), 2u * 132u);
  EXPECT_FALSE(at(16384).pays);
}

}  // namespace
}  // namespace KokkosStencil
