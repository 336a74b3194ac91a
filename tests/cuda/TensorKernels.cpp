// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#ifdef KOKKOSSTENCIL_WITH_CUDA

#include <cuda/common/Device.hpp>
#include <cuda/sparse_tensor/Executable.hpp>
#include <model/GridProblem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
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

    auto const size = static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2]);
    using Flat      = Kokkos::View<T*, Kokkos::CudaSpace>;
    using Host      = Kokkos::View<T*, Kokkos::HostSpace>;
    Flat const in("in", size), out("out", size);
    Host const values("values", size), got("got", size);
    unsigned random = 3;
    for (std::size_t i = 0; i < size; ++i) {
      random    = 1664525u * random + 1013904223u;
      values(i) = static_cast<T>(static_cast<float>(static_cast<int>((random >> 16) % 3) - 1));
    }
    Kokkos::deep_copy(in, values);
    Kokkos::deep_copy(out, static_cast<T>(77.0f));
    run(plan, in.data(), out.data());
    Kokkos::deep_copy(got, out);

    PointBox const done = plan.work(in.data(), out.data()).done;
    ASSERT_FALSE(done.empty());
    std::int64_t wrong = 0, i = 0;
    for (std::int64_t z = 0; z < p.extent[0]; ++z) {
      for (std::int64_t y = 0; y < p.extent[1]; ++y) {
        for (std::int64_t x = 0; x < p.extent[2]; ++x, ++i) {
          bool const inside = z >= done.begin[0] && z < done.end[0] && y >= done.begin[1] && y < done.end[1] &&
                              x >= done.begin[2] && x < done.end[2];
          float expected = 77.0f;
          if (inside) {
            double sum = 0.0;
            for (KokkosStencil::Term const& t : p.terms) {
              std::int64_t const at = i + (t.offset[0] * p.extent[1] + t.offset[1]) * p.extent[2] + t.offset[2];
              sum += t.coefficient * static_cast<double>(static_cast<float>(values(static_cast<std::size_t>(at))));
            }
            expected = static_cast<float>(static_cast<T>(static_cast<float>(sum)));
          }
          if (static_cast<float>(got(static_cast<std::size_t>(i))) != expected) ++wrong;
        }
      }
    }
    EXPECT_EQ(wrong, 0);
  }

 private:
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
