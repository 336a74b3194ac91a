// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Family.hpp"
#include "../harness/Reference.hpp"
#include "../harness/RunnerOf.hpp"
#include "../harness/Spaces.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

/// What all functors of a family compute: sums of terms that are known at run time, of two fields.
template <class T, int Rank>
struct Mix {
  static constexpr int most = 5;
  int count[2]              = {0, 0};
  int offset[2][most][Rank] = {};
  T coefficient[2][most]    = {};
  bool by_index             = false;  ///< something is added where the sum of the indices is odd

  /// To [-32, 32), exactly: nothing grows.
  KOKKOS_FUNCTION static T wrap(T x) {
    int const n = static_cast<int>(x) + 32;
    return static_cast<T>((n % 64 + 64) % 64 - 32);
  }

  template <class N>
  KOKKOS_FUNCTION T sum(int field, N const& n) const {
    T s = 0;
    for (int k = 0; k < count[field]; ++k) {
      s += coefficient[field][k] * read(n, offset[field][k], std::make_integer_sequence<int, Rank>());
    }
    int odd = 0;
    for (int a = 0; a < Rank; ++a) odd ^= static_cast<int>(n.index(a) % 2);
    return by_index && odd != 0 ? s + T(3) : s;
  }
  template <class N>
  KOKKOS_FUNCTION static T here(N const& n) {
    int const none[Rank] = {};
    return read(n, none, std::make_integer_sequence<int, Rank>());
  }

 private:
  template <class N, int... A>
  KOKKOS_FUNCTION static T read(N const& n, int const (&d)[Rank], std::integer_sequence<int, A...>) {
    return n(d[A]...);
  }
};

// The family.
template <class T, int Rank>
struct OneField {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION T operator()(N const& u) const {
    return m.wrap(m.sum(0, u));
  }
};
template <class T, int Rank>
struct ThreeFields {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION T operator()(N const& u, N const& v, N const& k) const {
    return m.wrap(m.sum(0, u) + m.sum(1, v) + m.here(k) * m.here(u));
  }
};
/// By reference, under a mask.
template <class T, int Rank>
struct AddWhere {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, N const& k, T& out) const {
    if (m.here(k) >= T(0)) out = m.wrap(out + m.sum(0, u));
  }
};
/// Two outputs, the second of which is an input too.
template <class T, int Rank>
struct TwoOutputs {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, N const& v, N const& w, T& x, T& y) const {
    x = m.wrap(m.sum(0, u) - m.here(w));
    y = m.wrap(y + m.sum(1, v) + m.here(w));
  }
};
template <class T, int Rank>
struct Reducing {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, N const& k, T& out, double& sum, double& largest) const {
    out = m.wrap(out + m.sum(0, u));
    sum += static_cast<double>(out * m.here(k));
    largest = largest < static_cast<double>(out) ? static_cast<double>(out) : largest;
  }
};
template <class T, int Rank>
struct OnlyReducing {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, N const& v, double& sum) const {
    sum += static_cast<double>(m.wrap(m.sum(0, u) + m.sum(1, v)));
  }
};
/// Two states and a constant.
template <class T, int Rank>
struct System {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, N const& k, T& next_a, T& next_b) const {
    next_a = m.wrap(m.sum(0, a) + m.here(b));
    next_b = m.wrap(next_b + m.sum(1, b) - m.here(k) + m.here(a));
  }
};
/// Of levels in time.
template <class T, int Rank>
struct NextLevel {
  Mix<T, Rank> m;
  template <class N>
  KOKKOS_FUNCTION T operator()(N const& u, N const& before, N const& k) const {
    return m.wrap(m.sum(0, u) - m.here(before) + m.here(k));
  }
};

/// What a functor sees in the plain loops.
template <class T>
struct Seen {
  Test::Field const& field;
  Test::Ghosts const& ghosts;
  Test::Extents point;

  template <class... D>
  T operator()(D... d) const {
    std::array<int, 3> offset{{0, 0, 0}};
    std::size_t a = 0;
    ((offset[a++] = d), ...);
    return static_cast<T>(ghosts.read(field, point, offset));
  }
  std::int64_t index(int a) const { return point[static_cast<std::size_t>(a)]; }
};

