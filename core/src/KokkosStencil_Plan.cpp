// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Measure.hpp"
#include "KokkosStencil_Registry.hpp"

#include <model/Choice.hpp>

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_FirstPass.hpp>
#include <impl/KokkosStencil_HeldBytes.hpp>
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

std::string problem_text(Problem const& p) {
  std::ostringstream text;
  text << p.rank << "-D " << to_string(p.value_type) << " ";
  for (std::size_t a = static_cast<std::size_t>(3 - p.rank); a < 3; ++a) {
    text << (a > static_cast<std::size_t>(3 - p.rank) ? "x" : "") << p.extent[a];
  }
  text << ", " << p.terms.size() << " terms, " << to_string(p.accuracy);
  return text.str();
}

/// A line for explain() if rows do not begin at 16 bytes, which devices read at once; else nothing.
std::string pitch_text(Problem const& p) {
  std::string text;
  auto const look = [&](char const* view, std::array<std::int64_t, 3> const& stride, int phase) {
    if (stride[2] != 1) return;
    for (std::size_t a = 0; a < 2; ++a) {
      if (p.extent[a] == 1 || stride[a] * size_of(p.value_type) % 16 == 0) continue;
      text +=
          std::string(text.empty() ? "" : ", ") + view + " has a pitch of " + std::to_string(stride[a]) + " elements";
      return;
    }
    if (phase != 0)
      text += std::string(text.empty() ? "" : ", ") + view + " begins " + std::to_string(phase) + " bytes past one";
  };
  look("the input", p.in_stride, p.in_phase);
  look("the output", p.out_stride, p.out_phase);
  if (text.empty()) return text;
  return "  Rows do not all begin at a multiple of 16 bytes: " + text +
         ". Padded rows (Kokkos::AllowPadding) are faster.\n";
}

}  // namespace

PlanState::PlanState(std::string const& label, PolicyInfo const& policy, TermList terms, ViewInfo const& in,
                     ViewInfo const& out, SpaceInfo const& space, Launch const& launch, std::int64_t steps)
    : m_label(label),
      m_problem(make_problem(label, policy, *terms, in, out, std::max<std::int64_t>(steps, 1))),
      m_empty(m_problem.points() == 0),
      m_same_strides(m_problem.in_stride == m_problem.out_stride),
      m_most_sweeps(most_shared_sweeps(policy, m_problem)),
      m_shared(m_most_sweeps < std::numeric_limits<std::int64_t>::max()) {
  if (!space.host && !m_empty) m_pitch_text = pitch_text(m_problem);
  Problem shape = m_problem;
  shape.terms   = {};  // nothing that is done beside sweeps depends on them
  m_ops         = make_state_ops(shape, space);
  if (m_shared) {
    Problem wide = widened(policy, shape);
    m_wide_ops   = make_state_ops(wide, space);
  }
  // Updates are made one at a time, however many.
  m_choices.resize((steps == any_steps || m_shared) && !m_problem.updates ? 2 : 1);
  m_choices.front().steps = m_choices.size() == 2 ? 1 : m_problem.steps;
  if (m_choices.size() == 2) {
    std::int64_t const expected = std::min(steps == any_steps ? many_steps : steps, m_most_sweeps);
    m_choices.back().steps      = std::max<std::int64_t>(2, expected);
  }
  std::string const forced = forced_backend(policy.backend);
  if (!forced.empty()) find_backend(m_label, forced);
  auto const answers = ask_backends(m_label, m_problem, space);
  for (Answer const& a : answers) {
    if (a.verdict.yes || a.backend->name() != forced) continue;
    fail(m_label,
         "the forced backend \"" + forced + "\" cannot run this: " + a.verdict.reason + ". Force another, or none.");
  }
  std::int64_t const before = device_bytes();
  for (Choice& c : m_choices) choose(c, answers, forced, policy, in, out, space, launch);
  m_device_bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, device_bytes() - before));
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
  bool const wide   = m_shared && choice.steps > 1;
  Problem problem   = wide ? widened(policy, m_problem) : m_problem;
  problem.steps     = choice.steps;
  choice.candidates = Impl::candidates(m_label, answers, problem, space);
  if (policy.tuning == Tuning::measure && forced.empty() && !m_empty) {
    measure_candidates(m_label, policy, problem, space, launch, wide ? wide_ops() : *m_ops, in, out, choice.candidates);
  }
  Candidate const* const winner = Model::choose(choice.candidates, forced);
  if (winner == nullptr) {
    std::string reasons;
    for (Candidate const& c : choice.candidates) reasons += " " + c.backend + ": " + c.reason + ".";
    fail(m_label, "no backend can run this on " + space.name + "." + reasons);
  }
  choice.backend          = winner->backend;
  choice.backward_backend = winner->backend;
  choice.depth            = winner->estimate.depth;
  choice.padded           = winner->estimate.padded;
  if (m_empty) return;
  Choice const& first = m_choices.front();
  if (&choice != &first && !wide && first.backend == choice.backend && first.depth == choice.depth &&
      first.padded == choice.padded) {
    choice.same        = &first;
    choice.no_way_back = first.no_way_back;
    return;
  }
  auto const named  = [&](Answer const& a) { return a.backend->name() == choice.backend; };
  auto const chosen = std::find_if(answers.begin(), answers.end(), named)->backend;
  problem.depth     = choice.depth;
  choice.forward    = prepare(m_label, *chosen, problem, space, launch);
  if (!m_same_strides) {
    std::swap(problem.in_stride, problem.out_stride);
    std::swap(problem.in_phase, problem.out_phase);
    // The way back is another problem: the chosen backend does it if it can, else, unless that one was forced, the
    // fastest of those that can.
    auto back         = chosen;
    auto const status = [&](Backend const& b) { return ask(m_label, b, problem, space); };
    Status const able = status(*chosen);
    if (!able.yes && !forced.empty()) {
      choice.no_way_back = able.reason;
      return;
    }
    if (!able.yes) {
      double least = std::numeric_limits<double>::max();
      for (auto const& backend : backends()) {
        if (!status(*backend).yes) continue;
        double const seconds = guarded(m_label, backend->name(), [&] { return backend->predict(problem, space); });
        if (seconds >= least) continue;
        least = seconds;
        back  = backend;
      }
    }
    choice.backward         = prepare(m_label, *back, problem, space, launch);
    choice.backward_backend = back->name();
  }
}

