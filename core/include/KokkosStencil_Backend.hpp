// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>
#include <KokkosStencil_Until.hpp>
#include <KokkosStencil_Update.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {

/// A backend's answer to a problem: it can run it, or the reason why not.
struct Status {
  bool yes = false;
  std::string reason;  ///< why not; empty if yes

  static Status can() { return {true, {}}; }
  static Status cannot(std::string why) { return {false, std::move(why)}; }
  explicit operator bool() const { return yes; }
};
using Verdict [[deprecated("Use Status.")]] = Status;

/// What decides a predicted time.
enum class Bottleneck { unknown, memory, arithmetic, launch };
using Ceiling [[deprecated("Use Bottleneck.")]] = Bottleneck;

/// Its name as `explain` prints it.
char const* to_string(Bottleneck bottleneck) noexcept;

/// One way of a backend to run a problem, as it predicts it.
struct Estimate {
  double seconds        = 0.0;  ///< for problem.steps sweeps
  double host_seconds   = 0.0;  ///< what the host takes for all launches of these; 0 if not known
  double device_seconds = 0.0;  ///< what the device takes if it never waits for the host; 0 if not known
  int depth             = 1;    ///< sweeps in one pass over memory
  double operations     = 0.0;  ///< FLOP that one pass executes a point, redundant ones included; 0 if not known
  double bytes          = 0.0;  ///< that one pass moves a point; 0 if not known
  double fraction       = 0.0;  ///< of the roofline that the kernel reaches on large problems; 0 if not known
  ComputeUnit unit      = ComputeUnit::cores;
  Bottleneck bottleneck = Bottleneck::unknown;
  bool padded           = false;  ///< on copies of the Views whose rows are padded; their time is in it
};

/// Finds the update norm of an iteration, how much a sweep changes a state, on the device that swept. One belongs to
/// one iteration. What it finds is waited for; where that would leave a device without work, `ahead` may be called once
/// before, to enqueue more.
class NormReducer {
 public:
  virtual ~NormReducer() = default;

  /// Norm of the difference between two states on the range of the problem; `newest_is_second`: newest has the output's
  /// strides, oldest the input's, else the other way round.
  virtual double between(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second, Norm norm,
                         std::function<void()> const& ahead) = 0;

  /// Norm of the change made by the last sweep that Executable::sweep_with_norm enqueued.
  virtual double of_sweep(Launch const& launch, Norm norm, std::function<void()> const& ahead);
};

/// A problem made ready to run on one execution space: packed coefficients and workspace included.
/// Member functions enqueue work on launch.instance and return; they neither allocate nor fence.
/// Safe to call from several threads unless a function says otherwise.
class Executable {
 public:
  virtual ~Executable() = default;

  /// out = stencil(in) on the points of the range.
  virtual void sweep(Launch const& launch, void const* in, void* out) const = 0;

  /// out = alpha stencil(in) + beta out, see Update; with a beta of 0 out is not read. Only called if the problem
  /// updates.
  virtual void update(Launch const& launch, void const* in, void* out, Update const& update) const;

  /// One pass over memory: between 1 and `steps` sweeps from in to out, which leave `in` as it is unless
  /// overwrites_input() says otherwise; returns how many.
  /// Points outside the range already agree in both. They may be written with what they hold. By default one sweep.
  /// More than one is only asked for if in and out have the same strides, or takes_any_strides().
  /// Where the problem has borrowed layers, `steps` is all that is to come before they are renewed: the sweep that is
  /// the last but n may leave out what is not needed(problem, n). Values there do not matter.
  virtual std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const;

  /// A number in memory of the device, and what a pass adds to it.
  struct EarlyCount {
    std::uint32_t* counter = nullptr;
    std::uint32_t added    = 0;
  };
  /// For problems with early layers. If not null: one pass makes all of so many sweeps. It computes the early layers of
  /// `out` first and counts them when they are stored, so that others may read them while it computes the rest.
  virtual EarlyCount early(void const* /*in*/, void const* /*out*/, std::int64_t /*steps*/) const { return {}; }

  /// Whether a pass of more than one sweep leaves other values in `in`.
  virtual bool overwrites_input() const { return false; }

  /// sweep() that finds its update norm on its way, for `reducer`, which is asked for it next; reports its launches
  /// itself. False if it cannot: nothing is enqueued then. By default it cannot.
  virtual bool sweep_with_norm(Launch const& launch, void const* in, void* out, Norm norm, NormReducer& reducer) const;

  /// `steps` sweeps in passes, first a to b, then to and fro; returns the pointer that holds the newest state.
  void* iterate(Launch const& launch, void* a, void* b, std::int64_t steps) const;

  /// Whether pass() may be asked for several sweeps though in and out have different strides.
  virtual bool takes_any_strides() const { return false; }

  /// Whether sweep() launches kernels on the CUDA stream that Kokkos does not know of. Each sweep is then
  /// reported to Kokkos Tools with its label. A pass() of its own reports its launches itself, with ToolsRegion.
  virtual bool launches_raw() const { return false; }

  /// About how many bytes of memory it holds, on host and device, if these are many: plans that the library keeps are
  /// bounded by their sum. The terms of the problem are counted anyway.
  virtual std::size_t bytes() const { return 0; }

  /// Exactly `steps` sweeps in one pass, the last of which finds its update norm, for `reducer`, as sweep_with_norm()
  /// does. Only asked where pass() may be asked for several sweeps. False if it cannot: nothing is enqueued then. By
  /// default it cannot.
  virtual bool pass_with_norm(Launch const& launch, void const* in, void* out, std::int64_t steps, Norm norm,
                              NormReducer& reducer) const;
};

/// Reports what is launched on a CUDA instance during its life to Kokkos Tools, as one parallel_for.
class ToolsRegion {
 public:
  /// Begins the region of the launch's label, unless `report` is false.
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

  /// What users force it by: unique among the backends registered.
  virtual std::string name() const = 0;

  /// Whether this backend can run the problem on the space, within the problem's accuracy. A plan asks once for any
  /// number of sweeps, so problem.steps must not matter, and little may be done: whoever waits for it made a plan.
  virtual Status can_run(Problem const& problem, SpaceInfo const& space) const = 0;

  /// Whether executables have update(). Those that have not are not asked about problems that update.
  virtual bool can_update() const { return false; }

  /// Predicted time of problem.steps sweeps, in seconds. Only asked if can_run says yes.
  virtual double predict(Problem const& problem, SpaceInfo const& space) const = 0;

  /// The same for every depth of fusion the backend offers, at least one, with what the prediction rests on. By
  /// default one line with the time alone. The dispatcher compares all lines of all backends; prepare() finds the
  /// depth that won in problem.depth.
  virtual std::vector<Estimate> estimates(Problem const& problem, SpaceInfo const& space) const;

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

/// One line of a dispatch decision: a backend at one depth of fusion.
struct Candidate {
  std::string backend;
  bool chosen      = false;
  bool runnable    = false;
  double predicted = 0.0;  ///< seconds for one run, if runnable
  double measured  = 0.0;  ///< seconds for one run; 0 where nothing was timed (Tuning::measure)
  Estimate estimate;       ///< what the prediction rests on
  std::string reason;      ///< why it cannot run or was not chosen
};

}  // namespace KokkosStencil
