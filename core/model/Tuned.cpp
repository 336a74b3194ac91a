// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tuned.hpp"

#include <KokkosStencil_Error.hpp>

namespace KokkosStencil {
namespace Model {

namespace {
thread_local EfficiencyTrace* t_trace = nullptr;
}

EfficiencyTrace::EfficiencyTrace() {
  if (t_trace != nullptr) throw Error("KokkosStencil: one trace of efficiencies at a time.");
  t_trace = this;
}

EfficiencyTrace::~EfficiencyTrace() { t_trace = nullptr; }

bool efficiencies_traced() { return t_trace != nullptr; }

double named_efficiency(DeviceModel const& device, double value, std::string const& name) {
  auto const own     = device.efficiencies.find(name);
  double const found = own == device.efficiencies.end() ? value : own->second;
  if (t_trace != nullptr) t_trace->m_read[name] = found;
  return found;
}

}  // namespace Model
}  // namespace KokkosStencil
