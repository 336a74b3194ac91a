// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_PredictedPeriod.hpp"

#include "KokkosStencil_LocalPolicy.hpp"

#include <algorithm>
#include <array>

namespace KokkosStencil {
namespace Impl {

namespace {

/// A contiguous View.
ViewInfo packed_view(int rank, Extents3 const& extent, ValueType type, int value_size) {
  ViewInfo view;
  view.rank           = rank;
  view.value_type     = type;
  view.value_size     = value_size;
  view.extent         = extent;
  std::int64_t stride = 1;
  for (std::size_t a = static_cast<std::size_t>(rank); a-- > 0;) {
    view.stride[a] = stride;
    stride *= extent[a];
  }
  return view;
}

}  // namespace

Period predict_period(Ranks const& ranks, std::vector<Term> const& terms, ValueType type, int value_size,
                      SpaceInfo const& space, std::string const& engine, int sweeps) {
  std::string const label = "KokkosStencil::HaloDepth::automatic";
  Cuts const& cuts        = ranks.cuts();
  std::array<int, 3> lower{}, upper{}, far{}, sides{};
  reach_of(terms, lower, upper);
  Extents3 own{{1, 1, 1}};
  bool slabs = true;
  for (std::size_t a = 0; a < static_cast<std::size_t>(cuts.rank); ++a) {
    for (std::size_t k = 0; k + 1 < cuts.begins[a].size(); ++k) {
      own[a] = std::max(own[a], cuts.begins[a][k + 1] - cuts.begins[a][k]);
    }
    far[a]   = std::max(-lower[a], upper[a]);
    sides[a] = cuts.ranks[a] == 1 || far[a] == 0 ? 0 : cuts.periodic[a] ? 2 : std::min(2, cuts.ranks[a] - 1);
    slabs    = slabs && (sides[a] == 0 || static_cast<int>(a) == cuts.slowest);
    // Too small for inner points: whatever it takes, it is little.
    if (sides[a] == 0 && own[a] <= std::int64_t(upper[a]) - lower[a]) return {};
  }
  /// Seconds of `steps` sweeps of a part of the block, from where ghost layers feed so many of them.
  auto const predict = [&](Extents3 const& part, std::array<int, 3> const& shared, int fed, std::int64_t steps) {
    PolicyInfo policy;
    policy.rank  = cuts.rank;
    policy.whole = false;
    Extents3 extent{{1, 1, 1}};
    for (std::size_t a = 0; a < static_cast<std::size_t>(cuts.rank); ++a) {
      std::int64_t layers = std::int64_t(fed) * far[a];
      if (cuts.rank > 1 && a == cuts.fastest() && shared[a] > 0)
        layers = layers_of_rows(layers, part[a], values_of_vector(std::size_t(value_size)));
      extent[a]       = part[a] + shared[a] * layers;
      policy.begin[a] = shared[a] > 1 ? layers : -lower[a];
      policy.end[a]   = extent[a] - (shared[a] > 0 ? layers : upper[a]);
      if (shared[a] > 1) policy.faces[a][0] = Face::shared(static_cast<int>(layers));
      if (shared[a] > 0) policy.faces[a][1] = Face::shared(static_cast<int>(layers));
    }
    return predict_sweeps(label, policy, terms, packed_view(cuts.rank, extent, type, value_size), space, steps);
  };
  // Ghost layers are swept as deep as the passes to come need them: on average those of a pass in the middle.
  int const last         = std::min(sweeps, predict(own, sides, sweeps, sweeps).depth);
  Prediction const block = predict(own, sides, (sweeps + last) / 2, sweeps);
  Period times;
  times.block = block.seconds;
  times.last  = block.seconds * last / sweeps;
  times.early = slabs && engine == "peer" && cuts.rank > 1 && block.backend == "cuda_temporal" && last > 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (sides[a] == 0) continue;
    std::int64_t const layers = std::int64_t(sweeps) * far[a];
    Extents3 band             = own;
    band[a]                   = layers;
    auto both                 = sides;
    both[a]                   = 2;
    times.bands += times.early ? early_seconds(times.last, sides[a], std::int64_t(last) * far[a], own[a])
                               : sides[a] * predict(band, both, last, last).seconds;
    double face = static_cast<double>(sides[a]) * static_cast<double>(layers) * value_size;
    for (std::size_t b = 0; b < 3; ++b) face *= b == a ? 1.0 : static_cast<double>(own[b]);
    times.bytes += face;
  }
  return times;
}

int choose_device_sweeps(Ranks const& ranks, std::vector<Term> const& terms, ValueType type, int value_size,
                         SpaceInfo const& space) {
  std::array<int, 3> lower{}, upper{};
  reach_of(terms, lower, upper);
  std::int64_t most = 96;
  bool exchanges    = false;
  for (std::size_t a = 0; a < 3; ++a) {
    int const far = std::max(-lower[a], upper[a]);
    if (!ranks.cut(a) || far == 0) continue;
    exchanges = true;
    most      = std::min(most, ranks.thinnest(a) / far);
  }
  if (!exchanges) return 1;
  std::string const forced  = forced_engine(ranks.settings().engine);
  std::string const engine  = forced.empty() ? "peer" : forced;
  NetworkInfo const network = device_network(engine);
  return choose_period(most, ranks.settings().overlap, network,
                       [&](int k) { return predict_period(ranks, terms, type, value_size, space, engine, k); })
      .sweeps;
}

}  // namespace Impl
}  // namespace KokkosStencil
