// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Matching.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <bitset>
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

int first_bit(std::uint64_t word) { return static_cast<int>(std::bitset<64>((word & (~word + 1)) - 1).count()); }

// Columns as bits.
class BitSet {
 public:
  explicit BitSet(int size) : m_words((at(size) + 63) / 64) {}

  void insert(int i) { m_words[at(i / 64)] |= std::uint64_t{1} << (i % 64); }
  void erase(int i) { m_words[at(i / 64)] &= ~(std::uint64_t{1} << (i % 64)); }
  bool has(int i) const { return (m_words[at(i / 64)] >> (i % 64) & 1u) != 0; }
  std::size_t words() const { return m_words.size(); }
  std::uint64_t word(std::size_t w) const { return m_words[w]; }
  void clear() { std::fill(m_words.begin(), m_words.end(), 0u); }

 private:
  std::vector<std::uint64_t> m_words;
};

// Edmonds' algorithm: breadth-first search for an alternating path from a free vertex; odd cycles
// (blossoms) are contracted to their base. Neighbours, those that have not been seen and the like are sets of bits.
class Blossom {
 public:
  Blossom(ConflictGraph const& graph, std::vector<int> mate)
      : m_graph(graph),
        m_size(graph.columns()),
        m_mate(std::move(mate)),
        m_parent(at(m_size), none),
        m_base(at(m_size)),
        m_mark(at(m_size)),
        m_free(m_size),
        m_alive(m_size),
        m_unseen(m_size),
        m_outer(m_size) {
    std::iota(m_base.begin(), m_base.end(), 0);
    for (int v = 0; v < m_size; ++v) {
      m_alive.insert(v);
      if (m_mate[at(v)] == none) m_free.insert(v);
    }
  }

  std::vector<int> solve() {
    match_greedily();
    auto free = std::count(m_mate.begin(), m_mate.end(), none);
    for (int root = 0; root < m_size && free > 1; ++root) {
      if (m_mate[at(root)] != none) continue;
      int const end = search(root);
      if (end == none) {
        // No later path touches the tree of a search that failed.
        for (int v : m_seen) m_alive.erase(v);
        --free;
      } else {
        augment(end);
        free -= 2;
      }
    }
    return std::move(m_mate);
  }

 private:
  // Those with the fewest neighbours first, with the first of those that are left.
  void match_greedily() {
    std::vector<std::pair<int, int>> order;
    for (int v = 0; v < m_size; ++v) {
      if (m_mate[at(v)] != none) continue;
      int neighbours = 0;
      for (std::size_t w = 0; w < m_free.words(); ++w) neighbours += count(m_graph.partners(v)[w] & m_free.word(w));
      order.emplace_back(neighbours, v);
    }
    std::sort(order.begin(), order.end());
    for (auto const& [neighbours, v] : order) {
      if (neighbours == 0 || !m_free.has(v)) continue;
      int const w = find(v, m_free, m_alive);
      if (w != none) pair(v, w);
    }
  }

  void pair(int v, int w) {
    m_mate[at(v)] = w;
    m_mate[at(w)] = v;
    m_free.erase(v);
    m_free.erase(w);
  }

  // A neighbour that is in both sets.
  int find(int v, BitSet const& a, BitSet const& b) const {
    std::uint64_t const* const partners = m_graph.partners(v);
    for (std::size_t w = 0; w < a.words(); ++w) {
      std::uint64_t const found = partners[w] & a.word(w) & b.word(w);
      if (found != 0) return static_cast<int>(64 * w) + first_bit(found);
    }
    return none;
  }

  void augment(int v) {
    m_free.erase(v);
    while (v != none) {
      int const previous = m_parent[at(v)], next = m_mate[at(previous)];
      if (next == none) m_free.erase(previous);
      m_mate[at(v)]        = previous;
      m_mate[at(previous)] = v;
      v                    = next;
    }
  }

  void clear_marks() {
    for (int v : m_seen) m_mark[at(v)] = 0;
  }

