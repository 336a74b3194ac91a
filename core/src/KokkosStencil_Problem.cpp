// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil_Problem.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace KokkosStencil {

PointBox common(PointBox const& a, PointBox const& b) {
  PointBox box = a;
  for (std::size_t k = 0; k < 3; ++k) {
    box.begin[k] = std::max(a.begin[k], b.begin[k]);
    box.end[k]   = std::min(a.end[k], b.end[k]);
  }
  return box;
}

std::vector<PointBox> difference(PointBox const& whole, PointBox const& hole) {
  std::vector<PointBox> parts;
  if (whole.empty()) return parts;
  if (hole.empty()) return {whole};
  // Slabs before and after the hole, slowest axis first; what remains shrinks to the hole.
  PointBox rest = whole;
  for (std::size_t a = 0; a < 3; ++a) {
    PointBox before = rest, after = rest;
    before.end[a]  = hole.begin[a];
    after.begin[a] = hole.end[a];
    if (!before.empty()) parts.push_back(before);
    if (!after.empty()) parts.push_back(after);
    rest.begin[a] = hole.begin[a];
    rest.end[a]   = hole.end[a];
  }
  return parts;
}

PointBox interior(Problem const& problem) { return interior(problem, problem.lower, problem.upper); }

PointBox interior(Problem const& problem, std::array<int, 3> const& lower, std::array<int, 3> const& upper) {
  PointBox box{problem.begin, problem.end};
  for (std::size_t a = 0; a < 3; ++a) {
    box.begin[a] = std::max<std::int64_t>(box.begin[a], -lower[a]);
    box.end[a]   = std::min<std::int64_t>(box.end[a], problem.extent[a] - upper[a]);
    if (box.end[a] < box.begin[a]) box.end[a] = box.begin[a];
  }
  return box;
}

PointBox needed(Problem const& p, std::int64_t left) {
  PointBox box{p.begin, p.end};
  for (std::size_t a = 0; a < 3; ++a) {
    box.begin[a] += std::max<std::int64_t>(0, p.borrowed[a][0] + left * p.lower[a]);
    box.end[a] -= std::max<std::int64_t>(0, p.borrowed[a][1] - left * p.upper[a]);
  }
  return box;
}

namespace Impl {

void fail(std::string const& label, std::string const& what) {
  throw Error("KokkosStencil: \"" + label + "\": " + what);
}

namespace {

std::string extents_text(ViewInfo const& view) {
  std::ostringstream text;
  for (int a = 0; a < view.rank; ++a) text << (a ? " x " : "") << view.extent[a];
  return text.str();
}

bool any_empty(ViewInfo const& view) {
  return std::any_of(view.extent.begin(), view.extent.end(), [](std::int64_t n) { return n == 0; });
}

std::string interval(std::int64_t begin, std::int64_t end) {
  // Appended: GCC 12 warns of "[" + std::to_string(...) in C++20 (its bug 105329).
  return std::string("[").append(std::to_string(begin)).append(", ").append(std::to_string(end)).append(")");
}

/// Whether sum of coefficient[k] * n_k = target has a solution with low[k] <= n_k <= high[k].
struct Lattice {
  struct Variable {
    std::int64_t coefficient, low, high;
  };
  std::vector<Variable> variables;  // coefficients > 0, descending
  int budget = 20000;

