// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#ifdef KOKKOSSTENCIL_WITH_CUDA

#include <cuda/common/BoundaryTiles.hpp>
#include <cuda/common/Device.hpp>
#include <cuda/direct/Covering.hpp>
#include <cuda/direct/Plan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

// Volumes as cuda_direct sweeps them in special cases. Where memory is slow beside the multiprocessors, on any GPU:
// short streams, dealt out by bands of rows. Where rows are short: tiles of several lines a warp. Integers, so that
// sums are exact.

namespace KokkosStencil {
namespace Test {
namespace {

/// Predictions for a while take the GPU's memory for half as fast as it is.
class SlowMemory {
 public:
  SlowMemory() : m_known(Cuda::device_model(Kokkos::Cuda().cuda_device())) {
    DeviceModel slow = m_known;
    slow.bandwidth *= 0.5;
    slow.l2_bandwidth *= 0.5;
    set_device_model(slow);
  }
  ~SlowMemory() { set_device_model(m_known); }
  SlowMemory(SlowMemory const&)            = delete;
  SlowMemory& operator=(SlowMemory const&) = delete;

 private:
  DeviceModel m_known;
};

/// For a while cuda_direct takes kernels of a kind, on grids as well where others are faster.
class KernelsOf {
 public:
  explicit KernelsOf(char const* kind) { setenv("KOKKOSSTENCIL_CUDA_DIRECT", kind, 1); }
  ~KernelsOf() { unsetenv("KOKKOSSTENCIL_CUDA_DIRECT"); }
  KernelsOf(KernelsOf const&)            = delete;
  KernelsOf& operator=(KernelsOf const&) = delete;
};

template <class View>
struct Fill {
  View u;
  int modulus;
  KOKKOS_FUNCTION void operator()(int i) const {
    for (int j = 0; j < int(u.extent(1)); ++j) {
      for (int k = 0; k < int(u.extent(2)); ++k) {
        u(i, j, k) = static_cast<typename View::value_type>(float((i * 31 + j * 17 + k * 7) % modulus - modulus / 2));
      }
    }
  }
};
template <class View>
struct Differ {
  View a, b;
  KOKKOS_FUNCTION void operator()(int i, int& sum) const {
    for (int j = 0; j < int(a.extent(1)); ++j) {
      for (int k = 0; k < int(a.extent(2)); ++k) sum += float(a(i, j, k)) == float(b(i, j, k)) ? 0 : 1;
    }
  }
};

/// `pitch`: elements from row to row.
template <class T>
void check(bool star, int radius, std::array<std::size_t, 3> const& n, Boundary<3> const& rules, std::size_t pitch) {
  using View        = Kokkos::View<T***, Kokkos::LayoutStride, Kokkos::CudaSpace>;
  using Coefficient = std::conditional_t<sizeof(T) == 8, double, float>;
  SCOPED_TRACE((star ? "star r" : "box r") + std::to_string(radius) + ", " + std::to_string(sizeof(T)) + " bytes, " +
               std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]) + " of " +
               std::to_string(pitch));
  auto const edge         = static_cast<std::size_t>(2 * radius + 1);
  std::size_t const count = star ? 3 * (edge - 1) + 1 : edge * edge * edge;
  std::vector<Coefficient> weights(count);
  for (std::size_t k = 0; k < count; ++k) weights[k] = Coefficient(int(k % 3) - 1);
  Stencil<Coefficient, 3> const s = star ? KokkosStencil::star<3>(radius, weights) : box<3>(radius, weights);
  auto const make                 = [&](char const* name) -> View {
    Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::CudaSpace> const whole(name, n[0], n[1], pitch);
    return Kokkos::subview(whole, Kokkos::ALL(), Kokkos::ALL(), std::pair<std::size_t, std::size_t>(0, n[2]));
  };
  View const u = make("u"), v = make("v"), w = make("w");
  // Sums in half stay below 2048.
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Kokkos::Cuda>(0, int(n[0])),
                       Fill<View>{u, sizeof(T) == 2 ? 61 : 255});
  StencilPolicy<Kokkos::Cuda, 3> const policy = StencilPolicy<Kokkos::Cuda, 3>().boundary(rules);
  parallel_for("direct", policy.backend("cuda_direct"), s, u, v);
  EXPECT_EQ(last_backend(), "cuda_direct");
  parallel_for("points", policy.backend("generic"), s, u, w);
  int different = 0;
  Kokkos::parallel_reduce("differ", Kokkos::RangePolicy<Kokkos::Cuda>(0, int(n[0])), Differ<View>{v, w}, different);
  EXPECT_EQ(different, 0);
}

template <class T>
struct ShortStreams : testing::Test {};
using Types = testing::Types<float, double, Kokkos::Experimental::half_t>;
TYPED_TEST_SUITE(ShortStreams, Types);

