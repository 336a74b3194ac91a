// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Case.hpp"

#include <cstddef>
#include <sstream>

namespace KokkosStencil {
namespace Fuzz {

using Test::index_text;

char const* to_string(Way way) {
  switch (way) {
    case Way::sweep: return "parallel_for";
    case Way::steps: return "iterate";
    case Way::until: return "iterate_until";
    case Way::plan_sweep: return "Plan::run(u, v)";
    case Way::plan_steps: return "Plan::run(u, tmp, steps)";
    case Way::graph_sweep: return "Plan::run(u, v) in a graph";
    case Way::graph_steps: return "Plan::run(u, tmp, steps) in a graph";
    case Way::update_sweep: return "parallel_for with an Update";
    case Way::update_plan: return "Plan::run(u, v, update)";
    case Way::functor_sweep: return "parallel_for of a functor";
    case Way::functor_steps: return "iterate of a functor";
    case Way::functor_fields: return "parallel_for of a functor of two fields";
  }
  return "?";
}

namespace {

char const* text_of(Form form) {
  switch (form) {
    case Form::right: return "LayoutRight";
    case Form::left: return "LayoutLeft";
    case Form::part_right: return "subview of LayoutRight";
    case Form::part_left: return "subview of LayoutLeft";
    case Form::stride: return "LayoutStride";
  }
  return "?";
}

char const* text_of(Wrong wrong) {
  switch (wrong) {
    case Wrong::nothing: return "";
    case Wrong::overlap: return "; wrong on purpose: the output overlaps the input, from offset ";
    case Wrong::range: return "; wrong on purpose: the range";
    case Wrong::periodic: return "; wrong on purpose: periodic on one face only";
  }
  return "?";
}

void view_text(std::ostringstream& text, Form form, Placement const& p) {
  text << text_of(form) << " strides " << index_text(p.rank, p.stride) << " offset " << p.offset << " of " << p.size;
}

}  // namespace

std::string Case::text() const {
  std::ostringstream text;
  text.precision(9);
  text << to_string(way);
  if (way == Way::until) {
    text << " (" << until.max_steps << " steps, checks every " << until.check_every
         << (until.norm == Norm::max ? ", max" : ", rms") << ")";
  } else if (is_iteration()) {
    text << " (" << steps << " steps";
    if (first_steps > 0) text << ", " << first_steps << " of them first";
    text << ")";
  }
  if (updates()) text << " (" << update.alpha << ", " << update.beta << ")";
  text << "; extents " << index_text(call.rank, call.extent) << "; faces";
  for (std::size_t a = 0; a < static_cast<std::size_t>(call.rank); ++a) {
    for (auto const& f : call.faces[a]) {
      text << " " << KokkosStencil::to_string(f.kind);
      if (f.kind == BoundaryKind::value) text << "(" << f.constant << ")";
    }
  }
  if (!call.whole) text << "; range " << index_text(call.rank, call.begin) << " to " << index_text(call.rank, call.end);
  if (is_functor()) {
    text << "; radius (" << upper[0] << ", " << upper[1] << ", " << upper[2] << ")"
         << (alternating ? ", alternating" : "");
  }
  text << "; " << KokkosStencil::to_string(call.accuracy) << (call.double_coefficients ? ", Stencil<double>" : "")
       << "; in ";
  view_text(text, in_form, in);
  text << "; out ";
  view_text(text, out_form, out);
  text << "; forbidden memory " << (fence_behind ? "behind" : "before") << (own_stream ? "; own stream" : "");
  text << text_of(wrong);
  if (wrong == Wrong::overlap) text << wrong_offset;
  text << "; data "
       << (data == Data::integer  ? "integer"
           : data == Data::random ? "random"
                                  : "wide")
       << " seed " << data_seed << " scale 2^" << data_scale << (exact ? ", exact" : "");
  for (auto const& p : planted) text << ", " << p.second << " at " << index_text(call.rank, p.first);
  text << "; " << given.size() << " terms:";
  constexpr std::size_t shown = 24;
  for (std::size_t k = 0; k < given.size() && k < shown; ++k) {
    text << " (";
    for (int a = 0; a < call.rank; ++a) text << (a > 0 ? "," : "") << given[k].offset[static_cast<std::size_t>(a)];
    text << ")*" << given[k].coefficient;
  }
  if (given.size() > shown) text << " ...";
  return text.str();
}

}  // namespace Fuzz
}  // namespace KokkosStencil
