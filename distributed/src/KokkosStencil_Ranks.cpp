// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Transport.hpp"

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <thread>

namespace KokkosStencil {
namespace Impl {

namespace {

std::uint64_t hash_of(std::string const& text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

void check_mpi(std::string const& label, int code, char const* call, int me, int neighbour) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length                      = 0;
  MPI_Error_string(code, text, &length);
  fail(label, std::string(call) + " failed on rank " + std::to_string(me) +
                  (neighbour >= 0 ? ", neighbour " + std::to_string(neighbour) : std::string()) + ": " +
                  std::string(text, static_cast<std::size_t>(length)) + ".");
}

double checked_time_limit(double seconds) {
  if (!(seconds > 0.0)) {
    std::ostringstream text;
    text << "KokkosStencil: Decomposition::time_limit(" << seconds << "); take more than 0 seconds.";
    throw Error(text.str());
  }
  // Kernels count nanoseconds in 64 bits.
  return std::min(seconds, 1e9);
}

NetworkInfo checked_network(NetworkInfo const& network) {
  auto const check = [](char const* name, double value, bool zero) {
    if (std::isfinite(value) && (value > 0.0 || (zero && value == 0.0))) return;
    std::ostringstream text;
    text << "KokkosStencil: Decomposition::network with " << name << " " << value
         << "; take a finite number of more than 0" << (zero ? ", or 0." : ".");
    throw Error(text.str());
  };
  check("latency", network.latency, true);
  check("bandwidth", network.bandwidth, false);
  check("point_seconds", network.point_seconds, false);
  return network;
}

void check_reach(int rank, std::array<int, 3> const& reach) {
  for (int a = 0; a < rank; ++a) {
    int const r = reach[static_cast<std::size_t>(a)];
    if (r >= 0) continue;
    throw Error("KokkosStencil: Decomposition::local with the reach " + std::to_string(r) + " along axis " +
                std::to_string(a) + "; take the farthest point that the stencil reads on either side, 0 or more.");
  }
}

Ranks::Ranks(MPI_Comm comm, Cuts cuts, RanksSettings const& settings)
    : m_given(comm), m_cuts(std::move(cuts)), m_settings(settings) {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized == 0 || finalized != 0 || comm == MPI_COMM_NULL) {
    throw Error(
        "KokkosStencil: a Decomposition needs a communicator of an MPI that is initialized. Call MPI_Init first, and "
        "let the Decomposition end before MPI_Finalize.");
  }
  MPI_Comm_rank(comm, &m_me);
  MPI_Comm_size(comm, &m_processes);
  for (std::size_t a = 0; a < 3; ++a) {
    if (m_cuts.extent[a] < 1) {
      throw Error("KokkosStencil: a Decomposition of " + text_of(m_cuts.rank, m_cuts.extent) +
                  " points; every extent must be 1 or more.");
    }
    if (m_cuts.ranks[a] < 0) {
      throw Error("KokkosStencil: Decomposition::ranks with " + std::to_string(m_cuts.ranks[a]) + " along axis " +
                  std::to_string(a) + "; take 1 or more, or 0 where the library is to choose.");
    }
    std::int64_t const end = m_cuts.begins[a].empty() ? m_cuts.extent[a] : m_cuts.begins[a].back();
    bool const rising      = std::adjacent_find(m_cuts.begins[a].begin(), m_cuts.begins[a].end(),
                                                std::greater_equal<std::int64_t>()) == m_cuts.begins[a].end();
    if (end != m_cuts.extent[a] || !rising) {
      throw Error("KokkosStencil: the blocks along axis " + std::to_string(a) + " add up to " + std::to_string(end) +
                  " points, the extent is " + std::to_string(m_cuts.extent[a]) +
                  "; every block must have a point or more.");
    }
    if (!m_cuts.begins[a].empty()) {
      int const blocks = static_cast<int>(m_cuts.begins[a].size()) - 1;
      if (m_cuts.ranks[a] != 0 && m_cuts.ranks[a] != blocks) {
        throw Error("KokkosStencil: axis " + std::to_string(a) + " has " + std::to_string(m_cuts.ranks[a]) +
                    " ranks and " + std::to_string(blocks) + " blocks. Give as many blocks as ranks.");
      }
      m_cuts.ranks[a] = blocks;
    }
  }
  m_cuts.ranks = choose_ranks(m_cuts.rank, m_cuts.extent, m_cuts.ranks, m_processes, m_cuts.slowest);
  for (std::size_t a = 0; a < 3; ++a) {
    auto& begins = m_cuts.begins[a];
    if (!begins.empty()) continue;
    for (int k = 0; k <= m_cuts.ranks[a]; ++k) begins.push_back(m_cuts.extent[a] * k / m_cuts.ranks[a]);
  }
  m_place = place_of(m_me);
}

Ranks::~Ranks() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  m_kept.clear();
  m_engine.reset();  // still needs the communicator
  if (m_comm != MPI_COMM_NULL && finalized == 0 && !m_broken) MPI_Comm_free(&m_comm);
}

MPI_Comm Ranks::comm() const {
  if (m_comm == MPI_COMM_NULL) {
    MPI_Comm_dup(m_given, &m_comm);
    MPI_Comm_set_errhandler(m_comm, MPI_ERRORS_RETURN);
  }
  return m_comm;
}

std::array<int, 3> Ranks::place_of(int process) const {
  auto const& p = m_cuts.ranks;
  return {{process / (p[1] * p[2]), process / p[2] % p[1], process % p[2]}};
}

int Ranks::at(std::array<int, 3> place) const {
  for (std::size_t a = 0; a < 3; ++a) {
    int const n = m_cuts.ranks[a];
    if (m_cuts.periodic[a]) place[a] = (place[a] + n) % n;
    if (place[a] < 0 || place[a] >= n) return -1;
  }
  return (place[0] * m_cuts.ranks[1] + place[1]) * m_cuts.ranks[2] + place[2];
}

PointBox Ranks::owned(int process) const {
  PointBox box{};
  auto const place = place_of(process);
  for (std::size_t a = 0; a < 3; ++a) {
    auto const k = static_cast<std::size_t>(place[a]);
    box.begin[a] = m_cuts.begins[a][k];
    box.end[a]   = m_cuts.begins[a][k + 1];
  }
  return box;
}

bool Ranks::shared(std::size_t axis, std::size_t side) const {
  if (!cut(axis)) return false;
  return m_cuts.periodic[axis] || (side == 0 ? m_place[axis] > 0 : m_place[axis] + 1 < m_cuts.ranks[axis]);
}

std::int64_t Ranks::thinnest(std::size_t axis) const {
  std::int64_t least = m_cuts.extent[axis];
  auto const& begins = m_cuts.begins[axis];
  for (std::size_t k = 0; k + 1 < begins.size(); ++k) least = std::min(least, begins[k + 1] - begins[k]);
  return least;
}

void Ranks::wait(std::string const& label, char const* call, std::vector<MPI_Request>& requests,
                 std::vector<int> const& peers, std::function<bool()> const& more) const {
  using Clock      = std::chrono::steady_clock;
  auto const start = Clock::now();
  for (std::int64_t round = 0;; ++round) {
    bool all = !more || more();
    for (std::size_t k = 0; k < requests.size(); ++k) {
      if (requests[k] == MPI_REQUEST_NULL) continue;
      int done = 0;
      check_mpi(label, MPI_Test(&requests[k], &done, MPI_STATUS_IGNORE), call, m_me, k < peers.size() ? peers[k] : -1);
      all = all && done != 0;
    }
    if (all) return;
    if (round < 64) continue;
    // Others may need this processor to get on.
    std::this_thread::yield();
    if (std::chrono::duration<double>(Clock::now() - start).count() < m_settings.time_limit) continue;
    // What was posted may still arrive: nothing that it touches is given back (see broken()).
    m_broken = true;
    std::string missing;
    for (std::size_t k = 0; k < requests.size() && k < peers.size(); ++k) {
      if (requests[k] == MPI_REQUEST_NULL) continue;
      missing += (missing.empty() ? " " : ", ") + std::to_string(peers[k]);
      MPI_Cancel(&requests[k]);
    }
    std::ostringstream text;
    text << call << " on rank " << m_me << " has waited " << m_settings.time_limit << " seconds for "
         << (missing.empty() ? std::string("the other ranks") : "neighbours" + missing)
         << ". A process has ended or makes another call; if they are only slow, set Decomposition::time_limit.";
    fail(label, text.str());
  }
}

void Ranks::all_gather(std::string const& label, void const* mine, void* all, int bytes) const {
  std::size_t const size = static_cast<std::size_t>(bytes), count = static_cast<std::size_t>(m_processes);
  collective(
      label, "MPI_Iallgather", size * (count + 1),
      [&](char* memory, MPI_Request* request) {
        std::memcpy(memory, mine, size);
        return MPI_Iallgather(memory, bytes, MPI_BYTE, memory + size, bytes, MPI_BYTE, comm(), request);
      },
      [&](char const* memory) { std::memcpy(all, memory + size, size * count); });
}

void Ranks::collective(std::string const& label, char const* call, std::size_t bytes,
                       std::function<int(char*, MPI_Request*)> const& start,
                       std::function<void(char const*)> const& finish) const {
  if (m_broken) {
    fail(label, "rank " + std::to_string(m_me) +
                    " has given up waiting for others in an earlier call with this Decomposition. End the program.");
  }
  std::vector<MPI_Request> request(1, MPI_REQUEST_NULL);
  auto memory = std::make_unique<char[]>(bytes);
  check_mpi(label, start(memory.get(), &request[0]), call, m_me, -1);
  try {
    wait(label, call, request, {});
  } catch (...) {
    memory.release();  // others may still write there
    throw;
  }
  finish(memory.get());
}

bool Ranks::barrier(double seconds) const {
  using Clock      = std::chrono::steady_clock;
  auto const start = Clock::now();
  int finalized    = 0;
  MPI_Finalized(&finalized);
  MPI_Request request = MPI_REQUEST_NULL;
  if (finalized != 0 || m_broken || MPI_Ibarrier(comm(), &request) != MPI_SUCCESS) return false;
  for (int done = 0; done == 0; std::this_thread::yield()) {
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done == 0 && std::chrono::duration<double>(Clock::now() - start).count() > seconds) {
      m_broken = true;
      return false;
    }
  }
  return true;
}

