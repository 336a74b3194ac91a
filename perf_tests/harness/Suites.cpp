// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Suites.hpp"

#include "Catalogue.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

namespace perf {

namespace {

using Types  = std::vector<Type>;
using Rivals = Case::Rivals;
Types const all{Type::half, Type::bhalf, Type::single, Type::full};
Types const three{Type::half, Type::single, Type::full};
Types const wide{Type::single, Type::full};
Types const shorts{Type::half, Type::bhalf};

/// Collects cases, leaving out what occurs twice. On hosts there are no half types, and grids are smaller.
class List {
 public:
  explicit List(bool host) : m_host(host) {}

  List& rivals(Rivals r) {
    m_rivals = r;
    return *this;
  }
  List& graph(bool yes) {
    m_graph = yes;
    return *this;
  }
  List& cudnn(bool yes) {
    m_cudnn = yes;
    return *this;
  }
  List& textbooks(bool yes) {
    m_textbooks = yes;
    return *this;
  }
  /// Square or cubic grids; `n` on devices.
  List& add(std::string const& name, Types const& types, std::int64_t n, std::int64_t steps = 1, bool relaxed = false) {
    Kernel const kernel  = shape(name);
    std::int64_t const m = m_host ? std::min<std::int64_t>(n, kernel.rank == 1   ? 1 << 22
                                                              : kernel.rank == 2 ? 2048
                                                                                 : 128)
                                  : n;
    return add(kernel, types, {{m, kernel.rank > 1 ? m : 1, kernel.rank > 2 ? m : 1}}, steps, relaxed);
  }
  List& add(Kernel const& kernel, Types const& types, Extents const& extents, std::int64_t steps,
            bool relaxed = false) {
    for (Type const type : types) {
      if (m_host && bytes_of(type) == 2) continue;
      Case c;
      c.kernel    = kernel;
      c.type      = type;
      c.extents   = extents;
      c.steps     = steps;
      c.relaxed   = relaxed;
      c.rivals    = m_rivals;
      c.graph     = m_graph;
      c.cudnn     = m_cudnn;
      c.textbooks = m_textbooks;
      add(c);
    }
    return *this;
  }
  /// The cases so far once more, on a torus.
  List& periodic_too() {
    auto const there = m_cases;
    for (Case c : there) {
      c.faces = Faces::periodic;
      add(c);
    }
    return *this;
  }
  List& add(std::vector<Case> const& cases) {
    for (Case const& c : cases) add(c);
    return *this;
  }
  std::vector<Case> const& cases() const { return m_cases; }

 private:
  /// A case that is there already is measured once, beside the rivals of both.
  void add(Case const& c) {
    auto const [place, is_new] = m_places.emplace(c.name(""), m_cases.size());
    if (is_new) {
      m_cases.push_back(c);
      return;
    }
    Case& there     = m_cases[place->second];
    there.rivals    = std::max(there.rivals, c.rivals);
    there.graph     = there.graph || c.graph;
    there.cudnn     = there.cudnn || c.cudnn;
    there.textbooks = there.textbooks || c.textbooks;
  }

