// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Canvas.hpp"
#include "ColorMap.hpp"
#include "Image.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace example {

/// Values on a grid, row by row from the top, on the host.
struct Field {
  int width  = 0;
  int height = 0;
  std::vector<double> values;

  Field() = default;
  Field(int w, int h) : width(w), height(h), values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  double& at(int x, int y) {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  double at(int x, int y) const { return const_cast<Field*>(this)->at(x, y); }
  /// Bilinear, for 0 <= x <= 1 from left to right and 0 <= y <= 1 from top to bottom.
  double sample(double x, double y) const;
};

/// How values become colours.
struct Scale {
  ColorMap const& map;
  double low, high;

  Color operator()(double value) const { return map((value - low) / (high - low)); }
};

/// The field as a picture of that size, smoothly enlarged or reduced.
Image field_image(int width, int height, Field const& field, Scale const& scale);
/// Draws lines into the picture of a field where it passes a multiple of `interval`.
void add_contours(Image& image, Field const& field, double interval, Color color, double opacity);
/// An upright bar with `ticks` + 1 labels at its right and a caption above.
void draw_color_bar(Canvas& canvas, Box const& box, Scale const& scale, int ticks, std::string const& caption,
                    Color color);

/// The least of 1, 2 and 5 times a power of ten that marks a range at most `most` times.
double tick_distance(double range, int most);

/// Two logarithmic axes over whole decades.
class LogLogAxes {
 public:
  struct Decades {
    int first, last;  ///< powers of ten

    double low() const;
    double high() const;
  };
  /// The decades that hold all values that are positive and finite.
  static Decades decades(std::vector<double> const& values);

  LogLogAxes(Box const& area, Decades x, Decades y) : m_area(area), m_x(x), m_y(y) {}

  /// Where a value lies; values beyond an axis lie at its end.
  double x(double value) const;
  double y(double value) const;
  Point operator()(double h, double v) const { return {x(h), y(v)}; }
  Box const& area() const { return m_area; }

  /// Grid, numbers and captions, on the paper's colour.
  void draw(Canvas& canvas, std::string const& x_label, std::string const& y_label, Color ink, Color paper) const;

 private:
  Box m_area;
  Decades m_x, m_y;
};

/// A curve on logarithmic axes; values that are not positive are left out.
struct LogLogPlot {
  std::string title, x_label, y_label;
  std::vector<double> x, y;
  double level = 0.0;  ///< a dashed line across, if positive
  std::string level_label;
};
void draw_plot(Canvas& canvas, Box const& box, LogLogPlot const& plot, Color ink, Color paper, Color curve);

}  // namespace example
