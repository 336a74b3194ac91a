// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>

#include <generic/WithSpace.hpp>

#include <impl/KokkosStencil_Ranks.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace KokkosStencil {
namespace Impl {

namespace {

/// A box of a View and the stretch of a buffer that holds its points, in the order of the View's strides.
struct Piece {
  char* view;
  char* buffer;
  std::int64_t stride[3];  ///< bytes, the longest first
  std::int64_t extent[3];
  std::int64_t first;  ///< of its items among those of all pieces
  int value_bytes;
};

/// Pieces that one kernel copies; its arguments hold no more.
struct PieceList {
  static constexpr int most = 24;
  Piece piece[most];
  int count          = 0;
  std::int64_t items = 0;
};

KOKKOS_INLINE_FUNCTION void copy_bytes(char* to, char const* from, int bytes) {
  switch (bytes) {
    case 8: *reinterpret_cast<std::uint64_t*>(to) = *reinterpret_cast<std::uint64_t const*>(from); break;
    case 4: *reinterpret_cast<std::uint32_t*>(to) = *reinterpret_cast<std::uint32_t const*>(from); break;
    case 2: *reinterpret_cast<std::uint16_t*>(to) = *reinterpret_cast<std::uint16_t const*>(from); break;
    default:
      for (int k = 0; k < bytes; ++k) to[k] = from[k];
  }
}

/// Items are points on devices and rows on hosts.
template <bool Pack, bool Rows>
struct CopyPieces {
  PieceList list;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    int k = 0;
    while (k + 1 < list.count && item >= list.piece[k + 1].first) ++k;
    Piece const& p       = list.piece[k];
    std::int64_t const m = item - p.first, nx = Rows ? 1 : p.extent[2];
    std::int64_t const x = Rows ? 0 : m % nx, y = m / nx % p.extent[1], z = m / nx / p.extent[1];
    char* view   = p.view + z * p.stride[0] + y * p.stride[1] + x * p.stride[2];
    char* buffer = p.buffer + ((z * p.extent[1] + y) * p.extent[2] + x) * p.value_bytes;
    if constexpr (!Rows) {
      copy_bytes(Pack ? buffer : view, Pack ? view : buffer, p.value_bytes);
    } else {
      if (p.stride[2] == p.value_bytes) {
        std::memcpy(Pack ? buffer : view, Pack ? view : buffer, static_cast<std::size_t>(p.extent[2] * p.value_bytes));
        return;
      }
      for (std::int64_t i = 0; i < p.extent[2]; ++i, view += p.stride[2], buffer += p.value_bytes) {
        copy_bytes(Pack ? buffer : view, Pack ? view : buffer, p.value_bytes);
      }
    }
  }
};

/// Memory and copies on the space of a launch, without its type.
class Copier {
 public:
  virtual ~Copier() = default;

  virtual bool host() const                                                                            = 0;
  virtual char* allocate(std::size_t bytes) const                                                      = 0;
  virtual void release(char* memory) const                                                             = 0;
  virtual char* allocate_staging(std::size_t bytes) const                                              = 0;
  virtual void release_staging(char* memory) const                                                     = 0;
  virtual void copy_pieces(Launch const& launch, std::vector<Piece> const& pieces, bool pack) const    = 0;
  virtual void to_staging(Launch const& launch, char* to, char const* from, std::size_t bytes) const   = 0;
  virtual void from_staging(Launch const& launch, char* to, char const* from, std::size_t bytes) const = 0;
  virtual void fence(Launch const& launch) const                                                       = 0;
};

#if defined(KOKKOS_ENABLE_CUDA)
using Staging = Kokkos::CudaHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
using Staging = Kokkos::HIPHostPinnedSpace;
#else
using Staging = Kokkos::HostSpace;
#endif

template <class Exec>
class CopierOf : public Copier {
  static constexpr bool on_host = is_host_space<Exec>();
  using Memory                  = typename Exec::memory_space;
  template <class Space, class Byte>
  using Bytes = Kokkos::View<Byte*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  bool host() const override { return on_host; }
  char* allocate(std::size_t bytes) const override {
    return static_cast<char*>(Kokkos::kokkos_malloc<Memory>("KokkosStencil ghost layers", bytes));
  }
  void release(char* memory) const override { Kokkos::kokkos_free<Memory>(memory); }
  char* allocate_staging(std::size_t bytes) const override {
    return static_cast<char*>(Kokkos::kokkos_malloc<Staging>("KokkosStencil staging", bytes));
  }
  void release_staging(char* memory) const override { Kokkos::kokkos_free<Staging>(memory); }

