// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Example.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace example {

void add_options(CLI::App& app, Options& options) {
  app.add_option("-o,--output", options.output, "Folder for the pictures")->capture_default_str();
  app.add_option("--backend", options.backend, "Force a backend by name (default: the library chooses)");
  app.footer("Options that begin with --kokkos- go to Kokkos.");
}

CLI::Validator between(double least, double most) {
  std::ostringstream range;
  range << least << " to " << most;
  auto const check = [least, most, text = range.str()](std::string& input) {
    double value      = 0.0;
    bool const number = CLI::detail::lexical_cast(input, value);
    return number && value >= least && value <= most ? std::string() : "Value " + input + " not in range " + text;
  };
  return CLI::Validator(check, "FLOAT in [" + range.str() + "]");
}

namespace {

int run_body(CLI::App& app, int argc, char** argv, std::function<void()> const& body) {
  // Kokkos would take --help for its own, so that each side only sees what is meant for it.
  std::vector<char*> ours{argv[0]}, kokkos{argv[0]};
  for (int k = 1; k < argc; ++k) (std::strncmp(argv[k], "--kokkos-", 9) == 0 ? kokkos : ours).push_back(argv[k]);
  try {
    app.parse(static_cast<int>(ours.size()), ours.data());
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }

  int kokkos_argc = static_cast<int>(kokkos.size());
  kokkos.push_back(nullptr);
  int code = 0;
  try {
    Kokkos::initialize(kokkos_argc, kokkos.data());
  } catch (std::exception const& e) {
    std::cerr << app.get_name() << ": Kokkos cannot start: " << e.what() << '\n';
    return 2;
  }
  try {
    body();
  } catch (std::exception const& e) {
    std::cout.flush();
    std::cerr << app.get_name() << ": " << e.what() << '\n';
    code = 1;
  }
  Kokkos::finalize();
  return code;
}

}  // namespace

int run(CLI::App& app, int argc, char** argv, std::function<void()> const& body) {
  int const code = run_body(app, argc, argv, body);
  // What was printed may be lost, on a full disk for one.
  errno = 0;
  std::cout.flush();
  if (std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::cerr << app.get_name() << ": the standard output cannot be written ("
            << (errno != 0 ? std::strerror(errno) : "an earlier write failed") << ")\n";
  return code == 0 ? 1 : code;
}

void prepare_folder(std::string const& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(folder + ": cannot be created (" + error.message() + ")");
  if (!std::filesystem::is_directory(folder, error)) throw std::runtime_error(folder + ": no folder");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw std::runtime_error(folder + ": cannot be written to (" + std::strerror(errno) + ")");
  }
}

std::string in_folder(std::string const& folder, std::string const& file) {
  return (std::filesystem::path(folder) / file).string();
}

Progress::Progress(std::string label, std::int64_t total)
    : m_label(std::move(label)), m_total(std::max<std::int64_t>(total, 1)), m_terminal(isatty(STDERR_FILENO) != 0) {
  update(0);
}

Progress::~Progress() {
  if (m_terminal) std::fprintf(stderr, "\r\033[K");
}

void Progress::update(std::int64_t done) {
  if (!m_terminal) return;
  double const part  = std::min(1.0, static_cast<double>(done) / static_cast<double>(m_total));
  int const permille = static_cast<int>(part * 1000);
  if (permille == m_drawn) return;
  m_drawn = permille;
  std::string bar(40, ' ');
  std::fill_n(bar.begin(), static_cast<int>(part * 40), '=');
  std::fprintf(stderr, "\r%s [%s] %5.1f %%", m_label.c_str(), bar.c_str(), part * 100);
}

void report_work(std::string const& space, int concurrency, Work const& work) {
  double const updates = static_cast<double>(work.points) * static_cast<double>(work.sweeps);
  double const rate    = updates / std::max(work.seconds, 1e-12) * 1e-9;
  std::printf("ran on    backend %s, execution space %s (concurrency %d)\n", work.backend.c_str(), space.c_str(),
              concurrency);
  std::printf("work      %lld points x %lld sweeps in %.3g s\n", static_cast<long long>(work.points),
              static_cast<long long>(work.sweeps), work.seconds);
  std::printf("rate      %.3g GStencil/s, effectively %.3g GB/s\n", rate, rate * work.bytes);
}

void report_picture(std::string const& path) {
  std::error_code error;
  auto const absolute = std::filesystem::absolute(path, error);
  std::printf("picture   %s\n", (error ? path : absolute.lexically_normal().string()).c_str());
}

}  // namespace example
