# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Every example at a small size, and what it says to wrong input.

set(check)
if(TARGET example_support)
  add_executable(check_picture support/check_picture.cpp)
  target_link_libraries(check_picture PRIVATE example_support)
  if(COMMAND kokkosstencil_warnings)
    kokkosstencil_warnings(check_picture)
  endif()
  set(check -DCHECK=$<TARGET_FILE:check_picture>)
endif()

# example_test(NAME PROGRAM [ARGS ...] [CODE 0] [MATCH regex of the output] [PICTURES file=WIDTHxHEIGHT ...]
#              [REFUSED file])
# In ARGS, FOLDER stands for the folder of the test.
function(example_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "CODE;MATCH" "ARGS;PICTURES;REFUSED")
  if(NOT DEFINED test_CODE)
    set(test_CODE 0)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/smoke/${program}.${name})
  list(JOIN test_ARGS "|" args)
  list(JOIN test_PICTURES "|" pictures)
  add_test(NAME examples.${program}.${name}
           COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${program}> ${check} -DFOLDER=${folder} -DARGS=${args}
                   -DCODE=${test_CODE} -DMATCH=${test_MATCH} -DPICTURES=${pictures} -DREFUSED=${test_REFUSED}
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/smoke.cmake)
  set_tests_properties(examples.${program}.${name} PROPERTIES LABELS examples TIMEOUT 300)
endfunction()

example_test(runs rates ARGS 2 MATCH "2-D star, double .* right\n")
example_test(not_a_number rates ARGS many CODE 2 MATCH "Usage: rates")
if(NOT TARGET example_support)
  return()
endif()

set(ran "GStencil/s.*picture ")
example_test(runs heat_diffusion ARGS --nx 48 --ny 32 --steps 2000 --kokkos-disable-warnings
             MATCH ${ran} PICTURES heat_diffusion.png=1150x754)
example_test(converges heat_diffusion ARGS --nx 20 --ny 21 --tolerance 1e-3 MATCH "^steady after"
             PICTURES heat_diffusion.png=1150x754)
example_test(reads_a_picture heat_diffusion ARGS --nx 32 --ny 24 --steps 1 --input FOLDER/small.pgm
             MATCH ${ran} PICTURES heat_diffusion.png=1150x754)
example_test(runs image_filter ARGS --width 60 --height 41 --repeat 1 --filter blur,sharpen,sobel,laplace MATCH ${ran}
             PICTURES sample.png=60x41 blur.png=60x41 sharpen.png=60x41 sobel.png=60x41 laplace.png=60x41
                      image_filter.png=168x243)
example_test(sample image_filter ARGS --sample --width 90 --height 60 PICTURES sample.png=90x60)
example_test(reads_a_picture image_filter ARGS FOLDER/small.pgm --filter blur --repeat 1
             MATCH ${ran} PICTURES blur.png=5x4)
example_test(reads_a_png image_filter ARGS FOLDER/good.png --filter sharpen --repeat 1
             MATCH ${ran} PICTURES sharpen.png=64x48)
example_test(runs gray_scott ARGS --nx 64 --ny 48 --steps 60 --frames 3 MATCH ${ran}
             PICTURES gray_scott.png=64x48 gray_scott_frames/frame_0000.png=64x48
                      gray_scott_frames/frame_0002.png=64x48)
example_test(map gray_scott ARGS --nx 40 --ny 40 --steps 50 --frames 0 --pattern map PICTURES gray_scott.png=40x40)
example_test(runs acoustic_wave ARGS --nx 40 --ny 20 --nz 24 MATCH ${ran} PICTURES acoustic_wave.png=1290x704)

example_test(runs circuit_board ARGS --nx 96 --ny 60 MATCH "^solved after.*${ran}" PICTURES circuit_board.png=1150x754)
example_test(reads_a_picture circuit_board ARGS --nx 64 --ny 40 --input FOLDER/small.pgm MATCH "^solved after"
             PICTURES circuit_board.png=1150x754)
example_test(few_steps circuit_board ARGS --nx 33 --ny 32 --steps 3 MATCH "^not solved yet after 3 steps"
             PICTURES circuit_board.png=1150x754)
example_test(known_solution circuit_board ARGS --verify MATCH "order (1.9|2.0)")

