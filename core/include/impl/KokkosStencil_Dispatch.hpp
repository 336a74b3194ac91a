// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Error.hpp>
#include <KokkosStencil_Tuning.hpp>
#include <KokkosStencil_Until.hpp>
#include <KokkosStencil_Update.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// The boundary between the templates a user's translation unit compiles and the library: everything
// here is free of types of Views and spaces, so that it is compiled once.

namespace KokkosStencil {
namespace Impl {

class StateOps;
struct Answer;

using TermList = std::shared_ptr<std::vector<Term> const>;

/// A StencilPolicy without its types.
struct PolicyInfo {
  int rank   = 1;
  bool whole = true;  ///< the range is every point the boundary rule allows
  std::array<std::int64_t, 3> begin{{0, 0, 0}};
  std::array<std::int64_t, 3> end{{0, 0, 0}};
  std::array<std::array<Face, 2>, 3> faces{};
  /// Layers of ghost values at shared faces that an iterate may change; those farther out stay fixed. -1: all of them.
  std::array<std::array<std::int64_t, 2>, 3> changing{{{{-1, -1}}, {{-1, -1}}, {{-1, -1}}}};
  /// Layers next to faces that a pass of several sweeps is to compute first, see Executable::early.
  std::array<std::array<std::int64_t, 2>, 3> early{};
  Accuracy accuracy = Accuracy::native;
  bool updates      = false;  ///< sweeps may have an Update
  std::string backend;        ///< forced backend, empty for the automatic choice
  Tuning tuning = Tuning::predict;
  std::string tuning_file;  ///< where winners are remembered, empty for memory only
};

/// A View without its types. Strides in elements.
struct ViewInfo {
  void* data           = nullptr;
  int rank             = 1;
  ValueType value_type = ValueType::float64;
  int value_size       = 8;  ///< bytes
  std::array<std::int64_t, 3> extent{{1, 1, 1}};
  std::array<std::int64_t, 3> stride{{0, 0, 1}};

  friend bool operator==(ViewInfo const& a, ViewInfo const& b) {
    return a.data == b.data && a.extent == b.extent && a.stride == b.stride && a.rank == b.rank &&
           a.value_type == b.value_type && a.value_size == b.value_size;
  }
};

/// Whether two policies have the same rules and select the same range of a View. Constants by their bits: NaN is
/// itself, and zeros of either sign are two.
inline bool same_range(PolicyInfo const& a, PolicyInfo const& b) {
  if (a.rank != b.rank || a.whole != b.whole || a.begin != b.begin || a.end != b.end) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t side = 0; side < 2; ++side) {
      Face const &f = a.faces[axis][side], &g = b.faces[axis][side];
      if (f.kind != g.kind || f.depth != g.depth || std::memcmp(&f.constant, &g.constant, sizeof(double)) != 0) {
        return false;
      }
    }
  }
  return true;
}

/// Whether the points outside such a face are in the View, with values of their own.
inline bool has_ghosts(Face const& face) {
  return face.kind == BoundaryKind::halo || face.kind == BoundaryKind::shared;
}

/// The rule at a face for a kernel that does one sweep: ghost values that are shared are read as those of a halo.
inline Face rule_of_one_sweep(Face const& face) { return has_ghosts(face) ? Face::halo() : face; }

/// The axes of a View by their strides, slowest first; axes of one point count as slow. Those it has not come first, as
/// -1.
std::array<int, 3> axes_by_stride(ViewInfo const& view);

/// The range a policy selects on a View for a window of the given reach, in the axes of the View.
/// Throws Error if the boundary rules do not allow it; `advice` ends the text where other rules or reaches would.
PointBox resolve_range(std::string const& label, PolicyInfo const& policy, ViewInfo const& view,
                       std::array<int, 3> const& lower, std::array<int, 3> const& upper, char const* advice = "");

/// What messages call the Views of a call.
struct ViewNames {
  std::string in = "the input", out = "the output";
};

/// Throws Error unless the extents agree and there is memory.
void check_extents(std::string const& label, ViewInfo const& in, ViewInfo const& out, ViewNames const& names = {});

/// The same; throws Error as well unless each point of the output has its own place.
void check_shapes(std::string const& label, ViewInfo const& in, ViewInfo const& out, ViewNames const& names = {});

/// The same; throws Error as well if the two share memory.
void check_pair(std::string const& label, ViewInfo const& in, ViewInfo const& out, ViewNames const& names = {});

/// Throws Error if several points of a View that is written lie in one place.
void check_output(std::string const& label, ViewInfo const& view);

