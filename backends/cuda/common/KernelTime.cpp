// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace CudaModel {

bool on_axes(Problem const& p) {
  return std::all_of(p.terms.begin(), p.terms.end(), [](Impl::Term const& t) {
    return (t.offset[0] != 0) + (t.offset[1] != 0) + (t.offset[2] != 0) <= 1;
  });
}

Shape shape_of(Problem const& p) {
  int const r = p.upper[2];
  Shape s;
  s.radius          = r;
  s.rank            = p.upper[0] > 0 ? 3 : p.upper[1] > 0 ? 2 : 1;
  std::size_t count = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    int const expected = static_cast<int>(a) >= 3 - s.rank ? r : 0;
    if (r == 0 || p.upper[a] != expected || p.lower[a] != -expected) return {};
    count *= 2 * static_cast<std::size_t>(expected) + 1;
  }
  if (s.rank > 1 && p.terms.size() == count) return s;
  s.star = true;
  return p.terms.size() == static_cast<std::size_t>(2 * s.rank * r + 1) && on_axes(p) ? s : Shape{};
}

double look_up(Fraction const* from, Fraction const* to, Shape const& s, ValueType type) {
  for (; from != to; ++from) {
    if (from->star != s.star || from->rank != s.rank || from->radius != s.radius) continue;
    return type == ValueType::float64 ? from->full : type == ValueType::float32 ? from->single : from->half;
  }
  return 0.0;
}

bool is_line(Problem const& p) { return p.extent[0] == 1 && p.extent[1] == 1; }

double strip_seconds(Problem const& p, DeviceModel const& device, std::array<int, 3> const& lower,
                     std::array<int, 3> const& upper) {
  NearFaces const near = near_faces(p, lower, upper);
  if (near.points <= 0.0) return 0.0;
  auto const terms  = static_cast<double>(p.terms.size());
  double const work = strip_term * near.points * terms + strip_row_end * near.row_ends;
  return next_launch + std::max(strip_latency * std::ceil(terms / 4.0), work * h200_float_rate / device.float_rate);
}

double strip_seconds(Problem const& p, DeviceModel const& device) { return strip_seconds(p, device, p.lower, p.upper); }

double strip_seconds(Problem const& p, DeviceModel const& device, Shape const& kernel, bool across) {
  std::array<int, 3> upper{{0, 0, 0}};
  for (std::size_t a = 0; a < 3; ++a) upper[a] = static_cast<int>(a) >= 3 - kernel.rank ? kernel.radius : 0;
  if (across) upper[2] = 0;
  return strip_seconds(p, device, {{-upper[0], -upper[1], -upper[2]}}, upper);
}

void add_strips(Kernel& k, Problem const& p, DeviceModel const& device, int rows, int planes) {
  std::array<int, 3> lower = p.lower, upper = p.upper;
  if (planes > 1) {
    lower[0] = lower[1] = -1;
    upper[0] = upper[1] = 1;
  } else {
    upper[1] = lower[1] + rows - 1;
  }
  double const extra = std::max(strip_seconds(p, device, lower, upper), is_line(p) ? next_launch : 0.0);
  k.extra_seconds += extra;
  k.least_seconds = extra > 0.0 ? 2.0 * host_launch : host_launch;
}

double use_points(Kernel& k, Problem const& p, DeviceModel const& device, PointList const& list, double slower) {
  auto const axis    = static_cast<std::size_t>(used_rank(p) - 1);
  double const picos = list.base[axis] + list.load[axis] * static_cast<double>(p.terms.size());
  double const issue = slower * 1e-12 * picos * h200_float_rate / device.float_rate;
  k.fraction         = std::min(1.0, roofline(k, p, device) / issue);
  return issue;
}

void use_march(Kernel& k, Shape const& s, bool part, Problem const& p, DeviceModel const& device) {
  std::size_t const type = type_index(p.value_type);
  auto const up          = [](std::int64_t n, std::int64_t d) { return (n + d - 1) / std::max<std::int64_t>(d, 1); };
  std::array<std::int64_t, 3> n;
  for (std::size_t a = 0; a < 3; ++a) n[a] = std::max<std::int64_t>(1, p.end[a] - p.begin[a]);
  for (March const& m : marches) {
    if (m.star != s.star || m.rank != s.rank || m.radius != s.radius || m.width[type] == 0) continue;
    int const size           = size_of(p.value_type);
    std::int64_t const count = s.rank == 3 ? n[0] : n[1];
    std::int64_t const wide = m.width[type] / size, high = m.height[type];
    std::int64_t const tiles   = up(n[2], wide) * (s.rank == 3 ? up(n[1], high) : n[0]);
    std::int64_t const slots   = static_cast<std::int64_t>(device.multiprocessors) * m.blocks[type];
    std::int64_t const least   = std::max<std::int64_t>(4, s.radius);
    std::int64_t const a_wave  = up(count, std::max<std::int64_t>(1, slots / tiles));
    std::int64_t const nominal = m.length[type] > 0 ? m.length[type] : std::max<std::int64_t>(a_wave, 128);
    std::int64_t const wanted  = std::min(m.length[type] > 0 ? nominal : a_wave, std::max(least, a_wave));
    std::int64_t const length  = up(count, up(count, wanted));
    double const blocks        = static_cast<double>(tiles * up(count, length));
    double const lead          = 2.0 * s.radius;
    auto const overlap         = [&](std::int64_t of) { return 1.0 + lead / static_cast<double>(of); };
    double const across        = static_cast<double>(tiles * wide * (s.rank == 3 ? high : 1)) /
                          static_cast<double>(n[2] * (s.rank == 3 ? n[1] : n[0]));
    k.redundancy = across * Model::wave_redundancy(blocks, device.multiprocessors) * overlap(length) /
                   std::min(overlap(length), overlap(nominal));
    // A step of a block, were the GPU full of them.
    double const a_point = roofline(k, p, device) / k.fraction;
    double const step    = a_point * static_cast<double>(wide * high) * device.multiprocessors;
    double const alone   = (part ? part_alone : march_alone) * (s.rank == 2 ? 4096.0 / m.width[type] : 1.0);
    double const block   = alone * step * (static_cast<double>(length) + lead);
    double const busy    = a_point * k.redundancy * points_of(p);
    k.extra_seconds += std::max(0.0, block - busy);
    return;
  }
  // Tiles of a warp's width, but for a line that is folded.
  if (p.points() == n[2]) return;
  std::int64_t const wide = 512 / size_of(p.value_type);
  k.redundancy            = static_cast<double>(up(n[2], wide) * wide) / static_cast<double>(n[2]);
}

int shared_bytes_of(int compute_capability) {
  int const kilobytes = compute_capability == 80 || compute_capability == 87   ? 163
                        : compute_capability >= 90 && compute_capability < 120 ? 227
                                                                               : 99;
  return 1024 * kilobytes;
}

int blocks_by_shared_memory(int shared_bytes, int block_bytes) {
  constexpr int system_bytes = 1024;  // that the system takes of every block
  return (shared_bytes + system_bytes) / (block_bytes + system_bytes);
}

int reach_of(Problem const& p, std::size_t axis) { return std::max(-p.lower[axis], p.upper[axis]); }

std::string distant_refusal(Problem const& p) {
  constexpr int most = 1 << 15;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.lower[a] < -most || p.upper[a] > most) return "reaches farther than 2^15 points";
  }
  return "";
}

std::string no_cuda(Problem const&, DeviceModel const& device) {
  if (device.compute_capability >= 80) return "";
  return "needs an NVIDIA GPU of compute capability 8.0 or later";
}

}  // namespace CudaModel
}  // namespace KokkosStencil
