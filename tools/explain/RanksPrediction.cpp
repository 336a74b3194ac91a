// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RanksPrediction.hpp"

#include "Families.hpp"

#include <KokkosStencil_Error.hpp>
#include <KokkosStencil_Period.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <model/Number.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

namespace KokkosStencil {

namespace {

using Extents = std::array<std::int64_t, 3>;

/// One stencil on one kind of GPU, for blocks of any extents, slowest axis first.
class OneGpu {
 public:
  OneGpu(std::vector<Term> const& terms, Problem const& problem, DeviceModel const& device, std::string const& backend)
      : m_terms(terms), m_problem(problem), m_device(device), m_backend(backend) {}

  double seconds(Extents const& extent, std::int64_t steps) const { return chosen(extent, {}, 0, steps).seconds; }
  /// Seconds of so many sweeps of a block with neighbours on so many sides of each axis, whose ghost layers feed `fed`
  /// sweeps; how many of them a pass over memory makes; and who makes them.
  Impl::Prediction chosen(Extents const& block, std::array<int, 3> const& sides, int fed, std::int64_t steps) const {
    auto const key = std::make_tuple(block, sides, fed, steps);
    if (auto const known = m_known.find(key); known != m_known.end()) return known->second;
    Impl::PolicyInfo policy;
    policy.rank     = rank();
    policy.whole    = false;
    policy.accuracy = m_problem.accuracy;
    Impl::ViewInfo view;
    view.rank           = rank();
    view.value_type     = m_problem.value_type;
    view.value_size     = value_bytes();
    std::int64_t stride = 1;
    for (auto a = static_cast<std::size_t>(rank()); a-- > 0;) {
      std::int64_t layers = std::int64_t(fed) * reach(a);
      if (a > 0 && a + 1 == static_cast<std::size_t>(rank()) && sides[a] > 0) {
        layers = Impl::layers_of_rows(layers, block[a], Impl::values_of_vector(std::size_t(value_bytes())));
      }
      view.extent[a] = block[a] + sides[a] * layers;
      view.stride[a] = stride;
      stride *= view.extent[a];
      policy.begin[a] = sides[a] > 1 ? layers : -m_problem.lower[axis(a)];
      policy.end[a]   = view.extent[a] - (sides[a] > 0 ? layers : m_problem.upper[axis(a)]);
      if (policy.end[a] < policy.begin[a]) policy.end[a] = policy.begin[a];
      if (sides[a] > 1) policy.faces[a][0] = Face::shared(static_cast<int>(layers));
      if (sides[a] > 0) policy.faces[a][1] = Face::shared(static_cast<int>(layers));
    }
    // Nothing is read: any two places that do not overlap will do.
    Impl::ViewInfo out = view;
    view.data          = reinterpret_cast<void*>(std::uintptr_t(1) << 44);
    out.data           = reinterpret_cast<void*>(std::uintptr_t(2) << 44);
    Problem p          = Impl::make_problem("stencil", policy, m_terms, view, out, steps);
    if (fed > 0 && steps > 1) p = Impl::widened(policy, p);
    for (Candidate const& c : Cuda::candidates(p, m_device, m_backend)) {
      if (c.chosen) return m_known[key] = {c.predicted, std::max(1, c.estimate.depth), c.backend};
    }
    throw Error("no backend can run blocks of " + Impl::text_of(rank(), block) + " points");
  }
  int rank() const { return m_problem.rank; }
  std::int64_t steps() const { return m_problem.steps; }
  int value_bytes() const { return size_of(m_problem.value_type); }
  /// The problem's three axes end with the fastest, those of extents begin with the slowest.
  std::size_t axis(std::size_t a) const { return a + 3 - static_cast<std::size_t>(m_problem.rank); }
  int reach(std::size_t a) const {
    if (a >= static_cast<std::size_t>(rank())) return 0;
    return std::max(-m_problem.lower[axis(a)], m_problem.upper[axis(a)]);
  }
  Extents extent() const {
    Extents n{{1, 1, 1}};
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank()); ++a) n[a] = m_problem.extent[axis(a)];
    return n;
  }

 private:
  std::vector<Term> const& m_terms;
  Problem const& m_problem;
  DeviceModel const& m_device;
  std::string const& m_backend;
  mutable std::map<std::tuple<Extents, std::array<int, 3>, int, std::int64_t>, Impl::Prediction> m_known;
};

/// Neighbours along an axis of the block that has most.
int sides_of(int ranks) { return std::min(2, ranks - 1); }

