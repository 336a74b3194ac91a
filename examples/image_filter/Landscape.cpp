// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Landscape.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace example {
namespace {

/// Between 0 and 1, without a pattern.
double hash(std::int64_t x, std::int64_t y, std::uint64_t seed) {
  std::uint64_t h =
      static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4fu + seed;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  h ^= h >> 32;
  h *= 0x94d049bb133111ebu;
  h ^= h >> 29;
  return static_cast<double>(h >> 11) / 9007199254740992.0;
}

double smooth(double t) { return t * t * (3.0 - 2.0 * t); }

double step(double from, double to, double t) { return smooth(std::clamp((t - from) / (to - from), 0.0, 1.0)); }

/// Value noise between -1 and 1.
double noise(double x, double y, std::uint64_t seed) {
  double const fx = std::floor(x), fy = std::floor(y);
  auto const ix = static_cast<std::int64_t>(fx), iy = static_cast<std::int64_t>(fy);
  double const tx = smooth(x - fx), ty = smooth(y - fy);
  double const upper = hash(ix, iy, seed) * (1 - tx) + hash(ix + 1, iy, seed) * tx;
  double const lower = hash(ix, iy + 1, seed) * (1 - tx) + hash(ix + 1, iy + 1, seed) * tx;
  return 2.0 * (upper * (1 - ty) + lower * ty) - 1.0;
}

/// Noise of several sizes on top of each other.
double clouds(double x, double y, int octaves, std::uint64_t seed) {
  double sum = 0.0, weight = 0.5;
  for (int k = 0; k < octaves; ++k, weight /= 2) {
    sum += weight * noise(x, y, seed + static_cast<std::uint64_t>(k));
    x = 2.03 * x + 17.1;
    y = 2.03 * y + 5.7;
  }
  return sum;
}

struct Light {
  double r, g, b;
};
Light mix(Light a, Light b, double t) { return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t}; }

constexpr double horizon = 0.64;
constexpr double sun_x = 0.98, sun_y = 0.43;

Light sky(double x, double y) {
  Light color        = mix({0.16, 0.25, 0.47}, {0.96, 0.66, 0.42}, step(0.0, horizon, y));
  double const r     = std::hypot(x - sun_x, y - sun_y);
  color              = mix(color, {1.0, 0.87, 0.62}, 0.8 * std::exp(-r * r / 0.03));
  color              = mix(color, {1.0, 0.97, 0.88}, 1.0 - step(0.043, 0.048, r));
  double const cloud = step(0.0, 0.42, clouds(1.6 * x, 7.0 * y, 6, 40) + 0.10 - 0.5 * std::abs(y - 0.25));
  return mix(color, mix({0.93, 0.56, 0.50}, {1.0, 0.88, 0.75}, clouds(3 * x, 12 * y, 4, 90) + 0.5), 0.75 * cloud);
}

/// Height of a ridge above the horizon.
double ridge(int layer, double x) {
  double const size = 0.30 - 0.075 * layer;
  double const wide = 1.3 + 1.1 * layer;
  double sharp = 0.0, weight = 0.5, at = wide * x + 3.7 * layer;
  for (int k = 0; k < 8; ++k, weight *= 0.48, at = at * 2.07 + 1.3) {
    sharp += weight * (1.0 - std::abs(noise(at, 0.5, 700 + static_cast<std::uint64_t>(10 * layer + k))));
  }
  return size * (0.2 + 1.25 * (sharp - 0.35));
}

