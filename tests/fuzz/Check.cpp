// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Check.hpp"

#include "Oracle.hpp"

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

using Test::index_text;

namespace {

/// The bytes of one buffer on the host.
class Image {
 public:
  Image(Engine const& engine, Placement const& placement)
      : m_engine(engine), m_placement(placement), m_size(engine.value_size()) {
    m_bytes.resize(static_cast<std::size_t>(placement.size) * m_size);
    for (std::size_t k = 0; k < m_bytes.size(); k += m_size) engine.store_guard(&m_bytes[k]);
  }
  void fill(Field const& values) {
    values.each([&](Extents const& i) { m_engine.store(at(i), values(i)); });
  }

  double value(Extents const& i) const { return m_engine.load(at(i)); }
  bool same_at(Extents const& i, Image const& other) const { return std::memcmp(at(i), other.at(i), m_size) == 0; }
  void take(Extents const& i, Image const& other) { std::memcpy(at(i), other.at(i), m_size); }
  bool same(Image const& other) const { return m_bytes == other.m_bytes; }
  /// Where the first difference is, in elements from the first value.
  std::int64_t first_difference(Image const& other) const {
    auto const found = std::mismatch(m_bytes.begin(), m_bytes.end(), other.m_bytes.begin()).first;
    return (found - m_bytes.begin()) / static_cast<std::ptrdiff_t>(m_size) - m_placement.offset;
  }

  void put(Memory const& memory, char* to) const { memory.put(to, m_bytes.data(), m_bytes.size()); }
  void get(Memory const& memory, char const* from) { memory.get(m_bytes.data(), from, m_bytes.size()); }
  std::size_t bytes() const { return m_bytes.size(); }

 private:
  char* at(Extents const& i) { return &m_bytes[m_placement.at(i) * m_size]; }
  char const* at(Extents const& i) const { return &m_bytes[m_placement.at(i) * m_size]; }

  Engine const& m_engine;
  Placement m_placement;
  std::size_t m_size;
  std::vector<char> m_bytes;
};

Field input_of(Case const& c, Engine const& engine) {
  Rounding const round = engine.rounding();
  Field field          = Test::filled(c.call.rank, c.call.extent, c.data, c.data_seed, round);
  if (c.data_scale != 0) {
    for (double& x : field.values) x = round(std::ldexp(x, c.data_scale));
  }
  for (auto const& p : c.planted) field(p.first) = p.second;
  return field;
}

/// One case on its way through the backends.
class Check {
 public:
  Check(Engine const& engine, Case& c, Tally& tally)
      : m_engine(engine), m_case(c), m_tally(tally), m_first(engine, c.in), m_second(engine, c.out) {
    m_buffers.in  = place(engine.in(), m_first);
    m_buffers.out = place(engine.out(), m_second);
  }

  std::string run() {
    if (m_case.wrong != Wrong::nothing) {
      m_first.fill(input_of(m_case, m_engine));
      return refused("", "wrong on purpose");
    }
    prepare();
    std::vector<std::string> able;
    if (m_case.is_functor()) {
      able.push_back("generic");
      if (m_case.is_iteration() && !m_engine.captures()) able.push_back("host_temporal");
    } else {
      able = m_engine.backends(m_case, m_buffers);
    }
    std::vector<std::string> const back = needs_way_back() ? m_engine.backends(m_case, m_buffers, true) : able;
    for (std::string const& name : able) {
      bool const both         = std::find(back.begin(), back.end(), name) != back.end();
      std::string const wrong = both ? run_on(name, able) : refused_way_back(name);
      if (!wrong.empty()) return "backend " + name + ": " + wrong;
    }
    if (m_case.unforced || m_case.is_functor()) {
      // What generic does for functors, kernels of CUDA's may do.
      if (m_case.is_functor() && m_engine.captures()) {
        // Where there is nothing to do none runs, whatever is forced.
        bool const nothing =
            m_case.range.begin[0] >= m_case.range.end[0] || (m_case.is_iteration() && m_case.steps == 0);
        for (char const* kernel : {"functor_points", "functor_direct", "functor_streaming", "functor_ring"}) {
          std::string const wrong = nothing ? "" : tried(kernel);
          if (!wrong.empty()) return std::string("backend ") + kernel + ": " + wrong;
          able.push_back(kernel);
        }
        if (m_case.is_iteration()) able.insert(able.end(), {"functor_temporal", "functor_patches"});
      }
      std::string const wrong = run_on("", able);
      if (!wrong.empty()) return "backend of the library's choice: " + wrong;
    }
    if (m_case.ask_refused) {
      std::vector<std::string> names = backend_names();
      names.push_back("no such backend");
      for (std::string const& name : names) {
        if (std::find(able.begin(), able.end(), name) != able.end()) continue;
        std::string const wrong = refused(name, "forced backend " + name + ", which cannot run this");
        if (!wrong.empty()) return wrong;
      }
    }
    return "";
  }

