// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Case.hpp"
#include "Engine.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

/// A state as it has to be, and how far the library may be from it.
struct State {
  std::vector<long double> value;  ///< NaN and infinities where these must come out
  std::vector<long double> error;  ///< infinite where a sum may overflow: everything is right there
  bool bits = false;               ///< zeros must have their sign

  bool accepts(std::size_t point, double got) const;
};

/// The change from one state to the next, as iterate_until measures it.
struct Change {
  long double value = 0.0L;
  long double error = 0.0L;  ///< infinite: everything is right
};

/// Sweeps by plain loops over points and terms in long double; ghost cells and canonical order are those of the
/// harness's reference. Shares nothing with the library.
class Oracle {
 public:
  Oracle(Case const& c, Engine const& engine);

  State start(Field const& field) const;
  /// One sweep further. `read` is set where a value was read.
  State next(State const& state, std::vector<char>* read = nullptr) const;
  /// What alpha sum + beta before has to be.
  State updated(State const& sums, Field const& before) const;
  Change change(State const& before, State const& after, Norm norm) const;

 private:
  struct Tap {
    std::array<int, 3> offset;
    std::int64_t distance;
    long double coefficient, size;
  };
  struct Sum;

  State next_canonical(State const& state) const;
  template <class Read>
  Sum sum_of(Read const& read) const;
  void put(Sum const& sum, bool twice, long double& value, long double& error) const;

  Case const& m_case;
  Engine const& m_engine;
  Test::Tolerance m_tolerance;
  Test::Ghosts m_ghosts;
  Field m_shape;
  std::vector<Tap> m_taps;
  long double m_largest;
};

}  // namespace Fuzz
}  // namespace KokkosStencil
