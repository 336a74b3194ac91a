// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/TilePack.hpp>

#include <transform/Matching.hpp>
#include <transform/StridedSwap.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int block_rows   = 16;
constexpr int step_columns = 32;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double stored_error(double value, TilePack const& pack) {
  Split const s = split(value, pack.element);
  if (!std::isfinite(from_bits(s.hi, pack.element))) {
    std::ostringstream text;
    text << "Transform::pack_matrix: coefficient " << value
         << " is not finite in the 16-bit element type; scale the coefficients or use bfloat";
    throw Error(text.str());
  }
  double const missed = pack.splits == 2 ? s.rest : value - static_cast<double>(from_bits(s.hi, pack.element));
  return value == 0.0 ? 0.0 : std::fabs(missed / value);
}

// Rows of one block and columns of one step, zeros past the last row.
Matrix cut(Matrix const& a, int block, int step) {
  Matrix result(block_rows, step_columns);
  int const rows = std::min(block_rows, a.rows() - block * block_rows);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < step_columns; ++k) result(i, k) = a(block * block_rows + i, step * step_columns + k);
  }
  return result;
}

std::array<Bits, 2> bits_of_splits(Matrix const& stored, Element element) {
  Bits hi(stored.rows(), stored.columns()), lo = hi;
  for (int i = 0; i < stored.rows(); ++i) {
    for (int j = 0; j < stored.columns(); ++j) {
      if (stored(i, j) == 0.0) continue;
      Split const s = split(stored(i, j), element);
      hi(i, j)      = s.hi;
      lo(i, j)      = s.lo;
    }
  }
  return {{std::move(hi), std::move(lo)}};
}

void pack_block(TilePack& pack, Matrix const& a, int block) {
  std::vector<Selection> pair;
  for (int step = 0; step < pack.steps; ++step) {
    Matrix const chunk = cut(a, block, step);
    pair.push_back(select_24(chunk));
    Matrix const stored            = compress_24(chunk, pair.back());
    std::array<Bits, 2> const bits = bits_of_splits(stored, pack.element);
    for (int split = 0; split < pack.splits; ++split) {
      Fragment<4> const fragment = fragment_a(bits[at(split)]);
      for (int lane = 0; lane < warp_lanes; ++lane) {
        std::copy(fragment[at(lane)].begin(), fragment[at(lane)].end(), &pack.a[pack.index(split, block, step, lane)]);
      }
    }
    if (step % 2 == 0 && step + 1 < pack.steps) continue;
    LaneWords const words = metadata_k32(pair);
    std::copy(words.begin(), words.end(), &pack.metadata[pack.metadata_index(block, step, 0)]);
    pair.clear();
  }
}

/// The power of two by which the largest gets below 2^log2 but not below half of it.
int scale_to(int log2, std::vector<Term> const& terms) {
  double largest = 0.0;
  for (Term const& t : terms) largest = std::max(largest, std::fabs(t.coefficient));
  return largest == 0.0 || !std::isfinite(largest) ? 0 : log2 - 1 - std::ilogb(largest);
}

/// Multiplies by it; returns the exponent.
int largest_to(int log2, std::vector<Term>& terms) {
  int const scale = scale_to(log2, terms);
  for (Term& t : terms) t.coefficient = std::ldexp(t.coefficient, scale);
  return scale;
}

// --- Pairs of inputs ------------------------------------------------------------------------------

using Pair = std::array<int, 3>;  // the input of its first column, dx even

int even_down(int x) { return x - (x % 2 + 2) % 2; }

int word_of(Pair const& pair, Banks const& banks) {
  return pair[0] * banks.plane + pair[1] * banks.row + even_down(pair[2]) / 2;
}

// What one load takes in which every lane reads a word: the most different words of a bank.
int load_wavefronts(std::vector<int> const& words, Banks const& banks) {
  constexpr int count = 32;
  std::array<int, count> used{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int n = 0; n < 8; ++n) {
      int const word = words[i] + n * banks.tile;
      bool again     = false;
      for (std::size_t j = 0; j < i && !again; ++j) {
        int const apart = word - words[j];
        again           = apart % banks.tile == 0 && apart / banks.tile >= 0 && apart / banks.tile < 8;
      }
      if (!again) ++used[at((word % count + count) % count)];
    }
  }
  return *std::max_element(used.begin(), used.end());
}

// The banks of a word for eight tiles.
std::uint32_t bank_mask(int word, Banks const& banks) {
  std::uint32_t mask = 0;
  for (int n = 0; n < 8; ++n) mask |= std::uint32_t{1} << (((word + n * banks.tile) % 32 + 32) % 32);
  return mask;
}

// Numbers of two pairs that are 2:4 together. A group without a second pair repeats the first, as ~p.
using Group = std::array<int, 2>;