 private:
  /// Whether sweeps go from the second View to the first, whose strides are others.
  bool needs_way_back() const {
    return m_case.is_iteration() && !m_case.is_functor() && m_case.steps > 1 && m_case.in.stride != m_case.out.stride;
  }

  char* place(Memory const& memory, Image const& image) const {
    if (image.bytes() > static_cast<std::size_t>(memory.end() - memory.begin())) {
      throw std::logic_error("a case needs " + std::to_string(image.bytes()) + " bytes");
    }
    return m_case.fence_behind ? memory.end() - image.bytes() : memory.begin();
  }

  void prepare() {
    Field field = input_of(m_case, m_engine);
    Oracle const oracle(m_case, m_engine);
    m_states.push_back(oracle.start(field));
    std::vector<char> read(field.values.size(), 0);
    bool const keep = m_case.way == Way::until;
    for (int step = 0; step < m_case.steps; ++step) {
      State next = oracle.next(m_states.back(), step == 0 && m_case.forget_unread ? &read : nullptr);
      if (keep) m_changes.push_back(oracle.change(m_states.back(), next, m_case.until.norm));
      if (!keep) m_states.clear();
      m_states.push_back(std::move(next));
    }
    if (m_case.steps > 0 && m_case.forget_unread) {
      for (std::size_t p = 0; p < read.size(); ++p) {
        if (read[p] == 0) field.values[p] = Test::not_a_number();
      }
    }
    m_first.fill(field);
    if (m_case.updates()) {
      Field before = m_case.update.beta != 0.0 ? Test::filled(m_case.call.rank, m_case.call.extent, Data::random,
                                                              m_case.data_seed + 1, m_engine.rounding())
                                               : Field(m_case.call.rank, m_case.call.extent, Test::not_a_number());
      m_second.fill(before);
      m_states.back() = oracle.updated(m_states.back(), before);
    }
    if (keep) choose_tolerance();
  }

  void choose_tolerance() {
    m_case.until.tolerance = 0.0;
    if (m_case.stop == Stop::at_once) m_case.until.tolerance = 1e300;
    if (m_case.stop == Stop::between && !m_changes.empty()) {
      Change const& some   = m_changes[m_case.data_seed % m_changes.size()];
      double const between = 1.25 * static_cast<double>(some.value);
      if (std::isfinite(between)) m_case.until.tolerance = between;
    }
  }

  void upload() const {
    m_first.put(m_engine.in(), m_buffers.in);
    m_second.put(m_engine.out(), m_buffers.out);
  }

  /// Whether the library throws and leaves everything as it was.
  std::string refused(std::string const& backend, std::string const& what) {
    upload();
    Buffers buffers = m_buffers;
    if (m_case.wrong == Wrong::overlap) {
      std::int64_t const start = m_case.in.offset + m_case.wrong_offset - m_case.out.offset;
      buffers.out              = m_buffers.in + start * static_cast<std::int64_t>(m_engine.value_size());
    }
    try {
      m_engine.run(m_case, backend, buffers);
      return what + ": no error";
    } catch (Error const& error) {
      if (std::strstr(error.what(), "fuzz") == nullptr) return what + ": no label: " + error.what();
    }
    ++m_tally.refused;
    Image first = m_first, second = m_second;
    download(first, second);
    if (!first.same(m_first) || !second.same(m_second)) return what + ": memory changed in spite of the error";
    return "";
  }

  /// Where nothing has been run before and no capture is left open.
  std::string refused_way_back(std::string const& backend) {
    Case const kept    = m_case;
    m_case.first_steps = 0;
    if (m_case.way == Way::graph_steps) m_case.way = Way::plan_steps;
    std::string const wrong = refused(backend, "a forced backend that has no way back");
    m_case                  = kept;
    return wrong;
  }

