// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeRuntime.hpp"

#include "common/CudaModel.hpp"
#include "common/Fitted.hpp"
#include "temporal/Kernels.hpp"
#include "temporal/Temporal.hpp"
#include "temporal/TileCut.hpp"

#include <model/GridProblem.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <typeinfo>
#include <vector>

// Where the tables of cuda_temporal's kernels and those of the model say different things.

namespace KokkosStencil {
namespace {

using namespace CudaModel;
using namespace CudaTemporal;

class Differences {
 public:
  void compare(std::string const& what, double kernel, double model) {
    if (kernel == model) return;
    char text[160];
    std::snprintf(text, sizeof text, "%s: kernel %g, model %g", what.c_str(), kernel, model);
    m_text += std::string(text) + "\n";
  }
  std::string const& text() const { return m_text; }

 private:
  std::string m_text = "\n";
};

template <class T>
void compare_lines(Differences& d, std::string const& type, std::size_t t) {
  for (LineKernel const* k = line_kernels<T>(); k->width != 0; ++k) {
    std::string const name = "line r" + std::to_string(k->radius) + " " + type;
    d.compare(name + " width", k->width, line_width[t]);
    d.compare(name + " rate", k->rate, line_rate[k->radius - 1][t]);
  }
}

template <class T>
void compare_strips(Differences& d, std::string const& type, std::size_t t) {
  std::size_t count = 0, in_model = 0;
  for (Pipeline const& m : pipelines) in_model += m.depth[t] > 0 ? 1 : 0;
  for (StripKernel const* k = strip_kernels<T>(); k->width != 0; ++k, ++count) {
    for (Pipeline const& m : pipelines) {
      if (m.star != k->star || m.radius != k->radius || m.depth[t] != k->depth) continue;
      std::string const name = std::string(k->star ? "star" : "box") + " r" + std::to_string(k->radius) + " " + type +
                               " depth " + std::to_string(k->depth);
      d.compare(name + " width", k->width, m.width[t]);
      d.compare(name + " rate", k->rate, m.rate[t]);
      d.compare(name + " shared bytes", k->shared, m.shared[t]);
    }
  }
  d.compare("strips " + type, static_cast<double>(count), static_cast<double>(in_model));
}

/// The model knows one kernel of a shape.
void compare_space(Differences& d, std::string const& type, SpaceKernel const& k, SpacePipeline const& m, int size,
                   double plane, double masked) {
  std::string const name = std::to_string(k.terms) + " points " + type;
  d.compare(name + " depth", k.depth, m.depth);
  d.compare(name + " rows", k.own[0] + 2 * k.margin[0], m.rows);
  d.compare(name + " row", (k.own[1] + 2 * k.margin[1]) * size, m.row);
  d.compare(name + " prologue", k.warm, m.warm);
  d.compare(name + " seconds", k.plane, plane);
  d.compare(name + " seconds with masks", k.masked, masked);
  d.compare(name + " shared bytes", k.shared, m.shared);
}

template <class T>
void compare_spaces(Differences& d, std::string const& type, std::size_t t) {
  for (SpacePipeline const& m : space_pipelines) {
    SpaceKernel const* first = nullptr;
    for (SpaceKernel const* k = space_kernels<T>(); k->terms != 0; ++k) {
      bool const same = k->terms == static_cast<int>(m.terms) && k->own[0] + 2 * k->margin[0] == m.rows;
      if (same && first == nullptr) first = k;
    }
    ASSERT_NE(first, nullptr);
    compare_space(d, type, *first, m, int(sizeof(T)), m.plane[t], m.masked[t]);
  }
}

TEST(TemporalTables, KernelsAndModel) {
  Differences d;
  compare_lines<__half>(d, "half", 0);
  compare_lines<__nv_bfloat16>(d, "bhalf", 0);
  compare_lines<float>(d, "float", 1);
  compare_lines<double>(d, "double", 2);
  compare_strips<__half>(d, "half", 0);
  compare_strips<float>(d, "float", 1);
  compare_strips<double>(d, "double", 2);
  d.compare("warps of a block", strip_warps, pipeline_warps);
  compare_spaces<float>(d, "float", 0);
  compare_spaces<double>(d, "double", 1);
  compare_space(d, "half", *space_kernels<__half>(), half_star, 2, half_star.plane[0], half_star.masked[0]);
  EXPECT_EQ(d.text(), "");
}

/// Seven points that reach as far as a star, but are none.
TEST(TemporalTables, SevenPointsAreNotAlwaysAStar) {
  std::vector<Impl::Term> terms;
  for (auto const& offset :
       {std::array<int, 3>{-1, -1, -1}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 1, 1}}) {
    terms.push_back({offset, 0.125});
  }
  Problem const p    = Model::grid_problem(terms, 3, {{100, 100, 100}}, ValueType::float32, Accuracy::native, 4);
  auto const backend = make_backend();
  SpaceInfo const space{"Cuda", typeid(int), false, 1, 0, FakeRuntime::gpus[0].compute_capability};
  EXPECT_FALSE(backend->can_run(p, space));
  EXPECT_NE(temporal_refusal(p, *find_device(known_devices(), FakeRuntime::gpus[0].name)), "");
}

}  // namespace
}  // namespace KokkosStencil