std::vector<Group> choose_groups(Matrix const& paired, std::vector<std::uint32_t> const& masks) {
  ConflictGraph const graph(paired);
  int const count = graph.size();
  // First those of different banks, then any, then as many as there can be.
  Matching matching{std::vector<int>(at(count), Matching::none)};
  auto& partner = matching.partner;
  for (bool const any : {false, true}) {
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count && partner[at(i)] == Matching::none; ++j) {
        if (partner[at(j)] != Matching::none) continue;
        if ((!any && (masks[at(i)] & masks[at(j)]) != 0) || graph.conflict(i, j)) continue;
        partner[at(i)] = j;
        partner[at(j)] = i;
      }
    }
  }
  matching = maximum_matching(graph, std::move(matching));
  std::vector<Group> groups;
  for (int i = 0; i < count; ++i) {
    int const j = matching.partner[at(i)];
    if (j == Matching::none) groups.push_back({{i, ~i}});
    if (j > i) groups.push_back({{i, j}});
  }
  return groups;
}

// Groups in quads: lanes q = 0 to 3 of one load.
std::vector<std::array<int, 4>> choose_quads(std::vector<Group> const& groups, std::vector<int> const& words,
                                             std::vector<std::uint32_t> const& masks, Banks const& banks) {
  auto const place   = [](int p) { return at(p >= 0 ? p : ~p); };
  auto const mask_of = [&](Group const& g) { return masks[place(g[0])] | masks[place(g[1])]; };
  std::vector<std::array<int, 4>> quads;
  std::vector<bool> taken(groups.size(), false);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (taken[g]) continue;
    Group const& first = groups[g];
    std::size_t best   = groups.size();
    int least          = 0;
    for (std::size_t h = g + 1; h < groups.size() && best == groups.size(); ++h) {
      if (!taken[h] && (mask_of(first) & mask_of(groups[h])) == 0) best = h;
    }
    constexpr int most_tries = 16;
    bool const found         = best != groups.size();
    int tries                = 0;
    for (std::size_t h = groups.size(); h-- > g + 1 && !found && tries < most_tries;) {
      if (taken[h]) continue;
      ++tries;
      int const cost = load_wavefronts(
          {words[place(first[0])], words[place(first[1])], words[place(groups[h][0])], words[place(groups[h][1])]},
          banks);
      if (best != groups.size() && cost >= least) continue;
      best  = h;
      least = cost;
    }
    std::array<int, 4> quad{{first[0], first[1], ~first[0], ~first[0]}};
    if (best != groups.size()) {
      quad[2]     = groups[best][0];
      quad[3]     = groups[best][1];
      taken[best] = true;
    }
    quads.push_back(quad);
  }
  return quads;
}

int bits_in(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<int>(word * 0x0101010101010101u >> 56);
}

/// Adds the bits of each group of `size` words to the `reach` - 1 groups after it.
void join(std::uint64_t* words, int count, int size, int reach) {
  for (int done = 1; done < reach;) {
    int const by = std::min(done, reach - done);
    for (int i = count - 1; i >= by * size; --i) words[i] |= words[i - by * size];
    done += by;
  }
}

}  // namespace

TilePack pack_matrix(Matrix const& a, std::vector<Term> const& terms, Tile const& tile, Element element,
                     Coefficients coefficients) {
  bool const two_splits =
      coefficients == Coefficients::split || (coefficients == Coefficients::automatic && !exact_in(terms, element));
  TilePack pack;
  pack.element = element;
  pack.tile    = tile;
  pack.splits  = two_splits ? 2 : 1;
  pack.blocks  = (tile.outputs() + block_rows - 1) / block_rows;
  pack.steps   = a.columns() / step_columns;
  for (Term const& t : terms) {
    pack.coefficient_error = std::max(pack.coefficient_error, stored_error(t.coefficient, pack));
  }
  pack.a.resize(pack.index(pack.splits, 0, 0, 0));
  pack.metadata.resize(pack.metadata_index(pack.blocks, 0, 0));
  for (int block = 0; block < pack.blocks; ++block) pack_block(pack, a, block);
  return pack;
}

bool pairs_hold(std::vector<Term> const& terms, Element element) {
  return exact_in(terms, element) || holds_split(terms, element, element == Element::half ? scale_to(15, terms) : 0);
}

PairRows::PairRows(std::vector<Term> const& terms, int columns) : m_terms(static_cast<int>(terms.size())) {
  std::array<int, 3> first{}, last{};
  for (Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) {
      first[a] = std::min(first[a], t.offset[a]);
      last[a]  = std::max(last[a], t.offset[a]);
    }
  }
  first[2] = even_down(first[2]);
  m_planes = last[0] - first[0] + 1;
  m_rows   = last[1] - first[1] + 1;
  m_words  = ((last[2] - first[2] + columns + 1) / 2 + 63) / 64;
  m_read.resize(at(m_planes * m_rows * m_words), 0);
  for (Term const& t : terms) {
    std::uint64_t* const row = &m_read[at(((t.offset[0] - first[0]) * m_rows + t.offset[1] - first[1]) * m_words)];
    std::size_t const x      = at(t.offset[2] - first[2]);
    for (std::size_t pair = x / 2; pair <= (x + at(columns) - 1) / 2; ++pair) {
      row[pair / 64] |= std::uint64_t{1} << (pair % 64);
    }
  }
}

