// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.hpp"

#include <cstring>
#include <limits>

namespace perf {

namespace {

template <class T>
struct Fill {
  T* data;
  int bits;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    data[i] = static_cast<T>(static_cast<float>(input_value(static_cast<std::uint64_t>(i), bits)));
  }
};
template <>
struct Fill<double> {
  double* data;
  int bits;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { data[i] = input_value(static_cast<std::uint64_t>(i), bits); }
};

template <class T>
struct Poison {
  T* data;
  T nan;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { data[i] = nan; }
};

template <class T>
struct CountNan {
  T const* data;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    auto const x = static_cast<double>(static_cast<float>(data[i]));
    if (!(x == x)) ++count;
  }
};

template <class T>
struct Gather {
  T const* data;
  std::int64_t const* elements;
  double* values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if constexpr (std::is_same<T, double>::value) {
      values[i] = data[elements[i]];
    } else {
      values[i] = static_cast<double>(static_cast<float>(data[elements[i]]));
    }
  }
};

/// Sixteen bytes a work item on devices.
struct alignas(16) Piece {
  std::uint64_t part[2];
};
struct CopyPieces {
  Piece const* from;
  Piece* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// A chunk a thread on hosts.
struct CopyChunk {
  char const* from;
  char* to;
  std::size_t bytes, chunk;
  bool loop;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::size_t const begin = static_cast<std::size_t>(i) * chunk;
    std::size_t const size  = begin + chunk < bytes ? chunk : begin < bytes ? bytes - begin : 0;
    if (!loop) {
      std::memcpy(to + begin, from + begin, size);
      return;
    }
    auto const* const a = reinterpret_cast<double const*>(from + begin);
    auto* const b       = reinterpret_cast<double*>(to + begin);
    std::size_t const n = size / sizeof(double);
#pragma omp simd
    for (std::size_t k = 0; k < n; ++k) b[k] = a[k];
  }
};

template <class Space>
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// Calls f(T*) with the data; types a space lacks are never asked for.
template <class Space, class F>
void typed(void* data, Type type, F const& f) {
  if constexpr (!KokkosStencil::Impl::is_host_space<Space>()) {
    using H = ValueOf<Type::half>::type;
    using B = ValueOf<Type::bhalf>::type;
    if constexpr (!std::is_void<H>::value) {
      if (type == Type::half) return f(static_cast<H*>(data));
    }
    if constexpr (!std::is_void<B>::value) {
      if (type == Type::bhalf) return f(static_cast<B*>(data));
    }
  }
  if (type == Type::full) return f(static_cast<double*>(data));
  return f(static_cast<float*>(data));
}

}  // namespace

template <class Space>
void* Memory<Space>::allocate(std::size_t bytes) {
  return Kokkos::kokkos_malloc<typename Space::memory_space>("perf_tests", bytes);
}

template <class Space>
void Memory<Space>::release(void* data) {
  Kokkos::kokkos_free<typename Space::memory_space>(data);
}

template <class Space>
void Memory<Space>::fence() {
  Space().fence();
}

template <class Space>
void Memory<Space>::fill(void* data, std::int64_t elements, Type type) {
  int const bits = input_bits(bytes_of(type), type == Type::bhalf);
  typed<Space>(data, type, [&](auto* p) {
    using T = std::remove_pointer_t<decltype(p)>;
    Kokkos::parallel_for("perf fill", Range<Space>(0, elements), Fill<T>{p, bits});
  });
  fence();
}

template <class Space>
void Memory<Space>::poison(void* data, std::int64_t elements, Type type) {
  typed<Space>(data, type, [&](auto* p) {
    using T = std::remove_pointer_t<decltype(p)>;
    Kokkos::parallel_for("perf poison", Range<Space>(0, elements),
                         Poison<T>{p, static_cast<T>(std::numeric_limits<float>::quiet_NaN())});
  });
  fence();
}

template <class Space>
std::int64_t Memory<Space>::count_nan(void const* data, std::int64_t elements, Type type) {
  std::int64_t count = 0;
  typed<Space>(const_cast<void*>(data), type, [&](auto* p) {
    using T = std::remove_pointer_t<decltype(p)>;
    Kokkos::parallel_reduce("perf count", Range<Space>(0, elements), CountNan<T>{p}, count);
  });
  return count;
}

template <class Space>
std::vector<double> Memory<Space>::values_at(void const* data, std::vector<std::int64_t> const& elements, Type type) {
  using Place = typename Space::memory_space;
  Kokkos::View<std::int64_t*, Place> where("perf where", elements.size());
  Kokkos::View<double*, Place> values("perf values", elements.size());
  auto const host_where = Kokkos::create_mirror_view(where);
  for (std::size_t i = 0; i < elements.size(); ++i) host_where(i) = elements[i];
  Kokkos::deep_copy(where, host_where);
  typed<Space>(const_cast<void*>(data), type, [&](auto* p) {
    using T = std::remove_pointer_t<decltype(p)>;
    Kokkos::parallel_for("perf gather", Range<Space>(0, static_cast<std::int64_t>(elements.size())),
                         Gather<T>{p, where.data(), values.data()});
  });
  fence();
  auto const host_values = Kokkos::create_mirror_view(values);
  Kokkos::deep_copy(host_values, values);
  return std::vector<double>(host_values.data(), host_values.data() + elements.size());
}

template <class Space>
void Memory<Space>::copy(void* to, void const* from, std::size_t bytes) {
  stream(0, to, from, bytes);
  fence();
}

template <class Space>
std::vector<std::string> Memory<Space>::copy_ways() {
  return KokkosStencil::Impl::is_host_space<Space>() ? std::vector<std::string>{"memcpy", "loop"}
                                                     : std::vector<std::string>{"deep_copy", "kernel"};
}

template <class Space>
void Memory<Space>::stream(int way, void* to, void const* from, std::size_t bytes) {
  if constexpr (KokkosStencil::Impl::is_host_space<Space>()) {
    std::int64_t const threads = Space().concurrency();
    std::size_t const chunk    = (bytes / static_cast<std::size_t>(threads) + 4095) / 4096 * 4096;
    Kokkos::parallel_for("perf copy", Range<Space>(0, threads),
                         CopyChunk{static_cast<char const*>(from), static_cast<char*>(to), bytes, chunk, way == 1});
  } else {
    if (way == 1 && bytes % sizeof(Piece) == 0) {
      Kokkos::parallel_for("perf copy", Range<Space>(0, static_cast<std::int64_t>(bytes / sizeof(Piece))),
                           CopyPieces{static_cast<Piece const*>(from), static_cast<Piece*>(to)});
    } else {
      using View = Kokkos::View<char*, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      Kokkos::deep_copy(Space(), View(static_cast<char*>(to), bytes),
                        View(static_cast<char*>(const_cast<void*>(from)), bytes));
    }
  }
}

template class Memory<Device>;
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template class Memory<Host>;
#endif

}  // namespace perf
