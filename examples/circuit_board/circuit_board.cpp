// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Heat in a circuit board, 160 mm wide: chips heat it, the air cools it, its rim is clamped to cold rails. Copper
// conducts fifty times as well as the board between it, so that coefficients vary from point to point. The steady state
// is the solution of a linear system, found by conjugate gradients with a diagonal preconditioner: the product with the
// matrix is a stencil as code whose dot product comes out of the same pass over memory.
//
// The copper is drawn by the program, or is any picture: bright conducts well. The outermost points of the Views are
// the rim: ghost values, which the boundary rule "halo" reads and never writes.

#include "Example.hpp"

#include <KokkosStencil.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;
using Plane  = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;  // (y, x)
using Window = KS::Neighborhood<Plane>;
using Policy = KS::StencilPolicy<Exec, 2>;

namespace {

constexpr double pi          = 3.14159265358979323846;
constexpr double board_width = 160.0, board_height = 100.0;  // mm
constexpr double thickness = 1.6e-3;                         // m
constexpr double epoxy = 0.35, copper = 18.0;                // W / (m K), in the mean over the thickness
constexpr double cooling = 14.0;                             // W / (m^2 K), of one side
constexpr double room    = 25.0;                             // °C

struct Settings : example::Options {
  int nx                 = 512;
  int ny                 = 320;
  std::int64_t max_steps = 100000;
  double tolerance       = 1e-8;
  std::string input;
  bool verify = false;
};

/// - div(k grad u) + loss u = source, times the square of the grid's spacing. Conductivities are those between two
/// points: west(j, i) between i - 1 and i, north(j, i) between j - 1 and j.
struct System {
  Plane west, north, source, inverse_diagonal;
  double loss;
};

// A point's row of the matrix times a field.
KOKKOS_INLINE_FUNCTION double diagonal(Window const& west, Window const& north, double loss) {
  return west(0, 0) + west(0, 1) + north(0, 0) + north(1, 0) + loss;
}
KOKKOS_INLINE_FUNCTION double row_times(Window const& u, Window const& west, Window const& north, double loss) {
  return diagonal(west, north, loss) * u(0, 0) - west(0, 0) * u(0, -1) - west(0, 1) * u(0, 1) - north(0, 0) * u(-1, 0) -
         north(1, 0) * u(1, 0);
}

void find_diagonal(Policy const& policy, System const& a) {
  double const loss = a.loss;
  KS::parallel_for(
      "circuit_board: diagonal", policy,
      KOKKOS_LAMBDA(Window const& west, Window const& north) { return 1.0 / diagonal(west, north, loss); },
      KS::fields(KS::reach<0, 1>(a.west), KS::reach<1, 0>(a.north)), a.inverse_diagonal);
}

struct Dots {
  double rz = 0.0;  ///< of the residual and the preconditioned one
  double rr = 0.0;  ///< of the residual with itself
};

/// r = source - A u.
Dots find_residual(Policy const& policy, System const& a, Plane const& u, Plane const& r) {
  double const loss = a.loss;
  Dots dots;
  KS::parallel_reduce(
      "circuit_board: r = b - A u", policy,
      KOKKOS_LAMBDA(Window const& n, Window const& west, Window const& north, Window const& b, Window const& m,
                    double& out, double& rz, double& rr) {
        out = b(0, 0) - row_times(n, west, north, loss);
        rz += m(0, 0) * out * out;
        rr += out * out;
      },
      KS::fields(KS::reach<1>(u), KS::reach<0, 1>(a.west), KS::reach<1, 0>(a.north), a.source, a.inverse_diagonal), r,
      Kokkos::Sum<double>(dots.rz), Kokkos::Sum<double>(dots.rr));
  return dots;
}

/// w = A p and the dot product of p and w, in one pass.
double multiply(Policy const& policy, System const& a, Plane const& p, Plane const& w) {
  double const loss = a.loss;
  double pw         = 0.0;
  KS::parallel_reduce(
      "circuit_board: w = A p", policy,
      KOKKOS_LAMBDA(Window const& n, Window const& west, Window const& north, double& out, double& dot) {
        out = row_times(n, west, north, loss);
        dot += n(0, 0) * out;
      },
      KS::fields(KS::reach<1>(p), KS::reach<0, 1>(a.west), KS::reach<1, 0>(a.north)), w, Kokkos::Sum<double>(pw));
  return pw;
}

/// u += alpha p and r -= alpha w, with the dot products of the new residual.
Dots advance(Policy const& policy, System const& a, double alpha, Plane const& p, Plane const& w, Plane const& u,
             Plane const& r) {
  Dots dots;
  KS::parallel_reduce(
      "circuit_board: advance", policy,
      KOKKOS_LAMBDA(Window const& direction, Window const& product, Window const& m, double& x, double& rest,
                    double& rz, double& rr) {
        x += alpha * direction(0, 0);
        rest -= alpha * product(0, 0);
        rz += m(0, 0) * rest * rest;
        rr += rest * rest;
      },
      KS::fields(KS::reach<0>(p), w, a.inverse_diagonal), KS::fields(u, r), Kokkos::Sum<double>(dots.rz),
      Kokkos::Sum<double>(dots.rr));
  return dots;
}

/// p = M r + beta p.
void turn(Policy const& policy, System const& a, double beta, Plane const& r, Plane const& p) {
  KS::parallel_for(
      "circuit_board: turn", policy,
      KOKKOS_LAMBDA(Window const& rest, Window const& m, double& direction) {
        direction = m(0, 0) * rest(0, 0) + beta * direction;
      },
      KS::fields(KS::reach<0>(r), a.inverse_diagonal), p);
}

struct Solution {
  bool converged = false;
  std::int64_t steps{};
  double residual = 1.0;  ///< of the start's
  double start    = 0.0;  ///< the norm of the start's residual
  double seconds  = 0.0;
  std::string backend;  ///< of w = A p
};

/// Conjugate gradients from u on; its rim stays. After each step `tell` gets its number and the residual.
Solution solve(Policy const& policy, System const& a, Plane const& u, double tolerance, std::int64_t max_steps,
               std::function<void(std::int64_t, double)> const& tell) {
  auto const like = [&](std::string const& name) { return Plane(name, u.extent(0), u.extent(1)); };
  Plane const r = like("residual"), p = like("direction"), w = like("product");  // all zero on the rim
  example::Stopwatch watch;
  Solution s;
  find_diagonal(policy, a);
  Dots dots = find_residual(policy, a, u, r);
  s.start   = std::sqrt(dots.rr);
  s.backend = KS::last_backend();
  if (s.start == 0.0) s.residual = 0.0;
  s.converged = s.start == 0.0;
  watch.start();
  turn(policy, a, 0.0, r, p);
  while (!s.converged && s.steps < max_steps) {
    double const pw = multiply(policy, a, p, w);
    s.backend       = KS::last_backend();
    if (!(pw > 0.0)) throw std::runtime_error("the matrix is not positive definite, or numbers overflow");
    double const rz = dots.rz;
    dots            = advance(policy, a, rz / pw, p, w, u, r);
    s.residual      = std::sqrt(dots.rr) / s.start;
    s.converged     = s.residual <= tolerance;
    tell(++s.steps, s.residual);
    if (!s.converged) turn(policy, a, dots.rz / rz, r, p);
  }
  watch.stop();
  s.seconds = watch.seconds();
  return s;
}

/// What the solution leaves over, relative to that of the start: by plain loops on the host, from the fields alone.
double residual_by_loops(System const& a, Plane const& u, double start) {
  auto const copy = [](Plane const& view) { return example::to_field(view); };
  auto const t = copy(u), west = copy(a.west), north = copy(a.north), source = copy(a.source);
  long double sum = 0.0L;
  for (int y = 1; y + 1 < t.height; ++y) {
    for (int x = 1; x + 1 < t.width; ++x) {
      double const here = t.at(x, y);
      double const flow = west.at(x, y) * (t.at(x - 1, y) - here) + west.at(x + 1, y) * (t.at(x + 1, y) - here) +
                          north.at(x, y) * (t.at(x, y - 1) - here) + north.at(x, y + 1) * (t.at(x, y + 1) - here);
      double const left = source.at(x, y) + flow - a.loss * here;
      sum += static_cast<long double>(left) * left;
    }
  }
  return start > 0.0 ? static_cast<double>(std::sqrt(sum)) / start : 0.0;
}

System make_system(int nx, int ny, double loss) {
  auto const allocate = [&](std::string const& name) { return Plane(name, ny, nx); };
  return {allocate("between columns"), allocate("between rows"), allocate("source"), allocate("inverse diagonal"),
          loss};
}

/// Fills a View with values by point.
template <class Value>
void fill(Plane const& view, Value const& value) {
  auto const host = Kokkos::create_mirror_view(view);
  for (std::size_t j = 0; j < view.extent(0); ++j) {
    for (std::size_t i = 0; i < view.extent(1); ++i) host(j, i) = value(static_cast<int>(i), static_cast<int>(j));
  }
  Kokkos::deep_copy(view, host);
}

// ---- The board ----

/// A part that gives off heat; places in mm.
struct Chip {
  char const* name;
  double x, y, width, height, watts;
  bool covers(double at_x, double at_y, double margin) const {
    return std::abs(at_x - x) < 0.5 * width + margin && std::abs(at_y - y) < 0.5 * height + margin;
  }
};
Chip const chips[] = {{"processor", 62.0, 46.0, 26.0, 26.0, 4.2},
                      {"memory", 106.0, 30.0, 14.0, 10.0, 0.7},
                      {"memory", 106.0, 46.0, 14.0, 10.0, 0.7},
                      {"memory", 106.0, 62.0, 14.0, 10.0, 0.7},
                      {"regulator", 26.0, 78.0, 10.0, 12.0, 0.9}};

/// A bus: parallel tracks along a line that bends; places in mm.
struct Bus {
  std::vector<example::Point> line;
  int tracks;
};
std::vector<Bus> const& buses() {
  static std::vector<Bus> const all = {
      {{{75.0, 36.0}, {86.0, 36.0}, {92.0, 30.0}, {99.0, 30.0}}, 5},
      {{{75.0, 46.0}, {99.0, 46.0}}, 6},
      {{{75.0, 56.0}, {86.0, 56.0}, {92.0, 62.0}, {99.0, 62.0}}, 5},
      {{{113.0, 46.0}, {132.0, 46.0}, {146.0, 60.0}, {146.0, 97.0}}, 4},
      {{{30.0, 73.0}, {46.0, 57.0}, {50.0, 57.0}}, 5},
      {{{62.0, 59.0}, {62.0, 78.0}, {76.0, 92.0}, {128.0, 92.0}}, 5},
      {{{49.0, 38.0}, {34.0, 38.0}, {20.0, 24.0}, {20.0, 4.0}}, 5},
      {{{62.0, 33.0}, {62.0, 20.0}, {74.0, 8.0}, {142.0, 8.0}}, 4},
  };
  return all;
}

double distance_to(example::Point const& a, example::Point const& b, double x, double y) {
  double const dx = b.x - a.x, dy = b.y - a.y;
  double const along = std::clamp(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(x - a.x - along * dx, y - a.y - along * dy);
}

/// How much of a place is copper, from 0 to 1; places in mm.
double copper_at(double x, double y) {
  // A plane of ground around the rim, with gaps, and a pad below each chip.
  double const to_rim = std::min({x, y, board_width - x, board_height - y});
  if (to_rim < 3.0) return 1.0;
  for (Chip const& chip : chips) {
    if (chip.covers(x, y, 0.0)) return 1.0;
  }
  for (Bus const& bus : buses()) {
    constexpr double pitch = 1.6, track = 0.9;
    double nearest = 1e9;
    for (std::size_t k = 0; k + 1 < bus.line.size(); ++k) {
      nearest = std::min(nearest, distance_to(bus.line[k], bus.line[k + 1], x, y));
    }
    // Tracks are lines of constant distance on both sides of the middle, the ends rounded.
    double const across = bus.tracks % 2 == 1 ? nearest : nearest + 0.5 * pitch;
    double const number = std::round(across / pitch);
    if (nearest < 0.5 * bus.tracks * pitch && std::abs(across - number * pitch) < 0.5 * track) return 1.0;
  }
  return 0.0;
}

/// Conductivity in W / (m K) at the points of the board.
example::Field conductivity(Settings const& settings) {
  example::Field share;
  if (!settings.input.empty()) {
    example::Image const image = example::read_image(settings.input);
    share                      = example::Field(image.width, image.height);
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        example::Color const c = image.at(x, y);
        share.at(x, y)         = (0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b) / 255.0;
      }
    }
  }
  example::Field field(settings.nx, settings.ny);
  for (int j = 0; j < settings.ny; ++j) {
    for (int i = 0; i < settings.nx; ++i) {
      double const x = i / (settings.nx - 1.0), y = j / (settings.ny - 1.0);
      double const part = share.width ? share.sample(x, y) : copper_at(x * board_width, y * board_height);
      field.at(i, j)    = epoxy * std::pow(copper / epoxy, part);
    }
  }
  return field;
}

