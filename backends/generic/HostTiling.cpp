// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostRows.hpp"
#include "HostTiling.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace KokkosStencil {
namespace Generic {

namespace {

/// Size of the cache of a level that a processor sees. Linux knows it per processor; sysconf may report what all
/// processors of a socket have together.
std::int64_t cache_bytes(int level, std::int64_t fallback) {
  for (int index = 0; index < 8; ++index) {
    std::string const folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::ifstream level_file(folder + "/level"), size_file(folder + "/size");
    int found         = 0;
    std::int64_t size = 0;
    char unit         = 0;
    if (level_file >> found && found == level && size_file >> size) {
      size_file >> unit;
      return size << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
    }
  }
  return fallback;
}

std::int64_t const l1  = cache_bytes(1, std::int64_t(32) << 10);
std::int64_t const l2  = cache_bytes(2, std::int64_t(1) << 20);
std::int64_t const llc = cache_bytes(3, std::int64_t(32) << 20);

/// Whether the caches of a core may serve another processor, whose work is another program's if few threads run here.
bool may_share_caches(int concurrency) {
#if defined(__unix__) && defined(_SC_NPROCESSORS_CONF)
  static bool const many = ::sysconf(_SC_NPROCESSORS_CONF) > 4;
#else
  static bool const many = false;
#endif
  return many || may_share_cores(concurrency);
}

/// Rows of a window.
struct WindowRows {
  std::int64_t read   = 0;  ///< those with terms
  std::int64_t beside = 0;  ///< from the first to the last one of each plane, less one: a star has them in one plane
};
WindowRows rows_of(Problem const& p) {
  WindowRows rows;
  for (std::size_t k = 0; k < p.terms.size(); ++k) {
    auto const& at     = p.terms[k].offset;
    auto const& before = p.terms[k > 0 ? k - 1 : 0].offset;
    bool const plane   = k == 0 || at[0] != before[0];
    rows.read += plane || at[1] != before[1] ? 1 : 0;
    rows.beside += plane ? 0 : at[1] - before[1];
  }
  return rows;
}

/// Whether planes of a window lie so far apart that they have few sets of the second-level cache between them, as where
/// extents are powers of two. It has 16 ways, as a rule.
bool share_sets(Problem const& p, std::int64_t planes) {
  std::int64_t const way = l2 / 16, stride = p.in_stride[0] * size_of(p.value_type);
  return std::gcd(stride, way) * planes > way;
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Cuts a volume along z and y, into tiles of at most the rows that `t` has, so that the threads, which help each
/// other, are done soonest: their share of the tiles, half of a tile while the last ones are computed, and what each
/// tile reads of its neighbours (`overlap` planes and rows), which costs half as much as a point.
void share_out(HostTiling& t, std::array<std::int64_t, 3> const& n, std::array<std::int64_t, 2> const& overlap,
               std::int64_t threads) {
  std::int64_t const columns = ceil_div(n[2], t.tile[2]), most_rows = t.tile[1];
  double best = 0.0;
  for (std::int64_t z = 1; z <= std::min(n[0], 4 * threads); ++z) {
    for (std::int64_t y = ceil_div(n[1], most_rows); y <= std::min(ceil_div(n[1], 4), 8 * threads); ++y) {
      if (z * y * columns > 16 * threads && best > 0.0) break;
      std::int64_t const deep = ceil_div(n[0], z), high = ceil_div(n[1], y);
      std::int64_t const all = ceil_div(n[0], deep) * ceil_div(n[1], high) * columns;
      double const rounds    = std::max(1.0, double(all) / double(threads) + 0.5);
      auto const part        = [](std::int64_t of, std::int64_t points) { return double(of) / double(points); };
      double const cost =
          rounds * double(deep * high) * (1.0 + 0.5 * (part(overlap[0], deep) + part(overlap[1], high)));
      if (best > 0.0 && cost >= 0.99 * best) continue;
      best      = cost;
      t.tile[0] = deep;
      t.tile[1] = high;
    }
  }
}

}  // namespace

int row_stack(Problem const& p) {
  // Stacks save loads, which decides where many terms share a row. But they also walk several rows at once,
  // which spoils the hardware's prefetching within a page: where terms are few, or rows are short, rows go
  // one by one.
  std::size_t const terms = p.terms.size();
  if (p.rank > 2 || p.extent[2] * size_of(p.value_type) < 4096)
    return terms >= many_terms ? max_stack : terms >= 20 ? 2 : 1;
  // Single rows have kernels made for their shape. With 32 registers stacks are faster from stars of radius 4 on, with
  // 16 where each row has five terms and more (docs/experiments/2026-11-30-rows-of-planes.md).
  std::int64_t const rows = rows_of(p).read;
  if (row_kernel_sets<float>().front().registers > few_registers) return terms <= 13 ? 1 : max_stack;
  if (std::int64_t(terms) < 5 * rows) return 1;
  // Rows that are a multiple of a page apart share a few lines of the first-level cache, each with so many ways.
  std::int64_t const ways = l1 / page_bytes, apart = std::gcd(p.in_stride[1] * size_of(p.value_type), page_bytes);
  int stack = max_stack;
  while (stack > 1 && (rows + 2 * stack - 1) * apart >= ways * page_bytes) stack /= 2;
  return stack;
}

std::int64_t second_cache_bytes() { return l2; }

std::int64_t last_cache_bytes() { return llc; }

std::int64_t last_cache_window() {
  // By measurement (docs/experiments/2026-11-30-hosts-with-avx2.md): less than a core's share, where eight have one
  // cache.
  return l2 <= std::int64_t(512) << 10 ? llc / 12 : 0;
}

Traffic traffic_of(Problem const& p, int concurrency, bool iterated) {
  std::int64_t const rows  = rows_of(p).read;
  std::int64_t const bytes = 2 * p.points() * size_of(p.value_type);
  // A core or two wait for a large last-level cache nearly as they do for memory.
  bool const far = concurrency <= 2 && bytes > std::min(llc / 4 * 3, std::int64_t(64) << 20);
  // Where a window has few rows memory decides, and a cache that others share does not keep all that it could. But what
  // it keeps is read from there by the next sweep.
  bool const exceeds = bytes > (rows <= 9 && !(iterated && concurrency > 2) ? llc / 4 * 3 : llc);
  // In space wide windows leave the decision to near caches: stars of radius 4 to 8 in float are faster by 7 to 16 %.
  bool const wide = rows > 16 && p.upper[0] > p.lower[0];
  return {far || exceeds, (exceeds && !wide) || (far && rows <= 5)};
}

HostTiling make_host_tiling(Problem const& p, int concurrency) {
  HostTiling t;
  t.range = {p.begin, p.end};
  std::array<std::int64_t, 3> n{};
  for (std::size_t a = 0; a < 3; ++a) n[a] = std::max<std::int64_t>(1, p.end[a] - p.begin[a]);
  // Long rows are cut at multiples of the vector length, so that a window of rows fits the second-level cache.
  std::int64_t const planes = p.upper[0] - p.lower[0] + 1;
  std::int64_t const height = p.upper[1] - p.lower[1] + 1;
  std::int64_t const near   = l2 / 2 / size_of(p.value_type);
  std::int64_t const rows   = planes * (height + max_stack) + max_stack;
  t.tile[2]                 = std::min(n[2], std::max<std::int64_t>(1024, near / rows / 64 * 64));
  // As many rows as the second-level cache holds of all planes the window spans and of the next one, or else, if what
  // tiles read of their neighbours' rows costs more than planes that come from the last-level cache, as a thread's
  // share of that holds: each plane then comes from memory once, in long stretches.
  t.tile[1] = n[1];
  if (n[0] > 1 && planes > 1) {
    std::int64_t const beside = rows_of(p).beside;
    auto const fit            = [&](std::int64_t bytes) {
      return (bytes / size_of(p.value_type) / t.tile[2] - beside) / (planes + 1);
    };
    // Measured: a larger part is slower where few planes are read, or planes share sets.
    std::int64_t const shared = planes < 7 || share_sets(p, planes + 1) ? l2 / 4 : l2 * 2 / 5;
    std::int64_t rows_fit     = fit(may_share_caches(concurrency) ? shared : l2 * 9 / 16);
    if (last_cache_window() > 0) {
      rows_fit = std::max(rows_fit, fit(last_cache_window()));
    } else if (2 * (rows_fit + height) > rows_fit * planes) {
      rows_fit = fit(std::max(l2, llc / (2 * std::max(1, concurrency))));
    }
    t.tile[1] = ceil_div(n[1], ceil_div(n[1], std::max<std::int64_t>(8, rows_fit)));
  }
  t.tile[0] = n[0];
  // Then tiles for all threads: in space as many along z and y as give every thread the same and let the least overlap.
  std::int64_t const threads = std::max(1, concurrency), wanted = threads == 1 ? 1 : 4 * threads;
  if (threads > 1 && n[0] > 1) share_out(t, n, {planes - 1, height - 1}, threads);
  auto const tiles = [&] { return ceil_div(n[0], t.tile[0]) * ceil_div(n[1], t.tile[1]) * ceil_div(n[2], t.tile[2]); };
  std::array<std::int64_t, 3> const least{{4 * planes, 2 * height, 4096}};
  for (std::size_t a = 0; a < 3 && tiles() < (n[0] > 1 ? threads : wanted); ++a) {
    std::int64_t const others = tiles() / ceil_div(n[a], t.tile[a]);
    std::int64_t const parts  = ceil_div(wanted, others);
    t.tile[a]                 = std::min(n[a], std::max(least[a], ceil_div(n[a], parts)));
  }
  if (tiles() < (n[0] > 1 ? threads : wanted)) {  // small problems: what is left of the parallelism
    std::int64_t const parts = ceil_div(wanted, std::max<std::int64_t>(1, tiles() / ceil_div(n[1], t.tile[1])));
    t.tile[1]                = std::max<std::int64_t>(1, ceil_div(n[1], parts));
  }
  for (std::size_t a = 0; a < 3; ++a) t.count[a] = ceil_div(n[a], t.tile[a]);
  return t;
}

}  // namespace Generic
}  // namespace KokkosStencil
