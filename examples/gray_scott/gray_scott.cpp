// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The reaction and diffusion of two substances (Gray and Scott): u is fed everywhere, v eats u and
// multiplies, and v is drained. A stencil as code that sweeps two fields many times; feed and drain may
// vary over the dish.
//
// J. E. Pearson, Complex patterns in a simple system, Science 261 (1993).

#include "Example.hpp"

#include <KokkosStencil.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;
using Dish   = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;  // (y, x)

namespace {

struct Settings : example::Options {
  int nx              = 640;
  int ny              = 400;
  std::int64_t steps  = 9000;
  int frames          = 12;
  int seed            = 7;
  std::string pattern = "coral";
};

/// Feed and drain rates: at the bottom and the top, at the left and the right.
struct Rates {
  float feed_bottom, feed_top, drain_left, drain_right;
};

std::map<std::string, Rates> const patterns = {
    {"coral", {0.0545f, 0.0545f, 0.062f, 0.062f}},
    {"maze", {0.029f, 0.029f, 0.057f, 0.057f}},
    {"mitosis", {0.0367f, 0.0367f, 0.0649f, 0.0649f}},
    {"map", {0.010f, 0.090f, 0.045f, 0.070f}},
};

/// Nothing but u, with drops of v scattered over the dish.
void sow(Dish const& u, Dish const& v, Settings const& settings) {
  auto const hu = Kokkos::create_mirror_view(u);
  auto const hv = Kokkos::create_mirror_view(v);
  Kokkos::deep_copy(hu, 1.0f);
  Kokkos::deep_copy(hv, 0.0f);
  std::mt19937 random(static_cast<std::mt19937::result_type>(settings.seed));
  // No std::uniform_int_distribution: it differs between standard libraries.
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  // A map of all patterns needs drops everywhere, the patterns themselves grow from a few.
  int const area  = settings.pattern == "map" ? 400 : 1600;
  int const drops = std::max(1, static_cast<int>(std::int64_t(settings.nx) * settings.ny / area));
  for (int k = 0; k < drops; ++k) {
    int const cx = below(settings.nx), cy = below(settings.ny), r = 2 + below(5);
    for (int dy = -r; dy <= r; ++dy) {
      for (int dx = -r; dx <= r; ++dx) {
        if (dx * dx + dy * dy > r * r) continue;
        int const x = (cx + dx + settings.nx) % settings.nx, y = (cy + dy + settings.ny) % settings.ny;
        hu(y, x) = 0.5f;
        hv(y, x) = 0.25f;
      }
    }
  }
  Kokkos::deep_copy(u, hu);
  Kokkos::deep_copy(v, hv);
}

/// Time steps of length 1 on a grid of spacing 1; afterwards u and v name the newest state.
void react(KS::StencilPolicy<Exec, 2> const& policy, Rates const& rates, std::int64_t steps, Dish& u, Dish& next_u,
           Dish& v, Dish& next_v) {
  using Window      = KS::Neighborhood<Dish>;
  float const feed0 = rates.feed_top, drain0 = rates.drain_left;
  float const feed1  = (rates.feed_bottom - rates.feed_top) / static_cast<float>(u.extent(0));
  float const drain1 = (rates.drain_right - rates.drain_left) / static_cast<float>(u.extent(1));
  KS::iterate(
      "gray_scott", policy,
      KOKKOS_LAMBDA(Window const& a, Window const& b, float& a1, float& b1) {
        float const feed  = feed0 + feed1 * static_cast<float>(static_cast<int>(a.index(0)));
        float const drain = drain0 + drain1 * static_cast<float>(static_cast<int>(a.index(1)));
        float const p = a(0, 0), q = b(0, 0);
        float const spread_p =
            0.2f * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1)) + 0.05f * (a(-1, -1) + a(-1, 1) + a(1, -1) + a(1, 1)) - p;
        float const spread_q =
            0.2f * (b(-1, 0) + b(1, 0) + b(0, -1) + b(0, 1)) + 0.05f * (b(-1, -1) + b(-1, 1) + b(1, -1) + b(1, 1)) - q;
        float const reaction = p * q * q;
        a1                   = p + 1.0f * spread_p - reaction + feed * (1.0f - p);
        b1                   = q + 0.5f * spread_q + reaction - (feed + drain) * q;
      },
      steps, KS::state<1>(u, next_u), KS::state<1>(v, next_v));
}

