// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How well many sweeps run over several processes, each beside the others on its own field in the same run:
//
//   mpirun -n 2 KokkosStencil_scaling --json scaling.json
//
// <case>/<type>/<who>/<extents of all>/steps:<n>/ranks:<n>[/cut:<n>x<n>]/<weak or strong>, where who is
//   alone     every process sweeps a field of its own, all at the same time (weak), or one sweeps the whole (strong)
//   block     every process sweeps its part of the field alone, without exchanges: what no strong scaling can be below
//   peer, mpi the processes share the field, by the component Distributed with that engine
//   by_hand   the same with an exchange before every sweep, without overlap, as applications write it

#include <Commit.hpp>
#include <KokkosStencil_Distributed.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;

namespace {

struct Options {
  std::int64_t plane = 4096, volume = 256;  ///< points along each axis, of each process (weak) or of all (strong)
  std::int64_t steps       = 100;
  int rounds               = 5;
  std::vector<int> depths  = {0};  ///< 0: HaloDepth::automatic()
  int overlap              = -1;   ///< the library's choice
  std::int64_t check_every = 0;    ///< with iterate_until; 0: a given number of sweeps
  bool strong = false, device_pointers = false, parts = false, by_hand = true;
  std::string filter, json;
  std::vector<std::string> engines;
  std::vector<std::vector<int>> cuts;  ///< ranks along each axis; slabs across the first where there is none
};

struct Result {
  std::string name;
  double seconds;
  double points;
  std::string more;  ///< members of the JSON object
};

/// One of the ways that take turns.
struct Way {
  std::string who;
  std::function<void()> run;
  std::vector<double> seconds = {}, gain = {};  ///< against the first way
  int sweeps          = 0;                      ///< that an exchange feeds; 0: nothing is exchanged
  std::string backend = {};
};

/// Runs f on every process at once, or on the first alone; seconds until the last is ready.
template <class F>
double time_of(F const& f) {
  Exec().fence();
  MPI_Barrier(MPI_COMM_WORLD);
  double const start = MPI_Wtime();
  f();
  Exec().fence();
  double const mine = MPI_Wtime() - start;
  double all        = 0.0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t const half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// One exchange of single layers between slabs along the first axis, then one sweep, again and again.
template <int Rank, class View, class Stencil>
class ByHand {
 public:
  ByHand(KS::StencilPolicy<Exec, Rank> const& policy, Stencil const& stencil, View const& u, View const& v)
      : m_plan("by hand", policy, stencil, u, v),
        m_sent("layer sent", u.stride(0)),
        m_received("layer received", u.stride(0)),
        m_rows(static_cast<std::int64_t>(u.extent(0))) {
    MPI_Comm_rank(MPI_COMM_WORLD, &m_me);
    MPI_Comm_size(MPI_COMM_WORLD, &m_all);
  }

  void run(View& u, View& v, std::int64_t steps) {
    for (std::int64_t step = 0; step < steps; ++step) {
      exchange(u, m_me > 0 ? m_me - 1 : MPI_PROC_NULL, 1, 0);
      exchange(u, m_me + 1 < m_all ? m_me + 1 : MPI_PROC_NULL, m_rows - 2, m_rows - 1);
      m_plan.run(u, v);
      std::swap(u, v);
    }
  }

 private:
  using T    = typename View::value_type;
  using Host = Kokkos::View<T*, Kokkos::HostSpace>;

  static auto slab(View const& u, std::int64_t row) {
    using Layer = Kokkos::View<T*, typename View::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    return Layer(u.data() + row * static_cast<std::int64_t>(u.stride(0)), u.stride(0));
  }

  void exchange(View const& u, int peer, std::int64_t from, std::int64_t to) {
    if (peer == MPI_PROC_NULL) return;
    Kokkos::deep_copy(m_sent, slab(u, from));
    auto const bytes = static_cast<int>(m_sent.size() * sizeof(T));
    MPI_Sendrecv(m_sent.data(), bytes, MPI_BYTE, peer, 1, m_received.data(), bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    Kokkos::deep_copy(slab(u, to), m_received);
  }

  KS::Plan<Exec, Rank, View, View> m_plan;
  Host m_sent, m_received;
  std::int64_t m_rows;
  int m_me = 0, m_all = 1;
};

/// A field that goes on changing.
template <class View>
void fill_unevenly(View const& view) {
  Kokkos::View<typename View::value_type*, typename View::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const
      line(view.data(), view.span());
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(view.span())),
      KOKKOS_LAMBDA(std::int64_t i) {
        line(i) = static_cast<typename View::value_type>(static_cast<float>(i * 7919 % 1009) * 1e-3f);
      });
}

/// What an exchange costs by itself, and the sweeps that it feeds.
template <int Rank, class View, class Stencil>
void print_parts(KS::Decomposition<Rank> const& dec, KS::StencilPolicy<Exec, Rank> const& policy,
                 Stencil const& stencil, KS::LocalBlock<Rank> const& block, View& u, View& v) {
  constexpr int count = 20;
  KS::Boundary<Rank> rules;
  for (int a = 0; a < Rank; ++a) {
    std::size_t const k    = std::size_t(a);
    std::int64_t const own = block.end[k] - block.begin[k], below = block.first[k],
                       above = block.extents[k] - own - below;
    if (below > 0) rules = rules.lower(a, KS::Face::shared(int(below)));
    if (above > 0) rules = rules.upper(a, KS::Face::shared(int(above)));
  }
  auto range_policy = policy.boundary(rules);
  KS::Plan<Exec, Rank, View, View> const inside("inside", range_policy, stencil, u, v);
  double best[2] = {1e9, 1e9};
  for (int round = 0; round < 4; ++round) {
    double const t[2] = {time_of([&] {
                           for (int k = 0; k < count; ++k) KS::exchange("parts", dec, KS::fields(u));
                         }),
                         time_of([&] {
                           for (int k = 0; k < count; ++k) inside.run(u, v, block.sweeps);
                         })};
    for (int k = 0; k < 2; ++k) best[k] = std::min(best[k], t[k] / count);
  }
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) {
    std::printf("  an exchange %.1f us, the %d sweeps it feeds %.1f us\n", best[0] * 1e6, block.sweeps, best[1] * 1e6);
  }
}

