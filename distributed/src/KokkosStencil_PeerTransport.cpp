// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_CopyValue.hpp"
#include "KokkosStencil_OnDevice.hpp"
#include "KokkosStencil_Transport.hpp"

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Error.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>
#include <vector>

namespace KokkosStencil {
namespace Impl {

#ifdef KOKKOS_ENABLE_CUDA

namespace {

using Count = std::uint64_t;

constexpr int directions = 27;
/// Bytes between counters: none shares a line with another.
constexpr std::size_t counter_stride = 128;
constexpr std::size_t counters_bytes = (2 * directions + 1) * counter_stride;

/// What is stored and read besides points; a thread of a block each.
struct Links {
  Count* number[directions];         ///< of the message that is on its way, from 1 on; the same both ways
  Count* arrived[directions];        ///< the last message from there that is complete, written by that process
  Count* arrived_there[directions];  ///< the same of the neighbour
  int peer[directions];
  int count = 0;
};

/// Of the messages of links.
struct Numbers {
  Count of[directions];
};

/// How long to wait, and where to note for whom in vain: in host memory, the number of the neighbour and one.
struct Limit {
  Count nanoseconds = 0;
  Count* lost       = nullptr;
};

/// Points that a kernel packs into the neighbours' memory or unpacks from this process's.
struct Moves {
  static constexpr int most = 16;
  Piece piece[most];
  int pieces         = 0;
  std::int64_t items = 0;
  Links links;
  bool first = true, last = true;  ///< of the kernels that move the points of one message
  unsigned* blocks_done = nullptr;
  Limit limit;
};

constexpr int threads = 512, blocks_per_multiprocessor = 2;

#ifdef __CUDACC__

template <bool Pack>
__device__ inline void move_item(Moves const& m, std::int64_t item) {
  int k = 0;
  while (k + 1 < m.pieces && item >= m.piece[k + 1].first) ++k;
  Piece const& p       = m.piece[k];
  std::int64_t const n = item - p.first;
  std::int64_t x = n, y = 0, z = 0;
  // Divisions of 64 bits would take longer than the copy.
  if (p.items > p.extent[2] && p.items <= 0x7fffffff) {
    auto const at = static_cast<std::uint32_t>(n), nx = static_cast<std::uint32_t>(p.extent[2]), row = at / nx,
               ny = static_cast<std::uint32_t>(p.extent[1]);
    x             = at - row * nx;
    z             = row / ny;
    y             = row - static_cast<std::uint32_t>(z) * ny;
  } else if (p.items > p.extent[2]) {
    std::int64_t const row = n / p.extent[2];
    x                      = n - row * p.extent[2];
    z                      = row / p.extent[1];
    y                      = row - z * p.extent[1];
  }
  char* const view   = p.view + z * p.stride[0] + y * p.stride[1] + x * p.stride[2];
  char* const buffer = p.buffer + ((*p.number & 1) != 0 ? p.half : 0) + n * p.value_bytes;
  copy_value(Pack ? buffer : view, Pack ? view : buffer, p.value_bytes, p.word);
}

/// Waits until the message of a link has come. Who waits too long notes the neighbour and ends the program: nothing may
/// go on with points that never came.
__device__ inline void await(Links const& links, int k, Count number, Limit const& limit) {
  Count begin = 0, now = 0, seen = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  while (true) {
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(seen) : "l"(links.arrived[k]) : "memory");
    if (seen >= number) return;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (now - begin > limit.nanoseconds) break;
  }
  *reinterpret_cast<Count volatile*>(limit.lost) = static_cast<Count>(links.peer[k]) + 1;
  __threadfence_system();
  Kokkos::abort(
      "KokkosStencil: the ghost layers of a neighbour have not come within the time limit (engine peer). A process "
      "has ended or makes another call; if they are only slow, set Decomposition::time_limit.");
}

/// Pack: stores the points into the memory of the neighbours; the last block to end tells them. Else: waits for theirs
/// and stores them where they belong; the last block goes on to the next number.
template <bool Pack>
__global__ void __launch_bounds__(threads) move_kernel(__grid_constant__ Moves const m) {
  auto const me = static_cast<int>(threadIdx.x);
  if (!Pack && m.first) {
    if (me < m.links.count) await(m.links, me, *m.links.number[me], m.limit);
    __syncthreads();
  }
  std::int64_t const step = std::int64_t(gridDim.x) * threads;
  for (std::int64_t item = std::int64_t(blockIdx.x) * threads + me; item < m.items; item += step) {
    move_item<Pack>(m, item);
  }
  if (!m.last) return;
  __shared__ bool last;
  __syncthreads();
  if (me == 0) {
    __threadfence_system();
    last = atomicAdd(m.blocks_done, 1u) + 1 == gridDim.x;
  }
  __syncthreads();
  if (!last) return;
  if (me == 0) *m.blocks_done = 0;
  if (me >= m.links.count) return;
  Count const number = *m.links.number[me];
  if constexpr (Pack) {
    __threadfence_system();
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(m.links.arrived_there[me]), "l"(number) : "memory");
  } else {
    *m.links.number[me] = number + 1;
  }
}

/// Only waits: for messages of these numbers, which a copy engine unpacks.
__global__ void await_kernel(__grid_constant__ Links const links, __grid_constant__ Numbers const numbers,
                             __grid_constant__ Limit const limit) {
  await(links, static_cast<int>(threadIdx.x), numbers.of[threadIdx.x], limit);
}

#endif

/// Of an error of one of our calls, which is removed from cudaGetLastError: what that reports is the application's.
std::string text_of(cudaError_t code, char const* call) {
  cudaGetLastError();
  return std::string(call) + " failed: " + cudaGetErrorString(code);
}

/// Calls of the driver that need no place on a multiprocessor: a stream waits until a number in memory is as large, or
/// writes one.
struct StreamValues {
  using Call32   = int (*)(cudaStream_t, unsigned long long, std::uint32_t, unsigned);
  using Call64   = int (*)(cudaStream_t, unsigned long long, std::uint64_t, unsigned);
  Call32 wait32  = nullptr;
  Call64 wait64  = nullptr;
  Call64 write64 = nullptr;

