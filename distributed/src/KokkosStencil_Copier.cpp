// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Copier.hpp"
#include "KokkosStencil_CopyValue.hpp"
#include "KokkosStencil_OnDevice.hpp"

#include <Kokkos_Core.hpp>

#include <generic/WithSpace.hpp>

#include <impl/KokkosStencil_Views.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

namespace KokkosStencil {
namespace Impl {

namespace {

/// Pieces that one kernel copies; its arguments hold no more.
struct PieceList {
  static constexpr int most = 24;
  Piece piece[most];
  int count          = 0;
  std::int64_t items = 0;
};

/// Items are points on devices and rows on hosts.
template <bool Pack, bool Rows>
struct CopyPieces {
  PieceList list;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    int k = 0;
    while (k + 1 < list.count && item >= list.piece[k + 1].first) ++k;
    Piece const& p       = list.piece[k];
    std::int64_t const m = item - p.first, nx = Rows ? 1 : p.extent[2];
    std::int64_t x = Rows ? 0 : m, y = 0, z = 0;
    // Divisions of 64 bits would take longer than the copy.
    if (p.items > nx && p.items <= 0x7fffffff) {
      auto const n = static_cast<std::uint32_t>(m), row = n / static_cast<std::uint32_t>(nx),
                 rows = static_cast<std::uint32_t>(p.extent[1]);
      x               = Rows ? 0 : n - row * static_cast<std::uint32_t>(nx);
      z               = row / rows;
      y               = row - static_cast<std::uint32_t>(z) * rows;
    } else if (p.items > nx) {
      std::int64_t const row = m / nx;
      x                      = Rows ? 0 : m - row * nx;
      z                      = row / p.extent[1];
      y                      = row - z * p.extent[1];
    }
    char* view   = p.view + z * p.stride[0] + y * p.stride[1] + x * p.stride[2];
    char* buffer = p.buffer + ((z * p.extent[1] + y) * p.extent[2] + x) * p.value_bytes;
    if constexpr (!Rows) {
      copy_value(Pack ? buffer : view, Pack ? view : buffer, p.value_bytes, p.word);
    } else {
      if (p.stride[2] == p.value_bytes) {
        std::memcpy(Pack ? buffer : view, Pack ? view : buffer, static_cast<std::size_t>(p.extent[2] * p.value_bytes));
        return;
      }
      for (std::int64_t i = 0; i < p.extent[2]; ++i, view += p.stride[2], buffer += p.value_bytes) {
        copy_value(Pack ? buffer : view, Pack ? view : buffer, p.value_bytes, p.word);
      }
    }
  }
};

#if defined(KOKKOS_ENABLE_CUDA)
using Staging = Kokkos::CudaHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
using Staging = Kokkos::HIPHostPinnedSpace;
#else
using Staging = Kokkos::HostSpace;
#endif

#ifdef KOKKOS_ENABLE_CUDA

void check_cuda(cudaError_t code, char const* call) {
  if (code == cudaSuccess) return;
  throw Error(std::string("KokkosStencil: ") + call +
              " failed while ghost layers were exchanged: " + cudaGetErrorString(code) + ".");
}

class Event {
 public:
  Event() { check_cuda(cudaEventCreateWithFlags(&m_event, cudaEventDisableTiming), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(m_event); }
  Event(Event const&)            = delete;
  Event& operator=(Event const&) = delete;

  void record(void* stream) {
    check_cuda(cudaEventRecord(m_event, static_cast<cudaStream_t>(stream)), "cudaEventRecord");
  }
  void hold(void* stream) const {
    check_cuda(cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), m_event, 0), "cudaStreamWaitEvent");
  }
  bool done() const {
    cudaError_t const code = cudaEventQuery(m_event);
    if (code == cudaErrorNotReady) return false;
    check_cuda(code, "cudaEventQuery");
    return true;
  }

 private:
  cudaEvent_t m_event = nullptr;
};

class Stream {
 public:
  Stream() {
    int least = 0, most = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&least, &most), "cudaDeviceGetStreamPriorityRange");
    check_cuda(cudaStreamCreateWithPriority(&m_stream, cudaStreamNonBlocking, most), "cudaStreamCreateWithPriority");
  }
  ~Stream() { cudaStreamDestroy(m_stream); }
  Stream(Stream const&)            = delete;
  Stream& operator=(Stream const&) = delete;

  cudaStream_t get() const { return m_stream; }

 private:
  cudaStream_t m_stream = nullptr;
};

