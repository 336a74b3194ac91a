// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Random.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Fuzz {

/// Random calls with functors of a family, whose coefficients are known at run time only, for one execution space,
/// value type and rank: several fields, outputs by reference, updates in place, reductions, many sweeps, levels in
/// time. Against plain loops on the host, bit for bit: values are small integers.
class Family {
 public:
  virtual ~Family() = default;

  virtual std::string name() const = 0;

  /// Takes a case from the numbers, tells what it is, and runs it. `ran` gets what ran. Returns what is wrong.
  virtual std::string run(Random& random, std::function<void(std::string const&)> const& tell,
                          std::vector<std::string>& ran) const = 0;
};

using Families = std::vector<std::unique_ptr<Family const>>;

/// Of all execution spaces of this build. Kokkos must be initialized.
void add_double_families(Families& all);
void add_float_families(Families& all);

}  // namespace Fuzz
}  // namespace KokkosStencil