  explicit operator bool() const { return wait32 != nullptr && wait64 != nullptr && write64 != nullptr; }
};
constexpr unsigned until_as_large = 0;  // CU_STREAM_WAIT_VALUE_GEQ

/// The driver is there where CUDA is, and is not closed.
StreamValues find_stream_values() {
  StreamValues found;
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) return found;
  found.wait32  = reinterpret_cast<StreamValues::Call32>(dlsym(driver, "cuStreamWaitValue32_v2"));
  found.wait64  = reinterpret_cast<StreamValues::Call64>(dlsym(driver, "cuStreamWaitValue64_v2"));
  found.write64 = reinterpret_cast<StreamValues::Call64>(dlsym(driver, "cuStreamWriteValue64_v2"));
  return found;
}

/// What a process tells the others about its memory.
struct Offer {
  char host[MPI_MAX_PROCESSOR_NAME];
  char device[32];
  cudaIpcMemHandle_t handle;
  std::uint64_t offset[directions];
  std::uint64_t half[directions];
};

/// Counters, and two places for a message from each direction.
struct Mailbox {
  char* memory = nullptr;
  std::array<Count, directions> next{};  ///< number of the next message each way, as far as the host knows
  DirectionBytes half{};                 ///< bytes that a message from there may have
  DirectionBytes offset{};               ///< where its places begin
  std::map<int, void*> opened;
  std::array<Place, directions> there{};  ///< where messages for a direction go
  Links links{};                          ///< by direction

  Count* number(int d) const {
    return reinterpret_cast<Count*>(memory + static_cast<std::size_t>(directions + d) * counter_stride);
  }
  unsigned* blocks_done() const { return reinterpret_cast<unsigned*>(number(directions)); }
  static Count* arrived(void* base, int d) {
    return reinterpret_cast<Count*>(static_cast<char*>(base) + static_cast<std::size_t>(d) * counter_stride);
  }
};

