// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Dispatch.hpp>

#include <KokkosStencil_Backend.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace KokkosStencil {

inline std::string text_of(Problem const& p) {
  std::ostringstream text;
  text << to_string(p.value_type);
  for (std::size_t a = 0; a < 3; ++a) {
    text << ", axis " << a << ": extent " << p.extent[a] << ", strides " << p.in_stride[a] << " " << p.out_stride[a]
         << ", range " << p.begin[a] << " to " << p.end[a] << ", reach " << p.lower[a] << " to " << p.upper[a];
  }
  text << ", " << p.terms.size() << " terms, " << p.steps << " steps";
  return text.str();
}

class Generator {
 public:
  explicit Generator(unsigned seed) : m_random(seed) {}

  /// Nothing where the range is empty or the boundary rules do not allow it.
  std::optional<Problem> next(std::string const& label, Impl::ViewInfo& in, Impl::ViewInfo& out) {
    constexpr ValueType types[] = {ValueType::float16, ValueType::bfloat16, ValueType::float32, ValueType::float64};
    Impl::ViewInfo view;
    view.rank       = between(1, 3);
    view.value_type = types[between(0, 3)];
    view.value_size = size_of(view.value_type);
    auto const last = at(view.rank - 1);
    // Some fill a GPU, a few have more points than 32 bits count.
    int const large = one_in(4) ? one_in(8) ? 2 : 1 : 0;
    int const most  = std::array<std::array<int, 3>, 3>{
         {{{60, 60, 60}}, {{30000000, 6000, 400}}, {{2147483647, 140000, 2600}}}}[at(large)][last];
    for (std::size_t a = 0; a <= last; ++a) view.extent[a] = between(5, most);
    if (large == 2) view.extent[last] *= 2;
    if (one_in(3)) view.extent[last] = std::max<std::int64_t>(16, view.extent[last] / 16 * 16);
    in = out         = view;
    int const layout = between(0, 7);
    place(in, layout, 0x700000000000);
    place(out, one_in(3) ? between(0, 7) : layout, 0x710000000000);

    Impl::PolicyInfo policy;
    policy.rank                     = view.rank;
    constexpr Accuracy accuracies[] = {Accuracy::native, Accuracy::native, Accuracy::relaxed, Accuracy::reproducible};
    policy.accuracy                 = accuracies[between(0, 3)];
    for (auto& faces : policy.faces) {
      Face const all[] = {Face::halo(), Face::periodic(), Face::mirror(), Face::edge(), Face::value(0.5)};
      faces[0] = faces[1] = all[between(0, 4)];
    }
    std::int64_t const steps = one_in(2) ? 1 : between(2, 30);
    try {
      Problem const p = Impl::make_problem(label, policy, terms(view.rank), in, out, steps);
      return p.points() > 0 ? std::optional<Problem>(p) : std::nullopt;
    } catch (Error const&) {
      return std::nullopt;
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  bool one_in(int n) { return between(1, n) == 1; }

  /// Rows or columns first, padded or not, any alignment.
  void place(Impl::ViewInfo& view, int layout, std::uintptr_t base) {
    std::vector<std::size_t> order;
    for (int a = view.rank - 1; a >= 0; --a) order.push_back(at(a));
    if (layout == 1 || layout == 4) std::reverse(order.begin(), order.end());
    if (layout == 6) std::swap(order.front(), order.back());
    std::int64_t const row     = view.extent[order.front()];
    std::int64_t const padding = std::array<std::int64_t, 8>{0, 0, 5, 12, 3, 1, 2, (16 - row % 16) % 16}[at(layout)];
    std::int64_t stride        = layout == 5 ? 3 : 1;
    view.stride                = {{0, 0, 0}};
    for (std::size_t a : order) {
      view.stride[a] = stride;
      stride         = stride * view.extent[a] + padding;
    }
    // Never read: there is no device.
    view.data = reinterpret_cast<void*>(base + at(view.value_size * (one_in(2) ? 0 : between(0, 63))));
  }

  /// A star, a box or anything.
  std::vector<KokkosStencil::Term> terms(int rank) {
    int const kind = between(0, 2), r = between(1, kind == 1 ? 3 : 8);
    std::set<std::array<int, 3>> offsets;
    std::array<int, 3> reach{{0, 0, 0}};
    for (int a = 0; a < rank; ++a) reach[at(a)] = kind == 1 && rank == 3 ? std::min(r, 2) : r;
    if (kind == 2) {
      for (int n = between(1, 20); n > 0; --n) {
        std::array<int, 3> offset{{0, 0, 0}};
        for (std::size_t a = 0; a < 3; ++a) offset[a] = between(-reach[a], reach[a]);
        offsets.insert(offset);
      }
    } else {
      for (int i = -reach[0]; i <= reach[0]; ++i) {
        for (int j = -reach[1]; j <= reach[1]; ++j) {
          for (int k = -reach[2]; k <= reach[2]; ++k) {
            if (kind == 1 || (i != 0) + (j != 0) + (k != 0) <= 1) offsets.insert({{i, j, k}});
          }
        }
      }
    }
    bool const exact = one_in(2);
    std::vector<KokkosStencil::Term> all;
    for (auto const& offset : offsets) {
      KokkosStencil::Term term{};
      term.offset      = offset;
      term.coefficient = exact ? 0.25 : 0.1 * between(1, 9);
      all.push_back(term);
    }
    return all;
  }

  std::mt19937 m_random;
};

}  // namespace KokkosStencil
