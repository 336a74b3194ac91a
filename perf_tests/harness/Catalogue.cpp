// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Catalogue.hpp"

#include <sstream>
#include <stdexcept>

namespace perf {

extern char const* const catalogue_text;

namespace {

[[noreturn]] void fail(int line, std::string const& what) {
  throw std::runtime_error("catalogue, line " + std::to_string(line) + ": " + what);
}

/// An integer, a fraction or a decimal.
double number(std::string const& text, int line) {
  try {
    std::size_t used = 0;
    double value     = std::stod(text, &used);
    if (used < text.size() && text[used] == '/') {
      std::string const rest = text.substr(used + 1);
      value /= std::stod(rest, &used);
      if (used == rest.size()) return value;
    } else if (used == text.size()) {
      return value;
    }
  } catch (std::exception const&) {
  }
  fail(line, "not a number: " + text);
}

std::string rest_of(std::istringstream& words) {
  std::string text;
  std::getline(words >> std::ws, text);
  return text;
}

}  // namespace

std::vector<CatalogueKernel> read_catalogue(std::istream& stream) {
  std::vector<CatalogueKernel> kernels;
  int line = 0;
  for (std::string text; std::getline(stream, text);) {
    ++line;
    std::istringstream words(text);
    std::string word;
    if (!(words >> word) || word[0] == '#') continue;
    if (word == "kernel") {
      kernels.emplace_back();
      words >> kernels.back().name;
      continue;
    }
    if (kernels.empty()) fail(line, "expected a kernel");
    CatalogueKernel& k = kernels.back();
    auto const rank    = static_cast<std::size_t>(k.rank);
    if (word == "domain") {
      k.domain = rest_of(words);
    } else if (word == "source") {
      k.source = rest_of(words);
    } else if (word == "rank") {
      if (!(words >> k.rank) || k.rank < 1 || k.rank > 3) fail(line, "a rank is 1, 2 or 3");
    } else if (word == "degree") {
      if (!(words >> k.degree)) fail(line, "expected a degree");
    } else if (word == "operator") {
      CatalogueKernel::Derivative d{{{0, 0, 0}}, 0.0};
      for (std::size_t a = 0; a < rank; ++a) words >> d.powers[a];
      if (!(words >> word)) fail(line, "expected powers and a factor");
      d.factor = number(word, line);
      k.operators.push_back(d);
    } else {
      std::istringstream row(text);
      std::array<int, 3> offset{{0, 0, 0}};
      for (std::size_t a = 0; a < rank; ++a) row >> offset[a];
      if (!(row >> word) || word != ":") fail(line, "expected an offset, a colon and coefficients");
      for (; row >> word; ++offset[rank - 1]) {
        double const c = number(word, line);
        if (c != 0.0) k.terms.push_back({offset, c});
      }
    }
  }
  return kernels;
}

std::vector<CatalogueKernel> const& catalogue() {
  static std::vector<CatalogueKernel> const kernels = [] {
    std::istringstream stream(catalogue_text);
    return read_catalogue(stream);
  }();
  return kernels;
}

}  // namespace perf
