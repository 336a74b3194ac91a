// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Case.hpp"
#include "Engine.hpp"
#include "Random.hpp"

#include <array>
#include <cstdint>

namespace KokkosStencil {
namespace Fuzz {

/// Makes one random case for an engine: small problems near what their stencil reaches above all, and a few large ones.
class Generator {
 public:
  Generator(Engine const& engine, Random& random) : m_engine(engine), m_random(random) {}
  Case next();

 private:
  void choose_way(Case& c);
  void choose_reach();
  void choose_offsets(Case& c);
  void choose_coefficients(Case& c);
  void choose_extents(Case& c);
  std::int64_t extent_near_reach(std::size_t axis);
  void choose_faces(Case& c);
  void choose_range(Case& c);
  void choose_layouts(Case& c);
  Placement place(Case const& c, Form& form, bool permuted);
  void choose_steps(Case& c);
  void choose_data(Case& c);
  void choose_wrong(Case& c);
  bool is_exact(Case const& c) const;

  double constant();
  std::size_t rank() const { return static_cast<std::size_t>(m_engine.rank()); }

  Engine const& m_engine;
  Random& m_random;
  bool m_large = false;  ///< up to a million points
  bool m_tiled =
      false;  ///< as kernels with tiles and tensor cores like it: regular, aligned, some hundred points a row
  std::array<int, 3> m_low{{0, 0, 0}}, m_high{{0, 0, 0}};  ///< box of the offsets
  int m_fraction = 0;      ///< coefficients are multiples of 2 to minus this, if m_whole
  bool m_whole   = false;  ///< coefficients are exact in every type
  bool m_wide    = false;  ///< constants and data of any magnitude
};

}  // namespace Fuzz
}  // namespace KokkosStencil
