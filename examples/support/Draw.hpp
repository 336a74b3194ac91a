// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "ColorMap.hpp"
#include "Image.hpp"

#include <string>
#include <vector>

namespace example {

/// A rectangle of pixels.
struct Box {
  int x, y, width, height;
};

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

void fill(Image& image, Box box, Color color);
void frame(Image& image, Box box, Color color);
void line(Image& image, double x0, double y0, double x1, double y1, Color color, double width = 1.0);
void disc(Image& image, double x, double y, double radius, Color color);

enum class Align { left, center, right };
/// Text with its upper edge at y; the degree sign and ASCII. Returns its width.
int text(Image& image, int x, int y, std::string const& words, Color color, Align align = Align::left,
         bool bold = false);
/// Text that runs upwards, centred about y.
void text_upwards(Image& image, int x, int y, std::string const& words, Color color);

/// Draws the field into the box, smoothly enlarged or reduced.
void draw_field(Image& image, Box box, Field const& field, Scale const& scale);
/// Draws lines where the field passes a multiple of `interval`.
void draw_contours(Image& image, Box box, Field const& field, double interval, Color color, double opacity);
/// An upright bar with `ticks` + 1 labels at its right and a caption above.
void draw_color_bar(Image& image, Box box, Scale const& scale, int ticks, std::string const& caption, Color color);
/// Copies a picture to (x, y).
void paste(Image& image, int x, int y, Image const& picture);

/// The least of 1, 2 and 5 times a power of ten that marks a range at most `most` times.
double tick_distance(double range, int most);

/// Both axes logarithmic; values that are not positive are left out.
struct LogLogPlot {
  std::string title, x_label, y_label;
  std::vector<double> x, y;
  double level = 0.0;  ///< a dashed line across, if positive
  std::string level_label;
};
void draw_plot(Image& image, Box box, LogLogPlot const& plot, Color ink, Color curve);

}  // namespace example
