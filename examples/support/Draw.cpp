// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Draw.hpp"
#include "Font.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace example {
namespace {

void blend(Image& image, int x, int y, Color color, double opacity) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || opacity <= 0.0) return;
  image.at(x, y) = mix(image.at(x, y), color, std::min(opacity, 1.0));
}

/// Indices into the font; only the degree sign is known beyond ASCII.
std::vector<int> glyph_indices(std::string const& words) {
  std::vector<int> indices;
  for (char c : words) {
    unsigned char const byte = static_cast<unsigned char>(c);
    if (byte == 0xc2) continue;  // the first byte of the degree sign in UTF-8
    indices.push_back(byte == 0xb0 ? 95 : byte < 32 || byte > 126 ? '?' - 32 : byte - 32);
  }
  return indices;
}

int text_width(std::string const& words) { return static_cast<int>(glyph_indices(words).size()) * glyph_width; }

template <class Pixel>
void for_each_pixel(std::string const& words, Pixel const& pixel) {
  int left = 0;
  for (int index : glyph_indices(words)) {
    for (int y = 0; y < glyph_height; ++y) {
      for (int x = 0; x < glyph_width; ++x) {
        if (glyphs[index][y] >> (glyph_width - 1 - x) & 1) pixel(left + x, y);
      }
    }
    left += glyph_width;
  }
}

/// 10 with a raised exponent, its right or middle at x.
void power_of_ten(Image& image, int x, int y, int exponent, Color color, Align align) {
  std::string const raised = std::to_string(exponent);
  int const width          = text_width("10" + raised);
  int const left           = align == Align::right ? x - width : x - width / 2;
  text(image, left, y, "10", color);
  text(image, left + 2 * glyph_width, y - 6, raised, color);
}

struct LogAxis {
  int first, last;  ///< powers of ten at its ends

  explicit LogAxis(std::vector<double> const& values, double extra = 0.0) {
    double low = HUGE_VAL, high = 0.0;
    auto const take = [&](double v) {
      if (!(v > 0.0) || !std::isfinite(v)) return;
      low  = std::min(low, v);
      high = std::max(high, v);
    };
    for (double v : values) take(v);
    take(extra);
    if (high == 0.0) low = high = 1.0;
    first = static_cast<int>(std::floor(std::log10(low)));
    last  = std::max(static_cast<int>(std::ceil(std::log10(high))), first + 1);
  }
  double operator()(double v) const { return (std::log10(v) - first) / (last - first); }
};

}  // namespace

double Field::sample(double x, double y) const {
  auto const split = [](double t, int n, int& lo, int& hi) {
    double const at = std::clamp(t * n - 0.5, 0.0, n - 1.0);
    lo              = static_cast<int>(at);
    hi              = std::min(lo + 1, n - 1);
    return at - lo;
  };
  int x0, x1, y0, y1;
  double const fx = split(x, width, x0, x1);
  double const fy = split(y, height, y0, y1);
  return (at(x0, y0) * (1 - fx) + at(x1, y0) * fx) * (1 - fy) + (at(x0, y1) * (1 - fx) + at(x1, y1) * fx) * fy;
}

void fill(Image& image, Box box, Color color) {
  for (int y = box.y; y < box.y + box.height; ++y)
    for (int x = box.x; x < box.x + box.width; ++x) blend(image, x, y, color, 1.0);
}

void frame(Image& image, Box box, Color color) {
  fill(image, {box.x, box.y, box.width, 1}, color);
  fill(image, {box.x, box.y + box.height - 1, box.width, 1}, color);
  fill(image, {box.x, box.y, 1, box.height}, color);
  fill(image, {box.x + box.width - 1, box.y, 1, box.height}, color);
}

void line(Image& image, double x0, double y0, double x1, double y1, Color color, double width) {
  double const dx = x1 - x0, dy = y1 - y0, squared = dx * dx + dy * dy;
  double const reach = width / 2 + 1;
  int const top      = static_cast<int>(std::floor(std::min(y0, y1) - reach));
  int const left     = static_cast<int>(std::floor(std::min(x0, x1) - reach));
  for (int y = top; y <= std::max(y0, y1) + reach; ++y) {
    for (int x = left; x <= std::max(x0, x1) + reach; ++x) {
      double const t = squared > 0.0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / squared, 0.0, 1.0) : 0.0;
      blend(image, x, y, color, width / 2 + 0.5 - std::hypot(x - x0 - t * dx, y - y0 - t * dy));
    }
  }
}

void disc(Image& image, double x, double y, double radius, Color color) {
  line(image, x, y, x, y, color, 2.0 * radius);
}

int text(Image& image, int x, int y, std::string const& words, Color color, Align align, bool bold) {
  int const width = text_width(words);
  int const left  = align == Align::left ? x : align == Align::right ? x - width : x - width / 2;
  for_each_pixel(words, [&](int px, int py) {
    blend(image, left + px, y + py, color, 1.0);
    if (bold) blend(image, left + px + 1, y + py, color, 1.0);
  });
  return width;
}

void text_upwards(Image& image, int x, int y, std::string const& words, Color color) {
  int const bottom = y + text_width(words) / 2;
  for_each_pixel(words, [&](int px, int py) { blend(image, x + py, bottom - px, color, 1.0); });
}

