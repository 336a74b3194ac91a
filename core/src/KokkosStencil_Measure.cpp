// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Measure.hpp"

#include "KokkosStencil_Registry.hpp"
#include "KokkosStencil_TuningFile.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <sstream>

namespace KokkosStencil {
namespace Impl {

namespace {

/// What a time depends on. Coefficients count only by whether the value type holds them exactly.
std::string key_of(Problem const& p) {
  std::ostringstream key;
  auto const list = [&](char const* name, auto const& values) {
    key << ' ' << name;
    for (auto const& v : values) key << ' ' << v;
  };
  key << to_string(p.value_type) << ' ' << to_string(p.accuracy) << (p.updates ? " update" : "");
  list("extent", p.extent);
  list("from", p.begin);
  list("to", p.end);
  list("in", p.in_stride);
  list("out", p.out_stride);
  if (p.in_phase != 0 || p.out_phase != 0) key << " phase " << p.in_phase << ' ' << p.out_phase;
  key << " faces";
  for (auto const& axis : p.faces) {
    for (Face const& f : axis) key << ' ' << to_string(f.kind);
  }
  std::uint64_t h = 0xcbf29ce484222325u;
  bool exact      = true;
  for (Term const& t : p.terms) {
    for (int const o : t.offset) h = (h ^ static_cast<std::uint64_t>(std::int64_t(o) + (1 << 20))) * 0x100000001b3u;
    int exponent           = 0;
    double const mantissa  = std::frexp(t.coefficient, &exponent);
    double const in_quanta = std::ldexp(mantissa, significant_bits(p.value_type));
    exact                  = exact && in_quanta == std::nearbyint(in_quanta);
  }
  key << " terms " << p.terms.size() << ' ' << std::hex << h << std::dec << (exact ? " exact" : " inexact");
  // Numbers of steps near each other have the same winner.
  std::int64_t steps = 1;
  while (steps * 2 <= p.steps && steps < 64) steps *= 2;
  key << " steps " << steps;
  return key.str();
}

/// Bytes from the first to the last point of a View.
std::size_t span_of(ViewInfo const& v) {
  std::int64_t last = 0;
  for (int a = 0; a < v.rank; ++a) {
    last += (v.extent[static_cast<std::size_t>(a)] - 1) * v.stride[static_cast<std::size_t>(a)];
  }
  return static_cast<std::size_t>(last + 1) * static_cast<std::size_t>(v.value_size);
}

/// Memory with the alignment of a View's.
class Scratch {
 public:
  Scratch(StateOps const& ops, Launch const& launch, ViewInfo const& like) : m_ops(ops), m_bytes(span_of(like)) {
    constexpr std::size_t line = 256;
    m_memory                   = ops.allocate(m_bytes + line);
    auto const wanted          = reinterpret_cast<std::uintptr_t>(like.data) % line;
    auto const has             = reinterpret_cast<std::uintptr_t>(m_memory) % line;
    m_data                     = static_cast<char*>(m_memory) + (wanted + line - has) % line;
    ops.copy(launch, m_data, like.data, m_bytes);
  }
  ~Scratch() { m_ops.release(m_memory); }
  Scratch(Scratch const&)            = delete;
  Scratch& operator=(Scratch const&) = delete;

  void* data() const { return m_data; }
  std::size_t bytes() const { return m_bytes; }

