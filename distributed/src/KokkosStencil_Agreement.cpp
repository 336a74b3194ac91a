// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_OnDevice.hpp"
#include "KokkosStencil_Transport.hpp"

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Ranks.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <iomanip>
#include <sstream>
#include <utility>

// Plans and exchanges that all processes have agreed on.

namespace KokkosStencil {
namespace Impl {

namespace {

std::uint64_t asks_of(Exchange const& exchange, bool prepared) {
  return (exchange.needs_connection() ? Ranks::ask_connection : 0) | (prepared ? 0 : Ranks::ask_preparation);
}

/// Throws Error unless the engine is on the device of the space.
void check_device(std::string const& label, Ranks const& ranks, SpaceInfo const& space) {
  auto const& engine = ranks.stream_engine();
  if (engine == nullptr || space.host || engine->device() == space.device) return;
  fail(label, "the engine " + engine->name() + " of this Decomposition is on device " +
                  std::to_string(engine->device()) + ", and the fields are on device " + std::to_string(space.device) +
                  ". Take another Decomposition for them.");
}

/// What processes do with something new that they have agreed on. Where it is new to none of them, nothing.
void prepare_together(std::string const& label, Ranks const& ranks, std::uint64_t asked, SpaceInfo const& space,
                      Exchange const& exchange, std::function<void()> const& prepare) {
  if ((asked & Ranks::ask_connection) != 0) ranks.connect(label, space, exchange.receive_bytes());
  if ((asked & Ranks::ask_preparation) == 0) return;
  std::string failure;
  try {
    prepare();
  } catch (std::exception const& e) {
    failure = e.what();
  }
  // Who cannot go on must not leave the others waiting.
  ranks.agree(label, "prepare", failure);
}

}  // namespace

std::shared_ptr<RanksPlan const> agreed_plan(std::string const& label, std::string const& what,
                                             std::function<void()> const& check, RanksPolicy const& policy,
                                             TermList const& terms, ViewInfo const& in, ViewInfo const& out,
                                             SpaceInfo const& space, Launch const& launch) {
  Ranks const& ranks = *policy.ranks;
  OnDevice const current(space.device);
  std::ostringstream common, own;
  common << std::setprecision(17);
  auto const row = [](std::ostream& text, auto const& values) {
    for (auto const& v : values) text << ' ' << v;
  };
  common << "call " << label << "\nextents";
  row(common, ranks.cuts().extent);
  common << "\nranks";
  row(common, ranks.cuts().ranks);
  for (auto const& begins : ranks.cuts().begins) row(common << "\nblocks begin at", begins);
  row(common << "\nperiodic", ranks.cuts().periodic);
  common << "\nvalue type " << to_string(in.value_type) << "\naccuracy " << to_string(policy.whole.accuracy);
  if (policy.whole.whole) {
    common << "\nwhole range";
  } else {
    row(common << "\nrange from", policy.whole.begin);
    row(common << "\nrange to", policy.whole.end);
  }
  for (auto const& faces : policy.whole.faces) {
    common << "\nfaces";
    for (Face const& f : faces) common << ' ' << to_string(f.kind) << ' ' << f.constant;
  }
  common << "\nstencil of " << terms->size() << " terms:";
  for (Term const& t : *terms) {
    row(common << " (", t.offset);
    common << ") " << t.coefficient;
  }
  std::string failure;
  std::shared_ptr<RanksPlan const> plan;
  try {
    check();
    check_device(label, ranks, space);
    common << "\nengine " << forced_engine(ranks.settings().engine);
    row(common << "\nghost layers", layers_of(label, ranks, in));
    own << '\n'
        << policy.whole.backend << ' ' << static_cast<int>(policy.whole.tuning) << policy.whole.tuning_file << ' '
        << space.name << ' ' << space.device << ' ' << launch.stream << ' ' << ranks.settings().overlap
        << ranks.settings().device_pointers;
    for (ViewInfo const* view : {&in, &out}) {
      row(own << '\n', view->extent);
      row(own, view->stride);
      own << ' ' << reinterpret_cast<std::uintptr_t>(view->data) % 16;
    }
    std::string const key = common.str() + own.str();
    plan                  = std::static_pointer_cast<RanksPlan const>(ranks.recall(key));
    if (plan != nullptr) {
      check_pair(label, in, out);
    } else {
      auto made = std::make_shared<RanksPlan>(label, policy, terms, in, out, space, launch);
      ranks.keep(key, made);
      plan = std::move(made);
    }
  } catch (std::exception const& e) {
    failure = e.what();
  }
  auto const asked = ranks.agree(label, common.str() + '\n' + what, failure,
                                 plan != nullptr ? asks_of(plan->exchange(), plan->prepared()) : 0);
  prepare_together(label, ranks, asked, space, plan->exchange(), [&] { plan->prepare(launch); });
  return plan;
}

std::shared_ptr<Exchange> agreed_exchange(std::string const& label, std::shared_ptr<Ranks const> const& ranks,
                                          std::vector<ViewInfo> const& fields, SpaceInfo const& space,
                                          Launch const& launch) {
  OnDevice const current(space.device);
  std::ostringstream common, own;
  common << "call exchange " << label << "\nfields " << fields.size();
  // Its memory is used in the order of a stream.
  own << '\n' << space.name << ' ' << space.device << ' ' << launch.stream << ' ' << ranks->settings().device_pointers;
  std::string failure;
  std::shared_ptr<Exchange> exchange;
  try {
    check_device(label, *ranks, space);
    common << "\nengine " << forced_engine(ranks->settings().engine);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      common << "\nfield " << f << ": " << fields[f].value_size << " bytes a value, ghost layers";
      for (auto const n : layers_of(label, *ranks, fields[f])) common << ' ' << n;
      for (auto const n : fields[f].extent) own << ' ' << n;
    }
    std::string const key = common.str() + own.str();
    exchange              = std::static_pointer_cast<Exchange>(ranks->recall(key));
    if (exchange == nullptr) {
      exchange = std::make_shared<Exchange>(label, *ranks, fields, space);
      ranks->keep(key, exchange);
    }
  } catch (std::exception const& e) {
    failure = e.what();
  }
  auto const asked =
      ranks->agree(label, common.str(), failure, exchange != nullptr ? asks_of(*exchange, exchange->prepared()) : 0);
  prepare_together(label, *ranks, asked, space, *exchange, [&] { exchange->prepare(); });
  return exchange;
}

void exchange_fields(std::string const& label, std::shared_ptr<Ranks const> const& ranks,
                     std::vector<ViewInfo> const& fields, SpaceInfo const& space, Launch const& launch) {
  agreed_exchange(label, ranks, fields, space, launch)->run(launch, fields);
}

}  // namespace Impl
}  // namespace KokkosStencil
