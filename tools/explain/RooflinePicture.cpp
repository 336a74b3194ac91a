// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RooflinePicture.hpp"

#include "Draw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace KokkosStencil {

namespace {

using example::Align;
using example::Color;
using example::LogLogAxes;

constexpr Color paper{255, 255, 255}, ink{40, 40, 40}, roof{120, 120, 120};
constexpr Color winner{192, 57, 43}, other{33, 113, 181};

std::string short_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

/// A unit of the device, with its rate for the value type.
struct Roof {
  std::string name;
  double rate;  ///< FLOP/s
};

std::vector<Roof> roofs_of(DeviceModel const& device, ValueType type) {
  bool const is_double = type == ValueType::float64, is_float = type == ValueType::float32;
  std::string const on_tensor = is_double ? "double" : is_float ? "TF32" : "half";
  ValueType const on_cores    = is_double ? ValueType::float64 : ValueType::float32;
  std::vector<Roof> roofs{
      {is_double ? "CUDA cores, double" : "CUDA cores, float", device.rate(ComputeUnit::cores, on_cores)},
      {"tensor cores, " + on_tensor, device.rate(ComputeUnit::tensor_cores, type)},
      {"sparse tensor cores, " + on_tensor, device.rate(ComputeUnit::sparse_tensor_cores, type)}};
  roofs.erase(std::remove_if(roofs.begin(), roofs.end(), [](Roof const& r) { return !(r.rate > 0.0); }), roofs.end());
  return roofs;
}

/// Labels that keep out of each other's way: the height nearest to the wanted one that is free.
class Labels {
 public:
  double place(double wanted) {
    constexpr double line = 17.0;
    for (double away = 0.0;; away += 1.0) {
      for (double const at : {wanted + away, wanted - away}) {
        auto const near = [&](double used) { return std::abs(used - at) < line; };
        if (std::any_of(m_used.begin(), m_used.end(), near)) continue;
        m_used.push_back(at);
        return at;
      }
    }
  }

 private:
  std::vector<double> m_used;
};

}  // namespace

void draw_roofline(std::string const& path, std::string const& title, DeviceModel const& device, Problem const& problem,
                   std::vector<Candidate> const& candidates) {
  constexpr double tera = 1e12;
  example::Canvas canvas(980, 640, paper);
  LogLogAxes const axes({90, 50, 850, 510}, {-1, 3}, {-1, 3});
  axes.draw(canvas, "arithmetic intensity, FLOP/byte", "executed TFLOP/s", ink, paper);
  double const left = axes.area().x, right = left + axes.area().width;

  // The slope of the memory ends at the highest roof.
  std::vector<Roof> const roofs = roofs_of(device, problem.value_type);
  double highest                = 0.0;
  for (Roof const& r : roofs) {
    highest        = std::max(highest, r.rate);
    double const y = axes.y(r.rate / tera);
    canvas.line({{axes.x(r.rate / device.bandwidth), y}, {right, y}}, roof, 2.0);
  }
  double const end = std::min(1000.0, highest / device.bandwidth);
  canvas.line({axes(0.1, 0.1 * device.bandwidth / tera), axes(end, end * device.bandwidth / tera)}, roof, 2.0);

  Labels labels;
  canvas.text(left + 12, axes.y(0.5 * device.bandwidth / tera), short_number(device.bandwidth / tera) + " TB/s", ink);
  for (Roof const& r : roofs) {
    canvas.text(right - 6, labels.place(axes.y(r.rate / tera) - 20),
                r.name + ": " + short_number(r.rate / tera) + " TFLOP/s", ink, Align::right);
  }
  auto const points = static_cast<double>(problem.points()) * static_cast<double>(problem.steps);
  for (Candidate const& c : candidates) {
    if (!c.runnable || c.estimate.bytes <= 0.0 || c.estimate.operations <= 0.0) continue;
    double const rate       = c.estimate.operations * points / c.estimate.depth / c.predicted;
    example::Point const at = axes(c.estimate.operations / c.estimate.bytes, rate / tera);
    Color const color       = c.chosen ? winner : other;
    canvas.disc(at, c.chosen ? 6.0 : 4.5, color);
    std::string name = c.backend;
    if (c.estimate.depth > 1) name += ", depth " + std::to_string(c.estimate.depth);
    // Beside the point, towards the middle.
    bool const before = at.x > left + 0.75 * axes.area().width;
    canvas.text(at.x + (before ? -10 : 10), labels.place(at.y - 8), name, color, before ? Align::right : Align::left,
                c.chosen);
  }
  canvas.text(left + axes.area().width / 2.0, 16, title, ink, Align::center, true);
  example::write_image(path, canvas.image());
}

}  // namespace KokkosStencil
