// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Candidate.hpp"

#include <cudnn.h>

#include <dlfcn.h>

#include <limits>
#include <utility>

// A stencil as cuDNN's convolution with one channel. The library is loaded at run time, so that the
// executable also starts where it is missing.

namespace perf {

namespace {

struct Api {
  decltype(&cudnnCreate) create;
  decltype(&cudnnSetStream) set_stream;
  decltype(&cudnnGetErrorString) error_string;
  decltype(&cudnnGetVersion) version;
  decltype(&cudnnCreateTensorDescriptor) create_tensor;
  decltype(&cudnnDestroyTensorDescriptor) destroy_tensor;
  decltype(&cudnnSetTensorNdDescriptor) set_tensor;
  decltype(&cudnnCreateFilterDescriptor) create_filter;
  decltype(&cudnnDestroyFilterDescriptor) destroy_filter;
  decltype(&cudnnSetFilterNdDescriptor) set_filter;
  decltype(&cudnnCreateConvolutionDescriptor) create_convolution;
  decltype(&cudnnDestroyConvolutionDescriptor) destroy_convolution;
  decltype(&cudnnSetConvolutionNdDescriptor) set_convolution;
  decltype(&cudnnSetConvolutionMathType) set_math;
  decltype(&cudnnGetConvolutionForwardWorkspaceSize) workspace_size;
  decltype(&cudnnConvolutionForward) forward;
  cudnnHandle_t handle;
};

template <class F>
void load(void* library, char const* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr) throw Unavailable(std::string("cuDNN lacks ") + name);
}

Api make_api() {
  void* library = nullptr;
  for (char const* name : {"libcudnn.so.9", "libcudnn.so"}) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) throw Unavailable("cuDNN was not found at run time (libcudnn.so.9; see LD_LIBRARY_PATH)");
  Api api{};
  load(library, "cudnnCreate", api.create);
  load(library, "cudnnSetStream", api.set_stream);
  load(library, "cudnnGetErrorString", api.error_string);
  load(library, "cudnnGetVersion", api.version);
  load(library, "cudnnCreateTensorDescriptor", api.create_tensor);
  load(library, "cudnnDestroyTensorDescriptor", api.destroy_tensor);
  load(library, "cudnnSetTensorNdDescriptor", api.set_tensor);
  load(library, "cudnnCreateFilterDescriptor", api.create_filter);
  load(library, "cudnnDestroyFilterDescriptor", api.destroy_filter);
  load(library, "cudnnSetFilterNdDescriptor", api.set_filter);
  load(library, "cudnnCreateConvolutionDescriptor", api.create_convolution);
  load(library, "cudnnDestroyConvolutionDescriptor", api.destroy_convolution);
  load(library, "cudnnSetConvolutionNdDescriptor", api.set_convolution);
  load(library, "cudnnSetConvolutionMathType", api.set_math);
  load(library, "cudnnGetConvolutionForwardWorkspaceSize", api.workspace_size);
  load(library, "cudnnConvolutionForward", api.forward);
  if (api.create(&api.handle) != CUDNN_STATUS_SUCCESS) throw Unavailable("cuDNN could not be started");
  api.set_stream(api.handle, Kokkos::Cuda().cuda_stream());
  return api;
}

Api const& api() {
  static Api const loaded = make_api();
  return loaded;
}

void require(cudnnStatus_t status) {
  if (status != CUDNN_STATUS_SUCCESS) {
    throw Unavailable(std::string("cuDNN refuses the problem: ") + api().error_string(status));
  }
}

class Cudnn : public Candidate {
 public:
  Cudnn(Case const& c, Fields fields) : m_case(c) {
    m_type = c.type == Type::full     ? CUDNN_DATA_DOUBLE
             : c.type == Type::single ? CUDNN_DATA_FLOAT
             : c.type == Type::half   ? CUDNN_DATA_HALF
                                      : CUDNN_DATA_BFLOAT16;
    // One image of one channel; 1-D as a single row.
    int const rank = c.kernel.rank, space = rank == 1 ? 2 : rank, first = space - rank;
    std::vector<int> in(static_cast<std::size_t>(space) + 2, 1), out(in), filter(in), stride(in);
    std::vector<int> pad(static_cast<std::size_t>(space), 0), one(static_cast<std::size_t>(space), 1);
    std::int64_t jump = 1, offset = 0;
    for (int a = rank - 1; a >= 0; --a) {
      auto const k = static_cast<std::size_t>(a), d = static_cast<std::size_t>(a + first + 2);
      m_width[k] = c.kernel.upper(a) - c.kernel.lower(a) + 1;
      in[d]      = static_cast<int>(c.extents[k]);
      out[d]     = static_cast<int>(c.extents[k]) - m_width[k] + 1;
      filter[d]  = m_width[k];
      stride[d]  = static_cast<int>(jump);
      offset += -c.kernel.lower(a) * jump;
      jump *= c.extents[k];
    }
    for (std::size_t d = 0; d < static_cast<std::size_t>(first) + 2; ++d) stride[d] = static_cast<int>(jump);
    m_in  = fields.u;
    m_v   = fields.v;
    m_out = static_cast<char*>(fields.v) + offset * bytes_of(c.type);

    require(api().create_tensor(&m_x));
    require(api().create_tensor(&m_y));
    require(api().create_filter(&m_w));
    require(api().create_convolution(&m_convolution));
    int const dims = space + 2;
    require(api().set_tensor(m_x, m_type, dims, in.data(), stride.data()));
    require(api().set_tensor(m_y, m_type, dims, out.data(), stride.data()));
    require(api().set_filter(m_w, m_type, CUDNN_TENSOR_NCHW, dims, filter.data()));
    require(api().set_convolution(m_convolution, space, pad.data(), one.data(), one.data(), CUDNN_CROSS_CORRELATION,
                                  c.type == Type::full ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT));
    bool const short_type = c.type == Type::half || c.type == Type::bhalf;
    require(api().set_math(m_convolution, short_type ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH));
    upload();
    choose();
  }
  ~Cudnn() override {
    if (m_workspace != nullptr) Kokkos::kokkos_free<Kokkos::CudaSpace>(m_workspace);
    api().destroy_tensor(m_x);
    api().destroy_tensor(m_y);
    api().destroy_filter(m_w);
    api().destroy_convolution(m_convolution);
  }

