// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Matching.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <numeric>
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
      : m_size(graph.columns()),
        m_mate(std::move(mate)),
        m_parent(at(m_size)),
        m_base(at(m_size)),
        m_outer(at(m_size)),
        m_mark(at(m_size)),
        m_neighbours(at(m_size)) {
    for (int v = 0; v < m_size; ++v) {
      for (int w = 0; w < v; ++w) {
        if (graph.conflict(v, w)) continue;
        m_neighbours[at(v)].push_back(w);
        m_neighbours[at(w)].push_back(v);
      }
    }
  }

  std::vector<int> solve() {
    auto free = std::count(m_mate.begin(), m_mate.end(), none);
    for (int root = 0; root < m_size && free > 1; ++root) {
      if (m_mate[at(root)] != none) continue;
      int const end = search(root);
      if (end == none) {
        remove_tree();
        --free;
      } else {
        augment(end);
        free -= 2;
      }
    }
    return std::move(m_mate);
  }

 private:
  // No later path touches the tree of a search that failed.
  void remove_tree() {
    auto const in_tree = [this](int v) { return m_outer[at(v)] != 0 || m_parent[at(v)] != none; };
    for (int v = 0; v < m_size; ++v) {
      auto& list = m_neighbours[at(v)];
      if (in_tree(v)) {
        list.clear();
      } else {
        list.erase(std::remove_if(list.begin(), list.end(), in_tree), list.end());
      }
    }
  }

  void augment(int v) {
    while (v != none) {
      int const previous = m_parent[at(v)], next = m_mate[at(previous)];
      m_mate[at(v)]        = previous;
      m_mate[at(previous)] = v;
      v                    = next;
    }
  }

  int common_base(int a, int b) {
    std::fill(m_mark.begin(), m_mark.end(), char{0});
    for (;;) {
      a             = m_base[at(a)];
      m_mark[at(a)] = 1;
      if (m_mate[at(a)] == none) break;
      a = m_parent[at(m_mate[at(a)])];
    }
    for (;;) {
      b = m_base[at(b)];
      if (m_mark[at(b)] != 0) return b;
      b = m_parent[at(m_mate[at(b)])];
    }
  }

  void mark_path(int v, int base, int child) {
    while (m_base[at(v)] != base) {
      int const mate               = m_mate[at(v)];
      m_mark[at(m_base[at(v)])]    = 1;
      m_mark[at(m_base[at(mate)])] = 1;
      m_parent[at(v)]              = child;
      child                        = mate;
      v                            = m_parent[at(mate)];
    }
  }

  void contract(int v, int w, std::vector<int>& queue) {
    int const base = common_base(v, w);
    std::fill(m_mark.begin(), m_mark.end(), char{0});
    mark_path(v, base, w);
    mark_path(w, base, v);
    for (int i = 0; i < m_size; ++i) {
      if (m_mark[at(m_base[at(i)])] == 0) continue;
      m_base[at(i)] = base;
      if (m_outer[at(i)] != 0) continue;
      m_outer[at(i)] = 1;
      queue.push_back(i);
    }
  }

  // Looking one step ahead finds most paths before any contraction.
  int free_neighbour(int v, int root) {
    for (int w : m_neighbours[at(v)]) {
      if (m_mate[at(w)] != none || w == root) continue;
      m_parent[at(w)] = v;
      return w;
    }
    return none;
  }

  // The free end of an augmenting path.
  int search(int root) {
    std::fill(m_parent.begin(), m_parent.end(), none);
    std::fill(m_outer.begin(), m_outer.end(), char{0});
    std::iota(m_base.begin(), m_base.end(), 0);
    m_outer[at(root)] = 1;
    std::vector<int> queue{root};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      int const v = queue[next];
      for (int w : m_neighbours[at(v)]) {
        if (m_base[at(v)] == m_base[at(w)] || m_mate[at(v)] == w) continue;
        int const mate = m_mate[at(w)];
        if (w == root || (mate != none && m_parent[at(mate)] != none)) {
          contract(v, w, queue);
        } else if (m_parent[at(w)] == none) {
          m_parent[at(w)] = v;
          if (mate == none) return w;
          m_outer[at(mate)] = 1;
          queue.push_back(mate);
          int const end = free_neighbour(mate, root);
          if (end != none) return end;
        }
      }
    }
    return none;
  }

  int m_size;
  std::vector<int> m_mate, m_parent, m_base;
  std::vector<char> m_outer, m_mark;           // flags, 0 or 1
  std::vector<std::vector<int>> m_neighbours;  // columns without conflict
};

}  // namespace

ConflictGraph::ConflictGraph(int columns, int rows)
    : m_columns(columns), m_words((at(rows) + 63) / 64), m_rows(at(m_columns) * m_words), m_full(m_rows) {}

ConflictGraph::ConflictGraph(Matrix const& matrix) : ConflictGraph(matrix.columns(), matrix.rows()) {
  for (int r = 0; r < matrix.rows(); ++r) {
    for (int c = 0; c < m_columns; ++c) {
      if (matrix(r, c) != 0.0) m_rows[first_word(c) + at(r / 64)] |= std::uint64_t{1} << (r % 64);
    }
  }
  m_full = m_rows;
}

ConflictGraph ConflictGraph::of_pairs(Matrix const& matrix) {
  ConflictGraph graph(matrix.columns() / 2, matrix.rows());
  for (int r = 0; r < matrix.rows(); ++r) {
    for (int c = 0; c < graph.m_columns; ++c) {
      bool const low = matrix(r, 2 * c) != 0.0, high = matrix(r, 2 * c + 1) != 0.0;
      std::uint64_t const bit = std::uint64_t{1} << (r % 64);
      if (low || high) graph.m_rows[graph.first_word(c) + at(r / 64)] |= bit;
      if (low && high) graph.m_full[graph.first_word(c) + at(r / 64)] |= bit;
    }
  }
  return graph;
}

bool ConflictGraph::conflict(int i, int j) const {
  for (std::size_t w = 0; w < m_words; ++w) {
    std::size_t const a = first_word(i) + w, b = first_word(j) + w;
    if (((m_full[a] & m_rows[b]) | (m_rows[a] & m_full[b])) != 0) return true;
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