int PairRows::least_steps(int tile_planes, int tile_rows) const {
  int const planes = m_planes + tile_planes - 1, rows = m_rows + tile_rows - 1, plane = rows * m_words;
  std::vector<std::uint64_t> read(at(planes * plane), 0);
  for (int z = 0; z < m_planes; ++z) {
    std::copy_n(&m_read[at(z * m_rows * m_words)], m_rows * m_words, &read[at(z * plane)]);
    join(&read[at(z * plane)], plane, m_words, tile_rows);
  }
  join(read.data(), planes * plane, plane, tile_planes);
  int pairs = 0;
  for (std::uint64_t const word : read) pairs += bits_in(word);
  // A group of four columns takes two coefficients of an output.
  pairs = std::max(pairs, m_terms);
  return (pairs + step_columns / 2 - 1) / (step_columns / 2);
}

TilePack pack_pairs(std::vector<Term> const& given, Tile const& tile, Banks const& banks, Element element,
                    Coefficients coefficients) {
  std::vector<Term> terms = given;
  bool const exact        = exact_in(given, element);
  int const scale =
      element == Element::half && coefficients == Coefficients::automatic && !exact ? largest_to(15, terms) : 0;
  // Scaled coefficients could be elements by chance, if those that underflow were not.
  if (coefficients == Coefficients::automatic) coefficients = exact ? Coefficients::rounded : Coefficients::split;
  Morphed const morphed = morph(terms, tile);
  // Columns side by side whose inputs are.
  std::map<Pair, std::array<int, 2>> found;
  for (int c = 0; c < morphed.a.columns(); ++c) {
    std::array<int, 3> const input = morphed.input(c);
    Pair const pair{{input[0], input[1], even_down(input[2])}};
    auto const at_pair                                  = found.insert({pair, {{-1, -1}}}).first;
    at_pair->second[at(input[2] - even_down(input[2]))] = c;
  }
  std::vector<Pair> pairs;
  Matrix paired(morphed.a.rows(), 2 * static_cast<int>(found.size()));
  for (auto const& [pair, both] : found) {
    for (int e = 0; e < 2; ++e) {
      for (int r = 0; both[at(e)] >= 0 && r < paired.rows(); ++r) {
        paired(r, 2 * static_cast<int>(pairs.size()) + e) = morphed.a(r, both[at(e)]);
      }
    }
    pairs.push_back(pair);
  }
  std::vector<int> words;
  std::vector<std::uint32_t> masks;
  for (Pair const& pair : pairs) {
    words.push_back(word_of(pair, banks));
    masks.push_back(bank_mask(words.back(), banks));
  }
  auto const quads = choose_quads(choose_groups(paired, masks), words, masks, banks);

  int const steps = (static_cast<int>(quads.size()) + 3) / 4;
  Matrix a((tile.outputs() + block_rows - 1) / block_rows * block_rows, steps * step_columns);
  std::vector<std::array<int, 3>> inputs(at(steps * step_columns));
  for (int t = 0; t < 4 * steps; ++t) {
    // Quads that only fill up read what the last one does.
    bool const zero                = t >= static_cast<int>(quads.size());
    std::array<int, 4> const& quad = zero ? quads.back() : quads[at(t)];
    for (int q = 0; q < 4; ++q) {
      int const p = quad[at(q)] >= 0 ? quad[at(q)] : ~quad[at(q)];
      for (int e = 0; e < 2; ++e) {
        int const k   = 8 * t + 2 * q + e;
        inputs[at(k)] = {{pairs[at(p)][0], pairs[at(p)][1], pairs[at(p)][2] + e}};
        if (zero || quad[at(q)] < 0) continue;
        for (int r = 0; r < a.rows(); ++r) {
          int const output = r / block_rows * block_rows + output_order()[at(r % block_rows)];
          if (output < paired.rows()) a(r, k) = paired(output, 2 * p + e);
        }
      }
    }
  }
  TilePack pack = pack_matrix(a, terms, tile, element, coefficients);
  std::copy(output_order().begin(), output_order().end(), pack.output.begin());
  pack.inputs     = std::move(inputs);
  pack.scale_log2 = scale;
  for (auto const& quad : quads) {
    pack.zero_columns += 2 * static_cast<int>(std::count_if(quad.begin(), quad.end(), [](int p) { return p < 0; }));
  }
  return pack;
}

int wavefronts(TilePack const& pack, Banks const& banks) {
  int sum = 0;
  for (std::size_t k = 0; k < pack.inputs.size(); k += 8) {
    std::vector<int> words;
    for (std::size_t q = 0; q < 4; ++q) words.push_back(word_of(pack.inputs[k + 2 * q], banks));
    sum += load_wavefronts(words, banks);
  }
  return sum;
}

}  // namespace Transform
}  // namespace KokkosStencil
