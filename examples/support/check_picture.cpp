// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For the tests: checks that a picture can be read, has the expected size and shows something, or writes
// a good picture and one that is cut off.

#include "Image.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

void write(std::string const& good, std::string const& cut) {
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

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("usage: check_picture FILE WIDTH HEIGHT | --write GOOD CUT");
    if (std::string(argv[1]) == "--write") {
      write(argv[2], argv[3]);
    } else {
      check(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
    }
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
