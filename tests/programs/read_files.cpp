// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads files as the library and the examples do, for fuzz.py: many in one process. Says for each what became of it.
//
//   read_files tuning FILE...     what the tuning file knows of a problem, then adds a winner to it
//   read_files picture FILE...    reads a picture and writes it beside

#include <KokkosStencil_TuningFile.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>

#ifdef KOKKOSSTENCIL_WITH_PICTURES
#include "Image.hpp"
#endif

#include <cstdio>
#include <exception>
#include <string>

namespace {

void tuning(std::string const& file) {
  KokkosStencil::Impl::Tuned found;
  bool const known = KokkosStencil::Impl::recall_tuning(file, "device", "problem 1", found);
  if (known) std::printf("%d %g ", found.depth, found.seconds);
  KokkosStencil::Impl::remember_tuning(file, "device", "problem 2", {"generic", 1, 1e-3});
  std::printf("%s\n", known ? "known" : "unknown");
}

void picture(std::string const& file) {
#ifdef KOKKOSSTENCIL_WITH_PICTURES
  try {
    example::Image const image = example::read_image(file);
    example::write_image(file + ".out.png", image);
    std::printf("read %d x %d\n", image.width, image.height);
  } catch (std::exception const& e) {
    std::printf("refused: %s\n", e.what());
  }
#else
  std::printf("left out: %s\n", file.c_str());
#endif
}

}  // namespace

int main(int argc, char** argv) {
  std::string const kind = argc > 1 ? argv[1] : "";
  if (kind != "tuning" && kind != "picture") return 2;
  for (int k = 2; k < argc; ++k) kind == "tuning" ? tuning(argv[k]) : picture(argv[k]);
  return 0;
}
