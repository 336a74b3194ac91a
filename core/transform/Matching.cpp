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

constexpr int none = Matching::none;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int first_bit(std::uint64_t word) { return static_cast<int>(std::bitset<64>((word & (~word + 1)) - 1).count()); }

// Vertices as bits.
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
        m_size(graph.size()),
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

ConflictGraph::ConflictGraph(Matrix const& matrix)
    : m_size(matrix.columns() / 2),
      m_words((at(m_size) + 63) / 64),
      m_partners(at(m_size) * m_words, ~std::uint64_t{0}) {
  // Of each row the pairs that are not zero, and those that have room for no other.
  std::vector<std::uint64_t> some(m_words), full(m_words);
  for (int r = 0; r < matrix.rows(); ++r) {
    std::fill(some.begin(), some.end(), 0u);
    std::fill(full.begin(), full.end(), 0u);
    for (int v = 0; v < m_size; ++v) {
      bool const low = matrix(r, 2 * v) != 0.0, high = matrix(r, 2 * v + 1) != 0.0;
      std::uint64_t const bit = std::uint64_t{1} << (v % 64);
      if (low || high) some[at(v / 64)] |= bit;
      if (low && high) full[at(v / 64)] |= bit;
    }
    for (std::size_t word = 0; word < m_words; ++word) {
      for (std::uint64_t more = some[word]; more != 0; more &= more - 1) {
        int const v                            = static_cast<int>(64 * word) + first_bit(more);
        bool const is_full                     = (full[word] & more & (~more + 1)) != 0;
        std::vector<std::uint64_t> const& gone = is_full ? some : full;
        std::uint64_t* const partners          = &m_partners[at(v) * m_words];
        for (std::size_t w = 0; w < m_words; ++w) partners[w] &= ~gone[w];
      }
    }
  }
  for (int v = 0; v < m_size; ++v) {
    std::uint64_t* const partners = &m_partners[at(v) * m_words];
    partners[v / 64] &= ~(std::uint64_t{1} << (v % 64));
    if (m_size % 64 != 0) partners[m_words - 1] &= (std::uint64_t{1} << (m_size % 64)) - 1;
  }
}

bool ConflictGraph::conflict(int i, int j) const { return (partners(i)[j / 64] >> (j % 64) & 1u) == 0; }

Matching maximum_matching(ConflictGraph const& graph, Matching initial) {
  if (static_cast<int>(initial.partner.size()) != graph.size()) {
    throw Error("Transform::maximum_matching: the initial matching has " + std::to_string(initial.partner.size()) +
                " vertices, the graph " + std::to_string(graph.size()));
  }
  return {Blossom(graph, std::move(initial.partner)).solve()};
}

}  // namespace Transform
}  // namespace KokkosStencil