TYPED_TEST(ShortStreams, Volumes) {
  SlowMemory const slow;
  int kernels = 0;
  for (Cuda::Direct::ShapeTuning const& k : Cuda::Direct::shape_tunings(Impl::ValueTypeOf<TypeParam>::value)) {
    if (k.short_length == 0) continue;
    ++kernels;
    EXPECT_TRUE(Cuda::Direct::on_device(k, Cuda::device_model(Kokkos::Cuda().cuda_device())).is_short);
  }
  EXPECT_GE(kernels, 2);
  for (auto const& [star, radius] : {std::pair(true, 2), std::pair(true, 3), std::pair(true, 4), std::pair(false, 1)}) {
    // More rows than a band takes, with planes for several blocks; one wave of blocks; few planes.
    check<TypeParam>(star, radius, {{53, 4400, 152}}, Boundary<3>::halo(), 152);
    check<TypeParam>(star, radius, {{53, 4400, 152}}, Boundary<3>::periodic(), 152);
    check<TypeParam>(star, radius, {{131, 160, 264}}, Boundary<3>::mirror(), 264);
    check<TypeParam>(star, radius, {{11, 40, 1032}}, Boundary<3>::edge(), 1032);
  }
}

template <class T>
struct ShortRows : testing::Test {};
TYPED_TEST_SUITE(ShortRows, Types);

TYPED_TEST(ShortRows, Volumes) {
  KernelsOf const forced("shape");
  constexpr int bytes = int(sizeof(TypeParam));
  // Less than a tile's, a tile's, several tiles' with and without a rest, in rows of whole vectors and not.
  std::size_t const lengths[] = {9, 24, 32, 50, 64, 72, 100, 136, 160, 330};
  int kernels = 0, taken = 0;
  for (Cuda::Direct::ShapeTuning const& k : Cuda::Direct::shape_tunings(Impl::ValueTypeOf<TypeParam>::value)) {
    for (int const lanes : Cuda::Direct::short_row_lanes) {
      if (!k.has_lanes(lanes, bytes)) continue;
      ++kernels;
      for (std::size_t const n : lengths)
        for (std::int64_t const cache_bytes : {0, 1 << 26}) {
          auto const across =
              Cuda::Direct::across_rows(k, static_cast<std::int64_t>(n), 41 * 203, bytes, true, cache_bytes);
          taken += across.lanes == lanes ? 1 : 0;
        }
    }
  }
  EXPECT_EQ(kernels, bytes == 4 ? 9 : 5);
  EXPECT_GE(taken, 3 * kernels);
  Boundary<3> const rules[] = {Boundary<3>::halo(), Boundary<3>::periodic(), Boundary<3>::mirror(), Boundary<3>::edge(),
                               Boundary<3>::value(2.0)};
  for (auto const& [star, radius] :
       {std::pair(true, 1), std::pair(true, 2), std::pair(true, 3), std::pair(true, 4), std::pair(false, 1)}) {
    std::size_t which = 0;
    for (std::size_t const n : lengths) {
      std::size_t const pitch = (n + 15) / 16 * 16;
      // Rows that fill no tile, few rows and planes, one plane more than a lane has.
      check<TypeParam>(star, radius, {{41, 203, n}}, rules[which % 5], pitch);
      check<TypeParam>(star, radius, {{static_cast<std::size_t>(2 * radius + 1), 11, n}}, rules[(which + 1) % 5],
                       pitch);
      check<TypeParam>(star, radius, {{19, 67, n}}, rules[(which + 3) % 5], n);
      ++which;
    }
  }
}

TYPED_TEST(ShortRows, WideTilesAndTheirTails) {
  KernelsOf const forced("shape");
  constexpr int bytes = int(sizeof(TypeParam)), tile = 512 / bytes, vector = 16 / bytes;
  // A value and a vector past whole wide tiles, a narrow tile and two, inside faces and up to them.
  std::size_t const lengths[] = {2 * tile + 2, 2 * tile + vector, 3 * tile + tile / 4, 2 * tile + tile / 2 - 3};
  Boundary<3> const rules[] = {Boundary<3>::halo(), Boundary<3>::periodic(), Boundary<3>::mirror(), Boundary<3>::edge(),
                               Boundary<3>::value(2.0)};
  int kernels = 0, with_tail = 0;
  std::size_t which = 0;
  for (Cuda::Direct::ShapeTuning const& k : Cuda::Direct::shape_tunings(Impl::ValueTypeOf<TypeParam>::value)) {
    if (k.tail_tiles(bytes) == 0) continue;
    ++kernels;
    for (std::size_t const n : lengths) {
      auto const across = Cuda::Direct::across_rows(k, static_cast<std::int64_t>(n), 307 * 411, bytes, false, 0);
      with_tail += across.tail > 0 ? 1 : 0;
      for (int i = 0; i < 2; ++i) {
        check<TypeParam>(k.shape.star, k.shape.radius, {{307, 411, n}}, rules[which++ % 5], (n + 15) / 16 * 16);
      }
    }
  }
  EXPECT_EQ(kernels, bytes == 8 ? 0 : bytes == 4 ? 3 : 4);
  EXPECT_GE(with_tail, 3 * kernels);
}

