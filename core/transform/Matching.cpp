// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Matching.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int none = Matching::zero_column;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void require_levels(std::vector<Stairs> const& levels) {
  for (Stairs const& s : levels) {
    if (s.columns < 1 || s.width < 1 || s.width > s.columns) {
      throw Error("Transform::staircase_matching: a staircase " + std::to_string(s.width) + " wide does not fit " +
                  std::to_string(s.columns) + " columns");
    }
  }
}

// Pairs columns half of all apart, in the order that has one level slowest; `inner` columns of the given
// order share an index on that level and on the slower ones.
Matching half_apart(int total, int columns, int inner) {
  Matching matching{std::vector<int>(at(total), none)};
  int const others     = total / columns;
  auto const column_at = [=](int position) {
    int const index = position / others, other = position % others;
    return (other / inner * columns + index) * inner + other % inner;
  };
  for (int p = 0; p < total / 2; ++p) {
    int const c = column_at(p), d = column_at(p + total / 2);
    matching.partner[at(c)] = d;
    matching.partner[at(d)] = c;
  }
  return matching;
}

// Edmonds' algorithm: breadth-first search for an alternating path from a free vertex; odd cycles
// (blossoms) are contracted to their base.
class Blossom {
 public:
  Blossom(ConflictGraph const& graph, std::vector<int> mate)
      : m_graph(graph),
        m_size(graph.columns()),
        m_mate(std::move(mate)),
        m_parent(at(m_size)),
        m_base(at(m_size)),
        m_outer(at(m_size)),
        m_removed(at(m_size), false) {}

  std::vector<int> solve() {
    auto free = std::count(m_mate.begin(), m_mate.end(), none);
    for (int root = 0; root < m_size && free > 1; ++root) {
      if (m_mate[at(root)] != none) continue;
      int const end = search(root);
      if (end == none) {
        // No later path touches the tree of a search that failed.
        for (int v = 0; v < m_size; ++v) {
          if (m_outer[at(v)] || m_parent[at(v)] != none) m_removed[at(v)] = true;
        }
        --free;
      } else {
        augment(end);
        free -= 2;
      }
    }
    return std::move(m_mate);
  }

 private:
  void augment(int v) {
    while (v != none) {
      int const previous = m_parent[at(v)], next = m_mate[at(previous)];
      m_mate[at(v)]        = previous;
      m_mate[at(previous)] = v;
      v                    = next;
    }
  }

  int common_base(int a, int b) const {
    std::vector<bool> seen(at(m_size), false);
    for (;;) {
      a           = m_base[at(a)];
      seen[at(a)] = true;
      if (m_mate[at(a)] == none) break;
      a = m_parent[at(m_mate[at(a)])];
    }
    for (;;) {
      b = m_base[at(b)];
      if (seen[at(b)]) return b;
      b = m_parent[at(m_mate[at(b)])];
    }
  }

  void mark(int v, int base, int child, std::vector<bool>& inside) {
    while (m_base[at(v)] != base) {
      int const mate               = m_mate[at(v)];
      inside[at(m_base[at(v)])]    = true;
      inside[at(m_base[at(mate)])] = true;
      m_parent[at(v)]              = child;
      child                        = mate;
      v                            = m_parent[at(mate)];
    }
  }

  void contract(int v, int w, std::vector<int>& queue) {
    int const base = common_base(v, w);
    std::vector<bool> inside(at(m_size), false);
    mark(v, base, w, inside);
    mark(w, base, v, inside);
    for (int i = 0; i < m_size; ++i) {
      if (!inside[at(m_base[at(i)])]) continue;
      m_base[at(i)] = base;
      if (m_outer[at(i)]) continue;
      m_outer[at(i)] = true;
      queue.push_back(i);
    }
  }

  // The free end of an augmenting path.
  int search(int root) {
    std::fill(m_parent.begin(), m_parent.end(), none);
    std::fill(m_outer.begin(), m_outer.end(), false);
    for (int v = 0; v < m_size; ++v) m_base[at(v)] = v;
    m_outer[at(root)] = true;
    std::vector<int> queue{root};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      int const v = queue[next];
      for (int w = 0; w < m_size; ++w) {
        if (m_removed[at(w)] || m_base[at(v)] == m_base[at(w)] || m_mate[at(v)] == w || m_graph.conflict(v, w))
          continue;
        int const mate = m_mate[at(w)];
        if (w == root || (mate != none && m_parent[at(mate)] != none)) {
          contract(v, w, queue);
        } else if (m_parent[at(w)] == none) {
          m_parent[at(w)] = v;
          if (mate == none) return w;
          m_outer[at(mate)] = true;
          queue.push_back(mate);
        }
      }
    }
    return none;
  }

  ConflictGraph const& m_graph;
  int m_size;
  std::vector<int> m_mate, m_parent, m_base;
  std::vector<bool> m_outer, m_removed;
};

}  // namespace

