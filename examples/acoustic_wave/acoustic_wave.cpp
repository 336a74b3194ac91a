// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A shot at sea: sound in water, folded and faulted layers and a body of salt, in three dimensions.
//
// The wave equation in second order in time and eighth in space: a stencil as code over the newest two states and the
// velocity. KS::iterate makes its sweeps: each writes the next state in the place of the older one, and the two change
// places. Around the model lies a sponge that swallows what leaves it. Ghost values beyond stay zero.

#include "Example.hpp"

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
using Space  = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;  // (z, y, x), z downwards
using Line   = Kokkos::View<float*, Exec>;

namespace {

constexpr double pi      = 3.14159265358979323846;
constexpr double slowest = 1500.0, fastest = 4500.0;  // m/s
constexpr int radius              = 4;
constexpr int sponge              = 16;  // points
constexpr int margin              = sponge + radius;
constexpr std::int64_t most_steps = 1000000;
constexpr std::int64_t listening  = 4;  // steps from one line of the record to the next

struct Settings : example::Options {
  int nx           = 160;
  int ny           = 80;
  int nz           = 110;
  double spacing   = 10.0;  // m
  double frequency = 15.0;  // Hz
  double duration  = 0.0;   // s; 0: until the wave has come back from the bottom
};

/// Velocity at a point of the model, all coordinates from 0 to 1.
double velocity(double x, double y, double z) {
  double const dome_x = (x - 0.68) / 0.19, dome_y = (y - 0.5) / 0.42;
  double const dome  = 0.62 - 0.30 * std::exp(-dome_x * dome_x - dome_y * dome_y) + 0.12 * std::pow(dome_x, 2);
  double const fault = x > 0.30 + 0.22 * z ? 0.0 : 0.075;
  double const fold  = 0.022 * std::sin(2.0 * pi * (1.3 * x + 0.4 * y)) + 0.06 * (x - 0.5) - 0.03 * std::cos(3.0 * y);
  double const drag  = 0.09 * std::exp(-dome_x * dome_x - dome_y * dome_y);
  double const sea   = 0.16 + 0.012 * std::sin(9.0 * x) + 0.01 * std::sin(7.0 * y);
  if (z < sea) return slowest;
  if (z > dome && z < 0.93) return fastest;
  double const depth = z + fold + fault + drag * z;
  if (depth < 0.30) return 1800.0;
  if (depth < 0.43) return 2150.0;
  if (depth < 0.50) return 2700.0;
  if (depth < 0.66) return 2400.0;
  if (depth < 0.80) return 3000.0;
  return 3600.0;
}

/// (velocity dt / spacing)^2 on the grid, the edges of the model continued outwards.
void fill_model(Space const& model, Settings const& settings, double dt) {
  auto const host = Kokkos::create_mirror_view(model);
  auto const part = [](std::size_t i, int n) {
    return std::clamp((static_cast<double>(i) - margin) / (n - 1), 0.0, 1.0);
  };
  for (std::size_t k = 0; k < model.extent(0); ++k) {
    for (std::size_t j = 0; j < model.extent(1); ++j) {
      for (std::size_t i = 0; i < model.extent(2); ++i) {
        double const c = velocity(part(i, settings.nx), part(j, settings.ny), part(k, settings.nz));
        host(k, j, i)  = static_cast<float>(std::pow(c * dt / settings.spacing, 2));
      }
    }
  }
  Kokkos::deep_copy(model, host);
}

/// How strongly the sponge damps along one axis: nothing inside, a square law outside.
Line make_sponge(int points) {
  Line line("sponge", static_cast<std::size_t>(points));
  auto const host = Kokkos::create_mirror_view(line);
  for (int i = 0; i < points; ++i) {
    double const depth                = std::max({0, margin - i, i - (points - 1 - margin)}) / double(margin);
    host(static_cast<std::size_t>(i)) = static_cast<float>(0.13 * depth * depth);
  }
  Kokkos::deep_copy(line, host);
  return line;
}

struct Sponge {
  Line z, y, x;
};

/// Time steps: next = 2 u - before + model * Laplacian(u), damped in the sponge. Afterwards u names the newest state.
void propagate(KS::StencilPolicy<Exec, 3> const& policy, Sponge const& edges, std::int64_t steps, Space& u,
               Space& before, Space const& model) {
  using Window   = KS::Neighborhood<Space>;
  float const c0 = -205.0f / 72.0f, c1 = 8.0f / 5.0f, c2 = -1.0f / 5.0f, c3 = 8.0f / 315.0f, c4 = -1.0f / 560.0f;
  Line const dz = edges.z, dy = edges.y, dx = edges.x;
  KS::iterate(
      "acoustic_wave", policy,
      KOKKOS_LAMBDA(Window const& n, Window const& old, Window const& m) {
        float const here    = n(0, 0, 0);
        float const laplace = 3.0f * c0 * here +
                              c1 * (n(-1, 0, 0) + n(1, 0, 0) + n(0, -1, 0) + n(0, 1, 0) + n(0, 0, -1) + n(0, 0, 1)) +
                              c2 * (n(-2, 0, 0) + n(2, 0, 0) + n(0, -2, 0) + n(0, 2, 0) + n(0, 0, -2) + n(0, 0, 2)) +
                              c3 * (n(-3, 0, 0) + n(3, 0, 0) + n(0, -3, 0) + n(0, 3, 0) + n(0, 0, -3) + n(0, 0, 3)) +
                              c4 * (n(-4, 0, 0) + n(4, 0, 0) + n(0, -4, 0) + n(0, 4, 0) + n(0, 0, -4) + n(0, 0, 4));
        float const damp = dz(n.index(0)) + dy(n.index(1)) + dx(n.index(2));
        return (2.0f * here - (1.0f - damp) * old(0, 0, 0) + m(0, 0, 0) * laplace) / (1.0f + damp);
      },
      steps, KS::levels<radius>(u, before), KS::constants(KS::reach<0>(model)));
}

void shoot(Space const& u, Space const& model, int z, int y, int x, float amplitude) {
  Kokkos::parallel_for(
      "source", Kokkos::RangePolicy<Exec>(0, 1), KOKKOS_LAMBDA(int) { u(z, y, x) += amplitude * model(z, y, x); });
}

/// Ricker's wavelet, with its peak a period and a half after the start.
double ricker(double t, double frequency) {
  double const a = std::pow(pi * frequency * (t - 1.5 / frequency), 2);
  return (1.0 - 2.0 * a) * std::exp(-a);
}

/// A part of a field, [x0, x0 + w) by [y0, y0 + h).
example::Field crop(example::Field const& field, int x0, int y0, int w, int h) {
  example::Field part(w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) part.at(x, y) = field.at(x0 + x, y0 + y);
  return part;
}

/// The magnitude that a share of the values stays below.
double quantile(example::Field const& field, double share) {
  std::vector<double> sorted;
  for (double v : field.values) sorted.push_back(std::abs(v));
  auto const at = sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), at, sorted.end());
  return std::max(*at, 1e-30);
}

