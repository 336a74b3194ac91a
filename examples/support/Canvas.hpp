// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Image.hpp"

#include <memory>
#include <string>
#include <vector>

namespace example {

/// A rectangle of pixels.
struct Box {
  int x, y, width, height;
};

struct Point {
  double x, y;
};

enum class Align { left, center, right };

/// A picture to draw on, by Cairo. Coordinates are pixels from the upper left corner.
class Canvas {
 public:
  /// @throws std::runtime_error if Cairo cannot make a picture of that size
  Canvas(int width, int height, Color paper);
  ~Canvas();
  Canvas(Canvas const&)            = delete;
  Canvas& operator=(Canvas const&) = delete;

  void fill(Box const& box, Color color);
  /// Lines of a pixel just inside the box.
  void frame(Box const& box, Color color);
  /// A line through all points.
  void line(std::vector<Point> const& points, Color color, double width = 1.0, bool dashed = false);
  void disc(Point const& centre, double radius, Color color);
  /// One line of text in UTF-8 with its upper edge at y. Returns its width.
  double text(double x, double y, std::string const& words, Color color, Align align = Align::left, bool bold = false,
              double size = text_size);
  /// Text that runs upwards, its left edge at x, centred about y.
  void text_upwards(double x, double y, std::string const& words, Color color);
  double width_of(std::string const& words, bool bold = false, double size = text_size);
  /// Copies a picture to (x, y).
  void paste(int x, int y, Image const& picture);

  /// What was drawn. Throws std::runtime_error if anything failed.
  Image image() const;

  static constexpr double text_size = 14.0;

 private:
  struct Cairo;
  std::unique_ptr<Cairo> m_cairo;
};

}  // namespace example