ConflictGraph::ConflictGraph(Matrix const& matrix)
    : m_columns(matrix.columns()), m_words((at(matrix.rows()) + 63) / 64), m_rows(at(m_columns) * m_words) {
  for (int r = 0; r < matrix.rows(); ++r) {
    for (int c = 0; c < m_columns; ++c) {
      if (matrix(r, c) != 0.0) m_rows[first_word(c) + at(r / 64)] |= std::uint64_t{1} << (r % 64);
    }
  }
}

bool ConflictGraph::conflict(int i, int j) const {
  for (std::size_t w = 0; w < m_words; ++w) {
    if ((m_rows[first_word(i) + w] & m_rows[first_word(j) + w]) != 0) return true;
  }
  return false;
}

bool is_staircase(Matrix const& matrix, int k) {
  for (int r = 0; r < matrix.rows(); ++r) {
    for (int c = 0; c < matrix.columns(); ++c) {
      if ((matrix(r, c) != 0.0) != (r <= c && c < r + k)) return false;
    }
  }
  return true;
}

int Matching::zeros() const { return static_cast<int>(std::count(partner.begin(), partner.end(), zero_column)); }

bool is_valid(Matching const& matching, ConflictGraph const& graph) {
  int const size = static_cast<int>(matching.partner.size());
  if (size != graph.columns()) return false;
  for (int c = 0; c < size; ++c) {
    int const d = matching.partner[at(c)];
    if (d == none) continue;
    if (d < 0 || d >= size || d == c || matching.partner[at(d)] != c || graph.conflict(c, d)) return false;
  }
  return true;
}

Matching staircase_matching(std::vector<Stairs> const& levels) {
  require_levels(levels);
  int total = 1;
  for (Stairs const& s : levels) total *= s.columns;
  int inner = total;
  for (Stairs const& s : levels) {
    inner /= s.columns;
    if (2 * s.width <= s.columns) return half_apart(total, s.columns, inner);
  }
  Matching matching{std::vector<int>(at(total), none)};
  for (int c = 0; c < total; ++c) {
    inner = total;
    for (Stairs const& s : levels) {
      inner /= s.columns;
      int const index = c / inner % s.columns;
      int const step  = index < s.columns - s.width ? s.width : index >= s.width ? -s.width : 0;
      if (step == 0) continue;
      matching.partner[at(c)] = c + step * inner;
      break;
    }
  }
  return matching;
}

Matching maximum_matching(ConflictGraph const& graph, Matching initial) {
  if (static_cast<int>(initial.partner.size()) != graph.columns()) {
    throw Error("Transform::maximum_matching: the initial matching has " + std::to_string(initial.partner.size()) +
                " columns, the graph " + std::to_string(graph.columns()));
  }
  return {Blossom(graph, std::move(initial.partner)).solve()};
}

Matching maximum_matching(ConflictGraph const& graph) {
  return maximum_matching(graph, {std::vector<int>(at(graph.columns()), none)});
}

Order matched_order(Matching const& matching, int unit) {
  int const columns = static_cast<int>(matching.partner.size());
  int const padded  = (columns + matching.zeros() + unit - 1) / unit * unit;
  int zero          = columns;
  Order order;
  order.reserve(at(padded));
  for (int c = 0; c < columns; ++c) {
    int const d = matching.partner[at(c)];
    if (d != none && d < c) continue;
    order.push_back(c);
    order.push_back(d == none ? zero++ : d);
  }
  while (static_cast<int>(order.size()) < padded) order.push_back(zero++);
  return order;
}

Matrix pad_columns(Matrix const& matrix, int columns) {
  Matrix result(matrix.rows(), columns);
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int j = 0; j < matrix.columns(); ++j) result(i, j) = matrix(i, j);
  }
  return result;
}

}  // namespace Transform
}  // namespace KokkosStencil