  bool reaches(std::int64_t target, std::size_t from = 0) {
    if (--budget < 0) return true;  // the safe side
    if (from == variables.size()) return target == 0;
    std::int64_t low = 0, high = 0;  // what the variables after this one can add up to
    for (std::size_t k = from + 1; k < variables.size(); ++k) {
      low += variables[k].coefficient * variables[k].low;
      high += variables[k].coefficient * variables[k].high;
    }
    Variable const& v      = variables[from];
    auto const floor_div   = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
    std::int64_t const min = std::max(v.low, -floor_div(-(target - high), v.coefficient));
    std::int64_t const max = std::min(v.high, floor_div(target - low, v.coefficient));
    for (std::int64_t n = min; n <= max; ++n) {
      if (reaches(target - n * v.coefficient, from + 1)) return true;
    }
    return false;
  }
};

std::int64_t span(ViewInfo const& view) {
  std::int64_t last = 0;
  for (std::size_t a = 0; a < 3; ++a) last += (view.extent[a] - 1) * view.stride[a];
  return last + 1;
}

}  // namespace

bool overlap(ViewInfo const& a, ViewInfo const& b) {
  if (any_empty(a) || any_empty(b)) return false;
  auto const begin_a = reinterpret_cast<std::intptr_t>(a.data);
  auto const begin_b = reinterpret_cast<std::intptr_t>(b.data);
  if (begin_a + span(a) * a.value_size <= begin_b || begin_b + span(b) * b.value_size <= begin_a) return false;
  std::intptr_t const bytes = begin_b - begin_a;
  if (a.value_size != b.value_size || bytes % a.value_size != 0) return true;
  // A shared point has sum i_k s_k - sum j_k t_k = distance. Equal strides merge into one variable.
  Lattice lattice;
  auto const add = [&](std::int64_t stride, std::int64_t low, std::int64_t high) {
    if (stride == 0) return;
    for (auto& v : lattice.variables) {
      if (v.coefficient == stride) {
        v.low += low;
        v.high += high;
        return;
      }
    }
    lattice.variables.push_back({stride, low, high});
  };
  for (std::size_t k = 0; k < 3; ++k) {
    add(a.stride[k], 0, a.extent[k] - 1);
    add(b.stride[k], -(b.extent[k] - 1), 0);
  }
  std::sort(lattice.variables.begin(), lattice.variables.end(),
            [](auto const& p, auto const& q) { return p.coefficient > q.coefficient; });
  return lattice.reaches(bytes / a.value_size);
}

bool overlaps_itself(ViewInfo const& view) {
  if (any_empty(view)) return false;
  // Axes by stride, the longest first. As a rule each leads past all that the shorter ones reach.
  std::array<Lattice::Variable, 3> axes{};
  std::size_t count = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (view.extent[a] == 1) continue;
    if (view.stride[a] == 0) return true;
    std::size_t place = count++;
    axes[place]       = {std::abs(view.stride[a]), 1 - view.extent[a], view.extent[a] - 1};
    for (; place > 0 && axes[place].coefficient > axes[place - 1].coefficient; --place) {
      std::swap(axes[place], axes[place - 1]);
    }
  }
  std::int64_t reach = 0;
  bool nested        = true;
  for (std::size_t k = count; k-- > 0;) {
    nested = nested && axes[k].coefficient > reach;
    reach += axes[k].coefficient * axes[k].high;
  }
  if (nested) return false;
  // Two points in one place are some steps along each axis apart that add up to nothing; along the first such axis
  // forward.
  for (std::size_t first = 0; first < count; ++first) {
    Lattice lattice;
    lattice.variables.assign(axes.begin() + static_cast<std::ptrdiff_t>(first),
                             axes.begin() + static_cast<std::ptrdiff_t>(count));
    lattice.variables.front().low = 1;
    if (lattice.reaches(0)) return true;
  }
  return false;
}

namespace {

/// A View without points needs no memory, unless the other one has some: then it was never allocated.
void check_data(std::string const& label, std::string const& name, ViewInfo const& view, ViewInfo const& other) {
  if (view.data != nullptr || (any_empty(view) && any_empty(other))) return;
  fail(label, name + " has extents " + extents_text(view) +
                  " and no memory (its data is null). Allocate the View, or give its pointer to it.");
}

}  // namespace

void check_output(std::string const& label, ViewInfo const& view) {
  if (!overlaps_itself(view)) return;
  std::ostringstream strides;
  for (int a = 0; a < view.rank; ++a) strides << (a ? ", " : "") << view.stride[static_cast<std::size_t>(a)];
  fail(label, "several points of the output lie in one place (extents " + extents_text(view) + ", strides " +
                  strides.str() + "). Write to a View whose points do not overlap.");
}

void check_extents(std::string const& label, ViewInfo const& in, ViewInfo const& out, ViewNames const& names) {
  check_data(label, names.in, in, out);
  check_data(label, names.out, out, in);
  if (in.extent != out.extent) {
    fail(label, names.in + " has extents " + extents_text(in) + " and " + names.out + " " + extents_text(out) +
                    "; they must agree. Take subviews of the same shape, whose edges then count as faces.");
  }
}

void check_shapes(std::string const& label, ViewInfo const& in, ViewInfo const& out, ViewNames const& names) {
  check_extents(label, in, out, names);
  check_output(label, out);
}

void check_pair(std::string const& label, ViewInfo const& in, ViewInfo const& out, ViewNames const& names) {
  check_shapes(label, in, out, names);
  if (overlap(in, out)) {
    fail(label, names.in + " and " + names.out + " overlap (extents " + extents_text(in) +
                    "): what is read could have been overwritten before. Use a second View.");
  }
}

