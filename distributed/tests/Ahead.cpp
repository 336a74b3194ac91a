// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RanksTest.hpp"

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_StateOps.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

// Devices go on with the next sweeps while a norm is waited for. Here a backend on the host does so. The program has
// this test alone, since what is registered stays.

namespace KokkosStencil {
namespace Test {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using View = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

constexpr std::int64_t deep = 4;
bool going_ahead            = false;
int passes_ahead            = 0;

/// Passes of several sweeps that leave their input as it is.
class DeepExecutable : public Executable {
 public:
  explicit DeepExecutable(Problem const& problem) : m_problem(problem) {}

  void sweep(Launch const&, void const* in, void* out) const override {
    sweep({m_problem.begin, m_problem.end}, static_cast<double const*>(in), static_cast<double*>(out));
  }
  std::int64_t pass(Launch const&, void const* in, void* out, std::int64_t steps) const override {
    Problem const& p         = m_problem;
    std::int64_t const count = std::min(steps, deep);
    std::int64_t values      = 1;
    for (std::size_t a = 0; a < 3; ++a) values += (p.extent[a] - 1) * p.in_stride[a];
    auto const* const first = static_cast<double const*>(in);
    std::vector<double> newest(first, first + values), other = newest;
    for (std::int64_t k = 1; k < count; ++k) {
      sweep(needed(p, steps - k), newest.data(), other.data());
      std::swap(newest, other);
    }
    sweep(needed(p, steps - count), newest.data(), static_cast<double*>(out));
    if (going_ahead) ++passes_ahead;
    return count;
  }

 private:
  void sweep(PointBox const& box, double const* in, double* out) const {
    auto const& stride = m_problem.in_stride;
    for (std::int64_t k = box.begin[0]; k < box.end[0]; ++k) {
      for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j) {
        for (std::int64_t i = box.begin[2]; i < box.end[2]; ++i) {
          double sum = 0.0;
          for (Term const& t : m_problem.terms) {
            sum += t.coefficient *
                   in[(k + t.offset[0]) * stride[0] + (j + t.offset[1]) * stride[1] + (i + t.offset[2]) * stride[2]];
          }
          out[k * stride[0] + j * stride[1] + i * stride[2]] = sum;
        }
      }
    }
  }

  Problem m_problem;
};

class DeepBackend : public Backend {
 public:
  std::string name() const override { return "deep"; }
  Status can_run(Problem const&, SpaceInfo const&) const override { return Status::can(); }
  double predict(Problem const&, SpaceInfo const&) const override { return 1e-9; }
  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const&) const override {
    Estimate e;
    e.seconds = 1e-9;
    e.depth   = p.steps >= deep ? deep : 1;
    return {e};
  }
  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const&, Launch const&) const override {
    return std::make_unique<DeepExecutable>(p);
  }
};

/// Does what `ahead` enqueues before it returns the norm.
class Reducer : public NormReducer {
 public:
  explicit Reducer(std::shared_ptr<NormReducer> of) : m_of(std::move(of)) {}
  double between(Launch const& launch, void const* newest, void const* oldest, bool newest_is_second, Norm norm,
                 std::function<void()> const& ahead) override {
    double const found = m_of->between(launch, newest, oldest, newest_is_second, norm, [] {});
    going_ahead        = true;
    ahead();
    going_ahead = false;
    return found;
  }

 private:
  std::shared_ptr<NormReducer> m_of;
};

class Ops : public Impl::StateOps {
 public:
  explicit Ops(std::unique_ptr<Impl::StateOps> of) : m_of(std::move(of)) {}
  void copy_ghosts(Launch const& launch, void const* from, void* to, bool to_second) const override {
    m_of->copy_ghosts(launch, from, to, to_second);
  }
  std::shared_ptr<NormReducer> norm_reducer() const override { return std::make_shared<Reducer>(m_of->norm_reducer()); }
  std::string device_name(Launch const& launch) const override { return m_of->device_name(launch); }
  void* allocate(std::size_t bytes) const override { return m_of->allocate(bytes); }
  void release(void* memory) const override { m_of->release(memory); }
  void copy(Launch const& launch, void* to, void const* from, std::size_t bytes) const override {
    m_of->copy(launch, to, from, bytes);
  }
  void fence(Launch const& launch) const override { m_of->fence(launch); }

 private:
  std::unique_ptr<Impl::StateOps> m_of;
};

class Services : public Impl::DeviceServices {
 public:
  std::unique_ptr<Impl::StateOps> state_ops(Problem const& p, SpaceInfo const& space) const override {
    if (m_inside || !space.host) return nullptr;
    m_inside = true;
    auto of  = Impl::make_state_ops(p, space);
    m_inside = false;
    return std::make_unique<Ops>(std::move(of));
  }

 private:
  mutable bool m_inside = false;  // others are asked then
};

TEST(Ahead, RanksWithoutPointsExchangeAsWell) {
  register_backend(std::make_unique<DeepBackend>());
  Impl::register_device_services(std::make_unique<Services>());
  // Halves of integers: every backend's sums are exact for so many sweeps.
  Stencil<double, 2> const mean{{{0, 0}, 0.5}, {{1, 0}, 0.5}};
  auto const start         = [](Extents const& i) { return static_cast<double>((i[0] * 37 + i[1] * 11) % 256); };
  std::int64_t const rows  = 32 * world_size();
  auto const dec           = Decomposition<2>(MPI_COMM_WORLD, {rows, 24}).ranks({{world_size(), 1}}).time_limit(20.0);
  auto const block         = dec.local(mean, HaloDepth::sweeps(8));
  constexpr int every      = 10;
  constexpr int most_steps = 40;
  // With points of the range everywhere, and with none on the last rank.
  for (std::int64_t const end : {rows - 1, rows - 32}) {
    StencilPolicy<Host, 2> const policy({1, 1}, {std::max<std::int64_t>(end, 20), 23});
    for (int const steps : {30, most_steps}) {
      // The norm after so many sweeps is the limit of the others' run.
      double limit = 0.0;
      for (int const run : {0, 1}) {
        StoppingCriterion const until{limit, run == 0 ? steps : most_steps, every, Norm::max};
        View u("u", rows, 24), v("v", rows, 24);
        fill(u, start);
        auto const one = iterate_until("one", policy.backend("generic"), mean, until, u, v);
        View a = block.make<View>("a"), b = block.make<View>("b");
        fill_owned(block, a, start);
        Kokkos::deep_copy(b, std::numeric_limits<double>::quiet_NaN());
        passes_ahead   = 0;
        auto const all = iterate_until("ranks", policy.backend("deep").on(dec), mean, until, a, b);
        EXPECT_EQ(all.steps, one.steps);
        EXPECT_EQ(all.converged, one.converged);
        EXPECT_EQ(all.update_norm, one.update_norm);
        EXPECT_EQ(wrong_points(block, a, u), 0) << "rows " << end << ", " << until.max_steps << " sweeps";
        bool const begun = one.steps > 2 * every;
        if (world_size() > 1 && world_rank() == 0) {
          EXPECT_EQ(passes_ahead > 0, begun) << one.steps << " sweeps";
        }
        limit = one.update_norm;
      }
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
