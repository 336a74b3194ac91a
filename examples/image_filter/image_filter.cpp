// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Filters for colour pictures: blur, sharpen and the Laplacian are stencils as data, applied to one
// colour plane after the other; Sobel's gradient is not linear, so it is a stencil as code.

#include "Example.hpp"
#include "Landscape.hpp"

#include <KokkosStencil.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;
using Planes = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;  // (colour, y, x), 0 to 1
using Plane  = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;
using Policy = KS::StencilPolicy<Exec, 2>;

namespace {

struct Settings : example::Options {
  std::string input;
  bool sample     = false;
  int width       = 960;
  int height      = 640;
  int radius      = 4;
  double strength = 1.5;
  int repeat      = 5;
  std::vector<std::string> filters;
};

Planes to_planes(example::Image const& image) {
  Planes planes("picture", 3, image.height, image.width);
  auto const host = Kokkos::create_mirror_view(planes);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      example::Color const c = image.at(x, y);
      host(0, y, x)          = static_cast<float>(c.r) / 255.0f;
      host(1, y, x)          = static_cast<float>(c.g) / 255.0f;
      host(2, y, x)          = static_cast<float>(c.b) / 255.0f;
    }
  }
  Kokkos::deep_copy(planes, host);
  return planes;
}

example::Image to_image(Planes const& planes) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), planes);
  example::Image image(static_cast<int>(planes.extent(2)), static_cast<int>(planes.extent(1)));
  auto const byte = [](float v) { return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f)); };
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      image.at(x, y) = {byte(host(0, y, x)), byte(host(1, y, x)), byte(host(2, y, x))};
  return image;
}

auto plane(Planes const& planes, int color) { return Kokkos::subview(planes, color, Kokkos::ALL, Kokkos::ALL); }

KS::Stencil<float, 2> gauss(int radius) {
  double const sigma = std::max(radius, 1) / 2.0;
  std::vector<double> row;
  double sum = 0.0;
  for (int d = -radius; d <= radius; ++d) {
    row.push_back(std::exp(-0.5 * d * d / (sigma * sigma)));
    sum += row.back();
  }
  std::vector<float> weights;
  for (double y : row)
    for (double x : row) weights.push_back(static_cast<float>(y * x / (sum * sum)));
  return KS::box<2>(radius, weights);
}

/// The picture plus `strength` times what a blur takes away, in one stencil.
KS::Stencil<float, 2> unsharp(int radius, float strength) {
  auto terms = gauss(radius).terms();
  for (auto& term : terms) term.coefficient *= -strength;
  terms.push_back({{0, 0}, 1.0f + strength});
  return KS::Stencil<float, 2>(terms);
}

KS::Stencil<float, 2> laplace() { return KS::box<2>(1, {1.0f, 1.0f, 1.0f, 1.0f, -8.0f, 1.0f, 1.0f, 1.0f, 1.0f}); }

/// One picture after a filter, with what it cost.
struct Filtered {
  Planes picture;
  example::Work work;
};

template <class Sweep>
Filtered filter_planes(Planes const& in, int repeat, Sweep const& sweep) {
  Filtered result{Planes("filtered", in.extent(0), in.extent(1), in.extent(2)), {}};
  auto const all = [&] {
    for (int color = 0; color < 3; ++color) sweep(plane(in, color), plane(result.picture, color));
  };
  all();  // the first call also sets up
  example::Stopwatch watch;
  watch.start();
  for (int k = 0; k < repeat; ++k) all();
  watch.stop();
  result.work.backend = KS::last_backend();
  result.work.points  = static_cast<std::int64_t>(in.extent(1) * in.extent(2));
  result.work.sweeps  = 3 * repeat;
  result.work.seconds = watch.seconds();
  result.work.bytes   = 2 * sizeof(float);
  return result;
}

Filtered apply(Planes const& in, Settings const& settings, Policy const& policy, KS::Stencil<float, 2> const& stencil) {
  return filter_planes(in, settings.repeat,
                       [&](auto const& u, auto const& v) { KS::parallel_for("filter", policy, stencil, u, v); });
}