constexpr example::Color paper{250, 250, 248}, ink{38, 38, 44};

/// The wave, blue and red, over the velocity.
example::Image wave_image(int width, int height, example::Field const& wave, example::Field const& speed) {
  double const loud = 0.75 * quantile(wave, 0.995);
  example::Scale const ground{example::ColorMap::earth(), slowest, fastest};
  example::Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double const h = (x + 0.5) / width, v = (y + 0.5) / height;
      double const a = wave.sample(h, v) / loud;
      image.at(x, y) =
          example::mix(ground(speed.sample(h, v)), example::ColorMap::blue_red()(0.5 + 0.5 * std::tanh(1.2 * a)),
                       std::min(0.93, std::sqrt(std::abs(a))) * (std::abs(a) > 0.02 ? 1.0 : std::abs(a) / 0.02));
    }
  }
  return image;
}

/// What a line of hydrophones recorded, time downwards; late, faint echoes amplified.
example::Image gather_image(int width, int height, example::Field gather) {
  for (int t = 0; t < gather.height; ++t)
    for (int x = 0; x < gather.width; ++x) gather.at(x, t) *= std::pow((t + 1.0) / gather.height, 2.2);
  double const loud = 1.3 * quantile(gather, 0.985);
  return example::field_image(width, height, gather, {example::ColorMap::blue_red(), -loud, loud});
}