/// Reach: that of the first field; the second one is read a point far.
template <class Exec, class T, int Rank, class Layout, int Reach>
class FamilyOf final : public Family {
  using Extents = Test::Extents;
  using Field   = Test::Field;
  using View    = Kokkos::View<typename Test::Pointer<T, Rank>::type, Layout, typename Exec::memory_space>;
  using Store   = Test::Store<Exec, T>;
  enum class Form { one, three, add, in_place, two, reduce, only_reduce, plain_steps, steps, until, levels };
  static constexpr int forms = 11;

 public:
  std::string name() const override {
    return std::string(Exec::name()) + " functors " + (sizeof(T) == 8 ? "double " : "float ") + std::to_string(Rank) +
           "-D";
  }

  std::string run(Random& random, std::function<void(std::string const&)> const& tell,
                  std::vector<std::string>& ran) const override {
    Problem const p = make(random);
    tell(p.text);
    if (Test::mirror_meets_halo(p.call)) return "";
    std::vector<std::string> backends{"", "generic"};
    bool const iterates = p.form == Form::steps || p.form == Form::until || p.form == Form::plain_steps;
    if (iterates && Impl::is_host_space<Exec>()) {
      // The fields are small: so is the cache.
      Impl::set_host_pass_cache(std::int64_t(1) << random.small(12, 18));
      backends.push_back("host_temporal");
    } else if (iterates) {
      // Few sweeps may be faster one by one, so that nothing but force shows passes of every depth.
      backends.push_back("functor_patches");
      backends.push_back("functor_temporal");
      Impl::set_padded_tiles(random.small(0, 1) == 1);
    }
    std::string wrong;
    for (std::string const& backend : backends) {
      std::string found;
      try {
        found = run_on(p, backend);
      } catch (Error const& e) {
        // Too few points for a patch or a tile, a rule or a type that it does not know.
        if (backend.rfind("functor_", 0) != 0 || std::string(e.what()).find(backend) == std::string::npos) throw;
        continue;
      }
      ran.push_back(std::string(Exec::name()) + " " + last_backend() + " functor: " + name_of(p.form));
      if (!found.empty()) wrong += (wrong.empty() ? "" : "; ") + ("backend \"" + backend + "\": " + found);
    }
    return wrong;
  }

 private:
  struct Problem {
    Form form;
    Test::Call call;
    Mix<T, Rank> mix;
    Test::Layout layout;
    int shift, steps, check_every;
    unsigned seed;
    std::string text;
  };

  static char const* name_of(Form form) {
    switch (form) {
      case Form::one: return "one field";
      case Form::three: return "three fields";
      case Form::add: return "added under a mask";
      case Form::in_place: return "in place";
      case Form::two: return "two outputs";
      case Form::reduce: return "reduction";
      case Form::only_reduce: return "reduction alone";
      case Form::plain_steps: return "iterate of one field";
      case Form::steps: return "iterate";
      case Form::until: return "iterate_until";
      case Form::levels: return "iterate of levels";
    }
    return "?";
  }