/// Whether two Views share a point (exact where their values have one size and the
/// strides nest, otherwise on the safe side).
bool overlap(ViewInfo const& a, ViewInfo const& b);

/// Whether two points of a View lie in one place (exact, but for some strides that do not nest: then on the safe side).
bool overlaps_itself(ViewInfo const& view);

/// Builds and checks the problem; throws Error.
Problem make_problem(std::string const& label, PolicyInfo const& policy, std::vector<Term> const& terms,
                     ViewInfo const& in, ViewInfo const& out, std::int64_t steps);

/// The policy for sweeps with an Update, of which the default one needs nothing. Throws Error for factors that are not
/// finite.
PolicyInfo updating(std::string const& label, PolicyInfo const& policy, Update const& update);

/// How many sweeps the shared faces of a policy feed; the largest number if none is used up.
std::int64_t most_shared_sweeps(PolicyInfo const& policy, Problem const& problem);

/// The problem of many sweeps, whose range takes in what their shared faces lend.
Problem widened(PolicyInfo const& policy, Problem const& problem);

/// The steps of a plan that is made for one sweep and for many.
constexpr std::int64_t any_steps = 0;

/// Everything that is decided once: the problem, the backend and its executable. A plan for any_steps compares
/// times twice, for one sweep and for many, since the fastest backend need not be the same.
class PlanState {
 public:
  PlanState(std::string const& label, PolicyInfo const& policy, TermList terms, ViewInfo const& in, ViewInfo const& out,
            SpaceInfo const& space, Launch const& launch, std::int64_t steps);
  ~PlanState();

  /// Throws Error unless the Views have the shapes the plan was made for, in either order, and do not overlap.
  void check(std::string const& label, ViewInfo const& in, ViewInfo const& out) const;

  void sweep(Launch const& launch, ViewInfo const& in, ViewInfo const& out) const;
  /// out = alpha S(in) + beta out. Throws Error if the plan was not made for that.
  void sweep(Launch const& launch, ViewInfo const& in, ViewInfo const& out, Update const& update) const;
  /// So many of these, to and fro; returns true if the newest state is in `b`.
  bool iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps,
               Update const& update) const;
  bool updates() const { return m_problem.updates; }

  /// Returns true if the newest state is in `b`. Points outside the range are copied from a to b first, unless they
  /// agree.
  bool iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps,
               bool agree = false) const;

  /// As iterate; sets `in_b` if the newest state is in `b`.
  UntilResult iterate_until(Launch const& launch, ViewInfo const& a, ViewInfo const& b, StoppingCriterion const& until,
                            bool& in_b, bool agree = false) const;

  /// One sweep and the norm of the change it makes, with a reducer of norm_reducer(). `ahead` is called while a device
  /// computes, if it is one. Points outside the range agree in both.
  double sweep_with_norm(Launch const& launch, ViewInfo const& in, ViewInfo const& out, Norm norm, NormReducer& reducer,
                         std::function<void()> const& ahead) const;
  std::shared_ptr<NormReducer> norm_reducer() const;
  /// Waits for all that is enqueued.
  void fence(Launch const& launch) const;

  /// Executable::overwrites_input of iterate with so many sweeps.
  bool overwrites_input(std::int64_t steps) const {
    return !m_empty && way_of(choice(steps), true).executable->overwrites_input();
  }
  /// Executable::early of iterate with so many sweeps.
  Executable::EarlyCount early(ViewInfo const& a, ViewInfo const& b, std::int64_t steps) const;

  /// What was decided for so many sweeps.
  std::string const& backend(std::int64_t steps) const { return choice(steps).backend; }
  std::vector<Candidate> const& candidates(std::int64_t steps) const { return choice(steps).candidates; }
  std::string explain() const;

  /// About how much memory the plan holds, on host and device.
  std::size_t bytes() const;

 private:
  struct Choice {
    std::int64_t steps = 1;
    std::string backend;
    int depth   = 1;
    bool padded = false;
    std::vector<Candidate> candidates;
    std::unique_ptr<Executable> forward;
    std::unique_ptr<Executable> backward;  ///< out to in, if the strides differ
    std::string backward_backend;
    std::string no_way_back;       ///< why a forced backend cannot run it
    Choice const* same = nullptr;  ///< the choice whose executables serve this one as well
  };
  struct Way {
    Executable const* executable;
    std::string const& backend;
  };

  void choose(Choice& choice, std::vector<Answer> const& answers, std::string const& forced, PolicyInfo const& policy,
              ViewInfo const& in, ViewInfo const& out, SpaceInfo const& space, Launch const& launch);
  Choice const& choice(std::int64_t steps) const { return m_choices[steps > 1 ? m_choices.size() - 1 : 0]; }
  /// From Views of the input's strides to those of the output's, or back.
  Way way_of(Choice const& c, bool to_second) const {
    Choice const& made = c.same != nullptr ? *c.same : c;
    if (!to_second && !m_same_strides) return {made.backward.get(), made.backward_backend};
    return {made.forward.get(), c.backend};
  }
  /// Throws Error if so many sweeps need a way that the forced backend cannot run.
  void check_ways(std::string const& label, Choice const& c, bool from_first, std::int64_t steps) const;
  /// Whether a View has the plan's extents and these strides.
  bool fits(ViewInfo const& view, std::array<std::int64_t, 3> const& stride) const;
  /// Throws Error for the first thing that does not fit.
  void explain_misfit(std::string const& label, char const* which, ViewInfo const& view,
                      std::array<std::int64_t, 3> const& stride) const;
  /// Whether the way from this View is the one that the plan was made for.
  bool forward(ViewInfo const& in) const;
  /// Executable::sweep.
  void sweep(Way const& way, Launch const& launch, void const* in, void* out) const;
  /// Executable::pass.
  std::int64_t pass(Choice const& c, Launch const& launch, void const* from, void* to, std::int64_t steps,
                    bool to_second) const;

  /// Throws Error if shared faces do not feed so many sweeps.
  void check_shared(std::string const& label, std::int64_t steps) const;
  /// What copies ghost values for many sweeps.
  StateOps const& wide_ops() const { return m_wide_ops != nullptr ? *m_wide_ops : *m_ops; }

  std::string m_label;
  std::string m_pitch_text;  ///< of explain()
  Problem m_problem;
  bool m_empty;
  bool m_same_strides;
  std::int64_t m_most_sweeps;     ///< that shared faces feed
  bool m_shared;                  ///< they are used up: many sweeps have another range than one
  std::vector<Choice> m_choices;  ///< one, or one sweep and many
  std::size_t m_device_bytes = 0;
  std::unique_ptr<StateOps> m_ops;
  std::unique_ptr<StateOps> m_wide_ops;  ///< of the range of many sweeps, if that is another
};