std::uint64_t Ranks::agree(std::string const& label, std::string const& text, std::string const& failure,
                           std::uint64_t ask) const {
  if (m_processes == 1) {
    if (!failure.empty()) throw Error(failure);
    return ask;
  }
  std::uint64_t const h       = hash_of(text);
  std::uint64_t const mine[4] = {h, ~h, failure.empty() ? 0u : 1u, ask};
  std::uint64_t any[4]        = {};  // the bits that one of them has
  collective(
      label, "MPI_Iallreduce", sizeof mine + sizeof any,
      [&](char* memory, MPI_Request* request) {
        std::memcpy(memory, mine, sizeof mine);
        return MPI_Iallreduce(memory, memory + sizeof mine, 4, MPI_UINT64_T, MPI_BOR, comm(), request);
      },
      [&](char const* memory) { std::memcpy(any, memory + sizeof mine, sizeof any); });
  if (any[0] == ~any[1] && any[2] == 0) return any[3];

  // Everybody hears what everybody said.
  auto const exchanged = [&](std::string const& own) {
    int const length = static_cast<int>(own.size());
    std::vector<int> lengths(static_cast<std::size_t>(m_processes));
    all_gather(label, &length, lengths.data(), sizeof(int));
    int const longest = std::max(1, *std::max_element(lengths.begin(), lengths.end()));
    std::vector<char> padded(static_cast<std::size_t>(longest), ' ');
    std::copy(own.begin(), own.end(), padded.begin());
    std::vector<char> all(static_cast<std::size_t>(longest) * lengths.size());
    all_gather(label, padded.data(), all.data(), longest);
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      texts.emplace_back(&all[k * static_cast<std::size_t>(longest)], static_cast<std::size_t>(lengths[k]));
    }
    return texts;
  };
  if (any[2] != 0) {
    auto const failures = exchanged(failure);
    if (!failure.empty()) throw Error(failure);
    for (std::size_t k = 0; k < failures.size(); ++k) {
      if (!failures[k].empty()) fail(label, "an error on rank " + std::to_string(k) + ": " + failures[k]);
    }
  }
  auto const texts = exchanged(text);
  auto const first = lines_of(texts[0]);
  for (std::size_t k = 1; k < texts.size(); ++k) {
    if (texts[k] == texts[0]) continue;
    auto const other = lines_of(texts[k]);
    std::size_t line = 0;
    while (line < first.size() && line < other.size() && first[line] == other[line]) ++line;
    auto const at = [&](std::vector<std::string> const& lines) {
      return line < lines.size() ? lines[line] : std::string("nothing");
    };
    fail(label, "the processes make different calls: \"" + at(first) + "\" on rank 0, \"" + at(other) + "\" on rank " +
                    std::to_string(k) + ". All must make the same one.");
  }
  return any[3];
}