  void copy_pieces(Launch const& launch, std::vector<Piece> const& pieces, bool pack) const override {
    for (std::size_t at = 0; at < pieces.size();) {
      PieceList list;
      for (; at < pieces.size() && list.count < PieceList::most; ++at) {
        Piece p = pieces[at];
        p.first = list.items;
        list.items += p.extent[0] * p.extent[1] * (on_host ? 1 : p.extent[2]);
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

 private:
  static Exec const& space(Launch const& launch) { return *static_cast<Exec const*>(launch.instance); }
};

std::unique_ptr<Copier> make_copier(std::string const& label, SpaceInfo const& space) {
  std::unique_ptr<Copier> made;
  bool const known = Generic::with_space(
      space.type, [&](auto tag) { made = std::make_unique<CopierOf<typename decltype(tag)::type>>(); });
  if (!known) fail(label, "ghost layers cannot be copied on the execution space " + space.name + ".");
  return made;
}

/// The box of a View, whose first point has the index `origin`.
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
  return p;
}

class MpiTransport : public Transport {
 public:
  explicit MpiTransport(Ranks const& ranks) : m_ranks(&ranks) {}

  std::string name() const override { return "mpi"; }
  bool device_memory() const override { return m_ranks->settings().device_pointers; }
  void start(std::string const& label, std::vector<Message> const& receive, std::vector<Message> const& send) override {
    for (Message const& m : receive) m_ranks->post(label, false, m.peer, m.tag, m.data, m.bytes, m_requests, m_peers);
    for (Message const& m : send) m_ranks->post(label, true, m.peer, m.tag, m.data, m.bytes, m_requests, m_peers);
  }
  void finish(std::string const& label) override {
    std::vector<MPI_Request> requests;
    std::vector<int> peers;
    requests.swap(m_requests);
    peers.swap(m_peers);
    m_ranks->wait(label, "a message", requests, peers);
  }

 private:
  Ranks const* m_ranks;
  std::vector<MPI_Request> m_requests;
  std::vector<int> m_peers;
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(Ranks const& ranks) { return std::make_unique<MpiTransport>(ranks); }

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

struct Exchange::Parts {
  /// One neighbour in one direction.
  struct Neighbour {
    Direction direction;
    int peer;
    std::vector<PointBox> send, receive;  ///< of each field
    std::vector<std::size_t> offset;      ///< of each field in the message
    std::size_t bytes;
    std::size_t begin;  ///< in the buffers
  };

  Ranks const* ranks = nullptr;
  std::unique_ptr<Copier> copier;
  std::unique_ptr<Transport> transport;
  std::vector<Neighbour> neighbours;
  std::size_t bytes = 0;
  bool staged       = false;
  char* sent        = nullptr;  // packed points, in the memory of the space
  char* received    = nullptr;
  char* out         = nullptr;  // the same in host memory, if staged
  char* in          = nullptr;
  std::vector<bool> in_place;  ///< neighbours whose points arrive in the field itself

  ~Parts() {
    if (ranks->broken()) return;
    for (char* memory : {sent, received}) {
      if (memory != nullptr) copier->release(memory);
    }
    for (char* memory : {out, in}) {
      if (memory != nullptr) copier->release_staging(memory);
    }
  }

  static std::size_t bytes_of(Piece const& p) {
    return static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2] * p.value_bytes);
  }

  /// What a neighbour sends.
  std::vector<Piece> ghosts(Neighbour const& n, std::vector<ViewInfo> const& fields) const {
    std::vector<Piece> pieces;
    for (std::size_t f = 0; f < n.receive.size(); ++f) {
      if (n.receive[f].empty()) continue;
      pieces.push_back(piece_of(n.receive[f], fields[f], {{0, 0, 0}}, received + n.begin + n.offset[f]));
    }
    return pieces;
  }

  /// Whether the points of a piece follow each other in memory.
  static bool contiguous(Piece const& p) {
    std::int64_t next = p.value_bytes;
    for (std::size_t k = 3; k-- > 0;) {
      if (p.extent[k] == 1) continue;
      if (p.stride[k] != next) return false;
      next *= p.extent[k];
    }
    return true;
  }
};

Exchange::Exchange(std::string const& label, Ranks const& ranks, std::vector<ViewInfo> const& fields,
                   SpaceInfo const& space)
    : m_parts(std::make_unique<Parts>()) {
  Parts& p = *m_parts;
  p.ranks  = &ranks;
  std::vector<Extents3> layers;
  for (ViewInfo const& field : fields) layers.push_back(layers_of(label, *p.ranks, field));
  PointBox const own = p.ranks->owned(p.ranks->me());
  for (int k = 0; k < 27; ++k) {
    Direction const d{{k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1}};
    bool near  = k != 13;
    auto place = p.ranks->place();
    for (std::size_t a = 0; a < 3; ++a) {
      near = near && (d[a] == 0 || p.ranks->shared(a, d[a] < 0 ? 0 : 1));
      place[a] += d[a];
    }
    if (!near) continue;
    Parts::Neighbour n{d, p.ranks->at(place), {}, {}, {}, 0, p.bytes};
    for (std::size_t f = 0; f < fields.size(); ++f) {
      Extents3 const first = first_of(*p.ranks, layers[f]);
      PointBox send{}, receive{};
      for (std::size_t a = 0; a < 3; ++a) {
        std::int64_t const size = own.end[a] - own.begin[a], deep = layers[f][a], begin = first[a];
        send.begin[a]    = d[a] > 0 ? begin + size - deep : begin;
        send.end[a]      = d[a] < 0 ? begin + deep : begin + size;
        receive.begin[a] = d[a] < 0 ? begin - deep : d[a] > 0 ? begin + size : begin;
        receive.end[a]   = d[a] < 0 ? begin : d[a] > 0 ? begin + size + deep : begin + size;
      }
      n.send.push_back(send);
      n.receive.push_back(receive);
      n.offset.push_back(n.bytes);
      // Each field begins where any type may.
      n.bytes += (static_cast<std::size_t>(send.size() * fields[f].value_size) + 15) / 16 * 16;
    }
    if (n.bytes == 0) continue;
    p.bytes += n.bytes;
    p.neighbours.push_back(std::move(n));
  }
  if (p.neighbours.empty()) return;
  p.copier    = make_copier(label, space);
  p.transport = make_mpi_transport(*p.ranks);
  p.staged    = !p.copier->host() && !p.transport->device_memory();
  p.sent      = p.copier->allocate(p.bytes);
  p.received  = p.copier->allocate(p.bytes);
  if (p.staged) {
    p.out = p.copier->allocate_staging(p.bytes);
    p.in  = p.copier->allocate_staging(p.bytes);
  }
}

Exchange::~Exchange() = default;

void Exchange::start(Launch const& launch, std::function<Source(Direction const&, std::size_t)> const& source,
                     std::vector<ViewInfo> const* to) {
  Parts& p = *m_parts;
  if (p.neighbours.empty()) return;
  p.in_place.assign(p.neighbours.size(), false);
  std::vector<Piece> pieces;
  std::vector<Transport::Message> send, receive;
  std::vector<std::pair<char*, std::size_t>> direct;  // what is sent from where it lies
  for (Parts::Neighbour const& n : p.neighbours) {
    std::vector<Piece> mine;
    for (std::size_t f = 0; f < n.send.size(); ++f) {
      if (n.send[f].empty()) continue;
      Source const from = source(n.direction, f);
      mine.push_back(piece_of(n.send[f], from.view, from.origin, p.sent + n.begin + n.offset[f]));
    }
    char* data = p.sent + n.begin;
    if (mine.size() == 1 && Parts::contiguous(mine[0])) {
      data = mine[0].view;
    } else {
      pieces.insert(pieces.end(), mine.begin(), mine.end());
    }
    direct.emplace_back(data, n.begin);
    Direction const& d = n.direction;
    // Messages are told apart by the direction in which they go.
    int const going = (d[0] + 1) * 9 + (d[1] + 1) * 3 + d[2] + 1, coming = 26 - going;
    std::size_t const bytes = mine.size() == 1 ? Parts::bytes_of(mine[0]) : n.bytes;
    char* target            = (p.staged ? p.in : p.received) + n.begin;
    if (to != nullptr && !p.staged) {
      std::vector<Piece> const theirs = p.ghosts(n, *to);
      if (theirs.size() == 1 && Parts::contiguous(theirs[0])) {
        target                                                         = theirs[0].view;
        p.in_place[static_cast<std::size_t>(&n - p.neighbours.data())] = true;
      }
    }
    send.push_back({n.peer, going, p.staged ? p.out + n.begin : data, bytes});
    receive.push_back({n.peer, coming, target, bytes});
  }
  p.copier->copy_pieces(launch, pieces, true);
  if (p.staged) {
    for (std::size_t k = 0; k < direct.size(); ++k) {
      p.copier->to_staging(launch, p.out + direct[k].second, direct[k].first, send[k].bytes);
    }
  }
  // What arrives may overwrite what the last exchange still copies, until here.
  p.copier->fence(launch);
  p.transport->start(launch.label, receive, send);
}

void Exchange::finish(Launch const& launch, std::vector<ViewInfo> const& fields) {
  Parts& p = *m_parts;
  if (p.neighbours.empty()) return;
  p.transport->finish(launch.label);
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < p.neighbours.size(); ++k) {
    if (p.in_place[k]) continue;
    Parts::Neighbour const& n       = p.neighbours[k];
    std::vector<Piece> const theirs = p.ghosts(n, fields);
    bool const straight             = p.staged && theirs.size() == 1 && Parts::contiguous(theirs[0]);
    if (p.staged) {
      p.copier->from_staging(launch, straight ? theirs[0].view : p.received + n.begin, p.in + n.begin,
                             theirs.size() == 1 ? Parts::bytes_of(theirs[0]) : n.bytes);
    }
    if (!straight) pieces.insert(pieces.end(), theirs.begin(), theirs.end());
  }
  p.copier->copy_pieces(launch, pieces, false);
}

void Exchange::run(Launch const& launch, std::vector<ViewInfo> const& fields) {
  start(
      launch,
      [&](Direction const&, std::size_t f) {
        return Source{fields[f], {{0, 0, 0}}};
      },
      &fields);
  finish(launch, fields);
}

std::size_t Exchange::bytes() const { return m_parts->bytes; }
std::size_t Exchange::messages() const { return m_parts->neighbours.size(); }
std::string Exchange::engine() const {
  if (m_parts->neighbours.empty()) return "none";
  return m_parts->transport->name() + (m_parts->staged ? ", by way of pinned host memory" : "");
}

}  // namespace Impl
}  // namespace KokkosStencil
