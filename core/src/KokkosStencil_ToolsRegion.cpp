// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>

namespace KokkosStencil {

ToolsRegion::ToolsRegion(Launch const& launch, bool report)
    : m_report(report && Kokkos::Tools::profileLibraryLoaded()) {
  if (!m_report) return;
  std::uint32_t device = 0;
#ifdef KOKKOS_ENABLE_CUDA
  if (launch.instance != nullptr) {
    device = Kokkos::Tools::Experimental::device_id(*static_cast<Kokkos::Cuda const*>(launch.instance));
  }
#endif
  Kokkos::Tools::beginParallelFor(launch.label, device, &m_kernel);
}

ToolsRegion::~ToolsRegion() {
  if (m_report) Kokkos::Tools::endParallelFor(m_kernel);
}

}  // namespace KokkosStencil
