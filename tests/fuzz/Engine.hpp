// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Case.hpp"
#include "Memory.hpp"

#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

/// What a call of the library reported.
struct Ran {
  std::string backend;        ///< last_backend()
  std::string planned;        ///< Plan::backend(), if there was a plan
  bool swapped      = false;  ///< u names what tmp did
  bool handles_kept = true;   ///< u and tmp name the two Views that were given
  UntilResult until{};
};

/// Where a case lies in memory: the whole buffers, guard values included.
struct Buffers {
  char* in;
  char* out;
};

/// Puts cases to the library, for one execution space, value type and rank.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string space() const            = 0;
  virtual ValueType value_type() const         = 0;
  virtual int rank() const                     = 0;
  virtual bool captures() const                = 0;  ///< can capture into graphs and has streams
  virtual bool has_functors() const            = 0;
  virtual Memory const& in() const             = 0;
  virtual Memory const& out() const            = 0;
  virtual double round(double x) const         = 0;  ///< to the value type
  virtual void store(char* to, double x) const = 0;
  virtual double load(char const* from) const  = 0;
  virtual void store_guard(char* to) const     = 0;  ///< a NaN that no operation makes

  /// The backends that can run the case, or the same from the second View to the first.
  virtual std::vector<std::string> backends(Case const& c, Buffers const& buffers, bool back = false) const = 0;

  /// Runs the case once, on a backend or on one of the library's choice, and waits.
  virtual Ran run(Case const& c, std::string const& backend, Buffers const& buffers) const = 0;

  std::string name() const { return space() + " " + to_string(value_type()) + " " + std::to_string(rank()) + "-D"; }
  Rounding rounding() const {
    return [this](double x) { return round(x); };
  }
  std::size_t value_size() const { return static_cast<std::size_t>(size_of(value_type())); }
};

using Engines = std::vector<std::unique_ptr<Engine const>>;

/// One engine for each execution space, value type and rank of this build. Kokkos must be initialized.
Engines engines();

void add_double_engines(Engines& all);
void add_float_engines(Engines& all);
void add_half_engines(Engines& all);
void add_bhalf_engines(Engines& all);

}  // namespace Fuzz
}  // namespace KokkosStencil