class Sheet {
 public:
  explicit Sheet(Settings const& s)
      // As wide as that, unless it gets too high.
      : m_scale(std::clamp(560.0 / s.nx, 0.05, std::max(0.05, 1200.0 / std::max(s.ny, s.nz)))),
        m_width(std::max(static_cast<int>(s.nx * m_scale), 40)),
        m_upper(std::max(static_cast<int>(s.nz * m_scale), 40)),
        m_lower(std::max(static_cast<int>(s.ny * m_scale), 280)),
        m_ny(std::max(static_cast<int>(s.ny * m_scale), 20)),
        m_canvas(2 * m_width + 170, m_upper + m_lower + 88, paper) {
    example::draw_color_bar(m_canvas, {2 * m_width + 68, 62, 22, std::max(m_upper - 26, 20)},
                            {example::ColorMap::earth(), slowest, fastest}, 6, "m/s", ink);
  }

  void upper(int column, example::Field const& wave, example::Field const& speed, std::string const& caption) {
    panel(column, 36, wave_image(m_width, m_upper, wave, speed), caption);
  }
  void map(example::Field const& wave, example::Field const& speed, std::string const& caption) {
    panel(0, 36 + m_upper + 40, wave_image(m_width, m_ny, wave, speed), caption);
  }
  void gather(example::Field const& record, double duration, std::string const& caption) {
    int const top     = 36 + m_upper + 40;
    int const x       = panel(1, top, gather_image(m_width, m_lower, record), caption) + m_width;
    double const tick = example::tick_distance(duration, 10);
    for (int k = 1; k * tick < duration; ++k) {
      int const y = top + static_cast<int>(k * tick / duration * m_lower);
      m_canvas.fill({x, y, 5, 1}, ink);
      char label[32];
      std::snprintf(label, sizeof(label), "%.4g s", k * tick);
      m_canvas.text(x + 9, y - 8, label, ink);
    }
  }
  void save(std::string const& path) const { example::write_image(path, m_canvas.image()); }

 private:
  /// Puts a picture with its caption into a column. Returns its left edge.
  int panel(int column, int top, example::Image const& picture, std::string const& caption) {
    int const x = 20 + column * (m_width + 24);
    m_canvas.text(x, top - 22, caption, ink, example::Align::left, true);
    m_canvas.paste(x, top, picture);
    m_canvas.frame({x, top, picture.width, picture.height}, ink);
    return x;
  }

  double m_scale;
  int m_width, m_upper, m_lower, m_ny;
  example::Canvas m_canvas;
};

std::string milliseconds(double t) { return std::to_string(std::lround(1000 * t)) + " ms"; }