class PeerTransport : public Transport {
 public:
  PeerTransport(Ranks const& ranks, SpaceInfo const& space)
      : m_ranks(&ranks),
        m_device(space.device),
        m_limit(ranks.settings().time_limit),
        m_shared_devices(!forced_engine(ranks.settings().engine).empty()) {
    void* memory = nullptr;
    if (cudaHostAlloc(&memory, sizeof(Count), cudaHostAllocPortable) == cudaSuccess) {
      m_lost  = static_cast<Count*>(memory);
      *m_lost = 0;
    }
    cudaEventCreateWithFlags(&m_last, cudaEventDisableTiming);
    m_values = find_stream_values();
  }

  /// Neighbours close this memory before it is freed; if they do not come, it stays.
  ~PeerTransport() override {
    OnDevice const current(m_device);
    bool failed     = false;
    auto const done = [&](cudaError_t code) {
      failed = failed || code != cudaSuccess;
      return code == cudaSuccess;
    };
    bool const well = m_ranks != nullptr && !m_ranks->broken() && done(cudaDeviceSynchronize());
    for (auto& box : m_boxes) {
      for (auto const& other : box->opened) done(cudaIpcCloseMemHandle(other.second));
    }
    bool const all = well && m_ranks->barrier(std::min(10.0, m_limit));
    for (auto& box : m_boxes) {
      if (all && box->memory != nullptr) done(cudaFree(box->memory));
    }
    if (m_last != nullptr) done(cudaEventDestroy(m_last));
    if (m_lost != nullptr) done(cudaFreeHost(m_lost));
    // An error of these calls is no error of the application's.
    if (failed) cudaGetLastError();
  }

  std::string name() const override { return "peer"; }
  int device() const override { return m_device; }
  bool on_stream() const override { return true; }
  Place out(int direction) const override { return m_boxes.back()->there[static_cast<std::size_t>(direction)]; }
  Place in(int direction) const override {
    Mailbox const& box = *m_boxes.back();
    auto const d       = static_cast<std::size_t>(direction);
    return {box.memory + box.offset[d], box.number(direction), static_cast<std::int64_t>(box.half[d])};
  }
  bool holds(DirectionBytes const& receive) const override {
    if (m_boxes.empty()) return false;
    for (std::size_t d = 0; d < receive.size(); ++d) {
      if (receive[d] > m_boxes.back()->half[d]) return false;
    }
    return true;
  }
  std::string grow(std::string const& label, DirectionBytes const& receive) override;

  void begin(Launch const& launch) override {
    if (*static_cast<Count volatile*>(m_lost) != 0) {
      std::ostringstream text;
      text << "rank " << m_ranks->me() << " has waited " << m_limit << " seconds for neighbour " << *m_lost - 1
           << " (engine peer). End the program.";
      fail(launch.label, text.str());
    }
    // Also on an equal stream: where one was destroyed, another one may have its handle.
    if (m_used && !capturing(launch)) {
      cudaStreamWaitEvent(static_cast<cudaStream_t>(launch.stream), m_last, 0);
    }
  }
  bool send(Launch const& launch, std::vector<Piece> const& pieces, std::vector<Message> const& messages) override {
    link(messages);
    move<true>(launch, pieces);
    return true;
  }
  bool receive(Launch const& launch, std::vector<Piece> const& pieces) override {
    if (m_copied) {
      await(launch);
    } else {
      move<false>(launch, pieces);
      if (capturing(launch)) m_captured = true;
    }
    m_copied = false;
    for (int const d : m_now) ++m_boxes.back()->next[static_cast<std::size_t>(d)];
    return true;
  }
  // Which half the next message goes to is known as long as no graph sends messages.
  bool copies(Launch const& launch) override { return m_values && !m_captured && !capturing(launch); }
  void exchange_when(Launch const& launch, std::uint32_t* counter, std::uint32_t value,
                     std::vector<Piece> const& leaving, std::vector<Piece> const& coming,
                     std::vector<Message> const& messages) override;
  // Without its own kernels nothing works.
  void start(Launch const&, std::vector<Message> const&) override {}
  void finish(Launch const&) override {}
  void end(Launch const& launch) override {
    if (capturing(launch)) return;
    cudaEventRecord(m_last, static_cast<cudaStream_t>(launch.stream));
    m_used = true;
  }

