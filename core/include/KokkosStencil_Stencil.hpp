// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Terms.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace KokkosStencil {

/// A linear stencil as data: v(i) = sum over its terms of coefficient * u(i + offset).
///
/// Any set of offsets, any radius up to 2^31 - 1 (Error beyond), rank 1 to 3. Terms are kept sorted by offset (first
/// axis slowest); coefficients of equal offsets are added up, and a term whose coefficient is zero is dropped, so that
/// it is not part of the stencil's reach. Copies are cheap: they share their terms.
///
/// T is the type of the coefficients, float or double. For half_t and bhalf_t Views use float.
template <class T, int Rank>
class Stencil {
  static_assert(Rank >= 1 && Rank <= 3, "KokkosStencil: a Stencil has rank 1, 2 or 3.");
  static_assert(std::is_same<T, float>::value || std::is_same<T, double>::value,
                "KokkosStencil: the coefficients of a Stencil are float or double; for half_t and bhalf_t "
                "Views use Stencil<float, Rank>.");

 public:
  using value_type          = T;
  using offset_type         = std::array<int, static_cast<std::size_t>(Rank)>;
  static constexpr int rank = Rank;

  struct Term {
    offset_type offset;
    T coefficient;
  };

  /// A stencil without terms: its result is zero.
  Stencil() : Stencil(std::vector<KokkosStencil::Term>{}, 0) {}
  Stencil(std::initializer_list<Term> terms) : Stencil(widen(terms.begin(), terms.size()), 0) {}
  explicit Stencil(std::vector<Term> const& terms) : Stencil(widen(terms.data(), terms.size()), 0) {}

  /// Number of terms.
  std::size_t size() const { return m_terms->size(); }

  /// Term `k`; throws Error unless k < size().
  Term term(std::size_t k) const {
    if (k >= size()) {
      throw Error("KokkosStencil::Stencil: no such term: " + std::to_string(k) + "; there are " +
                  std::to_string(size()) + ".");
    }
    KokkosStencil::Term const& wide = (*m_terms)[k];
    Term t{};
    for (std::size_t axis = 0; axis < Rank; ++axis) t.offset[axis] = wide.offset[axis];
    t.coefficient = static_cast<T>(wide.coefficient);
    return t;
  }

  /// Every term, sorted by offset.
  std::vector<Term> terms() const {
    std::vector<Term> all;
    all.reserve(size());
    for (std::size_t k = 0; k < size(); ++k) all.push_back(term(k));
    return all;
  }

  /// Smallest offset along an axis, at most 0. Throws Error, as upper does, if there is no such axis.
  int lower(int axis) const { return reach(axis, -1); }
  /// Largest offset along an axis, at least 0.
  int upper(int axis) const { return reach(axis, +1); }
  /// Largest distance along any axis.
  int radius() const {
    int r = 0;
    for (int axis = 0; axis < Rank; ++axis) {
      if (-lower(axis) > r) r = -lower(axis);
      if (upper(axis) > r) r = upper(axis);
    }
    return r;
  }

  /// This stencil applied `times` times in a row, as one stencil (times >= 0; 0 gives the identity).
  /// Coefficients are convolved in extended precision and rounded to T once. Away from the faces one
  /// sweep of the result equals `times` sweeps of this stencil.
  Stencil fused(int times) const { return Stencil(Impl::power(*m_terms, times, std::is_same<T, float>::value), 0); }

  /// This stencil applied to the result of `inner`, as one stencil.
  Stencil compose(Stencil const& inner) const {
    return Stencil(Impl::compose(*m_terms, *inner.m_terms, std::is_same<T, float>::value), 0);
  }

  friend bool operator==(Stencil const& a, Stencil const& b) { return *a.m_terms == *b.m_terms; }
  friend bool operator!=(Stencil const& a, Stencil const& b) { return !(a == b); }

  /// The terms as the library keeps them. Not for applications.
  std::shared_ptr<std::vector<KokkosStencil::Term> const> const& impl_terms() const { return m_terms; }

  /// For the factories of this header. Not for applications.
  static Stencil impl_make(std::vector<KokkosStencil::Term> terms) { return Stencil(std::move(terms), 0); }

 private:
  Stencil(std::vector<KokkosStencil::Term> terms, int) {
    Impl::normalize(terms);
    m_terms = std::make_shared<std::vector<KokkosStencil::Term> const>(std::move(terms));
  }

  static std::vector<KokkosStencil::Term> widen(Term const* terms, std::size_t count) {
    std::vector<KokkosStencil::Term> wide(count);
    for (std::size_t k = 0; k < count; ++k) {
      wide[k].offset = {0, 0, 0};
      for (std::size_t axis = 0; axis < Rank; ++axis) wide[k].offset[axis] = terms[k].offset[axis];
      wide[k].coefficient = static_cast<double>(terms[k].coefficient);
    }
    return wide;
  }

  int reach(int axis, int sign) const {
    if (axis < 0 || axis >= Rank) {
      throw Error("KokkosStencil::Stencil: no such axis: " + std::to_string(axis) + "; those of " +
                  std::to_string(Rank) + "-D are 0 to " + std::to_string(Rank - 1) + ".");
    }
    int r = 0;
    for (KokkosStencil::Term const& t : *m_terms) {
      int const d = t.offset[static_cast<std::size_t>(axis)];
      if (sign * d > sign * r) r = d;
    }
    return r;
  }

  std::shared_ptr<std::vector<KokkosStencil::Term> const> m_terms;
};

namespace Impl {
template <class F>
constexpr bool is_stencil = false;
template <class T, int Rank>
constexpr bool is_stencil<Stencil<T, Rank>> = true;

template <class T>
std::vector<double> to_double(T const* values, std::size_t count) {
  return std::vector<double>(values, values + count);
}
}  // namespace Impl

/// A star: the centre and the points along the axes.
/// `coefficients` holds radius + 1 values (by distance from the centre) or 2 Rank radius + 1 values (per
/// direction: the centre; then for each axis the distances 1 to radius towards smaller indices, then
/// towards larger ones). Throws Error for any other count.
template <int Rank, class T>
Stencil<T, Rank> star(int radius, std::vector<T> const& coefficients) {
  auto const wide = Impl::to_double(coefficients.data(), coefficients.size());
  return Stencil<T, Rank>::impl_make(Impl::star_terms(Rank, radius, wide.data(), wide.size()));
}
template <int Rank, class T>
Stencil<T, Rank> star(int radius, std::initializer_list<T> coefficients) {
  return star<Rank>(radius, std::vector<T>(coefficients));
}

/// A box: every point at most `radius` away along each axis. `weights` holds (2 radius + 1)^Rank values,
/// row-major (the last axis fastest). Throws Error for any other count.
template <int Rank, class T>
Stencil<T, Rank> box(int radius, std::vector<T> const& weights) {
  auto const wide = Impl::to_double(weights.data(), weights.size());
  return Stencil<T, Rank>::impl_make(Impl::box_terms(Rank, radius, wide.data(), wide.size()));
}
template <int Rank, class T>
Stencil<T, Rank> box(int radius, std::initializer_list<T> weights) {
  return box<Rank>(radius, std::vector<T>(weights));
}

}  // namespace KokkosStencil
