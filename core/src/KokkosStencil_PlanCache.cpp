// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Registry.hpp"

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Finalize.hpp>
#include <impl/KokkosStencil_HeldBytes.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>

namespace KokkosStencil {
namespace Impl {

namespace {

constexpr std::size_t capacity = 256;
using Clock                    = std::chrono::steady_clock;

/// A plan that so many calls have not used, or none for so long, may be dropped for its memory. Fewer, and plans that
/// are used by turns would evict each other; after a second, making one anew is a small part of what passed.
constexpr std::uint64_t unused_calls = 64;
constexpr std::chrono::seconds unused_time{1};

/// What a call asks for; refers to the call's arguments.
struct Request {
  PolicyInfo const& policy;
  std::string const& backend;  ///< that the policy or the environment forces
  TermList const& terms;
  ViewInfo const& in;
  ViewInfo const& out;
  SpaceInfo const& space;
  void* stream;
  int steps_class;

  /// Bytes past a multiple of 16 at which a View begins. Hosts do not care.
  int phase(ViewInfo const& v) const {
    return space.host ? 0 : static_cast<int>(reinterpret_cast<std::uintptr_t>(v.data) % 16);
  }
};

/// Everything a plan depends on.
struct Key {
  PolicyInfo policy;
  TermList terms;
  ValueType value_type;
  std::array<std::int64_t, 3> in_extent, out_extent, in_stride, out_stride;
  std::type_index space;
  int device;
  void* stream;
  int steps_class;
  int in_phase, out_phase;

  explicit Key(Request const& r)
      : policy(r.policy),
        terms(r.terms),
        value_type(r.in.value_type),
        in_extent(r.in.extent),
        out_extent(r.out.extent),
        in_stride(r.in.stride),
        out_stride(r.out.stride),
        space(r.space.type),
        device(r.space.device),
        stream(r.stream),
        steps_class(r.steps_class),
        in_phase(r.phase(r.in)),
        out_phase(r.phase(r.out)) {
    policy.backend = r.backend;
  }

