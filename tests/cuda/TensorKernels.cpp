// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#ifdef KOKKOSSTENCIL_WITH_CUDA

#include <cuda/common/Device.hpp>
#include <cuda/sparse_tensor/Executable.hpp>
#include <cuda/sparse_tensor/ShearedLayout.hpp>
#include <model/GridProblem.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

// Every kind of kernel by mma.sp on grids so small that a race checker gets through them: planned for a GPU of one
// multiprocessor, which few points fill.

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;
using Cuda::SparseTensor::Algorithm;

struct Shape {
  char const* name;
  Algorithm algorithm;
  int rank;
  std::vector<KokkosStencil::Term> terms;
  std::array<std::int64_t, 3> extent;
};

/// Where rows lie: elements from one to the next, and before the first.
struct Rows {
  std::int64_t pitch = 0;  ///< 0: none between rows
  std::int64_t shift = 0;
};

/// Small integers; with `two_splits` one that takes two halves, or two bfloats.
void give_integers(std::vector<KokkosStencil::Term>& terms, bool two_splits) {
  for (std::size_t t = 0; t < terms.size(); ++t) terms[t].coefficient = t * 5 % 3 == 0 ? -1.0 : 1.0;
  if (two_splits) terms.back().coefficient = 2049.0;
}

template <class T>
struct TensorKernels : testing::Test {
  static constexpr auto type = Impl::ValueTypeOf<T>::value;

  /// Of the least capability that every GPU for the kernel has.
  static DeviceModel small_device(Algorithm algorithm) {
    DeviceModel device        = Cuda::launch_model(Impl::SpaceTraits<Exec>::info(Exec()).device);
    device.multiprocessors    = 1;
    device.compute_capability = algorithm == Algorithm::wgmma ? 90 : 80;
    return device;
  }

  static void verify(Shape const& shape, bool two_splits) {
    SCOPED_TRACE(std::string(shape.name) + (two_splits ? ", two splits" : ""));
    auto terms = shape.terms;
    give_integers(terms, two_splits);
    Problem const p = Model::grid_problem(terms, shape.rank, shape.extent, type, Accuracy::native, 1);
    Cuda::SparseTensor::Plan const plan(p, small_device(shape.algorithm));
    ASSERT_TRUE(static_cast<bool>(plan)) << plan.unsupported_reason();
    EXPECT_EQ(plan.kernel().algorithm, shape.algorithm);
    EXPECT_EQ(plan.kernel().splits, two_splits ? 2 : 1);
    compare(p, plan, 0, 0);
  }

  /// Rows that begin anywhere, by wgmma with so many rows and such a reach.
  static void verify_anywhere(std::vector<KokkosStencil::Term> terms, bool two_splits, int rows, int reach,
                              Rows const& in, Rows const& out, std::int64_t columns) {
    SCOPED_TRACE("rows " + std::to_string(rows) + ", reach " + std::to_string(reach) + ", in " +
                 std::to_string(in.pitch) + " + " + std::to_string(in.shift) + ", out " + std::to_string(out.pitch) +
                 " + " + std::to_string(out.shift) + (two_splits ? ", two splits" : ""));
    give_integers(terms, two_splits);
    Problem p       = Model::grid_problem(terms, 2, {{61, columns, 1}}, type, Accuracy::native, 1);
    p.in_stride[1]  = in.pitch;
    p.out_stride[1] = out.pitch;
    for (Cuda::SparseTensor::KernelTuning const& k : Cuda::SparseTensor::kernels) {
      if (k.algorithm != Algorithm::wgmma || !k.anywhere || k.several) continue;
      if (k.rows != rows || k.reach != reach || (k.splits == 2) != two_splits) continue;
      Cuda::SparseTensor::Plan const plan(p, small_device(Algorithm::wgmma), k);
      ASSERT_TRUE(static_cast<bool>(plan)) << plan.unsupported_reason();
      compare(p, plan, in.shift, out.shift);
      return;
    }
    FAIL() << "no such kernel";
  }

