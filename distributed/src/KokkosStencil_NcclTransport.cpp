// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Transport.hpp"

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Finalize.hpp>

#ifdef KOKKOS_ENABLE_CUDA

#include <dlfcn.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#endif

// NCCL is looked for at run time: programs run where it is not installed, and neither its header nor its library is
// needed to build. What is declared here has been the same since NCCL 2.7.

namespace KokkosStencil {
namespace Impl {

#ifdef KOKKOS_ENABLE_CUDA

namespace {

struct NcclId {
  char bytes[128];
};
using NcclComm             = void*;
constexpr int nccl_success = 0, nccl_int8 = 0;

struct Nccl {
  int (*get_version)(int*)                                                = nullptr;
  int (*get_unique_id)(NcclId*)                                           = nullptr;
  int (*comm_init_rank)(NcclComm*, int, NcclId, int)                      = nullptr;
  int (*comm_destroy)(NcclComm)                                           = nullptr;
  int (*comm_abort)(NcclComm)                                             = nullptr;
  int (*group_start)()                                                    = nullptr;
  int (*group_end)()                                                      = nullptr;
  int (*send)(void const*, std::size_t, int, int, NcclComm, cudaStream_t) = nullptr;
  int (*receive)(void*, std::size_t, int, int, NcclComm, cudaStream_t)    = nullptr;
  char const* (*error_string)(int)                                        = nullptr;
  std::string missing;  ///< why it cannot be used

  Nccl() {
    // Never closed: NCCL has threads of its own.
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      char const* const error = dlerror();
      missing                 = error != nullptr ? error : "libnccl.so.2 was not found";
      return;
    }
    auto const load = [&](char const* name, auto& function) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr) missing = std::string("libnccl.so.2 has no ") + name;
    };
    load("ncclGetVersion", get_version);
    load("ncclGetUniqueId", get_unique_id);
    load("ncclCommInitRank", comm_init_rank);
    load("ncclCommDestroy", comm_destroy);
    load("ncclCommAbort", comm_abort);
    load("ncclGroupStart", group_start);
    load("ncclGroupEnd", group_end);
    load("ncclSend", send);
    load("ncclRecv", receive);
    load("ncclGetErrorString", error_string);
  }
};

Nccl const& nccl() {
  static Nccl const& library = *new Nccl;
  return library;
}

/// Processes, and the device of each. The same on all of them.
struct Seats {
  std::vector<int> processes;
  std::vector<std::string> devices;
  friend bool operator<(Seats const& a, Seats const& b) {
    return std::tie(a.processes, a.devices) < std::tie(b.processes, b.devices);
  }
};

/// Communicators of NCCL, by the processes and devices that share them: to make one takes long, and a Decomposition is
/// made often. All processes make and find them in the same order. They end with Kokkos.
class Communicators {
 public:
  static Communicators& all() {
    // Kokkos may be finalized when static objects are gone.
    static Communicators& one = *new Communicators;
    return one;
  }
  NcclComm find(Seats const& seats) {
    std::lock_guard<std::mutex> const lock(m_mutex);
    auto const known = m_known.find(seats);
    return known != m_known.end() ? known->second : nullptr;
  }
  void add(Seats const& seats, NcclComm comm) {
    std::lock_guard<std::mutex> const lock(m_mutex);
    if (m_known.empty()) {
      at_finalize([] {
        std::lock_guard<std::mutex> const last(all().m_mutex);
        for (auto const& known : all().m_known) nccl().comm_destroy(known.second);
        all().m_known.clear();
      });
    }
    m_known[seats] = comm;
  }

 private:
  std::mutex m_mutex;
  std::map<Seats, NcclComm> m_known;
};

