// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Rows that begin anywhere: a plan may copy the input to rows that begin at lines of memory, run all its sweeps there,
// and copy the result back. This works for every family, so the plans of the families know nothing of it.

namespace KokkosStencil {
namespace Cuda {

/// Whether all rows of both Views begin at 16 bytes if the Views do.
bool aligned_pitch(Problem const& problem);

/// Whether all rows of both Views begin at 16 bytes, as far as a plan knows where the Views begin.
bool aligned_rows(Problem const& problem);

/// Whether padded copies may help: the values of a row are adjacent, and rows are not aligned.
bool may_pad(Problem const& problem);

/// The same problem on padded rows.
Problem padded(Problem const& problem);

/// Bytes of the two copies with padded rows.
std::int64_t padding_bytes(Problem const& problem);

/// The problem from a View to a padded copy, and from a copy to a View.
Problem from_view(Problem const& problem);
Problem to_view(Problem const& problem);

/// Seconds of copying the input, of points outside the range, and of copying the result.
double padding_seconds(Problem const& problem, DeviceModel const& device);

/// Between Views and padded copies: the first sweeps read the input where it is and write a copy, the last ones read a
/// copy and write the output.
struct EndPasses {
  int depth      = 0;    ///< sweeps of each of the two; 0: there are none
  double seconds = 0.0;  ///< of all sweeps of the problem
};

/// Seconds of copying what no sweep writes to one padded copy.
double ghost_seconds(Problem const& problem, DeviceModel const& device);

/// What a family answers for problems as they are.
struct Answers {
  std::string (*unsupported_reason)(Problem const&, DeviceModel const&);
  std::vector<Estimate> (*cost)(Problem const&, DeviceModel const&);
  EndPasses (*ends)(Problem const&, DeviceModel const&) = nullptr;
};

/// How a family runs a problem best: as it is, or on padded copies.
struct PaddingChoice {
  std::string reason;               ///< why it cannot
  std::vector<Estimate> estimates;  ///< if it can
  bool pads = false;
  int ends =
      0;  ///< sweeps of the first pass and of the last one, if these read and write the Views; 0: rows are copied
};
/// Compares the two. `room`: whether there is memory for copies.
PaddingChoice choose_padding(Answers const& family, Problem const& problem, DeviceModel const& device, bool room);

/// The two answers of a family that may pad.
template <auto Reason, auto Cost, auto Ends = nullptr>
struct WithPadding {
  static std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
    std::string reason = Reason(p, device);
    if (reason.empty() || !may_pad(p)) return reason;
    return Reason(padded(p), device).empty() ? std::string() : reason;
  }
  static std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
    if (!may_pad(p)) return Cost(p, device);
    return choose_padding({Reason, Cost, Ends}, p, device, true).estimates;
  }
};

}  // namespace Cuda
}  // namespace KokkosStencil
