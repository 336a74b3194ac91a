// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Transport.hpp"

#include <KokkosStencil_Error.hpp>

#include <cstdlib>

// Which engine devices use.

namespace KokkosStencil {
namespace Impl {

std::string forced_engine(std::string const& setting) {
  char const* const environment = std::getenv("KOKKOSSTENCIL_ENGINE");
  std::string const name        = !setting.empty() || environment == nullptr ? setting : std::string(environment);
  if (name.empty() || name == "mpi" || name == "peer" || name == "nccl") return name;
  throw Error(
      "KokkosStencil: the engine \"" + name +
      "\" does not exist; there are peer, nccl and mpi. Correct Decomposition::engine(...) or the environment variable "
      "KOKKOSSTENCIL_ENGINE.");
}

std::string first_of_all(std::string const& label, Ranks const& ranks, std::string const& text) {
  constexpr std::size_t length = 256;
  std::vector<char> mine(length, '\0'), all(length * static_cast<std::size_t>(ranks.processes()));
  text.copy(mine.data(), length - 1);
  ranks.all_gather(label, mine.data(), all.data(), static_cast<int>(length));
  for (std::size_t at = 0; at < all.size(); at += length) {
    if (all[at] != '\0') return &all[at];
  }
  return {};
}

bool Ranks::needs_connection(SpaceInfo const& space, DirectionBytes const& receive) const {
  if (space.host || m_processes == 1) return false;
  return !m_decided || (m_engine != nullptr && !m_engine->holds(receive));
}

void Ranks::connect(std::string const& label, SpaceInfo const& space, DirectionBytes const& receive) const {
  if (m_engine != nullptr) {
    std::string const reason = m_engine->grow(label, receive);
    if (!reason.empty()) {
      fail(label, "the engine " + m_engine->name() + " cannot take larger messages: " + reason + ".");
    }
    return;
  }
  if (m_decided) return;
  std::string const forced = forced_engine(m_settings.engine);
  for (std::string const name : {"peer", "nccl"}) {
    if (m_engine != nullptr || (!forced.empty() && forced != name)) continue;
    std::string reason;
    m_engine = name == "peer" ? make_peer_transport(label, *this, space, receive, reason)
                              : make_nccl_transport(label, *this, space, reason);
    if (m_engine != nullptr) continue;
    m_engine_notes += "not " + name + ": " + reason + "\n";
    if (!forced.empty()) fail(label, "the engine " + name + " was asked for and cannot run here: " + reason + ".");
  }
  m_decided = true;
}

}  // namespace Impl
}  // namespace KokkosStencil
