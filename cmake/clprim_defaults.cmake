# What a plain `cmake -B build` builds. The library itself needs nothing but OpenCL; tests and
# examples are built where this is the project itself and what they need is there, or where they are
# asked for by -DCLPRIM_BUILD_TESTS=ON, -DCLPRIM_BUILD_EXAMPLES=ON.

set(clprim_can_test OFF)
set(clprim_can_show OFF)
if(PROJECT_IS_TOP_LEVEL)
  find_package(doctest QUIET)
  find_package(CLI11 QUIET)
  find_path(CLPRIM_STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb)
  find_library(CLPRIM_STB_LIBRARY stb)
  mark_as_advanced(doctest_DIR CLI11_DIR CLPRIM_STB_INCLUDE_DIR CLPRIM_STB_LIBRARY)
  if(doctest_FOUND)
    set(clprim_can_test ON)
  elseif(NOT DEFINED CLPRIM_BUILD_TESTS)
    message(STATUS "clprim: no tests, for doctest is not installed (Debian: doctest-dev)")
  endif()
  if(CLI11_FOUND AND CLPRIM_STB_INCLUDE_DIR AND CLPRIM_STB_LIBRARY)
    set(clprim_can_show ON)
  elseif(NOT DEFINED CLPRIM_BUILD_EXAMPLES)
    message(STATUS "clprim: no examples, for CLI11 or stb is not installed (Debian: libcli11-dev "
                   "libstb-dev)")
  endif()
endif()
