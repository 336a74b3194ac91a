// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/Estimate.hpp>
#include <model/SweepCost.hpp>

#include <gtest/gtest.h>

namespace KokkosStencil {
namespace Model {
namespace {

DeviceModel device() {
  DeviceModel d;
  d.bandwidth = d.l2_bandwidth = 1e12;
  d.float_rate                 = 10e12;
  d.launch_seconds             = 2e-6;
  return d;
}

TEST(Estimate, Waves) {
  EXPECT_EQ(wave_redundancy(0, 100), 1.0);
  EXPECT_EQ(wave_redundancy(100, 100), 1.0);
  EXPECT_EQ(wave_redundancy(200, 100), 1.0);
  EXPECT_NEAR(wave_redundancy(101, 100), 200.0 / 101.0, 1e-12);
  EXPECT_EQ(wave_redundancy(50, 100), 2.0);
}

TEST(Estimate, Halos) {
  EXPECT_EQ(halo_redundancy({{0, 10, 20}}, {{0, 1, 0}}), 1.2);
  EXPECT_NEAR(halo_redundancy({{10, 10, 10}}, {{1, 1, 1}}), 1.728, 1e-12);
  // Two sweeps of radius 1: the first computes a tile larger by one point on each side, the second the tile.
  EXPECT_NEAR(overlap_redundancy({{0, 10, 10}}, {{0, 1, 1}}, 2), (1.44 + 1.0) / 2, 1e-12);
  EXPECT_EQ(overlap_redundancy({{0, 10, 10}}, {{0, 1, 1}}, 1), 1.0);
}

TEST(Estimate, TheLargerTimeCounts) {
  Kernel k;
  k.work           = one_sweep(5, 4);
  double const n   = 1e9;
  Estimate const e = estimate(k, device(), n, 4, 1);
  EXPECT_NEAR(e.seconds, n * 8 / 1e12, 2.1e-6);
  EXPECT_EQ(e.bottleneck, Bottleneck::memory);
  EXPECT_EQ(e.operations, 10.0);
  EXPECT_EQ(e.bytes, 8.0);
  k.work = one_sweep(100, 4);
  EXPECT_NEAR(estimate(k, device(), n, 4, 1).seconds, n * 200 / 10e12, 2.1e-6);
  EXPECT_EQ(estimate(k, device(), n, 4, 1).bottleneck, Bottleneck::arithmetic);
  k.fraction = 0.5;
  EXPECT_NEAR(estimate(k, device(), n, 4, 1).seconds, n * 400 / 10e12, 2.1e-6);
  EXPECT_EQ(estimate(k, device(), 100, 4, 1).bottleneck, Bottleneck::launch);
}

TEST(Estimate, EfficienciesOfOtherDevices) {
  Kernel k;
  k.work                 = one_sweep(5, 4);
  DeviceModel const here = reference_device();
  auto const fraction    = [&](DeviceModel const& d, double on_reference) {
    use_efficiency(k, d, on_reference);
    return k.fraction;
  };
  EXPECT_NEAR(fraction(here, 0.6), 0.6, 1e-12);
  EXPECT_NEAR(fraction(here, 1.0), 1.0, 1e-12);
  // Slower memory: the kernel comes closer to it, and takes longer nevertheless.
  DeviceModel slower = here;
  slower.bandwidth *= 0.7;
  EXPECT_GT(fraction(slower, 0.6), 0.75);
  EXPECT_LT(fraction(slower, 0.6), 0.6 / 0.7);
  EXPECT_NEAR(fraction(slower, 1.0), 1.0, 1e-12);
  // Half the multiprocessors with half the memory are half the device.
  DeviceModel half = here;
  half.bandwidth *= 0.5;
  half.float_rate *= 0.5;
  EXPECT_NEAR(fraction(half, 0.6), 0.6, 1e-12);
  // Faster memory does not make instructions faster.
  DeviceModel faster = here;
  faster.bandwidth *= 100.0;
  auto const seconds = [&](DeviceModel const& d) {
    return Roofline{d.float_rate, d.bandwidth}.seconds(k.work) / fraction(d, 0.6);
  };
  EXPECT_LT(seconds(faster), seconds(here));
  EXPECT_GT(seconds(faster), 0.95 * seconds(here));
  // Where arithmetic takes all the time nothing is faster than that.
  k.work                       = one_sweep(1000, 4);
  DeviceModel narrow           = here;
  narrow.double_rate           = here.double_rate / 64.0;
  k.operand                    = ValueType::float64;
  double const narrow_fraction = fraction(narrow, 0.9);
  EXPECT_LE(narrow_fraction, 1.0);
  EXPECT_GT(narrow_fraction, 0.9);
}

TEST(Estimate, DepthDividesTheMemoryTraffic) {
  Kernel k;
  k.depth        = 4;
  k.work         = time_blocked(5, 4, 4);
  double const n = 1e9, pass = n * 8 / 1e12;
  EXPECT_NEAR(estimate(k, device(), n, 4, 8).seconds, 2 * pass, 1e-5);
  // The rest of the steps costs a pass of its own.
  EXPECT_NEAR(estimate(k, device(), n, 4, 9).seconds, 3 * pass, 1e-5);
  EXPECT_NEAR(estimate(k, device(), n, 4, 1).seconds, pass, 1e-5);
  EXPECT_EQ(estimate(k, device(), n, 4, 0).seconds, 0.0);
}

TEST(Estimate, ACacheIsFasterAndAddsUp) {
  DeviceModel d  = device();
  d.l2_bytes     = 40000000;
  d.l2_bandwidth = 2e12;
  EXPECT_NEAR(bandwidth(d, 10e6), 2e12, 1);
  EXPECT_NEAR(bandwidth(d, 20e6), 2e12, 1);
  EXPECT_NEAR(bandwidth(d, 40e6), 1e12, 1);
  EXPECT_NEAR(bandwidth(d, 1e9), 1e12, 1);
  double last = 0;
  for (double bytes = 80e6; bytes > 1e6; bytes *= 0.9) {
    EXPECT_GE(bandwidth(d, bytes), last);
    last = bandwidth(d, bytes);
  }
}

}  // namespace
}  // namespace Model
}  // namespace KokkosStencil
