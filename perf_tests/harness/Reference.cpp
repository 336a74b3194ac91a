// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace perf {

namespace {

using Wide = long double;

struct Value {
  Wide result;
  Wide scale;
};

class Definition {
 public:
  Definition(Case const& c, int bits)
      : m_kernel(c.kernel),
        m_extents(c.extents),
        m_strides(c.strides()),
        m_steps(c.steps),
        m_bits(bits),
        m_faces(c.faces) {
    for (int a = 0; a < 3; ++a) {
      m_lower[static_cast<std::size_t>(a)] = m_kernel.lower(a);
      m_upper[static_cast<std::size_t>(a)] = m_kernel.upper(a);
    }
  }

  std::int64_t element(Extents const& p) const {
    return p[0] * m_strides[0] + p[1] * m_strides[1] + p[2] * m_strides[2];
  }

  /// Multiplications that one point takes.
  double cost() const {
    double sum = 0;
    for (std::int64_t t = 0; t < m_steps; ++t) {
      double n = static_cast<double>(m_kernel.terms.size());
      for (std::size_t a = 0; a < 3; ++a) {
        auto const width = static_cast<double>(t * (m_upper[a] - m_lower[a]) + 1);
        n *= m_faces == Faces::periodic ? width : std::min(width, static_cast<double>(m_extents[a]));
      }
      sum += n;
    }
    return sum;
  }

  Sample at(Extents const& point) const {
    Box box                  = cone(point, m_steps);
    std::vector<Value> state = inputs(box);
    for (std::int64_t left = m_steps - 1; left >= 0; --left) {
      Box const next = cone(point, left);
      state          = sweep(box, state, next);
      box            = next;
    }
    return {element(point), static_cast<double>(state[0].result), static_cast<double>(state[0].scale)};
  }

 private:
  struct Box {
    Extents begin, end;
    std::size_t size() const {
      return static_cast<std::size_t>((end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]));
    }
    std::size_t index(Extents const& p) const {
      return static_cast<std::size_t>(
          ((p[0] - begin[0]) * (end[1] - begin[1]) + (p[1] - begin[1])) * (end[2] - begin[2]) + (p[2] - begin[2]));
    }
  };

  /// What a point depends on; beyond the faces too if they are periodic.
  Box cone(Extents const& point, std::int64_t left) const {
    Box box{};
    for (std::size_t a = 0; a < 3; ++a) {
      // Mirror images reach as far to the other side.
      bool const mirror        = m_faces == Faces::mirror;
      std::int64_t const below = mirror ? std::min(m_lower[a], -m_upper[a]) : m_lower[a];
      std::int64_t const above = mirror ? -below : m_upper[a];
      box.begin[a]             = point[a] + left * below;
      box.end[a]               = point[a] + left * above + 1;
      if (m_faces == Faces::periodic) continue;
      box.begin[a] = std::max<std::int64_t>(0, box.begin[a]);
      box.end[a]   = std::min<std::int64_t>(m_extents[a], box.end[a]);
    }
    return box;
  }

  template <class F>
  static void each(Box const& box, F const& f) {
    Extents p{};
    for (p[0] = box.begin[0]; p[0] < box.end[0]; ++p[0]) {
      for (p[1] = box.begin[1]; p[1] < box.end[1]; ++p[1]) {
        for (p[2] = box.begin[2]; p[2] < box.end[2]; ++p[2]) f(p);
      }
    }
  }

  Value input(Extents p) const {
    for (std::size_t a = 0; a < 3; ++a) p[a] = (p[a] % m_extents[a] + m_extents[a]) % m_extents[a];
    Wide const x = input_value(static_cast<std::uint64_t>(element(p)), m_bits);
    return {x, std::abs(x)};
  }

  std::vector<Value> inputs(Box const& box) const {
    std::vector<Value> state(box.size());
    each(box, [&](Extents const& p) { state[box.index(p)] = input(p); });
    return state;
  }

  bool written(Extents const& p) const {
    if (m_faces != Faces::halo) return true;
    for (std::size_t a = 0; a < 3; ++a) {
      if (p[a] + m_lower[a] < 0 || p[a] + m_upper[a] >= m_extents[a]) return false;
    }
    return true;
  }