std::shared_ptr<void> Ranks::recall(std::string const& key) const {
  for (Kept const& k : m_kept) {
    if (k.key == key) return k.object;
  }
  return nullptr;
}

void Ranks::keep(std::string const& key, std::shared_ptr<void> object) const {
  constexpr std::size_t most = 32;
  if (m_kept.size() == most) m_kept.erase(m_kept.begin());
  m_kept.push_back({key, std::move(object)});
}

Extents3 layers_of(std::string const& label, Ranks const& ranks, ViewInfo const& view) {
  Extents3 layers{{0, 0, 0}};
  PointBox const own = ranks.owned(ranks.me());
  auto const where   = [&](std::size_t a) {
    return "rank " + std::to_string(ranks.me()) + " has a View of " + std::to_string(view.extent[a]) +
           " points along axis " + std::to_string(a) + ", where its block has " +
           std::to_string(own.end[a] - own.begin[a]);
  };
  if (view.rank != ranks.cuts().rank) {
    fail(label, "a View of rank " + std::to_string(view.rank) + " and a Decomposition of rank " +
                    std::to_string(ranks.cuts().rank) + ".");
  }
  for (std::size_t a = 0; a < static_cast<std::size_t>(view.rank); ++a) {
    std::int64_t const sides = (ranks.shared(a, 0) ? 1 : 0) + (ranks.shared(a, 1) ? 1 : 0);
    std::int64_t const more  = view.extent[a] - (own.end[a] - own.begin[a]);
    if (sides == 0 ? more != 0 : more < 0 || more % sides != 0) {
      fail(label, where(a) + " and neighbours on " + std::to_string(sides) +
                      " sides. Give it the extents of Decomposition::local: those of the block and as many layers on "
                      "each of these sides.");
    }
    if (sides == 0) continue;
    layers[a] = more / sides;
    if (layers[a] > ranks.thinnest(a)) {
      fail(label, where(a) + ": so " + std::to_string(layers[a]) + " ghost layers, and the smallest block along this " +
                      "axis has " + std::to_string(ranks.thinnest(a)) +
                      " points. Take fewer layers, or fewer ranks along this axis.");
    }
  }
  return layers;
}