/// What stands above the lake, seen at (x, y) with the width in units of the height.
Light scene(double x, double y) {
  Light color = sky(x, y);
  for (int layer = 0; layer < 4; ++layer) {
    double const top = horizon - ridge(layer, x);
    if (y < top) continue;
    double const depth = y - top;
    // Ravines run down from the ridge, a little askew; the sun stands at the right.
    auto const relief  = [&](double at) { return clouds(34 * at + 9 * depth, 13 * depth + layer, 5, 340); };
    double const slope = 0.010 * (relief(x - 0.006) - relief(x + 0.006)) / 0.1;
    double const rock  = clouds(26 * x, 40 * y + 3 * layer, 6, 300 + static_cast<std::uint64_t>(layer));
    Light const near   = mix({0.13, 0.19, 0.17}, {0.30, 0.29, 0.22}, 0.5 + 0.9 * rock);
    Light const lit    = mix(near, {0.98, 0.63, 0.42}, std::clamp(0.20 + 18.0 * slope + 0.5 * rock, 0.0, 0.75));
    Light ground       = mix(near, lit, layer < 3 ? 1.0 : 0.25);
    if (layer < 2) {
      double const snow = step(0.10, 0.02, depth + 0.05 * rock) * step(0.10, 0.2, horizon - top);
      ground = mix(ground, mix({0.66, 0.70, 0.82}, {1.0, 0.93, 0.87}, std::clamp(0.5 + 14 * slope, 0.0, 1.0)), snow);
    }
    double const haze = 0.68 - 0.2 * layer;
    color             = mix(ground, {0.80, 0.62, 0.58}, std::max(0.0, haze) * (0.75 + 1.2 * std::min(depth, 0.2)));
  }
  return color;
}

/// Whether one of the firs on the near shore covers the point.
bool fir(double x, double y) {
  int const here = static_cast<int>(x / 0.031);
  for (int tree = here - 4; tree < here + 4; ++tree) {
    double const centre = 0.031 * tree + 0.02 * hash(tree, 1, 5);
    double const side   = std::abs(centre - 0.72);
    double const size   = (0.10 + 0.22 * hash(tree, 2, 5)) * step(0.22, 0.62, side);
    double const foot   = 0.97 - 0.05 * step(0.2, 0.7, side);
    double const up     = (foot - y) / std::max(size, 1e-3);
    if (size < 0.03 || up < 0.0 || up > 1.0) continue;
    double const twigs = 0.75 + 0.5 * std::abs(std::fmod(up * 11.0, 1.0) - 0.5) + 0.25 * noise(90 * x, 90 * y, 8);
    if (std::abs(x - centre) < 0.19 * size * (1.0 - up) * twigs + 0.0008) return true;
  }
  return false;
}

Light view(double x, double y) {
  double const shore = 0.955 - 0.05 * step(0.2, 0.75, std::abs(x - 0.72)) + 0.012 * clouds(9 * x, 0.3, 5, 77);
  if (y > shore || fir(x, y)) {
    double const grass = clouds(70 * x, 130 * y, 4, 55);
    return mix({0.035, 0.055, 0.05}, {0.16, 0.15, 0.09}, std::clamp(0.25 + grass, 0.0, 1.0) * (y > shore ? 1.0 : 0.45));
  }
  if (y < horizon) return scene(x, y);
  double const below   = y - horizon;
  double const waves   = clouds(6 * x / (0.15 + below), 9.0 / (0.04 + below), 5, 21);
  Light const mirror   = scene(x + 0.012 * waves, horizon - below * 1.05 + 0.03 * waves * (0.3 + below * 4));
  Light color          = mix(mirror, {0.10, 0.17, 0.26}, 0.28 + 0.5 * below);
  double const glitter = std::exp(-std::pow((x - sun_x) / (0.03 + 0.25 * below), 2)) * step(0.12, 0.35, waves);
  return mix(color, {1.0, 0.9, 0.7}, 0.75 * glitter);
}

}  // namespace

Image landscape(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      Light sum{0, 0, 0};
      for (int k = 0; k < 4; ++k) {  // four samples a pixel, for smooth edges
        Light const l = view((x + 0.25 + 0.5 * (k % 2)) / height, (y + 0.25 + 0.5 * (k / 2)) / height);
        sum           = {sum.r + l.r / 4, sum.g + l.g / 4, sum.b + l.b / 4};
      }
      auto const expose = [&](double v, std::uint64_t channel) {
        double const grain = hash(x, y, 1000 + channel) + hash(x, y, 2000 + channel) - 1.0;
        return static_cast<std::uint8_t>(std::clamp(std::lround(255.0 * (v + 0.02 * grain)), 0L, 255L));
      };
      image.at(x, y) = {expose(sum.r, 0), expose(sum.g, 1), expose(sum.b, 2)};
    }
  }
  return image;
}

}  // namespace example