  bool m_host;
  Rivals m_rivals  = Rivals::all;
  bool m_graph     = false;
  bool m_cudnn     = false;
  bool m_textbooks = false;
  std::map<std::string, std::size_t> m_places;
  std::vector<Case> m_cases;
};

/// What users have today: the shapes and sizes of the table of Kokkos MDRange figures.
std::vector<Case> baseline(bool host) {
  List list(host);
  for (char const* name : {"box-2d1r", "box-2d2r", "box-2d3r", "box-2d7r"}) list.add(name, three, 10240);
  for (char const* name : {"star-3d1r", "box-3d1r", "star-3d4r", "box-3d2r"}) list.add(name, three, 512);
  return list.cases();
}

/// The pairs for a CPU: library, hand-written loop, MDRange. The sizes are those of the requirement.
std::vector<Case> cpu(bool host) {
  List list(host);
  for (char const* name : {"star-2d1r", "box-2d1r", "box-2d3r"}) list.add(shape(name), wide, {{4096, 4096, 1}}, 1);
  for (char const* name : {"star-3d1r", "box-3d1r"}) list.add(shape(name), wide, {{256, 256, 256}}, 1);
  // High orders.
  for (int radius = 2; radius <= 8; ++radius) {
    list.add(star(2, radius), wide, {{4096, 4096, 1}}, 1).add(star(3, radius), wide, {{256, 256, 256}}, 1);
  }
  list.add(box(2, 2), wide, {{4096, 4096, 1}}, 1);
  for (int const radius : {2, 3}) list.add(box(3, radius), wide, {{256, 256, 256}}, 1);
  // 256 points an axis beside the halo: planes that are a power of two apart share the sets of a cache.
  auto const with_halo = [](int radius) {
    std::int64_t const n = 256 + 2 * radius;
    return Extents{n, n, n};
  };
  for (int radius = 1; radius <= 8; ++radius) list.add(star(3, radius), wide, {with_halo(radius)}, 1);
  for (int radius = 1; radius <= 3; ++radius) list.add(box(3, radius), wide, {with_halo(radius)}, 1);
  // Many sweeps: host_temporal beside single ones.
  list.rivals(Rivals::none);
  list.add(shape("star-1d1r"), wide, {{1 << 24, 1, 1}}, 20);
  for (char const* name : {"star-2d1r", "box-2d1r", "star-2d2r"}) list.add(shape(name), wide, {{4096, 4096, 1}}, 20);
  for (char const* name : {"star-3d1r", "star-3d2r"}) list.add(shape(name), wide, {{256, 256, 256}}, 12);
  return list.cases();
}

/// Many sweeps on fields of gigabytes, which no cache holds.
std::vector<Case> cpu_large(bool host) {
  List list(host);
  list.rivals(Rivals::none);
  list.add(shape("star-2d1r"), {Type::single}, {{16384, 16384, 1}}, 30);
  list.add(shape("star-2d1r"), {Type::full}, {{12288, 12288, 1}}, 30);
  list.add(shape("star-3d1r"), {Type::single}, {{704, 704, 704}}, 36);
  list.add(shape("star-3d1r"), {Type::full}, {{560, 560, 560}}, 36);
  return list.cases();
}

/// Grids from very small to those that fill the GPU, one sweep and many.
std::vector<Case> sizes(bool host) {
  List list(host);
  list.graph(true);
  for (std::int64_t const steps : {1, 8, 16, 100, 1000}) {
    for (std::int64_t n = 64; n <= (host ? 512 : 4096); n *= 2) {
      for (char const* name : {"star-2d1r", "box-2d1r"}) list.add(shape(name), three, {{n, n, 1}}, steps);
    }
    for (std::int64_t const n : {32, 64, 128, 256}) {
      if (host && n > 64) continue;
      for (char const* name : {"star-3d1r", "box-3d1r"}) list.add(shape(name), three, {{n, n, n}}, steps);
    }
  }
  std::vector<Case> cases = list.cases();
  // The reference would take minutes for the neighbours of 1000 sweeps.
  for (Case& c : cases) c.sampled = c.steps < 1000;
  return cases;
}

/// Fields that stay on the chip, for all sweeps of a run or of a pass; faces of both kinds.
std::vector<Case> chip(bool host) {
  List list(host);
  list.rivals(Rivals::none);
  for (std::int64_t const steps : {16, 100}) {
    for (char const* name : {"star-2d1r", "box-2d1r"}) {
      for (std::int64_t const n : {256, 512, 1024, 2048}) list.add(shape(name), wide, {{n, n, 1}}, steps);
      list.add(shape(name), {Type::single}, {{2896, 2896, 1}}, steps);
    }
    for (char const* name : {"box-2d2r", "box-2d3r", "box-2d4r"}) {
      for (std::int64_t const n : {256, 512, 1024}) list.add(shape(name), three, {{n, n, 1}}, steps);
    }
  }
  for (std::int64_t const steps : {8, 16, 100}) {
    for (std::int64_t const n : {64, 96, 128, 160}) list.add(shape("star-3d1r"), wide, {{n, n, n}}, steps);
    list.add(shape("box-3d1r"), {Type::single}, {{128, 128, 128}}, steps);
  }
  return list.periodic_too().cases();
}

/// Volumes of about as many points whose rows are shorter and longer than tiles, and that end within one.
std::vector<Case> short_rows(bool host) {
  List list(host);
  list.rivals(Rivals::none);
  for (std::int64_t const n : {32, 48, 64, 80, 96, 128, 136, 160, 192, 256, 320, 544}) {
    Extents const extents{{host ? 32 : 256, (1 << 17) / n, n}};
    for (char const* name : {"star-3d1r", "star-3d2r", "star-3d4r", "box-3d1r"})
      list.add(shape(name), three, extents, 1);
  }
  return list.periodic_too().cases();
}

/// Stars and boxes without some of their terms beside whole ones.
std::vector<Case> patterns(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  for (char const* name : {"star-2d1r", "jacobi-2d1r", "upwind-2d1r", "box-2d1r", "ring-2d1r", "jacobi-2d2r",
                           "upwind-2d2r", "ring-2d2r"}) {
    for (std::int64_t const n : {512, 1024, 10240}) {
      if (!host || n < 10240) list.add(shape(name), three, {{n, n, 1}}, 24);
    }
    list.add(shape(name), three, {{host ? 1024 : 10240, host ? 1024 : 10240, 1}}, 1);
  }
  for (char const* name : {"star-3d1r", "jacobi-3d1r", "upwind-3d1r", "box-3d1r", "box19-3d1r"}) {
    for (std::int64_t const n : {96, 512}) {
      if (!host || n < 512) list.add(shape(name), three, {{n, n, n}}, 12).add(shape(name), three, {{n, n, n}}, 1);
    }
  }
  for (char const* name : {"star-1d1r", "jacobi-1d1r", "upwind-1d1r", "upwind-1d2r"}) {
    list.add(shape(name), three, {{host ? 1 << 20 : 100 << 20, 1, 1}}, 24);
  }
  return list.cases();
}

/// One sweep of everything the targets name, and the cases with targets of their own.
std::vector<Case> targets(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  list.add("star-1d1r", three, 1 << 27).add("star-1d2r", three, 1 << 27);
  auto const flat  = {"star-2d1r", "star-2d2r", "star-2d3r", "star-2d4r", "box-2d1r", "box-2d2r", "box-2d3r"};
  auto const solid = {"star-3d1r", "star-3d2r", "star-3d3r", "star-3d4r", "box-3d1r"};
  for (char const* name : flat) list.add(name, three, 10240);
  for (char const* name : solid) list.add(name, three, 512);
  for (std::int64_t const n : {10240, 16384}) {
    list.add("box-2d7r", shorts, n).add("box-2d7r", wide, n).add("box-2d7r", {Type::single}, n, 1, true);
  }
  list.add("box-2d1r", shorts, 16384, 7);
  // The same shapes on the larger grids of the targets, without rivals.
  list.rivals(Rivals::none);
  for (char const* name : flat) list.add(name, three, 16384);
  for (char const* name : solid) list.add(name, three, 1024);
  list.add("box-3d3r", wide, 512).add("box-3d4r", wide, 512);
  return list.cases();
}

/// Many sweeps, on the grids of the targets.
std::vector<Case> sweeps(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  for (char const* name : {"star-2d1r", "box-2d1r", "star-2d2r", "box-2d2r"}) {
    list.add(name, wide, 10240, 24).add(name, {Type::half}, 10240, 24);
  }
  for (char const* name : {"box-2d3r", "box-2d4r"}) list.add(name, wide, 10240, 24);
  for (char const* name : {"star-3d1r", "star-3d2r", "box-3d1r", "box17-3d1r"}) {
    list.add(name, wide, 512, 12);
    if (!host) {
      list.add(shape(name), {Type::single}, {{768, 352, 1024}}, 12);
      list.add(shape(name), {Type::full}, {{384, 352, 1024}}, 12);
    }
  }
  list.add("star-3d1r", {Type::half}, 512, 12);
  if (!host) list.add(shape("star-3d1r"), {Type::half}, {{768, 352, 1024}}, 12);
  return list.periodic_too().cases();
}

/// Table 2 of SparStencil: eight kernels, one sweep and many.
std::vector<Case> sparstencil(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  struct Row {
    char const* name;
    std::int64_t n;
  };
  for (Row const& row :
       {Row{"star-1d1r", 10240000}, Row{"star-1d2r", 10240000}, Row{"star-2d1r", 10240}, Row{"box-2d1r", 10240},
        Row{"star-2d3r", 10240}, Row{"box-2d3r", 10240}, Row{"star-3d1r", 1024}, Row{"box-3d1r", 1024}}) {
    // cuDNN at the sizes it takes in reasonable time.
    list.cudnn(true).add(row.name, three, std::min<std::int64_t>(row.n, row.n == 1024 ? 512 : row.n));
    list.cudnn(false).add(row.name, all, row.n).add(row.name, all, row.n, row.n == 1024 ? 8 : 24);
  }
  return list.cases();
}

/// SPIDER's shapes: 1-D r1 and r2, 2-D star and box r1 to r3, and seven steps fused into radius 7.
std::vector<Case> spider(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  Types const types{Type::half, Type::single};
  list.add("star-1d1r", types, 1024 * 10240).add("star-1d2r", types, 1024 * 10240);
  for (char const* name : {"star-2d1r", "star-2d2r", "star-2d3r", "box-2d1r", "box-2d2r", "box-2d3r", "box-2d7r"}) {
    list.add(name, types, 10240);
  }
  list.add("box-2d1r", types, 10240, 7);
  return list.cases();
}

/// The six cases of the performance-model paper.
std::vector<Case> model(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  list.add("box-2d1r", {Type::full}, 10240, 3).add("box-2d3r", {Type::full}, 10240);
  list.add("box-2d1r", {Type::single}, 10240, 7).add("box-2d7r", {Type::single}, 10240);
  list.add("box-3d1r", {Type::full}, 512, 3).add("box-3d1r", {Type::single}, 512, 7);
  return list.cases();
}

/// The two ladders of hand optimization: 2-D 5-point r1 and r2 at 8192^2, 3-D 7-point.
std::vector<Case> ladders(bool host) {
  List list(host);
  list.textbooks(true);
  list.add("star-2d1r", {Type::single}, 8192).add("star-2d2r", {Type::single}, 8192);
  list.add("star-3d1r", {Type::single}, 512);
  return list.cases();
}

/// Speed against the size of the problem.
std::vector<Case> trend(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  for (std::int64_t n = 512; n <= (host ? 2048 : 16384); n *= 2) {
    list.add("star-2d1r", {Type::single}, n).add("box-2d1r", {Type::half}, n).add("box-2d3r", {Type::full}, n);
    list.add("box-2d7r", {Type::half}, n).add("star-2d1r", {Type::single}, n, 16);
  }
  for (std::int64_t n = host ? 32 : 128; n <= (host ? 128 : 1024); n *= 2) {
    list.add("star-3d1r", wide, n).add("box-3d1r", {Type::half}, n).add("star-3d1r", {Type::single}, n, 8);
  }
  return list.cases();
}

/// What the checks of iterate_until cost.
std::vector<Case> until(bool host) {
  List list(host);
  list.add("star-2d1r", {Type::single}, 10240).add("star-3d1r", {Type::full}, 512);
  std::vector<Case> cases;
  for (Case c : list.cases()) {
    for (std::int64_t const check : {1, 10, 50}) {
      c.check = check;
      c.steps = std::max<std::int64_t>(10, check);
      cases.push_back(c);
    }
  }
  return cases;
}

/// SparStencil's figures 7 and 8: Box-2D49P over problem sizes, from CUDA cores to sparse tensor cores.
std::vector<Case> breakdown(bool host) {
  List list(host);
  list.rivals(Rivals::best);
  for (std::int64_t const n : {256, 512, 768, 1024, 2048, 4096, 8192, 16384})
    list.add("box-2d3r", {host ? Type::single : Type::half}, n);
  return list.cases();
}

/// Every kernel of the catalogue, on grids of so many points along each axis by rank.
std::vector<Case> catalogue_at(bool host, std::int64_t line, std::int64_t plane, std::int64_t space,
                               Rivals rivals = Rivals::none) {
  List list(host);
  list.rivals(rivals).cudnn(rivals != Rivals::none);
  for (CatalogueKernel const& k : catalogue()) {
    std::int64_t const n = k.rank == 1 ? line : k.rank == 2 ? plane : space;
    list.add(k, three, {{n, k.rank > 1 ? n : 1, k.rank > 2 ? n : 1}}, 1);
  }
  return list.cases();
}

std::vector<Case> whole_catalogue(bool host) {
  return host ? catalogue_at(host, 1 << 20, 1024, 96) : catalogue_at(host, 1 << 26, 8192, 384);
}

/// SparStencil's figure 10: the catalogue beside its rivals, on grids that cuDNN, too, takes in reasonable time.
std::vector<Case> domains(bool host) {
  return host ? whole_catalogue(host) : catalogue_at(host, 1 << 24, 4096, 256, Rivals::best);
}

/// The smallest grids on which no kernel may be slower than the generic one.
std::vector<Case> small_catalogue(bool host) { return catalogue_at(host, 1 << 18, 512, 64); }

/// Between: a few microseconds of work.
std::vector<Case> medium_catalogue(bool host) { return catalogue_at(host, 1 << 21, 1024, 128); }

/// A minute on a GPU: a case of each kind.
std::vector<Case> quick(bool host) {
  List list(host);
  for (char const* name : {"star-2d1r", "box-2d1r", "box-2d3r"}) list.add(name, three, 10240);
  for (char const* name : {"star-3d1r", "box-3d1r"}) list.add(name, three, 512);
  list.add("star-3d4r", wide, 512);
  list.rivals(Rivals::best);
  list.add("star-1d1r", three, 1 << 27).add("box-2d7r", three, 10240);
  list.add("box-2d7r", {Type::half, Type::single}, 16384).add("box-2d7r", {Type::single}, 16384, 1, true);
  list.add("box-2d1r", {Type::half}, 16384, 7);
  list.add("star-2d1r", wide, 10240, 24).add("box-2d1r", wide, 10240, 24).add("star-3d1r", wide, 512, 12);
  return list.cases();
}

std::vector<Case> full(bool host) {
  List list(host);
  for (auto const part : {quick, baseline, targets, sweeps, sparstencil, spider, model, ladders, trend, breakdown}) {
    list.add(part(host));
  }
  list.add(whole_catalogue(host));
  // Textbooks' kernels are for the suite of their own.
  std::vector<Case> cases = list.cases();
  for (Case& c : cases) c.textbooks = false;
  return cases;
}

/// Every shape and type at sizes that take no time, for the tests.
std::vector<Case> smoke(bool host) {
  List list(host);
  list.textbooks(true);
  for (char const* name : {"star-1d1r", "star-1d2r"}) list.add(name, all, 5000).add(name, all, 5000, 4);
  for (char const* name : {"star-2d1r", "star-2d2r", "star-2d3r", "box-2d1r", "box-2d2r", "box-2d3r", "box-2d7r"}) {
    list.cudnn(true).add(name, all, 97).cudnn(false).add(name, all, 97, 3);
  }
  for (char const* name : {"star-3d1r", "star-3d4r", "box-3d1r", "box-3d2r"}) {
    list.cudnn(true).add(name, all, 33).cudnn(false).add(name, all, 33, 3);
  }
  list.add("box-2d7r", {Type::single}, 97, 1, true);
  List torus(host);
  torus.add("star-1d1r", wide, 5000, 4).add("star-2d1r", wide, 97, 3).add("star-3d1r", wide, 33, 3);
  list.add(torus.periodic_too().cases());
  return list.cases();
}

/// The speed of rows that begin anywhere beside that of rows that begin with vectors of 16 bytes: extents and pitches
/// that are no multiples of them, and parts of Views that begin at an odd column, in input and output alike or not.
std::vector<Case> pitch(bool host) {
  std::vector<Case> cases;
  auto const add = [&](char const* name, Types const& types, std::int64_t n, std::vector<std::int64_t> const& steps,
                       Coefficients coefficients = Coefficients::distinct) {
    Case c;
    c.kernel       = shape(name);
    c.rivals       = Rivals::none;
    c.coefficients = coefficients;
    give_coefficients(c.kernel, coefficients);
    if (host) n = c.kernel.rank == 1 ? 1 << 22 : c.kernel.rank == 2 ? 2048 : 128;
    std::int64_t const far      = c.kernel.rank == 3 ? 7 : 6;
    bool const line             = c.kernel.rank == 1;
    std::int64_t const more[]   = {0, 1, 2, 3, far + (c.kernel.rank == 2 ? 1 : 0)};
    std::int64_t const begins[] = {1, 2};
    for (Type const type : types) {
      if (host && bytes_of(type) == 2) continue;
      c.type = type;
      for (std::int64_t const count : steps) {
        c.steps = count;
        for (std::int64_t const d : more) {
          c.extents = {{n + d, line ? 1 : n + d, c.kernel.rank > 2 ? n + d : 1}};
          cases.push_back(c);
          if (line) break;
        }
        c.extents = {{n, line ? 1 : n, c.kernel.rank > 2 ? n : 1}};
        if (!line) c.pitch = n + 16;
        for (std::int64_t const out : begins) {
          c.columns[0] = 1;
          c.columns[1] = out;
          cases.push_back(c);
        }
        c.columns[0] = c.columns[1] = c.pitch = 0;
      }
    }
  };
  add("star-1d1r", three, 1 << 27, {1, 24});
  add("star-2d1r", all, 10240, {1, 24});
  add("box-2d1r", three, 10240, {1, 24});
  add("box-2d2r", three, 10240, {1, 24});
  add("box-2d3r", three, 10240, {1, 24});
  add("box-2d3r", shorts, 10240, {1}, Coefficients::two_parts);
  add("star-2d4r", three, 10240, {1, 24});
  add("box-2d7r", {Type::half}, 10240, {1});
  add("star-3d1r", all, 512, {1, 12});
  for (char const* name : {"star-3d2r", "box-3d1r"}) add(name, three, 512, {1, 12});
  return cases;
}

/// Faces of every rule beside halo ones, one sweep, from volumes of ten million points on; and planes, small and large.
std::vector<Case> faces_beside_halo(bool host) {
  std::vector<Case> cases;
  auto const add = [&](char const* name, std::vector<Extents> const& extents) {
    Case c;
    c.kernel = shape(name);
    c.rivals = Rivals::none;
    give_coefficients(c.kernel, c.coefficients);
    for (Type const type : three) {
      if (host && bytes_of(type) == 2) continue;
      c.type = type;
      for (Extents const& e : extents) {
        c.extents = e;
        for (Faces const faces : {Faces::halo, Faces::periodic, Faces::mirror, Faces::edge, Faces::constant}) {
          c.faces = faces;
          cases.push_back(c);
        }
      }
    }
  };
  std::vector<Extents> const volumes =
      host ? std::vector<Extents>{{{128, 128, 128}}}
           : std::vector<Extents>{{{216, 216, 216}}, {{344, 344, 344}}, {{474, 1247, 344}}, {{513, 513, 513}}};
  std::vector<Extents> const planes =
      host ? std::vector<Extents>{{{512, 512, 1}}} : std::vector<Extents>{{{512, 512, 1}}, {{4096, 4096, 1}}};
  for (char const* name : {"star-3d1r", "box-3d1r", "star-3d2r", "star-3d3r"}) add(name, volumes);
  for (char const* name : {"box-2d1r", "box-2d3r"}) add(name, planes);
  return cases;
}

/// Problems as applications may have them, with a choice for the library to make: stars and boxes on grids of any
/// extents and pitches. The same on every machine, hence whole numbers only.
class RandomCases {
 public:
  RandomCases(bool host, std::uint64_t seed) : m_host(host), m_random(seed) {}