PlanState::~PlanState() = default;

Prediction predict_sweeps(std::string const& label, PolicyInfo const& policy, std::vector<Term> const& terms,
                          ViewInfo const& view, SpaceInfo const& space, std::int64_t steps) {
  std::int64_t bytes = view.value_size;
  for (std::size_t a = 0; a < 3; ++a) bytes += (view.extent[a] - 1) * view.stride[a] * view.value_size;
  // Two places that are never looked at, aligned as allocations are.
  constexpr std::int64_t aligned = 4096;
  ViewInfo in = view, out = view;
  in.data         = reinterpret_cast<void*>(aligned);
  out.data        = reinterpret_cast<void*>(aligned + (bytes + aligned) / aligned * aligned);
  Problem problem = make_problem(label, policy, terms, in, out, steps);
  if (problem.points() == 0) return {};
  if (steps > 1 && most_shared_sweeps(policy, problem) < std::numeric_limits<std::int64_t>::max()) {
    problem = widened(policy, problem);
  }
  auto all                      = candidates(label, ask_backends(label, problem, space), problem, space);
  Candidate const* const winner = Model::choose(all, forced_backend(policy.backend));
  if (winner == nullptr) fail(label, "no backend can run this on " + space.name + ".");
  return {winner->predicted, std::max(1, winner->estimate.depth), winner->backend};
}

std::size_t PlanState::bytes() const {
  std::size_t const terms = m_problem.terms.size() * sizeof(Term);
  std::size_t all =
      sizeof(PlanState) + terms + m_device_bytes + m_ops->bytes() + (m_wide_ops != nullptr ? m_wide_ops->bytes() : 0);
  for (Choice const& c : m_choices) {
    for (Candidate const& k : c.candidates) all += sizeof(Candidate) + k.backend.capacity() + k.reason.capacity();
    for (auto const* executable : {c.forward.get(), c.backward.get()}) {
      // As a rule it has a copy of the problem.
      if (executable != nullptr) all += executable->bytes() + terms;
    }
  }
  return all;
}

