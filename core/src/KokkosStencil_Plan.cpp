// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Measure.hpp"
#include "KokkosStencil_Registry.hpp"

#include <model/Choice.hpp>

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_StateOps.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>

namespace KokkosStencil {
namespace Impl {

namespace {

bool verbose() {
  char const* const v = std::getenv("KOKKOSSTENCIL_VERBOSE");
  return v != nullptr && std::strcmp(v, "") != 0 && std::strcmp(v, "0") != 0;
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
      m_problem(make_problem(label, policy, *terms, in, out, std::max<std::int64_t>(steps, 1))),
      m_empty(m_problem.points() == 0),
      m_same_strides(m_problem.in_stride == m_problem.out_stride) {
  m_ops = make_state_ops(m_problem, space);
  // Where the strides differ, many sweeps are single ones.
  m_choices.resize(steps == any_steps && m_same_strides ? 2 : 1);
  m_choices.front().steps = m_same_strides ? m_problem.steps : 1;
  if (m_choices.size() == 2) m_choices.back().steps = many_steps;
  std::string const forced = forced_backend(policy.backend);
  if (!forced.empty()) find_backend(m_label, forced);
  auto const answers = ask_backends(m_problem, space);
  for (Answer const& a : answers) {
    if (a.verdict.yes || a.backend->name() != forced) continue;
    fail(m_label,
         "the forced backend \"" + forced + "\" cannot run this: " + a.verdict.reason + ". Force another, or none.");
  }
  for (Choice& c : m_choices) choose(c, answers, forced, policy, in, out, space, launch);
  if (verbose()) {
    std::string where = m_choices.front().backend;
    if (m_choices.back().backend != where) where += ", many sweeps on " + m_choices.back().backend;
    std::fprintf(stderr, "KokkosStencil: \"%s\" (%s) runs on %s, %s\n", m_label.c_str(),
                 problem_text(m_problem).c_str(), where.c_str(), space.name.c_str());
  }
}

void PlanState::choose(Choice& choice, std::vector<Answer> const& answers, std::string const& forced,
                       PolicyInfo const& policy, ViewInfo const& in, ViewInfo const& out, SpaceInfo const& space,
                       Launch const& launch) {
  Problem problem   = m_problem;
  problem.steps     = choice.steps;
  choice.candidates = Impl::candidates(answers, problem, space);
  if (policy.tuning == Tuning::measure && forced.empty() && !m_empty) {
    measure_candidates(m_label, policy, problem, space, launch, *m_ops, in, out, choice.candidates);
  }
  Candidate const* const winner = Model::choose(choice.candidates, forced);
  if (winner == nullptr) {
    std::string reasons;
    for (Candidate const& c : choice.candidates) reasons += " " + c.backend + ": " + c.reason + ".";
    fail(m_label, "no backend can run this on " + space.name + "." + reasons);
  }
  choice.backend = winner->backend;
  choice.depth   = winner->estimate.depth;
  if (m_empty) return;
  Choice const& first = m_choices.front();
  if (&choice != &first && first.backend == choice.backend && first.depth == choice.depth) {
    choice.same = &first;
    return;
  }
  auto const named  = [&](Answer const& a) { return a.backend->name() == choice.backend; };
  auto const chosen = std::find_if(answers.begin(), answers.end(), named)->backend;
  problem.depth     = choice.depth;
  choice.forward    = chosen->prepare(problem, space, launch);
  if (!m_same_strides) {
    std::swap(problem.in_stride, problem.out_stride);
    // The way back is another problem: the chosen backend does it if it can, else the fastest of those that can.
    auto back    = chosen;
    double least = std::numeric_limits<double>::max();
    if (!chosen->can_run(problem, space).yes) {
      for (auto const& backend : backends()) {
        if (!backend->can_run(problem, space).yes) continue;
        double const seconds = backend->predict(problem, space);
        if (seconds >= least) continue;
        least = seconds;
        back  = backend;
      }
    }
    choice.backward = back->prepare(problem, space, launch);
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
  Choice const& c = choice(1);
  note_backend(c.backend);
  if (m_empty) return;
  ToolsRegion const region(launch, forward(c).launches_raw());
  forward(c).sweep(launch, in.data, out.data);
}

bool PlanState::iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps) const {
  note_backend(choice(steps).backend);
  if (m_empty || steps == 0) return false;
  m_ops->copy_outside(launch, a.data, b.data);
  void* newest         = a.data;
  void* other          = b.data;
  Choice const& chosen = choice(steps);
  while (steps > 0) {
    steps -= pass(chosen, launch, newest, other, steps, newest == a.data);
    std::swap(newest, other);
  }
  return newest == b.data;
}

UntilResult PlanState::iterate_until(Launch const& launch, ViewInfo const& a, ViewInfo const& b,
                                     StoppingCriterion const& until, bool& in_b) const {
  if (until.check_every < 1 || until.max_steps < 0 || !(until.tolerance >= 0.0)) {
    fail(launch.label, "iterate_until with tolerance " + std::to_string(until.tolerance) + ", max_steps " +
                           std::to_string(until.max_steps) + ", check_every " + std::to_string(until.check_every) +
                           "; the tolerance and max_steps must not be negative, check_every at least 1.");
  }
  note_backend(choice(until.check_every).backend);
  in_b = false;
  UntilResult result;
  if (m_empty || until.max_steps == 0) return result;
  m_ops->copy_outside(launch, a.data, b.data);
  void* newest            = a.data;
  void* other             = b.data;
  std::int64_t done       = 0;  // sweeps since the last check
  auto const up_to_check  = [&] { return std::min(until.check_every, until.max_steps - result.steps); };
  auto const reducer      = m_ops->norm_reducer();
  bool measured           = false;  // the last sweep found its change itself
  auto const pass_forward = [&] {
    // The sweep before a check goes by itself: its change is looked at.
    Choice const& c         = choice(until.check_every);
    bool const forward      = newest == a.data;
    std::int64_t const most = up_to_check() - done - 1;
    measured = most == 0 && executable(c, forward).sweep_with_norm(launch, newest, other, until.norm, *reducer);
    done += measured ? 1 : pass(c, launch, newest, other, std::max<std::int64_t>(most, 1), forward);
  };
  while (true) {
    while (done < up_to_check()) {
      pass_forward();
      std::swap(newest, other);
    }
    result.steps += done;
    done            = 0;
    bool const last = result.steps == until.max_steps;
    // A device goes on with the next pass, which leaves the newest state as it is, while the host waits.
    auto const ahead = [&] {
      if (!last) pass_forward();
    };
    result.update_norm = measured ? reducer->of_sweep(launch, until.norm, ahead)
                                  : reducer->between(launch, newest, other, newest == b.data, until.norm, ahead);
    result.converged   = result.update_norm <= until.tolerance;
    if (result.converged || last || std::isnan(result.update_norm)) break;
    if (done > 0) std::swap(newest, other);
  }
  // A pass in vain must not write after the return.
  if (done > 0) m_ops->fence(launch);
  in_b = newest == b.data;
  return result;
}

std::int64_t PlanState::pass(Choice const& c, Launch const& launch, void const* from, void* to, std::int64_t steps,
                             bool forward) const {
  return executable(c, forward).pass(launch, from, to, m_same_strides ? steps : 1);
}

std::string PlanState::explain() const {
  std::ostringstream text;
  for (Choice const& c : m_choices) {
    text << "\"" << m_label << "\": " << problem_text(m_problem) << ", "
         << (c.steps == 1 ? std::string("one sweep") : std::to_string(c.steps) + " sweeps") << "\n"
         << Model::table(c.candidates);
  }
  return text.str();
}

}  // namespace Impl
}  // namespace KokkosStencil
