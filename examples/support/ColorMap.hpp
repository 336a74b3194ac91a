// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Image.hpp"

#include <cstdint>
#include <vector>

namespace example {

/// Colours for values between 0 and 1.
class ColorMap {
 public:
  explicit ColorMap(std::vector<std::uint32_t> stops) : m_stops(std::move(stops)) {}
  Color operator()(double value) const;

  static ColorMap const& inferno();
  static ColorMap const& viridis();
  /// Blue, white, red: for signed values, zero in the middle.
  static ColorMap const& blue_red();
  /// Pale earth tones, as a background for other colours.
  static ColorMap const& earth();
  /// Dark sea to coral.
  static ColorMap const& reef();

 private:
  std::vector<std::uint32_t> m_stops;  ///< 0xRRGGBB, equally spaced
};

}  // namespace example