/// The grid is as fine along y as along x. Where its sides are not as 16 to 10 the layout is stretched to it.
System make_board(Settings const& settings, example::Field const& k) {
  double const spacing = 1e-3 * board_width / (settings.nx - 1);  // m
  System const a       = make_system(settings.nx, settings.ny, 2.0 * cooling / thickness * spacing * spacing);
  // Between two points lie halves of both: as resistances in a row.
  auto const between = [](double p, double q) { return 2.0 * p * q / (p + q); };
  fill(a.west, [&](int i, int j) { return i > 0 ? between(k.at(i - 1, j), k.at(i, j)) : 0.0; });
  fill(a.north, [&](int i, int j) { return j > 0 ? between(k.at(i, j - 1), k.at(i, j)) : 0.0; });
  fill(a.source, [&](int i, int j) {
    double heat = 0.0;
    for (Chip const& chip : chips) {
      if (!chip.covers(i / (settings.nx - 1.0) * board_width, j / (settings.ny - 1.0) * board_height, 0.0)) continue;
      heat += chip.watts / (1e-6 * chip.width * chip.height * thickness);
    }
    return heat * spacing * spacing;
  });
  return a;
}

/// Copper and temperature one above the other, the convergence beside them.
void draw(std::string const& path, Settings const& settings, example::Field const& k, example::Field t,
          example::LogLogPlot const& plot) {
  constexpr int width = 480, height = 320;
  constexpr example::Color paper{250, 250, 248}, ink{38, 38, 44};
  example::Canvas canvas(2 * width + 190, 2 * (height + 52) + 10, paper);
  double const aspect = static_cast<double>(settings.nx) / settings.ny;
  int const w         = std::clamp(static_cast<int>(height * aspect), 1, width);
  int const h         = std::clamp(static_cast<int>(width / aspect), 1, height);
  auto const panel    = [&](int row, example::Image const& picture, char const* caption) {
    int const y = 36 + row * (height + 52);
    canvas.paste(30, y, picture);
    canvas.frame({30, y, w, h}, ink);
    canvas.text(30, y - 22, caption, ink, example::Align::left, true);
  };
  panel(0, example::field_image(w, h, k, {example::ColorMap::earth(), epoxy, copper}), "conductivity");
  for (double& v : t.values) v += room;
  double const hottest = std::max(*std::max_element(t.values.begin(), t.values.end()), room + 1.0);
  double const tick    = example::tick_distance(hottest - room, 8);
  example::Scale const scale{example::ColorMap::inferno(), room, hottest};
  example::Image picture = example::field_image(w, h, t, scale);
  example::add_contours(picture, t, tick, {255, 255, 255}, 0.45);
  panel(1, picture, "temperature");
  example::draw_plot(canvas, {30 + width + 100, 36, width - 20, 2 * height}, plot, ink, paper, {226, 88, 34});
  example::draw_color_bar(canvas, {30 + width + 14, 36 + height + 52 + 24, 18, height - 60}, scale, 5, "°C", ink);
  example::write_image(path, canvas.image());
}

