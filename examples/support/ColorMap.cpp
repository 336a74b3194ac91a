// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColorMap.hpp"

#include <algorithm>
#include <cmath>

// inferno and viridis are by S. van der Walt and N. Smith (CC0), sampled at 17 points.

namespace example {

Color ColorMap::operator()(double value) const {
  auto const color = [](std::uint32_t rgb) {
    return Color{static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
                 static_cast<std::uint8_t>(rgb)};
  };
  if (std::isnan(value)) return {255, 0, 255};
  double const last    = static_cast<double>(m_stops.size() - 1);
  double const at      = std::clamp(value, 0.0, 1.0) * last;
  std::size_t const lo = static_cast<std::size_t>(std::min(at, last - 1.0));
  return mix(color(m_stops[lo]), color(m_stops[lo + 1]), at - static_cast<double>(lo));
}

ColorMap const& ColorMap::inferno() {
  static ColorMap const map({0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e, 0x8a226a, 0xa32c61, 0xbc3754,
                             0xd24644, 0xe45a31, 0xf1731d, 0xf98e09, 0xfcac11, 0xf9cb35, 0xf2ea69, 0xfcffa4});
  return map;
}

ColorMap const& ColorMap::viridis() {
  static ColorMap const map({0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c,
                             0x1fa088, 0x28ae80, 0x3fbc73, 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725});
  return map;
}

ColorMap const& ColorMap::blue_red() {
  static ColorMap const map({0x0b2c63, 0x2f6fb3, 0x8fc0e3, 0xf7f7f7, 0xf2a988, 0xc8432f, 0x6e0f1f});
  return map;
}

ColorMap const& ColorMap::earth() {
  static ColorMap const map({0xd5e8f0, 0xf3edd8, 0xe9dcb8, 0xdcc595, 0xc9a876, 0xb08a5e, 0x94704f});
  return map;
}

ColorMap const& ColorMap::reef() {
  static ColorMap const map({0x04151f, 0x0b3142, 0x0f5c6b, 0x2a8c82, 0x8fbf8f, 0xf2d9a0, 0xf6a463, 0xe8645a, 0xb23a5e});
  return map;
}

}  // namespace example