 private:
  void link(std::vector<Message> const& messages) {
    Links const& all = m_boxes.back()->links;
    m_links.count    = 0;
    m_now.clear();
    for (Message const& m : messages) {
      auto const d             = static_cast<std::size_t>(m.direction);
      auto const k             = static_cast<std::size_t>(m_links.count++);
      m_links.number[k]        = all.number[d];
      m_links.arrived[k]       = all.arrived[d];
      m_links.arrived_there[k] = all.arrived_there[d];
      m_links.peer[k]          = all.peer[d];
      m_now.push_back(m.direction);
    }
  }
  /// Moves the points of one message to or from each neighbour.
  template <bool Pack>
  void move(Launch const& launch, std::vector<Piece> const& pieces) const;
  /// Lets the stream go on when all messages on their way have come.
  void await(Launch const& launch) const;
  Limit limit() const { return {static_cast<Count>(m_limit * 1e9), m_lost}; }
  static void check(Launch const& launch, cudaError_t code, char const* call) {
    if (code != cudaSuccess) fail(launch.label, text_of(code, call) + " (engine peer)");
  }
  /// Launches by a call that says itself whether it has failed.
  template <class... Arguments>
  static void launch_kernel(Launch const& launch, char const* what, void (*kernel)(Arguments...), unsigned blocks,
                            unsigned block, Arguments... values) {
    void* arguments[] = {&values...};
    check(launch,
          cudaLaunchKernel(reinterpret_cast<void const*>(kernel), dim3(blocks), dim3(block), arguments, 0,
                           static_cast<cudaStream_t>(launch.stream)),
          what);
  }
  static bool capturing(Launch const& launch) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(static_cast<cudaStream_t>(launch.stream), &status);
    return status != cudaStreamCaptureStatusNone;
  }
  /// Allocates; why it cannot.
  std::string allocate(Mailbox& box, DirectionBytes const& receive, Offer& offer) const;
  std::string open(Mailbox& box, std::vector<Offer> const& offers) const;

  Ranks const* m_ranks;
  int m_device;
  double m_limit;
  bool m_shared_devices;  ///< several ranks may use one
  /// The last one is in use; graphs may still know the others.
  std::vector<std::unique_ptr<Mailbox>> m_boxes;
  Links m_links{};          ///< of the messages on their way
  std::vector<int> m_now;   ///< their directions
  bool m_captured = false;  ///< into a graph, which may send any number of times
  StreamValues m_values;
  bool m_copied      = false;  ///< what is on its way goes by copy engines
  Count* m_lost      = nullptr;
  cudaEvent_t m_last = nullptr;  // of the exchange before
  bool m_used        = false;
};

template <bool Pack>
void PeerTransport::move(Launch const& launch, std::vector<Piece> const& pieces) const {
#ifdef __CUDACC__
  ToolsRegion const region(launch);
  int multiprocessors = 1;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, m_device);
  std::size_t at = 0;
  do {
    Moves m;
    m.first = at == 0;
    for (; at < pieces.size() && m.pieces < Moves::most; ++at) {
      Piece p = in_words(pieces[at]);
      p.first = m.items;
      p.items = p.extent[0] * p.extent[1] * p.extent[2];
      m.items += p.items;
      m.piece[m.pieces++] = p;
    }
    m.last        = at == pieces.size();
    m.links       = m_links;
    m.blocks_done = m_boxes.back()->blocks_done();
    m.limit       = limit();
    std::int64_t const blocks =
        std::clamp<std::int64_t>((m.items + threads - 1) / threads, 1, blocks_per_multiprocessor * multiprocessors);
    launch_kernel(launch, Pack ? "the kernel that packs" : "the kernel that unpacks", move_kernel<Pack>,
                  static_cast<unsigned>(blocks), static_cast<unsigned>(threads), m);
  } while (at < pieces.size());
#else
  (void)launch;
  (void)pieces;
