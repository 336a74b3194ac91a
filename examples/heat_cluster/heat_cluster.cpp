// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Heat conduction in a steel plate, 1.2 m wide, that many processes share:
//
//   mpirun -n 4 heat_cluster
//
// Two welding torches draw letters of heat into the cold plate before the start; its rim radiates nothing (mirror). The
// blocks are of unequal size on purpose. The picture is gathered on rank 0. What is saved can be gone on with by any
// number of processes.

#include "Example.hpp"

#include <KokkosStencil_Distributed.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;
using Plate  = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;  // (y, x), in °C

namespace {

constexpr double plate_width = 1.2;     // m
constexpr double diffusivity = 1.2e-5;  // of steel, m^2/s
constexpr double step_number = 0.2;     // diffusivity * dt / dx^2; stable up to 0.25
constexpr double room = 20.0, torch = 900.0;

struct Settings : example::Options {
  std::int64_t nx = 480, ny = 320, steps = 600;
  int depth = 0;
  std::string save, resume;
};

/// Square of the distance of a point from a stretch between two others.
KOKKOS_INLINE_FUNCTION double distance(double x, double y, double ax, double ay, double bx, double by) {
  double const dx = bx - ax, dy = by - ay;
  double t        = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  t               = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  double const ex = x - ax - t * dx, ey = y - ay - t * dy;
  return ex * ex + ey * ey;
}

/// The seams, a K and an S, in a plate of height 1.
KOKKOS_INLINE_FUNCTION double seam_temperature(double x, double y) {
  double d         = distance(x, y, 0.25, 0.2, 0.25, 0.8);
  double const k[] = {distance(x, y, 0.25, 0.5, 0.6, 0.2), distance(x, y, 0.25, 0.5, 0.6, 0.8),
                      distance(x, y, 0.85, 0.2, 1.2, 0.2), distance(x, y, 0.85, 0.2, 0.85, 0.5),
                      distance(x, y, 0.85, 0.5, 1.2, 0.5), distance(x, y, 1.2, 0.5, 1.2, 0.8),
                      distance(x, y, 0.85, 0.8, 1.2, 0.8)};
  for (double const e : k) d = e < d ? e : d;
  return d < 0.035 * 0.035 ? torch : room;
}

/// Blocks whose sizes grow from the first to the last, as on machines of unequal speed.
std::vector<std::int64_t> uneven(std::int64_t points, int ranks) {
  std::vector<std::int64_t> blocks;
  std::int64_t begin = 0;
  for (int k = 1; k <= ranks; ++k) {
    double const share = static_cast<double>(k) / ranks;
    std::int64_t const end =
        k == ranks ? points : std::llround(static_cast<double>(points) * share * (0.85 + 0.15 * share));
    blocks.push_back(end - begin);
    begin = end;
  }
  return blocks;
}

void check(int code, std::string const& what) {
  if (code != MPI_SUCCESS) throw std::runtime_error(what);
}

/// The state as a file that does not depend on the number of processes: extents and steps, then the rows.
class State {
 public:
  State(std::string const& path, int mode) : m_path(path) {
    check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, MPI_INFO_NULL, &m_file), path + ": cannot be opened");
  }
  ~State() { MPI_File_close(&m_file); }
  State(State const&)            = delete;
  State& operator=(State const&) = delete;

  void write(Settings const& s, std::int64_t steps, KS::LocalBlock<2> const& block, Plate const& u) {
    std::int64_t const head[4] = {magic, s.ny, s.nx, steps};
    auto const host            = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
    MPI_File_set_size(m_file, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    int code = block.begin[0] == 0 && block.begin[1] == 0
                   ? MPI_File_write_at(m_file, 0, head, sizeof head, MPI_BYTE, MPI_STATUS_IGNORE)
                   : MPI_SUCCESS;
    for (std::int64_t y = block.begin[0]; y < block.end[0] && code == MPI_SUCCESS; ++y) {
      double const* const row = &host(block.first[0] + y - block.begin[0], block.first[1]);
      code = MPI_File_write_at(m_file, place(s, y, block), row, columns(block), MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    check(code, m_path + ": cannot be written");
  }

  std::int64_t read(Settings const& s, KS::LocalBlock<2> const& block, Plate const& u) {
    std::int64_t head[4] = {};
    MPI_Offset size      = 0;
    MPI_File_get_size(m_file, &size);
    check(MPI_File_read_at_all(m_file, 0, head, sizeof head, MPI_BYTE, MPI_STATUS_IGNORE), m_path + ": cannot be read");
    if (head[0] != magic || head[1] != s.ny || head[2] != s.nx || size != MPI_Offset(sizeof head) + 8 * s.nx * s.ny) {
      throw std::runtime_error(m_path + ": not the state of a plate of " + std::to_string(s.nx) + " x " +
                               std::to_string(s.ny) + " points");
    }
    auto const host = Kokkos::create_mirror_view(u);
    for (std::int64_t y = block.begin[0]; y < block.end[0]; ++y) {
      double* const row = &host(block.first[0] + y - block.begin[0], block.first[1]);
      check(MPI_File_read_at(m_file, place(s, y, block), row, columns(block), MPI_DOUBLE, MPI_STATUS_IGNORE),
            m_path + ": cannot be read");
    }
    Kokkos::deep_copy(u, host);
    return head[3];
  }

 private:
  static constexpr std::int64_t magic = 0x4b53706c61746531;

  static MPI_Offset place(Settings const& s, std::int64_t y, KS::LocalBlock<2> const& block) {
    return static_cast<MPI_Offset>(4 * sizeof(std::int64_t)) + 8 * (y * s.nx + block.begin[1]);
  }
  static int columns(KS::LocalBlock<2> const& block) { return static_cast<int>(block.end[1] - block.begin[1]); }

  std::string m_path;
  MPI_File m_file;
};

void simulate(Settings const& settings) {
  auto const heat = KS::star<2>(1, {1.0 - 4.0 * step_number, step_number});
  KS::Decomposition<2> dec(MPI_COMM_WORLD, {settings.ny, settings.nx});
  for (int axis = 0; axis < 2; ++axis) {
    dec = dec.blocks(axis, uneven(axis == 0 ? settings.ny : settings.nx, dec.ranks()[static_cast<std::size_t>(axis)]));
  }
  bool const first = dec.rank() == 0;
  if (first) example::prepare_folder(settings.output);
  auto const block =
      dec.local(heat, settings.depth > 0 ? KS::HaloDepth::sweeps(settings.depth) : KS::HaloDepth::automatic());
  Plate u = block.make<Plate>("temperature"), tmp = block.make<Plate>("temperature of the other step");
  std::int64_t before = 0;
  if (settings.resume.empty()) {
    double const height = 1.0 / static_cast<double>(settings.ny);
    KS::for_each_owned(
        "seams", Exec(), dec, u, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t y, std::int64_t x) {
          u(i, j) = seam_temperature(height * static_cast<double>(x), height * static_cast<double>(y));
        });
  } else {
    before = State(settings.resume, MPI_MODE_RDONLY).read(settings, block, u);
  }

  // The same bits, and so the same picture, from any number of processes.
  auto const policy = KS::StencilPolicy<Exec, 2>()
                          .backend(settings.backend)
                          .accuracy(KS::Accuracy::reproducible)
                          .boundary(KS::Boundary<2>::mirror())
                          .on(dec);
  example::Stopwatch watch;
  {
    std::unique_ptr<example::Progress> progress;
    if (first) progress = std::make_unique<example::Progress>("heat cluster", settings.steps);
    std::int64_t const stretch = std::max<std::int64_t>(1, settings.steps / 50);
    for (std::int64_t done = 0; done < settings.steps;) {
      std::int64_t const now = std::min(stretch, settings.steps - done);
      watch.start();
      KS::iterate("heat", policy, heat, now, u, tmp);
      watch.stop();
      done += now;
      if (progress) progress->update(done);
    }
  }
  std::int64_t const steps = before + settings.steps;
  if (!settings.save.empty()) State(settings.save, MPI_MODE_CREATE | MPI_MODE_WRONLY).write(settings, steps, block, u);

  auto const whole = KS::gather(dec, u, 0);
  if (!first) return;
  double sum = 0.0;
  for (std::size_t k = 0; k < whole.size(); ++k) sum += whole.data()[k];
  double const dx        = plate_width / static_cast<double>(settings.nx);
  std::string const path = example::in_folder(settings.output, "heat_cluster.png");
  example::Scale const scale{example::ColorMap::inferno(), 0.0, torch};
  example::write_image(path, example::field_image(static_cast<int>(settings.nx), static_cast<int>(settings.ny),
                                                  example::to_field(whole), scale));
  std::printf("%lld steps (%.3g s of cooling) on %d x %d ranks, %.9f °C on average\n", static_cast<long long>(steps),
              static_cast<double>(steps) * step_number * dx * dx / diffusivity, dec.ranks()[0], dec.ranks()[1],
              sum / static_cast<double>(whole.size()));
  example::Work work;
  work.backend = KS::last_backend();
  work.points  = settings.nx * settings.ny;
  work.sweeps  = settings.steps;
  work.seconds = watch.seconds();
  work.bytes   = 2 * sizeof(double);
  example::report(Exec(), work);
  example::report_picture(path);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Settings settings;
  CLI::App app("Heat conduction in a plate that many processes share (mpirun -n 4 heat_cluster).", "heat_cluster");
  app.add_option("--nx", settings.nx, "Points along the plate")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--ny", settings.ny, "Points across the plate")->check(CLI::Range(8, 32768))->capture_default_str();
  app.add_option("--steps", settings.steps, "Time steps")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1000000000)))
      ->capture_default_str();
  app.add_option("--depth", settings.depth, "Sweeps between two exchanges (0: chosen)")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--save", settings.save, "File that the last state is written to");
  app.add_option("--resume", settings.resume, "File that the first state is read from");
  example::add_options(app, settings);
  int const code = example::run(app, argc, argv, [&] { simulate(settings); });
  // The others may wait for this one.
  if (code == 1) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
  return code;
}
