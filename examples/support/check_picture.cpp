// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For the tests: checks that a picture can be read, has the expected size and shows something, or that it is refused
// without taking memory, or writes a good picture, one that is cut off, and one that is a header only.

#include "Image.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <sys/resource.h>

namespace {

void write(std::string const& good, std::string const& cut, std::string const& large) {
  example::Image image(64, 48);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(4 * x), static_cast<std::uint8_t>(5 * y),
                        static_cast<std::uint8_t>(x * y)};
    }
  }
  example::write_image(good, image);
  std::ifstream in(good, std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::ofstream(cut, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  // A good header, with its checksum, of a picture that is not there.
  char const header[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x40\0\0\0\x40\0\x08\x02\0\0\0\x26\xaa\x87\xd3\0\0\0\0IDAT";
  std::ofstream(large, std::ios::binary) << std::string(header, sizeof header - 1);
}

void check(std::string const& path, int width, int height) {
  example::Image const image = example::read_image(path);
  if (image.width != width || image.height != height) {
    throw std::runtime_error(path + " has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                             " pixels");
  }
  auto const same = [&](example::Color const& c) {
    return c.r == image.pixels[0].r && c.g == image.pixels[0].g && c.b == image.pixels[0].b;
  };
  if (std::all_of(image.pixels.begin(), image.pixels.end(), same)) throw std::runtime_error(path + " has one colour");
}

/// A file must be refused by its header, that is without memory for its pixels.
void refused(std::string const& path) {
  constexpr long most_kilobytes = 300 * 1024;
  try {
    example::read_image(path);
  } catch (std::exception const& e) {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    if (used.ru_maxrss < most_kilobytes) return;
    throw std::runtime_error(std::string(e.what()) + " (after " + std::to_string(used.ru_maxrss) + " KB)");
  }
  throw std::runtime_error(path + " was read");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 5 && std::string(argv[1]) == "--write") {
      write(argv[2], argv[3], argv[4]);
    } else if (argc == 3 && std::string(argv[1]) == "--refused") {
      refused(argv[2]);
    } else {
      if (argc != 4) {
        throw std::runtime_error("usage: check_picture FILE WIDTH HEIGHT | --refused FILE | --write GOOD CUT LARGE");
      }
      check(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
    }
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
