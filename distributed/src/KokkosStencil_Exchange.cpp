// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Copier.hpp"
#include "KokkosStencil_OnDevice.hpp"
#include "KokkosStencil_Transport.hpp"

#include <utility>

namespace KokkosStencil {
namespace Impl {

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
  SpaceInfo space;
  std::unique_ptr<Copier> copier;
  std::unique_ptr<Transport> mpi;
  std::unique_ptr<Lane> lane;
  std::vector<Neighbour> neighbours;
  std::size_t bytes = 0;
  char* sent        = nullptr;  // packed points, in the memory of the space
  char* received    = nullptr;
  std::vector<bool> in_place;  ///< neighbours whose points arrive in the field itself
  bool beside = false;         ///< what was sent last is on the stream of the lane
  bool copied = false;         ///< all of the exchange is there

  explicit Parts(SpaceInfo const& s) : space(s) {}
  ~Parts() {
    if (ranks->broken()) return;
    OnDevice const current(space.device);
    for (char* memory : {sent, received}) {
      if (memory != nullptr) copier->release(memory);
    }
  }

  Transport& transport() const { return transport(mpi.get()); }
  Transport& transport(Transport* otherwise) const {
    Transport* const engine = copier->host() ? nullptr : ranks->stream_engine().get();
    return engine != nullptr ? *engine : *otherwise;
  }

  static Piece at(Piece piece, Place const& place, std::size_t offset) {
    piece.buffer = place.data + offset;
    piece.number = place.number;
    piece.half   = place.half;
    return piece;
  }

  /// What a neighbour sends.
  std::vector<Piece> ghosts(Neighbour const& n, std::vector<ViewInfo> const& fields) const {
    Place place = transport().in(number_of(n.direction));
    if (place.data == nullptr) place.data = received + n.begin;
    std::vector<Piece> pieces;
    for (std::size_t f = 0; f < n.receive.size(); ++f) {
      if (n.receive[f].empty()) continue;
      pieces.push_back(at(piece_of(n.receive[f], fields[f], {{0, 0, 0}}, nullptr), place, n.offset[f]));
    }
    return pieces;
  }

