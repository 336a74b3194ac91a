// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_TuningFile.hpp"

#include <KokkosStencil_Tuning.hpp>
#include <KokkosStencil_Version.hpp>
#include <model/Number.hpp>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#define KOKKOSSTENCIL_IMPL_POSIX
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

// A line of text for the device and the version, then one for each winner:
//   problem <tab> backend <tab> depth <tab> seconds <tab> checksum

namespace KokkosStencil {

namespace {

/// Some hundred thousand winners. What is longer is no tuning file.
constexpr std::size_t most_bytes = 1 << 24;

using Entries = std::map<std::string, Impl::Tuned>;

/// The winners of one file on one device.
struct Store {
  bool loaded = false;
  bool usable = true;  ///< the file may be written
  Entries entries;
};

struct Memory {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, Store> stores;  ///< by file and device
  std::set<std::string> warned;
};

Memory& memory() {
  static Memory m;
  return m;
}

void warn(std::string const& file, std::string const& what) {
  std::string const text = "the tuning file \"" + file + "\" " + what;
  if (memory().warned.insert(text).second) std::fprintf(stderr, "KokkosStencil: warning: %s\n", text.c_str());
}

std::string const first_words = "KokkosStencil tuning 1";

std::string header(std::string const& device) {
  return first_words + "\t" + KOKKOSSTENCIL_VERSION_STRING + "\t" + device;
}

std::string checksum(std::string const& text) {
  std::uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(h));
  return digits;
}

std::string line_of(std::string const& problem, Impl::Tuned const& t) {
  std::string const text =
      problem + "\t" + t.backend + "\t" + std::to_string(t.depth) + "\t" + Model::number_text(t.seconds);
  return text + "\t" + checksum(text);
}

bool read_line(std::string const& line, Entries& entries) {
  auto const cut = line.rfind('\t');
  if (cut == std::string::npos || checksum(line.substr(0, cut)) != line.substr(cut + 1)) return false;
  std::istringstream in(line.substr(0, cut));
  std::string problem, depth, seconds;
  Impl::Tuned t;
  if (!std::getline(in, problem, '\t') || !std::getline(in, t.backend, '\t') || !std::getline(in, depth, '\t') ||
      !std::getline(in, seconds)) {
    return false;
  }
  std::optional<double> const d = Model::read_number(depth, 1.0, 1e6), sec = Model::read_number(seconds, 1e-12, 1e9);
  if (!d || !sec || *d != std::floor(*d)) return false;
  t.depth          = static_cast<int>(*d);
  t.seconds        = *sec;
  entries[problem] = t;
  return true;
}

enum class Kind { none, regular, other, unreadable };

/// What a name stands for, errno telling why it cannot be read. Devices and pipes are neither read nor replaced.
Kind kind_of(std::string const& file) {
#ifdef KOKKOSSTENCIL_IMPL_POSIX
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return errno == ENOENT ? Kind::none : Kind::unreadable;
  return S_ISREG(status.st_mode) ? Kind::regular : Kind::other;
#else
  if (std::ifstream(file)) return Kind::regular;
  return errno == ENOENT ? Kind::none : Kind::unreadable;
#endif
}

/// The file that a link leads to.
std::string resolved(std::string const& file) {
#ifdef KOKKOSSTENCIL_IMPL_POSIX
  if (char* const path = ::realpath(file.c_str(), nullptr)) {
    std::string const real = path;
    std::free(path);
    return real;
  }
#endif
  return file;
}

/// Adds the winners of a file; false, with a warning, if it is none for this device and version.
bool read(std::string const& file, std::string const& device, Entries& entries) {
  Kind const kind = kind_of(file);
  if (kind == Kind::none) return true;
  if (kind == Kind::other) {
    warn(file, "is no regular file; winners are kept in memory only.");
    return false;
  }
  std::ifstream in(file, std::ios::binary);
  if (kind == Kind::unreadable || !in) {
    warn(file, std::string("cannot be read (") + std::strerror(errno) + "); winners are kept in memory only.");
    return false;
  }
  std::string text;
  char block[4096];
  while (text.size() <= most_bytes && (in.read(block, sizeof block), in.gcount() > 0)) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
  }
  if (text.empty()) return true;
  if (text.rfind(first_words + "\t", 0) != 0 || text.size() > most_bytes) {
    warn(file, std::string("is damaged") + (text.size() > most_bytes ? ", too long," : "") +
                   " or no tuning file of KokkosStencil. It is left as it is; winners are kept in memory only. "
                   "Remove it, or name another.");
    return false;
  }
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (line != header(device)) {
    std::string is = line.substr(first_words.size() + 1), should = header(device).substr(first_words.size() + 1);
    if (is.size() > 100) is = is.substr(0, 100) + "...";
    for (std::string* words : {&is, &should}) {
      for (char& c : *words) {
        if (c == '\t') c = ' ';
        if (c < ' ' || c > '~') c = '?';
      }
    }
    warn(file, "was made by another version or for another device (" + is + ", not " + should +
                   "). It is left as it is; winners are kept in memory only. Name a file for each.");
    return false;
  }
  int damaged = 0;
  while (std::getline(lines, line)) damaged += read_line(line, entries) ? 0 : 1;
  if (damaged > 0) {
    warn(file, "has " + std::to_string(damaged) + " damaged lines; what they held is measured again.");
  }
  return true;
}