/// v as a relief, lit from the upper left.
example::Image draw(Dish const& v) {
  example::Field const field = example::to_field(v);
  example::Image image(field.width, field.height);
  auto const wrapped = [&](int x, int y) {
    return field.at((x + field.width) % field.width, (y + field.height) % field.height);
  };
  for (int y = 0; y < field.height; ++y) {
    for (int x = 0; x < field.width; ++x) {
      double const slope     = (wrapped(x + 1, y) - wrapped(x - 1, y)) + (wrapped(x, y + 1) - wrapped(x, y - 1));
      example::Color const c = example::ColorMap::reef()(wrapped(x, y) / 0.36);
      image.at(x, y)         = slope > 0 ? example::mix(c, {255, 250, 235}, std::min(0.55, 2.2 * slope))
                                         : example::mix(c, {0, 8, 16}, std::min(0.55, -2.2 * slope));
    }
  }
  return image;
}

void simulate(Settings const& settings) {
  std::string const folder = example::in_folder(settings.output, "gray_scott_frames");
  example::prepare_folder(settings.output);
  if (settings.frames > 0) example::prepare_folder(folder);

  Dish u("u", settings.ny, settings.nx), v("v", settings.ny, settings.nx);
  Dish next_u("next u", settings.ny, settings.nx), next_v("next v", settings.ny, settings.nx);
  sow(u, v, settings);

  auto const policy = KS::StencilPolicy<Exec, 2>().backend(settings.backend).boundary(KS::Boundary<2>::periodic());
  Rates const rates = patterns.at(settings.pattern);
  std::int64_t const stretch = std::max<std::int64_t>(1, settings.steps / std::max(settings.frames, 20));
  int frame                  = 0;
  auto const save_frame      = [&](std::int64_t step) {
    if (step * settings.frames < settings.steps * frame || frame >= settings.frames) return;
    char name[32];
    std::snprintf(name, sizeof(name), "frame_%04d.png", frame++);
    example::write_image(example::in_folder(folder, name), draw(v));
  };

  example::Stopwatch watch;
  {
    example::Progress progress("Gray-Scott", settings.steps);
    for (std::int64_t step = 0; step < settings.steps;) {
      save_frame(step);
      std::int64_t const end = std::min(step + stretch, settings.steps);
      watch.start();
      react(policy, rates, end - step, u, next_u, v, next_v);
      step = end;
      watch.stop();
      progress.update(step);
    }
  }
  std::string const path = example::in_folder(settings.output, "gray_scott.png");
  example::write_image(path, draw(v));

  example::Work work;
  work.backend = KS::last_backend();
  work.points  = std::int64_t(settings.nx) * settings.ny;
  work.sweeps  = settings.steps;
  work.seconds = watch.seconds();
  work.bytes   = 4 * sizeof(float);
  example::report(policy.space(), work);
  example::report_picture(path);
  if (frame > 0) std::printf("frames    %d in %s\n", frame, folder.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Patterns of two substances that react and diffuse (Gray and Scott).", "gray_scott");
  app.add_option("--nx", settings.nx, "Points from left to right")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--ny", settings.ny, "Points from top to bottom")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--steps", settings.steps, "Time steps")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1000000000)))
      ->capture_default_str();
  app.add_option("--frames", settings.frames, "Pictures on the way")->check(CLI::Range(0, 9999))->capture_default_str();
  app.add_option("--pattern", settings.pattern, "Feed and drain rates; map varies both over the dish")
      ->check(CLI::IsMember({"coral", "maze", "mitosis", "map"}))
      ->capture_default_str();
  app.add_option("--seed", settings.seed, "Where the first drops fall")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  example::add_options(app, settings);
  return example::run(app, argc, argv, [&] { simulate(settings); });
}
