# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Writes the kernels of the benchmarks' catalogue as a Kokkos user would: one expression a kernel, offsets in the text,
# coefficients as an array in the order of the terms. They are what MDRangePolicy is measured with.
#
#   kokkosstencil_catalogue_rivals(CATALOGUE HEADER)
function(kokkosstencil_catalogue_rivals catalogue header)
  file(STRINGS ${catalogue} lines)
  set(index i j k)
  set(number 0)
  foreach(rank 1 2 3)
    set(cases_${rank} "")
  endforeach()
  set(structs "")
  set(name "")
  list(APPEND lines "kernel end")
  foreach(line IN LISTS lines)
    if(line MATCHES "^kernel (.+)$")
      if(name)
        string(REPLACE ";" ", " arguments "${arguments}")
        string(
          APPEND
          structs
          "/// ${name}\n"
          "struct CatalogueBody${number} : CatalogueTerms<${rank}, ${count}> {\n"
          "  template <class A, class View>\n"
          "  KOKKOS_FUNCTION static A sum(A const* c, View const& u, ${arguments}) {\n"
          "    return ${sum};\n"
          "  }\n"
          "};\n")
        string(APPEND cases_${rank} "  if (name == \"${name}\") return f(CatalogueBody${number}());\n")
        math(EXPR number "${number} + 1")
      endif()
      set(name ${CMAKE_MATCH_1})
      set(count 0)
      set(sum "")
    elseif(line MATCHES "^rank ([123])$")
      set(rank ${CMAKE_MATCH_1})
      list(SUBLIST index 0 ${rank} used)
      list(TRANSFORM used PREPEND "int " OUTPUT_VARIABLE arguments)
    elseif(line MATCHES "^ +([-0-9 ]+) : (.+)$")
      string(REPLACE " " ";" offsets "${CMAKE_MATCH_1}")
      string(REPLACE " " ";" coefficients "${CMAKE_MATCH_2}")
      list(POP_BACK offsets last)
      foreach(coefficient IN LISTS coefficients)
        if(NOT coefficient STREQUAL "0")
          set(place "")
          foreach(i o IN ZIP_LISTS used offsets)
            if(NOT DEFINED o OR o STREQUAL "")
              set(o ${last})
            endif()
            list(APPEND place "${i} + (${o})")
          endforeach()
          string(REPLACE ";" ", " place "${place}")
          if(count GREATER 0)
            string(APPEND sum " + ")
          endif()
          string(APPEND sum "c[${count}] * static_cast<A>(u(${place}))")
          math(EXPR count "${count} + 1")
        endif()
        math(EXPR last "${last} + 1")
      endforeach()
    endif()
  endforeach()
  set(dispatch "")
  foreach(rank 1 2 3)
    string(
      APPEND
      dispatch
      "template <class F>\n"
      "std::unique_ptr<Candidate> with_catalogue_body(std::integral_constant<int, ${rank}>, std::string const& name, F const& f) {\n"
      "${cases_${rank}}"
      "  return nullptr;\n"
      "}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${header} @ONLY CONTENT "// Written by KokkosStencilCatalogueRivals.cmake.
#pragma once

#include <rivals/MdRange.hpp>

namespace perf {

template <int Rank, int Count>
struct CatalogueTerms {
  static constexpr int rank  = Rank;
  static constexpr int count = Count;

  template <class A>
  static void coefficients(Kernel const& kernel, A* c) {
    for (int t = 0; t < Count; ++t) c[t] = static_cast<A>(kernel.terms.at(static_cast<std::size_t>(t)).coefficient);
  }
};

@structs@
@dispatch@
}  // namespace perf
")
endfunction()