void simulate(Settings const& settings) {
  example::prepare_folder(settings.output);
  int const mx = settings.nx + 2 * margin, my = settings.ny + 2 * margin, mz = settings.nz + 2 * margin;
  // Stable up to 0.45 for this Laplacian.
  double const dt       = 0.42 * settings.spacing / fastest;
  double const duration = settings.duration > 0.0 ? settings.duration : 1.0 * settings.nz * settings.spacing / 1900.0;
  auto const steps      = static_cast<std::int64_t>(std::ceil(duration / dt));
  if (steps > most_steps) {
    throw std::runtime_error(std::to_string(steps) + " time steps of " + std::to_string(1e6 * dt) +
                             " us are more than " + std::to_string(most_steps) + "; give a shorter --duration");
  }

  auto const allocate = [&](std::string const& name) { return Space(name, mz, my, mx); };
  Space u = allocate("u"), before = allocate("u before"), model = allocate("model");
  fill_model(model, settings, dt);
  Sponge const edges{make_sponge(mz), make_sponge(my), make_sponge(mx)};
  // One line of the survey, through the shot.
  int const source_x = margin + settings.nx * 2 / 5, middle_y = margin + settings.ny / 2;
  int const source_z = margin + settings.nz / 20, phones_z = margin + settings.nz / 40;
  // Hydrophones listen at some of the steps, all of which the source needs while it sounds.
  std::int64_t const samples = (steps + listening - 1) / listening;
  Kokkos::View<float**, Kokkos::LayoutRight, Exec> record("record", static_cast<std::size_t>(samples), mx);

  auto const policy  = KS::StencilPolicy<Exec, 3>().backend(settings.backend);
  auto const upright = [&](Space const& view) {
    auto const slice = Kokkos::subview(view, Kokkos::ALL, middle_y, Kokkos::ALL);
    return crop(example::to_field(slice), margin, margin, settings.nx, settings.nz);
  };
  int const map_z = margin + settings.nz * 2 / 5;
  auto const flat = [&](Space const& view) {
    auto const slice = Kokkos::subview(view, map_z, Kokkos::ALL, Kokkos::ALL);
    return crop(example::to_field(slice), margin, margin, settings.nx, settings.ny);
  };
  auto const to_speed = [&](example::Field field) {
    for (double& v : field.values) v = std::sqrt(v) * settings.spacing / dt;
    return field;
  };
  example::Field const upright_speed = to_speed(upright(model)), flat_speed = to_speed(flat(model));
  Sheet sheet(settings);
  std::int64_t const first = steps * 45 / 100, second = steps * 70 / 100;

  example::Stopwatch watch;
  {
    example::Progress progress("acoustic wave", steps);
    watch.start();
    for (std::int64_t n = 0; n < steps;) {
      double const t   = static_cast<double>(n) * dt;
      bool const sound = t * settings.frequency < 4.0;
      std::int64_t end = sound ? n + 1 : std::min(n + listening - n % listening, steps);
      for (std::int64_t const look : {first + 1, second + 1}) end = n < look ? std::min(end, look) : end;
      propagate(policy, edges, end - n, u, before, model);
      if (sound) {
        shoot(u, model, source_z, middle_y, source_x, static_cast<float>(ricker(t, settings.frequency)));
      }
      n = end;
      if (n % listening == 0 || n == steps) {
        Kokkos::deep_copy(policy.space(), Kokkos::subview(record, (n - 1) / listening, Kokkos::ALL),
                          Kokkos::subview(u, phones_z, middle_y, Kokkos::ALL));
      }
      if (n == first + 1 || n == second + 1 || n % 20 == 0) {
        watch.stop();
        progress.update(n);
        std::string const when = milliseconds(static_cast<double>(n - 1) * dt);
        if (n == first + 1) sheet.upper(0, upright(u), upright_speed, "along the line, " + when);
        if (n == second + 1) {
          sheet.upper(1, upright(u), upright_speed, "along the line, " + when);
          sheet.map(flat(u), flat_speed,
                    std::to_string(std::lround((map_z - margin) * settings.spacing)) + " m deep, " + when);
        }
        watch.start();
      }
    }
    watch.stop();
  }
  sheet.gather(crop(example::to_field(record), margin, 0, settings.nx, static_cast<int>(samples)), duration,
               "recorded along the line");
  std::string const path = example::in_folder(settings.output, "acoustic_wave.png");
  sheet.save(path);

  std::printf("%.3g km x %.3g km x %.3g km, %.3g s after the shot\n", settings.nx * settings.spacing / 1000,
              settings.ny * settings.spacing / 1000, settings.nz * settings.spacing / 1000, duration);
  example::Work work;
  work.backend = KS::last_backend();
  work.points  = std::int64_t(mx - 2 * radius) * (my - 2 * radius) * (mz - 2 * radius);
  work.sweeps  = steps;
  work.seconds = watch.seconds();
  work.bytes   = 4 * sizeof(float);
  example::report(policy.space(), work);
  example::report_picture(path);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("A shot at sea: sound waves in layered ground, in three dimensions.", "acoustic_wave");
  auto const size = CLI::Range(16, 4096);
  app.add_option("--nx", settings.nx, "Points along the line of hydrophones")->check(size)->capture_default_str();
  app.add_option("--ny", settings.ny, "Points across the line")->check(size)->capture_default_str();
  app.add_option("--nz", settings.nz, "Points downwards")->check(size)->capture_default_str();
  app.add_option("--spacing", settings.spacing, "Between two points, in m")
      ->check(example::between(0.01, 1000.0))
      ->capture_default_str();
  app.add_option("--frequency", settings.frequency, "Peak of the source's spectrum, in Hz")
      ->check(example::between(0.01, 1e5))
      ->capture_default_str();
  app.add_option("--duration", settings.duration, "In s (default: the way to the bottom and back)")
      ->check(example::between(1e-6, 1000.0));
  example::add_options(app, settings);
  return example::run(app, argc, argv, [&] { simulate(settings); });
}
