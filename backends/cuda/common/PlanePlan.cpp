// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/PlanePlan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/TensorPlan.hpp"

#include <algorithm>
#include <limits>

namespace KokkosStencil {
namespace Cuda {

bool reads_anywhere(Problem const& p) {
  std::int64_t const vector = 16 / size_of(p.value_type);
  return (p.extent[0] > 1 && p.in_stride[0] % vector != 0) || (p.extent[1] > 1 && p.in_stride[1] % vector != 0);
}

std::string plane_unsupported_reason(Problem const& p, DeviceModel const& device, ValueType type) {
  if (std::string const no = Cuda::no_cuda(p, device); !no.empty()) return no;
  if (std::string const no = product_unsupported_reason(p, p.value_type == type, to_string(type)); !no.empty())
    return no;
  if (is_line(p)) return "has no kernel for lines";
  int const nz = p.upper[0] - p.lower[0] + 1;
  if (nz > 1) return "has no kernel for a reach of " + std::to_string(nz) + " planes";
  // Kernels count vectors of 16 bytes, or single elements, in 32 bits.
  std::int64_t const vector  = reads_anywhere(p) ? 1 : 16 / size_of(p.value_type);
  std::int64_t const vectors = (p.extent[0] * p.in_stride[0] + p.extent[1] * p.in_stride[1]) / vector;
  if (p.extent[2] > index_limit || p.points() / plane_columns > index_limit || vectors > 2 * index_limit)
    return "more tiles than a launch has";
  return "";
}

template <class T>
PointBox plane_args(Problem const& p, void const* in, void* out, int rows, PlaneArgs<T>& a) {
  constexpr std::int64_t element = sizeof(T), line = 128 / element;
  std::int64_t const vector = reads_anywhere(p) ? 1 : 16 / element;
  std::int64_t const phase  = phase_of(in, element);
  // The kernel may read more rows than the stencil does.
  PointBox box = interior(p);
  box.begin[1] = std::max<std::int64_t>(box.begin[1], -p.lower[1]);
  box.end[1]   = std::min<std::int64_t>(box.end[1], p.extent[1] - (p.lower[1] + rows - 1));
  // Only whole aligned vectors inside the row are read, or single elements.
  std::int64_t const first_vector = aligned_up(0, phase, vector);
  std::int64_t const last_vector  = aligned_down(p.extent[2], phase, vector) - vector;
  box.begin[2]                    = std::max(box.begin[2], first_vector - p.lower[2]);
  box.end[2]                      = std::min(box.end[2], last_vector + vector - p.upper[2]);
  if (box.empty() || last_vector < first_vector) return {p.begin, p.begin};

  a.in    = static_cast<T const*>(in);
  a.out   = static_cast<T*>(out);
  a.in_y  = p.in_stride[1];
  a.in_z  = p.in_stride[0];
  a.out_y = p.out_stride[1];
  a.out_z = p.out_stride[0];
  // As an integer, since the address may lie before the View, where C++ has no pointers.
  a.vectors =
      reinterpret_cast<T const*>(reinterpret_cast<std::uintptr_t>(in) +
                                 static_cast<std::uintptr_t>((p.lower[1] * p.in_stride[1] + first_vector) * element));
  a.first_vector        = static_cast<std::int32_t>(first_vector);
  a.last_vector         = static_cast<std::int32_t>(last_vector);
  std::int64_t const x0 = aligned_down(box.begin[2], phase, line);
  a.x0                  = static_cast<std::int32_t>(x0);
  a.x_begin             = static_cast<std::int32_t>(box.begin[2]);
  a.x_end               = static_cast<std::int32_t>(box.end[2]);
  a.y_begin             = box.begin[1];
  a.y_end               = box.end[1];
  a.z_begin             = box.begin[0];
  a.strips              = static_cast<std::uint32_t>(divide_up(box.end[2] - x0, plane_columns));
  a.planes              = static_cast<std::uint32_t>(box.end[0] - box.begin[0]);
  a.term_count          = static_cast<std::int32_t>(p.terms.size());
  return box;
}

PlaneCut cut_plane(std::int64_t rows, std::int64_t groups, std::int64_t slots, int start) {
  double best = std::numeric_limits<double>::max();
  PlaneCut cut{rows, 1};
  for (std::int64_t chunks = 1; chunks <= rows && chunks * groups < 16 * slots + groups;
       chunks += std::max<std::int64_t>(1, chunks / 16)) {
    std::int64_t const tall  = divide_up(rows, chunks);
    std::int64_t const waves = divide_up(groups * divide_up(rows, tall), slots);
    double const cost        = static_cast<double>(waves * (tall + start)) + plane_tail * static_cast<double>(tall);
    if (cost >= best) continue;
    best = cost;
    cut  = {tall, waves};
  }
  return cut;
}

template <class T>
std::int64_t plane_tiles(PlaneArgs<T>& a, std::int64_t groups, std::int64_t slots, int start) {
  std::int64_t const rows = a.y_end - a.y_begin;
  a.height                = static_cast<std::uint32_t>(cut_plane(rows, groups, slots, start).height);
  return divide_up(rows, a.height);
}

template <class T>
std::vector<PlaneTerm<T>> plane_terms(Problem const& p) {
  std::vector<PlaneTerm<T>> terms;
  for (Term const& t : p.terms) {
    terms.push_back(
        {t.offset[0] * p.in_stride[0] + t.offset[1] * p.in_stride[1] + t.offset[2], static_cast<T>(t.coefficient)});
  }
  return terms;
}

template PointBox plane_args(Problem const&, void const*, void*, int, PlaneArgs<float>&);
template PointBox plane_args(Problem const&, void const*, void*, int, PlaneArgs<double>&);
template std::int64_t plane_tiles(PlaneArgs<float>&, std::int64_t, std::int64_t, int);
template std::int64_t plane_tiles(PlaneArgs<double>&, std::int64_t, std::int64_t, int);
template std::vector<PlaneTerm<float>> plane_terms(Problem const&);
template std::vector<PlaneTerm<double>> plane_terms(Problem const&);

}  // namespace Cuda
}  // namespace KokkosStencil
