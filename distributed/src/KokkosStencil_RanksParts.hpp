// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "KokkosStencil_Copier.hpp"

#include <impl/KokkosStencil_Ranks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// What a plan over ranks consists of.

namespace KokkosStencil {
namespace Impl {

/// The layers next to cut faces. Their last sweeps before an exchange are made first, in scratch memory, so that they
/// can leave before the rest is swept.
struct Band {
  std::size_t axis, side;
  Extents3 origin{{0, 0, 0}};            ///< in the field
  ViewInfo view;                         ///< of either scratch field; data differs
  char* memory[2] = {nullptr, nullptr};  ///< the first one only if points are copied there before
  std::unique_ptr<PlanState> plan;
  mutable void* newest = nullptr;
};

struct RanksPlan::Parts {
  std::string label;
  Ranks const* ranks = nullptr;
  TermList terms;
  std::unique_ptr<PlanState> local;
  std::unique_ptr<Exchange> exchange;
  std::unique_ptr<Packer> packer;  // of bands
  std::vector<Band> bands;
  /// One for each pass of a period, if that is several: ghost layers are swept as deep as the passes to come need them.
  std::vector<std::unique_ptr<PlanState>> passes;
  /// Whether the last of them computes the layers that leave first, and counts them.
  bool leaves           = false;
  std::uint32_t counted = 0;         ///< by now
  std::unique_ptr<PlanState> early;  ///< of the sweeps before those of the bands; leaves ghost layers that feed them
  std::int64_t sweeps = 1;           ///< that one exchange feeds
  std::int64_t last   = 1;           ///< of them, the ones that bands make
  bool exchanges      = false;
  Extents3 layers{};
  PointBox range{};
  std::int64_t points = 0;                        ///< of the range in this block
  std::function<void(Launch const&)> make_later;  ///< the bands, once the engine is known
  bool prepared = false;

  std::string exchange_engine() const {
    std::string const name = exchange->engine();
    return name.substr(0, name.find(','));
  }
  std::int64_t sweeps_of_pass() const { return sweeps / static_cast<std::int64_t>(passes.size()); }
  void make_bands(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& local_info, SpaceInfo const& space,
                  Launch const& launch);
  void run_bands(Launch const& launch, ViewInfo const& field) const;
  /// Layers that the last pass is to compute first, for an engine that sends them without a kernel; none if that does
  /// not pay.
  std::array<std::array<std::int64_t, 2>, 3> early_layers(ViewInfo const& field, PolicyInfo const& info,
                                                          SpaceInfo const& space, Launch const& launch,
                                                          std::int64_t depth);
  void make_passes(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& info, SpaceInfo const& space,
                   Launch const& launch);
};

}  // namespace Impl
}  // namespace KokkosStencil