void simulate(Settings const& settings) {
  example::prepare_folder(settings.output);
  example::Field const k = conductivity(settings);
  System const a         = make_board(settings, k);
  Plane const u("degrees above the room's", settings.ny, settings.nx);
  Policy const policy = Policy({1, 1}, {settings.ny - 1, settings.nx - 1}).backend(settings.backend);

  example::LogLogPlot plot;
  Solution s;
  {
    example::Progress progress("circuit board", 1000);
    double const whole = std::log(settings.tolerance);
    s = solve(policy, a, u, settings.tolerance, settings.max_steps, [&](std::int64_t step, double residual) {
      plot.x.push_back(static_cast<double>(step));
      plot.y.push_back(residual);
      progress.update(std::clamp<std::int64_t>(std::llround(1000 * std::log(residual) / whole), 0, 1000));
    });
  }
  double const checked   = residual_by_loops(a, u, s.start);
  example::Field const t = example::to_field(u);
  auto const hottest     = std::max_element(t.values.begin(), t.values.end());
  plot.title             = "convergence";
  plot.x_label           = "steps of conjugate gradients";
  plot.y_label           = "residual, relative to the first";
  plot.level             = settings.tolerance;
  plot.level_label       = "tolerance";
  std::string const path = example::in_folder(settings.output, "circuit_board.png");
  draw(path, settings, k, t, plot);

  std::printf("%s after %lld steps: residual %.3g of the first one, %.3g by plain loops; hottest point %.1f °C\n",
              s.converged ? "solved" : "not solved yet", static_cast<long long>(s.steps), s.residual, checked,
              room + *hottest);
  example::Work work;
  work.backend = s.backend;
  work.points  = std::int64_t(settings.nx - 2) * (settings.ny - 2);
  work.sweeps  = s.steps;
  work.seconds = s.seconds;
  work.bytes   = 15 * sizeof(double);  // 4 fields for w = A p, 7 to advance, 4 to turn
  example::report(policy.space(), work);
  example::report_picture(path);
  // What the steps say of the residual drifts from what it is, by roundings.
  if (s.converged && !(checked <= 2.0 * settings.tolerance + 1e-10)) {
    throw std::runtime_error("the residual by plain loops is larger than the tolerance");
  }
}

