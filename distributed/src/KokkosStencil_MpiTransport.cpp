// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Transport.hpp"

#include <algorithm>

namespace KokkosStencil {
namespace Impl {

namespace {

/// Memory of both ends may be touched as soon as it is ready. Tags are the directions in which messages go.
class MpiTransport : public Transport {
 public:
  MpiTransport(Ranks const& ranks, Copier& copier) : m_ranks(&ranks), m_copier(&copier) {}

  std::string name() const override { return "mpi"; }
  bool on_stream() const override { return false; }
  void start(Launch const& launch, std::vector<Message> const& messages) override {
    m_messages = messages;
    m_instance = launch.instance;
    m_stream   = launch.stream;
    // From devices they leave in finish(): whoever has work for the device in the meantime need not wait here.
    if (m_copier->host()) post(launch);
  }
  void finish(Launch const& launch) override {
    if (!m_copier->host()) post(Launch{launch.label, m_instance, m_stream});
    m_ranks->wait(launch.label, "a message", m_requests, m_peers);
    m_requests.clear();
    m_peers.clear();
  }

 private:
  void post(Launch const& launch) {
    // What arrives may overwrite what the last exchange still copies, until here.
    m_copier->fence(launch);
    for (Message const& m : m_messages) {
      m_ranks->post(launch.label, false, m.peer, 26 - m.direction, m.in, m.bytes, m_requests, m_peers);
    }
    for (Message const& m : m_messages) {
      m_ranks->post(launch.label, true, m.peer, m.direction, m.out, m.bytes, m_requests, m_peers);
    }
  }

  Ranks const* m_ranks;
  Copier* m_copier;
  std::vector<Message> m_messages;
  void const* m_instance = nullptr;
  void* m_stream         = nullptr;
  std::vector<MPI_Request> m_requests;
  std::vector<int> m_peers;
};

/// By way of pinned host memory, in chunks: one is copied while others are under way.
class StagedTransport : public Transport {
 public:
  StagedTransport(Ranks const& ranks, Copier& copier) : m_ranks(&ranks), m_copier(&copier) {}
  ~StagedTransport() override {
    if (!m_ranks->broken()) release();
  }

  std::string name() const override { return "mpi, by way of pinned host memory"; }
  bool on_stream() const override { return false; }
  bool holds(DirectionBytes const& receive) const override {
    std::size_t sum = 0;
    for (std::size_t const n : receive) sum += n;
    return sum <= m_bytes;
  }
  std::string grow(std::string const&, DirectionBytes const& receive) override {
    std::size_t sum = 0;
    for (std::size_t const n : receive) sum += n;
    release();
    m_out   = m_copier->allocate_staging(sum);
    m_in    = m_copier->allocate_staging(sum);
    m_bytes = sum;
    return {};
  }

  void start(Launch const& launch, std::vector<Message> const& messages) override {
    m_chunks.clear();
    std::size_t at = 0;
    for (Message const& m : messages) {
      for (std::size_t begin = 0; begin < m.bytes; begin += most) {
        m_chunks.push_back({m.direction, m.peer, m_out + at, m_in + at, m.in + begin, std::min(most, m.bytes - begin)});
        Chunk const& c = m_chunks.back();
        m_copier->to_staging(launch, c.out, m.out + begin, c.bytes);
        m_copier->mark(launch, m_chunks.size() - 1);
        at += c.bytes;
      }
    }
  }

  void finish(Launch const& launch) override {
    std::vector<MPI_Request> requests;
    std::vector<int> peers;
    std::size_t const n = m_chunks.size();
    std::size_t sent    = 0;
    std::vector<bool> copied(n, false);
    m_ranks->wait(launch.label, "a message", requests, peers, [&] {
      while (sent < n && m_copier->done(sent)) {
        if (sent == 0) {
          // The last exchange's copies from here have been made.
          for (Chunk const& c : m_chunks) {
            m_ranks->post(launch.label, false, c.peer, 26 - c.direction, c.in, c.bytes, requests, peers);
          }
        }
        Chunk const& c = m_chunks[sent++];
        m_ranks->post(launch.label, true, c.peer, c.direction, c.out, c.bytes, requests, peers);
      }
      for (std::size_t k = 0; sent > 0 && k < n; ++k) {
        if (copied[k] || requests[k] != MPI_REQUEST_NULL) continue;
        copied[k] = true;
        m_copier->from_staging(launch, m_chunks[k].target, m_chunks[k].in, m_chunks[k].bytes);
      }
      return sent == n && std::find(copied.begin(), copied.end(), false) == copied.end();
    });
  }

 private:
  static constexpr std::size_t most = std::size_t(1) << 19;
  struct Chunk {
    int direction;
    int peer;
    char* out;
    char* in;
    char* target;
    std::size_t bytes;
  };

  void release() {
    for (char* memory : {m_out, m_in}) {
      if (memory != nullptr) m_copier->release_staging(memory);
    }
  }

  Ranks const* m_ranks;
  Copier* m_copier;
  char* m_out         = nullptr;
  char* m_in          = nullptr;
  std::size_t m_bytes = 0;
  std::vector<Chunk> m_chunks;
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(Ranks const& ranks, Copier& copier) {
  if (copier.host() || ranks.settings().device_pointers) return std::make_unique<MpiTransport>(ranks, copier);
  return std::make_unique<StagedTransport>(ranks, copier);
}

}  // namespace Impl
}  // namespace KokkosStencil
