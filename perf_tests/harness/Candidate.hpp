// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Views.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace perf {

using Device = Kokkos::DefaultExecutionSpace;
using Host   = Kokkos::DefaultHostExecutionSpace;

/// Thrown while a candidate is made: it cannot run this, which is no error.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One way to run one case. Fields are contiguous and row-major; `u` holds the input, and points that a
/// sweep does not write agree in u and v.
class Candidate {
 public:
  virtual ~Candidate() = default;
  /// Enqueues one run of the case's steps, from the state the last run left; returns where the newest
  /// state is.
  virtual void* run() = 0;
  /// What ran, for the benchmark's label.
  virtual std::string label() const = 0;
  /// Forgets earlier runs: the next one starts from u.
  virtual void reset() {}
};

struct Fields {
  void* u;
  void* v;
};

/// The C++ types of the value types; void where this Kokkos has none.
template <Type>
struct ValueOf;
template <>
struct ValueOf<Type::full> {
  using type = double;
};
template <>
struct ValueOf<Type::single> {
  using type = float;
};
template <>
struct ValueOf<Type::half> {
#ifdef KOKKOSSTENCIL_IMPL_HAS_HALF
  using type = Kokkos::Experimental::half_t;
#else
  using type = void;
#endif
};
template <>
struct ValueOf<Type::bhalf> {
#ifdef KOKKOSSTENCIL_IMPL_HAS_BHALF
  using type = Kokkos::Experimental::bhalf_t;
#else
  using type = void;
#endif
};

/// Whether a space can hold and compute a type. Half types are measured on devices only: hosts emulate them.
template <class Space>
bool has_type(Type type) {
  if (type == Type::single || type == Type::full) return true;
  if (KokkosStencil::Impl::is_host_space<Space>()) return false;
  return type == Type::half ? !std::is_void<ValueOf<Type::half>::type>::value
                            : !std::is_void<ValueOf<Type::bhalf>::type>::value;
}

/// The library through its public interface; `backend` empty leaves the choice to it.
template <class Space>
std::unique_ptr<Candidate> make_library(Case const& c, Fields fields, std::string const& backend);

/// The three ways of a case with checks: "iterate" makes its sweeps at once, "until" by iterate_until, and "sweeps" one
/// by one.
template <class Space>
std::unique_ptr<Candidate> make_way(Case const& c, Fields fields, std::string const& way);

/// Many sweeps as so many launches of cuda_direct, captured into a graph once and replayed.
template <class Space>
std::unique_ptr<Candidate> make_graph(Case const& c, Fields fields);

/// The library's backends that can run a case.
template <class Space>
std::vector<std::string> runnable_backends(Case const& c);

/// What the accuracy contract allows one run of the case, as a multiple of S.
double contract_bound(Case const& c);

/// A kernel in Kokkos::MDRangePolicy (RangePolicy in 1-D) as a user writes it; `best` tries tiles.
template <class Space>
std::unique_ptr<Candidate> make_mdrange(Case const& c, Fields fields, bool best);
bool has_mdrange(Case const& c);

/// Loops with `#pragma omp simd`, under `#pragma omp parallel for` where OpenMP is on.
std::unique_ptr<Candidate> make_host_loops(Case const& c, Fields fields);
bool has_host_loops(Case const& c);

/// Kernels of textbooks, "textbook_naive" and so on: for float, stars of radius 1 and 2 in 2-D and of radius 1 in 3-D.
std::vector<std::string> textbooks_of(Case const& c);
std::unique_ptr<Candidate> make_textbook(Case const& c, Fields fields, std::string const& name);

/// "cuda_tensor", the dense twin of cuda_sparse_tensor: what sparse tensor cores give.
std::unique_ptr<Candidate> make_dense_twin(Case const& c, Fields fields);
bool has_dense_twin(Case const& c);

/// Stencils that are code, the cases of the suite `functor`: who can run one, and each of them.
template <class Space>
std::vector<std::string> code_candidates(Case const& c);
std::unique_ptr<Candidate> make_code(Case const& c, std::string const& name);

/// cuDNN's convolution.
std::unique_ptr<Candidate> make_cudnn(Case const& c, Fields fields);
bool has_cudnn(Case const& c);

}  // namespace perf