/// Length of the gradient, by Sobel's rule.
void sobel(Policy const& policy, Plane const& u, Plane const& v) {
  using Window = KS::Neighborhood<Plane>;
  KS::parallel_for(
      "sobel", policy.radius(1),
      KOKKOS_LAMBDA(Window const& n) {
        float const right = n(-1, 1) + 2.0f * n(0, 1) + n(1, 1);
        float const left  = n(-1, -1) + 2.0f * n(0, -1) + n(1, -1);
        float const below = n(1, -1) + 2.0f * n(1, 0) + n(1, 1);
        float const above = n(-1, -1) + 2.0f * n(-1, 0) + n(-1, 1);
        float const dx = right - left, dy = below - above;
        return sqrtf(dx * dx + dy * dy);
      },
      u, v);
}

Filtered apply_by_name(std::string const& name, Planes const& in, Settings const& settings, Policy const& policy) {
  if (name == "blur") return apply(in, settings, policy, gauss(settings.radius));
  if (name == "sharpen") {
    return apply(in, settings, policy, unsharp(settings.radius, static_cast<float>(settings.strength)));
  }
  if (name == "laplace") return apply(in, settings, policy, laplace());
  return filter_planes(in, settings.repeat, [&](Plane const& u, Plane const& v) { sobel(policy, u, v); });
}

/// The pictures side by side, two in a row, each at most 640 pixels wide and high.
example::Image contact_sheet(std::vector<std::pair<std::string, example::Image>> const& pictures) {
  constexpr example::Color paper{250, 250, 248}, ink{38, 38, 44};
  example::Image const& first = pictures.front().second;
  double const scale          = std::min({1.0, 640.0 / first.width, 640.0 / first.height});
  int const width             = std::max(1, static_cast<int>(std::lround(scale * first.width)));
  int const height            = std::max(1, static_cast<int>(std::lround(scale * first.height)));
  int const rows              = static_cast<int>(pictures.size() + 1) / 2;
  example::Canvas sheet(2 * width + 48, rows * (height + 36) + 12, paper);
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    int const left = 16 + static_cast<int>(k % 2) * (width + 16);
    int const top  = 30 + static_cast<int>(k / 2) * (height + 36);
    sheet.text(left, top - 22, pictures[k].first, ink, example::Align::left, true);
    sheet.paste(left, top, example::scaled(pictures[k].second, width, height));
  }
  return sheet.image();
}

void filter(Settings const& settings) {
  example::Image const image = settings.input.empty() ? example::landscape(settings.width, settings.height)
                                                      : example::read_image(settings.input);
  example::prepare_folder(settings.output);
  auto const path = [&](std::string const& name) { return example::in_folder(settings.output, name + ".png"); };
  std::vector<std::pair<std::string, example::Image>> pictures{{"original", image}};
  if (settings.input.empty()) {
    example::write_image(path("sample"), image);
    example::report_picture(path("sample"));
    if (settings.sample) return;
  }

  Planes const planes = to_planes(image);
  auto const policy   = Policy().backend(settings.backend).boundary(KS::Boundary<2>::mirror());
  for (std::string const& name : settings.filters) {
    Filtered const result = apply_by_name(name, planes, settings, policy);
    pictures.emplace_back(name, to_image(result.picture));
    example::write_image(path(name), pictures.back().second);
    std::printf("\n%s\n", name.c_str());
    example::report(policy.space(), result.work);
    example::report_picture(path(name));
  }
  example::write_image(path("image_filter"), contact_sheet(pictures));
  std::printf("\nall together\n");
  example::report_picture(path("image_filter"));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  settings.filters = {"blur", "sharpen", "sobel"};
  CLI::App app("Blurs and sharpens pictures and finds their edges. Without one it makes its own.", "image_filter");
  app.add_option("input", settings.input, "Picture to filter (PNG, PGM, PPM)")->check(CLI::ExistingFile);
  app.add_flag("--sample", settings.sample, "Only write the sample picture")->excludes("input");
  app.add_option("--width", settings.width, "Width of the sample")->check(CLI::Range(16, 16384))->capture_default_str();
  app.add_option("--height", settings.height, "Height of the sample")
      ->check(CLI::Range(16, 16384))
      ->capture_default_str();
  app.add_option("-f,--filter", settings.filters, "Filters, one after another on the original")
      ->check(CLI::IsMember({"blur", "sharpen", "sobel", "laplace"}))
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("-r,--radius", settings.radius, "Radius of blur and sharpen in pixels")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
  app.add_option("--strength", settings.strength, "How much to sharpen")
      ->check(example::between(0.0, 100.0))
      ->capture_default_str();
  app.add_option("--repeat", settings.repeat, "Sweeps to time")->check(CLI::Range(1, 100000))->capture_default_str();
  example::add_options(app, settings);
  return example::run(app, argc, argv, [&] { filter(settings); });
}