/// Serializes writers on one machine; without it no more is at stake than a winner that is measured again.
class DirectoryLock {
 public:
  explicit DirectoryLock(std::string const& file) {
#ifdef KOKKOSSTENCIL_IMPL_POSIX
    auto const slash            = file.rfind('/');
    std::string const directory = slash == std::string::npos ? "." : file.substr(0, slash + 1);
    m_handle                    = ::open(directory.c_str(), O_RDONLY | O_CLOEXEC);
    if (m_handle >= 0) ::flock(m_handle, LOCK_EX);
#else
    static_cast<void>(file);
#endif
  }
  ~DirectoryLock() {
#ifdef KOKKOSSTENCIL_IMPL_POSIX
    if (m_handle >= 0) ::close(m_handle);
#endif
  }
  DirectoryLock(DirectoryLock const&)            = delete;
  DirectoryLock& operator=(DirectoryLock const&) = delete;

 private:
  int m_handle = -1;
};

void write(std::string const& file, std::string const& device, Store& store) {
  std::string const target = resolved(file);
  DirectoryLock const lock(target);
  // What other processes added in the meantime.
  Entries all;
  if (!read(file, device, all)) {
    store.usable = false;
    return;
  }
  for (auto const& [problem, tuned] : store.entries) all[problem] = tuned;
  store.entries    = all;
  std::string text = header(device) + "\n";
  for (auto const& [problem, tuned] : all) text += line_of(problem, tuned) + "\n";
  if (text.size() > most_bytes) {
    warn(file, "is full; further winners are kept in memory only.");
    store.usable = false;
    return;
  }
#ifdef KOKKOSSTENCIL_IMPL_POSIX
  std::string const fresh = target + "." + std::to_string(::getpid()) + ".tmp";
  // A file that is write-protected is not to be replaced either.
  bool ok = ::access(target.c_str(), F_OK) != 0 || ::access(target.c_str(), W_OK) == 0;
#else
  std::string const fresh = target + ".tmp";
  bool ok                 = true;
#endif
  if (ok) {
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    ok = out.good();
  }
  ok = ok && std::rename(fresh.c_str(), target.c_str()) == 0;
  if (!ok) {
    warn(file, std::string("cannot be written (") + std::strerror(errno) + "); winners are kept in memory only.");
    std::remove(fresh.c_str());
    store.usable = false;
  }
}

/// The store of a file, read at first use. The caller holds the mutex.
Store& store_of(std::string const& file, std::string const& device) {
  Store& store = memory().stores[{file, device}];
  if (!store.loaded && !file.empty()) store.usable = read(file, device, store.entries);
  store.loaded = true;
  return store;
}

}  // namespace

char const* to_string(Tuning tuning) noexcept { return tuning == Tuning::measure ? "measure" : "predict"; }

bool Impl::recall_tuning(std::string const& file, std::string const& device, std::string const& problem, Tuned& found) {
  std::lock_guard<std::mutex> const lock(memory().mutex);
  Store const& store = store_of(file, device);
  auto const known   = store.entries.find(problem);
  if (known == store.entries.end()) return false;
  found = known->second;
  return true;
}

void Impl::remember_tuning(std::string const& file, std::string const& device, std::string const& problem,
                           Tuned const& winner) {
  std::lock_guard<std::mutex> const lock(memory().mutex);
  Store& store           = store_of(file, device);
  store.entries[problem] = winner;
  if (!file.empty() && store.usable) write(file, device, store);
}

void Impl::forget_tuning() {
  std::lock_guard<std::mutex> const lock(memory().mutex);
  memory().stores.clear();
  memory().warned.clear();
}

}  // namespace KokkosStencil