  /// Volumes whose rows begin anywhere. False if the stencil would be sheared too far.
  static bool verify_sheared(std::vector<KokkosStencil::Term> terms, std::array<std::int64_t, 3> const& extent,
                             Rows const& rows, std::int64_t rows_between, bool non_finite) {
    SCOPED_TRACE(std::to_string(extent[0]) + " x " + std::to_string(extent[1]) + " x " + std::to_string(extent[2]) +
                 ", pitch " + std::to_string(rows.pitch) + " + " + std::to_string(rows.shift));
    give_integers(terms, false);
    Problem p      = Model::grid_problem(terms, 3, extent, type, Accuracy::native, 1);
    p.in_stride[1] = rows.pitch;
    p.in_stride[0] = (extent[1] + rows_between) * rows.pitch;
    p.out_stride   = p.in_stride;
    if (!Cuda::SparseTensor::sheared_layout(p)) return false;
    for (Cuda::SparseTensor::KernelTuning const& k : Cuda::SparseTensor::kernels) {
      if (k.algorithm != Algorithm::sheared) continue;
      Cuda::SparseTensor::Plan const plan(p, small_device(k.algorithm), k);
      EXPECT_TRUE(static_cast<bool>(plan)) << plan.unsupported_reason();
      if (plan) compare(p, plan, rows.shift, rows.shift, non_finite);
    }
    return true;
  }

 private:
  static void compare(Problem const& p, Cuda::SparseTensor::Plan const& plan, std::int64_t in_shift,
                      std::int64_t out_shift, bool non_finite = false) {
    auto const size = [&](std::array<std::int64_t, 3> const& stride) {
      std::int64_t elements = 1;
      for (std::size_t a = 0; a < 3; ++a) elements += (p.extent[a] - 1) * stride[a];
      return static_cast<std::size_t>(elements);
    };
    // Views that begin and end where the memory does, so that memcheck sees what else is read.
    std::size_t const in_size  = static_cast<std::size_t>(in_shift) + size(p.in_stride);
    std::size_t const out_size = static_cast<std::size_t>(out_shift) + size(p.out_stride);
    using Flat                 = Kokkos::View<T*, Kokkos::CudaSpace>;
    using Host                 = Kokkos::View<T*, Kokkos::HostSpace>;
    Flat const in("in", in_size), out("out", out_size);
    Host const values("values", in_size), got("got", out_size);
    unsigned random = 3;
    for (std::size_t i = 0; i < in_size; ++i) {
      random    = 1664525u * random + 1013904223u;
      values(i) = static_cast<T>(static_cast<float>(static_cast<int>((random >> 16) % 3) - 1));
      if (non_finite && i % 977 == 5) values(i) = static_cast<T>(std::numeric_limits<float>::infinity());
    }
    Kokkos::deep_copy(in, values);
    Kokkos::deep_copy(out, static_cast<T>(77.0f));
    run(plan, in.data() + in_shift, out.data() + out_shift);
    Kokkos::deep_copy(got, out);

    PointBox const done = plan.work(in.data() + in_shift, out.data() + out_shift).done;
    ASSERT_FALSE(done.empty());
    auto const at = [](std::array<std::int64_t, 3> const& stride, std::int64_t z, std::int64_t y, std::int64_t x,
                       std::int64_t shift) {
      return static_cast<std::size_t>(z * stride[0] + y * stride[1] + x * stride[2] + shift);
    };
    std::int64_t wrong = 0;
    for (std::int64_t z = 0; z < p.extent[0]; ++z) {
      for (std::int64_t y = 0; y < p.extent[1]; ++y) {
        for (std::int64_t x = 0; x < p.extent[2]; ++x) {
          bool const inside = z >= done.begin[0] && z < done.end[0] && y >= done.begin[1] && y < done.end[1] &&
                              x >= done.begin[2] && x < done.end[2];
          float expected = 77.0f;
          if (inside) {
            double sum = 0.0;
            for (KokkosStencil::Term const& t : p.terms) {
              std::size_t const from = at(p.in_stride, z + t.offset[0], y + t.offset[1], x + t.offset[2], in_shift);
              sum += t.coefficient * static_cast<double>(static_cast<float>(values(from)));
            }
            expected = static_cast<float>(static_cast<T>(static_cast<float>(sum)));
          }
          std::size_t const to = at(p.out_stride, z, y, x, out_shift);
          auto const value     = static_cast<float>(got(to));
          if (value != expected && !(std::isnan(value) && std::isnan(expected))) ++wrong;
          got(to) = static_cast<T>(77.0f);
        }
      }
    }
    EXPECT_EQ(wrong, 0);
    // Nothing else was written.
    for (std::size_t i = 0; i < out_size; ++i) wrong += static_cast<float>(got(i)) != 77.0f ? 1 : 0;
    EXPECT_EQ(wrong, 0);
  }

  static void run(Cuda::SparseTensor::Plan const& plan, void const* in, void* out) {
    Exec const exec;
    std::string const label("kernel");
    Launch const launch{label, nullptr, exec.cuda_stream()};
    int const device = Impl::SpaceTraits<Exec>::info(exec).device;
    Cuda::SparseTensor::Operands const operands(plan, plan.terms(), device, launch);
    auto work = plan.work(in, out);
    operands.give(work.args);
    Cuda::SparseTensor::launch(plan, type == ValueType::bfloat16, work, exec.cuda_stream());
    exec.fence();
  }
};

