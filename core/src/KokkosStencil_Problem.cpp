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

void check_pair(std::string const& label, ViewInfo const& in, ViewInfo const& out) {
  if (in.extent != out.extent) {
    fail(label, "the input has extents " + extents_text(in) + " and the output " + extents_text(out) +
                    "; they must agree. Take subviews of the same shape.");
  }
  if (overlap(in, out)) {
    fail(label, "input and output overlap (extents " + extents_text(in) +
                    "); a sweep reads points that it would already have overwritten. Use a second View.");
  }
}

void check_fields(std::string const& label, std::vector<ViewInfo> const& in, std::vector<ViewInfo> const& out) {
  for (std::size_t o = 0; o < out.size(); ++o) {
    for (ViewInfo const& i : in) check_pair(label, i, out[o]);
    for (std::size_t p = 0; p < o; ++p) {
      if (overlap(out[p], out[o])) {
        fail(label, "outputs " + std::to_string(p) + " and " + std::to_string(o) +
                        " overlap; give each field a View of its own.");
      }
    }
  }
}

void check_steps(std::string const& label, std::int64_t steps) {
  if (steps < 0) fail(label, std::to_string(steps) + " steps; the number must not be negative.");
}

void check_radius(std::string const& label, std::array<int, 3> const& radius, int rank) {
  for (int a = 0; a < rank; ++a) {
    if (radius[static_cast<std::size_t>(a)] < 0) {
      fail(label, "a functor stencil needs the distance it reads: add .radius(r), r >= 0, to the policy.");
    }
  }
}

PointBox resolve_range(std::string const& label, PolicyInfo const& policy, ViewInfo const& view,
                       std::array<int, 3> const& lower, std::array<int, 3> const& upper) {
  PointBox range{{{0, 0, 0}}, {{1, 1, 1}}};
  bool empty = false;
  for (int axis = 0; axis < view.rank; ++axis) {
    auto const a      = static_cast<std::size_t>(axis);
    auto const& faces = policy.faces[a];
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
    bool const halo[2] = {faces[0].kind == BoundaryKind::halo, faces[1].kind == BoundaryKind::halo};
    // A reflection must not run out of a View that has ghost values on its other side.
    int const reach = faces[0].kind == BoundaryKind::mirror ? -lower[a] : upper[a];
    bool const one_mirror =
        halo[0] != halo[1] && (faces[0].kind == BoundaryKind::mirror || faces[1].kind == BoundaryKind::mirror);
    if (one_mirror && reach > view.extent[a]) {
      fail(label, "axis " + std::to_string(axis) + " has a mirror on one face and a halo on the other; its extent " +
                      std::to_string(view.extent[a]) + " is less than the stencil's reach " + std::to_string(reach) +
                      ". Widen the View, or choose the same rule for both faces.");
    }
    std::int64_t const first = halo[0] ? -lower[a] : 0;
    std::int64_t const last  = view.extent[a] - (halo[1] ? upper[a] : 0);
    if (policy.whole) {
      range.begin[a] = first;
      range.end[a]   = last;
      empty          = empty || first >= last;
    } else if (range.begin[a] < first || range.end[a] > last) {
      fail(label, "the range " + interval(range.begin[a], range.end[a]) + " along axis " + std::to_string(axis) +
                      " is outside " + interval(first, std::max(first, last)) + ", what an extent of " +
                      std::to_string(view.extent[a]) + " allows a stencil that reaches from " +
                      std::to_string(lower[a]) + " to +" + std::to_string(upper[a]) +
                      " there. Shrink the range, or give the policy a rule for these faces, as in "
                      ".boundary(Boundary<" +
                      std::to_string(view.rank) + ">::periodic()).");
    }
  }
  if (empty) return PointBox{{{0, 0, 0}}, {{0, 0, 0}}};
  return range;
}

Problem make_problem(std::string const& label, PolicyInfo const& policy, std::vector<Term> const& terms,
                     ViewInfo const& in, ViewInfo const& out, std::int64_t steps) {
  check_pair(label, in, out);
  for (Term const& t : terms) {
    std::ostringstream where;
    where << "the coefficient " << t.coefficient << " at offset (";
    for (int a = 0; a < policy.rank; ++a) where << (a ? ", " : "") << t.offset[static_cast<std::size_t>(a)];
    where << ")";
    if (!std::isfinite(t.coefficient)) fail(label, where.str() + " is not finite.");
    if (std::abs(t.coefficient) > largest(in.value_type)) {
      where << " overflows the value type " << to_string(in.value_type) << ", whose largest value is "
            << largest(in.value_type) << ". Scale the stencil, or use a wider value type.";
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

  // Axes by stride of the output, slowest first; axes of one point count as slow.
  std::array<int, 3> order{{-1, -1, -1}};
  int const pad = 3 - policy.rank;
  for (int a = 0; a < policy.rank; ++a) order[static_cast<std::size_t>(pad + a)] = a;
  std::stable_sort(order.begin() + pad, order.end(), [&](int p, int q) {
    auto const key = [&](int a) {
      auto const k = static_cast<std::size_t>(a);
      return out.extent[k] == 1 ? std::numeric_limits<std::int64_t>::max() : out.stride[k];
    };
    return key(p) > key(q);
  });

  Problem problem;
  problem.value_type = in.value_type;
  problem.rank       = policy.rank;
  problem.accuracy   = policy.accuracy;
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
    problem.faces[a]      = policy.faces[user];
  }
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

}  // namespace Impl
}  // namespace KokkosStencil
