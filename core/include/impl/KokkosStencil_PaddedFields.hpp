// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Finalize.hpp>
#include <impl/KokkosStencil_RowCopy.hpp>
#include <impl/KokkosStencil_TileTasks.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

// Copies of fields with padded rows, for passes of several sweeps over Views whose rows begin anywhere.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// A pool of memory for copies, one for each device, until Kokkos is finalized. Taking memory from the driver takes 1.8
/// ms a gigabyte (H200), so that a little of it is kept (`kept_copies`); the rest goes back when a stream is waited
/// for.
class CopiesPool {
 public:
  /// Null if the device has no pools.
  static cudaMemPool_t of(int device) {
    struct All {
      std::mutex mutex;
      std::map<int, std::unique_ptr<CopiesPool>> known;
    };
    // Kokkos may be finalized when static objects are gone.
    static All& all = *new All;
    std::lock_guard<std::mutex> const lock(all.mutex);
    auto& pool = all.known[device];
    if (pool == nullptr) {
      pool.reset(new CopiesPool(device));
      if (all.known.size() == 1) {
        at_finalize([] {
          std::lock_guard<std::mutex> const guard(all.mutex);
          all.known.clear();
        });
      }
    }
    return pool->m_pool;
  }
  ~CopiesPool() {
    if (m_pool != nullptr) cudaMemPoolDestroy(m_pool);
  }
  CopiesPool(CopiesPool const&)            = delete;
  CopiesPool& operator=(CopiesPool const&) = delete;

 private:
  explicit CopiesPool(int device) {
    cudaMemPoolProps properties{};
    properties.allocType     = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id   = device;
    std::uint64_t kept       = kept_copies;
    RelaxedCapture const relaxed;
    if (cudaMemPoolCreate(&m_pool, &properties) != cudaSuccess ||
        cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &kept) != cudaSuccess) {
      cudaGetLastError();
      if (m_pool != nullptr) cudaMemPoolDestroy(m_pool);
      m_pool = nullptr;
    }
  }

  cudaMemPool_t m_pool = nullptr;
};

/// Copies of volumes, all of one shape. Their memory comes from a pool, in the order of a stream, and goes back when
/// this ends: nothing waits.
class PaddedFields {
 public:
  /// `axis`: of columns, rows and planes. `shape`: of any of the Views.
  PaddedFields(Kokkos::Cuda const& space, PaddedRows const& rows, std::int64_t shift, int const (&axis)[3],
               ViewInfo const& shape)
      : m_space(space), m_rows(rows), m_shift(shift), m_shape(shape) {
    for (int k = 0; k < 3; ++k) m_axis[k] = static_cast<std::size_t>(axis[k]);
    m_plane = rows.pitch * shape.extent[m_axis[1]];
  }
  ~PaddedFields() {
    if (m_memory == nullptr) return;
    CurrentDevice const current(m_space.cuda_device());
    cudaFreeAsync(m_memory, m_space.cuda_stream());
  }
  PaddedFields(PaddedFields const&)            = delete;
  PaddedFields& operator=(PaddedFields const&) = delete;

  bool allocated() const { return m_memory != nullptr; }
  /// False if there is no memory.
  bool allocate() {
    CurrentDevice const current(m_space.cuda_device());
    auto const bytes         = static_cast<std::size_t>(m_rows.bytes);
    cudaMemPool_t const pool = CopiesPool::of(m_space.cuda_device());
    if (pool == nullptr) return false;
    if (cudaMallocFromPoolAsync(&m_memory, bytes, pool, m_space.cuda_stream()) == cudaSuccess) return true;
    cudaGetLastError();
    m_memory = nullptr;
    return false;
  }

  /// The copy of this number.
  template <class T>
  FieldRef<T, 3> field(int number) const {
    FieldRef<T, 3> r{reinterpret_cast<T*>(data(number)), {}};
    for (std::size_t a = 0; a < 3; ++a) r.stride[a] = stride(a);
    return r;
  }

  /// Copies a View to a copy. `second`: another one, which gets what lies outside the range, too; -1: none.
  void copy_in(std::string const& label, ViewInfo const& view, int number, int second, PointBox const& range) const {
    RowCopy copy     = all_of(view);
    copy.from        = at_column(view, -m_shift);
    copy.from_stride = in_order(view.stride);
    copy.to          = data(number);
    copy.to_stride   = strides();
    copy.box.end[2]  = m_rows.columns;
    copy.least       = m_shift;
    copy.most        = m_shift + view.extent[m_axis[0]];
    if (second >= 0) {
      copy.second = (second - number) * field_values();
      copy.keep   = {in_order(range.begin), in_order(range.end)};
      copy.keep.begin[2] += m_shift;
      copy.keep.end[2] += m_shift;
    }
    run(label, copy);
  }
  /// Copies the range of a copy to a View.
  void copy_out(std::string const& label, int number, ViewInfo const& view, PointBox const& range) const {
    RowCopy copy     = all_of(view);
    copy.from        = data(number) + m_shift * view.value_size;
    copy.from_stride = strides();
    copy.to          = view.data;
    copy.to_stride   = in_order(view.stride);
    copy.box         = {in_order(range.begin), in_order(range.end)};
    copy.least       = copy.box.begin[2];
    copy.most        = copy.box.end[2];
    run(label, copy);
  }

 private:
  std::int64_t field_values() const { return m_plane * m_shape.extent[m_axis[2]]; }
  unsigned char* data(int number) const {
    return static_cast<unsigned char*>(m_memory) + (number * field_values() + m_rows.lead) * m_shape.value_size;
  }
  std::int64_t stride(std::size_t a) const { return a == m_axis[0] ? 1 : a == m_axis[1] ? m_rows.pitch : m_plane; }
  std::array<std::int64_t, 3> strides() const { return {{m_plane, m_rows.pitch, 1}}; }
  /// Planes, rows, columns.
  std::array<std::int64_t, 3> in_order(std::array<std::int64_t, 3> const& of_view) const {
    return {{of_view[m_axis[2]], of_view[m_axis[1]], of_view[m_axis[0]]}};
  }
  static void const* at_column(ViewInfo const& view, std::int64_t column) {
    return static_cast<unsigned char const*>(view.data) + column * view.value_size;
  }
  RowCopy all_of(ViewInfo const& view) const {
    RowCopy copy;
    copy.value_size = view.value_size;
    copy.box        = {{{0, 0, 0}}, in_order(view.extent)};
    return copy;
  }
  void run(std::string const& label, RowCopy const& copy) const {
    Launch const launch = make_launch(label, m_space);
    ToolsRegion const region(launch, true);
    if (!copy_rows(SpaceTraits<Kokkos::Cuda>::info(m_space), launch, copy)) {
      fail(label, "there is no kernel that copies rows on this device");
    }
  }

  Kokkos::Cuda m_space;
  PaddedRows m_rows;
  std::int64_t m_shift;
  ViewInfo m_shape;
  std::size_t m_axis[3] = {2, 1, 0};
  std::int64_t m_plane  = 0;
  void* m_memory        = nullptr;
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
