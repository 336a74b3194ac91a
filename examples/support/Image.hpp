// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace example {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0;
};

/// `a` where weight is 0, `b` where it is 1.
Color mix(Color a, Color b, double weight);

/// An RGB picture, row by row from the top.
struct Image {
  int width  = 0;
  int height = 0;
  std::vector<Color> pixels;

  Image() = default;
  Image(int w, int h, Color color = {})
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), color) {}

  Color& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  Color const& at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }
};

/// The picture at another size; smaller ones are averaged.
Image scaled(Image const& image, int width, int height);

/// Reads a PNG of any kind or a PGM or PPM (P2, P3, P5, P6). Throws std::runtime_error, naming the file.
Image read_image(std::string const& path);

/// Writes a PNG, or a PPM if the name ends so. Throws std::runtime_error, naming the file.
void write_image(std::string const& path, Image const& image);

}  // namespace example
