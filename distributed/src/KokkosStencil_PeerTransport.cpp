// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Transport.hpp"

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Views.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

namespace KokkosStencil {
namespace Impl {

#ifdef KOKKOS_ENABLE_CUDA

namespace {

using Count = std::uint64_t;

constexpr int directions = 27;
/// Bytes between counters: none shares a line with another.
constexpr std::size_t counter_stride = 128;
constexpr std::size_t counters_bytes = 2 * directions * counter_stride;

/// Kernels of one thread a neighbour.
struct Links {
  Count* sent[directions];           ///< messages to a neighbour
  Count* arrived[directions];        ///< messages from there, written by that process
  Count* arrived_there[directions];  ///< the same counter of the neighbour
  int peer[directions];
};

/// Tells the neighbours that what was stored by earlier work on the stream is there.
struct Signal {
  Links links;

  KOKKOS_FUNCTION void operator()(int k) const {
#ifdef __CUDA_ARCH__
    Count const count = *links.sent[k] + 1;
    __threadfence_system();
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(links.arrived_there[k]), "l"(count) : "memory");
    *links.sent[k] = count;
#else
    (void)k;
#endif
  }
};

/// Waits until as many messages have come as were sent. Who waits too long notes the neighbour and ends the program:
/// nothing may go on with points that never came.
struct Await {
  Links links;
  Count nanoseconds;
  Count* lost;  ///< in host memory: number of the neighbour and one

  KOKKOS_FUNCTION void operator()(int k) const {
#ifdef __CUDA_ARCH__
    Count const count = *links.sent[k];
    Count begin = 0, now = 0, seen = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    while (true) {
      asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(seen) : "l"(links.arrived[k]) : "memory");
      if (seen >= count) return;
      asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
      if (now - begin > nanoseconds) break;
    }
    *reinterpret_cast<Count volatile*>(lost) = static_cast<Count>(links.peer[k]) + 1;
    __threadfence_system();
    Kokkos::abort(
        "KokkosStencil: the ghost layers of a neighbour have not come within the time limit (engine peer). A process "
        "has ended or makes another call; if they are only slow, set Decomposition::time_limit.");
#else
    (void)k;
#endif
  }
};

std::string text_of(cudaError_t code, char const* call) {
  return std::string(call) + " failed: " + cudaGetErrorString(code);
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
  DirectionBytes half{};    ///< bytes that a message from there may have
  DirectionBytes offset{};  ///< where its places begin
  std::map<int, void*> opened;
  std::array<Place, directions> there{};  ///< where messages for a direction go
  Links links{};                          ///< by direction

  Count* sent(int d) const {
    return reinterpret_cast<Count*>(memory + static_cast<std::size_t>(directions + d) * counter_stride);
  }
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
  }

  /// Neighbours close this memory before it is freed; if they do not come, it stays.
  ~PeerTransport() override {
    bool const well = m_ranks != nullptr && !m_ranks->broken() && cudaDeviceSynchronize() == cudaSuccess;
    for (auto& box : m_boxes) {
      for (auto const& other : box->opened) cudaIpcCloseMemHandle(other.second);
    }
    bool const all = well && m_ranks->barrier(std::min(10.0, m_limit));
    for (auto& box : m_boxes) {
      if (all && box->memory != nullptr) cudaFree(box->memory);
    }
    if (m_last != nullptr) cudaEventDestroy(m_last);
    if (m_lost != nullptr) cudaFreeHost(m_lost);
    cudaGetLastError();
  }

  std::string name() const override { return "peer"; }
  bool on_stream() const override { return true; }
  Place out(int direction) const override { return m_boxes.back()->there[static_cast<std::size_t>(direction)]; }
  Place in(int direction) const override {
    Mailbox const& box = *m_boxes.back();
    auto const d       = static_cast<std::size_t>(direction);
    return {box.memory + box.offset[d], box.sent(direction), static_cast<std::int64_t>(box.half[d])};
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
    if (m_used && launch.stream != m_stream && !capturing(launch)) {
      cudaStreamWaitEvent(static_cast<cudaStream_t>(launch.stream), m_last, 0);
    }
  }
  void start(Launch const& launch, std::vector<Message> const& messages) override {
    Links const& all = m_boxes.back()->links;
    m_count          = 0;
    for (Message const& m : messages) {
      auto const d             = static_cast<std::size_t>(m.direction);
      auto const k             = static_cast<std::size_t>(m_count++);
      m_links.sent[k]          = all.sent[d];
      m_links.arrived[k]       = all.arrived[d];
      m_links.arrived_there[k] = all.arrived_there[d];
      m_links.peer[k]          = all.peer[d];
    }
    Kokkos::parallel_for(launch.label, range(launch), Signal{m_links});
  }
  void finish(Launch const& launch) override {
    Kokkos::parallel_for(launch.label, range(launch), Await{m_links, static_cast<Count>(m_limit * 1e9), m_lost});
  }
  void end(Launch const& launch) override {
    if (capturing(launch)) return;
    cudaEventRecord(m_last, static_cast<cudaStream_t>(launch.stream));
    m_stream = launch.stream;
    m_used   = true;
  }

 private:
  using Range = Kokkos::RangePolicy<Kokkos::Cuda, LightWeight, Kokkos::IndexType<int>>;

  Range range(Launch const& launch) const {
    return Range(*static_cast<Kokkos::Cuda const*>(launch.instance), 0, m_count);
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
  Links m_links{};
  int m_count        = 0;
  Count* m_lost      = nullptr;
  cudaEvent_t m_last = nullptr;  // of the exchange before
  void* m_stream     = nullptr;
  bool m_used        = false;
};

std::string PeerTransport::allocate(Mailbox& box, DirectionBytes const& receive, Offer& offer) const {
  int device = -1;
  if (m_lost == nullptr || m_last == nullptr) return "there is no pinned memory for it";
  if (cudaGetDevice(&device) != cudaSuccess || device != m_device) {
    return "the fields are on device " + std::to_string(m_device) + ", and this thread's device is " +
           std::to_string(device);
  }
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
    box.there[at]               = {static_cast<char*>(base) + other.offset[back], box.sent(d),
                                   static_cast<std::int64_t>(other.half[back])};
    box.links.sent[at]          = box.sent(d);
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
    // An error of these calls is no error of the application's.
    cudaGetLastError();
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