Extents3 wanted_layers(Ranks const& ranks, std::array<int, 3> const& reach, std::int64_t sweeps,
                       std::int64_t row_values) {
  Extents3 layers{};
  std::size_t const fastest = ranks.cuts().fastest();
  for (std::size_t a = 0; a < 3; ++a) {
    if (!ranks.cut(a)) continue;
    layers[a] = reach[a] * sweeps;
    if (a == fastest) {
      // Blocks are whole vectors if they begin with one, the end of the last one among them.
      auto const& begins = ranks.cuts().begins[a];
      bool const whole   = std::all_of(begins.begin(), begins.end(), [&](auto at) { return at % row_values == 0; });
      std::int64_t const more = whole ? layers_of_rows(layers[a], begins[1], row_values) : layers[a];
      if (more <= ranks.thinnest(a)) layers[a] = more;
    }
    if (layers[a] <= ranks.thinnest(a)) continue;
    throw Error("KokkosStencil: " + std::to_string(sweeps) + " sweeps between exchanges need " +
                std::to_string(layers[a]) + " ghost layers along axis " + std::to_string(a) +
                ", and its smallest block has " + std::to_string(ranks.thinnest(a)) +
                " points. Take a smaller HaloDepth, or fewer ranks along this axis.");
  }
  return layers;
}

int sweeps_of(Ranks const& ranks, std::array<int, 3> const& reach, Extents3 const& layers) {
  std::int64_t least = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!ranks.cut(a) || reach[a] == 0) continue;
    std::int64_t const fed = layers[a] / reach[a];
    least                  = least == 0 ? fed : std::min(least, fed);
  }
  return static_cast<int>(least);
}

Extents3 first_of(Ranks const& ranks, Extents3 const& layers) {
  Extents3 first{};
  for (std::size_t a = 0; a < 3; ++a) first[a] = ranks.shared(a, 0) ? layers[a] : 0;
  return first;
}

