// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"
#include "Generator.hpp"

#include <KokkosStencil_Registry.hpp>
#include <impl/KokkosStencil_HeldBytes.hpp>
#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

// All that CUDA backends do on the host, for random problems, without a GPU: whatever can_run takes is predicted,
// prepared and launched, with grids that a GPU accepts, and running neither allocates nor waits.

namespace KokkosStencil {
namespace {

class CudaHostOnce : public testing::Test {
 protected:
  /// Runs `p` on every CUDA backend that takes it.
  void all(Problem const& p, void* in, void* out) {
    for (auto const& backend : Impl::backends()) {
      std::string const name = backend->name();
      if (name.rfind("cuda", 0) != 0 || !backend->can_run(p, m_space)) continue;
      SCOPED_TRACE(name + ": " + text_of(p));
      auto const ways = backend->estimates(p, m_space);
      ASSERT_FALSE(ways.empty());
      for (Estimate const& way : ways) {
        EXPECT_GT(way.seconds, 0.0);
        EXPECT_LT(way.seconds, 1e4);
      }
      Problem chosen        = p;
      chosen.depth          = ways.back().depth;
      FakeRuntime::Log& log = FakeRuntime::log();
      auto const made       = log.made;
      auto const held       = Impl::device_bytes();
      auto const executable = backend->prepare(chosen, m_space, m_launch);
      if (!ways.front().padded) {
        EXPECT_EQ(Impl::device_bytes() > held, log.made > made) << "the plan cache counts what is allocated";
      }
      auto const before = log;
      log.alone         = true;
      executable->sweep(m_launch, in, out);
      EXPECT_GT(log.launches, before.launches);
      if (p.steps > 1 && p.in_stride == p.out_stride) {
        void* const newest = executable->iterate(m_launch, in, out, p.steps);
        EXPECT_TRUE(newest == in || newest == out);
      } else if (executable->takes_any_strides()) {
        EXPECT_LE(executable->pass(m_launch, in, out, p.steps), p.steps);
      }
      EXPECT_EQ(log.made, before.made) << "allocated";
      EXPECT_EQ(log.waits, before.waits) << "waited";
      EXPECT_EQ(log.wrong, "");
      log.wrong.clear();
      ++m_ran[name];
    }
  }

