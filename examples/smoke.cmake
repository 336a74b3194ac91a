# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# One smoke test (see smoke_tests.cmake): exit code, output and pictures of a run.

cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
file(WRITE "${FOLDER}/text.png" "Not a picture.\n")
file(WRITE "${FOLDER}/small.pgm" "P2\n# a small one\n5 4 9\n0 1 2 3 4  5 6 7 8 9  9 8 7 6 5  4 3 2 1 0\n")
file(WRITE "${FOLDER}/short.pgm" "P5\n40 30\n255\nabc")
file(WRITE "${FOLDER}/huge.pgm" "P5\n99999999 99999999\n255\nabc")
file(WRITE "${FOLDER}/large.pgm" "P5\n16384 16384\n255\nabc")
file(WRITE "${FOLDER}/large_text.pgm" "P2\n16384 16384\n255\n1 2 3")
# Something at the place of a picture that must not be replaced.
file(MAKE_DIRECTORY "${FOLDER}/taken/gray_scott.png")
if(CHECK)
  execute_process(COMMAND "${CHECK}" --write "${FOLDER}/good.png" "${FOLDER}/cut.png" "${FOLDER}/large.png"
                  RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "the pictures for the test could not be written")
  endif()
endif()

string(REPLACE "|" ";" ARGS "${ARGS}")
string(REPLACE "FOLDER" "${FOLDER}" ARGS "${ARGS}")
execute_process(
  COMMAND "${PROGRAM}" ${ARGS}
  WORKING_DIRECTORY "${FOLDER}"
  RESULT_VARIABLE code
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors)
message("${output}${errors}")
if(NOT code STREQUAL CODE)
  message(FATAL_ERROR "exit code ${code}, expected ${CODE}")
endif()
# What is wrong belongs on the standard error.
if(CODE)
  set(output "${errors}")
endif()
if(NOT output MATCHES "${MATCH}")
  message(FATAL_ERROR "the output lacks '${MATCH}'")
endif()

string(REPLACE "|" ";" PICTURES "${PICTURES}")
foreach(picture IN LISTS PICTURES)
  string(REGEX MATCH "^(.*)=([0-9]+)x([0-9]+)$" matched "${picture}")
  execute_process(COMMAND "${CHECK}" "${FOLDER}/${CMAKE_MATCH_1}" ${CMAKE_MATCH_2} ${CMAKE_MATCH_3}
                  RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "${CMAKE_MATCH_1} is not as expected")
  endif()
endforeach()

foreach(picture IN LISTS REFUSED)
  execute_process(COMMAND "${CHECK}" --refused "${FOLDER}/${picture}" RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "${picture} takes memory before it is refused")
  endif()
endforeach()