/// The processes of a communicator, as ranks of MPI_COMM_WORLD.
std::vector<int> processes_of(Ranks const& ranks) {
  MPI_Group mine = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  MPI_Comm_group(ranks.comm(), &mine);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> numbers(static_cast<std::size_t>(ranks.processes())), all(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<int>(k);
  MPI_Group_translate_ranks(mine, ranks.processes(), numbers.data(), world, all.data());
  MPI_Group_free(&mine);
  MPI_Group_free(&world);
  return all;
}

/// Ends the program where an exchange that has begun on the device takes longer than the time limit.
class Watch {
 public:
  Watch(int rank, int device, double limit) : m_rank(rank), m_device(device), m_limit(limit) {
    m_thread = std::thread([this] { run(); });
  }
  ~Watch() {
    {
      std::lock_guard<std::mutex> const lock(m_mutex);
      m_end = true;
    }
    m_wake.notify_all();
    m_thread.join();
    for (Pair const& p : m_in_flight) destroy(p);
    for (Pair const& p : m_free) destroy(p);
  }
  Watch(Watch const&)            = delete;
  Watch& operator=(Watch const&) = delete;

  /// Around what is enqueued by f.
  template <class F>
  void around(std::string const& label, cudaStream_t stream, F const& f) {
    Pair const pair = take(label);
    try {
      check(label, cudaEventRecord(pair.before, stream), "cudaEventRecord");
      f();
      check(label, cudaEventRecord(pair.after, stream), "cudaEventRecord");
    } catch (...) {
      std::lock_guard<std::mutex> const lock(m_mutex);
      m_free.push_back(pair);
      throw;
    }
    std::lock_guard<std::mutex> const lock(m_mutex);
    m_in_flight.push_back(pair);
  }

 private:
  struct Pair {
    cudaEvent_t before = nullptr, after = nullptr;
  };
  using Clock = std::chrono::steady_clock;

  static void check(std::string const& label, cudaError_t code, char const* call) {
    if (code == cudaSuccess) return;
    cudaGetLastError();
    fail(label, std::string(call) + " failed (engine nccl): " + cudaGetErrorString(code) + ".");
  }
  static void destroy(Pair const& pair) {
    for (cudaEvent_t const event : {pair.before, pair.after}) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }
  /// A pair that is free, or a new one: as many as exchanges are in flight, which the queues of streams limit.
  Pair take(std::string const& label) {
    Pair pair;
    {
      std::lock_guard<std::mutex> const lock(m_mutex);
      if (!m_free.empty()) {
        pair = m_free.back();
        m_free.pop_back();
        return pair;
      }
    }
    for (cudaEvent_t* const event : {&pair.before, &pair.after}) {
      cudaError_t const code = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
      if (code != cudaSuccess) destroy(pair);
      check(label, code, "cudaEventCreate");
    }
    return pair;
  }

  void run() {
    cudaSetDevice(m_device);
    // Events are asked after while other threads may capture graphs.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    bool begun = false;
    Clock::time_point begin;
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!m_end) {
      m_wake.wait_for(lock, std::chrono::milliseconds(20));
      while (!m_in_flight.empty() && cudaEventQuery(m_in_flight.front().after) == cudaSuccess) {
        m_free.push_back(m_in_flight.front());
        m_in_flight.pop_front();
        begun = false;
      }
      if (m_in_flight.empty() || cudaEventQuery(m_in_flight.front().before) != cudaSuccess) continue;
      if (!begun) begin = Clock::now();
      begun = true;
      if (std::chrono::duration<double>(Clock::now() - begin).count() < m_limit) continue;
      std::fprintf(stderr,
                   "KokkosStencil: rank %d has waited %g seconds for the ghost layers of its neighbours (engine nccl). "
                   "A process has ended or makes another call; if they are only slow, set "
                   "Decomposition::time_limit.\n",
                   m_rank, m_limit);
      std::fflush(stderr);
      std::abort();
    }
  }

  int m_rank, m_device;
  double m_limit;
  std::deque<Pair> m_in_flight;  // the oldest first
  std::vector<Pair> m_free;
  bool m_end = false;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::thread m_thread;
};

class NcclTransport : public Transport {
 public:
  NcclTransport(Ranks const& ranks, SpaceInfo const& space, NcclComm comm)
      : m_me(ranks.me()),
        m_device(space.device),
        m_comm(comm),
        m_watch(ranks.me(), space.device, ranks.settings().time_limit) {}