  static Problem make(Random& random) {
    Problem p{};
    p.form         = static_cast<Form>(random.small(0, forms - 1));
    p.call.rank    = Rank;
    int const most = Rank == 1 ? 700 : Rank == 2 ? 90 : 34;
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      p.call.extent[a] = random.one_in(6) ? random.small(1, 2 * Reach + 2) : random.small(1, most);
    }
    // The window: as far as the first field is read.
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      for (int d : {-Reach, Reach}) {
        Test::Term term{{{0, 0, 0}}, 1.0};
        term.offset[a] = d;
        p.call.terms.push_back(term);
      }
    }
    auto const face = [&] {
      switch (random.small(0, 3)) {
        case 0: return Face::halo();
        case 1: return Face::value(random.small(-4, 4));
        case 2: return Face::mirror();
        default: return Face::edge();
      }
    };
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      if (random.one_in(3)) {
        p.call.faces[a] = {{Face::periodic(), Face::periodic()}};
      } else {
        p.call.faces[a] = {{face(), face()}};
      }
    }
    if (random.one_in(3)) {
      Test::Range const all = Test::written_range(p.call);
      p.call.whole          = false;
      for (std::size_t a = 0; a < 3; ++a) {
        p.call.begin[a] = all.begin[a] < all.end[a] ? random.between(all.begin[a], all.end[a] - 1) : all.begin[a];
        p.call.end[a]   = all.begin[a] < all.end[a] ? random.between(p.call.begin[a], all.end[a]) : all.begin[a];
      }
    }
    for (int f = 0; f < 2; ++f) {
      int const reach = f == 0 ? Reach : 1;
      p.mix.count[f]  = random.small(0, Mix<T, Rank>::most);
      for (int k = 0; k < p.mix.count[f]; ++k) {
        p.mix.coefficient[f][k] = static_cast<T>(random.small(-3, 3));
        for (int a = 0; a < Rank; ++a) p.mix.offset[f][k][a] = random.small(-reach, reach);
      }
    }
    p.mix.by_index = random.one_in(2);
    if (std::is_same<Layout, Kokkos::LayoutRight>::value) {
      p.layout = Test::Layout::right;
    } else if (std::is_same<Layout, Kokkos::LayoutLeft>::value) {
      p.layout = Test::Layout::left;
    } else {
      p.layout = random.pick({Test::Layout::right, Test::Layout::left, Test::Layout::padded, Test::Layout::padded_left,
                              Test::Layout::strided, Rank == 3 ? Test::Layout::middle : Test::Layout::strided});
    }
    p.shift       = random.one_in(2) ? 0 : random.small(0, 9);
    p.steps       = random.small(0, 9);
    p.check_every = random.small(1, 4);
    p.seed        = static_cast<unsigned>(random.between(1, 1 << 20));
    std::ostringstream text;
    text << name_of(p.form) << "; " << p.call.text() << "; layout " << int(p.layout) << " shift " << p.shift
         << "; reach " << Reach << "; " << p.steps << " steps, checks every " << p.check_every << "; data seed "
         << p.seed << "; " << (p.mix.by_index ? "by index; " : "") << "terms";
    for (int f = 0; f < 2; ++f) {
      for (int k = 0; k < p.mix.count[f]; ++k) {
        text << (f == 0 ? " u(" : " v(");
        for (int a = 0; a < Rank; ++a) text << (a > 0 ? "," : "") << p.mix.offset[f][k][a];
        text << ")*" << static_cast<double>(p.mix.coefficient[f][k]);
      }
    }
    p.text = text.str();
    return p;
  }

  static Field integers(Problem const& p, unsigned which) {
    Field field(Rank, p.call.extent);
    std::uint64_t k = 0;
    for (double& x : field.values) x = static_cast<double>(Random(p.seed + which, k++).small(-8, 8));
    return field;
  }

  static std::string compare(char const* what, Field const& got, Field const& expected) {
    std::string wrong;
    got.each([&](Extents const& i) {
      if (!wrong.empty() || got(i) == expected(i)) return;
      std::ostringstream text;
      text << what << " at " << Test::index_text(Rank, i) << " is " << got(i) << " and not " << expected(i);
      wrong = text.str();
    });
    return wrong;
  }

  static std::string run_on(Problem const& p, std::string const& backend) {
    Exec const space;
    auto const policy   = Test::policy_of<Rank>(p.call, space, backend);
    auto const identity = [](double x) { return x; };
    Test::Ghosts const ghosts(p.call, identity);
    Test::Range const range  = Test::written_range(p.call);
    Test::Placement const at = Test::place(p.layout, Rank, p.call.extent, p.shift);
    Field u = integers(p, 0), v = integers(p, 1), k = integers(p, 2), w = integers(p, 3), x = integers(p, 4);
    Store su(space, at, &u), sv(space, at, &v), sk(space, at, &k), sw(space, at, &w), sx(space, at, &x);
    View vu = su.template view<View>(), vv = sv.template view<View>(), vk = sk.template view<View>(),
         vw = sw.template view<View>(), vx = sx.template view<View>();
    auto const see   = [&](Field const& f, Extents const& i) { return Seen<T>{f, ghosts, i}; };
    auto const each  = [&](auto const& f) { Field::each_in(range.begin, range.end, f); };
    auto const here  = [](Field& f, Extents const& i) -> double& { return f(i); };
    auto const first = reach<Reach>(vu);
    std::string wrong;
    auto const note = [&](std::string const& found) {
      if (wrong.empty()) wrong = found;
    };
    auto const number = [&](char const* what, double got, double expected) {
      std::ostringstream text;
      text << what << " is " << got << " and not " << expected;
      if (got != expected) note(text.str());
    };
    Mix<T, Rank> const& m = p.mix;
    bool swapped          = false;  // the handles u and w have changed places

    switch (p.form) {
      case Form::one: {
        OneField<T, Rank> const f{m};
        parallel_for("fuzz", policy, f, first, vx);
        each([&](Extents const& i) { here(x, i) = f(see(u, i)); });
        break;
      }
      case Form::three: {
        ThreeFields<T, Rank> const f{m};
        parallel_for("fuzz", policy, f, fields(first, reach<1>(vv), vk), vx);
        each([&](Extents const& i) { here(x, i) = f(see(u, i), see(v, i), see(k, i)); });
        break;
      }
      case Form::add: {
        AddWhere<T, Rank> const f{m};
        parallel_for("fuzz", policy, f, fields(first, vk), vx);
        each([&](Extents const& i) {
          T out = static_cast<T>(x(i));
          f(see(u, i), see(k, i), out);
          here(x, i) = out;
        });
        break;
      }
      case Form::in_place: {
        NextLevel<T, Rank> const f{m};
        parallel_for("fuzz", policy, f, fields(first, vw, vk), vw);
        each([&](Extents const& i) { here(w, i) = f(see(u, i), see(w, i), see(k, i)); });
        break;
      }
      case Form::two: {
        TwoOutputs<T, Rank> const f{m};
        parallel_for("fuzz", policy, f, fields(first, reach<1>(vv), vw), fields(vx, vw));
        each([&](Extents const& i) {
          T a = static_cast<T>(x(i)), b = static_cast<T>(w(i));
          f(see(u, i), see(v, i), see(w, i), a, b);
          here(x, i) = a;
          here(w, i) = b;
        });
        break;
      }
      case Form::reduce: {
        Reducing<T, Rank> const f{m};
        double sum = 5.0, largest = 7.0, expected_sum = 0.0, expected_largest = std::numeric_limits<double>::lowest();
        parallel_reduce("fuzz", policy, f, fields(first, vk), vx, Kokkos::Sum<double>(sum),
                        Kokkos::Max<double>(largest));
        each([&](Extents const& i) {
          T out = static_cast<T>(x(i));
          f(see(u, i), see(k, i), out, expected_sum, expected_largest);
          here(x, i) = out;
        });
        number("the sum", sum, expected_sum);
        number("the largest value", largest, expected_largest);
        break;
      }
      case Form::only_reduce: {
        OnlyReducing<T, Rank> const f{m};
        double expected = 0.0, got = 3.0;
        Kokkos::View<double, typename Exec::memory_space> const result("sum");
        parallel_reduce("fuzz", policy.radius(Reach), f, fields(vu, reach<1>(vv)), result);
        Kokkos::deep_copy(space, got, result);
        each([&](Extents const& i) { f(see(u, i), see(v, i), expected); });
        number("the sum", got, expected);
        break;
      }
      case Form::plain_steps: {
        OneField<T, Rank> const f{m};
        View a = vu, b = vw;
        iterate("fuzz", policy.radius(Reach), f, p.steps, a, b);
        swapped = a.data() == vw.data();
        for (int step = 0; step < p.steps; ++step) {
          Field const before = u;
          each([&](Extents const& i) { here(u, i) = f(see(before, i)); });
        }
        break;
      }
      case Form::steps: {
        System<T, Rank> const f{m};
        View a = vu, a2 = vw, b = vv, b2 = vx;
        iterate("fuzz", policy, f, p.steps, state<Reach>(a, a2), state<1>(b, b2), constants(vk));
        swapped = a.data() == vw.data();
        if (swapped != (b.data() == vx.data())) note("only one of two states changed its Views");
        for (int step = 0; step < p.steps; ++step) {
          Field const old_u = u, old_v = v;
          each([&](Extents const& i) {
            T next_a = static_cast<T>(old_u(i)), next_b = static_cast<T>(old_v(i));
            f(see(old_u, i), see(old_v, i), see(k, i), next_a, next_b);
            here(u, i) = next_a;
            here(v, i) = next_b;
          });
        }
        break;
      }
      case Form::until: {
        OneField<T, Rank> const f{m};
        View a = vu, b = vw;
        UntilResult const got =
            iterate_until("fuzz", policy, f, StoppingCriterion{0.0, p.steps, p.check_every}, state<Reach>(a, b));
        swapped       = a.data() == vw.data();
        int done      = 0;
        double change = 0.0;
        for (bool stop = false; done < p.steps && !stop;) {
          Field const before = u;
          change             = 0.0;
          each([&](Extents const& i) {
            here(u, i) = f(see(before, i));
            change     = std::max(change, std::abs(u(i) - before(i)));
          });
          ++done;
          stop = (done % p.check_every == 0 || done == p.steps) && change == 0.0;
        }
        bool const empty = range.begin == range.end;
        number("the number of steps", static_cast<double>(got.steps), empty ? static_cast<double>(got.steps) : done);
        if (p.steps > 0 && !empty) number("the last change", got.update_norm, change);
        break;
      }
      case Form::levels: {
        NextLevel<T, Rank> const f{m};
        View a = vu, b = vw;
        iterate("fuzz", policy, f, p.steps, levels<Reach>(a, b), constants(vk));
        if ((a.data() == vw.data()) != (p.steps % 2 != 0)) note("the handles are not where they should be");
        for (int step = 0; step < p.steps; ++step) {
          Field &newest = step % 2 == 0 ? u : w, &older = step % 2 == 0 ? w : u;
          each([&](Extents const& i) { here(older, i) = f(see(newest, i), see(older, i), see(k, i)); });
        }
        break;
      }
    }

    bool intact       = true;
    Field const got_u = su.read(intact), got_v = sv.read(intact), got_k = sk.read(intact), got_w = sw.read(intact),
                got_x = sx.read(intact);
    if (!intact) note("something was written outside the Views");
    note(compare("a constant field", got_k, k));
    bool const states = p.form == Form::plain_steps || p.form == Form::steps || p.form == Form::until;
    // Of a state the other View is not specified.
    note(compare("the first field", states && swapped ? got_w : got_u, u));
    note(compare("the second field", p.form == Form::steps && swapped ? got_x : got_v, v));
    if (!states) note(compare("the field in place", got_w, w));
    if (p.form != Form::steps) note(compare("the output", got_x, x));
    return wrong;
  }
};

/// Two layouts, each with a reach of its own. On devices kernels take long to compile: there the second one is enough,
/// which holds for any strides, of some ranks for each type.
template <class Exec, class T, class Layout, int Reach, class Strided, int StridedReach>
void add_families(Families& all) {
  constexpr bool host = Impl::is_host_space<Exec>(), wide = sizeof(T) == 8;
  if constexpr (host) {
    all.push_back(std::make_unique<FamilyOf<Exec, T, 1, Layout, Reach> const>());
    all.push_back(std::make_unique<FamilyOf<Exec, T, 2, Layout, Reach> const>());
    all.push_back(std::make_unique<FamilyOf<Exec, T, 3, Layout, Reach> const>());
  }
  if constexpr (host || wide) all.push_back(std::make_unique<FamilyOf<Exec, T, 1, Strided, StridedReach> const>());
  if constexpr (host || !wide) all.push_back(std::make_unique<FamilyOf<Exec, T, 2, Strided, StridedReach> const>());
  if constexpr (host || wide) all.push_back(std::make_unique<FamilyOf<Exec, T, 3, Strided, StridedReach> const>());
}

}  // namespace Fuzz
}  // namespace KokkosStencil