  std::vector<Case> take(std::size_t count) {
    std::vector<Case> cases;
    std::set<std::string> names;
    while (cases.size() < count) {
      Case c = draw();
      if (fits(c) && names.insert(c.name("")).second) cases.push_back(c);
    }
    return cases;
  }

 private:
  static constexpr std::int64_t least_points = 10000, longest = 14000;

  /// 0 to n - 1.
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(n)); }
  template <class T>
  T one_of(std::vector<T> const& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(values.size())))];
  }
  /// As many between `least` and twice that as in each of the octaves above.
  std::int64_t scaled(std::int64_t least, int octaves) {
    std::int64_t const from = least << below(octaves);
    return from + below(from);
  }

  Case draw() {
    Case c;
    c.rivals             = Rivals::none;
    c.sampled            = false;
    int const rank       = one_of<int>({1, 2, 2, 2, 2, 3, 3, 3, 3});
    int const radius     = one_of<int>({1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7});
    c.kernel             = rank > 1 && below(2) == 1 ? box(rank, radius) : star(rank, radius);
    c.type               = m_host ? one_of(wide)
                                  : one_of<Type>({Type::half, Type::half, Type::half, Type::single, Type::single, Type::single,
                                                  Type::full, Type::full, Type::full, Type::bhalf});
    c.steps              = below(2) == 1 ? 1 : 2 + below(29);
    c.faces              = one_of<Faces>({Faces::halo, Faces::halo, Faces::periodic, Faces::mirror});
    bool const two_parts = bytes_of(c.type) == 2 && below(3) == 0;
    c.coefficients       = two_parts                  ? Coefficients::two_parts
                           : c.faces == Faces::mirror ? Coefficients::symmetric
                                                      : Coefficients::distinct;
    give_coefficients(c.kernel, c.coefficients);
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
      c.extents[a] = rank == 1 ? scaled(least_points, 14) : scaled(50, rank == 2 ? 9 : 6);
    }
    auto const last = static_cast<std::size_t>(rank - 1);
    std::int64_t& n = c.extents[last];
    // Rows of whole vectors, rows of any length, padded ones, and some that end up anywhere.
    std::int64_t const kind = below(6);
    if (kind == 0 || kind == 1 || kind == 4) n = (n + 7) / 8 * 8;
    if (kind == 3) c.pitch = (n + 15) / 16 * 16;
    if (kind > 3) c.pitch = n + 1 + 2 * below(4);
    if (rank == 1 || c.pitch == n) c.pitch = 0;
    c.steps = std::max<std::int64_t>(1, std::min(c.steps, most_updates() / (c.points() * cost(c))));
    return c;
  }

  /// What takes about the same time, in points of a short stencil.
  static std::int64_t cost(Case const& c) { return 1 + static_cast<std::int64_t>(c.kernel.terms.size()) / 16; }
  std::int64_t most_updates() const { return m_host ? 20000000 : 5000000000; }

  bool fits(Case const& c) const {
    std::int64_t const most_bytes = std::int64_t(1) << (m_host ? 24 : 30);
    bool const short_enough       = c.kernel.rank == 1 || std::all_of(c.extents.begin(), c.extents.end(),
                                                                      [](std::int64_t n) { return n <= longest; });
    return short_enough && c.elements() >= least_points && c.allocated() * bytes_of(c.type) <= most_bytes &&
           c.points() * cost(c) <= most_updates();
  }

  bool m_host;
  std::mt19937_64 m_random;
};

