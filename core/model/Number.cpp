// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/Number.hpp>

#include <cmath>
#include <locale>
#include <sstream>

namespace KokkosStencil {
namespace Model {

// Streams, since an application's locale changes what strtod and printf take for the decimal point.

std::optional<double> read_number(std::string const& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  double value = 0.0;
  if (!(in >> std::noskipws >> value) || in.peek() != std::istringstream::traits_type::eof() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> read_number(std::string const& text, double least, double most) {
  std::optional<double> const value = read_number(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

std::string number_text(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

}  // namespace Model
}  // namespace KokkosStencil