/// A period of so many sweeps of a block, as the component Distributed predicts it.
Impl::Period period_of(OneGpu const& gpu, std::array<int, 3> const& ranks, Extents const& block,
                       std::string const& engine, int sweeps) {
  std::array<int, 3> sides{};
  for (std::size_t a = 0; a < 3; ++a) sides[a] = gpu.reach(a) > 0 ? sides_of(ranks[a]) : 0;
  // Ghost layers are swept as deep as the passes to come need them: on average those of a pass in the middle.
  int const last    = std::min(sweeps, gpu.chosen(block, sides, sweeps, sweeps).depth);
  auto const chosen = gpu.chosen(block, sides, (sweeps + last) / 2, sweeps);
  Impl::Period p;
  p.block = chosen.seconds;
  p.last  = chosen.seconds * last / sweeps;
  p.early = engine == "peer" && gpu.rank() > 1 && chosen.backend == "cuda_temporal" && last > 1 && sides[1] == 0 &&
            sides[2] == 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (sides[a] == 0) continue;
    std::int64_t const layers = std::int64_t(sweeps) * gpu.reach(a);
    Extents band              = block;
    band[a]                   = layers;
    auto both                 = sides;
    both[a]                   = 2;
    p.bands += p.early ? Impl::early_seconds(p.last, sides[a], std::int64_t(last) * gpu.reach(a), block[a])
                       : sides[a] * gpu.chosen(band, both, last, last).seconds;
    double face = static_cast<double>(sides[a]) * static_cast<double>(layers) * gpu.value_bytes();
    for (std::size_t b = 0; b < 3; ++b) face *= b == a ? 1.0 : static_cast<double>(block[b]);
    p.bytes += face;
  }
  return p;
}

/// The messages of a block, edges and corners among them.
std::array<double, 27> messages(OneGpu const& gpu, std::array<int, 3> const& ranks, Extents const& block, int sweeps) {
  std::array<double, 27> bytes{};
  for (int d = 0; d < 27; ++d) {
    int const step[3] = {d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1};
    double size       = d == 13 ? 0.0 : gpu.value_bytes();
    for (std::size_t a = 0; a < 3; ++a) {
      double const layers = ranks[a] > 1 ? static_cast<double>(sweeps) * gpu.reach(a) : 0.0;
      size *= step[a] != 0 ? layers : static_cast<double>(block[a]);
    }
    bytes[static_cast<std::size_t>(d)] = size;
  }
  return bytes;
}

RanksRow row_of(RanksOptions const& o, OneGpu const& gpu, int count, double alone) {
  RanksRow row;
  Extents whole            = gpu.extent();
  std::array<int, 3> fixed = count == o.most ? o.cut : std::array<int, 3>{};
  for (auto a = static_cast<std::size_t>(gpu.rank()); a < 3; ++a) fixed[a] = 1;
  row.ranks         = Impl::choose_ranks(gpu.rank(), whole, fixed, count, 0);
  std::int64_t most = gpu.steps();
  for (std::size_t a = 0; a < 3; ++a) {
    row.block[a] = o.strong ? (whole[a] + row.ranks[a] - 1) / row.ranks[a] : whole[a];
    if (row.ranks[a] > 1 && gpu.reach(a) > 0)
      most = std::min(most, whole[a] / (o.strong ? row.ranks[a] : 1) / gpu.reach(a));
  }
  if (most < 1) {
    throw Error("blocks of " + Impl::text_of(gpu.rank(), row.block) + " points on " + std::to_string(count) +
                " GPUs are thinner than the stencil reaches; take larger extents or fewer --ranks");
  }
  Model::Schedule s;
  Model::Links links = o.links;
  auto const engine  = Impl::device_network(o.engine);
  if (o.overhead > 0.0) links.overhead = o.overhead;
  if (o.overhead == 0.0) links.overhead = std::max(0.0, engine.latency - links.near_latency);
  links.near_bandwidth = o.near_bandwidth > 0.0 ? o.near_bandwidth : engine.bandwidth;
  if (count > 1) {
    Impl::NetworkInfo network = engine;
    network.latency           = links.overhead + links.near_latency;
    network.bandwidth         = links.near_bandwidth;
    if (count > links.node) {
      network.latency += links.far_latency;
      network.bandwidth = std::min(network.bandwidth, links.far_bandwidth / links.node);
    }
    auto const period = [&](int k) { return period_of(gpu, row.ranks, row.block, o.engine, k); };
    if (o.depth > most) {
      throw Error("--halo-depth " + std::to_string(o.depth) + " is more than blocks of " +
                  Impl::text_of(gpu.rank(), row.block) + " points or the sweeps allow, " + std::to_string(most));
    }
    auto choice = Impl::choose_period(std::min<std::int64_t>(most, 96), o.overlap, network, period);
    if (o.depth > 0) {
      choice.sweeps        = o.depth;
      Impl::Period const p = period(o.depth);
      double const x       = Impl::exchange_seconds(network, p.bytes);
      choice.overlap = o.overlap >= 0 ? o.overlap == 1 : Impl::overlapped_seconds(p, x) < Impl::plain_seconds(p, x);
    }
    row.depth            = choice.sweeps;
    row.overlap          = choice.overlap;
    Impl::Period const p = period(row.depth);
    s.bytes              = messages(gpu, row.ranks, row.block, row.depth);
    s.band               = row.overlap ? p.bands : 0.0;
    s.sweeps             = p.block;
    // Later periods are like those before.
    s.periods = std::min<std::int64_t>(100, (gpu.steps() + row.depth - 1) / row.depth);
  } else {
    s.sweeps = alone;
  }
  s.ranks           = row.ranks;
  s.jitter          = o.jitter;
  auto const played = Model::simulate(s, links);
  // The last period may have fewer sweeps.
  double const sweeps = count > 1 ? static_cast<double>(s.periods * row.depth) : static_cast<double>(gpu.steps());
  row.depth           = count > 1 ? row.depth : static_cast<int>(std::min<std::int64_t>(gpu.steps(), 1 << 30));
  row.seconds         = played.seconds / sweeps;
  double const one    = alone / static_cast<double>(gpu.steps());
  row.efficient       = one / row.seconds / (o.strong ? count : 1);
  row.waiting         = played.waiting / played.seconds;
  return row;
}

}  // namespace

