// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RooflinePicture.hpp"

#include "Draw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace KokkosStencil {

namespace {

using example::Box;
using example::Color;

constexpr Color paper{255, 255, 255}, ink{40, 40, 40}, grid{228, 228, 228}, roof{120, 120, 120};
constexpr Color winner{192, 57, 43}, other{33, 113, 181};

/// A logarithmic axis over whole decades, in pixels.
struct Axis {
  double first, last;
  int from, to;

  double operator()(double v) const { return from + (std::log10(v) - first) / (last - first) * (to - from); }
};

std::string short_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

}  // namespace

void draw_roofline(std::string const& path, std::string const& title, DeviceModel const& device, Problem const& problem,
                   std::vector<Candidate> const& candidates) {
  example::Image image(980, 640, paper);
  Box const area{80, 50, 860, 510};
  Axis const x{-1.0, 3.0, area.x, area.x + area.width}, y{-1.0, 3.0, area.y + area.height, area.y};
  for (int e = -1; e <= 3; ++e) {
    double const v = std::pow(10.0, e);
    int const px = static_cast<int>(x(v)), py = static_cast<int>(y(v));
    example::fill(image, {px, area.y, 1, area.height}, grid);
    example::fill(image, {area.x, py, area.width, 1}, grid);
    example::text(image, px, area.y + area.height + 8, short_number(v), ink, example::Align::center);
    example::text(image, area.x - 8, py - 7, short_number(v), ink, example::Align::right);
  }

  // The slope of the memory ends at the highest roof.
  struct Roof {
    ComputeUnit unit;
    ValueType operand;
    std::string name;
  };
  bool const is_double = problem.value_type == ValueType::float64, is_float = problem.value_type == ValueType::float32;
  std::string const on_tensor = is_double ? "double" : is_float ? "TF32" : "half";
  std::vector<Roof> roofs{{ComputeUnit::cores, is_double ? ValueType::float64 : ValueType::float32,
                           std::string("CUDA cores, ") + (is_double ? "double" : "float")},
                          {ComputeUnit::tensor_cores, problem.value_type, "tensor cores, " + on_tensor},
                          {ComputeUnit::sparse_tensor_cores, problem.value_type, "sparse tensor cores, " + on_tensor}};
  double highest = 0.0;
  for (Roof const& r : roofs) {
    double const rate = device.rate(r.unit, r.operand);
    highest           = std::max(highest, rate);
    if (rate <= 0.0) continue;
    double const ridge = rate / device.bandwidth;
    example::line(image, x(std::clamp(ridge, 0.1, 1000.0)), y(1e-12 * rate), x(1000.0), y(1e-12 * rate), roof, 2.0);
    example::text(image, area.x + area.width - 6, static_cast<int>(y(1e-12 * rate)) - 18,
                  r.name + ": " + short_number(1e-12 * rate) + " TFLOP/s", ink, example::Align::right);
  }
  double const end = std::min(1000.0, highest / device.bandwidth);
  example::line(image, x(0.1), y(1e-12 * 0.1 * device.bandwidth), x(end), y(1e-12 * end * device.bandwidth), roof, 2.0);
  example::text(image, static_cast<int>(x(0.12)), static_cast<int>(y(1e-12 * 0.5 * device.bandwidth)),
                short_number(1e-12 * device.bandwidth) + " TB/s", ink);

  auto const points = static_cast<double>(problem.points()) * static_cast<double>(problem.steps);
  std::vector<int> labels;
  for (Candidate const& c : candidates) {
    if (!c.runnable || c.estimate.bytes <= 0.0 || c.estimate.operations <= 0.0) continue;
    double const intensity = std::clamp(c.estimate.operations / c.estimate.bytes, 0.1, 1000.0);
    double const rate      = c.estimate.operations * points / c.estimate.depth / c.predicted;
    double const tera      = std::clamp(1e-12 * rate, 0.1, 1000.0);
    Color const color      = c.chosen ? winner : other;
    example::disc(image, x(intensity), y(tera), c.chosen ? 6.0 : 4.5, color);
    std::string name = c.backend;
    if (c.estimate.depth > 1) name += ", depth " + std::to_string(c.estimate.depth);
    // Beside the point, towards the middle, below labels that are there already.
    bool const left = x(intensity) > area.x + 0.75 * area.width;
    int label       = static_cast<int>(y(tera)) - 7;
    while (std::any_of(labels.begin(), labels.end(), [&](int used) { return std::abs(used - label) < 14; })) label += 2;
    labels.push_back(label);
    example::text(image, static_cast<int>(x(intensity)) + (left ? -10 : 10), label, name, color,
                  left ? example::Align::right : example::Align::left, c.chosen);
  }
  example::frame(image, area, ink);
  example::text(image, area.x + area.width / 2, 16, title, ink, example::Align::center, true);
  example::text(image, area.x + area.width / 2, area.y + area.height + 36, "arithmetic intensity, FLOP/byte", ink,
                example::Align::center);
  example::text_upwards(image, 16, area.y + area.height / 2, "executed TFLOP/s", ink);
  example::write_image(path, image);
}

}  // namespace KokkosStencil