  std::string const m_label = "random";
  Launch const m_launch{m_label, nullptr, nullptr};
  SpaceInfo const m_space{"Cuda", typeid(int), false, 1, 0, 90};
  std::map<std::string, int> m_ran;
};

class CudaHost : public CudaHostOnce, public testing::WithParamInterface<int> {};

TEST_P(CudaHost, RunsWhatItSaysItCan) {
  Generator problems(static_cast<unsigned>(GetParam()));
  for (int k = 0; k < 4000 && !HasFailure(); ++k) {
    Impl::ViewInfo in, out;
    auto p = problems.next(m_label, in, out);
    if (!p) continue;
    all(*p, in.data, out.data);
    std::swap(p->in_stride, p->out_stride);
    if (p->in_stride != p->out_stride) all(*p, out.data, in.data);
  }
  EXPECT_EQ(FakeRuntime::log().kept, 0) << "memory lost";
  for (auto const& [name, count] : m_ran) RecordProperty(name, count);
  EXPECT_GE(m_ran.size(), 6u) << "backends that ran";
}

TEST_P(CudaHost, UpdatesWhatItSaysItCan) {
  Generator problems(1000 + static_cast<unsigned>(GetParam()));
  int updated = 0;
  for (int k = 0; k < 1500 && !HasFailure(); ++k) {
    Impl::ViewInfo in, out;
    auto p = problems.next(m_label, in, out);
    if (!p) continue;
    Problem plain = *p;
    p->updates    = true;
    p->steps = plain.steps = 1;
    for (Impl::Answer const& answer : Impl::ask_backends(m_label, *p, m_space)) {
      Backend const& backend = *answer.backend;
      if (backend.name().rfind("cuda", 0) != 0) continue;
      EXPECT_TRUE(backend.can_update() || !answer.verdict.yes) << backend.name();
      if (!answer.verdict.yes) continue;
      SCOPED_TRACE(backend.name() + ": " + text_of(*p));
      auto const ways = backend.estimates(*p, m_space);
      ASSERT_EQ(ways.size(), 1u);
      EXPECT_FALSE(ways.front().padded);
      // Three streams instead of two.
      EXPECT_EQ(ways.front().bytes, 3.0 * size_of(p->value_type));
      EXPECT_EQ(backend.estimates(plain, m_space).front().bytes, 2.0 * size_of(p->value_type));
      auto const executable = backend.prepare(*p, m_space, m_launch);
      FakeRuntime::Log& log = FakeRuntime::log();
      auto const before     = log;
      log.alone             = true;
      executable->update(m_launch, in.data, out.data, Update(2.0, -1.0));
      EXPECT_GT(log.launches, before.launches);
      EXPECT_EQ(log.made, before.made) << "allocated";
      EXPECT_EQ(log.waits, before.waits) << "waited";
      EXPECT_EQ(log.wrong, "");
      log.wrong.clear();
      ++updated;
    }
  }
  EXPECT_GT(updated, 100);
}

TEST_F(CudaHostOnce, PassesOfWidePlanes) {
  // On tensor cores pass after pass, each of which has to wait before it lets its points near faces begin.
  constexpr std::int64_t ny = 6213, nx = 6136;
  std::vector<std::uint16_t> in(ny * nx), out(ny * nx);
  Problem p = Model::grid_problem(Model::box(2, 1), 2, {{ny, nx, 1}}, ValueType::float16, Accuracy::native, 28);
  for (BoundaryKind const kind : {BoundaryKind::halo, BoundaryKind::periodic, BoundaryKind::edge}) {
    for (std::size_t a = 1; a < 3; ++a) {
      bool const halo = kind == BoundaryKind::halo;
      for (Face& face : p.faces[a]) face = {kind, 0.0};
      p.begin[a] = halo ? 1 : 0;
      p.end[a]   = p.extent[a] - (halo ? 1 : 0);
    }
    all(p, in.data(), out.data());
  }
  EXPECT_EQ(m_ran["cuda_sparse_tensor"], 3);
}

TEST_F(CudaHostOnce, OffsetsOfAnySize) {
  // Spans that 32 bits do not count, and tables that no memory holds.
  constexpr int largest = std::numeric_limits<int>::max();
  for (int rank = 1; rank <= 3; ++rank) {
    for (int axis = 0; axis < rank; ++axis) {
      for (auto const& [low, high] : std::vector<std::pair<int, int>>{
               {-largest, largest}, {-largest, 0}, {0, largest}, {-2000000000, 3}, {-1, 1200000000}, {-40000, 40000}}) {
        for (ValueType const type : {ValueType::float16, ValueType::bfloat16, ValueType::float32, ValueType::float64}) {
          for (Accuracy const accuracy : {Accuracy::native, Accuracy::relaxed}) {
            for (Face const& face : {Face::periodic(), Face::mirror(), Face::edge(), Face::value(0.5)}) {
              Impl::ViewInfo in;
              in.rank       = rank;
              in.value_type = type;
              in.value_size = size_of(type);
              in.stride     = {{0, 0, 0}};
              for (int a = rank - 1, stride = 1; a >= 0; --a, stride *= 64) {
                in.extent[static_cast<std::size_t>(a)] = 64;
                in.stride[static_cast<std::size_t>(a)] = stride;
              }
              Impl::ViewInfo out = in;
              in.data            = reinterpret_cast<void*>(0x700000000000);
              out.data           = reinterpret_cast<void*>(0x710000000000);
              Impl::PolicyInfo policy;
              policy.rank     = rank;
              policy.accuracy = accuracy;
              for (auto& faces : policy.faces) faces[0] = faces[1] = face;
              std::vector<KokkosStencil::Term> terms;
              for (int const offset : {low, 0, high}) {
                if (offset == 0 && !terms.empty() && low == 0) continue;
                KokkosStencil::Term term{{{0, 0, 0}}, 0.25};
                term.offset[static_cast<std::size_t>(axis)] = offset;
                terms.push_back(term);
              }
              for (std::int64_t const steps : {1, 7}) {
                all(Impl::make_problem(m_label, policy, terms, in, out, steps), in.data, out.data);
              }
              if (HasFailure()) return;
            }
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CudaHost, testing::Range(1, 9));

}  // namespace
}  // namespace KokkosStencil