void draw_field(Image& image, Box box, Field const& field, Scale const& scale) {
  for (int y = 0; y < box.height; ++y) {
    for (int x = 0; x < box.width; ++x) {
      blend(image, box.x + x, box.y + y, scale(field.sample((x + 0.5) / box.width, (y + 0.5) / box.height)), 1.0);
    }
  }
}

void draw_contours(Image& image, Box box, Field const& field, double interval, Color color, double opacity) {
  auto const value = [&](double x, double y) { return field.sample(x / box.width, y / box.height) / interval; };
  for (int y = 0; y < box.height; ++y) {
    for (int x = 0; x < box.width; ++x) {
      double const v     = value(x + 0.5, y + 0.5);
      double const slope = std::hypot(value(x + 1.5, y + 0.5) - value(x - 0.5, y + 0.5),
                                      value(x + 0.5, y + 1.5) - value(x + 0.5, y - 0.5)) /
                           2;
      // Lines closer than a few pixels would only darken the picture.
      if (slope < 1e-4 || slope > 0.25) continue;
      blend(image, box.x + x, box.y + y, color, opacity * (1.1 - std::abs(v - std::round(v)) / slope));
    }
  }
}

void draw_color_bar(Image& image, Box box, Scale const& scale, int ticks, std::string const& caption, Color color) {
  for (int y = 0; y < box.height; ++y) {
    double const t = 1.0 - (y + 0.5) / box.height;
    fill(image, {box.x, box.y + y, box.width, 1}, scale.map(t));
  }
  frame(image, box, color);
  for (int k = 0; k <= ticks; ++k) {
    double const value = scale.low + (scale.high - scale.low) * k / ticks;
    int const y        = box.y + box.height - 1 - static_cast<int>(std::lround((box.height - 1.0) * k / ticks));
    char label[32];
    std::snprintf(label, sizeof(label), "%.4g", value);
    fill(image, {box.x + box.width, y, 5, 1}, color);
    text(image, box.x + box.width + 9, y - 7, label, color);
  }
  text(image, box.x, box.y - 24, caption, color);
}

void paste(Image& image, int x, int y, Image const& picture) {
  for (int v = 0; v < picture.height; ++v)
    for (int h = 0; h < picture.width; ++h) blend(image, x + h, y + v, picture.at(h, v), 1.0);
}

double tick_distance(double range, int most) {
  double const power = std::pow(10.0, std::floor(std::log10(range / most)));
  for (double const digit : {1.0, 2.0, 5.0}) {
    if (digit * power * most >= range) return digit * power;
  }
  return 10.0 * power;
}

void draw_plot(Image& image, Box box, LogLogPlot const& plot, Color ink, Color curve) {
  Box const area{box.x + 76, box.y + 28, box.width - 86, box.height - 82};
  LogAxis const horizontal(plot.x), vertical(plot.y, plot.level);
  auto const to_x  = [&](double v) { return area.x + horizontal(v) * (area.width - 1); };
  auto const to_y  = [&](double v) { return area.y + (1.0 - vertical(v)) * (area.height - 1); };
  Color const back = image.at(area.x, area.y);

  auto const grid = [&](LogAxis const& axis, int room, auto const& draw) {
    int const every = std::max(1, (axis.last - axis.first + 1) * 40 / std::max(room, 1));
    for (int e = axis.first; e <= axis.last; ++e) {
      for (int digit = 2; digit < 10 && e < axis.last; ++digit) draw(digit * std::pow(10.0, e), e, 0.06, false);
      draw(std::pow(10.0, e), e, 0.25, (e - axis.first) % every == 0);
    }
  };
  grid(horizontal, area.width, [&](double v, int e, double opacity, bool label) {
    int const x = static_cast<int>(std::lround(to_x(v)));
    fill(image, {x, area.y, 1, area.height}, mix(back, ink, opacity));
    if (label) power_of_ten(image, x, area.y + area.height + 12, e, ink, Align::center);
  });
  grid(vertical, area.height, [&](double v, int e, double opacity, bool label) {
    int const y = static_cast<int>(std::lround(to_y(v)));
    if (opacity > 0.1) fill(image, {area.x, y, area.width, 1}, mix(back, ink, opacity));
    if (label) power_of_ten(image, area.x - 8, y - 5, e, ink, Align::right);
  });
  frame(image, area, ink);

  if (plot.level > 0.0) {
    double const y = to_y(plot.level);
    for (int x = area.x; x < area.x + area.width; x += 12) line(image, x, y, x + 6, y, ink, 1.5);
    text(image, area.x + 10, static_cast<int>(y) - 19, plot.level_label, ink);
  }
  bool drawing = false;
  double px = 0.0, py = 0.0;
  for (std::size_t k = 0; k < plot.x.size(); ++k) {
    if (!(plot.x[k] > 0.0) || !(plot.y[k] > 0.0) || !std::isfinite(plot.y[k])) continue;
    double const x = to_x(plot.x[k]), y = to_y(plot.y[k]);
    if (drawing) line(image, px, py, x, y, curve, 2.5);
    px      = x;
    py      = y;
    drawing = true;
  }
  if (drawing) disc(image, px, py, 4.5, curve);

  text(image, area.x + area.width / 2, box.y, plot.title, ink, Align::center, true);
  text(image, area.x + area.width / 2, box.y + box.height - 18, plot.x_label, ink, Align::center);
  text_upwards(image, box.x, area.y + area.height / 2, plot.y_label, ink);
}

}  // namespace example