using Halves = testing::Types<Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t>;
TYPED_TEST_SUITE(TensorKernels, Halves, );

TYPED_TEST(TensorKernels, Slabs) {
  for (bool const two : {false, true}) {
    this->verify({"star", Algorithm::slab, 3, Model::star(3, 1), {{33, 26, 144}}}, two);
    this->verify({"box", Algorithm::slab, 3, Model::box(3, 1), {{33, 26, 144}}}, two);
  }
}

TYPED_TEST(TensorKernels, Sheared) {
  std::vector<KokkosStencil::Term> no_corners;
  for (KokkosStencil::Term const& t : Model::box(3, 1)) {
    if (std::abs(t.offset[0]) + std::abs(t.offset[1]) + std::abs(t.offset[2]) < 3) no_corners.push_back(t);
  }
  int sheared = 0;
  for (std::int64_t pitch = 193; pitch < 202; ++pitch) {
    if (pitch % 8 == 0) continue;
    std::int64_t const shift = 5 * pitch % 8;
    sheared += this->verify_sheared(Model::box(3, 1), {{20, 37, pitch}}, {pitch, shift}, 0, pitch % 3 == 0) ? 1 : 0;
    sheared += this->verify_sheared(no_corners, {{5, 51, 191}}, {pitch, shift}, pitch % 2, false) ? 1 : 0;
    if (this->HasFailure()) return;
  }
  EXPECT_GT(sheared, 8);
}

TYPED_TEST(TensorKernels, Rings) {
  for (bool const two : {false, true}) {
    for (int const radius : {4, 5, 6, 7}) {
      this->verify({"box", Algorithm::ring, 2, Model::box(2, radius), {{301, 200, 1}}}, two);
    }
  }
}

TYPED_TEST(TensorKernels, Wgmma) {
  if (Cuda::device_facts(Impl::SpaceTraits<Exec>::info(Exec()).device).compute_capability != 90) {
    GTEST_SKIP() << "only GPUs of capability 9.0 have wgmma";
  }
  for (int const radius : {4, 5, 6, 7}) {
    this->verify({"box", Algorithm::wgmma, 2, Model::box(2, radius), {{306, 1016, 1}}}, false);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(TensorKernels, WgmmaAnywhere) {
  if (Cuda::device_facts(Impl::SpaceTraits<Exec>::info(Exec()).device).compute_capability != 90) {
    GTEST_SKIP() << "only GPUs of capability 9.0 have wgmma";
  }
  auto const each = [&](std::int64_t columns, Rows const& in, Rows const& out) {
    this->verify_anywhere(Model::star(2, 1), false, 7, 4, in, out, columns);
    this->verify_anywhere(Model::box(2, 3), false, 7, 4, in, out, columns);
    this->verify_anywhere(Model::box(2, 2), true, 7, 4, in, out, columns);
    this->verify_anywhere(Model::box(2, 4), false, 15, 4, in, out, columns);
    this->verify_anywhere(Model::box(2, 7), false, 15, 7, in, out, columns);
  };
  // Every phase and every pitch modulo 8, input and output alike and differently.
  for (std::int64_t phase = 0; phase < 8; ++phase) {
    std::int64_t const pitch = 1061 + phase;
    each(1061, {pitch, 0}, {pitch, 0});
    each(pitch, {pitch, 5 * phase % 8}, {pitch + 3 * phase % 8, (7 * phase + 2) % 8});
    each(2090, {2090 + 3 * phase % 8, phase}, {2091, 3 * phase % 8});
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(TensorKernels, Streams) {
  this->verify({"box", Algorithm::stream, 2, Model::box(2, 3), {{301, 264, 1}}}, false);
}

TYPED_TEST(TensorKernels, Tiles) {
  for (bool const two : {false, true}) {
    for (int const radius : {1, 2}) {
      this->verify({"star", Algorithm::tiles, 2, Model::star(2, radius), {{75, 200, 1}}}, two);
    }
    this->verify({"line", Algorithm::tiles, 1, Model::star(1, 9), {{20011, 1, 1}}}, two);
    this->verify({"box", Algorithm::tiles, 3, Model::box(3, 1), {{9, 14, 144}}}, two);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#else

TEST(TensorKernels, OnAGpu) { GTEST_SKIP() << "built without CUDA"; }

#endif