std::vector<RanksRow> predict_ranks(RanksOptions const& o, std::vector<Term> const& terms, Problem const& problem,
                                    DeviceModel const& device, std::string const& backend) {
  if (problem.steps < 2) throw Error("--ranks needs --steps, the number of sweeps, to be 2 or more");
  OneGpu const gpu(terms, problem, device, backend);
  double const alone = gpu.seconds(gpu.extent(), gpu.steps());
  std::vector<RanksRow> rows;
  bool const cut = o.cut[0] > 0;
  for (int count = 1; count < o.most; count = cut ? o.most : 2 * count) rows.push_back(row_of(o, gpu, count, alone));
  rows.push_back(row_of(o, gpu, o.most, alone));
  return rows;
}

std::string table_text(RanksOptions const& o, std::vector<RanksRow> const& rows) {
  std::ostringstream text;
  text
      << (o.strong ? "Strong" : "Weak") << " scaling, engine " << o.engine << ", " << o.links.node
      << " GPUs a node\n   GPUs          cut              block  sweeps an exchange  us a sweep  efficiency  waiting\n";
  for (RanksRow const& r : rows) {
    auto const box = [](auto const& n) {
      std::ostringstream all;
      all << n[0] << "x" << n[1] << "x" << n[2];
      return all.str();
    };
    char line[160];
    int const count         = r.ranks[0] * r.ranks[1] * r.ranks[2];
    std::string const depth = count == 1 ? "no exchange" : std::to_string(r.depth) + (r.overlap ? ", overlapped" : "");
    std::snprintf(line, sizeof line, "%7d %12s %18s %19s %11.2f %10.1f%% %7.1f%%\n", count, box(r.ranks).c_str(),
                  box(r.block).c_str(), depth.c_str(), r.seconds * 1e6, r.efficient * 100.0, r.waiting * 100.0);
    text << line;
  }
  return text.str();
}

std::string json_text(std::vector<RanksRow> const& rows) {
  std::ostringstream text;
  auto const number = [](double value) { return Model::number_text(value); };
  auto const list   = [](auto const& n) {
    std::ostringstream all;
    all << "[" << n[0] << ", " << n[1] << ", " << n[2] << "]";
    return all.str();
  };
  char const* separator = "[\n";
  for (RanksRow const& r : rows) {
    text << separator << "  {\"ranks\": " << list(r.ranks) << ", \"block\": " << list(r.block)
         << ", \"depth\": " << r.depth << ", \"overlap\": " << (r.overlap ? "true" : "false")
         << ", \"seconds\": " << number(r.seconds) << ", \"efficiency\": " << number(r.efficient)
         << ", \"waiting\": " << number(r.waiting) << "}";
    separator = ",\n";
  }
  return text.str() + "\n]\n";
}

}  // namespace KokkosStencil