template <int Rank, class T, class C>
void measure_depth(std::string const& name, char const* type, KS::Stencil<C, Rank> const& stencil, std::int64_t n,
                   std::array<int, std::size_t(Rank)> const& cut, int depth, Options const& o,
                   std::vector<Result>& results) {
  using View = Kokkos::View<KS::Impl::DataOf<T, Rank>, Kokkos::LayoutRight, Exec::memory_space>;
  int me = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::array<KS::Index, std::size_t(Rank)> all;
  std::ostringstream extents, cut_text;
  for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
    all[a] = o.strong ? n : n * cut[a];
    extents << (a ? "x" : "") << all[a].value;
    cut_text << (a ? "x" : "/cut:") << cut[a];
  }
  auto const policy = KS::StencilPolicy<Exec, Rank>();
  auto dec          = KS::Decomposition<Rank>(MPI_COMM_WORLD, all).ranks(cut).device_pointers(o.device_pointers);
  if (o.overlap >= 0) dec = dec.overlap(o.overlap == 1);
  auto const block =
      dec.template local<T>(stencil, depth > 0 ? KS::HaloDepth::sweeps(depth) : KS::HaloDepth::automatic());
  auto const thin = dec.template local<T>(stencil, KS::HaloDepth::sweeps(1));
  auto make       = [&](std::array<std::int64_t, std::size_t(Rank)> const& e) {
    KS::LocalBlock<Rank> whole = block;
    whole.extents              = e;
    View const view            = whole.template make<View>("field");
    Kokkos::deep_copy(view, T(1));
    if (o.check_every > 0) fill_unevenly(view);
    return view;
  };
  std::array<std::int64_t, std::size_t(Rank)> own{}, share{};
  for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
    own[a]   = n;
    share[a] = block.end[a] - block.begin[a];
  }
  using Together = KS::DistributedPlan<Exec, Rank, View, View>;
  View u0 = make(own), v0 = make(own);
  KS::Plan<Exec, Rank, View, View> const alone("alone", policy, stencil, u0, v0);
  KS::StoppingCriterion const until{0.0, o.steps, o.check_every, KS::Norm::max};
  std::vector<Way> ways;
  auto const one = [=, &alone]() mutable {
    if (!o.strong || me == 0) alone.run(u0, v0, o.steps);
  };
  if (o.check_every > 0) {
    ways.push_back({"alone", [=]() mutable {
                      if (!o.strong || me == 0) KS::iterate_until("alone", policy, stencil, until, u0, v0);
                    }});
    ways.push_back({"alone_unchecked", one});
  } else {
    ways.push_back({"alone", one});
  }
  auto const share_by = [&](KS::Decomposition<Rank> const& by) {
    auto const its =
        by.template local<T>(stencil, depth > 0 ? KS::HaloDepth::sweeps(depth) : KS::HaloDepth::automatic());
    View u = make(its.extents), v = make(its.extents);
    auto const plan = std::make_shared<Together>("together", policy.on(by), stencil, u, v);
    auto const run  = [=]() mutable { plan->run(u, v, o.steps); };
    if (o.check_every > 0) {
      ways.push_back(
          {plan->engine(), [=]() mutable { KS::iterate_until("together", policy.on(by), stencil, until, u, v); }});
    } else {
      ways.push_back({plan->engine(), run});
    }
    ways.back().sweeps  = its.sweeps;
    ways.back().backend = plan->backend(o.steps);
    if (o.check_every > 0) ways.push_back({plan->engine() + "_unchecked", run});
  };
  if (o.engines.empty()) share_by(dec);
  for (std::string const& engine : o.engines) share_by(dec.engine(engine));
  bool const slabs = cut[0] == ranks;
  if (o.by_hand && o.check_every == 0 && slabs) {
    View u2 = make(thin.extents), v2 = make(thin.extents);
    auto const by_hand = std::make_shared<ByHand<Rank, View, KS::Stencil<C, Rank>>>(policy, stencil, u2, v2);
    ways.push_back({"by_hand", [=]() mutable { by_hand->run(u2, v2, o.steps); }});
  }
  if (o.strong && o.check_every == 0) {
    View u3 = make(share), v3 = make(share);
    auto const part = std::make_shared<KS::Plan<Exec, Rank, View, View>>("block", policy, stencil, u3, v3);
    ways.push_back({"block", [=]() mutable { part->run(u3, v3, o.steps); }});
  }
  for (int round = -1; round < o.rounds; ++round) {
    for (Way& way : ways) {
      double const seconds = time_of(way.run);
      if (round < 0) continue;  // loads kernels and pages
      way.seconds.push_back(seconds);
      way.gain.push_back(ways[0].seconds.back() / seconds);
    }
  }
  double points = 1.0;
  for (auto const& e : all) points *= static_cast<double>(e.value);
  std::string const tail = "/" + extents.str() + "/steps:" + std::to_string(o.steps) +
                           "/ranks:" + std::to_string(ranks) + (slabs ? std::string() : cut_text.str()) +
                           (o.strong ? "/strong" : "/weak") +
                           (o.check_every > 0 ? "/check_every:" + std::to_string(o.check_every) : std::string()) +
                           (o.depths.size() > 1 ? "/depth:" + std::to_string(block.sweeps) : std::string());
  for (Way const& way : ways) {
    double const seconds     = median(way.seconds) / static_cast<double>(o.steps);
    auto const [least, most] = std::minmax_element(way.gain.begin(), way.gain.end());
    std::ostringstream more;
    if (way.sweeps > 0) {
      more << ", \"of_alone\": " << median(way.gain) << ", \"least\": " << *least << ", \"most\": " << *most
           << ", \"sweeps_an_exchange\": " << way.sweeps << ", \"backend\": \"" << way.backend << "\"";
    }
    results.push_back({name + "/" + type + "/" + way.who + tail, seconds, points, more.str()});
    if (me != 0) continue;
    std::printf("%s/%s/%s%s: %.2f us a sweep", name.c_str(), type, way.who.c_str(), tail.c_str(), seconds * 1e6);
    if (&way != &ways[0]) {
      std::printf(", %.3f of %s (%.3f to %.3f)", median(way.gain), o.strong ? "the time of one" : "as many alone",
                  *least, *most);
    }
    if (way.sweeps > 0) std::printf("; %s, %d sweeps an exchange", way.backend.c_str(), way.sweeps);
    std::printf("\n");
    std::fflush(stdout);
  }
  if (!o.parts) return;
  View u1 = make(block.extents), v1 = make(block.extents);
  print_parts(dec, policy, stencil, block, u1, v1);
}