bool PlanState::fits(ViewInfo const& view, std::array<std::int64_t, 3> const& stride) const {
  if (view.rank != m_problem.rank || view.value_type != m_problem.value_type) return false;
  for (std::size_t a = 0; a < 3; ++a) {
    if (m_problem.user_axis[a] < 0) continue;
    auto const user = static_cast<std::size_t>(m_problem.user_axis[a]);
    if (view.extent[user] != m_problem.extent[a] || view.stride[user] != stride[a]) return false;
  }
  return true;
}

void PlanState::check(std::string const& label, ViewInfo const& in, ViewInfo const& out) const {
  bool const ways = (fits(in, m_problem.in_stride) && fits(out, m_problem.out_stride)) ||
                    (fits(in, m_problem.out_stride) && fits(out, m_problem.in_stride));
  if (!ways) {
    explain_misfit(label, "input", in, m_problem.in_stride);
    explain_misfit(label, "output", out, m_problem.out_stride);
  }
  check_pair(label, in, out);
}

void PlanState::explain_misfit(std::string const& label, char const* which, ViewInfo const& view,
                               std::array<std::int64_t, 3> const& stride) const {
  auto const other = [&](std::string const& what, std::string const& planned, std::string const& given) {
    fail(label, "the plan was made for another " + what + ": " + planned + ", given " + given +
                    ". Make a plan for these Views.");
  };
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
}

void PlanState::check_ways(std::string const& label, Choice const& c, bool from_first, std::int64_t steps) const {
  if (c.no_way_back.empty() || (from_first && steps < 2)) return;
  fail(label, "the forced backend \"" + c.backend +
                  "\" cannot run the way back, from Views of the output's strides to "
                  "Views of the input's: " +
                  c.no_way_back + ". Force another, or none, or take Views of equal strides.");
}

void PlanState::check_shared(std::string const& label, std::int64_t steps) const {
  if (steps <= m_most_sweeps) return;
  fail(label,
       std::to_string(steps) + " sweeps, but the shared faces feed " + std::to_string(m_most_sweeps) +
           ": each uses up as many layers as the stencil reaches. Exchange the layers in between, or share more.");
}

bool PlanState::forward(ViewInfo const& in) const { return m_same_strides || fits(in, m_problem.in_stride); }

void PlanState::sweep(Launch const& launch, ViewInfo const& in, ViewInfo const& out) const {
  bool const to_second = forward(in);
  check_ways(launch.label, choice(1), to_second, 1);
  Way const way = way_of(choice(1), to_second);
  note_backend(way.backend);
  if (!m_empty) sweep(way, launch, in.data, out.data);
}

void PlanState::sweep(Way const& way, Launch const& launch, void const* in, void* out) const {
  ToolsRegion const region(launch, way.executable->launches_raw());
  guarded(launch.label, way.backend, [&] { way.executable->sweep(launch, in, out); });
}

void PlanState::sweep(Launch const& launch, ViewInfo const& in, ViewInfo const& out, Update const& update) const {
  bool const plain = !updating(launch.label, {}, update).updates;
  if (!plain && !m_problem.updates) {
    fail(launch.label, "the plan was made without an Update. Make one with Update(alpha, beta) as its last argument.");
  }
  if (plain) return sweep(launch, in, out);
  double const most =
      m_problem.value_type == ValueType::float64 ? largest(ValueType::float64) : largest(ValueType::float32);
  for (double const factor : {update.alpha, update.beta}) {
    if (std::abs(factor) <= most) continue;
    std::ostringstream text;
    text << "the factor " << factor << " of the Update overflows the type that accumulates, whose largest value is "
         << most << ". Scale the stencil, or use a wider value type.";
    fail(launch.label, text.str());
  }
  bool const to_second = forward(in);
  check_ways(launch.label, choice(1), to_second, 1);
  Way const way = way_of(choice(1), to_second);
  note_backend(way.backend);
  if (m_empty) return;
  ToolsRegion const region(launch, way.executable->launches_raw());
  guarded(launch.label, way.backend, [&] { way.executable->update(launch, in.data, out.data, update); });
}