std::vector<Case> random_problems(bool host) { return RandomCases(host, 1).take(host ? 100 : 1000); }

struct Entry {
  char const* name;
  char const* what;
  std::vector<Case> (*cases)(bool host);
};

Entry const entries[] = {
    {"quick", "a case of each kind; a minute on a GPU", quick},
    {"full",
     "everything but chip, cpu, cpu_large, domains, faces, functor, until, medium, patterns, pitch, random, "
     "short_rows, "
     "sizes, small and smoke; under ten minutes on a GPU",
     full},
    {"cpu", "the pairs for a CPU: library, hand-written loop, MDRange; many sweeps", cpu},
    {"cpu_large", "many sweeps on fields of gigabytes, for a CPU with a large cache", cpu_large},
    {"smoke", "every shape and type at tiny sizes", smoke},
    {"baseline", "what Kokkos users have today: MDRange", baseline},
    {"targets", "one sweep of each shape with a target", targets},
    {"sweeps", "many sweeps", sweeps},
    {"until", "the checks of iterate_until", until},
    {"sparstencil", "the kernels of SparStencil's table 2", sparstencil},
    {"spider", "SPIDER's shapes", spider},
    {"model", "the six cases of the performance-model paper", model},
    {"ladders", "the two ladders of hand optimization, rungs included", ladders},
    {"trend", "speed against problem size", trend},
    {"breakdown", "a box of radius 3 over problem sizes, from CUDA cores to sparse tensor cores", breakdown},
    {"catalogue", "every kernel of the catalogue", whole_catalogue},
    {"domains", "every kernel of the catalogue beside its rivals", domains},
    {"medium", "every kernel of the catalogue on grids of a few microseconds", medium_catalogue},
    {"faces", "faces of every rule beside halo ones, one sweep", faces_beside_halo},
    {"patterns", "stars and boxes without some of their terms beside whole ones", patterns},
    {"pitch", "rows that begin anywhere beside rows that begin with vectors", pitch},
    {"random", "random problems, as many as --cases says (1000), by --seed (1)", random_problems},
    {"functor", "stencils that are code, with several fields, updates in place and reductions", code_cases},
    {"short_rows", "volumes whose rows are short beside tiles", short_rows},
    {"sizes", "grids from very small to large, one sweep and many", sizes},
    {"chip", "planes and volumes that stay on the chip, with faces that are halos and on a torus", chip},
    {"small", "every kernel of the catalogue on small grids", small_catalogue},
};

}  // namespace

