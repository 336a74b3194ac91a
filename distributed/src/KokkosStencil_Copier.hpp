// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Ranks.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Impl {

/// A box of a View and the stretch of a buffer that holds its points, in the order of the View's strides.
struct Piece {
  char* view;
  char* buffer;
  std::int64_t stride[3];  ///< bytes, the longest first
  std::int64_t extent[3];
  std::int64_t first;  ///< of its items among those of all pieces
  std::int64_t items;
  int value_bytes;
  int word;  ///< bytes that may be copied at once: values and strides are whole ones, and they begin at multiples of it
  /// For engines whose buffers have two halves that take turns: the number of the message, and bytes from one half to
  /// the other.
  std::uint64_t* number;
  std::int64_t half;
};

/// A stream beside the one of a launch.
class Lane {
 public:
  virtual ~Lane() = default;
  /// The same work on this stream.
  virtual Launch launch(std::string const& label) const = 0;
  /// What is enqueued here from now on waits for what was enqueued there, or the other way round.
  virtual void after(Launch const& launch)  = 0;
  virtual void before(Launch const& launch) = 0;
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
  /// Remembers what is enqueued by now under a number, and says whether it has been done.
  virtual void mark(Launch const& launch, std::size_t number) = 0;
  virtual bool done(std::size_t number)                       = 0;
  /// A stream of high priority; null on hosts and where there is none.
  virtual std::unique_ptr<Lane> make_lane() const = 0;
};

/// Throws Error if there is none for the space.
std::unique_ptr<Copier> make_copier(std::string const& label, SpaceInfo const& space);

/// The box of a View, whose first point has the index `origin`.
Piece piece_of(PointBox const& box, ViewInfo const& view, Extents3 const& origin, char* buffer);
/// The same bytes in words of 16, where rows, places and strides allow it; rows that follow each other become one.
Piece in_words(Piece p);
/// Bytes of its points.
std::size_t bytes_of(Piece const& piece);
/// Whether its points follow each other in memory.
bool contiguous(Piece const& piece);

}  // namespace Impl
}  // namespace KokkosStencil
