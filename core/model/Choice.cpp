// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/Choice.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace KokkosStencil {

char const* to_string(Bottleneck bottleneck) noexcept {
  switch (bottleneck) {
    case Bottleneck::memory: return "memory";
    case Bottleneck::arithmetic: return "arithmetic";
    case Bottleneck::launch: return "launch";
    default: return "-";
  }
}

namespace Model {

namespace {

std::string number(double value, int digits = 4) {
  if (value <= 0.0) return "-";
  char text[32];
#ifdef __cpp_lib_to_chars
  // The same text in less than half of the time: most of a decision's texts hold a number.
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
#else
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
#endif
}

std::string time_text(double seconds) {
  if (seconds <= 0.0) return "-";
  return seconds < 1e-3 ? number(1e6 * seconds, 3) + " us" : number(1e3 * seconds, 3) + " ms";
}

double time_of(Candidate const& c, bool measured) { return measured ? c.measured : c.predicted; }

}  // namespace

Candidate* choose(std::vector<Candidate>& candidates, std::string const& forced) {
  bool const measured =
      std::any_of(candidates.begin(), candidates.end(), [](Candidate const& c) { return c.measured > 0.0; });
  Candidate* best = nullptr;
  for (Candidate& c : candidates) {
    if (!c.runnable || (!forced.empty() && c.backend != forced) || (measured && c.measured <= 0.0)) continue;
    if (best == nullptr || time_of(c, measured) < time_of(*best, measured)) best = &c;
  }
  if (best == nullptr) return nullptr;
  for (Candidate& c : candidates) {
    if (!c.runnable) continue;
    if (&c == best) {
      c.chosen = true;
      c.reason = forced.empty() ? "" : "forced";
    } else if (!forced.empty() && c.backend != forced) {
      c.reason = "another backend is forced";
    } else if (c.backend == best->backend) {
      c.reason = "depth " + std::to_string(best->estimate.depth) + " is faster";
    } else if (measured && c.measured <= 0.0) {
      c.reason = "not timed";
    } else {
      c.reason = number(time_of(c, measured) / time_of(*best, measured), 3) + " times the time of the chosen one";
    }
  }
  return best;
}

std::string table(std::vector<Candidate> const& candidates) {
  using Line = std::array<std::string, 8>;
  std::vector<Line> lines{{"backend", "depth", "FLOP", "bytes", "bottleneck", "predicted", "measured", "status"}};
  bool const measured =
      std::any_of(candidates.begin(), candidates.end(), [](Candidate const& c) { return c.measured > 0.0; });
  for (Candidate const& c : candidates) {
    Line line{c.backend, "-", "-", "-", "-", "-", "-", ""};
    if (c.runnable) {
      line[1] = std::to_string(c.estimate.depth);
      line[2] = number(c.estimate.operations);
      line[3] = number(c.estimate.bytes);
      line[4] = to_string(c.estimate.bottleneck);
      line[5] = time_text(c.predicted);
      line[6] = c.measured > 0.0 ? time_text(c.measured) : "-";
    }
    line[7] = c.chosen ? "chosen" : c.runnable ? "not chosen" : "cannot run";
    if (c.runnable && c.estimate.padded) line[7] += ", on padded copies";
    if (!c.reason.empty()) line[7] += ": " + c.reason;
    lines.push_back(line);
  }
  std::string text;
  for (Line& line : lines) {
    for (std::size_t k = 0; k < 8; ++k) {
      if (k == 6 && !measured) continue;
      std::size_t width = 0;
      for (Line const& l : lines) width = std::max(width, l[k].size());
      std::string cell = line[k];
      if (k < 7) cell.insert(k == 0 || k == 4 ? cell.size() : 0, width - cell.size(), ' ');
      text += "  " + cell;
    }
    text += "\n";
  }
  return text;
}

}  // namespace Model
}  // namespace KokkosStencil