#endif
}

void PeerTransport::await(Launch const& launch) const {
#ifdef __CUDACC__
  ToolsRegion const region(launch);
  Numbers numbers{};
  for (std::size_t k = 0; k < m_now.size(); ++k) {
    numbers.of[k] = m_boxes.back()->next[static_cast<std::size_t>(m_now[k])];
  }
  launch_kernel(launch, "the kernel that waits", await_kernel, 1, static_cast<unsigned>(m_links.count), m_links,
                numbers, limit());
#else
  (void)launch;
#endif
}

void PeerTransport::exchange_when(Launch const& launch, std::uint32_t* counter, std::uint32_t value,
                                  std::vector<Piece> const& leaving, std::vector<Piece> const& coming,
                                  std::vector<Message> const& messages) {
  link(messages);
  m_copied            = true;
  auto const stream   = static_cast<cudaStream_t>(launch.stream);
  auto const at       = [](auto* p) { return static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(p)); };
  auto const expected = [&](std::size_t k) {
    return m_boxes.back()->next[static_cast<std::size_t>(messages[k].direction)];
  };
  auto const driver = [&](int code, char const* call) {
    if (code != 0) fail(launch.label, std::string(call) + " failed (engine peer).");
  };
  auto const copy = [&](void* to, void const* from, std::size_t bytes) {
    check(launch, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
  };
  auto const half = [&](Piece const& p, std::size_t k) { return p.buffer + ((expected(k) & 1) != 0 ? p.half : 0); };
  driver(m_values.wait32(stream, at(counter), value, until_as_large), "cuStreamWaitValue32");
  for (std::size_t k = 0; k < leaving.size(); ++k) copy(half(leaving[k], k), leaving[k].view, bytes_of(leaving[k]));
  // The copies of a stream follow each other, so that a number arrives after its points.
  for (std::size_t k = 0; k < messages.size(); ++k) copy(m_links.arrived_there[k], m_links.number[k], sizeof(Count));
  for (std::size_t k = 0; k < messages.size(); ++k) {
    driver(m_values.wait64(stream, at(m_links.arrived[k]), expected(k), until_as_large), "cuStreamWaitValue64");
    copy(coming[k].view, half(coming[k], k), bytes_of(coming[k]));
    driver(m_values.write64(stream, at(m_links.number[k]), expected(k) + 1, 0), "cuStreamWriteValue64");
  }
}

std::string PeerTransport::allocate(Mailbox& box, DirectionBytes const& receive, Offer& offer) const {
  if (m_lost == nullptr || m_last == nullptr) return "there is no pinned memory for it";
  std::size_t bytes = counters_bytes;
  for (std::size_t d = 0; d < receive.size(); ++d) {
    std::size_t const before = m_boxes.empty() ? 0 : m_boxes.back()->half[d];
    box.half[d]              = (std::max(before, receive[d]) + 255) / 256 * 256;
    box.offset[d]            = bytes;
    bytes += 2 * box.half[d];
  }
  void* memory = nullptr;
  // Kokkos' own memory may come from a pool, which no other process can open.
  if (auto const code = cudaMalloc(&memory, bytes); code != cudaSuccess) return text_of(code, "cudaMalloc");
  box.memory = static_cast<char*>(memory);
  if (auto const code = cudaMemset(memory, 0, counters_bytes); code != cudaSuccess) return text_of(code, "cudaMemset");
  box.next.fill(1);
  for (int d = 0; d < directions; ++d) {
    auto const code = cudaMemcpy(box.number(d), &box.next[0], sizeof(Count), cudaMemcpyHostToDevice);
    if (code != cudaSuccess) return text_of(code, "cudaMemcpy");
  }
  if (auto const code = cudaDeviceSynchronize(); code != cudaSuccess) return text_of(code, "cudaDeviceSynchronize");
  if (auto const code = cudaIpcGetMemHandle(&offer.handle, memory); code != cudaSuccess) {
    return text_of(code, "cudaIpcGetMemHandle");
  }
  for (std::size_t d = 0; d < receive.size(); ++d) {
    offer.offset[d] = box.offset[d];
    offer.half[d]   = box.half[d];
  }
  return {};
}

