// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Group.hpp"

#include "Candidate.hpp"
#include "DeviceClock.hpp"
#include "Memory.hpp"
#include "Peaks.hpp"
#include "Reference.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

namespace perf {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The two fields of a space, kept from case to case and grown as needed.
template <class Space>
class Buffers {
 public:
  static Fields get(std::size_t bytes) {
    static Buffers buffers;
    if (bytes > buffers.m_bytes) {
      buffers.release();
      buffers.m_fields = {Memory<Space>::allocate(bytes), Memory<Space>::allocate(bytes)};
      buffers.m_bytes  = bytes;
    }
    return buffers.m_fields;
  }

 private:
  Buffers() {
    Kokkos::push_finalize_hook([this] { release(); });
  }
  void release() {
    if (m_bytes == 0) return;
    Memory<Space>::release(m_fields.u);
    Memory<Space>::release(m_fields.v);
    m_bytes = 0;
  }

  Fields m_fields{};
  std::size_t m_bytes = 0;
};

char const* const in_graph = "sweeps_in_graph";

bool is_textbook(std::string const& name) { return name.rfind("textbook_", 0) == 0; }

template <class Space>
std::unique_ptr<Candidate> make(Case const& c, Fields fields, std::string const& name) {
  if (c.code) return make_code(c, name);
  if (name == "kokkos_mdrange_default") return make_mdrange<Space>(c, fields, false);
  if (name == "kokkos_mdrange_best") return make_mdrange<Space>(c, fields, true);
  if (name == "openmp_simd") return make_host_loops(c, fields);
  if (name == "cudnn") return make_cudnn(c, fields);
  if (is_textbook(name)) return make_textbook(c, fields, name);
  if (name == "cuda_tensor") return make_dense_twin(c, fields);
  if (name == in_graph) return make_graph<Space>(c, fields);
  if (c.check > 0) return make_way<Space>(c, fields, name);
  return make_library<Space>(c, fields, name == "auto" ? "" : name);
}

bool is_rival(std::string const& name) {
  return name.rfind("kokkos_mdrange", 0) == 0 || name == "openmp_simd" || name == "cudnn" || is_textbook(name);
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// One run from fresh inputs against the reference; sets the error of the outcome if it is wrong.
template <class Space>
void check(Case const& c, Fields fields, std::vector<Sample> const& samples, Candidate& candidate, Outcome& outcome) {
  std::int64_t const n = c.allocated();
  Memory<Space>::fill(fields.u, n, c.type);
  // What nobody writes stays NaN. Many sweeps need the ghost values in both fields: the library's own
  // affair, but not that of rivals, nor where sweeps are made one by one.
  bool const sweeps =
      outcome.candidate == "sweeps" || outcome.candidate == "cuda_tensor" || outcome.candidate == in_graph;
  if (c.steps > 1 && (is_rival(outcome.candidate) || sweeps)) {
    Memory<Space>::copy(fields.v, fields.u, static_cast<std::size_t>(n) * static_cast<std::size_t>(bytes_of(c.type)));
  } else {
    Memory<Space>::poison(fields.v, n, c.type);
  }
  candidate.reset();
  void const* const result = candidate.run();
  Memory<Space>::fence();
  outcome.label = candidate.label();

  // What lies between rows is nobody's.
  std::int64_t const between  = result == fields.v ? n - c.elements() : 0;
  std::int64_t const nan      = Memory<Space>::count_nan(result, n, c.type);
  std::int64_t const expected = c.steps == 1 ? n - c.points() : between;
  if (nan != expected) {
    outcome.error = "wrong result: " + std::to_string(nan) + " points are NaN, " + std::to_string(expected) +
                    " expected (points left out, written outside the range, or spoilt)";
    return;
  }
  std::vector<std::int64_t> where;
  for (Sample const& s : samples) where.push_back(s.element);
  outcome.max_error  = max_error_over_scale(samples, Memory<Space>::values_at(result, where, c.type));
  double const bound = contract_bound(c);
  if (!(outcome.max_error <= bound)) {
    outcome.error =
        "wrong result: the largest error is " + number(outcome.max_error) + " S, allowed are " + number(bound) + " S";
  }
}

/// Single sweeps that take no longer than this wait for the host, or may: they are timed on the device alone, too.
constexpr double host_binds  = 20e-6;
constexpr int runs_on_device = 64;  // launches that the device surely holds

/// Whether a candidate is timed on the device alone.
template <class Space>
bool asks_device(Case const& c, double seconds) {
  if constexpr (KokkosStencil::Impl::is_host_space<Space>()) {
    return false;
  } else {
    return c.steps == 1 && seconds < host_binds && DeviceClock::instance() != nullptr;
  }
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Outcome::median_seconds() const { return median(seconds); }

double Outcome::spread() const {
  auto const [low, high] = std::minmax_element(seconds.begin(), seconds.end());
  return seconds.empty() ? 0.0 : (*high - *low) / median_seconds();
}

template <class Space>
std::vector<std::string> candidates_of(Case const& c) {
  std::vector<std::string> names;
  if (!has_type<Space>(c.type)) return names;
  if (c.code) return code_candidates<Space>(c);
  if (c.check > 0) return {"iterate", "until", "sweeps"};
  constexpr bool host = KokkosStencil::Impl::is_host_space<Space>();
  names               = runnable_backends<Space>(c);
  bool const plain    = c.faces == Faces::halo && c.contiguous();
  if (!host && (plain || c.faces == Faces::periodic) && c.sampled && has_dense_twin(c)) names.push_back("cuda_tensor");
  if (!host && plain && c.graph && c.steps % 2 == 0) names.push_back(in_graph);
  names.push_back("auto");
  // Rivals read ghost values in contiguous Views.
  if (c.rivals == Case::Rivals::none || !plain) return names;
  if (has_mdrange(c)) {
    if (c.kernel.rank > 1 && c.rivals == Case::Rivals::all) names.push_back("kokkos_mdrange_default");
    names.push_back("kokkos_mdrange_best");
  }
  if (host && has_host_loops(c)) names.push_back("openmp_simd");
  if (!host && has_cudnn(c)) names.push_back("cudnn");
  if (!host) {
    for (std::string const& name : textbooks_of(c)) names.push_back(name);
  }
  return names;
}

template <class Space>
void measure(Case const& c, std::vector<Outcome>& outcomes, Options const& options) {
  double const start  = now();
  auto const size     = static_cast<std::size_t>(bytes_of(c.type));
  auto const bytes    = static_cast<std::size_t>(c.allocated()) * size;
  auto const begin_of = [&](int field) { return static_cast<std::size_t>(c.columns[field]) * size; };
  Fields fields       = Buffers<Space>::get(bytes + std::max(begin_of(0), begin_of(1)));
  fields.u            = static_cast<char*>(fields.u) + begin_of(0);
  fields.v            = static_cast<char*>(fields.v) + begin_of(1);
  std::vector<Sample> samples;
  if (c.sampled && !c.code) samples = reference_samples(c, input_bits(bytes_of(c.type), c.type == Type::bhalf));

  std::vector<std::unique_ptr<Candidate>> candidates(outcomes.size());
  std::vector<std::size_t> order;
  std::vector<int> runs(outcomes.size(), 1);
  std::vector<bool> on_device(outcomes.size(), false);
  Memory<Space>::fill(fields.u, c.allocated(), c.type);
  Memory<Space>::copy(fields.v, fields.u, bytes);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    Outcome& outcome  = outcomes[k];
    std::string name  = outcome.candidate;
    outcome           = Outcome{};
    outcome.candidate = name;
    try {
      candidates[k] = make<Space>(c, fields, name);
      if (c.code) {
        // It has fields of its own and compares them itself.
        outcome.label = candidates[k]->label();
      } else {
        check<Space>(c, fields, samples, *candidates[k], outcome);
      }
      if (outcome.error.empty() && c.steps == 1 && !c.code && !is_rival(name)) {
        // The first one also loaded the kernels.
        double const begin   = now();
        candidates[k]        = make<Space>(c, fields, name);
        outcome.plan_seconds = now() - begin;
      }
    } catch (Unavailable const& e) {
      outcome.unavailable = true;
      outcome.error       = std::string("unavailable: ") + e.what();
    } catch (std::exception const& e) {
      outcome.error = e.what();
    }
    if (outcome.error.empty()) order.push_back(k);
  }
  if (order.empty()) return;

  Memory<Space>::fill(fields.u, c.allocated(), c.type);
  Memory<Space>::copy(fields.v, fields.u, bytes);
  for (std::size_t const k : order) {
    candidates[k]->reset();
    // The plan may have left the cache while the other candidates were checked.
    candidates[k]->run();
    Memory<Space>::fence();
    // Warm up and find how many runs a sample takes, so that the fences do not count.
    double seconds = 0.0;
    for (int count = 1;; count *= 4) {
      double const begin = now();
      for (int i = 0; i < count; ++i) candidates[k]->run();
      Memory<Space>::fence();
      seconds = (now() - begin) / count;
      if (seconds * count > 0.25e-3 * options.sample_ms || count >= 1024) break;
    }
    runs[k]      = static_cast<int>(std::min(4000.0, std::max(1.0, std::ceil(1e-3 * options.sample_ms / seconds))));
    on_device[k] = asks_device<Space>(c, seconds);
  }
  CopyMeter<Space>& meter = CopyMeter<Space>::instance();
  std::mt19937 random(1);
  for (int round = 0; round < options.samples; ++round) {
    if (round > 0 && options.case_seconds > 0.0 && now() - start > options.case_seconds) break;
    std::shuffle(order.begin(), order.end(), random);
    double const copy_rate = meter.sample();
    for (std::size_t const k : order) {
      // Slow candidates need fewer samples, and would take most of the time.
      double const sample = outcomes[k].median_seconds() * runs[k] / options.sample_ms;
      if ((round >= 3 && sample > 25e-3) || (round >= 1 && sample > 100e-3)) continue;
      Memory<Space>::fence();
      double const begin = now();
      for (int i = 0; i < runs[k]; ++i) candidates[k]->run();
      Memory<Space>::fence();
      outcomes[k].seconds.push_back((now() - begin) / runs[k]);
      outcomes[k].copy_rate.push_back(copy_rate);
      if (on_device[k]) {
        double const seconds = DeviceClock::instance()->seconds(runs_on_device, [&] { candidates[k]->run(); });
        on_device[k]         = seconds > 0.0;
        if (on_device[k]) outcomes[k].device.push_back(seconds);
      }
    }
  }
}

template std::vector<std::string> candidates_of<Device>(Case const&);
template void measure<Device>(Case const&, std::vector<Outcome>&, Options const&);
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template std::vector<std::string> candidates_of<Host>(Case const&);
template void measure<Host>(Case const&, std::vector<Outcome>&, Options const&);
#endif

}  // namespace perf