void check_steps(std::string const& label, std::int64_t steps) {
  if (steps < 0) fail(label, std::to_string(steps) + " steps; the number must not be negative.");
}

namespace {

/// "the constant 2 at the lower face of axis 0"
std::string constant_at(double constant, int axis, std::size_t side) {
  std::ostringstream text;
  text << "the constant " << constant << " at the " << (side == 0 ? "lower" : "upper") << " face of axis " << axis;
  return text.str();
}

}  // namespace

void check_constants(std::string const& label, PolicyInfo const& policy, char const* type, double lowest, double most,
                     bool whole) {
  for (int axis = 0; axis < policy.rank; ++axis) {
    for (std::size_t side = 0; side < 2; ++side) {
      Face const& face = policy.faces[static_cast<std::size_t>(axis)][side];
      if (face.kind != BoundaryKind::value) continue;
      if (whole && std::trunc(face.constant) != face.constant) {
        fail(label, constant_at(face.constant, axis, side) + " is no whole number, as values " + type +
                        " are. Take another constant, or another value type.");
      }
      if ((face.constant >= lowest && face.constant <= most) || (!whole && !std::isfinite(face.constant))) continue;
      std::ostringstream text;
      text << constant_at(face.constant, axis, side) << " overflows the value type " << type
           << ", whose values lie between " << lowest << " and " << most
           << ". Take another constant, or a wider value type.";
      fail(label, text.str());
    }
  }
}

void refuse_constants(std::string const& label, PolicyInfo const& policy) {
  for (int axis = 0; axis < policy.rank; ++axis) {
    for (std::size_t side = 0; side < 2; ++side) {
      Face const& face = policy.faces[static_cast<std::size_t>(axis)][side];
      if (face.kind != BoundaryKind::value) continue;
      fail(label,
           constant_at(face.constant, axis, side) +
               " cannot be a value of a field, whose type is not made from a number. Take another rule there, or "
               "give the type a constructor that takes a double.");
    }
  }
}

PointBox resolve_range(std::string const& label, PolicyInfo const& policy, ViewInfo const& view,
                       std::array<int, 3> const& lower, std::array<int, 3> const& upper, char const* advice) {
  PointBox range{{{0, 0, 0}}, {{1, 1, 1}}};
  bool empty = false;
  for (int axis = 0; axis < view.rank; ++axis) {
    auto const a      = static_cast<std::size_t>(axis);
    auto const& faces = policy.faces[a];
    for (std::size_t side = 0; side < 2; ++side) {
      auto const kind = static_cast<int>(faces[side].kind);
      if (kind < 0 || kind > static_cast<int>(BoundaryKind::shared)) {
        fail(label, "axis " + std::to_string(axis) + " has the unknown rule BoundaryKind(" + std::to_string(kind) +
                        ") at a face. Take halo, value, periodic, mirror, edge or shared.");
      }
      int const reach = side == 0 ? -lower[a] : upper[a], depth = faces[side].depth;
      if (faces[side].kind == BoundaryKind::shared && (depth < reach || depth < 0)) {
        fail(label, std::string("the ") + (side == 0 ? "lower" : "upper") + " face of axis " + std::to_string(axis) +
                        " is shared " + std::to_string(depth) + " layers deep, and the stencil reaches " +
                        std::to_string(reach) + " points past it. Exchange at least so many layers.");
      }
    }
    if (!policy.whole && policy.begin[a] > policy.end[a]) {
      fail(label, "the range " + interval(policy.begin[a], policy.end[a]) + " along axis " + std::to_string(axis) +
                      " is reversed (the extent is " + std::to_string(view.extent[a]) +
                      "). Let it end where it begins if nothing is to be written.");
    }
    if ((faces[0].kind == BoundaryKind::periodic) != (faces[1].kind == BoundaryKind::periodic)) {
      fail(label, "axis " + std::to_string(axis) + " is " + to_string(faces[0].kind) + " at its lower and " +
                      to_string(faces[1].kind) + " at its upper face; periodic needs both. Use Boundary::axis(" +
                      std::to_string(axis) + ", Face::periodic()).");
    }
    range.begin[a] = policy.whole ? 0 : policy.begin[a];
    range.end[a]   = policy.whole ? view.extent[a] : policy.end[a];
    empty          = empty || range.begin[a] >= range.end[a] || view.extent[a] == 0;
  }
  if (empty) return PointBox{{{0, 0, 0}}, {{0, 0, 0}}};
  for (int axis = 0; axis < view.rank; ++axis) {
    auto const a       = static_cast<std::size_t>(axis);
    auto const& faces  = policy.faces[a];
    bool const halo[2] = {has_ghosts(faces[0]), has_ghosts(faces[1])};
    // A reflection must not run out of a View that has ghost values on its other side.
    int const reach = faces[0].kind == BoundaryKind::mirror ? -lower[a] : upper[a];
    bool const one_mirror =
        halo[0] != halo[1] && (faces[0].kind == BoundaryKind::mirror || faces[1].kind == BoundaryKind::mirror);
    if (one_mirror && reach > view.extent[a]) {
      fail(label, "axis " + std::to_string(axis) + " has a mirror on one face and a halo on the other; its extent " +
                      std::to_string(view.extent[a]) + " is less than the stencil's reach " + std::to_string(reach) +
                      ". Widen the View, or choose the same rule for both faces.");
    }
    auto const layers = [&](std::size_t side, int beyond) {
      return faces[side].kind == BoundaryKind::shared ? faces[side].depth : halo[side] ? beyond : 0;
    };
    std::int64_t const first = layers(0, -lower[a]);
    std::int64_t const last  = view.extent[a] - layers(1, upper[a]);
    if (policy.whole) {
      range.begin[a] = first;
      range.end[a]   = last;
      empty          = empty || first >= last;
    } else if (range.begin[a] < first || range.end[a] > last) {
      // A rule would help where a halo is what forbids.
      bool const inside = range.begin[a] >= 0 && range.end[a] <= view.extent[a];
      fail(label,
           "the range " + interval(range.begin[a], range.end[a]) + " along axis " + std::to_string(axis) +
               " is outside " + interval(first, std::max(first, last)) + ", what an extent of " +
               std::to_string(view.extent[a]) + " allows" +
               (lower[a] == 0 && upper[a] == 0
                    ? std::string()
                    : " a stencil that reaches from " + std::to_string(lower[a]) + " to +" + std::to_string(upper[a])) +
               " there" + (layers(0, 0) + layers(1, 0) > 0 ? " between shared layers" : "") + ". Shrink the range" +
               (inside ? ", or give the policy a rule for these faces, as in .boundary(Boundary<" +
                             std::to_string(view.rank) + ">::periodic())." + advice
                       : "; it must lie inside the View."));
    }
  }
  if (empty) return PointBox{{{0, 0, 0}}, {{0, 0, 0}}};
  return range;
}

