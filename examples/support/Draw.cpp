// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Draw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace example {
namespace {

/// A power of ten, its upper right corner or the middle of its upper edge at (x, y). With a raised exponent, or as it
/// is.
void power_of_ten(Canvas& canvas, double x, double y, int exponent, bool raised, Color color, Align align) {
  if (!raised) {
    char words[16];
    std::snprintf(words, sizeof(words), "%g", std::pow(10.0, exponent));
    canvas.text(x, y, words, color, align);
    return;
  }
  constexpr double small  = 0.75 * Canvas::text_size;
  std::string const words = std::to_string(exponent);
  double const ten = canvas.width_of("10"), width = ten + canvas.width_of(words, false, small);
  double const left = align == Align::right ? x - width : x - width / 2.0;
  canvas.text(left, y, "10", color);
  canvas.text(left + ten, y - 4.0, words, color, Align::left, false, small);
}

double place(double value, LogLogAxes::Decades const& d) {
  return (std::log10(std::clamp(value, d.low(), d.high())) - d.first) / (d.last - d.first);
}

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

Image field_image(int width, int height, Field const& field, Scale const& scale) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.at(x, y) = scale(field.sample((x + 0.5) / width, (y + 0.5) / height));
  return image;
}

void add_contours(Image& image, Field const& field, double interval, Color color, double opacity) {
  auto const value = [&](double x, double y) { return field.sample(x / image.width, y / image.height) / interval; };
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      double const v     = value(x + 0.5, y + 0.5);
      double const slope = std::hypot(value(x + 1.5, y + 0.5) - value(x - 0.5, y + 0.5),
                                      value(x + 0.5, y + 1.5) - value(x + 0.5, y - 0.5)) /
                           2;
      // Lines closer than a few pixels would only darken the picture.
      if (slope < 1e-4 || slope > 0.25) continue;
      double const strength = opacity * (1.1 - std::abs(v - std::round(v)) / slope);
      image.at(x, y)        = mix(image.at(x, y), color, std::clamp(strength, 0.0, 1.0));
    }
  }
}

void draw_color_bar(Canvas& canvas, Box const& box, Scale const& scale, int ticks, std::string const& caption,
                    Color color) {
  for (int y = 0; y < box.height; ++y) {
    canvas.fill({box.x, box.y + y, box.width, 1}, scale.map(1.0 - (y + 0.5) / box.height));
  }
  canvas.frame(box, color);
  for (int k = 0; k <= ticks; ++k) {
    double const value = scale.low + (scale.high - scale.low) * k / ticks;
    int const y        = box.y + box.height - 1 - static_cast<int>(std::lround((box.height - 1.0) * k / ticks));
    char label[32];
    std::snprintf(label, sizeof(label), "%.4g", value);
    canvas.fill({box.x + box.width, y, 5, 1}, color);
    canvas.text(box.x + box.width + 9, y - 8, label, color);
  }
  canvas.text(box.x, box.y - 26, caption, color);
}

double tick_distance(double range, int most) {
  double const power = std::pow(10.0, std::floor(std::log10(range / most)));
  for (double const digit : {1.0, 2.0, 5.0}) {
    if (digit * power * most >= range) return digit * power;
  }
  return 10.0 * power;
}

double LogLogAxes::Decades::low() const { return std::pow(10.0, first); }
double LogLogAxes::Decades::high() const { return std::pow(10.0, last); }

LogLogAxes::Decades LogLogAxes::decades(std::vector<double> const& values) {
  double low = HUGE_VAL, high = 0.0;
  for (double const v : values) {
    if (!(v > 0.0) || !std::isfinite(v)) continue;
    low  = std::min(low, v);
    high = std::max(high, v);
  }
  if (high == 0.0) low = high = 1.0;
  int const first = static_cast<int>(std::floor(std::log10(low)));
  return {first, std::max(static_cast<int>(std::ceil(std::log10(high))), first + 1)};
}

double LogLogAxes::x(double value) const { return m_area.x + place(value, m_x) * m_area.width; }
double LogLogAxes::y(double value) const { return m_area.y + (1.0 - place(value, m_y)) * m_area.height; }

void LogLogAxes::draw(Canvas& canvas, std::string const& x_label, std::string const& y_label, Color ink,
                      Color paper) const {
  auto const tens = [&](Decades const& d, int room, auto const& mark) {
    int const every   = std::max(1, (d.last - d.first + 1) * 40 / std::max(room, 1));
    bool const raised = d.first < -2 || d.last > 4;
    for (int e = d.first; e <= d.last; ++e) {
      for (int digit = 2; digit < 10 && e < d.last; ++digit) mark(digit * std::pow(10.0, e), e, 0.06, false, raised);
      mark(std::pow(10.0, e), e, 0.22, (e - d.first) % every == 0, raised);
    }
  };
  // On whole pixels, or the lines would blur.
  tens(m_x, m_area.width, [&](double v, int e, double opacity, bool label, bool raised) {
    int const at = static_cast<int>(std::lround(x(v)));
    canvas.fill({at, m_area.y, 1, m_area.height}, mix(paper, ink, opacity));
    if (label) power_of_ten(canvas, at, m_area.y + m_area.height + 9, e, raised, ink, Align::center);
  });
  tens(m_y, m_area.height, [&](double v, int e, double opacity, bool label, bool raised) {
    int const at = static_cast<int>(std::lround(y(v)));
    canvas.fill({m_area.x, at, m_area.width, 1}, mix(paper, ink, opacity));
    if (label) power_of_ten(canvas, m_area.x - 8, at - 8, e, raised, ink, Align::right);
  });
  canvas.frame({m_area.x, m_area.y, m_area.width + 1, m_area.height + 1}, ink);
  canvas.text(m_area.x + m_area.width / 2, m_area.y + m_area.height + 34, x_label, ink, Align::center);
  canvas.text_upwards(m_area.x - 70, m_area.y + m_area.height / 2, y_label, ink);
}

void draw_plot(Canvas& canvas, Box const& box, LogLogPlot const& plot, Color ink, Color paper, Color curve) {
  std::vector<double> heights = plot.y;
  heights.push_back(plot.level);
  LogLogAxes const axes({box.x + 76, box.y + 28, box.width - 86, box.height - 84}, LogLogAxes::decades(plot.x),
                        LogLogAxes::decades(heights));
  axes.draw(canvas, plot.x_label, plot.y_label, ink, paper);
  Box const& area = axes.area();
  if (plot.level > 0.0) {
    double const y = axes.y(plot.level);
    canvas.line({{double(area.x), y}, {double(area.x + area.width), y}}, ink, 1.5, true);
    canvas.text(area.x + 10, y - 21, plot.level_label, ink);
  }
  std::vector<Point> points;
  for (std::size_t k = 0; k < plot.x.size(); ++k) {
    if (plot.x[k] > 0.0 && plot.y[k] > 0.0 && std::isfinite(plot.y[k])) points.push_back(axes(plot.x[k], plot.y[k]));
  }
  canvas.line(points, curve, 2.5);
  if (!points.empty()) canvas.disc(points.back(), 4.5, curve);
  canvas.text(area.x + area.width / 2, box.y, plot.title, ink, Align::center, true);
}

}  // namespace example