template <int Rank, class T, class C>
void measure(std::string const& name, char const* type, KS::Stencil<C, Rank> const& stencil, std::int64_t n,
             Options const& o, std::vector<Result>& results) {
  if ((name + "/" + type).find(o.filter) == std::string::npos) return;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::array<int, std::size_t(Rank)>> cuts;
  for (auto const& given : o.cuts) {
    if (given.size() != std::size_t(Rank)) continue;
    std::copy(given.begin(), given.end(), cuts.emplace_back().begin());
  }
  if (cuts.empty()) {
    cuts.emplace_back().fill(1);
    cuts.back()[0] = ranks;
  }
  for (auto const& cut : cuts) {
    for (int const depth : o.depths) measure_depth<Rank, T>(name, type, stencil, n, cut, depth, o, results);
  }
}

void write(Options const& o, std::vector<Result> const& results) {
  std::ofstream out(o.json);
  char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length                               = 0;
  MPI_Get_library_version(mpi, &length);
  std::string const version(mpi, std::string(mpi).find_first_of(",\n"));
  char date[32]          = {};
  std::time_t const time = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  out << "{\n  \"context\": {\n    \"date\": \"" << date
      << "\",\n    \"licence\": \"SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\""
      << ",\n    \"executable\": \"KokkosStencil_scaling\",\n    \"project\": \"KokkosStencil "
      << KOKKOSSTENCIL_VERSION_STRING << "\",\n    \"commit\": \"" << PERF_GIT_COMMIT << "\",\n    \"kokkos\": \""
      << KOKKOS_VERSION / 10000 << "." << KOKKOS_VERSION / 100 % 100 << "." << KOKKOS_VERSION % 100
      << "\",\n    \"space\": \"" << Exec::name() << "\",\n    \"mpi\": \"" << version << "\"";
#ifdef KOKKOS_ENABLE_CUDA
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, Kokkos::Cuda().cuda_device()) == cudaSuccess) {
    out << ",\n    \"gpu\": \"" << properties.name << "\"";
  }