std::array<int, 3> axes_by_stride(ViewInfo const& view) {
  std::array<int, 3> order{{-1, -1, -1}};
  int const pad = 3 - view.rank;
  for (int a = 0; a < view.rank; ++a) order[static_cast<std::size_t>(pad + a)] = a;
  auto const key = [&](std::size_t place) {
    auto const k = static_cast<std::size_t>(order[place]);
    return view.extent[k] == 1 ? std::numeric_limits<std::int64_t>::max() : view.stride[k];
  };
  // Axes of equal strides keep their order. The standard's way to do that allocates memory, in every call of a sweep.
  for (auto last = static_cast<std::size_t>(pad) + 1; last < 3; ++last) {
    for (std::size_t k = last; k > static_cast<std::size_t>(pad) && key(k) > key(k - 1); --k) {
      std::swap(order[k], order[k - 1]);
    }
  }
  return order;
}

Problem make_problem(std::string const& label, PolicyInfo const& policy, std::vector<Term> const& terms,
                     ViewInfo const& in, ViewInfo const& out, std::int64_t steps) {
  check_pair(label, in, out);
  auto const accuracy = static_cast<int>(policy.accuracy);
  if (accuracy < 0 || accuracy > static_cast<int>(Accuracy::reproducible)) {
    fail(label, "there is no Accuracy(" + std::to_string(accuracy) + "). Take native, relaxed or reproducible.");
  }
  auto const tuning = static_cast<int>(policy.tuning);
  if (tuning < 0 || tuning > static_cast<int>(Tuning::measure)) {
    fail(label, "there is no Tuning(" + std::to_string(tuning) + "). Take predict or measure.");
  }
  double const most = largest(in.value_type);
  check_constants(label, policy, to_string(in.value_type), -most, most, false);
  for (Term const& t : terms) {
    std::ostringstream where;
    where << "the coefficient " << t.coefficient << " at offset (";
    for (int a = 0; a < policy.rank; ++a) where << (a ? ", " : "") << t.offset[static_cast<std::size_t>(a)];
    where << ")";
    if (!std::isfinite(t.coefficient)) {
      fail(label, where.str() + " is not finite. Correct what computes it, or leave the term out.");
    }
    if (std::abs(t.coefficient) > most) {
      where << " overflows the value type " << to_string(in.value_type) << ", whose largest value is " << most
            << ". Scale the stencil, or use a wider value type.";
      fail(label, where.str());
    }
  }

  // Reach in the axes of the View.
  std::array<int, 3> lower{{0, 0, 0}}, upper{{0, 0, 0}};
  for (Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) {
      lower[a] = std::min(lower[a], t.offset[a]);
      upper[a] = std::max(upper[a], t.offset[a]);
    }
  }
  PointBox const range = resolve_range(label, policy, out, lower, upper);

  std::array<int, 3> const order = axes_by_stride(out);

  Problem problem;
  problem.value_type = in.value_type;
  problem.rank       = policy.rank;
  problem.accuracy   = policy.accuracy;
  problem.updates    = policy.updates;
  problem.steps      = steps;
  problem.user_axis  = order;
  for (std::size_t a = 0; a < 3; ++a) {
    if (order[a] < 0) continue;
    auto const user       = static_cast<std::size_t>(order[a]);
    problem.extent[a]     = out.extent[user];
    problem.in_stride[a]  = in.stride[user];
    problem.out_stride[a] = out.stride[user];
    problem.begin[a]      = range.begin[user];
    problem.end[a]        = range.end[user];
    problem.lower[a]      = lower[user];
    problem.upper[a]      = upper[user];
    for (std::size_t side = 0; side < 2; ++side) {
      Face const& face       = policy.faces[user][side];
      problem.faces[a][side] = face.kind == BoundaryKind::shared ? Face::halo() : face;
      problem.early[a][side] = policy.early[user][side];
    }
  }
  auto const phase = [](ViewInfo const& view) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(view.data) % 16);
  };
  problem.in_phase  = phase(in);
  problem.out_phase = phase(out);
  if (range.empty()) problem.end = problem.begin;
  problem.terms.reserve(terms.size());
  for (Term const& t : terms) {
    Term turned{{{0, 0, 0}}, t.coefficient};
    for (std::size_t a = 0; a < 3; ++a) {
      if (order[a] >= 0) turned.offset[a] = t.offset[static_cast<std::size_t>(order[a])];
    }
    problem.terms.push_back(turned);
  }
  std::sort(problem.terms.begin(), problem.terms.end(),
            [](Term const& p, Term const& q) { return p.offset < q.offset; });
  return problem;
}

