// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Draw.hpp"

#include <Kokkos_Core.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>

// What the examples share: the command line, progress, the report at the end, and fetching a field from
// the device to draw it.

namespace example {

/// What every example can be told.
struct Options {
  std::string backend;
  std::string output = ".";
};
void add_options(CLI::App& app, Options& options);

/// Accepts numbers between two bounds. (CLI::Range accepts NaN too.)
CLI::Validator between(double least, double most);

/// Reads the command line, starts Kokkos with its own options (--kokkos-...) and runs the body. Returns
/// the exit code: 0, 1 if something failed or the output was lost, 2 if the command line was wrong.
int run(CLI::App& app, int argc, char** argv, std::function<void()> const& body);

/// Creates the folder if need be; throws if nothing can be written there, before work is spent.
void prepare_folder(std::string const& folder);
/// Name of a file in a folder.
std::string in_folder(std::string const& folder, std::string const& file);

/// A bar on the terminal; silent if the standard error is none.
class Progress {
 public:
  Progress(std::string label, std::int64_t total);
  ~Progress();
  Progress(Progress const&)            = delete;
  Progress& operator=(Progress const&) = delete;

  void update(std::int64_t done);

 private:
  std::string m_label;
  std::int64_t m_total;
  bool m_terminal;
  int m_drawn = -1;
};

/// Seconds of the work enqueued between start and stop, summed up. Both wait for the device.
class Stopwatch {
 public:
  void start() {
    Kokkos::fence();
    m_timer.reset();
  }
  void stop() {
    Kokkos::fence();
    m_seconds += m_timer.seconds();
  }
  double seconds() const { return m_seconds; }

 private:
  Kokkos::Timer m_timer;
  double m_seconds = 0.0;
};

/// What ran.
struct Work {
  std::string backend;
  std::int64_t points = 0;  ///< of one sweep
  std::int64_t sweeps = 0;
  double seconds      = 0.0;
  double bytes        = 0.0;  ///< per point: every input read once, every output written once
};
void report_work(std::string const& space, int concurrency, Work const& work);
template <class Exec>
void report(Exec const& space, Work const& work) {
  report_work(Exec::name(), static_cast<int>(space.concurrency()), work);
}
/// Says where a picture lies.
void report_picture(std::string const& path);

/// Copies a View of rank 2 from the device. The last index runs to the right, the first one downwards.
template <class View>
Field to_field(View const& view) {
  // In two steps, because a slice may be strided, and only contiguous memory crosses between spaces.
  Kokkos::View<typename View::non_const_value_type**, Kokkos::LayoutRight, typename View::memory_space> packed(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "packed"), view.extent(0), view.extent(1));
  Kokkos::deep_copy(packed, view);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), packed);
  Field field(static_cast<int>(view.extent(1)), static_cast<int>(view.extent(0)));
  for (int y = 0; y < field.height; ++y)
    for (int x = 0; x < field.width; ++x) field.at(x, y) = static_cast<double>(host(y, x));
  return field;
}

}  // namespace example
