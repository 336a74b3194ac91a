// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../harness/Call.hpp"
#include "../harness/Placement.hpp"
#include "../harness/Reference.hpp"

#include <KokkosStencil_Accuracy.hpp>
#include <KokkosStencil_Until.hpp>
#include <KokkosStencil_Update.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

using Test::Call;
using Test::Data;
using Test::Extents;
using Test::Field;
using Test::Placement;
using Test::Range;
using Test::Rounding;
using Test::Term;

/// The type of a View.
enum class Form {
  right,       ///< LayoutRight, compact
  left,        ///< LayoutLeft, compact
  part_right,  ///< what Kokkos::subview makes of a larger LayoutRight
  part_left,   ///< what it makes of a larger LayoutLeft
  stride       ///< LayoutStride, read through a const Unmanaged View if only read
};

/// How the library is called.
enum class Way {
  sweep,          ///< parallel_for
  steps,          ///< iterate
  until,          ///< iterate_until
  plan_sweep,     ///< Plan::run(u, v)
  plan_steps,     ///< Plan::run(u, tmp, steps)
  graph_sweep,    ///< the same, captured into a CUDA graph that is launched twice
  graph_steps,    ///< the same
  update_sweep,   ///< parallel_for with an Update
  update_plan,    ///< Plan::run(u, v, update)
  functor_sweep,  ///< parallel_for of a functor
  functor_steps,  ///< iterate of a functor
  functor_fields  ///< parallel_for of a functor with two inputs
};

/// What is wrong on purpose: the library must throw and launch nothing.
enum class Wrong { nothing, overlap, range, periodic };

/// Where iterate_until is to stop.
enum class Stop { at_zero, at_once, between };

/// One problem and the way it is put to the library.
struct Case {
  Call call;                ///< what the reference computes; terms of equal offsets added up
  std::vector<Term> given;  ///< the terms the library is given
  std::array<int, 3> lower{{0, 0, 0}}, upper{{0, 0, 0}};  ///< reach; for a functor its radius
  Range range{};                                          ///< the points written
  Placement in, out;
  Form in_form = Form::right, out_form = Form::right;
  bool fence_behind = true;  ///< the data ends, or begins, where memory is forbidden
  bool own_stream   = false;
  Way way           = Way::sweep;
  int steps         = 1;
  int first_steps   = 0;      ///< Plan::run(u, tmp, steps): done by a call of their own before the others
  StoppingCriterion until{};  ///< its tolerance is found when the changes are known
  Stop stop = Stop::at_zero;
  Update update{};
  Wrong wrong               = Wrong::nothing;
  std::int64_t wrong_offset = 0;  ///< of the output in the input, if they overlap
  Data data                 = Data::random;
  unsigned data_seed        = 1;
  int data_scale            = 0;  ///< values are multiplied by 2 to this
  std::vector<std::pair<Extents, double>> planted;
  bool forget_unread = true;   ///< values that are not read are NaN
  bool exact         = false;  ///< no operation may round but the last
  bool alternating   = false;  ///< functors: coefficients double where the sum of the indices is odd
  bool ask_refused   = false;  ///< force a backend that cannot run this as well
  bool unforced      = false;  ///< let the library choose as well

  bool is_functor() const {
    return way == Way::functor_sweep || way == Way::functor_steps || way == Way::functor_fields;
  }
  /// The output is alpha S(u) + beta v.
  bool updates() const { return way == Way::update_sweep || way == Way::update_plan; }
  /// u and tmp change places.
  bool is_iteration() const {
    return way == Way::steps || way == Way::until || way == Way::plan_steps || way == Way::graph_steps ||
           way == Way::functor_steps;
  }
  std::string text() const;
};

char const* to_string(Way way);

}  // namespace Fuzz
}  // namespace KokkosStencil