std::vector<std::pair<std::string, std::string>> suite_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (Entry const& e : entries) names.emplace_back(e.name, e.what);
  return names;
}

std::vector<Case> suite(std::string const& name, bool host, RandomOptions const& random) {
  if (name == "random") {
    return RandomCases(host, random.seed).take(random.cases > 0 ? random.cases : random_problems(host).size());
  }
  std::string known;
  for (Entry const& e : entries) {
    if (name == e.name) return e.cases(host);
    known += std::string(known.empty() ? "" : ", ") + e.name;
  }
  throw std::invalid_argument("no such suite: " + name + "; there are: " + known);
}

std::vector<Case> cases_of(Selection const& selection, bool host) {
  std::vector<Case> chosen;
  std::set<std::string> seen;
  std::stringstream names(selection.suites);
  for (std::string name; std::getline(names, name, ',');) {
    if (name.empty()) continue;
    for (Case const& c : suite(name, host, selection.random)) {
      if (seen.insert(c.name("")).second) chosen.push_back(c);
    }
  }
  auto const place = [&](int slice) {
    return chosen.begin() + static_cast<std::ptrdiff_t>(chosen.size()) * slice / selection.slices;
  };
  return {place(selection.slice - 1), place(selection.slice)};
}

}  // namespace perf