/// What a plan for so many sweeps of such a View into another would choose; nothing is prepared, and the View needs no
/// memory. Throws Error where a plan would.
struct Prediction {
  double seconds = 0.0;
  int depth      = 1;  ///< sweeps in one pass over memory
  std::string backend;
};
Prediction predict_sweeps(std::string const& label, PolicyInfo const& policy, std::vector<Term> const& terms,
                          ViewInfo const& view, SpaceInfo const& space, std::int64_t steps);

/// The plan of an earlier call with the same arguments, or a new one. Thread safe; bounded in number and bytes; emptied
/// when Kokkos is finalized.
std::shared_ptr<PlanState const> cached_plan(std::string const& label, PolicyInfo const& policy, TermList const& terms,
                                             ViewInfo const& in, ViewInfo const& out, SpaceInfo const& space,
                                             Launch const& launch, std::int64_t steps);

/// The most that plans in the cache may hold together, in bytes; one alone may hold more. Plans of volumes that stay on
/// the chip hold up to 80 MB, and a code that uses a few of them by turns must not make them anew each time.
constexpr std::size_t most_cached_bytes = std::size_t(256) << 20;

/// What they hold.
std::size_t cached_bytes();

/// Number of plans built so far by cached_plan (for tests: the same call must not build twice).
std::uint64_t plans_built() noexcept;

/// Reads KOKKOSSTENCIL_BACKEND again, which is read once (for tests).
void read_environment();

/// Notes which backend ran.
void note_backend(std::string_view name);

/// Whether KOKKOSSTENCIL_VERBOSE asks to print decisions.
bool verbose();

/// Throws Error unless the constants at the faces lie between `lowest` and `most`, the values of a type; if `whole`, it
/// has whole numbers only, else infinities and NaN as well.
void check_constants(std::string const& label, PolicyInfo const& policy, char const* type, double lowest, double most,
                     bool whole);

/// Throws Error if there is a constant: values of a field's type are not made from numbers.
void refuse_constants(std::string const& label, PolicyInfo const& policy);

/// Throws Error if steps is negative.
void check_steps(std::string const& label, std::int64_t steps);

/// Throws Error if a criterion cannot be met.
void check_until(std::string const& label, StoppingCriterion const& until);

/// Throws Error: the label, then what is wrong.
[[noreturn]] void fail(std::string const& label, std::string const& what);

}  // namespace Impl
}  // namespace KokkosStencil
