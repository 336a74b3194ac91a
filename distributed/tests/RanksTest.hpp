// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Distributed.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

// What the tests of the component share. Every process runs every test.

namespace KokkosStencil {
namespace Test {

using Exec    = Kokkos::DefaultExecutionSpace;
using Extents = std::array<std::int64_t, 3>;

template <class T, int Rank, class Layout>
using FieldOf = Kokkos::View<Impl::DataOf<T, Rank>, Layout, typename Exec::memory_space>;

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// The first so many processes; MPI_COMM_NULL on the others.
class Some {
 public:
  explicit Some(int processes) {
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < processes ? 0 : MPI_UNDEFINED, world_rank(), &m_comm);
  }
  ~Some() {
    if (m_comm != MPI_COMM_NULL) MPI_Comm_free(&m_comm);
  }
  Some(Some const&)            = delete;
  Some& operator=(Some const&) = delete;

  MPI_Comm comm() const { return m_comm; }

 private:
  MPI_Comm m_comm = MPI_COMM_NULL;
};

template <class View>
View make_field(Extents const& n) {
  auto const e = [&](std::size_t a) { return static_cast<std::size_t>(n[a]); };
  if constexpr (View::rank == 1) {
    return View("field", e(0));
  } else if constexpr (View::rank == 2) {
    return View("field", e(0), e(1));
  } else {
    return View("field", e(0), e(1), e(2));
  }
}

template <class View>
auto& point(View const& v, Extents const& i) {
  if constexpr (View::rank == 1) {
    return v(i[0]);
  } else if constexpr (View::rank == 2) {
    return v(i[0], i[1]);
  } else {
    return v(i[0], i[1], i[2]);
  }
}

template <class View>
auto host_copy(View const& view) {
  auto host = Kokkos::create_mirror(view);
  Kokkos::deep_copy(host, view);
  return host;
}

template <class View, class F>
void fill(View const& view, F const& f) {
  auto const host = Kokkos::create_mirror(view);
  Extents i{};
  for (i[0] = 0; i[0] < std::int64_t(view.extent(0)); ++i[0]) {
    for (i[1] = 0; i[1] < std::int64_t(view.extent(1)); ++i[1]) {
      for (i[2] = 0; i[2] < std::int64_t(view.extent(2)); ++i[2]) {
        point(host, i) = static_cast<typename View::non_const_value_type>(f(i));
      }
    }
  }
  Kokkos::deep_copy(view, host);
}

/// A value for every point of a field, of no pattern.
inline double noise(Extents const& i, int seed) {
  std::uint64_t h = static_cast<std::uint64_t>(seed) * 0x9E3779B97F4A7C15u;
  for (auto const k : i) {
    h = (h ^ static_cast<std::uint64_t>(k)) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 31;
  }
  return static_cast<double>(h >> 11) * 0x1p-52 - 1.0;
}

/// The points of this process are filled with what f says of their place in the whole field, the ghost layers with NaN.
template <int Rank, class View, class F>
void fill_owned(LocalBlock<Rank> const& block, View const& view, F const& f) {
  fill(view, [&](Extents i) {
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      std::int64_t const at = i[a] - block.first[a];
      if (at < 0 || at >= block.end[a] - block.begin[a]) return std::numeric_limits<double>::quiet_NaN();
      i[a] = at + block.begin[a];
    }
    return f(i);
  });
}

/// Points of this process that differ from those of the whole field by a bit.
template <int Rank, class Part, class Whole>
std::int64_t wrong_points(LocalBlock<Rank> const& block, Part const& part, Whole const& whole) {
  Extents n{{1, 1, 1}}, i{};
  for (std::size_t a = 0; a < std::size_t(Rank); ++a) n[a] = block.end[a] - block.begin[a];
  std::int64_t wrong = 0;
  for (i[0] = 0; i[0] < n[0]; ++i[0]) {
    for (i[1] = 0; i[1] < n[1]; ++i[1]) {
      for (i[2] = 0; i[2] < n[2]; ++i[2]) {
        Extents mine = i, all = i;
        for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
          mine[a] += block.first[a];
          all[a] += block.begin[a];
        }
        auto const have = point(part, mine), want = point(whole, all);
        if (std::memcmp(&have, &want, sizeof have) != 0) ++wrong;
      }
    }
  }
  return wrong;
}

/// The text of the Error that f throws.
template <class F>
std::string error_of(F const& f) {
  try {
    f();
  } catch (Error const& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace Test
}  // namespace KokkosStencil
