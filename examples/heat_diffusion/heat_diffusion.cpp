// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Heat conduction in a copper plate, 240 mm wide, until nothing changes any more.
//
// The plate was stamped with a glowing coil (or with any picture: bright is hot), and its rim is held at
// fixed temperatures: 20 °C, and hot where two heaters touch it. The outermost points of the View are
// this rim: ghost values, which the boundary rule "halo" reads and never writes.

#include "Example.hpp"

#include <KokkosStencil.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;
using Plate  = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;  // (y, x), in °C

namespace {

constexpr double pi          = 3.14159265358979323846;
constexpr double plate_width = 0.240;       // m
constexpr double diffusivity = 1.11e-4;     // of copper, m^2/s
constexpr double step_number = 0.2;         // diffusivity * dt / dx^2; stable up to 0.25
constexpr double room = 20.0, hot = 600.0;  // °C

struct Settings : example::Options {
  int nx                   = 384;
  int ny                   = 256;
  std::int64_t max_steps   = 1000000;
  std::int64_t check_every = 500;
  double tolerance         = 2e-5;
  std::string input;
};

/// Heaters: a long one at the right of the lower edge, a hotter one at the left edge.
double rim_temperature(double x, double y) {
  auto const bump = [](double t, double from, double to) {
    return 0.5 * (std::tanh((t - from) / 0.015) - std::tanh((t - to) / 0.015));
  };
  if (y > 0.999) return room + 380.0 * bump(x, 0.45, 0.85);
  if (x < 0.001) return room + 580.0 * bump(y, 0.25, 0.50);
  return room;
}

/// A coil of three and a half turns, glowing brightest at its centre.
double coil_temperature(double x, double y, double aspect) {
  double const dx = (x - 0.56) * aspect, dy = y - 0.46;
  double const r       = std::hypot(dx, dy);
  double const pitch   = 0.095;
  double const turns   = r / pitch - std::atan2(dy, dx) / (2.0 * pi);
  double const offset  = std::abs(turns - std::round(turns)) * pitch;
  double const in_coil = 1.0 / (1.0 + std::exp((offset - 0.020) / 0.002));
  double const in_disc = 1.0 / (1.0 + std::exp((r - 0.33) / 0.004));
  return room + (hot - room) * (1.0 - 0.6 * r / 0.36) * in_coil * in_disc;
}

void fill_plate(Plate const& plate, Settings const& settings) {
  example::Field stamp;
  if (!settings.input.empty()) {
    example::Image const image = example::read_image(settings.input);
    stamp                      = example::Field(image.width, image.height);
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        example::Color const c = image.at(x, y);
        stamp.at(x, y)         = room + (hot - room) * (0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b) / 255.0;
      }
    }
  }

  auto const host     = Kokkos::create_mirror_view(plate);
  double const aspect = static_cast<double>(settings.nx) / settings.ny;
  for (int j = 0; j < settings.ny; ++j) {
    for (int i = 0; i < settings.nx; ++i) {
      double const x = i / (settings.nx - 1.0), y = j / (settings.ny - 1.0);
      bool const rim = i == 0 || j == 0 || i == settings.nx - 1 || j == settings.ny - 1;
      host(j, i)     = rim ? rim_temperature(x, y) : stamp.width ? stamp.sample(x, y) : coil_temperature(x, y, aspect);
    }
  }
  Kokkos::deep_copy(plate, host);
}

std::string seconds_text(std::int64_t steps, double dt) {
  char words[32];
  std::snprintf(words, sizeof(words), "%.2g s", static_cast<double>(steps) * dt);
  return words;
}

/// Three states beside the convergence of the iteration.
class Sheet {
 public:
  explicit Sheet(Settings const& settings)
      : m_canvas(2 * width + 190, 2 * (height + 52) + 10, paper), m_panel{0, 0, width, height} {
    // The plate keeps its proportions inside its panel.
    double const aspect = static_cast<double>(settings.nx) / settings.ny;
    m_panel.width       = std::clamp(static_cast<int>(height * aspect), 1, width);
    m_panel.height      = std::clamp(static_cast<int>(width / aspect), 1, height);
  }

  void add_state(Plate const& plate, std::string const& caption, bool lines = false) {
    example::Field const field = example::to_field(plate);
    int const column = m_states % 2, row = m_states / 2;
    example::Box box = m_panel;
    box.x            = 30 + column * (width + 30);
    box.y            = 36 + row * (height + 52);
    ++m_states;
    example::Image picture = example::field_image(box.width, box.height, field, scale());
    if (lines) example::add_contours(picture, field, 50.0, {255, 255, 255}, 0.45);
    m_canvas.paste(box.x, box.y, picture);
    m_canvas.text(box.x, box.y - 22, caption, ink, example::Align::left, true);
  }