  void download(Image& first, Image& second) const {
    first.get(m_engine.in(), m_buffers.in);
    second.get(m_engine.out(), m_buffers.out);
  }

  std::string run_on(std::string const& backend, std::vector<std::string> const& able) {
    Case given = m_case;
    upload();
    Ran const ran = m_engine.run(given, backend, m_buffers);
    ++m_tally.runs[m_engine.space() + " " + ran.backend + ", " + to_string(m_case.way)];
    // A call that begins at what was the output goes the other way, where another backend may be the fastest.
    bool const other_way = backend.empty() && m_case.first_steps % 2 == 1 && m_case.in.stride != m_case.out.stride;
    bool const is_able   = std::find(able.begin(), able.end(), ran.backend) != able.end();
    if (!other_way && (backend.empty() ? !is_able : ran.backend != backend)) {
      return "\"" + ran.backend + "\" ran instead";
    }
    if (!other_way && !ran.planned.empty() && ran.planned != ran.backend)
      return "the plan names \"" + ran.planned + "\"";
    if (!ran.handles_kept) return "u and tmp do not name the Views that were given";
    Image first = m_first, second = m_second;
    download(first, second);
    std::string wrong = m_case.is_iteration() ? check_iteration(ran, first, second) : check_sweep(first, second);
    if (!wrong.empty() || m_case.data_seed % 4 != 0) return wrong;
    // The same bits from run to run.
    upload();
    Ran const again   = m_engine.run(given, backend, m_buffers);
    Image first_again = m_first, second_again = m_second;
    download(first_again, second_again);
    bool const in_second = !m_case.is_iteration() || ran.swapped;
    bool const same      = in_second ? same_values(second, second_again) : same_values(first, first_again);
    return same && again.swapped == ran.swapped ? "" : "other bits at the second run";
  }

  /// The same for a backend that may refuse the case.
  std::string tried(std::string const& backend) {
    try {
      return run_on(backend, {});
    } catch (Error const& error) {
      if (std::strstr(error.what(), "cannot run") == nullptr) throw;
      ++m_tally.refused;
      return "";
    }
  }

  bool same_values(Image const& a, Image const& b) const {
    bool same         = true;
    Field const shape = extents_only();
    shape.each([&](Extents const& i) {
      same = same && (a.same_at(i, b) || (std::isnan(a.value(i)) && std::isnan(b.value(i))));
    });
    return same;
  }

  Field extents_only() const {
    Field shape;
    shape.rank   = m_case.call.rank;
    shape.extent = m_case.call.extent;
    return shape;
  }

  /// The points of the range against the reference.
  std::string compare(Image const& got, State const& state) {
    Field const shape  = extents_only();
    std::int64_t wrong = 0, points = 0, unchecked = 0;
    long double worst = -1.0L;
    std::string text;
    Field::each_in(m_case.range.begin, m_case.range.end, [&](Extents const& i) {
      std::size_t const p = shape.at(i);
      ++points;
      if (std::isinf(state.error[p])) ++unchecked;
      double const value = got.value(i);
      if (state.accepts(p, value)) return;
      ++wrong;
      long double const error = std::abs(value - state.value[p]);
      long double const bad   = std::isnan(error) ? HUGE_VALL : error;
      if (bad <= worst) return;
      worst = bad;
      std::ostringstream one;
      one.precision(17);
      one << "at " << index_text(m_case.call.rank, i) << " " << value << ", exact "
          << static_cast<double>(state.value[p]) << ", error " << static_cast<double>(error) << ", allowed "
          << static_cast<double>(state.error[p]);
      text = one.str();
    });
    m_tally.points += points;
    m_tally.unchecked += unchecked;
    if (wrong == 0) return "";
    return std::to_string(wrong) + " of " + std::to_string(points) + " points are wrong; the worst " + text;
  }

  std::string check_sweep(Image const& first, Image second) {
    if (!first.same(m_first)) return "the input changed, at element " + std::to_string(first.first_difference(m_first));
    std::string const wrong = compare(second, m_states.back());
    if (!wrong.empty()) return wrong;
    Field::each_in(m_case.range.begin, m_case.range.end, [&](Extents const& i) { second.take(i, m_second); });
    if (second.same(m_second)) return "";
    return "written outside the range, at element " + std::to_string(second.first_difference(m_second));
  }

