// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Placement.hpp"
#include "Call.hpp"

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Until.hpp>

#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Test {

/// What a call left behind.
struct Outcome {
  Field newest;         ///< output of a sweep, or what the handle u names after an iteration
  std::string backend;  ///< last_backend() after the call, or plan.backend()
  std::string noted;    ///< last_backend() after the call
  bool guards_intact = true;
  bool swapped       = false;  ///< u names what tmp did
  bool handles_kept  = true;   ///< u and tmp name the two Views that were given
  UntilResult until{};
};

/// Calls the library for one execution space, value type and rank.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual std::string space() const    = 0;
  virtual ValueType value_type() const = 0;
  virtual int rank() const             = 0;
  virtual double round(double x) const = 0;  ///< to the value type
  std::string name() const { return space() + "_" + to_string(value_type()) + "_" + std::to_string(rank()) + "D"; }
  Rounding rounding() const {
    return [this](double x) { return round(x); };
  }
  /// Rounds to the type of the coefficients.
  Rounding coefficient_rounding(Call const& call) const {
    bool const wide = value_type() == ValueType::float64 || call.double_coefficients;
    return [wide](double c) { return wide ? c : static_cast<double>(static_cast<float>(c)); };
  }

  /// What each backend says to the call.
  virtual std::vector<Candidate> candidates(Call const& call) const = 0;

  /// One sweep. The output starts as NaN everywhere, as do the guards of both Views. An empty `backend`
  /// leaves the choice to the library.
  virtual Outcome sweep(Call const& call, Field const& input, std::string const& backend) const = 0;

  /// Many sweeps; tmp starts as NaN. call.in and call.out are the layouts of u and tmp, of one type.
  virtual Outcome iterate(Call const& call, Field const& start, std::int64_t steps,
                          std::string const& backend) const = 0;

  virtual Outcome iterate_until(Call const& call, Field const& start, StoppingCriterion const& until,
                                std::string const& backend) const = 0;
};

using Runners = std::vector<std::unique_ptr<Runner const>>;

/// One runner for each execution space, value type and rank of this build.
Runners const& runners();

void add_double_runners(Runners& all);
void add_float_runners(Runners& all);
void add_half_runners(Runners& all);
void add_bhalf_runners(Runners& all);

}  // namespace Test
}  // namespace KokkosStencil