namespace {

/// Calls f(offset in bytes of a row in the block, in the whole field, bytes) for every row of a process.
template <class F>
void each_row(Ranks const& ranks, int process, int value_bytes, F const& f) {
  PointBox const box = ranks.owned(process);
  Extents3 const& n  = ranks.cuts().extent;
  Extents3 m{};
  for (std::size_t a = 0; a < 3; ++a) m[a] = box.end[a] - box.begin[a];
  // Axes past the rank have one point: the last one with more makes rows.
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < m[0]; ++i) {
    for (std::int64_t j = 0; j < m[1]; ++j) {
      std::int64_t const at = ((box.begin[0] + i) * n[1] + box.begin[1] + j) * n[2] + box.begin[2];
      f(row * m[2] * value_bytes, at * value_bytes, static_cast<std::size_t>(m[2] * value_bytes));
      ++row;
    }
  }
}

constexpr std::size_t most_bytes = std::size_t(1) << 30;

std::size_t block_bytes(Ranks const& ranks, int process, int value_bytes) {
  return static_cast<std::size_t>(ranks.owned(process).size()) * static_cast<std::size_t>(value_bytes);
}

}  // namespace

void Ranks::post(std::string const& label, bool send, int peer, int tag, void* data, std::size_t bytes,
                 std::vector<MPI_Request>& requests, std::vector<int>& peers) const {
  // Counts of MPI are ints.
  for (std::size_t at = 0; at == 0 || at < bytes; at += most_bytes) {
    auto const n = static_cast<int>(std::min(most_bytes, bytes - at));
    char* part   = static_cast<char*>(data) + at;
    requests.push_back(MPI_REQUEST_NULL);
    peers.push_back(peer);
    check_mpi(label,
              send ? MPI_Isend(part, n, MPI_BYTE, peer, tag, comm(), &requests.back())
                   : MPI_Irecv(part, n, MPI_BYTE, peer, tag, comm(), &requests.back()),
              send ? "MPI_Isend" : "MPI_Irecv", m_me, peer);
  }
}

namespace {
constexpr int collect_tag = 64;  // those below are directions
}

void check_root(std::string const& label, Ranks const& ranks, int root) {
  if (root >= 0 && root < ranks.processes()) return;
  fail(label, "there is no rank " + std::to_string(root) + " among " + std::to_string(ranks.processes()) + ".");
}

void collect(std::string const& label, Ranks const& ranks, int root, int value_bytes, void const* block, void* whole) {
  std::vector<MPI_Request> requests;
  std::vector<int> peers;
  if (ranks.me() != root) {
    ranks.post(label, true, root, collect_tag, const_cast<void*>(block), block_bytes(ranks, ranks.me(), value_bytes),
               requests, peers);
    ranks.wait(label, "MPI_Isend", requests, peers);
    return;
  }
  std::vector<char> others;
  for (int process = 0; process < ranks.processes(); ++process) {
    char const* from = static_cast<char const*>(block);
    if (process != root) {
      others.resize(block_bytes(ranks, process, value_bytes));
      requests.clear();
      peers.clear();
      ranks.post(label, false, process, collect_tag, others.data(), others.size(), requests, peers);
      ranks.wait(label, "MPI_Irecv", requests, peers);
      from = others.data();
    }
    each_row(ranks, process, value_bytes, [&](std::int64_t mine, std::int64_t all, std::size_t bytes) {
      std::memcpy(static_cast<char*>(whole) + all, from + mine, bytes);
    });
  }
}

void distribute(std::string const& label, Ranks const& ranks, int root, int value_bytes, void const* whole,
                void* block) {
  std::vector<MPI_Request> requests;
  std::vector<int> peers;
  if (ranks.me() != root) {
    ranks.post(label, false, root, collect_tag, block, block_bytes(ranks, ranks.me(), value_bytes), requests, peers);
    ranks.wait(label, "MPI_Irecv", requests, peers);
    return;
  }
  std::vector<char> others;
  for (int process = 0; process < ranks.processes(); ++process) {
    char* to = static_cast<char*>(block);
    if (process != root) {
      others.resize(block_bytes(ranks, process, value_bytes));
      to = others.data();
    }
    each_row(ranks, process, value_bytes, [&](std::int64_t mine, std::int64_t all, std::size_t bytes) {
      std::memcpy(to + mine, static_cast<char const*>(whole) + all, bytes);
    });
    if (process == root) continue;
    requests.clear();
    peers.clear();
    ranks.post(label, true, process, collect_tag, others.data(), others.size(), requests, peers);
    ranks.wait(label, "MPI_Isend", requests, peers);
  }
}

}  // namespace Impl
}  // namespace KokkosStencil
