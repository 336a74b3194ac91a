// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.hpp"

#include <KokkosStencil.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <typeindex>

namespace KS = KokkosStencil;

//! [backend]
// A backend of an application: 3-point stencils in double on the default host space.
using Host = Kokkos::DefaultHostExecutionSpace;

class ThreePoint : public KS::Backend {
 public:
  std::string name() const override { return "three_point"; }

  KS::Status can_run(KS::Problem const& p, KS::SpaceInfo const& space) const override {
    if (space.type != std::type_index(typeid(Host))) return KS::Status::cannot("only the default host space");
    if (p.rank != 1 || p.value_type != KS::ValueType::float64) return KS::Status::cannot("only 1-D, double");
    if (p.terms.size() != 3 || p.lower[2] != -1 || p.upper[2] != 1) return KS::Status::cannot("only 3-point stencils");
    if (p.accuracy == KS::Accuracy::reproducible) return KS::Status::cannot("keeps no canonical order");
    if (KS::interior(p).size() != p.points()) return KS::Status::cannot("only halo boundaries");
    return KS::Status::can();
  }

  double predict(KS::Problem const& p, KS::SpaceInfo const&) const override {
    double const bytes = 2.0 * double(p.points()) * KS::size_of(p.value_type);
    return double(p.steps) * (1e-6 + bytes / 10e9);  // seconds
  }

  std::unique_ptr<KS::Executable> prepare(KS::Problem const& p, KS::SpaceInfo const&,
                                          KS::Launch const&) const override {
    return std::make_unique<Ready>(p);
  }

 private:
  // Everything slow happens here; sweep() only launches.
  class Ready : public KS::Executable {
   public:
    explicit Ready(KS::Problem const& p)
        : m_begin(p.begin[2]),
          m_end(p.end[2]),
          m_in_stride(p.in_stride[2]),
          m_out_stride(p.out_stride[2]),
          m_left(p.terms[0].coefficient),
          m_centre(p.terms[1].coefficient),
          m_right(p.terms[2].coefficient) {}

    void sweep(KS::Launch const& launch, void const* in, void* out) const override {
      auto const* const x  = static_cast<double const*>(in);
      auto* const y        = static_cast<double*>(out);
      std::int64_t const s = m_in_stride, t = m_out_stride;
      double const left = m_left, centre = m_centre, right = m_right;
      Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>> const range(*static_cast<Host const*>(launch.instance),
                                                                             m_begin, m_end);
      Kokkos::parallel_for(launch.label, range, [=](std::int64_t i) {
        y[i * t] = left * x[(i - 1) * s] + centre * x[i * s] + right * x[(i + 1) * s];
      });
    }

   private:
    std::int64_t m_begin, m_end, m_in_stride, m_out_stride;
    double m_left, m_centre, m_right;
  };
};
//! [backend]

void registration() {
  //! [register]
  KS::register_backend(std::make_unique<ThreePoint>());  // once, before the first use
  for (auto const& name : KS::backend_names()) std::printf("%s\n", name.c_str());
  //! [register]

  Kokkos::View<double*, Host> u("u", 100), v("v", 100), w("w", 100);
  for (int i = 0; i < 100; ++i) u(i) = i * i;
  auto const curvature = KS::star<1>(1, {-2.0, 1.0});
  //! [force]
  auto const policy = KS::StencilPolicy<Host, 1>();
  KS::parallel_for("curvature", policy.backend("three_point"), curvature, u, v);
  CHECK(KS::last_backend() == "three_point");
  //! [force]
  KS::parallel_for("curvature", policy.backend("generic"), curvature, u, w);
  CHECK(KS::last_backend() == "generic");
  for (int i = 1; i < 99; ++i) CHECK(v(i) == 2.0 && w(i) == 2.0);

  // Forcing a backend that cannot run the problem is an error, never a silent change of mind.
  bool refused = false;
  try {
    KS::parallel_for("curvature", policy.backend("three_point").accuracy(KS::Accuracy::reproducible), curvature, u, v);
  } catch (KS::Error const& error) {
    refused = std::string(error.what()).find("keeps no canonical order") != std::string::npos;
  }
  CHECK(refused);

  // Nor can a second backend take a name that is in use.
  bool twice = false;
  try {
    KS::register_backend(std::make_unique<ThreePoint>());
  } catch (KS::Error const&) {
    twice = true;
  }
  CHECK(twice);
}

void choice() {
  Kokkos::View<double**, Host> u("u", 60, 70), v("v", 60, 70);
  auto const laplace = KS::star<2>(1, {-4.0, 1.0});
  KS::StencilPolicy<Host, 2> const policy;
  char const* const scratch = std::getenv("TMPDIR");
  std::string const winners = std::string(scratch ? scratch : "/tmp") + "/kokkosstencil-snippet-winners";
  //! [tuning]
  // Times the candidates once; later runs of the program read the winner from the file.
  KS::Plan const plan("laplace", policy.tuning(KS::Tuning::measure, winners), laplace, u, v);
  //! [tuning]
  CHECK(!plan.backend().empty());
  std::remove(winners.c_str());

  //! [device]
  // The H200 of this machine runs with a lower power limit.
  KS::DeviceModel gpu = *KS::find_device(KS::known_devices(), "H200");
  gpu                 = KS::read_device("half_sparse 700e12\nbandwidth 4.0e12", gpu);
  KS::set_device_model(gpu);
  //! [device]
  CHECK(gpu.bandwidth == 4.0e12);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  registration();
  choice();
}
