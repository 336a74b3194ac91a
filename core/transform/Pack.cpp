// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Pack.hpp>

#include <transform/BandMatrix.hpp>
#include <transform/StridedSwap.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>

namespace KokkosStencil {
namespace Transform {
namespace {

// Where the elements of a fragment come from: an index into the 16 weights of a window, or the zero
// behind them. Both kinds of pack are filled from such a table, so a chunk costs only look-ups.
constexpr std::uint8_t no_weight = window_offsets;
using Source                     = std::vector<std::array<std::uint8_t, 2>>;  // [step][lane][register]

struct Recipe {
  Source source;
  LaneWords metadata{};
};

// A band whose weight for window offset d - 8 is d + 1: a label that survives the transformation.
Matrix labelled_band() {
  Chunk full{0, 0, 0, {}};
  for (int d = 0; d < window_offsets; ++d) full.weights.push_back({d - window_lead, d + 1.0});
  return permute_columns(permute_rows(window_band(full), output_order()), window_order());
}

void append(Source& source, Matrix const& labels) {
  Bits bits(labels.rows(), labels.columns());
  for (int i = 0; i < labels.rows(); ++i) {
    for (int j = 0; j < labels.columns(); ++j) bits(i, j) = static_cast<std::uint16_t>(labels(i, j));
  }
  auto const weight_of = [](std::uint32_t label) {
    return label == 0 ? no_weight : static_cast<std::uint8_t>(label - 1);
  };
  for (auto const& lane : fragment_a(bits)) {
    for (std::uint32_t pair : lane) source.push_back({{weight_of(pair & 0xffffu), weight_of(pair >> 16)}});
  }
}

Recipe make_sparse_recipe() {
  Matrix const band         = labelled_band();
  Selection const selection = select_24(band);
  Recipe recipe;
  append(recipe.source, compress_24(band, selection));
  recipe.metadata = metadata_k32({selection});
  return recipe;
}

Recipe make_dense_recipe() {
  Matrix const band = labelled_band();
  Recipe recipe;
  for (int step = 0; step < 2; ++step) {
    Matrix half(block_outputs, 16);
    for (int i = 0; i < block_outputs; ++i) {
      for (int k = 0; k < 16; ++k) half(i, k) = band(i, 16 * step + k);
    }
    append(recipe.source, half);
  }
  return recipe;
}

Recipe const& recipe_for(bool sparse) {
  static Recipe const recipes[2] = {make_dense_recipe(), make_sparse_recipe()};
  return recipes[sparse ? 1 : 0];
}

Term const& largest_term(std::vector<Term> const& terms) {
  return *std::max_element(terms.begin(), terms.end(), [](Term const& a, Term const& b) {
    return std::fabs(a.coefficient) < std::fabs(b.coefficient);
  });
}

void require_range(std::vector<Term> const& terms, Pack const& pack) {
  if (terms.empty()) return;
  Term const& t = largest_term(terms);
  if (std::isfinite(from_bits(to_bits(t.coefficient, pack.element), pack.element))) return;
  std::ostringstream text;
  text << "Transform::pack: coefficient " << t.coefficient << " at offset (" << t.offset[0] << ", " << t.offset[1]
       << ", " << t.offset[2] << ") overflows the 16-bit element type; scale the coefficients or use bfloat";
  throw Error(text.str());
}

// The bits of the 16 weights of a window, hi and lo, and the zero behind them.
using WindowBits = std::array<std::array<std::uint16_t, window_offsets + 1>, 2>;

WindowBits window_bits(Chunk const& chunk, bool exact, Pack& pack) {
  WindowBits bits{};
  for (Weight const& w : chunk.weights) {
    auto const slot = static_cast<std::size_t>(w.dx - chunk.shift + window_lead);
    if (exact && pack.splits == 1) {
      bits[0][slot] = to_bits(w.coefficient, pack.element);
      continue;
    }
    Split const s = split(w.coefficient, pack.element);
    bits[0][slot] = s.hi;
    bits[1][slot] = s.lo;
    double const missed =
        pack.splits == 2 ? s.rest : w.coefficient - static_cast<double>(from_bits(s.hi, pack.element));
    if (w.coefficient != 0.0)
      pack.coefficient_error = std::max(pack.coefficient_error, std::fabs(missed / w.coefficient));
  }
  return bits;
}

Pack make_pack(std::vector<Term> const& terms, PackOptions const& options, bool sparse) {
  Recipe const& recipe            = recipe_for(sparse);
  std::vector<Chunk> const chunks = split_rows(kernel_rows(terms));

  bool const exact = exact_in(terms, options.element);
  Pack pack;
  pack.element  = options.element;
  pack.sparse   = sparse;
  pack.steps    = sparse ? 1 : 2;
  pack.metadata = recipe.metadata;
  pack.splits =
      options.coefficients == Coefficients::split || (options.coefficients == Coefficients::automatic && !exact) ? 2
                                                                                                                 : 1;
  require_range(terms, pack);

  pack.chunks.reserve(chunks.size());
  for (Chunk const& p : chunks) pack.chunks.push_back({p.dz, p.dy, p.shift});
  pack.a.resize(pack.index(pack.splits, 0, 0, 0));
  for (std::size_t p = 0; p < chunks.size(); ++p) {
    WindowBits const bits = window_bits(chunks[p], exact, pack);
    for (int split = 0; split < pack.splits; ++split) {
      auto const& weight  = bits[static_cast<std::size_t>(split)];
      std::uint32_t* word = pack.a.data() + pack.index(split, static_cast<int>(p), 0, 0);
      for (auto const& pair : recipe.source) {
        *word++ = std::uint32_t{weight[pair[0]]} | std::uint32_t{weight[pair[1]]} << 16;
      }
    }
  }
  return pack;
}

}  // namespace

bool exact_in(std::vector<Term> const& terms, Element element) {
  // Of a double in the range of normal elements, bits that those do not have tell.
  int const missing          = 53 - significant_bits(element);
  std::uint64_t const beyond = (std::uint64_t{1} << missing) - 1;
  double const least         = element == Element::half ? 0x1p-14 : 0x1p-126,
               most          = element == Element::half ? 0x1p15 : 0x1p127;
  std::uint64_t found        = 0;
  bool normal                = true;
  for (Term const& t : terms) {
    double const c     = std::fabs(t.coefficient);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &c, sizeof bits);
    found |= bits & beyond;
    normal = normal & (c >= least) & (c < most);
  }
  if (normal) return found == 0;
  return std::all_of(terms.begin(), terms.end(), [=](Term const& t) {
    return static_cast<double>(from_bits(to_bits(t.coefficient, element), element)) == t.coefficient;
  });
}

bool holds_split(std::vector<Term> const& terms, Element element, int scale_log2) {
  // Far from overflow, and from where the second element underflows, nothing has to be split to know.
  bool const half    = element == Element::half;
  double const least = std::ldexp(half ? 1.0 / 256 : 0x1p-100, -scale_log2);
  double const most  = std::ldexp(half ? 65504.0 : 0x1p126, -scale_log2);
  return std::all_of(terms.begin(), terms.end(), [=](Term const& t) {
    double const c = std::fabs(t.coefficient);
    if (c == 0.0 || (c >= least && c <= most)) return true;
    double const scaled = std::ldexp(t.coefficient, scale_log2);
    Split const s       = split(scaled, element);
    return std::isfinite(from_bits(s.hi, element)) && std::fabs(s.rest) <= std::fabs(scaled) / 65536;
  });
}

Pack pack_sparse(std::vector<Term> const& terms, PackOptions const& options) { return make_pack(terms, options, true); }

Pack pack_dense(std::vector<Term> const& terms, PackOptions const& options) { return make_pack(terms, options, false); }

}  // namespace Transform
}  // namespace KokkosStencil