bool PlanState::iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps,
                        Update const& update) const {
  check_output(launch.label, a);
  if (m_shared && steps > 1) {
    fail(launch.label,
         "two levels in time take one sweep at a time where faces are shared. Exchange their layers after "
         "each.");
  }
  check_ways(launch.label, choice(1), forward(a), steps);
  if (steps == 0) note_backend(way_of(choice(1), forward(a)).backend);
  for (std::int64_t step = 0; step < steps; ++step) {
    bool const to_second = step % 2 == 0;
    sweep(launch, to_second ? a : b, to_second ? b : a, update);
  }
  return steps % 2 != 0;
}

bool PlanState::iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps,
                        bool agree) const {
  check_output(launch.label, a);
  check_shared(launch.label, steps);
  bool const from_first = forward(a);
  Choice const& chosen  = choice(steps);
  check_ways(launch.label, chosen, from_first, steps);
  note_backend(way_of(chosen, from_first).backend);
  if (m_empty || steps == 0) return false;
  void* newest = a.data;
  void* other  = b.data;
  if (!agree && m_same_strides && !m_shared && steps > 1) {
    Way const way               = way_of(chosen, from_first);
    auto const* const first     = dynamic_cast<FirstPass const*>(way.executable);
    std::int64_t const finished = first == nullptr ? 0 : guarded(launch.label, way.backend, [&] {
      return first->first_pass(launch, newest, other, steps);
    });
    agree                       = finished > 0;
    if (agree) {
      steps -= finished;
      std::swap(newest, other);
    }
  }
  if (!agree) wide_ops().copy_ghosts(launch, a.data, b.data, from_first);
  while (steps > 0) {
    steps -= pass(chosen, launch, newest, other, steps, (newest == a.data) == from_first);
    std::swap(newest, other);
  }
  return newest == b.data;
}

double PlanState::sweep_with_norm(Launch const& launch, ViewInfo const& in, ViewInfo const& out, Norm norm,
                                  NormReducer& reducer, std::function<void()> const& ahead) const {
  bool const to_second = forward(in);
  check_ways(launch.label, choice(1), to_second, 1);
  Way const way = way_of(choice(1), to_second);
  note_backend(way.backend);
  if (m_empty) {
    ahead();
    return 0.0;
  }
  bool const measured = guarded(launch.label, way.backend, [&] {
    return way.executable->sweep_with_norm(launch, in.data, out.data, norm, reducer);
  });
  if (measured) return reducer.of_sweep(launch, norm, ahead);
  sweep(way, launch, in.data, out.data);
  return reducer.between(launch, out.data, in.data, to_second, norm, ahead);
}

std::shared_ptr<NormReducer> PlanState::norm_reducer() const { return m_ops->norm_reducer(); }

void PlanState::fence(Launch const& launch) const { m_ops->fence(launch); }

Executable::EarlyCount PlanState::early(ViewInfo const& a, ViewInfo const& b, std::int64_t steps) const {
  if (m_empty || !m_same_strides || steps < 2) return {};
  return way_of(choice(steps), true).executable->early(a.data, b.data, steps);
}

void check_until(std::string const& label, StoppingCriterion const& until) {
  if (until.check_every < 1 || until.max_steps < 0 || !(until.tolerance >= 0.0)) {
    std::ostringstream text;
    text << "iterate_until with tolerance " << until.tolerance << ", max_steps " << until.max_steps << ", check_every "
         << until.check_every << "; the tolerance and max_steps must not be negative, check_every at least 1.";
    fail(label, text.str());
  }
  if (until.norm != Norm::max && until.norm != Norm::rms) {
    fail(label, "there is no Norm(" + std::to_string(static_cast<int>(until.norm)) + "). Take max or rms.");
  }
}