 private:
  StateOps const& m_ops;
  std::size_t m_bytes;
  void* m_memory = nullptr;
  void* m_data   = nullptr;
};

/// The least time of a run. Gives up after one run that takes much longer than `best`.
double time_of(std::function<void()> const& run, std::function<void()> const& reset, std::function<void()> const& fence,
               double best) {
  auto const timed = [&](int runs) {
    reset();
    fence();
    auto const start = std::chrono::steady_clock::now();
    for (int k = 0; k < runs; ++k) run();
    fence();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / runs;
  };
  timed(1);  // loads the kernel
  double least = timed(1);
  if (least > 2.5 * best) return least;
  // Fences of some microseconds must not count.
  int const runs = std::clamp(static_cast<int>(1e-3 / least), 1, 100);
  for (int k = 0; k < 5; ++k) least = std::min(least, timed(runs));
  return least;
}

}  // namespace

void measure_candidates(std::string const& label, PolicyInfo const& policy, Problem const& problem,
                        SpaceInfo const& space, Launch const& launch, StateOps const& ops, ViewInfo const& in,
                        ViewInfo const& out, std::vector<Candidate>& candidates) {
  if (std::count_if(candidates.begin(), candidates.end(), [](Candidate const& c) { return c.runnable; }) < 2) return;
  std::string const device = ops.device_name(launch), key = key_of(problem);
  Tuned known;
  if (recall_tuning(policy.tuning_file, device, key, known)) {
    for (Candidate& c : candidates) {
      if (!c.runnable || c.backend != known.backend || c.estimate.depth != known.depth) continue;
      c.measured = known.seconds;
      return;
    }
    // The winner of that time is not in this build.
  }
  try {
    // Longer iterations tell no more.
    std::int64_t const steps    = std::min<std::int64_t>(problem.steps, 64);
    std::string const own_label = label + " (tuning)";
    Launch const quiet{own_label, launch.instance, launch.stream};
    Scratch const second(ops, quiet, out);
    std::unique_ptr<Scratch const> first;
    if (steps > 1) first = std::make_unique<Scratch const>(ops, quiet, in);
    auto const fence = [&] { ops.fence(quiet); };
    auto const reset = [&] {
      // Values must not grow from sample to sample.
      if (first != nullptr) ops.copy(quiet, first->data(), in.data, first->bytes());
    };
    double best = 1e300;
    for (auto const& backend : backends()) {
      for (Candidate& c : candidates) {
        if (!c.runnable || c.backend != backend->name()) continue;
        Problem p = problem;
        p.depth   = c.estimate.depth;
        std::unique_ptr<Executable> executable;
        try {
          executable = prepare(label, *backend, p, space, launch);
        } catch (std::exception const& e) {
          c.runnable = false;
          c.reason   = std::string("failed to prepare: ") + e.what();
          continue;
        }
        // From one View to the other and no way back where their strides differ.
        bool const there_and_back = problem.in_stride == problem.out_stride;
        std::int64_t done         = there_and_back || executable->takes_any_strides() ? steps : 1;
        auto const run            = [&] {
          if (p.updates) {
            // Values must stay of a size.
            Update const both(0.25, 0.25);
            for (std::int64_t step = 0; step < done; ++step) {
              executable->update(quiet, in.data, second.data(), both);
            }
            return;
          }
          if (steps == 1) {
            executable->sweep(quiet, in.data, second.data());
            return;
          }
          ops.copy_ghosts(quiet, first->data(), second.data(), true);
          if (there_and_back) {
            executable->iterate(quiet, first->data(), second.data(), steps);
          } else {
            done = executable->pass(quiet, first->data(), second.data(), done);
          }
        };
        double const share = static_cast<double>(done) / static_cast<double>(problem.steps);
        double const time  = time_of(run, reset, fence, best * share);
        c.measured         = time * static_cast<double>(problem.steps) / static_cast<double>(done);
        best               = std::min(best, c.measured);
        fence();
      }
    }
  } catch (std::exception const& e) {
    std::fprintf(stderr, "KokkosStencil: warning: \"%s\" is not tuned, its backend is chosen by prediction: %s\n",
                 label.c_str(), e.what());
    for (Candidate& c : candidates) c.measured = 0.0;
    return;
  }
  Candidate const* winner = nullptr;
  for (Candidate const& c : candidates) {
    if (c.runnable && c.measured > 0.0 && (winner == nullptr || c.measured < winner->measured)) winner = &c;
  }
  if (winner != nullptr) {
    remember_tuning(policy.tuning_file, device, key, {winner->backend, winner->estimate.depth, winner->measured});
  }
}

}  // namespace Impl
}  // namespace KokkosStencil