  void save(std::string const& path, example::LogLogPlot const& plot) {
    example::draw_plot(m_canvas, {30 + width + 30, 36 + height + 36, width, height + 20}, plot, ink, paper,
                       {226, 88, 34});
    example::draw_color_bar(m_canvas, {60 + 2 * width + 28, 60, 22, height - 24}, scale(), 6, "°C", ink);
    example::write_image(path, m_canvas.image());
  }

 private:
  static constexpr int width = 480, height = 320;
  static constexpr example::Color paper{250, 250, 248}, ink{38, 38, 44};

  static example::Scale scale() { return {example::ColorMap::inferno(), 0.0, hot}; }

  example::Canvas m_canvas;
  example::Box m_panel;
  int m_states = 0;
};

void simulate(Settings const& settings) {
  example::prepare_folder(settings.output);
  Plate u("temperature", settings.ny, settings.nx);
  Plate tmp("temperature of the other step", settings.ny, settings.nx);
  fill_plate(u, settings);

  auto const heat   = KS::star<2>(1, {1.0 - 4.0 * step_number, step_number});
  auto const policy = KS::StencilPolicy<Exec, 2>().backend(settings.backend);
  double const dx   = plate_width / (settings.nx - 1);
  double const dt   = step_number * dx * dx / diffusivity;

  Sheet sheet(settings);
  sheet.add_state(u, "stamped, t = 0");
  std::int64_t const early = std::llround(0.06 / dt);

  example::LogLogPlot plot;
  example::Stopwatch watch;
  std::string backend = "none";
  KS::UntilResult state;
  std::int64_t steps = 0;
  bool early_drawn   = false;
  {
    example::Progress progress("heat diffusion", 1000);
    while (!state.converged && steps < settings.max_steps) {
      // Short stretches at first, so that the plot also shows the beginning; iterate_until stops by itself
      // when the change of a step falls below the tolerance.
      std::int64_t stretch =
          std::min({settings.check_every, std::max<std::int64_t>(steps, 1), settings.max_steps - steps});
      if (!early_drawn && steps < early) stretch = std::min(stretch, early - steps);
      watch.start();
      state =
          KS::iterate_until("heat", policy, heat, KS::StoppingCriterion{settings.tolerance, stretch, stretch}, u, tmp);
      watch.stop();
      backend = KS::last_backend();
      steps += state.steps;
      plot.x.push_back(static_cast<double>(steps));
      plot.y.push_back(state.update_norm);
      if (!early_drawn && steps >= early) {
        sheet.add_state(u, "t = " + seconds_text(steps, dt));
        early_drawn = true;
      }
      // The change falls exponentially in the end: its logarithm is a fair measure of what is done.
      double const change = std::max(state.update_norm, settings.tolerance);
      double const whole  = std::log(plot.y.front() / settings.tolerance);
      progress.update(whole > 0.0 ? std::llround(1000 * std::log(plot.y.front() / change) / whole) : 1000);
    }
  }
  sheet.add_state(u, (state.converged ? "steady, t = " : "not steady yet, t = ") + seconds_text(steps, dt), true);

  plot.title             = "convergence";
  plot.x_label           = "time steps";
  plot.y_label           = "largest change of a step in K";
  plot.level             = settings.tolerance;
  plot.level_label       = "tolerance";
  std::string const path = example::in_folder(settings.output, "heat_diffusion.png");
  sheet.save(path, plot);

  std::printf("%s after %lld steps (%s of heating), the last of which changed %.3g K\n",
              state.converged ? "steady" : "not steady", static_cast<long long>(steps), seconds_text(steps, dt).c_str(),
              state.update_norm);
  example::Work work;
  work.backend = backend;
  work.points  = static_cast<std::int64_t>(settings.nx - 2) * (settings.ny - 2);
  work.sweeps  = steps;
  work.seconds = watch.seconds();
  work.bytes   = 2 * sizeof(double);
  example::report(policy.space(), work);
  example::report_picture(path);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Heat conduction in a plate, iterated until it is steady.", "heat_diffusion");
  app.add_option("--nx", settings.nx, "Points along the plate")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--ny", settings.ny, "Points across the plate")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--steps", settings.max_steps, "Time steps at most")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1000000000)))
      ->capture_default_str();
  app.add_option("--tolerance", settings.tolerance, "Steady once a step changes no point by more, in K")
      ->check(example::between(1e-15, 1000.0))
      ->capture_default_str();
  app.add_option("--check-every", settings.check_every, "Steps between two looks at the change")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1000000000)))
      ->capture_default_str();
  app.add_option("--input", settings.input, "Picture (PNG, PGM, PPM) whose brightness is the first temperature")
      ->check(CLI::ExistingFile);
  example::add_options(app, settings);
  return example::run(app, argc, argv, [&] { simulate(settings); });
}