std::string PeerTransport::open(Mailbox& box, std::vector<Offer> const& offers) const {
  int const me = m_ranks->me();
  for (int d = 0; d < directions; ++d) {
    if (d == directions / 2) continue;
    auto place = m_ranks->place();
    place[0] += d / 9 - 1;
    place[1] += d / 3 % 3 - 1;
    place[2] += d % 3 - 1;
    int const peer = m_ranks->at(place);
    if (peer < 0 || peer == me) continue;
    Offer const& other = offers[static_cast<std::size_t>(peer)];
    if (std::strcmp(other.host, offers[static_cast<std::size_t>(me)].host) != 0) {
      return "ranks " + std::to_string(me) + " and " + std::to_string(peer) + " are neighbours on different hosts";
    }
    if (!m_shared_devices && std::strcmp(other.device, offers[static_cast<std::size_t>(me)].device) == 0) {
      return "ranks " + std::to_string(me) + " and " + std::to_string(peer) +
             " share a GPU, where one would wait while the other's turn is";
    }
    void*& base = box.opened[peer];
    if (base == nullptr) {
      auto const code = cudaIpcOpenMemHandle(&base, other.handle, cudaIpcMemLazyEnablePeerAccess);
      if (code != cudaSuccess) {
        box.opened.erase(peer);
        return "rank " + std::to_string(me) + " cannot open the memory of rank " + std::to_string(peer) + ": " +
               text_of(code, "cudaIpcOpenMemHandle");
      }
    }
    auto const at = static_cast<std::size_t>(d), back = static_cast<std::size_t>(directions - 1 - d);
    box.there[at]               = {static_cast<char*>(base) + other.offset[back], box.number(d),
                                   static_cast<std::int64_t>(other.half[back])};
    box.links.number[at]        = box.number(d);
    box.links.arrived[at]       = Mailbox::arrived(box.memory, d);
    box.links.arrived_there[at] = Mailbox::arrived(base, directions - 1 - d);
    box.links.peer[at]          = peer;
  }
  return {};
}

std::string PeerTransport::grow(std::string const& label, DirectionBytes const& receive) {
  auto box = std::make_unique<Mailbox>();
  Offer mine{};
  int length = 0;
  MPI_Get_processor_name(mine.host, &length);
  cudaDeviceGetPCIBusId(mine.device, static_cast<int>(sizeof mine.device), m_device);
  std::string reason = first_of_all(label, *m_ranks, allocate(*box, receive, mine));
  if (reason.empty()) {
    std::vector<Offer> offers(static_cast<std::size_t>(m_ranks->processes()));
    m_ranks->all_gather(label, &mine, offers.data(), sizeof mine);
    reason = first_of_all(label, *m_ranks, open(*box, offers));
  }
  if (!reason.empty()) {
    for (auto const& other : box->opened) cudaIpcCloseMemHandle(other.second);
    m_ranks->barrier(m_limit);
    cudaFree(box->memory);
    return reason;
  }
  m_boxes.push_back(std::move(box));
  return {};
}

}  // namespace

std::shared_ptr<Transport> make_peer_transport(std::string const& label, Ranks const& ranks, SpaceInfo const& space,
                                               DirectionBytes const& receive, std::string& reason) {
  bool const mine = space.type == std::type_index(typeid(Kokkos::Cuda));
  reason = first_of_all(label, ranks, mine ? "" : "rank " + std::to_string(ranks.me()) + " has no CUDA device");
  if (!reason.empty()) return nullptr;
  auto made = std::make_shared<PeerTransport>(ranks, space);
  reason    = made->grow(label, receive);
  if (!reason.empty()) return nullptr;
  return made;
}

#else

std::shared_ptr<Transport> make_peer_transport(std::string const&, Ranks const&, SpaceInfo const&,
                                               DirectionBytes const&, std::string& reason) {
  reason = "this Kokkos has no CUDA";
  return nullptr;
}

#endif

}  // namespace Impl
}  // namespace KokkosStencil