// ---- A problem whose solution is known ----

/// u, k and - div(k grad u) + loss u on the unit square.
struct Known {
  static constexpr double loss = 3.0;
  static double u(double x, double y) { return std::sin(pi * x) * std::sin(2.0 * pi * y) + x * x * y; }
  static double k(double x, double y) { return 1.0 + 0.8 * std::sin(3.0 * x + 2.0 * y); }
  static double source(double x, double y) {
    double const sx = std::sin(pi * x), cx = std::cos(pi * x), sy = std::sin(2.0 * pi * y), cy = std::cos(2.0 * pi * y);
    double const ux = pi * cx * sy + 2.0 * x * y, uy = 2.0 * pi * sx * cy + x * x;
    double const laplace = -5.0 * pi * pi * sx * sy + 2.0 * y;
    double const wave    = 0.8 * std::cos(3.0 * x + 2.0 * y);
    return -(3.0 * wave * ux + 2.0 * wave * uy + k(x, y) * laplace) + loss * u(x, y);
  }
};

/// The largest error with so many points along each axis.
double error_of(Settings const& settings, int n) {
  double const h = 1.0 / (n - 1);
  System const a = make_system(n, n, Known::loss * h * h);
  fill(a.west, [&](int i, int j) { return Known::k((i - 0.5) * h, j * h); });
  fill(a.north, [&](int i, int j) { return Known::k(i * h, (j - 0.5) * h); });
  fill(a.source, [&](int i, int j) { return h * h * Known::source(i * h, j * h); });
  Plane const u("u", n, n);
  fill(u, [&](int i, int j) {
    bool const rim = i == 0 || j == 0 || i == n - 1 || j == n - 1;
    return rim ? Known::u(i * h, j * h) : 0.0;
  });
  Policy const policy  = Policy({1, 1}, {n - 1, n - 1}).backend(settings.backend);
  Solution const s     = solve(policy, a, u, 1e-12, 100000, [](std::int64_t, double) {});
  double const checked = residual_by_loops(a, u, s.start);
  if (!s.converged || !(checked <= 1e-10)) throw std::runtime_error("the known problem was not solved");
  example::Field const t = example::to_field(u);
  double most            = 0.0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) most = std::max(most, std::abs(t.at(i, j) - Known::u(i * h, j * h)));
  }
  std::printf("%4d x %-4d  largest error %.3e, residual by plain loops %.1e, %lld steps\n", n, n, most, checked,
              static_cast<long long>(s.steps));
  return most;
}

