// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Suites.hpp"

#include <set>
#include <stdexcept>

namespace perf {

namespace {

using Types         = std::vector<Type>;
constexpr Type half = Type::half, bhalf = Type::bhalf, single = Type::single, full = Type::full;

Extents cube(int rank, std::int64_t n) { return {{n, rank > 1 ? n : 1, rank > 2 ? n : 1}}; }

class List {
 public:
  explicit List(bool host) : m_host(host) {}

  /// A case a type; half types have no place on hosts.
  List& add(std::string const& shape_name, Types const& types, std::int64_t n, std::int64_t steps = 1) {
    Kernel const kernel = shape(shape_name);
    for (Type const type : types) add(kernel, type, cube(kernel.rank, n), steps);
    return *this;
  }
  List& add(Kernel const& kernel, Type type, Extents const& extents, std::int64_t steps, bool relaxed = false) {
    if (m_host && (type == half || type == bhalf)) return *this;
    Case c;
    c.kernel  = kernel;
    c.type    = type;
    c.extents = extents;
    c.steps   = steps;
    c.relaxed = relaxed;
    if (m_seen.insert(c.name("")).second) m_cases.push_back(c);
    return *this;
  }
  List& add(std::vector<Case> const& cases) {
    for (Case const& c : cases) {
      if (m_seen.insert(c.name("")).second) m_cases.push_back(c);
    }
    return *this;
  }
  std::vector<Case> const& cases() const { return m_cases; }

 private:
  bool m_host;
  std::set<std::string> m_seen;
  std::vector<Case> m_cases;
};

/// What users have today: the table of Kokkos MDRange figures.
std::vector<Case> baseline(bool host) {
  List list(host);
  std::int64_t const n2 = host ? 2048 : 10240, n3 = host ? 128 : 512;
  list.add("box-2d1r", {single, full, half}, n2);
  list.add("box-2d2r", {single, full, half}, n2);
  list.add("box-2d3r", {single, full, half}, n2);
  list.add("box-2d7r", {single, full, half}, n2);
  list.add("star-3d1r", {single, full, half}, n3);
  list.add("box-3d1r", {single, full, half}, n3);
  list.add("star-3d4r", {single, full, half}, n3);
  list.add("box-3d2r", {single, full, half}, n3);
  return list.cases();
}

/// Pairs for a CPU: the library, a hand-written loop, MDRange.
std::vector<Case> cpu(bool host) {
  List list(host);
  for (char const* name : {"star-2d1r", "box-2d1r", "box-2d3r"}) list.add(name, {single, full}, 4096);
  for (char const* name : {"star-3d1r", "box-3d1r"}) list.add(name, {single, full}, 256);
  return list.cases();
}

/// Every shape and type at sizes that take no time.
std::vector<Case> smoke(bool host) {
  List list(host);
  Types const all{half, bhalf, single, full};
  for (char const* name : {"star-1d1r", "star-1d2r"}) list.add(name, all, 5000).add(name, all, 5000, 4);
  for (char const* name : {"star-2d1r", "star-2d3r", "box-2d1r", "box-2d2r", "box-2d3r", "box-2d7r"}) {
    list.add(name, all, 97).add(name, {single, full}, 97, 3);
  }
  for (char const* name : {"star-3d1r", "star-3d4r", "box-3d1r", "box-3d2r"}) {
    list.add(name, all, 33).add(name, {single, full}, 33, 3);
  }
  return list.cases();
}

struct Entry {
  char const* name;
  char const* what;
  std::vector<Case> (*cases)(bool host);
};

std::vector<Entry> const& entries() {
  static std::vector<Entry> const list{
      {"smoke", "every shape and type at tiny sizes", smoke},
      {"baseline", "what Kokkos users have today: MDRange", baseline},
      {"cpu", "the pairs for a CPU: library, hand-written loop, MDRange", cpu},
  };
  return list;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> suite_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (Entry const& e : entries()) names.emplace_back(e.name, e.what);
  return names;
}

std::vector<Case> suite(std::string const& name, bool host) {
  for (Entry const& e : entries()) {
    if (name == e.name) return e.cases(host);
  }
  throw std::invalid_argument("no such suite: " + name);
}

}  // namespace perf
