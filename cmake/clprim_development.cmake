# What only this repository's own tests, examples and benchmarks need; a consumer never sees it.

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12) OR
   (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
  message(FATAL_ERROR "clprim needs g++ 12 or clang 14, or newer; this is ${CMAKE_CXX_COMPILER_ID} "
                      "${CMAKE_CXX_COMPILER_VERSION}: choose another with -DCMAKE_CXX_COMPILER=…")
endif()

option(CLPRIM_WARNINGS_AS_ERRORS "Stop at a warning of our own code" ON)
set(CLPRIM_SANITIZERS "" CACHE STRING "Sanitizers of our own executables, e.g. address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CLPRIM_CCACHE ccache)
mark_as_advanced(CLPRIM_CCACHE)
if(CLPRIM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CLPRIM_CCACHE}")
endif()

set(clprim_warning_flags -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC bug 105651: g++ 12 takes an optimised `"text" + std::string` for an overlapping copy.
  list(APPEND clprim_warning_flags -Wno-restrict)
endif()
if(CLPRIM_WARNINGS_AS_ERRORS)
  list(APPEND clprim_warning_flags -Werror)
endif()

# Linked by every executable of this repository.
add_library(clprim_development INTERFACE)
target_compile_options(clprim_development INTERFACE ${clprim_warning_flags})
if(CLPRIM_SANITIZERS)
  set(sanitizer_flags -fsanitize=${CLPRIM_SANITIZERS} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  target_compile_options(clprim_development INTERFACE ${sanitizer_flags})
  target_link_options(clprim_development INTERFACE ${sanitizer_flags})
endif()

# Includes every header of the library, so that clang-tidy (.ci/run) has one file to read them by.
function(clprim_write_all_headers path)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
       "${PROJECT_SOURCE_DIR}/include/clprim/*.hpp")
  list(SORT headers)
  list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>")
  list(JOIN headers "\n" text)
  file(CONFIGURE OUTPUT "${path}" CONTENT "${text}\n")
endfunction()