/// Half the spacing must leave a quarter of the error.
void verify(Settings const& settings) {
  double const coarse = error_of(settings, 41), fine = error_of(settings, 81), finer = error_of(settings, 161);
  double const order = std::log2(fine / finer);
  std::printf("order %.3f, before that %.3f\n", order, std::log2(coarse / fine));
  if (!(std::abs(order - 2.0) < 0.1)) throw std::runtime_error("the order is not 2");
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Heat in a circuit board, its steady state by conjugate gradients.", "circuit_board");
  app.add_option("--nx", settings.nx, "Points along the board")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--ny", settings.ny, "Points across the board")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--steps", settings.max_steps, "Steps of conjugate gradients at most")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1000000000)))
      ->capture_default_str();
  app.add_option("--tolerance", settings.tolerance, "Solved once the residual is this part of the first")
      ->check(example::between(1e-14, 0.5))
      ->capture_default_str();
  app.add_option("--input", settings.input, "Picture (PNG, PGM, PPM) whose brightness is the conductivity")
      ->check(CLI::ExistingFile);
  app.add_flag("--verify", settings.verify, "Solve a problem whose solution is known instead, on three grids");
  example::add_options(app, settings);
  return example::run(app, argc, argv, [&] { settings.verify ? verify(settings) : simulate(settings); });
}