#endif
  out << "\n  },\n  \"benchmarks\": [";
  for (std::size_t k = 0; k < results.size(); ++k) {
    Result const& r = results[k];
    out << (k ? "," : "") << "\n    {\"name\": \"" << r.name << "\", \"real_time\": " << r.seconds * 1e6
        << ", \"time_unit\": \"us\", \"GStencil/s\": " << r.points / r.seconds * 1e-9 << r.more << "}";
  }
  out << "\n  ]\n}\n";
  if (!out.flush()) {
    std::cerr << "KokkosStencil_scaling: " << o.json << " cannot be written\n";
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

constexpr char const* usage =
    "Usage: mpirun -n RANKS KokkosStencil_scaling [OPTIONS]\n\n"
    "  --plane N, --volume N  points along each axis, a process (default: 4096, 256)\n"
    "  --strong               these points are those of all processes\n"
    "  --steps N              sweeps of a run (default: 100)\n"
    "  --rounds N             runs of each kind, in turn (default: 5)\n"
    "  --depth N[,N...]       sweeps that an exchange feeds, one after the other (default: chosen)\n"
    "  --cut NxN[,NxNxN...]   ranks along each axis, one after the other (default: slabs across the first)\n"
    "  --overlap 0|1          cut faces first (default: chosen)\n"
    "  --engine NAME[,NAME...]  mpi, nccl, peer (default: what is there)\n"
    "  --device-pointers      MPI takes pointers to device memory\n"
    "  --check-every N        iterate_until with a check after every so many sweeps, beside the same without checks\n"
    "  --no-by-hand           leave out what takes longest\n"
    "  --parts                also the time of an exchange and of the sweeps that it feeds\n"
    "  --filter TEXT          only cases whose name, as star-2d1r/float, has this in it\n"
    "  --json FILE            results, as Google Benchmark writes them\n";

Options read(int argc, char** argv) {
  Options o;
  auto const wrong = [](std::string const& what) {
    std::cerr << "KokkosStencil_scaling: " << what << "\n" << usage;
    std::exit(2);
  };
  for (int k = 1; k < argc; ++k) {
    std::string const option = argv[k];
    auto const text          = [&] {
      if (k + 1 == argc) wrong(option + " needs a value");
      return std::string(argv[++k]);
    };
    auto const number_of = [&](std::string const& value, long least) {
      char* end    = nullptr;
      long const n = std::strtol(value.c_str(), &end, 10);
      if (end == value.c_str() || *end != '\0' || n < least) wrong(option + " " + value + " is not a number it takes");
      return n;
    };
    auto const number = [&](long least) { return number_of(text(), least); };
    if (option == "--plane") {
      o.plane = number(8);
    } else if (option == "--volume") {
      o.volume = number(8);
    } else if (option == "--steps") {
      o.steps = number(1);
    } else if (option == "--rounds") {
      o.rounds = static_cast<int>(number(1));
    } else if (option == "--depth") {
      o.depths.clear();
      std::istringstream list(text());
      for (std::string one; std::getline(list, one, ',');) o.depths.push_back(static_cast<int>(number_of(one, 1)));
      if (o.depths.empty()) wrong("--depth needs a number");
    } else if (option == "--cut") {
      std::istringstream list(text());
      for (std::string one; std::getline(list, one, ',');) {
        std::istringstream cut(one);
        o.cuts.emplace_back();
        for (std::string n; std::getline(cut, n, 'x');) o.cuts.back().push_back(static_cast<int>(number_of(n, 1)));
        int ranks = 1, product = 1;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        for (int const n : o.cuts.back()) product *= n;
        if (o.cuts.back().size() < 2 || o.cuts.back().size() > 3 || product != ranks) {
          wrong("--cut " + one + ": 2 numbers for planes, 3 for volumes, their product " + std::to_string(ranks));
        }
      }
    } else if (option == "--overlap") {
      o.overlap = static_cast<int>(number(0));
    } else if (option == "--strong") {
      o.strong = true;
    } else if (option == "--check-every") {
      o.check_every = number(1);
    } else if (option == "--no-by-hand") {
      o.by_hand = false;
    } else if (option == "--parts") {
      o.parts = true;
    } else if (option == "--device-pointers") {
      o.device_pointers = true;
    } else if (option == "--engine") {
      std::istringstream list(text());
      for (std::string one; std::getline(list, one, ',');) o.engines.push_back(one);
    } else if (option == "--filter") {
      o.filter = text();
    } else if (option == "--json") {
      o.json = text();
    } else if (option == "--help" || option == "-h") {
      std::cout << usage;
      std::exit(0);
    } else {
      wrong("unknown option " + option);
    }
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard const scope(argc, argv);
    Options const o = read(argc, argv);
    std::vector<Result> results;
    std::vector<float> const ninth(9, 1.0f / 9.0f);
    measure<2, float>("star-2d1r", "float", KS::star<2>(1, {0.5f, 0.125f}), o.plane, o, results);
    measure<2, double>("star-2d1r", "double", KS::star<2>(1, {0.5, 0.125}), o.plane, o, results);
    measure<2, double>("box-2d1r", "double", KS::box<2>(1, std::vector<double>(ninth.begin(), ninth.end())), o.plane, o,
                       results);
#ifdef KOKKOSSTENCIL_IMPL_HAS_HALF
    using Half = Kokkos::Experimental::half_t;
    measure<2, Half>("box-2d1r", "half", KS::box<2>(1, ninth), o.plane, o, results);
#endif
    measure<3, float>("star-3d1r", "float", KS::star<3>(1, {0.4f, 0.1f}), o.volume, o, results);
    measure<3, double>("star-3d1r", "double", KS::star<3>(1, {0.4, 0.1}), o.volume, o, results);
    int me = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0 && !o.json.empty()) write(o, results);
  }
  MPI_Finalize();
  return 0;
}