  void* run() override {
    require(forward(m_algorithm));
    return m_v;
  }
  std::string label() const override {
    std::size_t const v = api().version();
    return "cuDNN " + std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." + std::to_string(v % 100) +
           ", algorithm " + std::to_string(static_cast<int>(m_algorithm));
  }

 private:
  /// The coefficients as a dense filter.
  void upload() {
    std::vector<double> weights(static_cast<std::size_t>(m_width[0]) * static_cast<std::size_t>(m_width[1]) *
                                static_cast<std::size_t>(m_width[2]));
    for (Term const& t : m_case.kernel.terms) {
      std::size_t place = 0;
      for (int a = 0; a < 3; ++a) {
        auto const k = static_cast<std::size_t>(a);
        place        = place * static_cast<std::size_t>(m_width[k]) +
                static_cast<std::size_t>(t.offset[k] - m_case.kernel.lower(a));
      }
      weights[place] = t.coefficient;
    }
    Kokkos::View<double*, Kokkos::HostSpace> bytes("perf cudnn filter", weights.size());
    for (std::size_t k = 0; k < weights.size(); ++k) {
      auto* const to = reinterpret_cast<char*>(bytes.data()) + k * static_cast<std::size_t>(bytes_of(m_case.type));
      store(to, weights[k]);
    }
    m_filter = Kokkos::View<double*, Kokkos::CudaSpace>("perf cudnn filter", weights.size());
    Kokkos::deep_copy(m_filter, bytes);
  }
  void store(void* to, double value) const {
    using Half  = ValueOf<Type::half>::type;
    using BHalf = ValueOf<Type::bhalf>::type;
    switch (m_case.type) {
      case Type::full: *static_cast<double*>(to) = value; break;
      case Type::single: *static_cast<float*>(to) = static_cast<float>(value); break;
      case Type::half: *static_cast<Half*>(to) = static_cast<Half>(static_cast<float>(value)); break;
      case Type::bhalf: *static_cast<BHalf*>(to) = static_cast<BHalf>(static_cast<float>(value)); break;
    }
  }

  cudnnStatus_t forward(cudnnConvolutionFwdAlgo_t algorithm) const {
    float const one = 1.0f, zero = 0.0f;
    double const wide_one = 1.0, wide_zero = 0.0;
    bool const wide = m_case.type == Type::full;
    return api().forward(api().handle, wide ? static_cast<void const*>(&wide_one) : &one, m_x, m_in, m_w,
                         m_filter.data(), m_convolution, algorithm, m_workspace, m_workspace_size,
                         wide ? static_cast<void const*>(&wide_zero) : &zero, m_y, m_out);
  }

  /// The fastest of the algorithms that compute the sum itself; transforms (FFT, Winograd) lose accuracy.
  void choose() {
    double best = std::numeric_limits<double>::max();
    for (auto const algorithm : {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                 CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_GEMM}) {
      std::size_t bytes = 0;
      if (api().workspace_size(api().handle, m_x, m_w, m_convolution, m_y, algorithm, &bytes) != CUDNN_STATUS_SUCCESS ||
          bytes > std::size_t(16) << 30) {
        continue;
      }
      if (bytes > m_workspace_size) {
        if (m_workspace != nullptr) Kokkos::kokkos_free<Kokkos::CudaSpace>(m_workspace);
        m_workspace      = Kokkos::kokkos_malloc<Kokkos::CudaSpace>("perf cudnn", bytes);
        m_workspace_size = bytes;
      }
      for (int attempt = 0; attempt < 2; ++attempt) {
        Kokkos::fence();
        Kokkos::Timer timer;
        if (forward(algorithm) != CUDNN_STATUS_SUCCESS) break;
        Kokkos::fence();
        double const seconds = timer.seconds();
        // The first attempt also loads the kernel, which counts little if it is slow.
        bool const slow = seconds > 20e-3;
        if ((attempt > 0 || slow) && seconds < best) {
          best        = seconds;
          m_algorithm = algorithm;
        }
        if (slow) break;
      }
    }
    if (best == std::numeric_limits<double>::max()) throw Unavailable("no algorithm of cuDNN takes this problem");
  }

  Case m_case;
  cudnnDataType_t m_type;
  std::array<int, 3> m_width{{1, 1, 1}};
  void* m_in  = nullptr;
  void* m_v   = nullptr;
  void* m_out = nullptr;
  cudnnTensorDescriptor_t m_x{}, m_y{};
  cudnnFilterDescriptor_t m_w{};
  cudnnConvolutionDescriptor_t m_convolution{};
  cudnnConvolutionFwdAlgo_t m_algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  Kokkos::View<double*, Kokkos::CudaSpace> m_filter;
  void* m_workspace            = nullptr;
  std::size_t m_workspace_size = 0;
};

}  // namespace

bool has_cudnn(Case const& c) { return c.cudnn && c.steps == 1 && !c.relaxed; }

std::unique_ptr<Candidate> make_cudnn(Case const& c, Fields fields) { return std::make_unique<Cudnn>(c, fields); }

}  // namespace perf
