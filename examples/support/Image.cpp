// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Image.hpp"

#include "File.hpp"

#include <png.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace example {
namespace {

static_assert(sizeof(Color) == 3, "pixels are handed to libpng as they are");

// Larger pictures are almost surely a broken header.
constexpr std::int64_t max_pixels = std::int64_t(1) << 28;

// Six bytes a pixel, and a header.
constexpr std::size_t max_bytes = 6 * static_cast<std::size_t>(max_pixels) + 65536;

void check_size(std::string const& path, std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1 || width > max_pixels || height > max_pixels || width * height > max_pixels) {
    fail(path, "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels cannot be read");
  }
}

/// Refuses a PNG by its header, before memory is taken for the pixels: one that cannot be as large as it says.
void check_header(std::string const& path, std::vector<char> const& bytes) {
  // Signature, length and name of the first chunk, then width, height (four bytes each), bits, kind of colour.
  if (bytes.size() < 33 || std::memcmp(bytes.data() + 12, "IHDR", 4) != 0) fail(path, "not a readable PNG");
  auto const number = [&](std::size_t at) {
    std::int64_t n = 0;
    for (std::size_t k = 0; k < 4; ++k) n = n * 256 + static_cast<unsigned char>(bytes[at + k]);
    return n;
  };
  std::int64_t const width = number(16), height = number(20);
  check_size(path, width, height);
  int const bits = static_cast<unsigned char>(bytes[24]), kind = static_cast<unsigned char>(bytes[25]);
  int const channels = kind == 2 ? 3 : kind == 4 ? 2 : kind == 6 ? 4 : 1;
  // Deflate makes at most 1032 bytes of one.
  std::int64_t const needed = (width * bits * channels + 7) / 8 * height / 1032;
  if (static_cast<std::int64_t>(bytes.size()) < needed) {
    fail(path,
         "not a readable PNG (too short for " + std::to_string(width) + " x " + std::to_string(height) + " pixels)");
  }
}

Image read_png(std::string const& path, std::vector<char> const& bytes) {
  check_header(path, bytes);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size())) {
    fail(path, std::string("not a readable PNG (") + png.message + ")");
  }
  png.format = PNG_FORMAT_RGB;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height));
  png_color const white{255, 255, 255};
  if (!png_image_finish_read(&png, &white, image.pixels.data(), 0, nullptr)) {
    fail(path, std::string("not a readable PNG (") + png.message + ")");
  }
  return image;
}

/// PGM and PPM: a header of numbers with comments, then bytes (two a value if the largest exceeds 255)
/// or further numbers.
class PnmReader {
 public:
  PnmReader(std::string const& path, std::vector<char> const& bytes) : m_path(path), m_bytes(bytes) {}

  Image read() {
    bool const plain = m_bytes[1] == '2' || m_bytes[1] == '3';
    bool const gray  = m_bytes[1] == '2' || m_bytes[1] == '5';
    m_at             = 2;
    int const width  = number();
    int const height = number();
    m_largest        = number();
    check_size(m_path, width, height);
    if (m_largest < 1 || m_largest > 65535) fail(m_path, "the largest value must lie between 1 and 65535");
    ++m_at;
    std::size_t const values = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * (gray ? 1 : 3);
    // In words every value has a space beside it, but for one.
    std::size_t const needed = plain ? 2 * values - 1 : m_largest > 255 ? 2 * values : values;
    if (m_bytes.size() < m_at || m_bytes.size() - m_at < needed) fail(m_path, "the file ends too early");

    Image image(width, height);
    for (Color& pixel : image.pixels) {
      pixel.r = value(plain);
      pixel.g = gray ? pixel.r : value(plain);
      pixel.b = gray ? pixel.r : value(plain);
    }
    return image;
  }