PolicyInfo updating(std::string const& label, PolicyInfo const& policy, Update const& update) {
  for (double const factor : {update.alpha, update.beta}) {
    if (std::isfinite(factor)) continue;
    fail(label, "Update(" + std::to_string(update.alpha) + ", " + std::to_string(update.beta) +
                    ") has a factor that is not finite. Correct what computes it.");
  }
  PolicyInfo changed = policy;
  changed.updates    = update.alpha != 1.0 || update.beta != 0.0;
  return changed;
}

std::int64_t most_shared_sweeps(PolicyInfo const& policy, Problem const& p) {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.user_axis[a] < 0) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      Face const& face         = policy.faces[static_cast<std::size_t>(p.user_axis[a])][side];
      std::int64_t const reach = side == 0 ? -p.lower[a] : p.upper[a];
      if (face.kind == BoundaryKind::shared && reach > 0) most = std::min(most, face.depth / reach);
    }
  }
  return most;
}

Problem widened(PolicyInfo const& policy, Problem const& problem) {
  Problem wide            = problem;
  std::int64_t const most = most_shared_sweeps(policy, problem);
  if (problem.points() == 0) return wide;
  for (std::size_t a = 0; a < 3; ++a) {
    if (wide.user_axis[a] < 0) continue;
    auto const user = static_cast<std::size_t>(wide.user_axis[a]);
    for (std::size_t side = 0; side < 2; ++side) {
      std::int64_t const reach = side == 0 ? -wide.lower[a] : wide.upper[a];
      if (policy.faces[user][side].kind != BoundaryKind::shared || reach == 0) continue;
      std::int64_t layers = (most - 1) * reach;
      if (policy.changing[user][side] >= 0) layers = std::min(layers, policy.changing[user][side]);
      wide.borrowed[a][side] = layers;
      wide.used_up[a][side]  = layers == (most - 1) * reach;
      if (side == 0) {
        wide.begin[a] -= layers;
      } else {
        wide.end[a] += layers;
      }
    }
  }
  return wide;
}

}  // namespace Impl
}  // namespace KokkosStencil
