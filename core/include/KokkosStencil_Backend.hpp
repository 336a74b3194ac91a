// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {

/// A backend's answer to a problem: yes, or the reason why not.
struct Verdict {
  bool yes = false;
  std::string reason;  ///< why not; empty if yes

  static Verdict can() { return {true, {}}; }
  static Verdict cannot(std::string why) { return {false, std::move(why)}; }
  explicit operator bool() const { return yes; }
};

/// A problem made ready to run on one execution space: packed coefficients and workspace included.
/// Member functions enqueue work on launch.instance and return; they neither allocate nor fence.
/// Safe to call from several threads unless a function says otherwise.
class Executable {
 public:
  virtual ~Executable() = default;

  /// out = stencil(in) on the points of the range.
  virtual void sweep(Launch const& launch, void const* in, void* out) const = 0;

  /// `steps` sweeps, first a to b, then to and fro; returns the pointer that holds the newest state.
  /// Points outside the range already agree in a and b. Only called if both have the same strides.
  virtual void* iterate(Launch const& launch, void* a, void* b, std::int64_t steps) const;

  /// Whether sweep() launches kernels on the CUDA stream that Kokkos does not know of. Each sweep is then
  /// reported to Kokkos Tools with its label. An iterate() of its own reports its launches itself, with
  /// ToolsRegion.
  virtual bool launches_raw() const { return false; }
};

/// Reports what is launched on a CUDA instance during its life to Kokkos Tools, as one parallel_for.
class ToolsRegion {
 public:
  explicit ToolsRegion(Launch const& launch, bool report = true);
  ~ToolsRegion();
  ToolsRegion(ToolsRegion const&)            = delete;
  ToolsRegion& operator=(ToolsRegion const&) = delete;

 private:
  bool m_report;
  std::uint64_t m_kernel = 0;
};

/// A way to run stencils. Backends register themselves by name; the dispatcher knows nothing else of
/// them. See backends/README.md for how to add one.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;

  /// Whether this backend can run the problem on the space, within the problem's accuracy.
  virtual Verdict can_run(Problem const& problem, SpaceInfo const& space) const = 0;

  /// Predicted time of problem.steps sweeps, in seconds. Only asked if can_run says yes.
  virtual double predict(Problem const& problem, SpaceInfo const& space) const = 0;

  /// Prepares the problem. `launch` names the instance the first runs will use.
  virtual std::unique_ptr<Executable> prepare(Problem const& problem, SpaceInfo const& space,
                                              Launch const& launch) const = 0;
};

/// Adds a backend. Throws Error if one of that name exists.
void register_backend(std::unique_ptr<Backend const> backend);

/// Names of all backends, in order of registration.
std::vector<std::string> backend_names();

/// Name of the backend that the newest parallel_for or iterate of this host thread ran on; empty before
/// the first.
std::string const& last_backend();

/// One line of a dispatch decision.
struct Candidate {
  std::string backend;
  bool chosen      = false;
  bool runnable    = false;
  double predicted = 0.0;  ///< seconds for one run, if runnable
  std::string reason;      ///< why it cannot run or was not chosen
};

}  // namespace KokkosStencil
