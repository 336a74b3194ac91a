// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/RowCopy.hpp"

#include "common/Alignment.hpp"
#include "common/Check.hpp"
#include "common/RowCopyKernel.hpp"
#include "common/WithWord.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

void copy_rows(Launch const& launch, Impl::RowCopy const& copy) {
  PointBox const& box = copy.box;
  if (box.empty()) return;
  RowCopyArgs g{};
  g.second = copy.second;
  std::copy(copy.keep.begin.begin(), copy.keep.begin.end(), g.keep_begin);
  std::copy(copy.keep.end.begin(), copy.keep.end.end(), g.keep_end);
  for (std::size_t a = 0; a < 2; ++a) {
    g.from_stride[a] = copy.from_stride[a];
    g.to_stride[a]   = copy.to_stride[a];
  }
  g.plane = box.begin[0];
  g.line  = box.begin[1];
  g.lines = box.end[1] - box.begin[1];
  g.low   = box.begin[2];
  g.high  = box.end[2];
  g.least = copy.least;
  g.last  = copy.most - 1;
  g.first = aligned_down(box.begin[2], 0, 32);
  // As few tiles as a row needs, all of about the same width.
  g.tiles           = divide_up(g.high - g.first, 32 * row_copy_chunks(copy.value_size));
  g.columns         = divide_up(divide_up(g.high - g.first, g.tiles), 32) * 32;
  g.rows            = (box.end[0] - box.begin[0]) * g.lines;
  auto const stream = static_cast<cudaStream_t>(launch.stream);
  with_word(copy.value_size, [&](auto word) {
    using Word = decltype(word);
    launch_row_copy(g, static_cast<Word const*>(copy.from), static_cast<Word*>(copy.to), stream);
  });
  check_launch(launch.label);
}

}  // namespace Cuda
}  // namespace KokkosStencil