  /// The point that is read for one that may lie past a face. Returns whether a constant is read instead.
  bool map(Extents& q) const {
    bool outside = false;
    for (std::size_t a = 0; a < 3; ++a) {
      std::int64_t const last = m_extents[a] - 1;
      if (q[a] >= 0 && q[a] <= last) continue;
      if (m_faces == Faces::mirror) q[a] = q[a] < 0 ? -1 - q[a] : 2 * last + 1 - q[a];
      if (m_faces == Faces::edge) q[a] = q[a] < 0 ? 0 : last;
      outside = outside || m_faces == Faces::constant;
    }
    return outside;
  }

  std::vector<Value> sweep(Box const& from, std::vector<Value> const& state, Box const& to) const {
    std::vector<Value> next(to.size());
    each(to, [&](Extents const& p) {
      Value sum{0, 0};
      if (!written(p)) {
        sum = input(p);
      } else {
        for (Term const& t : m_kernel.terms) {
          Extents q{{p[0] + t.offset[0], p[1] + t.offset[1], p[2] + t.offset[2]}};
          bool const outside = map(q);
          Value const x      = outside ? Value{face_constant, std::abs(Wide(face_constant))} : state[from.index(q)];
          sum.result += static_cast<Wide>(t.coefficient) * x.result;
          sum.scale += std::abs(static_cast<Wide>(t.coefficient)) * x.scale;
        }
      }
      next[to.index(p)] = sum;
    });
    return next;
  }

  Kernel const& m_kernel;
  Extents m_extents, m_strides;
  std::int64_t m_steps;
  int m_bits;
  Faces m_faces;
  std::array<int, 3> m_lower{}, m_upper{};
};

}  // namespace

std::vector<Sample> reference_samples(Case const& c, int bits, int wanted) {
  Definition const definition(c, bits);
  Kernel const& kernel = c.kernel;
  bool const halo      = c.faces == Faces::halo;
  int const affordable = static_cast<int>(std::min(1e6, 5e6 / definition.cost()));
  int const count      = std::max(4, std::min(wanted, affordable));

  Extents begin{}, end{};
  for (int a = 0; a < 3; ++a) {
    auto const k = static_cast<std::size_t>(a);
    begin[k]     = halo ? -kernel.lower(a) : 0;
    end[k]       = c.extents[k] - (halo ? kernel.upper(a) : 0);
    if (begin[k] >= end[k]) return {};
  }
  std::set<Extents> points;
  for (int corner = 0; corner < 8; ++corner) {
    Extents p{};
    for (std::size_t a = 0; a < 3; ++a) p[a] = corner >> a & 1 ? end[a] - 1 : begin[a];
    if (static_cast<int>(points.size()) < count) points.insert(p);
  }
  std::mt19937_64 random(20261121);
  auto const near = [&](int axis) {
    // Within the reach of what a fused kernel has to do step by step.
    std::int64_t const depth = std::max<std::int64_t>(2, kernel.radius() * (c.steps + 1));
    auto const a             = static_cast<std::size_t>(axis);
    return static_cast<std::int64_t>(random() %
                                     static_cast<std::uint64_t>(std::min<std::int64_t>(depth, end[a] - begin[a])));
  };
  for (int tries = 0; tries < 8 * count && static_cast<int>(points.size()) < count; ++tries) {
    Extents p{};
    for (int a = 0; a < 3; ++a) {
      auto const k = static_cast<std::size_t>(a);
      switch (random() % 4) {
        case 0: p[k] = begin[k] + near(a); break;
        case 1: p[k] = end[k] - 1 - near(a); break;
        default: p[k] = begin[k] + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end[k] - begin[k]));
      }
    }
    points.insert(p);
  }
  std::vector<Sample> samples;
  samples.reserve(points.size());
  for (Extents const& p : points) samples.push_back(definition.at(p));
  return samples;
}

double max_error_over_scale(std::vector<Sample> const& samples, std::vector<double> const& values) {
  double worst = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    double const difference = std::abs(values[k] - samples[k].expected);
    double const error      = samples[k].scale > 0.0 ? difference / samples[k].scale
                              : difference == 0.0    ? 0.0
                                                     : std::numeric_limits<double>::infinity();
    if (!(error <= worst)) worst = error;
    if (std::isnan(worst)) break;
  }
  return worst;
}

double bound_for_steps(double bound, std::int64_t steps) {
  return std::expm1(static_cast<double>(steps) * std::log1p(bound));
}

}  // namespace perf