  bool matches(Request const& r) const {
    return in_extent == r.in.extent && out_extent == r.out.extent && in_stride == r.in.stride &&
           out_stride == r.out.stride && value_type == r.in.value_type && stream == r.stream &&
           device == r.space.device && space == r.space.type && steps_class == r.steps_class &&
           in_phase == r.phase(r.in) && out_phase == r.phase(r.out) && same_range(policy, r.policy) &&
           policy.changing == r.policy.changing && policy.accuracy == r.policy.accuracy &&
           policy.updates == r.policy.updates && policy.tuning == r.policy.tuning && policy.backend == r.backend &&
           policy.tuning_file == r.policy.tuning_file && (terms == r.terms || *terms == *r.terms);
  }
};

/// Of a few terms only, since a stencil may have hundreds; those that differ elsewhere are compared.
std::size_t hash(Request const& r) {
  constexpr std::size_t most_terms = 6;
  std::size_t h                    = r.terms->size();
  auto const mix                   = [&](std::uint64_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15u + (h >> 29); };
  auto const bits_of               = [](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  };
  for (std::size_t a = 0; a < 3; ++a) {
    for (auto v : {r.in.extent[a], r.in.stride[a], r.out.stride[a], r.policy.begin[a], r.policy.end[a]}) {
      mix(static_cast<std::uint64_t>(v));
    }
  }
  mix(static_cast<std::uint64_t>(r.in.value_type));
  for (std::size_t k = 0; k < r.terms->size(); k += 1 + r.terms->size() / most_terms) {
    // 0 and -0 are equal.
    mix(bits_of((*r.terms)[k].coefficient + 0.0));
  }
  for (auto const& faces : r.policy.faces) {
    for (Face const& f : faces) mix(bits_of(f.constant) + static_cast<std::uint64_t>(f.depth));
  }
  return h;
}

struct Entry {
  std::size_t hash;
  std::uint64_t used;    ///< the newest call that did, by number
  Clock::time_point at;  ///< and its time
  Key key;
  std::shared_ptr<PlanState const> plan;
};

struct Cache {
  std::mutex mutex;
  std::vector<Entry> entries;
  std::uint64_t clock = 0;
  bool hooked         = false;
};

Cache& cache() {
  // Kokkos may be finalized when static objects are gone.
  static Cache& c = *new Cache;
  return c;
}

/// With the terms of the key, which the application may have dropped.
std::size_t bytes_of(Entry const& e) { return e.plan->bytes() + e.key.terms->size() * sizeof(Term); }

std::size_t bytes_of(Cache const& c) {
  std::size_t all = 0;
  for (Entry const& e : c.entries) all += bytes_of(e);
  return all;
}

std::atomic<std::uint64_t> g_built{0};

/// Few classes of step counts, so that varying counts do not fill the cache. Each small count has its own, since all of
/// its sweeps may be one pass, which a plan for fewer would not have.
int steps_class(std::int64_t steps) {
  constexpr int small = 16;
  if (steps <= small) return static_cast<int>(steps);
  int c = small;
  for (steps /= small; steps > 0 && c < small + 3; steps /= 2) ++c;
  return c;
}

}  // namespace

std::uint64_t plans_built() noexcept { return g_built; }

std::shared_ptr<PlanState const> cached_plan(std::string const& label, PolicyInfo const& policy, TermList const& terms,
                                             ViewInfo const& in, ViewInfo const& out, SpaceInfo const& space,
                                             Launch const& launch, std::int64_t steps) {
  std::string const& forced = forced_backend(policy.backend);
  Request const request{policy, forced, terms, in, out, space, launch.stream, steps_class(steps)};
  std::size_t const h = hash(request);
  Cache& c            = cache();
  std::shared_ptr<PlanState const> plan;
  {
    std::lock_guard<std::mutex> lock(c.mutex);
    for (Entry& e : c.entries) {
      if (e.hash == h && e.key.matches(request)) {
        e.used = ++c.clock;
        e.at   = Clock::now();
        plan   = e.plan;
        break;
      }
    }
  }
  if (plan != nullptr) {
    // The shape is the plan's; only the place of the Views is new.
    check_pair(label, in, out);
    return plan;
  }
  Key key(request);
  plan = std::make_shared<PlanState const>(label, key.policy, terms, in, out, space, launch, steps);
  ++g_built;
  std::lock_guard<std::mutex> lock(c.mutex);
  if (!c.hooked) {
    // Plans may own device memory, which must go before Kokkos does.
    at_finalize([&c] {
      std::lock_guard<std::mutex> guard(c.mutex);
      c.entries.clear();
      c.hooked = false;
    });
    c.hooked = true;
  }
  c.entries.push_back(Entry{h, ++c.clock, Clock::now(), std::move(key), plan});
  // Those that were not used for longest go.
  std::size_t held = bytes_of(c);
  while (c.entries.size() > capacity || (c.entries.size() > 1 && held > most_cached_bytes)) {
    auto const oldest = std::min_element(c.entries.begin(), c.entries.end(),
                                         [](Entry const& p, Entry const& q) { return p.used < q.used; });
    held -= std::min(held, bytes_of(*oldest));
    c.entries.erase(oldest);
  }
  return plan;
}

void drop_unused_plans(std::function<bool()> const& enough) {
  Cache& c = cache();
  while (!enough()) {
    std::shared_ptr<PlanState const> plan;  // goes, with its memory, when the cache is free for others again
    std::lock_guard<std::mutex> const lock(c.mutex);
    auto const oldest = std::min_element(c.entries.begin(), c.entries.end(),
                                         [](Entry const& p, Entry const& q) { return p.used < q.used; });
    if (oldest == c.entries.end()) return;
    if (c.clock - oldest->used < unused_calls && Clock::now() - oldest->at < unused_time) return;
    plan = std::move(oldest->plan);
    c.entries.erase(oldest);
  }
}

std::size_t cached_bytes() {
  Cache& c = cache();
  std::lock_guard<std::mutex> const lock(c.mutex);
  return bytes_of(c);
}

}  // namespace Impl
}  // namespace KokkosStencil
