// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Registry.hpp"

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_StateOps.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace KokkosStencil {
namespace Impl {

namespace {

bool verbose() {
  char const* const v = std::getenv("KOKKOSSTENCIL_VERBOSE");
  return v != nullptr && std::strcmp(v, "") != 0 && std::strcmp(v, "0") != 0;
}

std::string time_text(double seconds) {
  char text[32];
  if (seconds < 1e-3) {
    std::snprintf(text, sizeof text, "%.3g us", 1e6 * seconds);
  } else {
    std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  }
  return text;
}

std::string problem_text(Problem const& p) {
  std::ostringstream text;
  text << p.rank << "-D " << to_string(p.value_type) << " ";
  for (std::size_t a = static_cast<std::size_t>(3 - p.rank); a < 3; ++a) {
    text << (a > static_cast<std::size_t>(3 - p.rank) ? "x" : "") << p.extent[a];
  }
  text << ", " << p.terms.size() << " terms, " << to_string(p.accuracy);
  return text.str();
}

}  // namespace

PlanState::PlanState(std::string const& label, PolicyInfo const& policy, TermList terms, ViewInfo const& in,
                     ViewInfo const& out, SpaceInfo const& space, Launch const& launch, std::int64_t steps)
    : m_label(label),
      m_problem(make_problem(label, policy, *terms, in, out, steps)),
      m_empty(m_problem.points() == 0),
      m_same_strides(m_problem.in_stride == m_problem.out_stride) {
  std::string const forced = forced_backend(policy.backend);
  std::vector<std::shared_ptr<Backend const>> runnable;
  if (!forced.empty()) find_backend(label, forced);
  for (auto const& backend : backends()) {
    Candidate c;
    c.backend             = backend->name();
    Verdict const verdict = backend->can_run(m_problem, space);
    c.runnable            = verdict.yes;
    if (verdict.yes) {
      c.predicted = backend->predict(m_problem, space);
      c.reason    = forced.empty() ? "a faster backend exists" : "another backend is forced";
    } else {
      c.reason = verdict.reason;
      if (c.backend == forced) {
        fail(label,
             "the forced backend \"" + forced + "\" cannot run this: " + verdict.reason + ". Force another, or none.");
      }
    }
    m_candidates.push_back(c);
    if (verdict.yes && (forced.empty() || c.backend == forced)) runnable.push_back(backend);
  }
  std::shared_ptr<Backend const> chosen;
  Candidate* best = nullptr;
  for (auto const& backend : runnable) {
    Candidate& c = *std::find_if(m_candidates.begin(), m_candidates.end(),
                                 [&](Candidate const& k) { return k.backend == backend->name(); });
    if (best == nullptr || c.predicted < best->predicted) {
      best   = &c;
      chosen = backend;
    }
  }
  if (chosen == nullptr) {
    std::string reasons;
    for (Candidate const& c : m_candidates) reasons += " " + c.backend + ": " + c.reason + ".";
    fail(label, "no backend can run this on " + space.name + "." + reasons);
  }
  best->chosen = true;
  best->reason = forced.empty() ? "" : "forced";
  m_backend    = best->backend;
  m_ops        = make_state_ops(m_problem, space);
  if (!m_empty) {
    m_forward = chosen->prepare(m_problem, space, launch);
    if (!m_same_strides) {
      Problem back = m_problem;
      std::swap(back.in_stride, back.out_stride);
      m_backward = chosen->prepare(back, space, launch);
    }
  }
  if (verbose()) {
    std::fprintf(stderr, "KokkosStencil: \"%s\" (%s) runs on %s, %s\n", m_label.c_str(),
                 problem_text(m_problem).c_str(), m_backend.c_str(), space.name.c_str());
  }
}

PlanState::~PlanState() = default;

void PlanState::check(std::string const& label, ViewInfo const& in, ViewInfo const& out) const {
  auto const other = [&](std::string const& what, std::string const& planned, std::string const& given) {
    fail(label, "the plan was made for another " + what + ": " + planned + ", given " + given +
                    ". Make a plan for these Views.");
  };
  auto const compare = [&](char const* which, ViewInfo const& view, std::array<std::int64_t, 3> const& stride) {
    if (view.rank != m_problem.rank) {
      other(std::string("rank of the ") + which, std::to_string(m_problem.rank), std::to_string(view.rank));
    }
    if (view.value_type != m_problem.value_type) {
      other(std::string("value type of the ") + which, to_string(m_problem.value_type), to_string(view.value_type));
    }
    for (bool const strides : {false, true}) {
      for (std::size_t a = 0; a < 3; ++a) {
        if (m_problem.user_axis[a] < 0) continue;
        auto const user            = static_cast<std::size_t>(m_problem.user_axis[a]);
        std::int64_t const planned = strides ? stride[a] : m_problem.extent[a];
        std::int64_t const given   = strides ? view.stride[user] : view.extent[user];
        if (planned != given) {
          other(std::string(strides ? "stride" : "extent") + " of the " + which + " along axis " + std::to_string(user),
                std::to_string(planned), std::to_string(given));
        }
      }
    }
  };
  compare("input", in, m_problem.in_stride);
  compare("output", out, m_problem.out_stride);
  check_pair(label, in, out);
}

void PlanState::sweep(Launch const& launch, ViewInfo const& in, ViewInfo const& out) const {
  note_backend(m_backend);
  if (m_empty) return;
  ToolsRegion const region(launch, m_forward->launches_raw());
  m_forward->sweep(launch, in.data, out.data);
}

bool PlanState::iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps) const {
  note_backend(m_backend);
  if (m_empty || steps == 0) return false;
  m_ops->copy_outside(launch, a.data, b.data);
  return advance(launch, a.data, b.data, steps, a.data) == b.data;
}

UntilResult PlanState::iterate_until(Launch const& launch, ViewInfo const& a, ViewInfo const& b, Until const& until,
                                     bool& in_b) const {
  if (until.check_every < 1 || until.max_steps < 0 || !(until.tolerance >= 0.0)) {
    fail(launch.label, "iterate_until with tolerance " + std::to_string(until.tolerance) + ", max_steps " +
                           std::to_string(until.max_steps) + ", check_every " + std::to_string(until.check_every) +
                           "; the tolerance and max_steps must not be negative, check_every at least 1.");
  }
  note_backend(m_backend);
  in_b = false;
  UntilResult result;
  if (m_empty || until.max_steps == 0) return result;
  m_ops->copy_outside(launch, a.data, b.data);
  void* newest = a.data;
  void* other  = b.data;
  while (result.steps < until.max_steps && !result.converged) {
    // All but the last sweep up to the check in one go; the last one apart, to see its change.
    std::int64_t const steps = std::min(until.check_every, until.max_steps - result.steps);
    if (advance(launch, newest, other, steps - 1, a.data) != newest) std::swap(newest, other);
    advance(launch, newest, other, 1, a.data);
    std::swap(newest, other);
    result.steps += steps;
    result.residual  = m_ops->change(launch, newest, other, newest == b.data, until.norm);
    result.converged = result.residual <= until.tolerance;
    if (std::isnan(result.residual)) break;
  }
  in_b = newest == b.data;
  return result;
}

void* PlanState::advance(Launch const& launch, void* from, void* to, std::int64_t steps, void* first) const {
  if (m_same_strides) return m_forward->iterate(launch, from, to, steps);
  for (std::int64_t step = 0; step < steps; ++step) {
    ToolsRegion const region(launch, m_forward->launches_raw());
    (from == first ? m_forward : m_backward)->sweep(launch, from, to);
    std::swap(from, to);
  }
  return from;
}

std::string PlanState::explain() const {
  std::ostringstream table;
  table << "\"" << m_label << "\": " << problem_text(m_problem) << "\n";
  std::size_t width = 7;
  for (Candidate const& c : m_candidates) width = std::max(width, c.backend.size());
  auto const row = [&](std::string name, std::string time, std::string const& verdict) {
    name.resize(width, ' ');
    time.resize(11, ' ');
    table << "  " << name << "  " << time << "  " << verdict << "\n";
  };
  row("backend", "predicted", "verdict");
  for (Candidate const& c : m_candidates) {
    std::string verdict = c.chosen ? "chosen" : c.runnable ? "not chosen" : "cannot run";
    if (!c.reason.empty()) verdict += ": " + c.reason;
    row(c.backend, c.runnable ? time_text(c.predicted) : "-", verdict);
  }
  return table.str();
}

}  // namespace Impl
}  // namespace KokkosStencil