  static int number_of(Direction const& d) { return (d[0] + 1) * 9 + (d[1] + 1) * 3 + d[2] + 1; }
};

Exchange::Exchange(std::string const& label, Ranks const& ranks, std::vector<ViewInfo> const& fields,
                   SpaceInfo const& space)
    : m_parts(std::make_unique<Parts>(space)) {
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
  p.copier                 = make_copier(label, space);
  std::string const forced = forced_engine(p.ranks->settings().engine);
  if (p.copier->host() && !forced.empty() && forced != "mpi") {
    fail(label, "the engine " + forced + " was asked for, and the fields are in host memory. Take the engine mpi.");
  }
}

Exchange::~Exchange() = default;

bool Exchange::needs_connection() const {
  return !m_parts->neighbours.empty() && m_parts->ranks->needs_connection(m_parts->space, receive_bytes());
}

DirectionBytes Exchange::receive_bytes() const {
  DirectionBytes all{};
  for (Parts::Neighbour const& n : m_parts->neighbours)
    all[static_cast<std::size_t>(Parts::number_of(n.direction))] = n.bytes;
  return all;
}

void Exchange::prepare(bool lane) {
  Parts& p = *m_parts;
  if (p.neighbours.empty()) return;
  OnDevice const current(p.space.device);
  if (lane && p.lane == nullptr) p.lane = p.copier->make_lane();
  if (p.mpi != nullptr) return;
  auto mpi                = make_mpi_transport(*p.ranks, *p.copier);
  Transport& transport    = p.transport(mpi.get());
  bool const memory_of_it = transport.in(Parts::number_of(p.neighbours[0].direction)).data != nullptr;
  if (!memory_of_it) {
    for (char** memory : {&p.sent, &p.received}) {
      if (*memory == nullptr) *memory = p.copier->allocate(p.bytes);
    }
    transport.grow({}, receive_bytes());
  }
  // Last: if memory runs out above, the next call tries again.
  p.mpi = std::move(mpi);
}

bool Exchange::prepared() const { return m_parts->neighbours.empty() || m_parts->mpi != nullptr; }

void Exchange::start(Launch const& launch, std::function<Source(Direction const&, std::size_t)> const& source,
                     std::vector<ViewInfo> const* to, bool beside) {
  Parts& p = *m_parts;
  if (p.neighbours.empty()) return;
  OnDevice const current(p.space.device);
  Transport& transport = p.transport();
  p.beside             = beside && p.lane != nullptr;
  transport.begin(launch);
  p.in_place.assign(p.neighbours.size(), false);
  std::vector<Piece> pieces;
  std::vector<Transport::Message> messages;
  for (Parts::Neighbour const& n : p.neighbours) {
    int const direction = Parts::number_of(n.direction);
    Place place         = transport.out(direction);
    bool const own      = place.data != nullptr;
    if (!own) place.data = p.sent + n.begin;
    std::vector<Piece> mine;
    for (std::size_t f = 0; f < n.send.size(); ++f) {
      if (n.send[f].empty()) continue;
      Source const from = source(n.direction, f);
      mine.push_back(Parts::at(piece_of(n.send[f], from.view, from.origin, nullptr), place, n.offset[f]));
    }
    // A single stretch of memory is sent from where it lies, and arrives where it belongs.
    char* out = place.data;
    if (!own && mine.size() == 1 && contiguous(mine[0])) {
      out = mine[0].view;
    } else {
      pieces.insert(pieces.end(), mine.begin(), mine.end());
    }
    char* in = own ? nullptr : p.received + n.begin;
    if (!own && to != nullptr) {
      std::vector<Piece> const theirs = p.ghosts(n, *to);
      if (theirs.size() == 1 && contiguous(theirs[0])) {
        in                                                             = theirs[0].view;
        p.in_place[static_cast<std::size_t>(&n - p.neighbours.data())] = true;
      }
    }
    messages.push_back({direction, n.peer, out, in, mine.size() == 1 ? bytes_of(mine[0]) : n.bytes});
  }
  Launch const on = p.beside ? p.lane->launch(launch.label) : launch;
  if (p.beside) p.lane->after(launch);
  if (transport.send(on, pieces, messages)) return;
  p.copier->copy_pieces(on, pieces, true);
  transport.start(on, messages);
}

bool Exchange::copies(Launch const& launch, ViewInfo const& field) const {
  Parts& p = *m_parts;
  if (p.neighbours.empty() || p.lane == nullptr || !p.transport().copies(launch)) return false;
  for (Parts::Neighbour const& n : p.neighbours) {
    if (n.send.size() != 1) return false;
    for (PointBox const& box : {n.send[0], n.receive[0]}) {
      if (!contiguous(piece_of(box, field, {{0, 0, 0}}, nullptr))) return false;
    }
  }
  return true;
}

void Exchange::start_when(Launch const& launch, std::uint32_t* counter, std::uint32_t value, ViewInfo const& field) {
  Parts& p = *m_parts;
  OnDevice const current(p.space.device);
  Transport& transport = p.transport();
  p.copied             = true;
  transport.begin(launch);
  std::vector<Piece> leaving, coming;
  std::vector<Transport::Message> messages;
  for (Parts::Neighbour const& n : p.neighbours) {
    int const direction = Parts::number_of(n.direction);
    coming.push_back(p.ghosts(n, {field}).front());
    leaving.push_back(
        Parts::at(piece_of(n.send[0], field, {{0, 0, 0}}, nullptr), transport.out(direction), n.offset[0]));
    messages.push_back({direction, n.peer, nullptr, nullptr, n.bytes});
  }
  transport.exchange_when(p.lane->launch(launch.label), counter, value, leaving, coming, messages);
}

void Exchange::finish(Launch const& launch, std::vector<ViewInfo> const& fields) {
  Parts& p = *m_parts;
  if (p.neighbours.empty()) return;
  OnDevice const current(p.space.device);
  Transport& transport = p.transport();
  if (p.copied) {
    // Who waits in vain says so; a stream would wait for ever.
    transport.receive(launch, {});
    p.lane->before(launch);
    p.copied = false;
    return transport.end(launch);
  }
  if (p.beside) p.lane->before(launch);
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < p.neighbours.size(); ++k) {
    if (p.in_place[k]) continue;
    std::vector<Piece> const theirs = p.ghosts(p.neighbours[k], fields);
    pieces.insert(pieces.end(), theirs.begin(), theirs.end());
  }
  if (!transport.receive(launch, pieces)) {
    // Nothing is written before it is there.
    transport.finish(launch);
    p.copier->copy_pieces(launch, pieces, false);
  }
  transport.end(launch);
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
std::string Exchange::engine() const { return m_parts->neighbours.empty() ? "none" : m_parts->transport().name(); }

}  // namespace Impl
}  // namespace KokkosStencil
