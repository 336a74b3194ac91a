// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Device.hpp>

#include <map>
#include <string>

// Numbers of a Tuning.hpp that a device may bring of its own, because it was calibrated (scripts/calibrate.py).

namespace KokkosStencil {
namespace Model {

/// Notes which of them predictions of this thread read while it lives. One at a time.
class EfficiencyTrace {
 public:
  EfficiencyTrace();
  ~EfficiencyTrace();
  EfficiencyTrace(EfficiencyTrace const&)            = delete;
  EfficiencyTrace& operator=(EfficiencyTrace const&) = delete;

  /// Those read so far, by name.
  std::map<std::string, double> const& read() const { return m_read; }

 private:
  friend double named_efficiency(DeviceModel const& device, double value, std::string const& name);

  std::map<std::string, double> m_read;
};

/// Whether a trace lives on this thread.
bool efficiencies_traced();

/// The device's value of that name, else `value`.
double named_efficiency(DeviceModel const& device, double value, std::string const& name);

/// The same; `name` is a function that makes the name, which is rarely asked for. What is 0 is not there and stays so.
template <class Name>
double tuned(DeviceModel const& device, double value, Name const& name) {
  if (value == 0.0 || (device.efficiencies.empty() && !efficiencies_traced())) return value;
  return named_efficiency(device, value, name());
}

inline double tuned(DeviceModel const& device, double value, char const* name) {
  return tuned(device, value, [name] { return std::string(name); });
}

}  // namespace Model
}  // namespace KokkosStencil
