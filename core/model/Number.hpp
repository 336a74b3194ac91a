// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>

namespace KokkosStencil {
namespace Model {

/// The number that a text consists of, in the C locale; none for any other text, for infinities and for NaN.
std::optional<double> read_number(std::string const& text);

/// The same for numbers from `least` to `most`.
std::optional<double> read_number(std::string const& text, double least, double most);

/// A number with six digits, in the C locale.
std::string number_text(double value);

}  // namespace Model
}  // namespace KokkosStencil