 private:
  int number() {
    while (m_at < m_bytes.size() && (std::isspace(byte()) || byte() == '#')) {
      if (byte() == '#') {
        while (m_at < m_bytes.size() && byte() != '\n') ++m_at;
      } else {
        ++m_at;
      }
    }
    if (m_at >= m_bytes.size()) fail(m_path, "the file ends too early");
    if (!std::isdigit(byte())) fail(m_path, "not a readable PGM or PPM (a number is missing)");
    int n = 0;
    while (m_at < m_bytes.size() && std::isdigit(byte())) {
      n = std::min(n * 10 + (byte() - '0'), 100000000);
      ++m_at;
    }
    return n;
  }
  std::uint8_t value(bool plain) {
    int n = 0;
    if (plain) {
      n = number();
    } else {
      for (int k = 0; k < (m_largest > 255 ? 2 : 1); ++k, ++m_at) {
        if (m_at >= m_bytes.size()) fail(m_path, "the file ends too early");
        n = n * 256 + byte();
      }
    }
    return static_cast<std::uint8_t>((std::min(n, m_largest) * 255 + m_largest / 2) / m_largest);
  }
  int byte() const { return static_cast<unsigned char>(m_bytes[m_at]); }

  std::string const& m_path;
  std::vector<char> const& m_bytes;
  std::size_t m_at = 0;
  int m_largest    = 255;
};

void write_ppm(std::FILE* file, Image const& image) {
  std::fprintf(file, "P6\n%d %d\n255\n", image.width, image.height);
  std::fwrite(image.pixels.data(), sizeof(Color), image.pixels.size(), file);
}

bool is_pnm(std::string const& begin) {
  return begin.size() >= 2 && begin[0] == 'P' && begin[1] != '\0' && std::strchr("2356", begin[1]) != nullptr;
}

bool is_png(std::string const& begin) {
  return begin.size() >= 8 && png_sig_cmp(reinterpret_cast<png_const_bytep>(begin.data()), 0, 8) == 0;
}

}  // namespace

Color mix(Color a, Color b, double weight) {
  auto const channel = [weight](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::clamp(std::lround(x + (y - x) * weight), 0L, 255L));
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

Image scaled(Image const& image, int width, int height) {
  if (width == image.width && height == image.height) return image;
  Image result(width, height);
  // The mean of what a new pixel covers, of a pixel's size at least.
  auto const span = [](int at, int to, int from, int& lo, int& hi) {
    lo = std::min(static_cast<int>(static_cast<std::int64_t>(at) * from / to), from - 1);
    hi = std::clamp(static_cast<int>(static_cast<std::int64_t>(at + 1) * from / to), lo + 1, from);
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int x0, x1, y0, y1;
      span(x, width, image.width, x0, x1);
      span(y, height, image.height, y0, y1);
      std::int64_t r = 0, g = 0, b = 0, n = 0;
      for (int v = y0; v < y1; ++v) {
        for (int h = x0; h < x1; ++h, ++n) {
          Color const c = image.at(h, v);
          r += c.r;
          g += c.g;
          b += c.b;
        }
      }
      result.at(x, y) = {static_cast<std::uint8_t>(r / n), static_cast<std::uint8_t>(g / n),
                         static_cast<std::uint8_t>(b / n)};
    }
  }
  return result;
}

Image read_image(std::string const& path) {
  bool png                      = false;
  std::vector<char> const bytes = read_file(path, max_bytes, [&](std::string const& begin) {
    png = is_png(begin);
    if (begin.empty()) fail(path, "no picture: the file is empty");
    if (!png && !is_pnm(begin)) fail(path, "neither a PNG nor a PGM or PPM");
  });
  return png ? read_png(path, bytes) : PnmReader(path, bytes).read();
}

void write_image(std::string const& path, Image const& image) {
  bool const ppm = path.size() > 4 && path.substr(path.size() - 4) == ".ppm";
  replace_file(path, [&](std::FILE* file) {
    if (ppm) return write_ppm(file, image);
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width   = static_cast<png_uint_32>(image.width);
    png.height  = static_cast<png_uint_32>(image.height);
    png.format  = PNG_FORMAT_RGB;
    if (!png_image_write_to_stdio(&png, file, 0, image.pixels.data(), 0, nullptr)) {
      fail(path, std::string("cannot be written (") + png.message + ")");
    }
  });
}

}  // namespace example