class CudaLane : public Lane {
 public:
  CudaLane() : m_space(m_stream.get()) {}

  Launch launch(std::string const& label) const override { return Launch{label, &m_space, m_stream.get()}; }
  void after(Launch const& launch) override {
    m_before.record(launch.stream);
    m_before.hold(m_stream.get());
  }
  void before(Launch const& launch) override {
    m_after.record(m_stream.get());
    m_after.hold(launch.stream);
  }

 private:
  Stream m_stream;
  Kokkos::Cuda m_space;
  Event m_before, m_after;
};

#endif

template <class Exec>
class CopierOf : public Copier {
  static constexpr bool on_host = is_host_space<Exec>();
#ifdef KOKKOS_ENABLE_CUDA
  static constexpr bool on_cuda = std::is_same<Exec, Kokkos::Cuda>::value;
#else
  static constexpr bool on_cuda = false;
#endif
  using Memory = typename Exec::memory_space;
  template <class Space, class Byte>
  using Bytes = Kokkos::View<Byte*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  explicit CopierOf(int device) : m_device(device) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (on_cuda) m_other_device = device != Kokkos::Cuda().cuda_device();
#endif
  }

  bool host() const override { return on_host; }
  char* allocate(std::size_t bytes) const override {
#ifdef KOKKOS_ENABLE_CUDA
    if (m_other_device) {
      OnDevice const current(m_device);
      void* memory = nullptr;
      check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc");
      return static_cast<char*>(memory);
    }
#endif
    return static_cast<char*>(Kokkos::kokkos_malloc<Memory>("KokkosStencil ghost layers", bytes));
  }
  void release(char* memory) const override {
#ifdef KOKKOS_ENABLE_CUDA
    if (m_other_device) {
      cudaFree(memory);
      return;
    }
#endif
    Kokkos::kokkos_free<Memory>(memory);
  }
  char* allocate_staging(std::size_t bytes) const override {
    return static_cast<char*>(Kokkos::kokkos_malloc<Staging>("KokkosStencil staging", bytes));
  }
  void release_staging(char* memory) const override { Kokkos::kokkos_free<Staging>(memory); }

  void copy_pieces(Launch const& launch, std::vector<Piece> const& pieces, bool pack) const override {
    for (std::size_t at = 0; at < pieces.size();) {
      PieceList list;
      for (; at < pieces.size() && list.count < PieceList::most; ++at) {
        Piece p = on_host ? pieces[at] : in_words(pieces[at]);
        p.first = list.items;
        p.items = p.extent[0] * p.extent[1] * (on_host ? 1 : p.extent[2]);
        list.items += p.items;
        list.piece[list.count++] = p;
      }
      using Items = Kokkos::RangePolicy<Exec, LightWeight, Kokkos::IndexType<std::int64_t>>;
      Items const items(space(launch), 0, list.items);
      if (pack) {
        Kokkos::parallel_for(launch.label, items, CopyPieces<true, on_host>{list});
      } else {
        Kokkos::parallel_for(launch.label, items, CopyPieces<false, on_host>{list});
      }
    }
  }
  void to_staging(Launch const& launch, char* to, char const* from, std::size_t bytes) const override {
    Kokkos::deep_copy(space(launch), Bytes<Staging, char>(to, bytes), Bytes<Memory, char const>(from, bytes));
  }
  void from_staging(Launch const& launch, char* to, char const* from, std::size_t bytes) const override {
    Kokkos::deep_copy(space(launch), Bytes<Memory, char>(to, bytes), Bytes<Staging, char const>(from, bytes));
  }
  void fence(Launch const& launch) const override { space(launch).fence(); }

  void mark(Launch const& launch, std::size_t number) override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (on_cuda) {
      while (m_marks.size() <= number) m_marks.push_back(std::make_unique<Event>());
      m_marks[number]->record(launch.stream);
      return;
    }
#endif
    (void)number;
    fence(launch);
  }
  bool done(std::size_t number) override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (on_cuda) return m_marks[number]->done();
#endif
    (void)number;
    return true;
  }
  std::unique_ptr<Lane> make_lane() const override {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (on_cuda) return std::make_unique<CudaLane>();
#endif
    return nullptr;
  }

 private:
  static Exec const& space(Launch const& launch) { return *static_cast<Exec const*>(launch.instance); }

  [[maybe_unused]] int m_device;
