// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "KokkosStencil_Copier.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Impl {

/// A place for a message. With a number it is the first of two halves that take turns, see Piece.
struct Place {
  char* data            = nullptr;
  std::uint64_t* number = nullptr;
  std::int64_t half     = 0;
};

/// What an engine does: messages between neighbours.
class Transport {
 public:
  /// To and from the neighbour in a direction.
  struct Message {
    int direction;
    int peer;
    char* out;
    char* in;
    std::size_t bytes;
  };
  virtual ~Transport() = default;

  virtual std::string name() const = 0;
  /// The CUDA device of an engine on streams.
  virtual int device() const { return -1; }
  /// Memory of the engine itself: where messages for a direction are packed to (that of the neighbour, maybe), and
  /// where those from there arrive. Without data: the caller's memory is used.
  virtual Place out(int /*direction*/) const { return {}; }
  virtual Place in(int /*direction*/) const { return {}; }
  /// An exchange on this launch begins and ends: nothing has been packed yet, everything has been unpacked.
  virtual void begin(Launch const& /*launch*/) {}
  virtual void end(Launch const& /*launch*/) {}
  /// For engines with kernels of their own, which then do without start() and finish(): packs and sends, or waits for
  /// what the neighbours sent and unpacks it. False: it has none.
  virtual bool send(Launch const& /*launch*/, std::vector<Piece> const& /*pieces*/,
                    std::vector<Message> const& /*messages*/) {
    return false;
  }
  virtual bool receive(Launch const& /*launch*/, std::vector<Piece> const& /*pieces*/) { return false; }
  /// Whether it moves stretches of memory without kernels, which would find no room beside sweeps that fill the GPU.
  virtual bool copies(Launch const& /*launch*/) { return false; }
  /// Enqueues all of an exchange so, on a stream beside those of kernels. Each message has one piece that leaves, which
  /// is complete once the counter has reached `value`, and one that comes, which nothing else touches from then on.
  /// What counts is enqueued already. receive() follows.
  virtual void exchange_when(Launch const& /*launch*/, std::uint32_t* /*counter*/, std::uint32_t /*value*/,
                             std::vector<Piece> const& /*leaving*/, std::vector<Piece> const& /*coming*/,
                             std::vector<Message> const& /*messages*/) {}
  /// Sends what has been enqueued on this launch to be packed. Data stays until finish().
  virtual void start(Launch const& launch, std::vector<Message> const& messages) = 0;
  /// What is enqueued on this launch from now on finds what the neighbours sent.
  virtual void finish(Launch const& launch) = 0;
  /// Whether start() and finish() only enqueue, and never wait on the host.
  virtual bool on_stream() const = 0;
  /// Whether its own memory holds messages of so many bytes.
  virtual bool holds(DirectionBytes const& /*receive*/) const { return true; }
  /// Gives it that memory; all processes do it together. Why it cannot, the same on all; empty: it can.
  virtual std::string grow(std::string const& /*label*/, DirectionBytes const& /*receive*/) { return {}; }
};

/// Messages by MPI, from host memory, from device memory where the MPI takes it, or through host memory in chunks.
std::unique_ptr<Transport> make_mpi_transport(Ranks const& ranks, Copier& copier);

/// Stores into the memory of neighbours on the same host (CUDA), ordered by streams. All processes make it together;
/// null and the reason, the same on all, if it cannot be. It does not keep the ranks alive.
std::shared_ptr<Transport> make_peer_transport(std::string const& label, Ranks const& ranks, SpaceInfo const& space,
                                               DirectionBytes const& receive, std::string& reason);

/// Messages by NCCL, which is loaded when it is needed (CUDA), ordered by streams; one process a GPU. Else as above.
std::shared_ptr<Transport> make_nccl_transport(std::string const& label, Ranks const& ranks, SpaceInfo const& space,
                                               std::string& reason);

/// The first text that is not empty, of all processes.
std::string first_of_all(std::string const& label, Ranks const& ranks, std::string const& text);

}  // namespace Impl
}  // namespace KokkosStencil