TYPED_TEST(ShortRows, AFewColumnsPastWholeTiles) {
  KernelsOf const forced("shape");
  constexpr int bytes       = int(sizeof(TypeParam));
  Boundary<3> const rules[] = {Boundary<3>::halo(), Boundary<3>::periodic(), Boundary<3>::mirror(), Boundary<3>::edge(),
                               Boundary<3>::value(2.0)};
  int kernels               = 0;
  for (Cuda::Direct::ShapeTuning const& k : Cuda::Direct::shape_tunings(Impl::ValueTypeOf<TypeParam>::value)) {
    if (!k.has_more_anywhere(bytes)) continue;
    ++kernels;
    int const wide = k.for_anywhere(bytes).anywhere_width(bytes), whole = 2 * wide;
    // A few columns past whole tiles, of rows that end at faces and inside them.
    std::size_t which = 0;
    for (int const more : {1, 3, 8}) {
      auto const n = static_cast<std::size_t>(whole + more + 2 * k.shape.radius);
      EXPECT_TRUE(k.takes_more_columns(bytes, whole + more));
      for (int i = 0; i < 2; ++i) {
        check<TypeParam>(k.shape.star, k.shape.radius, {{61, 307, n}}, rules[which++ % 5], n + (n % 2 == 0 ? 1 : 0));
      }
      // Past mirrors, edges and constants rows end at the View's last column.
      check<TypeParam>(k.shape.star, k.shape.radius, {{67, 301, static_cast<std::size_t>(whole + more)}},
                       rules[2 + which % 3], n + 2);
    }
  }
  EXPECT_EQ(kernels, bytes == 2 ? 0 : 3);
}

/// Rules that leave points near all faces, near some, and near those of x alone.
std::array<Boundary<3>, 6> rules_of_ends() {
  return {{Boundary<3>::periodic(), Boundary<3>::mirror(), Boundary<3>::edge(),
           Boundary<3>::value(2.0).lower(0, Face::value(3.0)).upper(1, Face::value(-1.0)),
           Boundary<3>::halo().axis(2, Face::value(2.0)).upper(0, Face::value(-3.0)),
           Boundary<3>::halo().lower(2, Face::mirror()).upper(2, Face::edge())}};
}

// Lists of terms leave all points near faces to BoundaryKernel, which computes many ends of rows by tiles.
template <class T>
struct EndsOfRows : testing::Test {};
TYPED_TEST_SUITE(EndsOfRows, Types);

TYPED_TEST(EndsOfRows, Volumes) {
  KernelsOf const forced("taps");
  std::size_t which = 0;
  for (auto const& [star, most] : {std::pair(true, 7), std::pair(false, 3)}) {
    for (int radius = 1; radius <= most; ++radius) {
      for (Boundary<3> const& rule : rules_of_ends()) {
        // Planes and rows that are no multiple of a tile's, columns between the ends and none, whole vectors or not.
        std::size_t const columns = std::array<std::size_t, 4>{{72, 45, 23, 40}}[which % 4],
                          planes = (star ? 61 : 641) + which % 5, rows = (star ? 333 : 650) + which % 7;
        std::int64_t const span = 2 * radius, edge = span + 1;
        auto const cut =
            Cuda::cut_into_tiles(radius, std::int64_t(rows) - span, std::int64_t(planes) - span, int(sizeof(TypeParam)),
                                 {{span, span, span}}, star ? 6 * radius + 1 : int(edge * edge * edge), star, false);
        EXPECT_EQ(cut.rows > 0, !star) << "boxes have tiles";
        check<TypeParam>(star, radius, {{planes, rows, columns}}, rule, columns + which % 3);
        ++which;
      }
    }
  }
}

/// Ends of rows near the faces of y and z, in tiles whose planes lie along either.
TYPED_TEST(EndsOfRows, NearSlowFaces) {
  KernelsOf const forced("taps");
  std::size_t which = 0;
  for (int radius = 2; radius <= 6; ++radius) {
    for (Boundary<3> const& rule : rules_of_ends()) {
      std::int64_t const span = 2 * radius, edge = span + 1;
      // So many rows and planes that where all faces have rules there are enough such points.
      std::size_t const planes  = 71 + which % 5,
                        rows    = static_cast<std::size_t>(Cuda::boundary_edge_points / (span * span)) + which % 7,
                        columns = 60 + which % 9;
      ASSERT_GE(span * span * std::int64_t(planes + rows - std::size_t(span)), Cuda::boundary_edge_points);
      auto const cut = Cuda::cut_into_tiles(radius, std::int64_t(rows), radius, int(sizeof(TypeParam)),
                                            {{span, span, span}}, int(edge * edge * edge), false, true);
      EXPECT_EQ(cut.rows > 0, radius < 6 || sizeof(TypeParam) < 8);
      check<TypeParam>(false, radius, {{planes, rows, columns}}, rule, columns + which % 3);
      ++which;
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