#ifdef KOKKOS_ENABLE_CUDA
  bool m_other_device = false;  ///< than that of the default instance, where kokkos_malloc allocates
  std::vector<std::unique_ptr<Event>> m_marks;
#endif
};

}  // namespace

std::unique_ptr<Copier> make_copier(std::string const& label, SpaceInfo const& space) {
  std::unique_ptr<Copier> made;
  bool const known = Generic::with_space(
      space.type, [&](auto tag) { made = std::make_unique<CopierOf<typename decltype(tag)::type>>(space.device); });
  if (!known) fail(label, "ghost layers cannot be copied on the execution space " + space.name + ".");
  return made;
}

Piece in_words(Piece p) {
  for (std::size_t k = 0; k < 2; ++k) {
    // The middle axis into the last one, then the first one into both.
    if (p.stride[2] != p.value_bytes) return p;
    std::size_t const slow = 1 - k;
    if (p.extent[slow] == 1) continue;
    if (p.stride[slow] != p.extent[2] * p.value_bytes) break;
    p.extent[2] *= p.extent[slow];
    p.extent[slow] = 1;
  }
  constexpr std::int64_t word = 16;
  auto const fits             = [&](std::int64_t n) { return n % word == 0; };
  bool const rows             = fits(p.extent[2] * p.value_bytes) && fits(reinterpret_cast<std::intptr_t>(p.view)) &&
                    fits(reinterpret_cast<std::intptr_t>(p.buffer)) && fits(p.half);
  if (!rows || (p.extent[0] > 1 && !fits(p.stride[0])) || (p.extent[1] > 1 && !fits(p.stride[1]))) return p;
  p.extent[2]   = p.extent[2] * p.value_bytes / word;
  p.stride[2]   = word;
  p.value_bytes = p.word = static_cast<int>(word);
  return p;
}

Piece piece_of(PointBox const& box, ViewInfo const& view, Extents3 const& origin, char* buffer) {
  Piece p{};
  p.buffer         = buffer;
  p.value_bytes    = view.value_size;
  std::int64_t at  = 0;
  auto const order = axes_by_stride(view);
  for (std::size_t k = 0; k < 3; ++k) {
    p.extent[k] = 1;
    if (order[k] < 0) continue;
    auto const a = static_cast<std::size_t>(order[k]);
    p.extent[k]  = box.end[a] - box.begin[a];
    p.stride[k]  = view.stride[a] * view.value_size;
    at += (box.begin[a] - origin[a]) * p.stride[k];
  }
  p.view = static_cast<char*>(view.data) + at;
  // Types need not be aligned to their size, and memory may be the application's: a pair of doubles may begin anywhere
  // between words of 16 bytes. Buffers begin with such a word.
  std::uint64_t places = 16 | static_cast<std::uint64_t>(p.value_bytes) | reinterpret_cast<std::uintptr_t>(p.view);
  for (std::size_t k = 0; k < 3; ++k) {
    if (p.extent[k] > 1) places |= static_cast<std::uint64_t>(p.stride[k]);
  }
  p.word = static_cast<int>(places & (~places + 1));  // the lowest bit
  return p;
}

std::size_t bytes_of(Piece const& p) {
  return static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2] * p.value_bytes);
}

bool contiguous(Piece const& p) {
  std::int64_t next = p.value_bytes;
  for (std::size_t k = 3; k-- > 0;) {
    if (p.extent[k] == 1) continue;
    if (p.stride[k] != next) return false;
    next *= p.extent[k];
  }
  return true;
}

struct Packer::Parts {
  std::unique_ptr<Copier> copier;
  std::vector<char*> memory;
};

Packer::Packer(std::string const& label, SpaceInfo const& space) : m_parts(std::make_unique<Parts>()) {
  m_parts->copier = make_copier(label, space);
}

Packer::~Packer() {
  for (char* memory : m_parts->memory) m_parts->copier->release(memory);
}

char* Packer::allocate(std::size_t bytes) {
  m_parts->memory.push_back(m_parts->copier->allocate(bytes));
  return m_parts->memory.back();
}

void Packer::pack(Launch const& launch, ViewInfo const& view, char* to) const {
  m_parts->copier->copy_pieces(launch, {piece_of({{{0, 0, 0}}, view.extent}, view, {{0, 0, 0}}, to)}, true);
}

}  // namespace Impl
}  // namespace KokkosStencil