  std::string name() const override { return "nccl"; }
  int device() const override { return m_device; }
  bool on_stream() const override { return true; }
  void start(Launch const& launch, std::vector<Message> const& messages) override {
    auto const stream              = static_cast<cudaStream_t>(launch.stream);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &status);
    if (status == cudaStreamCaptureStatusNone) {
      m_watch.around(launch.label, stream, [&] { post(launch, stream, messages); });
    } else {
      post(launch, stream, messages);
    }
  }
  void finish(Launch const&) override {}

 private:
  void check(Launch const& launch, int code, char const* call, int peer) const {
    if (code == nccl_success) return;
    fail(launch.label, std::string(call) + " failed on rank " + std::to_string(m_me) +
                           (peer >= 0 ? ", neighbour " + std::to_string(peer) : std::string()) + ": " +
                           nccl().error_string(code) + ".");
  }
  void post(Launch const& launch, cudaStream_t stream, std::vector<Message> const& messages) const {
    check(launch, nccl().group_start(), "ncclGroupStart", -1);
    int code = nccl_success, peer = -1;
    char const* call = "";
    auto const done  = [&](int result, char const* name, int neighbour) {
      code = result;
      call = name;
      peer = neighbour;
      return result == nccl_success;
    };
    // Messages of a pair of ranks match in their order: one sends by ascending directions, the other receives by
    // descending ones, which are the opposite directions.
    for (std::size_t k = 0; k < messages.size(); ++k) {
      Message const& out = messages[k];
      Message const& in  = messages[messages.size() - 1 - k];
      if (!done(nccl().send(out.out, out.bytes, nccl_int8, out.peer, m_comm, stream), "ncclSend", out.peer)) break;
      if (!done(nccl().receive(in.in, in.bytes, nccl_int8, in.peer, m_comm, stream), "ncclRecv", in.peer)) break;
    }
    // A group that stayed open would keep all later calls of this thread.
    int const ended = nccl().group_end();
    check(launch, code, call, peer);
    check(launch, ended, "ncclGroupEnd", -1);
  }

  int m_me, m_device;
  NcclComm m_comm;
  Watch m_watch;
};

}  // namespace

std::shared_ptr<Transport> make_nccl_transport(std::string const& label, Ranks const& ranks, SpaceInfo const& space,
                                               std::string& reason) {
  bool const cuda      = space.type == std::type_index(typeid(Kokkos::Cuda));
  std::string const me = "rank " + std::to_string(ranks.me());
  reason               = first_of_all(label, ranks,
                        !cuda                    ? me + " has no CUDA device"
                                      : nccl().missing.empty() ? ""
                                                               : me + ": " + nccl().missing);
  if (!reason.empty()) return nullptr;
  struct Seat {
    char host[MPI_MAX_PROCESSOR_NAME];
    char device[32];
  } mine{};
  int length = 0;
  MPI_Get_processor_name(mine.host, &length);
  cudaDeviceGetPCIBusId(mine.device, static_cast<int>(sizeof mine.device), space.device);
  std::vector<Seat> all(static_cast<std::size_t>(ranks.processes()));
  ranks.all_gather(label, &mine, all.data(), static_cast<int>(sizeof mine));
  Seats seats;
  seats.processes = processes_of(ranks);
  for (Seat const& seat : all) seats.devices.emplace_back(seat.device);
  if (NcclComm const known = Communicators::all().find(seats); known != nullptr) {
    return std::make_shared<NcclTransport>(ranks, space, known);
  }
  // NCCL takes one process a GPU.
  for (std::size_t k = 0; k < all.size() && reason.empty(); ++k) {
    bool const other = static_cast<int>(k) != ranks.me();
    if (!other || std::strcmp(all[k].host, mine.host) != 0 || std::strcmp(all[k].device, mine.device) != 0) continue;
    reason = me + " shares its GPU with rank " + std::to_string(k);
  }
  struct Start {
    NcclId id;
    int code;
  } first{};
  if (ranks.me() == 0) first.code = nccl().get_unique_id(&first.id);
  std::vector<Start> starts(all.size());
  ranks.all_gather(label, &first, starts.data(), static_cast<int>(sizeof first));
  first = starts[0];
  if (first.code != nccl_success) reason = std::string("ncclGetUniqueId: ") + nccl().error_string(first.code);
  reason = first_of_all(label, ranks, reason);
  if (!reason.empty()) return nullptr;
  NcclComm comm  = nullptr;
  int const code = nccl().comm_init_rank(&comm, ranks.processes(), first.id, ranks.me());
  reason         = first_of_all(label, ranks,
                        code == nccl_success ? "" : "ncclCommInitRank on " + me + ": " + nccl().error_string(code));
  if (!reason.empty()) {
    if (code == nccl_success) nccl().comm_abort(comm);
    return nullptr;
  }
  Communicators::all().add(seats, comm);
  return std::make_shared<NcclTransport>(ranks, space, comm);
}

#else

std::shared_ptr<Transport> make_nccl_transport(std::string const&, Ranks const&, SpaceInfo const&,
                                               std::string& reason) {
  reason = "this Kokkos has no CUDA";
  return nullptr;
}

#endif

}  // namespace Impl
}  // namespace KokkosStencil