  std::string check_iteration(Ran const& ran, Image first, Image second) {
    bool const nothing = m_case.range.begin[0] >= m_case.range.end[0];
    std::int64_t steps = m_case.steps;
    if (m_case.way == Way::until) {
      std::string const wrong = check_until(ran.until, nothing);
      if (!wrong.empty()) return wrong;
      steps = ran.until.steps;
    }
    if (nothing || steps == 0) {
      if (ran.swapped) return "nothing to do, but the handles changed places";
      if (!first.same(m_first) || !second.same(m_second)) return "nothing to do, but memory changed";
      return "";
    }
    Image const& newest = ran.swapped ? second : first;
    State const& state  = m_states[m_case.way == Way::until ? static_cast<std::size_t>(steps) : 0];
    std::string wrong   = compare(newest, state);
    if (!wrong.empty()) return wrong;
    Field const shape = extents_only();
    shape.each([&](Extents const& i) {
      if (m_case.range.contains(i) || !wrong.empty()) return;
      bool const kept = ran.swapped ? same_value(newest.value(i), m_first.value(i)) : first.same_at(i, m_first);
      if (!kept) wrong = "the point " + index_text(m_case.call.rank, i) + " outside the range changed";
    });
    if (!wrong.empty()) return wrong;
    shape.each([&](Extents const& i) {
      first.take(i, m_first);
      second.take(i, m_second);
    });
    if (!first.same(m_first))
      return "written between the values of u, at " + std::to_string(first.first_difference(m_first));
    if (!second.same(m_second)) {
      return "written between the values of tmp, at " + std::to_string(second.first_difference(m_second));
    }
    return "";
  }

  static bool same_value(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  }

  /// Whether the iteration stopped where it had to: the changes are known but for rounding.
  std::string check_until(UntilResult const& result, bool nothing) const {
    StoppingCriterion const& until = m_case.until;
    auto const number              = [](double x) {
      std::ostringstream text;
      text.precision(17);
      text << x;
      return text.str();
    };
    std::string const what = "stopped after " + std::to_string(result.steps) + " steps with a change of " +
                             number(result.update_norm) + (result.converged ? ", converged" : "") + ", tolerance " +
                             number(until.tolerance) + ": ";
    if (nothing || until.max_steps == 0) return result.steps == 0 ? "" : what + "there was nothing to do";
    bool const at_check = result.steps % until.check_every == 0 || result.steps == until.max_steps;
    if (result.steps < 1 || result.steps > until.max_steps || !at_check) return what + "no check is there";
    for (std::int64_t k = 1; k <= result.steps; ++k) {
      if (k % until.check_every != 0 && k != until.max_steps) continue;
      Change const& change   = m_changes[static_cast<std::size_t>(k - 1)];
      std::string const here = "the change of step " + std::to_string(k) + " is " +
                               number(static_cast<double>(change.value)) + " +- " +
                               number(static_cast<double>(change.error));
      if (std::isinf(change.error)) continue;
      bool const stops = std::isnan(change.value) || change.value + change.error <= until.tolerance;
      if (k < result.steps) {
        if (stops) return what + here;
        continue;
      }
      bool const equal = std::isnan(change.value)   ? std::isnan(result.update_norm)
                         : std::isinf(change.value) ? static_cast<long double>(result.update_norm) == change.value
                                                    : std::abs(result.update_norm - change.value) <= change.error;
      if (!equal) return what + here;
    }
    if (result.converged != (result.update_norm <= until.tolerance)) return what + "which is no convergence";
    if (!result.converged && !std::isnan(result.update_norm) && result.steps < until.max_steps) {
      return what + "it gave up before the last step";
    }
    return "";
  }

  Engine const& m_engine;
  Case& m_case;
  Tally& m_tally;
  Image m_first, m_second;  ///< as they are before the call
  Buffers m_buffers{};
  std::vector<State> m_states;  ///< the last; for iterate_until all
  std::vector<Change> m_changes;
};

}  // namespace

std::string check(Engine const& engine, Case c, Tally& tally) {
  try {
    return Check(engine, c, tally).run();
  } catch (std::exception const& error) {
    return std::string("an exception: ") + error.what();
  }
}

}  // namespace Fuzz
}  // namespace KokkosStencil