example_test(missing_file image_filter ARGS FOLDER/nothing.png CODE 2 MATCH "nothing.png")
example_test(corrupt_png image_filter ARGS FOLDER/cut.png CODE 1 MATCH "cut.png: not a readable PNG")
example_test(not_a_picture image_filter ARGS FOLDER/text.png CODE 1 MATCH "text.png: neither a PNG")
example_test(short_pgm image_filter ARGS FOLDER/short.pgm CODE 1 MATCH "short.pgm: the file ends too early")
example_test(large_png image_filter ARGS FOLDER/large.png CODE 1 MATCH "large.png: not a readable PNG .too short"
             REFUSED large.png)
example_test(large_pgm image_filter ARGS FOLDER/large.pgm CODE 1 MATCH "large.pgm: the file ends too early"
             REFUSED large.pgm)
example_test(large_text heat_diffusion ARGS --input FOLDER/large_text.pgm CODE 1 MATCH "the file ends too early"
             REFUSED large_text.pgm)
example_test(huge_pgm image_filter ARGS FOLDER/huge.pgm CODE 1 MATCH "huge.pgm: a picture of")
example_test(unknown_filter image_filter ARGS --filter dream CODE 2 MATCH "dream")
example_test(unknown_pattern gray_scott ARGS --pattern tweed CODE 2 MATCH "tweed")
foreach(program heat_diffusion image_filter gray_scott acoustic_wave circuit_board)
  example_test(help ${program} ARGS --help MATCH "--backend")
  example_test(unknown_option ${program} ARGS --colour CODE 2 MATCH "--colour")
  example_test(unwritable ${program} ARGS --output FOLDER/text.png/below CODE 1 MATCH "cannot be created")
  example_test(unknown_backend ${program} ARGS --backend abacus CODE 1 MATCH "abacus")
endforeach()
# Numbers that are none, and those that nothing sensible comes of.
foreach(number nan inf -1 0 1e300 1e-300 1e999 ten "")
  foreach(option spacing frequency duration)
    example_test(${option}=${number} acoustic_wave ARGS --${option}=${number} CODE 2 MATCH "--${option}")
  endforeach()
  example_test(tolerance=${number} heat_diffusion ARGS --tolerance=${number} CODE 2 MATCH "--tolerance")
  example_test(tolerance=${number} circuit_board ARGS --tolerance=${number} CODE 2 MATCH "--tolerance")
  foreach(option steps check-every nx ny)
    example_test(${option}=${number} heat_diffusion ARGS --${option}=${number} CODE 2 MATCH "--${option}")
  endforeach()
endforeach()
foreach(number nan inf -1 1e300 1e999)
  example_test(strength=${number} image_filter ARGS --strength=${number} CODE 2 MATCH "--strength")
endforeach()
example_test(many_steps acoustic_wave ARGS --spacing 0.01 --duration 10 CODE 1 MATCH "time steps of .* are more than")
example_test(narrow acoustic_wave ARGS --nx 16 --ny 16 --nz 2048 --duration 0.01 PICTURES acoustic_wave.png=250x1568)

# Output that is lost. Only regular files are replaced.
if(EXISTS /dev/full)
  foreach(program heat_diffusion image_filter gray_scott acoustic_wave circuit_board)
    add_test(NAME examples.${program}.full_disk COMMAND sh -c "$<TARGET_FILE:${program}> --help > /dev/full; test $? -eq 1")
    set_tests_properties(examples.${program}.full_disk PROPERTIES LABELS examples PASS_REGULAR_EXPRESSION
                                                                                "the standard output cannot be written")
  endforeach()
endif()
example_test(pipe_in_the_way gray_scott ARGS --nx 16 --ny 16 --steps 1 --frames 0 --output FOLDER/taken CODE 1
             MATCH "gray_scott.png: cannot be written: no regular file")
foreach(program heat_diffusion gray_scott acoustic_wave circuit_board)
  example_test(not_a_number ${program} ARGS --nx many CODE 2 MATCH "many")
  example_test(out_of_range ${program} ARGS --nx -3 CODE 2 MATCH "-3")
endforeach()

if(TARGET heat_cluster AND KokkosStencil_MPIRUN)
  add_test(
    NAME examples.heat_cluster.resumes
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/heat_cluster/smoke.sh ${CMAKE_CURRENT_BINARY_DIR}/smoke/heat_cluster
            $<TARGET_FILE:heat_cluster> $<TARGET_FILE:check_picture> ${KokkosStencil_MPIRUN})
  set_tests_properties(examples.heat_cluster.resumes PROPERTIES LABELS "examples;distributed" TIMEOUT 300 ENVIRONMENT
                                                                "${KokkosStencil_MPI_ENVIRONMENT}")
endif()