  int common_base(int a, int b) {
    clear_marks();
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

  void contract(int v, int w) {
    int const base = common_base(v, w);
    clear_marks();
    mark_path(v, base, w);
    mark_path(w, base, v);
    for (int i : m_seen) {
      if (m_mark[at(m_base[at(i)])] == 0) continue;
      m_base[at(i)] = base;
      if (!m_outer.has(i)) reach(i);
    }
  }

  // An even number of edges from the root.
  void reach(int v) {
    m_outer.insert(v);
    m_queue.push_back(v);
  }

  void see(int v) {
    m_unseen.erase(v);
    m_seen.push_back(v);
  }

  // The free end of an augmenting path.
  int search(int root) {
    for (int v : m_seen) {
      m_parent[at(v)] = none;
      m_base[at(v)]   = v;
    }
    m_seen.clear();
    m_queue.clear();
    m_outer.clear();
    m_unseen = m_alive;
    see(root);
    reach(root);
    for (std::size_t next = 0; next < m_queue.size(); ++next) {
      int const v                         = m_queue[next];
      std::uint64_t const* const partners = m_graph.partners(v);
      // Looking one step ahead finds most paths before any contraction.
      if (int const end = find(v, m_unseen, m_free); end != none) return follow(v, end);
      for (std::size_t word = 0; word < m_unseen.words(); ++word) {
        for (std::uint64_t more = partners[word] & m_unseen.word(word); more != 0;
             more &= (more - 1) & m_unseen.word(word)) {
          int const w = static_cast<int>(64 * word) + first_bit(more), mate = m_mate[at(w)];
          m_parent[at(w)] = v;
          see(w);
          see(mate);
          reach(mate);
          if (int const end = find(mate, m_unseen, m_free); end != none) return follow(mate, end);
        }
      }
      for (std::size_t word = 0; word < m_outer.words(); ++word) {
        for (std::uint64_t more = partners[word] & m_outer.word(word); more != 0; more &= more - 1) {
          int const w = static_cast<int>(64 * word) + first_bit(more);
          if (m_base[at(v)] != m_base[at(w)] && m_mate[at(v)] != w) contract(v, w);
        }
      }
    }
    return none;
  }

  int follow(int v, int end) {
    m_parent[at(end)] = v;
    see(end);
    return end;
  }

  static int count(std::uint64_t word) { return static_cast<int>(std::bitset<64>(word).count()); }

  ConflictGraph const& m_graph;
  int m_size;
  std::vector<int> m_mate, m_parent, m_base;
  std::vector<char> m_mark;                   // flags, 0 or 1
  BitSet m_free, m_alive, m_unseen, m_outer;  // alive: not in the tree of a search that failed
  std::vector<int> m_seen, m_queue;
};

}  // namespace

ConflictGraph::ConflictGraph(int columns) : m_columns(columns), m_words((at(columns) + 63) / 64) {}

ConflictGraph::ConflictGraph(Matrix const& matrix) : ConflictGraph(matrix.columns()) {
  std::vector<std::uint64_t> rows(at(matrix.rows()) * m_words);
  for (int r = 0; r < matrix.rows(); ++r) {
    for (int c = 0; c < m_columns; ++c) {
      if (matrix(r, c) != 0.0) rows[at(r) * m_words + at(c / 64)] |= std::uint64_t{1} << (c % 64);
    }
  }
  fill(rows, rows);
}

ConflictGraph ConflictGraph::of_pairs(Matrix const& matrix) {
  ConflictGraph graph(matrix.columns() / 2);
  std::vector<std::uint64_t> some(at(matrix.rows()) * graph.m_words), full(some.size());
  for (int r = 0; r < matrix.rows(); ++r) {
    for (int c = 0; c < graph.m_columns; ++c) {
      bool const low = matrix(r, 2 * c) != 0.0, high = matrix(r, 2 * c + 1) != 0.0;
      std::size_t const word  = at(r) * graph.m_words + at(c / 64);
      std::uint64_t const bit = std::uint64_t{1} << (c % 64);
      if (low || high) some[word] |= bit;
      if (low && high) full[word] |= bit;
    }
  }
  graph.fill(some, full);
  return graph;
}

// Of each row the columns that are not zero, and those that have room for no other.
void ConflictGraph::fill(std::vector<std::uint64_t> const& some, std::vector<std::uint64_t> const& full) {
  m_partners.assign(at(m_columns) * m_words, ~std::uint64_t{0});
  for (std::size_t row = 0; row < some.size(); row += m_words) {
    for (std::size_t word = 0; word < m_words; ++word) {
      for (std::uint64_t more = some[row + word]; more != 0; more &= more - 1) {
        int const c                            = static_cast<int>(64 * word) + first_bit(more);
        bool const is_full                     = (full[row + word] & more & (~more + 1)) != 0;
        std::vector<std::uint64_t> const& gone = is_full ? some : full;
        std::uint64_t* const partners          = &m_partners[at(c) * m_words];
        for (std::size_t w = 0; w < m_words; ++w) partners[w] &= ~gone[row + w];
      }
    }
  }
  for (int c = 0; c < m_columns; ++c) {
    std::uint64_t* const partners = &m_partners[at(c) * m_words];
    partners[c / 64] &= ~(std::uint64_t{1} << (c % 64));
    if (m_columns % 64 != 0) partners[m_words - 1] &= (std::uint64_t{1} << (m_columns % 64)) - 1;
  }
}

bool ConflictGraph::conflict(int i, int j) const { return (partners(i)[j / 64] >> (j % 64) & 1u) == 0; }

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