UntilResult PlanState::iterate_until(Launch const& launch, ViewInfo const& a, ViewInfo const& b,
                                     StoppingCriterion const& until, bool& in_b, bool agree) const {
  check_until(launch.label, until);
  check_output(launch.label, a);
  check_shared(launch.label, until.max_steps);
  bool const from_first = forward(a);
  // The range of one sweep is too narrow for those before it.
  bool const wide      = m_shared && until.max_steps > 1;
  Choice const& chosen = wide ? m_choices.back() : choice(std::min(until.check_every, until.max_steps));
  check_ways(launch.label, chosen, from_first, until.max_steps);
  note_backend(way_of(chosen, from_first).backend);
  in_b = false;
  UntilResult result;
  if (m_empty || until.max_steps == 0) return result;
  if (!agree) wide_ops().copy_ghosts(launch, a.data, b.data, from_first);
  void* newest            = a.data;
  void* other             = b.data;
  std::int64_t done       = 0;  // sweeps since the last check
  auto const up_to_check  = [&] { return std::min(until.check_every, until.max_steps - result.steps); };
  auto const reducer      = m_ops->norm_reducer();
  bool measured           = false;  // the last sweep found its change itself
  auto const pass_forward = [&] {
    // The sweep before a check goes by itself, unless a pass finds the change of its last one.
    bool const to_second    = (newest == a.data) == from_first;
    std::int64_t const most = up_to_check() - done - 1;
    Way const way           = way_of(chosen, to_second);
    if (wide) {
      // Sweeps to the next check are not those to the next exchange, which a pass would be told.
      measured = false;
      sweep(way, launch, newest, other);
      ++done;
      return;
    }
    bool const several = m_same_strides || way.executable->takes_any_strides();
    measured           = (most == 0 || several) && guarded(launch.label, way.backend, [&] {
                 return most == 0
                                      ? way.executable->sweep_with_norm(launch, newest, other, until.norm, *reducer)
                                      : way.executable->pass_with_norm(launch, newest, other, most + 1, until.norm, *reducer);
               });
    done += measured ? most + 1 : pass(chosen, launch, newest, other, std::max<std::int64_t>(most, 1), to_second);
  };
  while (true) {
    while (done < up_to_check()) {
      pass_forward();
      std::swap(newest, other);
    }
    result.steps += done;
    done            = 0;
    bool const last = result.steps == until.max_steps;
    // A device goes on with the next pass, where that leaves the newest state as it is, while the host waits.
    auto const ahead = [&] {
      Way const way = way_of(chosen, (newest == a.data) == from_first);
      if (!last && !way.executable->overwrites_input()) pass_forward();
    };
    result.update_norm =
        measured ? reducer->of_sweep(launch, until.norm, ahead)
                 : reducer->between(launch, newest, other, (newest == b.data) == from_first, until.norm, ahead);
    result.converged = result.update_norm <= until.tolerance;
    if (result.converged || last || std::isnan(result.update_norm)) break;
    if (done > 0) std::swap(newest, other);
  }
  // A pass in vain must not write after the return.
  if (done > 0) m_ops->fence(launch);
  in_b = newest == b.data;
  return result;
}

std::int64_t PlanState::pass(Choice const& c, Launch const& launch, void const* from, void* to, std::int64_t steps,
                             bool to_second) const {
  Way const way           = way_of(c, to_second);
  std::int64_t const most = m_same_strides || way.executable->takes_any_strides() ? steps : 1;
  if (m_shared && most < steps) {
    // A pass of one sweep would leave out what the others need.
    sweep(way, launch, from, to);
    return 1;
  }
  std::int64_t const finished =
      guarded(launch.label, way.backend, [&] { return way.executable->pass(launch, from, to, most); });
  if (finished < 1 || finished > most) {
    fail(launch.label, "the backend \"" + way.backend + "\" says that a pass did " + std::to_string(finished) +
                           " sweeps, where 1 to " + std::to_string(most) + " were asked for.");
  }
  return finished;
}

std::string PlanState::explain() const {
  std::ostringstream text;
  for (Choice const& c : m_choices) {
    text << "\"" << m_label << "\": " << problem_text(m_problem) << ", "
         << (c.steps == 1 ? std::string("one sweep") : std::to_string(c.steps) + " sweeps") << "\n"
         << Model::table(c.candidates) << m_pitch_text;
  }
  return text.str();
}

}  // namespace Impl
}  // namespace KokkosStencil
